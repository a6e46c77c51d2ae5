import type { LogFacts, ProofReceipt } from '@ushirika/contract/proofs';
import { Refusal } from '@ushirika/contract/refusal';
import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import { entryBytes, type LogEntry, NO_LEAF, open, type Payload } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { formatKey } from '@ushirika/verifier/note';
import { proofText } from '@ushirika/verifier/receipt';
import { HASH_BYTES } from '@ushirika/verifier/tree';
import type { Database } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { KnownAccounts, type LoggedSide, readJournals } from './journal-payloads.ts';
import { logNamed } from './log-name.ts';
import { consistencyProof, inclusionProofs, readTiles } from './read-tree.ts';

const { sha256 } = nodeCrypto;
const TILE = 256;
/** Entries are public a day after the end of their hour: their hours would show how busy a small sacco is. */
const ENTRIES_PUBLIC_AFTER_MS = 25 * 3_600_000;

interface LogRow {
  readonly id: number;
  readonly origin: string;
  readonly size: number;
  readonly started_at: Date;
  readonly halted_at: Date | null;
  readonly halted_by: LogFacts['halted_by'];
  readonly follows: number | null;
  readonly sacco_id: string | null;
  readonly sacco_name: string | null;
}

/** @throws Refusal `not_found` where the sacco has no log, or is not open to everybody */
export async function logOf({ sql }: Database, name: string): Promise<LogRow> {
  const { saccoId, isNamed } = logNamed({ sql }, name);
  const [log] = await sql<LogRow[]>`
    select l.id, l.origin, l.size, l.started_at, l.halted_at, l.halted_by, l.follows, l.sacco_id, s.name as sacco_name
    from logs l left join saccos s on s.id = l.sacco_id
    where coalesce(s.state, 'active') in ('active', 'suspended') and ${isNamed}
      and (${saccoId === null} and l.sacco_id is null or l.sacco_id = ${saccoId}::uuid)`;
  if (!log) throw new Refusal('not_found');
  return log;
}

/** The newest checkpoint, as a signed note. @throws Refusal `not_found` before the first */
export async function newestCheckpoint(database: Database, name: string): Promise<string> {
  const { id } = await logOf(database, name);
  const [newest] = await database.sql<{ note: string }[]>`
    select note from checkpoints where log_id = ${id} order by size desc limit 1`;
  if (!newest) throw new Refusal('not_found');
  return newest.note;
}

/** @throws Refusal `not_found` where the log has no such entry at that size */
export async function inclusionOf(
  database: Database,
  name: string,
  { index, size }: { index: number; size: number },
): Promise<string[]> {
  const log = await logOf(database, name);
  if (index >= size || size > log.size) throw new Refusal('not_found');
  const [proof = []] = await inclusionProofs(database, log.id, [index], size);
  return proofText(proof);
}

/** @throws Refusal `not_found` where the log is not that large */
export async function consistencyOf(
  database: Database,
  name: string,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const log = await logOf(database, name);
  if (from < 1 || from > to || to > log.size) throw new Refusal('not_found');
  return proofText(await consistencyProof(database, log.id, from, to));
}

/** A tile's address: `x001`, `234`, `067.p`, `5` is tile 1,234,067, of which the first five hashes are asked for. */
export interface TileAddress {
  readonly n: number;
  /** 256 for a full tile. */
  readonly width: number;
}

/** @throws Refusal `not_found` for an address that no tile has */
export function tileAddressOf(pieces: readonly string[]): TileAddress {
  const last = pieces.at(-1) ?? '';
  const isPartial = pieces.at(-2)?.endsWith('.p') === true;
  const path = isPartial ? [...pieces.slice(0, -2), (pieces.at(-2) ?? '').slice(0, -2)] : pieces;
  const width = isPartial ? Number(last) : TILE;
  const isRight =
    path.every((part, at) => (at === path.length - 1 ? /^\d{3}$/ : /^x\d{3}$/).test(part)) &&
    (!isPartial || (/^[1-9]\d{0,2}$/.test(last) && width < TILE)) &&
    (path.length === 1 || path[0] !== 'x000');
  if (!isRight) throw new Refusal('not_found');
  return { n: Number(path.map((part) => part.replace('x', '')).join('')), width };
}

/** The hashes of a tile, 32 bytes each. @throws Refusal `not_found` where there are not as many yet */
export async function tileOf(
  database: Database,
  name: string,
  level: number,
  { n, width }: TileAddress,
): Promise<Buffer> {
  const log = await logOf(database, name);
  const hashes = (await readTiles(database, log.id, [{ level, n }])).get(`${level}/${n}`);
  if (!hashes || hashes.length < width * HASH_BYTES) throw new Refusal('not_found');
  return hashes.subarray(0, width * HASH_BYTES);
}

export interface EntryRow {
  readonly i: number;
  readonly hour: string;
  readonly kind: LogEntry['k'];
  readonly commitment: Buffer;
  readonly before: Buffer | null;
}

const entryOf = (origin: string, { i, hour, kind, commitment, before }: EntryRow): LogEntry => ({
  v: 1,
  log: origin,
  i,
  t: hour,
  k: kind,
  c: toBase64(commitment),
  p: toBase64(before ?? NO_LEAF),
});

/** The entries of a tile, each after its length in two bytes. @throws Refusal `not_found` where there are not as many that are a day old */
export async function entriesOf(database: Database, name: string, { n, width }: TileAddress): Promise<Buffer> {
  const log = await logOf(database, name);
  const rows = await database.sql<EntryRow[]>`
    select e.i, to_char(e.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour, e.kind, e.commitment, b.leaf as before
    from log_entries e left join log_entries b on b.log_id = e.log_id and b.i = e.i - 1
    where e.log_id = ${log.id} and e.i >= ${n * TILE} and e.i < ${n * TILE + width}
      and e.hour <= ${new Date(database.now().getTime() - ENTRIES_PUBLIC_AFTER_MS)}
    order by e.i`;
  if (rows.length < width) throw new Refusal('not_found');
  return Buffer.concat(
    rows.flatMap((row) => {
      const bytes = entryBytes(entryOf(log.origin, row));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** An entry with the newest checkpoint that it is in. */
export interface SignedRow extends EntryRow {
  readonly log_id: number;
  readonly origin: string;
  readonly secret: Buffer | null;
  readonly size: number | null;
  readonly note: string | null;
  readonly public_key: Buffer | null;
  /** The newest anchor, where the entry is in it; then `size` and `note` are of its checkpoint. */
  readonly anchor_root: Buffer | null;
  readonly chain_id: number;
  readonly contract: string;
}

interface OwnEntryRow extends SignedRow {
  readonly journal_id: number;
}

/** The accounts of which a member is shown their part: their own, those of their loans and of their places in pools. */
export const ownAccounts = async ({ sql }: Database, userId: string): Promise<number[]> =>
  (
    await sql<{ id: number }[]>`
      select id from accounts where owner_id in (
        select ${userId}::uuid
        union all select id from loans where borrower_id = ${userId}
        union all select id from pool_members where user_id = ${userId})`
  ).map(({ id }) => id);

/** Receipts of a member, and how many movements are in no signed entry yet. */
export interface Receipts {
  readonly receipts: readonly ProofReceipt[];
  readonly waiting: number;
}

/**
 * The receipt of one movement of a member; null while its entry is not signed.
 * @throws Refusal `not_found` for a movement that is not theirs
 */
export async function receiptOf(database: Database, userId: string, journalId: number): Promise<ProofReceipt | null> {
  const accounts = await ownAccounts(database, userId);
  const [own] = await database.sql`
    select from journals j where j.id = ${journalId} and (j.caused_by = ${userId} or exists (
      select from transfers t where t.journal_id = j.id and (t.debit_account_id = any(${integers(accounts)}::bigint[])
        or t.credit_account_id = any(${integers(accounts)}::bigint[]))))`;
  if (!own) throw new Refusal('not_found');
  const { receipts } = await receiptsFor(database, accounts, [journalId]);
  return receipts[0] ?? null;
}

/**
 * A page of a member's receipts, the oldest first. It goes by the transfers of their accounts, so that a movement whose transfers are on two
 * pages is on both. `next` is the `after` of the next page.
 */
export async function receiptsAfter(
  database: Database,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Receipts & { next: number | null }> {
  const accounts = await ownAccounts(database, userId);
  const rows = await database.sql<{ id: number; journal_id: number }[]>`
    select m.id, m.journal_id from unnest(${integers(accounts)}::bigint[]) as a (id)
    cross join lateral (
      (select t.id, t.journal_id from transfers t where t.debit_account_id = a.id and t.id > ${after} order by t.id limit ${limit + 1})
      union all
      (select t.id, t.journal_id from transfers t where t.credit_account_id = a.id and t.id > ${after} order by t.id limit ${limit + 1})
    ) m
    order by m.id limit ${limit + 1}`;
  const shown = rows.slice(0, limit);
  const page = await receiptsFor(database, accounts, [...new Set(shown.map(({ journal_id }) => journal_id))]);
  return { ...page, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The columns, in SQL, that a receipt shows of an entry `e`. */
export const signedColumns = ({ sql }: Database) => sql`
  e.log_id, l.origin, e.i, to_char(e.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour, e.kind, e.commitment,
  b.leaf as before, e.secret, c.size, c.note, k.public_key,
  a.root as anchor_root, a.chain_id, a.contract`;

/** Entries `e`, in SQL, with the entry before, the newest anchor, and the checkpoint that they are proven by. */
export const signedEntries = ({ sql }: Database) => sql`
  log_entries e
  join logs l on l.id = e.log_id
  left join log_entries b on b.log_id = e.log_id and b.i = e.i - 1
  -- Two contracts may have one size: the later one counts.
  left join lateral (
    select * from anchors where log_id = e.log_id and state = 'confirmed' order by size desc, id desc limit 1) a on a.size > e.i
  -- An anchor is of a checkpoint. A receipt shows that one, so that its proof is on the chain.
  left join lateral (
    select * from checkpoints where log_id = e.log_id and size = coalesce(a.size, size) order by size desc limit 1) c on c.size > e.i
  left join log_keys k on k.id = c.key_id`;

async function receiptsFor(
  database: Database,
  accounts: readonly number[],
  journalIds: readonly number[],
): Promise<Receipts> {
  if (journalIds.length === 0) return { receipts: [], waiting: 0 };
  const rows = await database.sql<OwnEntryRow[]>`
    select ${signedColumns(database)}, e.journal_id from ${signedEntries(database)}
    where e.journal_id = any(${integers(journalIds)}::bigint[])
    order by e.journal_id`;
  const signed = rows.filter(({ secret, size }) => secret !== null && size !== null);
  const payloads = new Map(
    (await readJournals(database, new KnownAccounts(), { ids: signed.map(({ journal_id }) => journal_id) })).map(
      (journal) => [journal.journalId, journal],
    ),
  );
  const proofs = await proofsOf(database, signed);
  const own = new Set(accounts);
  const maySee = (part: unknown): boolean => {
    const { sides = [] } = part as { sides?: readonly LoggedSide[] };
    return sides.some(({ account }) => own.has(account));
  };
  const receipts = signed.flatMap((row, at): ProofReceipt[] => {
    const payload = payloads.get(row.journal_id);
    return payload ? [receiptFrom(row, payload, { maySee, proof: proofs[at] ?? [] })] : [];
  });
  return { receipts, waiting: journalIds.length - receipts.length };
}

/** The inclusion proofs of entries, tree by tree. */
export async function proofsOf(database: Database, rows: readonly SignedRow[]): Promise<Uint8Array[][]> {
  const proofs: Uint8Array[][] = [];
  const trees = Map.groupBy(rows.keys(), (at) => `${rows[at]?.log_id}/${rows[at]?.size}`);
  for (const places of trees.values()) {
    const own = places.flatMap((at) => rows[at] ?? []);
    const indexes = own.map(({ i }) => i);
    const found = await inclusionProofs(database, own[0]?.log_id ?? 0, indexes, own[0]?.size ?? 0);
    for (const [index, at] of places.entries()) proofs[at] = found[index] ?? [];
  }
  return proofs;
}

export function receiptFrom(
  row: SignedRow,
  payload: Payload,
  { maySee, proof }: { maySee: (part: unknown) => boolean; proof: Uint8Array[] },
): ProofReceipt {
  const key = { name: row.origin, type: 'log' as const, publicKey: Uint8Array.from(row.public_key ?? []) };
  const opening = open(sha256, row.secret ?? utf8(''), payload, maySee);
  return {
    type: 'ushirika-receipt/1',
    entry: entryOf(row.origin, row),
    opening: opening as unknown as ProofReceipt['opening'],
    inclusion: proofText(proof),
    checkpoint: row.note ?? '',
    key: formatKey(sha256, key),
    anchor: anchorFrom(row),
  };
}

/** The trees of the checkpoint and of the anchor are the same: no hash is needed between them. */
function anchorFrom({ anchor_root, size, ...row }: SignedRow): ProofReceipt['anchor'] {
  if (!anchor_root || size === null) return null;
  const { chain_id, contract } = row;
  return { chain_id, contract, size, root: toBase64(anchor_root), consistency: [] };
}
