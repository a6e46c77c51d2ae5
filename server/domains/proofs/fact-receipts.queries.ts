import type { ProofReceipt, ReceiptSubject } from '@ushirika/contract/proofs';
import { Refusal } from '@ushirika/contract/refusal';
import type { Payload } from '@ushirika/verifier/entry';
import type postgres from 'postgres';
import { isGuarded } from '#faults';
import type { Database } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { proofsOf, receiptFrom, type SignedRow, signedColumns, signedEntries } from './proofs.queries.ts';

type Condition = postgres.PendingQuery<postgres.Row[]>;
type FactRow = SignedRow & Payload & { readonly event_id: number | null };

/** The receipts of entries that are about no journal, by their places. One that is not signed yet, or was erased, has none. */
export async function factReceipts(
  database: Database,
  which: Condition,
  maySee: (part: unknown) => boolean,
): Promise<Map<string, ProofReceipt>> {
  const rows = await database.sql<FactRow[]>`
    select ${signedColumns(database)}, e.event_id, f.head, f.parts
    from ${signedEntries(database)} join log_facts f on f.log_id = e.log_id and f.i = e.i
    where e.secret is not null and c.size is not null and ${which}
    order by e.event_id, e.log_id, e.i`;
  const proofs = await proofsOf(database, rows);
  return new Map(
    rows.map((row, at) => {
      const { log_id, i, head, parts } = row;
      return [placeOf(log_id, i), receiptFrom(row, { head, parts }, { maySee, proof: proofs[at] ?? [] })];
    }),
  );
}

export const placeOf = (logId: number, i: number): string => `${logId}/${i}`;

/** The receipts of these events of a member. */
const receiptsOf = (database: Database, userId: string, ids: readonly number[]): Promise<Map<string, ProofReceipt>> =>
  factReceipts(
    database,
    database.sql`e.event_id = any(${integers(ids)}::bigint[])`,
    (part) => (part as { owner?: unknown }).owner === userId,
  );

/**
 * The receipt of one ballot, guarantee, contract or office of a member; null while its entry is not signed.
 * @throws Refusal `not_found` for one that is not theirs
 */
export async function eventReceiptOf(database: Database, userId: string, id: number): Promise<ProofReceipt | null> {
  const [own] = await database.sql`
    select from log_events where id = ${id} and (subject_id = ${userId} or ${!isGuarded('proofs.own_receipts')})`;
  if (!own) throw new Refusal('not_found');
  const [receipt] = (await receiptsOf(database, userId, [id])).values();
  return receipt ?? null;
}

/** The event in the head for each kind of subject, and which member of it names the subject. */
const heads: Readonly<Record<ReceiptSubject, { readonly event: string; readonly by: string }>> = {
  guarantee: { event: 'guarantee_signed', by: 'guarantee' },
  'pool-contract': { event: 'pool_contract_signed', by: 'contract' },
  ballot: { event: 'open_ballot', by: 'proposal' },
  vote: { event: 'vote_counted', by: 'proposal' },
};

/**
 * The newest receipt about something: of a member's own guarantee, pool contract or open ballot, or of the result of a vote. Null while its entry
 * is not signed.
 * @param saccoOfVote the sacco of the vote that the member may read; null for what is their own
 * @throws Refusal `not_found` where there is no such event of theirs
 */
export async function receiptAbout(
  database: Database,
  userId: string,
  { what, id, saccoOfVote }: { what: ReceiptSubject; id: string; saccoOfVote: string | null },
): Promise<ProofReceipt | null> {
  const { event, by } = heads[what];
  const whose = saccoOfVote
    ? database.sql`v.sacco_id = ${saccoOfVote} and v.subject_id is null and v.kind = 'votes'`
    : database.sql`v.subject_id = ${userId}`;
  const [newest] = await database.sql<{ id: number }[]>`
    select v.id from log_events v
    left join log_entries e on e.event_id = v.id
    left join log_facts f on f.log_id = e.log_id and f.i = e.i
    cross join lateral (select coalesce(v.head, f.head) as head) h
    where ${whose} and h.head ->> 'event' = ${event} and h.head ->> ${by} = ${id}
    order by v.id desc limit 1`;
  if (!newest) throw new Refusal('not_found');
  const [receipt] = (await receiptsOf(database, userId, [newest.id])).values();
  return receipt ?? null;
}

/** The sacco of a vote that the caller may read, and that is over: a first round tells its counts to nobody. @throws Refusal `not_found` */
export async function saccoOfVote({ sql }: Database, id: string): Promise<string> {
  const [vote] = await sql<{ sacco_id: string }[]>`
    select sacco_id from votes_shown where id = ${id} and counted_at is not null`;
  if (!vote) throw new Refusal('not_found');
  return vote.sacco_id;
}

/** A page of them, the oldest first. `next` is the `after` of the next page. */
export async function eventReceiptsAfter(
  database: Database,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ results: ProofReceipt[]; next: number | null; being_logged: number }> {
  const rows = await database.sql<{ id: number }[]>`
    select id from log_events where subject_id = ${userId} and id > ${after} order by id limit ${limit + 1}`;
  const shown = rows.slice(0, limit).map(({ id }) => id);
  const results = [...(await receiptsOf(database, userId, shown)).values()];
  return {
    results,
    next: rows.length > limit ? (shown.at(-1) ?? null) : null,
    being_logged: shown.length - results.length,
  };
}
