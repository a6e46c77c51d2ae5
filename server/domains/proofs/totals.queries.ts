import type { LogTotal, ownLeaf } from '@ushirika/contract/proofs';
import { toBase64 } from '@ushirika/verifier/bytes';
import { type SumNode, sumProof } from '@ushirika/verifier/sum-tree';
import type { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { factReceipts, placeOf } from './fact-receipts.queries.ts';
import { logOf, ownAccounts } from './proofs.queries.ts';
import { balancesOf, leafSalt, levelsAbove, levelsOf } from './sum-pieces.ts';

type OwnLeaf = z.infer<typeof ownLeaf>;

/** The head of a total's entry: see take-totals.ts. */
interface Head {
  readonly day: string;
  readonly at: string;
  readonly total: number;
  readonly root: string;
  readonly leaves: number;
  readonly shares_issued?: number;
  readonly float_cents?: number;
  readonly saccos_cents?: number;
  readonly other_cents?: number;
  readonly mpesa_cents?: number | null;
  readonly expected_cents?: number | null;
  readonly compared_at?: string | null;
}

interface TotalRow {
  readonly id: number;
  readonly what: LogTotal['what'];
  readonly log_id: number;
  readonly i: number;
  readonly secret: Buffer | null;
  readonly head: Head;
}

/** The newest totals of a log. @throws Refusal `not_found` where there is no such log */
export async function totalsOf(database: Database, name: string): Promise<LogTotal[]> {
  return (await newestTotals(database, name)).map(({ total }) => total);
}

/**
 * A member's own leaves in the newest totals of a log, with the way from each to the root.
 * @throws Refusal `not_found` where there is no such log
 */
export async function ownTotals(
  database: Database,
  userId: string,
  name: string,
): Promise<{ total: LogTotal; leaves: OwnLeaf[] }[]> {
  const totals = await newestTotals(database, name);
  const accounts = await ownAccounts(database, userId);
  const results = [];
  for (const { row, total } of totals) results.push({ total, leaves: await leavesOf(database, row, accounts) });
  return results;
}

async function newestTotals(database: Database, name: string): Promise<{ row: TotalRow; total: LogTotal }[]> {
  const log = await logOf(database, name);
  const rows = await database.sql<TotalRow[]>`
    select distinct on (t.what) t.id, t.what, t.log_id, t.i, t.secret, f.head
    from log_totals t join log_facts f on f.log_id = t.log_id and f.i = t.i
    where t.sacco_id is not distinct from ${log.sacco_id}::uuid order by t.what, t.day desc`;
  const at = database.sql`(e.log_id, e.i) in (select * from unnest(
    ${integers(rows.map(({ log_id }) => log_id))}::bigint[], ${integers(rows.map(({ i }) => i))}::bigint[]))`;
  const receipts = await factReceipts(database, at, () => false);
  return rows.map((row) => ({
    row,
    total: { ...totalFrom(row), receipt: receipts.get(placeOf(row.log_id, row.i)) ?? null },
  }));
}

function totalFrom({ what, i, head }: TotalRow): Omit<LogTotal, 'receipt'> {
  const { day, at, total, root, leaves, float_cents, saccos_cents = 0, other_cents = 0 } = head;
  const { mpesa_cents = null, expected_cents = null, compared_at = null } = head;
  const compared =
    mpesa_cents === null || expected_cents === null || compared_at === null
      ? null
      : { at: compared_at, mpesa_cents, expected_cents };
  const reserves = float_cents === undefined ? null : { float_cents, saccos_cents, other_cents, compared };
  return { what, day, at, total, leaves, root, index: i, shares_issued: head.shares_issued ?? null, reserves };
}

interface PieceRow {
  readonly id: number;
  readonly kind: OwnLeaf['kind'];
  readonly n: number;
  readonly leaves: Buffer;
}

/** The pieces with the member's accounts are hashed again, and the tree above them. */
async function leavesOf(database: Database, { id, secret }: TotalRow, accounts: readonly number[]): Promise<OwnLeaf[]> {
  if (!secret) return [];
  const pieces = await database.sql<PieceRow[]>`
    select a.id, a.kind, p.n, p.leaves from accounts a cross join lateral (
      select leaves, (select count(*) from log_total_pieces b where b.total_id = ${id} and b.first_account < p.first_account)::int as n
      from log_total_pieces p where total_id = ${id} and first_account <= a.id order by first_account desc limit 1) p
    where a.id = any(${integers(accounts)}::bigint[]) order by a.id`;
  if (pieces.length === 0) return [];
  const nodes = await database.sql<SumNode[]>`
    select sum, hash from log_total_pieces where total_id = ${id} order by first_account`;
  const above = levelsAbove(nodes);
  return pieces.flatMap(({ id: account, kind, n, leaves }): OwnLeaf[] => {
    const balances = balancesOf(leaves);
    const at = balances.findIndex((balance) => balance.account === account);
    const own = balances[at];
    if (!own) return [];
    const steps = [...sumProof(levelsOf(secret, balances), at), ...sumProof(above, n)];
    return [{ account, kind, amount: own.amount, salt: toBase64(leafSalt(secret, account)), steps }];
  });
}
