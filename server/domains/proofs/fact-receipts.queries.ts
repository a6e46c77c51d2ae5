import type { ProofReceipt } from '@ushirika/contract/proofs';
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
