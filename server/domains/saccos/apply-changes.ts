import { isDeepStrictEqual } from 'node:util';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { nameOf, tellPeople } from './change-officials.ts';
import type { ChangeExecutors, ChangeRow } from './changes.types.ts';
import { aboutOf, LAPSES_AFTER_MS, lockChange, putInForce, recallChange } from './decide-change.ts';

const CHUNK = 100;

/**
 * Puts in force what was confirmed a day ago: each change in a transaction of its own, under its sacco's lock. Then closes
 * the proposals that nobody confirmed in a week. It may run twice at once, or again after it was cut off. A change that
 * fails holds up no other: it stays as it is and is tried again at the next run.
 * @throws AggregateError of what failed, after everything else was done
 */
export async function applyChanges(database: Database, executors: ChangeExecutors): Promise<void> {
  const faults: unknown[] = [];
  for await (const id of dueChanges(database)) {
    await database.transaction((tx) => applyChange(tx, id, executors)).catch((fault) => faults.push(fault));
  }
  await database.transaction((tx) => lapseProposals(tx, executors)).catch((fault) => faults.push(fault));
  // The job fails for them, so that an operator sees it.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} changes could not be made: ${faults[0]}`);
}

/** The ids of all that are due, in the order of their ids: those that fail stay behind, and the list goes on. */
async function* dueChanges(database: Database): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const due = await database.sql<{ id: string }[]>`
      select id from sacco_changes where id > ${after} and state = 'confirmed' and effective_at <= ${database.now()}
      order by id limit ${CHUNK}`;
    for (const { id } of due) yield id;
    const last = due.at(-1);
    if (!last || due.length < CHUNK) return;
    after = last.id;
  }
}

async function applyChange(tx: Tx, changeId: string, executors: ChangeExecutors): Promise<void> {
  const change = await lockChange(tx, { changeId, saccoId: null });
  if (change.state !== 'confirmed') return;
  const executor = executors[change.kind];
  const about = aboutOf(change);
  const isOutdated =
    (await executor.refusalOf(tx, about, change.payload)) !== null ||
    !isDeepStrictEqual(await executor.current(tx, about, change.payload), change.expected);
  if (!isOutdated) return putInForce(tx, change.confirmed_by, change, executors);
  await tx.sql`update sacco_changes set state = 'outdated', ended_at = ${tx.now} where id = ${changeId}`;
  const name = await nameOf(tx, about);
  await tellPeople(tx, null, [change.proposed_by], {
    template: 'change_outdated',
    text: sentence('{name}: the change of {change} could not be made any more. Propose it anew.', {
      name,
      change: executor.words,
    }),
  });
  await recallChange(tx, change, executors, { causedBy: null, toldAlready: [change.proposed_by] });
}

async function lapseProposals(tx: Tx, executors: ChangeExecutors): Promise<void> {
  const lapsed = await tx.sql<Pick<ChangeRow, 'kind' | 'sacco_id' | 'proposed_by'>[]>`
    update sacco_changes set state = 'lapsed', ended_at = ${tx.now}
    where id in (
      select id from sacco_changes
      where state = 'proposed' and proposed_at <= ${new Date(tx.now.getTime() - LAPSES_AFTER_MS)}
      order by proposed_at limit ${CHUNK} for update skip locked)
    returning kind, sacco_id, proposed_by`;
  for (const change of lapsed) {
    const name = await nameOf(tx, aboutOf(change));
    const { words } = executors[change.kind];
    await tellPeople(tx, null, [change.proposed_by], {
      template: 'change_lapsed',
      text: sentence('{name}: nobody confirmed the change of {change} within 7 days. It is closed.', {
        name,
        change: words,
      }),
    });
  }
}
