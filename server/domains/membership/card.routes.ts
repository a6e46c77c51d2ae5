import { API_BASE } from '@ushirika/contract/constants';
import * as contract from '@ushirika/contract/membership';
import { sentence } from '@ushirika/contract/sentence';
import { linker } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindHandler } from '../../http/bind.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { identityCheckById, identityChecks } from '../identity/identity-checks.queries.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { unseenCards } from './list-members.ts';
import { recordCard } from './record-card.ts';
import { withdrawCard } from './withdraw-card.ts';

export interface CardDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly relatedPairs: RelatedPairs;
}

/**
 * ID cards that officials saw (docs/decisions/180). The platform writes: the member and the supervisors are told. The verbs
 * ask whose office it is, and keep to the sacco of the request.
 */
export function cardRoutes({ database, publicUrl, relatedPairs }: CardDependencies): Binding[] {
  return [
    bindHandler(contract.recordIdentityCheck, async ({ actor, saccoId, params, body }) => {
      const input = { saccoId, membershipId: params.id, document: body.document, number: body.number };
      return asSystem(async () => {
        const id = await database.transaction(async (tx) => {
          await requireProof(tx, actor);
          return recordCard(tx, actor, input, relatedPairs);
        });
        const check = await identityCheckById(database, actor, id, relatedPairs);
        return { success: true as const, message: sentence('Recorded. The member is told.'), check };
      });
    }),
    bindHandler(contract.listIdentityChecks, async ({ actor, saccoId, query }) => {
      const linkTo = linker(`${publicUrl}${API_BASE}${contract.listIdentityChecks.path}`, query);
      const page = await identityChecks(database, actor, { saccoId }, query, { relatedPairs, linkTo });
      const people = page.results.map(({ person }) => person.id);
      await database.transaction((tx) => noteReading(tx, actor, saccoId, people));
      return page;
    }),
    bindHandler(contract.countUnseenCards, async ({ actor, saccoId }) =>
      asSystem(async () => ({ count: await unseenCards(database, actor, saccoId) })),
    ),
    bindHandler(contract.withdrawIdentityCheck, async ({ actor, saccoId, params, body }) =>
      asSystem(async () => {
        await database.transaction(async (tx) => {
          await requireProof(tx, actor);
          await withdrawCard(tx, actor, { checkId: params.id, saccoId, ...body });
        });
        const check = await identityCheckById(database, actor, params.id, relatedPairs);
        return { success: true as const, message: sentence('Taken back. The record stays, with your reason.'), check };
      }),
    ),
  ] as Binding[];
}

/** That an official looked at members' particulars is kept, as for the list of members. */
async function noteReading(
  tx: Tx,
  actor: { readonly userId: string },
  saccoId: string,
  people: readonly string[],
): Promise<void> {
  if (people.length === 0) return;
  await tx.sql`
    insert into member_record_readings (id, sacco_id, read_by, read_at, members)
    values (${tx.newId()}, ${saccoId}, ${actor.userId}, ${tx.now}, ${texts([...new Set(people)])}::uuid[])`;
}
