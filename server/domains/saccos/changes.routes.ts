import * as contract from '@ushirika/contract/sacco-changes';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler } from '../../http/bind.ts';
import { applyChanges } from './apply-changes.ts';
import { changeById, changesOf } from './changes.queries.ts';
import type { ChangeExecutors } from './changes.types.ts';
import { confirmChange, refuseChange, withdrawChange } from './decide-change.ts';

export interface ChangesDependencies {
  readonly database: Database;
  readonly changes: ChangeExecutors;
}

/** Changes by two officials. The platform writes them: what they change, and whom they tell, are other people's. */
export function changesRoutes({ database, changes }: ChangesDependencies): Binding[] {
  const done = async (
    message: Sentence,
    actor: { readonly userId: string },
    which: { readonly id: string; readonly saccoId: string | null },
  ) => ({ success: true as const, message, change: await changeById(database, actor, which, changes) });
  return [
    bindHandler(contract.listSaccoChanges, async ({ actor, query }) => {
      const results = await changesOf(database, actor, query.sacco, changes);
      return { count: results.length, next: null, previous: null, results };
    }),
    bindHandler(contract.confirmSaccoChange, async ({ actor, saccoId, params: { id } }) => {
      const input = { changeId: id, saccoId };
      const row = await asSystem(() => database.transaction((tx) => confirmChange(tx, actor, input, changes)));
      const message =
        row.state === 'in_force'
          ? row.undo_at === null
            ? sentence('Confirmed. It holds from now on.')
            : sentence('Confirmed. It is closed from now on, for 14 days unless members decide otherwise.')
          : sentence('Confirmed. It takes effect in 24 hours.');
      return done(message, actor, { id, saccoId });
    }),
    bindHandler(contract.refuseSaccoChange, async ({ actor, saccoId, params: { id } }) => {
      const input = { changeId: id, saccoId };
      await asSystem(() => database.transaction((tx) => refuseChange(tx, actor, input, changes)));
      return done(sentence('Refused. Nothing changes.'), actor, { id, saccoId });
    }),
    bindHandler(contract.withdrawSaccoChange, async ({ actor, params: { id } }) => {
      await asSystem(() => database.transaction((tx) => withdrawChange(tx, actor, { changeId: id }, changes)));
      return done(sentence('Taken back. Nothing changes.'), actor, { id, saccoId: null });
    }),
  ] as Binding[];
}

export function changesTasks({ database, changes }: ChangesDependencies) {
  return { apply_changes: async () => applyChanges(database, changes) };
}

export const changesSchedules = [{ task: 'apply_changes', everySeconds: 15 }];
