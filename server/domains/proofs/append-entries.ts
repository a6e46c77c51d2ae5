import { toBase64 } from '@ushirika/verifier/bytes';
import { commitmentOf, type EntryKind, type LogEntry, leafOf, NO_LEAF, type Payload } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { Edge, HASH_BYTES } from '@ushirika/verifier/tree';
import type { Tx } from '../../db/tx.ts';
import { integers, integersOrNulls, texts } from '../../ledger/sql-arrays.ts';

const { sha256 } = nodeCrypto;
const TILE_LEVELS = 8;

/** An entry to be written. `saccoId` null is the platform's log. */
export interface NewEntry extends Payload {
  readonly saccoId: string | null;
  readonly kind: EntryKind;
  /** Null: the payload is stored beside the entry. */
  readonly journalId: number | null;
  /** The row of `log_events` that it was. */
  readonly eventId?: number;
}

/** Where an entry is. */
export interface Place {
  readonly logId: number;
  readonly i: number;
}

/** The part of the logs' names before the sacco. */
export const originBaseOf = (publicUrl: string): string => `${new URL(publicUrl).host}/log`;

interface LogRow {
  readonly id: number;
  readonly sacco_id: string | null;
  readonly origin: string;
  readonly size: number;
  readonly last_leaf: Buffer;
  readonly edge: Buffer;
}

/** A log as this batch lets it grow. */
interface Growing {
  readonly id: number;
  readonly origin: string;
  readonly edge: Edge;
  lastLeaf: Uint8Array;
}

interface Written {
  readonly log: Growing;
  readonly i: number;
  readonly entry: NewEntry;
  readonly commitment: Uint8Array;
  readonly leaf: Uint8Array;
  readonly secret: Uint8Array;
}

interface FullTile {
  readonly logId: number;
  readonly level: number;
  readonly n: number;
  readonly root: Uint8Array;
}

/**
 * Appends entries to their logs, in the order given, in a constant number of statements. A log that is not there yet begins with an entry
 * that says so. The caller holds the lease (`takeLease`), so that nobody else appends meanwhile.
 * @param originBase the part of the logs' names before the sacco: `sacco.example/log`
 * @returns where each of them is
 */
export async function appendEntries(tx: Tx, originBase: string, entries: readonly NewEntry[]): Promise<Place[]> {
  if (entries.length === 0) return [];
  const { logs, isNew } = await growing(tx, originBase, [...new Set(entries.map(({ saccoId }) => saccoId))]);
  const all = [...isNew.map((saccoId) => beginning(tx, saccoId)), ...entries];
  const secrets = tx.database.randomBytes(all.length * HASH_BYTES);
  const hour = `${tx.now.toISOString().slice(0, 13)}:00:00Z`;
  const tiles: FullTile[] = [];
  const written = all.map((entry, at) => {
    const log = logs.get(entry.saccoId);
    if (!log) throw new Error('A log is missing.');
    return grow(log, entry, { hour, secret: secrets.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), tiles });
  });
  await writeEntries(tx, hour, written);
  await writeFacts(tx, written);
  await writeHeads(tx, [...new Set(written.map(({ log }) => log))]);
  await writeTiles(tx, tiles);
  return written.slice(isNew.length).map(({ log, i }) => ({ logId: log.id, i }));
}

/**
 * Takes the lease under which entries are appended: one row, locked until the transaction ends.
 * @returns false where another process holds it and `waits` is not asked for
 */
export async function takeLease(tx: Tx, { waits }: { waits: boolean }): Promise<boolean> {
  const leases = await tx.sql`
    select from log_cursors where source = 'journals' for update ${waits ? tx.sql`` : tx.sql`skip locked`}`;
  return leases.length > 0;
}

/** The first entry of a log. Whatever is older than it was logged after it, with its own time in its payload. */
function beginning(tx: Tx, saccoId: string | null): NewEntry {
  const head = { kind: 'log_started', at: tx.now.toISOString(), sacco: saccoId };
  return { saccoId, kind: 'log', journalId: null, head, parts: [] };
}

function grow(
  log: Growing,
  entry: NewEntry,
  { hour, secret, tiles }: { hour: string; secret: Uint8Array; tiles: FullTile[] },
): Written {
  const i = log.edge.size;
  const commitment = commitmentOf(sha256, secret, entry);
  // Names are in the order of their canonical text, which is cheap then.
  const logged: LogEntry = {
    c: toBase64(commitment),
    i,
    k: entry.kind,
    log: log.origin,
    p: toBase64(log.lastLeaf),
    t: hour,
    v: 1,
  };
  const leaf = leafOf(sha256, logged);
  log.edge.append(leaf, ({ level, index }, root) => {
    if (level > 0 && level % TILE_LEVELS === 0)
      tiles.push({ logId: log.id, level: level / TILE_LEVELS - 1, n: index, root });
  });
  log.lastLeaf = leaf;
  return { log, i, entry, commitment, leaf, secret };
}

/** The logs of these saccos, locked; the missing ones are opened. */
async function growing(
  tx: Tx,
  originBase: string,
  saccoIds: readonly (string | null)[],
): Promise<{ logs: Map<string | null, Growing>; isNew: (string | null)[] }> {
  const origins = saccoIds.map((saccoId) => `${originBase}/${saccoId ?? 'platform'}`);
  const opened = await tx.sql<{ sacco_id: string | null }[]>`
    insert into logs (sacco_id, origin, started_at, root, last_leaf, edge)
    select sacco_id, origin, ${tx.now}, sha256(''), ${Buffer.from(NO_LEAF)}, ''
    from unnest(${texts(saccoIds)}::uuid[], ${texts(origins)}::text[]) as wanted (sacco_id, origin)
    where not exists (select from logs l where l.sacco_id is not distinct from wanted.sacco_id and l.ended_at is null)
    returning sacco_id`;
  const rows = await tx.sql<LogRow[]>`
    select id, sacco_id, origin, size, last_leaf, edge from logs
    where ended_at is null and (sacco_id = any(${texts(saccoIds.filter((id) => id !== null))}::uuid[]) or sacco_id is null)
    order by id for no key update`;
  const logs = rows.map(({ id, sacco_id, origin, size, last_leaf, edge }): [string | null, Growing] => [
    sacco_id,
    { id, origin, edge: new Edge(sha256, size, hashesOf(edge)), lastLeaf: last_leaf },
  ]);
  return { logs: new Map(logs), isNew: opened.map(({ sacco_id }) => sacco_id) };
}

/** Opens the log that follows one that was just ended. Its first entry is the caller's. */
export const openNextLog = (
  tx: Tx,
  { saccoId, origin, follows }: { saccoId: string | null; origin: string; follows: number },
) => tx.sql`
  insert into logs (sacco_id, origin, started_at, root, last_leaf, edge, follows)
  values (${saccoId}, ${origin}, ${tx.now}, sha256(''), ${Buffer.from(NO_LEAF)}, '', ${follows})`;

/** The hashes that stand one after another in a column. */
function hashesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** Each hash is a piece of one parameter: an array of `bytea` would be written and read as text. */
async function writeEntries(tx: Tx, hour: string, written: readonly Written[]): Promise<void> {
  await tx.sql`
    insert into log_entries (log_id, i, hour, kind, commitment, leaf, secret, journal_id, event_id)
    select e.log_id, e.i, ${hour}, e.kind, substr(${Buffer.concat(written.map(({ commitment }) => commitment))}, e.at, 32),
      substr(${Buffer.concat(written.map(({ leaf }) => leaf))}, e.at, 32),
      substr(${Buffer.concat(written.map(({ secret }) => secret))}, e.at, 32), e.journal_id, e.event_id
    from unnest(
      ${integers(written.map(({ log }) => log.id))}::bigint[], ${integers(written.map(({ i }) => i))}::bigint[],
      ${texts(written.map(({ entry }) => entry.kind))}::text[],
      ${integersOrNulls(written.map(({ entry }) => entry.journalId))}::bigint[],
      ${integersOrNulls(written.map(({ entry }) => entry.eventId ?? null))}::bigint[],
      ${integers(written.map((_, at) => at * HASH_BYTES + 1))}::int[]
    ) as e (log_id, i, kind, journal_id, event_id, at)`;
}

async function writeFacts(tx: Tx, written: readonly Written[]): Promise<void> {
  const facts = written.filter(({ entry }) => entry.journalId === null);
  if (facts.length === 0) return;
  await tx.sql`
    insert into log_facts (log_id, i, head, parts)
    select * from unnest(
      ${integers(facts.map(({ log }) => log.id))}::bigint[], ${integers(facts.map(({ i }) => i))}::bigint[],
      ${texts(facts.map(({ entry }) => JSON.stringify(entry.head)))}::text[]::jsonb[],
      ${texts(facts.map(({ entry }) => JSON.stringify(entry.parts)))}::text[]::jsonb[]
    )`;
}

async function writeHeads(tx: Tx, logs: readonly Growing[]): Promise<void> {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  await tx.sql`
    update logs l set size = g.size, root = decode(g.root, 'hex'), last_leaf = decode(g.last_leaf, 'hex'), edge = decode(g.edge, 'hex')
    from unnest(
      ${integers(logs.map(({ id }) => id))}::bigint[], ${integers(logs.map(({ edge }) => edge.size))}::bigint[],
      ${texts(logs.map(({ edge }) => hex(edge.root())))}::text[], ${texts(logs.map(({ lastLeaf }) => hex(lastLeaf)))}::text[],
      ${texts(logs.map(({ edge }) => hex(Buffer.concat(edge.peaks))))}::text[]
    ) as g (id, size, root, last_leaf, edge)
    where l.id = g.id`;
}

/** The tiles that this batch has filled: of leaves first, since those above are made of their hashes. */
async function writeTiles(tx: Tx, tiles: readonly FullTile[]): Promise<void> {
  for (const level of [...new Set(tiles.map((tile) => tile.level))].sort((a, b) => a - b)) {
    const full = tiles.filter((tile) => tile.level === level);
    const below =
      level === 0
        ? tx.sql`select string_agg(e.leaf, ''::bytea order by e.i) from log_entries e
            where e.log_id = f.log_id and e.i between f.n * 256 and f.n * 256 + 255`
        : tx.sql`select string_agg(t.root, ''::bytea order by t.n) from log_tiles t
            where t.log_id = f.log_id and t.level = ${level - 1} and t.n between f.n * 256 and f.n * 256 + 255`;
    await tx.sql`
      insert into log_tiles (log_id, level, n, hashes, root)
      select f.log_id, ${level}, f.n, (${below}), decode(f.root, 'hex')
      from unnest(
        ${integers(full.map(({ logId }) => logId))}::bigint[], ${integers(full.map(({ n }) => n))}::bigint[],
        ${texts(full.map(({ root }) => Buffer.from(root).toString('hex')))}::text[]
      ) as f (log_id, n, root)`;
  }
}
