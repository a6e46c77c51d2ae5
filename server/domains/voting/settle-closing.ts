import { isDeepStrictEqual } from 'node:util';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { nameOf, otherOfficialsAndSuspended, tellPeople } from '../saccos/change-officials.ts';
import type { ChangeExecutors, ChangeRow } from '../saccos/changes.types.ts';
import { aboutOf, lockChange } from '../saccos/decide-change.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';

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
 * Ends what two officials closed at once. A vote to keep it closed that was published within those 14 days decides, and until then it
 * stays closed. Without such a vote it opens again, also while members vote on other terms of it, and the officials are told (docs/decisions/191).
 */
export async function settleClosing(
  database: Database,
  { id, saccoId }: Due,
  executors: ChangeExecutors,
): Promise<void> {
  await database.transaction(async (tx) => {
    const change = await lockChange(tx, { changeId: id, saccoId });
    if (change.undo_payload === null || change.settled_at !== null) return;
    const executor = executors[change.kind];
    const about = aboutOf(change);
    const isStillClosed = isDeepStrictEqual(await executor.current(tx, about, change.payload), change.payload);
    if (!isStillClosed) return settle(tx, id, 'decided');
    const vote = await voteToKeepClosed(tx, change);
    if (vote === 'underway') return;
    if (vote === 'decided') return settle(tx, id, 'decided');
    // A suspended sacco trades nothing anyhow: it is tried again.
    if (await executor.refusalOf(tx, about, change.undo_payload)) return;
    await executor.apply(tx, about, change.undo_payload);
    await settle(tx, id, 'lapsed');
    const officials = await otherOfficialsAndSuspended(tx, about);
    const text = openAgain(change, await nameOf(tx, about));
    await tellPeople(tx, null, [...officials, change.proposed_by], { template: 'closing_lapsed', text });
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

async function voteToKeepClosed(tx: Tx, change: ChangeRow): Promise<'underway' | 'decided' | null> {
  const votes = await votesToKeepClosed(tx, change);
  if (votes.some(({ is_decided }) => !is_decided)) return 'underway';
  return votes.length > 0 ? 'decided' : null;
}

interface VoteToKeepClosed {
  readonly id: string;
  readonly title: string;
  readonly is_decided: boolean;
}

/** Those on whether it stays closed, the newest first: under way or carried out. Votes on other terms of it leave it open. */
export function votesToKeepClosed(
  { sql, now }: { readonly sql: Tx['sql'] | Database['sql']; readonly now: Date },
  { sacco_id, kind, payload, undo_payload: open, effective_at, undo_at }: ChangeRow,
): Promise<VoteToKeepClosed[]> {
  const closed = Object.fromEntries(Object.entries(payload).filter(([name, value]) => value !== open?.[name]));
  return (sql as Tx['sql'])<VoteToKeepClosed[]>`
    select p.id, p.title, p.executed_at is not null as is_decided from proposals p
    where p.sacco_id = ${sacco_id}::uuid and p.change_kind = ${kind}
      and p.published_at > ${effective_at}::timestamptz and p.published_at <= ${undo_at}::timestamptz
      and p.payload @> ${JSON.stringify(closed)}::text::jsonb
      and p.payload->>'product' is not distinct from ${payload.product ?? null}::text
      and (p.executed_at is not null or ${isNotOver(sql as Tx['sql'], now)})
    order by p.id desc`;
}
