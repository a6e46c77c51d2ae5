import type { LogTotal, ownLeaf, ProofReceipt } from '@ushirika/contract/proofs';
import { areEqual, toBase64 } from '@ushirika/verifier/bytes';
import { type SumNode, sumProof } from '@ushirika/verifier/sum-tree';
import type { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { factReceipts, placeOf } from './fact-receipts.queries.ts';
import { logOf, ownAccounts } from './proofs.queries.ts';
import { keptLeaves, leafSalts, levelsAbove, levelsOf } from './sum-pieces.ts';
import { FEWEST_LEAVES, TOTALS } from './take-totals.ts';

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
  /** Entries of the log that are on the chain. */
  readonly anchored: number;
}

/** A sacco has two totals at most. */
const RECEIPTS_KEPT = 2_000;

/**
 * Receipts of totals in the memory of a process: the newest total of a log is read by everybody, and changes once a day. One is made again once its
 * log is on the chain with more entries. A total says nothing of a person, so that it is never erased.
 */
export class KeptReceipts {
  readonly #receipts = new Map<string, ProofReceipt>();

  /** The receipts of totals, in their order; null for one whose entry is not signed. */
  async of(database: Database, rows: readonly TotalRow[]): Promise<(ProofReceipt | null)[]> {
    const missing = rows.filter((row) => !this.#receipts.has(keyOf(row)));
    if (missing.length > 0) {
      const at = database.sql`(e.log_id, e.i) in (select * from unnest(
        ${integers(missing.map(({ log_id }) => log_id))}::bigint[], ${integers(missing.map(({ i }) => i))}::bigint[]))`;
      const made = await factReceipts(database, at, () => false);
      for (const row of missing) this.#keep(keyOf(row), made.get(placeOf(row.log_id, row.i)));
    }
    return rows.map((row) => this.#receipts.get(keyOf(row)) ?? null);
  }

  #keep(key: string, receipt: ProofReceipt | undefined): void {
    if (!receipt) return;
    const [oldest] = this.#receipts.keys();
    if (this.#receipts.size >= RECEIPTS_KEPT && oldest !== undefined) this.#receipts.delete(oldest);
    this.#receipts.set(key, receipt);
  }
}

const keyOf = ({ log_id, i, anchored }: TotalRow): string => `${placeOf(log_id, i)}/${anchored}`;

/** A reader of totals, with the receipts that it keeps. */
export interface TotalsReader {
  readonly database: Database;
  readonly kept: KeptReceipts;
}

/** The newest totals of a log. @throws Refusal `not_found` where there is no such log */
export async function totalsOf(reader: TotalsReader, name: string): Promise<LogTotal[]> {
  return (await newestTotals(reader, name)).map(({ total }) => total);
}

/**
 * A member's own leaves in the newest totals of a log, two for each account, with the way from each to the root. Null where a total's leaves
 * are kept no longer.
 * @throws Refusal `not_found` where there is no such log
 */
export async function ownTotals(
  reader: TotalsReader,
  userId: string,
  name: string,
): Promise<{ total: LogTotal; leaves: OwnLeaf[] | null }[]> {
  const { database } = reader;
  const totals = await newestTotals(reader, name);
  const accounts = await database.sql<OwnAccount[]>`
    select id, kind from accounts where id = any(${integers(await ownAccounts(database, userId))}::bigint[]) order by id`;
  const results = [];
  for (const { row, total } of totals) results.push({ total, leaves: await leavesOf(database, row, accounts) });
  return results;
}

async function newestTotals(
  { database, kept }: TotalsReader,
  name: string,
): Promise<{ row: TotalRow; total: LogTotal }[]> {
  const log = await logOf(database, name);
  const isOfBook = log.sacco_id === null ? database.sql`sacco_id is null` : database.sql`sacco_id = ${log.sacco_id}`;
  const rows = await database.sql<TotalRow[]>`
    select n.*, coalesce(a.size, 0) as anchored
    from unnest(${texts(Object.keys(TOTALS))}::text[]) w (what)
    cross join lateral (
      select t.id, t.what, t.log_id, t.i, t.secret, f.head
      from log_totals t join log_facts f on f.log_id = t.log_id and f.i = t.i
      where ${isOfBook} and t.what = w.what and (f.head ->> 'leaves')::bigint >= ${FEWEST_LEAVES}
      order by t.day desc limit 1) n
    left join lateral (select max(size) as size from anchors where log_id = n.log_id and state = 'confirmed') a on true
    order by n.what`;
  const receipts = await kept.of(database, rows);
  return rows.map((row, at) => ({ row, total: { ...totalFrom(row), receipt: receipts[at] ?? null } }));
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

interface OwnAccount {
  readonly id: number;
  readonly kind: string;
}

type Wanted = OwnAccount & { readonly salt: Uint8Array };

interface PieceRow {
  /** Which leaf is looked for. */
  readonly wanted: number;
  /** Which piece of the tree may have it. */
  readonly n: number;
  readonly leaves: Buffer;
}

/** The pieces with the member's leaves are hashed again, and the tree above them. */
async function leavesOf(
  database: Database,
  { id, what, secret }: TotalRow,
  owned: readonly OwnAccount[],
): Promise<OwnLeaf[] | null> {
  if (!secret) return null;
  const kinds: readonly string[] = TOTALS[what];
  const accounts = owned.filter(({ kind }) => kinds.includes(kind));
  const wanted: Wanted[] = accounts.flatMap((account) =>
    leafSalts(secret, account.id).map((salt) => ({ ...account, salt })),
  );
  const pieces = await database.sql<PieceRow[]>`
    select s.n::int as wanted, p.n, p.leaves from generate_series(0, ${wanted.length - 1}::int) s (n)
    cross join lateral (
      select leaves, (select count(*) from log_total_pieces b where b.total_id = ${id} and b.first_salt < p.first_salt)::int as n
      from log_total_pieces p where total_id = ${id} and first_salt <= substr(${Buffer.concat(wanted.map(({ salt }) => salt))}, s.n * 32 + 1, 32)
      order by first_salt desc limit 1) p
    order by s.n`;
  if (pieces.length === 0) return [];
  const nodes = await database.sql<SumNode[]>`
    select sum, hash from log_total_pieces where total_id = ${id} order by first_salt`;
  const above = levelsAbove(nodes);
  return pieces.flatMap(({ wanted: which, n, leaves }): OwnLeaf[] => {
    const { id: account, kind, salt } = wanted[which] as Wanted;
    const kept = keptLeaves(secret, leaves);
    const at = kept.findIndex((leaf) => areEqual(leaf.salt, salt));
    const own = kept[at];
    if (!own) return [];
    const steps = [...sumProof(levelsOf(kept), at), ...sumProof(above, n)];
    return [{ account, kind: kind as OwnLeaf['kind'], amount: own.amount, salt: toBase64(salt), steps }];
  });
}
