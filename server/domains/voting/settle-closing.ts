import { isDeepStrictEqual } from 'node:util';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { nameOf, otherOfficialsAndSuspended, tellPeople } from '../saccos/change-officials.ts';
import type { ChangeExecutors, ChangeRow } from '../saccos/changes.types.ts';
import { aboutOf, lockChange } from '../saccos/decide-change.ts';
import { isNotOver } from './votes-underway.ts';

interface Due {
  readonly id: string;
  readonly saccoId: string;
}

/** What two officials closed 14 days ago, and which is not settled: the next ones after an id. */
export async function toSettle({ sql, now }: Database, after: string, limit: number): Promise<Due[]> {
  return sql<Due[]>`
    select id, sacco_id as "saccoId" from sacco_changes
    where id > ${after} and undo_at <= ${now()} and settled_at is null order by id limit ${limit}`;
}

/**
 * What two officials closed at once stays closed while members vote on it, in a vote that was published within those 14 days, and is as
 * that vote has decided. Without such a vote it opens again, and the officials are told (docs/decisions/191).
 */
export async function settleClosing(
  database: Database,
  { id, saccoId }: Due,
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    const change = await lockChange(tx, { changeId: id, saccoId });
    if (change.undo_payload === null || change.settled_at !== null) return;
    const vote = await voteOn(tx, change);
    if (vote === 'underway') return;
    const executor = executors[change.kind];
    const about = aboutOf(change);
    const isStillClosed = isDeepStrictEqual(await executor.current(tx, about, change.payload), change.payload);
    if (vote === 'decided' || !isStillClosed) return settle(tx, id, 'decided');
    // A suspended sacco trades nothing anyhow: it is tried again.
    if (await executor.refusalOf(tx, about, change.undo_payload)) return;
    await executor.apply(tx, about, change.undo_payload);
    await settle(tx, id, 'lapsed');
    const officials = await otherOfficialsAndSuspended(tx, about);
    const text = openAgain(change, await nameOf(tx, about));
    await tellPeople(tx, [...officials, change.proposed_by], 'closing_lapsed', text);
  });
}

function openAgain({ kind, payload }: ChangeRow, name: string): Sentence {
  if (kind === 'market_terms') {
    return sentence('{name}: members did not confirm by a vote that the share market is closed. It is open again.', {
      name,
    });
  }
  return sentence(
    '{name}: members did not confirm by a vote that the loan {loan} is not offered. Members can apply for it again.',
    { name, loan: String(payload.name) },
  );
}

async function settle(tx: Tx, id: string, how: 'decided' | 'lapsed'): Promise<void> {
  await tx.sql`update sacco_changes set settled = ${how}, settled_at = ${tx.now} where id = ${id}`;
}

async function voteOn(tx: Tx, change: ChangeRow): Promise<'underway' | 'decided' | null> {
  const rows = await tx.sql<{ is_decided: boolean }[]>`
    select p.executed_at is not null as is_decided from proposals p
    where p.sacco_id = ${change.sacco_id}::uuid and p.change_kind = ${change.kind}
      and p.published_at > ${change.effective_at}::timestamptz and p.published_at <= ${change.undo_at}::timestamptz
      and p.payload->>'product' is not distinct from ${change.payload.product ?? null}::text
      and (p.executed_at is not null or ${isNotOver(tx.sql, tx.now)})`;
  if (rows.some(({ is_decided }) => !is_decided)) return 'underway';
  return rows.length > 0 ? 'decided' : null;
}
