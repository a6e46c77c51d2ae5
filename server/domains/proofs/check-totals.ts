import { areEqual, toBase64 } from '@ushirika/verifier/bytes';
import type postgres from 'postgres';
import type { Fault } from './check-log.ts';
import { keptLeaves, levelsAbove, pieceOf } from './sum-pieces.ts';

type Sql = postgres.Sql | postgres.TransactionSql;

/** Totals in one statement, and pieces of a total: 100 pieces are 25,600 leaves. */
const TOTALS = 200;
const PIECES = 100;

interface TotalRow {
  readonly id: number;
  readonly what: string;
  readonly day: string;
  readonly origin: string;
  readonly i: number;
  readonly secret: Buffer;
  /** The logged figures: null where the entry says nothing. */
  readonly root: string | null;
  readonly total: number | null;
  readonly leaves: number | null;
}

interface PieceRow {
  readonly first_salt: Buffer;
  readonly leaves: Buffer;
  readonly sum: number;
  readonly hash: Buffer;
}

/** Makes each kept total again from its leaves, and compares its pieces, its root and its sum with what was logged. @returns at most `most` faults */
export async function faultsOfTotals(sql: Sql, most: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let after = 0; ; ) {
    const totals = await readTotals(sql, after);
    for (const total of totals) {
      const fault = await faultOf(sql, total);
      if (fault) faults.push({ log: total.origin, entry: total.i, fault: `${total.what} of ${total.day}: ${fault}` });
      if (faults.length >= most) return faults;
    }
    if (totals.length < TOTALS) return faults;
    after = totals.at(-1)?.id ?? 0;
  }
}

const readTotals = (sql: Sql, after: number) => sql<TotalRow[]>`
  select t.id::float8 as id, t.what, t.day::text as day, l.origin, t.i::float8 as i, t.secret, f.head ->> 'root' as root,
    (f.head ->> 'total')::float8 as total, (f.head ->> 'leaves')::float8 as leaves
  from log_totals t join logs l on l.id = t.log_id left join log_facts f on f.log_id = t.log_id and f.i = t.i
  where t.id > ${after} and t.secret is not null order by t.id limit ${TOTALS}`;

async function faultOf(sql: Sql, { id, secret, root, total, leaves }: TotalRow): Promise<string | null> {
  const nodes = [];
  let found = 0;
  let last: Buffer = Buffer.alloc(0);
  for (let isMore = true; isMore; ) {
    const rows = await sql<PieceRow[]>`
      select first_salt, leaves, sum::float8 as sum, hash from log_total_pieces
      where total_id = ${id} and first_salt > ${last} order by first_salt limit ${PIECES}`;
    for (const row of rows) {
      const kept = keptLeaves(secret, row.leaves);
      const made = pieceOf(kept);
      const isSame = made.node.sum === row.sum && areEqual(made.node.hash, row.hash);
      if (!isSame || !areEqual(made.firstSalt, row.first_salt)) return 'a piece is not what its leaves give';
      nodes.push(made.node);
      found += kept.length;
      last = row.first_salt;
    }
    isMore = rows.length === PIECES;
  }
  const top = nodes.length > 0 ? levelsAbove(nodes).at(-1)?.[0] : undefined;
  if (found !== leaves) return `it has ${found} leaves, and ${leaves} were logged`;
  return top && top.sum === total && toBase64(top.hash) === root ? null : 'the tree is not the one that was logged';
}
