import { hash } from 'node:crypto';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import {
  consistencyRanges,
  HASH_BYTES,
  hashOfRange,
  inclusionRanges,
  type Node,
  nodesOf,
  type Range,
} from '@ushirika/verifier/tree';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';

const { sha256 } = nodeCrypto;
const TILE = 256;
const LEVELS_OF_TILE = 8;

type Sql = Pick<Tx | Database, 'sql'>;

/** The stored tree lacks hashes. A connection that broke is another error, and says nothing about the tree. */
export class DamagedTree extends Error {}

/** What a reader of the tree finds; null where the tree is damaged. @throws what the database itself did not answer */
export async function orDamaged<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DamagedTree || !isGuarded('proofs.damage_alone')) return null;
    throw error;
  }
}

/** A tile of hashes; of fewer than 256 where it is at the right edge. */
interface Tile {
  readonly level: number;
  readonly n: number;
}

/** The place of a node in the tiles: which tile, and which of its hashes it is made of. */
interface Place extends Tile {
  readonly from: number;
  readonly count: number;
}

function placeOf({ level, index }: Node): Place {
  const inTile = level % LEVELS_OF_TILE;
  const count = 2 ** inTile;
  const first = index * count;
  return { level: (level - inTile) / LEVELS_OF_TILE, n: Math.floor(first / TILE), from: first % TILE, count };
}

const nameOf = ({ level, n }: Tile): string => `${level}/${n}`;

/**
 * The hashes of a log's ranges, in two statements. Full tiles are read as they are stored; the ones at the right edge are made of the leaves, or
 * of the hashes of the full tiles below.
 * @throws DamagedTree where a hash is missing
 */
async function hashesOfRanges({ sql }: Sql, logId: number, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const places = ranges.map((range) => nodesOf(range).map(placeOf));
  const wanted = new Map(places.flat().map((place) => [nameOf(place), place]));
  const tiles = await readTiles({ sql }, logId, [...wanted.values()]);
  // Proofs of entries of one log share most of their nodes.
  const roots = new Map<string, Uint8Array>();
  const rootOf = (place: Place): Uint8Array => {
    const name = `${nameOf(place)}/${place.from}/${place.count}`;
    const known = roots.get(name);
    if (known) return known;
    const hashes = tiles.get(nameOf(place))?.subarray(place.from * HASH_BYTES, (place.from + place.count) * HASH_BYTES);
    if (hashes?.length !== place.count * HASH_BYTES)
      throw new DamagedTree(`Log ${logId} has no hashes at ${nameOf(place)}.`);
    const root = rootOfFull(hashes);
    roots.set(name, root);
    return root;
  };
  return places.map((nodes) => hashOfRange(sha256, nodes.map(rootOf)));
}

/** The bytes of a node that is hashed now: 1, the left hash, the right hash. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/**
 * The root of 2^k hashes that stand one after another. Each level is written over the one below: a buffer for each of some 900 hashes was
 * most of a proof's time, with pauses of 10 ms to collect them.
 */
function rootOfFull(hashes: Buffer): Buffer {
  const level = Buffer.from(hashes);
  for (let length = level.length; length > HASH_BYTES; length /= 2) {
    for (let at = 0; at < length; at += 2 * HASH_BYTES) {
      level.copy(node, 1, at, at + 2 * HASH_BYTES);
      level.write(hash('sha256', node, 'binary'), at / 2, 'latin1');
    }
  }
  return level.subarray(0, HASH_BYTES);
}

/** The hashes of tiles, by `level/n`; as many as there are yet, one after another. */
export async function readTiles(
  { sql }: Sql,
  logId: number,
  tiles: readonly Tile[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const full = await sql<(Tile & { hashes: Buffer })[]>`
    select t.level, t.n, t.hashes from log_tiles t
    join unnest(${integers(tiles.map(({ level }) => level))}::int[], ${integers(tiles.map(({ n }) => n))}::bigint[])
      as w (level, n) on t.level = w.level and t.n = w.n
    where t.log_id = ${logId}`;
  for (const tile of full) found.set(nameOf(tile), tile.hashes);
  const edge = tiles.filter((tile) => !found.has(nameOf(tile)));
  if (edge.length === 0) return found;
  const partial = await sql<(Tile & { hashes: Buffer | null })[]>`
    select w.level, w.n, case
      when w.level = 0 then (
        select string_agg(e.leaf, ''::bytea order by e.i) from log_entries e
        where e.log_id = ${logId} and e.i between w.n * 256 and w.n * 256 + 255)
      else (
        select string_agg(t.root, ''::bytea order by t.n) from log_tiles t
        where t.log_id = ${logId} and t.level = w.level - 1 and t.n between w.n * 256 and w.n * 256 + 255)
      end as hashes
    from unnest(${integers(edge.map(({ level }) => level))}::int[], ${integers(edge.map(({ n }) => n))}::bigint[])
      as w (level, n)`;
  for (const tile of partial) found.set(nameOf(tile), tile.hashes ?? Buffer.alloc(0));
  return found;
}

/** The proofs that these entries are in the first `size` entries of a log, each in turn; two statements for all. */
export async function inclusionProofs(
  reader: Sql,
  logId: number,
  indexes: readonly number[],
  size: number,
): Promise<Uint8Array[][]> {
  const ranges = indexes.map((index) => inclusionRanges(index, size));
  const hashes = await hashesOfRanges(reader, logId, ranges.flat());
  return ranges.map((own) => hashes.splice(0, own.length));
}

/** The proof that the first `from` entries of a log are the beginning of its first `to` entries. */
export const consistencyProof = (reader: Sql, logId: number, from: number, to: number): Promise<Uint8Array[]> =>
  hashesOfRanges(reader, logId, consistencyRanges(from, to));

/** The root of the first `size` entries of a log. @throws DamagedTree, also where `size` is 0 */
export async function rootAt(reader: Sql, logId: number, size: number): Promise<Uint8Array> {
  const [root] = await hashesOfRanges(reader, logId, [{ start: 0, end: size }]);
  if (!root) throw new DamagedTree('A log without entries has no root here.');
  return root;
}
