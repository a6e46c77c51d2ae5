import { areEqual, concat, toBase64 } from '@ushirika/verifier/bytes';
import { commitmentOf, type EntryKind, leafOf, NO_LEAF, type Payload } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { isSignedBy, parseCheckpoint } from '@ushirika/verifier/note';
import { Edge, type Node } from '@ushirika/verifier/tree';
import type postgres from 'postgres';
import { KnownAccounts, readJournals } from './journal-payloads.ts';

const { sha256 } = nodeCrypto;
const PIECE = 2_000;
const TILE_LEVELS = 8;

type Sql = postgres.Sql | postgres.TransactionSql;

/** A log or an entry that is not what it must be, and the step that fails. */
export interface Fault {
  readonly log: string;
  readonly entry: number | null;
  readonly fault: string;
}

interface LogRow {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly last_leaf: Buffer;
  readonly edge: Buffer;
}

interface SignedRow {
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
  /** Null: there is no such key. */
  readonly public_key: Buffer | null;
}

interface EntryRow {
  readonly i: number;
  readonly hour: string;
  readonly kind: EntryKind;
  readonly commitment: Buffer;
  readonly leaf: Buffer;
  readonly secret: Buffer | null;
  readonly journal_id: number | null;
  readonly head: Payload['head'] | null;
  readonly parts: Payload['parts'] | null;
}

/**
 * Builds every log again from its entries and the books, and compares: each commitment with the journal, each leaf with its entry, the chain,
 * the root, every tile and every signed root on the way. It reads pieces of 2,000 entries, so that memory does not grow. @returns at most `most` faults
 */
export async function faultsOfLogs(sql: Sql, most: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  const accounts = new KnownAccounts();
  for (const log of await sql<
    LogRow[]
  >`select id::float8 as id, origin, size::float8 as size, root, last_leaf, edge from logs order by id`) {
    for await (const fault of faultsOf(sql, log, accounts)) {
      faults.push(fault);
      if (faults.length >= most) return faults;
    }
  }
  return faults;
}

async function* faultsOf(sql: Sql, log: LogRow, accounts: KnownAccounts): AsyncGenerator<Fault> {
  const at = (entry: number | null, fault: string): Fault => ({ log: log.origin, entry, fault });
  const tiles = await readTileRoots(sql, log.id);
  const edge = new Edge(sha256);
  let last: Uint8Array = NO_LEAF;
  for (let from = 0; ; from += PIECE) {
    const signed = new Map<number, Buffer>();
    for (const checkpoint of await readSigned(sql, log.id, from)) {
      signed.set(checkpoint.size, checkpoint.root);
      if (!(await isSignedAsKept(log.origin, checkpoint))) {
        yield at(null, `the checkpoint of ${checkpoint.size} entries is not the one that was signed`);
      }
    }
    const entries = await readEntries(sql, log.id, from);
    const payloads = await payloadsOf(sql, entries, accounts);
    for (const [index, entry] of entries.entries()) {
      const i = from + index;
      if (entry.i !== i) return yield at(i, 'an entry is missing');
      const payload = payloads.get(i);
      if (entry.secret && !payload) yield at(i, 'the journal of an entry is missing');
      if (entry.secret && payload && !areEqual(commitmentOf(sha256, entry.secret, payload), entry.commitment)) {
        yield at(i, 'the books do not say what was logged');
      }
      const c = toBase64(entry.commitment);
      const t = entry.hour;
      const leaf = leafOf(sha256, { v: 1, log: log.origin, i, t, k: entry.kind, c, p: toBase64(last) });
      if (!areEqual(leaf, entry.leaf)) yield at(i, 'an entry is not the one that was chained');
      last = leaf;
      edge.append(leaf, tiles.compare);
      const root = signed.get(edge.size);
      if (root && !areEqual(root, edge.root())) yield at(i, 'a signed checkpoint has another root');
    }
    if (entries.length < PIECE) break;
  }
  if (edge.size !== log.size) yield at(null, `the log has ${edge.size} entries and says ${log.size}`);
  else if (!areEqual(edge.root(), log.root)) yield at(null, 'the root is not that of the entries');
  if (!areEqual(last, log.last_leaf)) yield at(null, 'the last leaf is not that of the entries');
  if (!areEqual(concat(...edge.peaks), log.edge)) yield at(null, 'the edge of the tree is not that of the entries');
  if (tiles.wrong.length > 0 || tiles.left() > 0)
    yield at(null, `tiles are not those of the entries: ${tiles.wrong[0] ?? 'there are more'}`);
  const beyond = await sql`select from checkpoints where log_id = ${log.id} and size > ${edge.size} limit 1`;
  if (beyond.length > 0) yield at(null, 'entries that were signed are missing');
}

/** The checkpoints that the entries of a piece lead to: as many as the piece has entries, at most. */
const readSigned = (sql: Sql, logId: number, from: number) => sql<SignedRow[]>`
  select c.size::float8 as size, c.root, c.note, k.public_key from checkpoints c left join log_keys k on k.id = c.key_id
  where c.log_id = ${logId} and c.size > ${from} and c.size <= ${from + PIECE} order by c.size`;

/** Whether the note says what is kept beside it, and its key has signed it. */
async function isSignedAsKept(origin: string, { size, root, note, public_key }: SignedRow): Promise<boolean> {
  try {
    const checkpoint = parseCheckpoint(note);
    const key = { name: origin, type: 'log', publicKey: Uint8Array.from(public_key ?? []) } as const;
    const isSame = checkpoint.origin === origin && checkpoint.size === size && areEqual(checkpoint.root, root);
    return isSame && (await isSignedBy(nodeCrypto, checkpoint, key));
  } catch {
    return false;
  }
}

/** The roots of the full tiles of a log, to be compared with the subtrees that its entries give. */
async function readTileRoots(sql: Sql, logId: number) {
  const rows = await sql<{ level: number; n: number; root: Buffer }[]>`
    select level, n::float8 as n, root from log_tiles where log_id = ${logId}`;
  const roots = new Map(rows.map(({ level, n, root }) => [`${level}/${n}`, root]));
  const wrong: string[] = [];
  return {
    wrong,
    /** Tiles that no subtree was asked about. */
    left: () => roots.size,
    compare({ level, index }: Node, hash: Uint8Array): void {
      if (level === 0 || level % TILE_LEVELS !== 0) return;
      const name = `${level / TILE_LEVELS - 1}/${index}`;
      const root = roots.get(name);
      if (!root || !areEqual(root, hash)) wrong.push(name);
      roots.delete(name);
    },
  };
}

const readEntries = (sql: Sql, logId: number, from: number) => sql<EntryRow[]>`
  select e.i::float8 as i, to_char(e.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour, e.kind, e.commitment, e.leaf, e.secret,
    e.journal_id::float8 as journal_id, f.head, f.parts
  from log_entries e left join log_facts f on f.log_id = e.log_id and f.i = e.i
  where e.log_id = ${logId} and e.i >= ${from} and e.i < ${from + PIECE} order by e.i`;

async function payloadsOf(
  sql: Sql,
  entries: readonly EntryRow[],
  accounts: KnownAccounts,
): Promise<ReadonlyMap<number, Payload>> {
  const ids = entries.flatMap(({ journal_id }) => (journal_id === null ? [] : [journal_id]));
  const journals = await readJournals({ sql } as Parameters<typeof readJournals>[0], accounts, { ids });
  const byJournal = new Map<number, Payload>(journals.map((journal) => [journal.journalId, journal]));
  return new Map(
    entries.flatMap(({ i, journal_id, head, parts }): [number, Payload][] => {
      if (journal_id === null) return head !== null && parts !== null ? [[i, { head, parts }]] : [];
      const payload = byJournal.get(journal_id);
      return payload ? [[i, payload]] : [];
    }),
  );
}
