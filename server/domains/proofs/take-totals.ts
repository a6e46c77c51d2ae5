import { nairobiDay } from '@ushirika/contract/time';
import { toBase64 } from '@ushirika/verifier/bytes';
import type { SumNode } from '@ushirika/verifier/sum-tree';
import type { Database, Tx } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { appendEntries, takeLease } from './append-entries.ts';
import {
  type Balance,
  LEAF_BYTES,
  type Leaf,
  leavesOf,
  levelsAbove,
  PIECE,
  type Piece,
  piecesOf,
  showsBalance,
} from './sum-pieces.ts';

/** The accounts that a total adds up, at least: with fewer it says too much of each. */
const FEWEST_ACCOUNTS = 10;
/** The leaves of such a total: two for each account. */
export const FEWEST_LEAVES = 2 * FEWEST_ACCOUNTS;

/** Members prove their part of the totals of so many days. */
const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;

/** The ledger does not add up, so that nothing is logged of this total. */
export class TotalsDiffer extends Error {}

/** The accounts that each total adds up. */
export const TOTALS = {
  wallets: ['wallet', 'wallet_hold', 'pool_position'],
  shares: ['holding', 'holding_hold'],
  savings: ['deposits', 'deposits_hold'],
} as const;
export type What = keyof typeof TOTALS;

export interface TotalsDeps {
  readonly database: Database;
  /** The part of the logs' names before the sacco: `sacco.example/log`. */
  readonly originBase: string;
}

interface Snapshot {
  readonly balances: readonly Balance[];
  /** Figures that are logged beside the total, to compare it with. */
  readonly beside: Readonly<Record<string, number | string | null>>;
}

/**
 * Takes the totals of this day that are not taken yet: of the platform and of each sacco. Then it forgets what proofs of old ones are made of.
 * @returns how many were taken
 * @throws TotalsDiffer after all others were taken, where one is not what the ledger says
 */
export async function takeTotals({ database, originBase }: TotalsDeps): Promise<number> {
  const day = nairobiDay(database.now());
  const due = await database.sql<{ sacco_id: string | null; what: What }[]>`
    with wanted (sacco_id, what) as (
      select null::uuid, 'wallets' union all
      select s.id, w.what from saccos s, (values ('shares'), ('savings')) w (what) where s.state in ('active', 'suspended')
    )
    select w.sacco_id, w.what from wanted w
    where not exists (select from log_totals t where t.sacco_id is not distinct from w.sacco_id and t.what = w.what and t.day = ${day})
    order by w.sacco_id nulls first, w.what`;
  let taken = 0;
  let differs: TotalsDiffer | null = null;
  for (const { sacco_id, what } of due) {
    try {
      taken += await takeTotal({ database, originBase }, { saccoId: sacco_id, what, day });
    } catch (error) {
      if (!(error instanceof TotalsDiffer)) throw error;
      differs ??= error;
    }
  }
  await database.transaction((tx) => forgetOld(tx));
  if (differs) throw differs;
  return taken;
}

/** @returns 0 where fewer than ten accounts hold something, or where another process was first. @throws TotalsDiffer */
async function takeTotal(
  { database, originBase }: TotalsDeps,
  { saccoId, what, day }: Pick<Total, 'saccoId' | 'what' | 'day'>,
): Promise<0 | 1> {
  const snapshot = await readSnapshot(database, saccoId, what);
  if (snapshot.balances.length < FEWEST_ACCOUNTS) return 0;
  const { secret, leaves } = await salted(database, snapshot.balances);
  const pieces = await piecesOf(leaves);
  const root = levelsAbove(pieces.map(({ node }) => node)).at(-1)?.[0] as SumNode;
  const total = { saccoId, what, day, secret, pieces, root, leaves: leaves.length, beside: snapshot.beside };
  return database.transaction((tx) => store(tx, originBase, total));
}

/**
 * All balances of one total in one snapshot. By double entry they are what the other accounts of the book leave.
 * @throws TotalsDiffer where they are not
 */
async function readSnapshot(database: Database, saccoId: string | null, what: What): Promise<Snapshot> {
  return database.transaction(async (tx) => {
    await tx.sql`set transaction isolation level repeatable read`;
    const book = saccoId ?? PLATFORM_BOOK;
    const kinds = [...TOTALS[what]];
    const balances = await tx.sql<Balance[]>`
      select id as account, balance as amount from accounts
      where book_id = ${book} and kind = any(${kinds}) and balance <> 0 order by id`;
    const total = balances.reduce((sum, { amount }) => sum + amount, 0);
    const [ledger] = await tx.sql<{ total: number }[]>`
      select coalesce(sum(case when debit_normal then balance else -balance end), 0)::bigint as total
      from accounts where book_id = ${book} and asset = ${what === 'shares' ? 'SHARE' : 'KES'} and kind <> all(${kinds})`;
    if (total !== ledger?.total) {
      const whose = saccoId ?? 'the platform';
      throw new TotalsDiffer(
        `The ${what} of ${whose} add up to ${total}, and the rest of the ledger says ${ledger?.total}.`,
      );
    }
    const beside =
      saccoId === null ? await besideWallets(tx) : what === 'shares' ? { shares_issued: ledger.total } : {};
    return { balances, beside };
  });
}

/** Figures of the platform's book, and the last comparison with what M-Pesa holds. */
async function besideWallets({ sql }: Tx): Promise<Snapshot['beside']> {
  const [books] = await sql<{ float_cents: number; saccos_cents: number; other_cents: number }[]>`
    select coalesce(sum(balance) filter (where kind = 'mpesa_float'), 0)::bigint as float_cents,
      coalesce(sum(balance) filter (where kind = 'settlement'), 0)::bigint as saccos_cents,
      coalesce(sum(balance) filter (where not debit_normal and kind <> 'settlement' and kind <> all(${[...TOTALS.wallets]})), 0)::bigint as other_cents
    from accounts where book_id = ${PLATFORM_BOOK}`;
  const [compared] = await sql<{ mpesa_cents: number; expected_cents: number; compared_at: Date }[]>`
    select mpesa_cents, expected_cents, compared_at from float_comparisons where compared_at is not null order by day desc limit 1`;
  return {
    ...books,
    mpesa_cents: compared?.mpesa_cents ?? null,
    expected_cents: compared?.expected_cents ?? null,
    compared_at: compared?.compared_at.toISOString() ?? null,
  };
}

/** The leaves of all balances. The secret is drawn until no node is the sum of both leaves of one account: two in five are not taken. */
async function salted(
  database: Database,
  balances: readonly Balance[],
): Promise<{ secret: Buffer; leaves: readonly Leaf[] }> {
  const secret = database.randomBytes(32);
  const leaves = await leavesOf(secret, balances);
  return showsBalance(leaves) ? salted(database, balances) : { secret, leaves };
}

interface Total {
  readonly saccoId: string | null;
  readonly what: What;
  readonly day: string;
  readonly secret: Buffer;
  readonly pieces: readonly Piece[];
  readonly root: SumNode;
  /** How many. */
  readonly leaves: number;
  readonly beside: Snapshot['beside'];
}

/** Logs a total and stores what members' proofs are made of. @returns 0 where another process did it first */
async function store(tx: Tx, originBase: string, total: Total): Promise<0 | 1> {
  const { saccoId, what, day, secret, pieces, root, leaves, beside } = total;
  await takeLease(tx, { waits: true });
  const [done] = await tx.sql`
    select from log_totals where sacco_id is not distinct from ${saccoId}::uuid and what = ${what} and day = ${day}`;
  if (done) return 0;
  const facts = {
    event: 'totals',
    what,
    day,
    at: tx.now.toISOString(),
    total: root.sum,
    root: toBase64(root.hash),
    leaves,
  };
  const head = { ...facts, ...beside };
  const [place] = await appendEntries(tx, originBase, [{ saccoId, kind: 'totals', journalId: null, head, parts: [] }]);
  if (!place) throw new Error('A total was not logged.');
  const [row] = await tx.sql<{ id: number }[]>`
    insert into log_totals (sacco_id, what, day, log_id, i, secret)
    values (${saccoId}, ${what}, ${day}, ${place.logId}, ${place.i}, ${secret}) returning id`;
  await tx.sql`
    insert into log_total_pieces (total_id, first_salt, leaves, sum, hash)
    select ${row?.id ?? 0}, substr(${Buffer.concat(pieces.map(({ firstSalt }) => firstSalt))}, p.n * 32 + 1, 32),
      substr(${Buffer.concat(pieces.map((piece) => piece.leaves))}, p.at, p.bytes), p.sum,
      substr(${Buffer.concat(pieces.map(({ node }) => node.hash))}, p.n * 32 + 1, 32)
    from unnest(
      ${integers(pieces.map(({ node }) => node.sum))}::bigint[], ${integers(pieces.map((_, n) => n))}::int[],
      ${integers(pieces.map((_, n) => n * PIECE * LEAF_BYTES + 1))}::int[],
      ${integers(pieces.map((piece) => piece.leaves.length))}::int[]
    ) as p (sum, n, at, bytes)`;
  return 1;
}

/** Destroys what proofs of more than 30 days ago are made of. Root and total stay in the log. */
async function forgetOld(tx: Tx): Promise<void> {
  const before = nairobiDay(new Date(tx.now.getTime() - DAYS_KEPT * DAY_MS));
  const old = await tx.sql<{ id: number }[]>`
    update log_totals set secret = null where day < ${before} and secret is not null returning id`;
  await tx.sql`delete from log_total_pieces where total_id = any(${integers(old.map(({ id }) => id))}::bigint[])`;
}
