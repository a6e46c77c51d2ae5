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

/** The place of a node in the tiles: which tile, where in its tree, and how many of its hashes there must be. */
interface Place extends Tile {
  readonly at: number;
  readonly upto: number;
}

function placeOf({ level, index }: Node): Place {
  const inTile = level % LEVELS_OF_TILE;
  const across = TILE / 2 ** inTile;
  const from = index % across;
  return {
    level: (level - inTile) / LEVELS_OF_TILE,
    n: Math.floor(index / across),
    at: across + from,
    upto: (from + 1) * 2 ** inTile,
  };
}

const nameOf = ({ level, n }: Tile): string => `${level}/${n}`;

/**
 * The hashes of a log's ranges, in two statements. Full tiles are read as they are stored; the ones at the right edge are made of the leaves, or
 * of the hashes of the full tiles below.
 * @throws DamagedTree where a hash is missing
 */
async function hashesOfRanges(
  reader: Sql,
  logId: number,
  ranges: readonly Range[],
  kept: KeptTiles = new Map(),
): Promise<Uint8Array[]> {
  const places = ranges.map((range) => nodesOf(range).map(placeOf));
  const tiles = await tilesOf(reader, logId, places.flat(), kept);
  const rootOf = (place: Place): Uint8Array => {
    const tree = tiles.get(nameOf(place));
    if (!tree || tree.count < place.upto) throw new DamagedTree(`Log ${logId} has no hashes at ${nameOf(place)}.`);
    return tree.nodes.subarray(place.at * HASH_BYTES, (place.at + 1) * HASH_BYTES);
  };
  return places.map((nodes) => hashOfRange(sha256, nodes.map(rootOf)));
}

/** The tree above the hashes of a tile: node 1 is its root, below node n are 2n and 2n + 1, and node 256 is the first hash. */
interface TileTree {
  readonly nodes: Buffer;
  /** How many hashes the tile has yet. */
  readonly count: number;
}

/** Tiles above the leaves, by `log/level/n`. */
type KeptTiles = Map<string, TileTree>;
/** 8 MB; a log of 10,000,000 entries has 154 such tiles. */
const KEPT_MOST = 512;
const keptOf = new WeakMap<Database, KeptTiles>();

/** The tiles that places are in, by `level/n`. A hash in a tile never changes, and more may follow it: a kept tile that is too short is read again. */
async function tilesOf(
  reader: Sql,
  logId: number,
  places: readonly Place[],
  kept: KeptTiles,
): Promise<ReadonlyMap<string, TileTree>> {
  const tiles = new Map<string, TileTree>();
  const missing = new Map<string, Tile>();
  for (const place of places) {
    const tile = kept.get(`${logId}/${nameOf(place)}`);
    if (tile && tile.count >= place.upto) tiles.set(nameOf(place), tile);
    else missing.set(nameOf(place), place);
  }
  for (const [name, hashes] of await readTiles(reader, logId, [...missing.values()])) {
    const tree = treeOf(hashes);
    tiles.set(name, tree);
    if (missing.get(name)?.level === 0) continue;
    if (kept.size >= KEPT_MOST) kept.clear();
    kept.set(`${logId}/${name}`, tree);
  }
  return tiles;
}

/** The bytes of a node that is hashed now: 1, the left hash, the right hash. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** A buffer for each of 255 hashes would cost more than hashing, with pauses of 10 ms to collect them: each is written into its place. */
function treeOf(hashes: Buffer): TileTree {
  const nodes = Buffer.alloc(2 * TILE * HASH_BYTES);
  hashes.copy(nodes, TILE * HASH_BYTES);
  const count = hashes.length / HASH_BYTES;
  for (let [across, full] = [TILE / 2, count >> 1]; across >= 1; [across, full] = [across / 2, full >> 1]) {
    for (let at = across; at < across + full; at += 1) {
      nodes.copy(node, 1, 2 * at * HASH_BYTES, (2 * at + 2) * HASH_BYTES);
      nodes.write(hash('sha256', node, 'binary'), at * HASH_BYTES, 'binary');
    }
  }
  return { nodes, count };
}

/** The hashes of tiles, by `level/n`; as many as there are yet, one after another. */
export async function readTiles(
  { sql }: Sql,
  logId: number,
  tiles: readonly Tile[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (tiles.length === 0) return found;
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

/**
 * The proofs that these entries are in the first `size` entries of a log, each in turn; two statements for all. Tiles above the leaves are
 * kept in memory: who signs reads the tree without it, and so finds a damaged one.
 */
export async function inclusionProofs(
  database: Database,
  logId: number,
  indexes: readonly number[],
  size: number,
): Promise<Uint8Array[][]> {
  const kept = keptOf.get(database) ?? new Map();
  keptOf.set(database, kept);
  const ranges = indexes.map((index) => inclusionRanges(index, size));
  const hashes = await hashesOfRanges(database, logId, ranges.flat(), kept);
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
