import { areEqual, concat } from './bytes.ts';
import type { Sha256 } from './crypto.ts';

/*
 * The Merkle tree of RFC 9162, section 2.1 (the tree of RFC 6962): its hashes, which nodes a proof needs, and how a proof is checked.
 * Positions and sizes are whole numbers below 2^53, so that no bit operation of 32 bits touches them.
 */

export const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);

export const leafHash = (sha256: Sha256, entry: Uint8Array): Uint8Array => sha256(concat(LEAF, entry));

/** The bytes of a node that is hashed now: 1, the left hash, the right hash. */
const node = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1);

/** The hash of two hashes of 32 bytes. @throws RangeError where they are longer */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) throw new RangeError('A hash has 32 bytes.');
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return sha256(node);
}

/** The root of a tree without entries. */
export const emptyRoot = (sha256: Sha256): Uint8Array => sha256(new Uint8Array());

/** A full subtree: the `index`-th one, from the left, of those with 2^`level` leaves. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** Leaves from `start` up to, and without, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);

/** The largest power of two below `size`, which is 2 at least. */
function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The full subtrees that cover a range of a proof, from the left; their hashes give its hash by `hashOfRange`. */
export function nodesOf({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  let from = start;
  while (from < end) {
    let level = 0;
    let leaves = 1;
    while (from % (leaves * 2) === 0 && from + leaves * 2 <= end) {
      leaves *= 2;
      level += 1;
    }
    nodes.push({ level, index: from / leaves });
    from += leaves;
  }
  return nodes;
}

/** The hash of a range, from the hashes of `nodesOf` it, in their order. @throws where there are none */
export function hashOfRange(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  const last = hashes.at(-1);
  if (!last) throw new Error('A range without leaves has no hash.');
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(sha256, left, right), last);
}

/**
 * The ranges whose hashes prove that leaf `index` is in the tree of `size` leaves: the sibling of the leaf first, a child of the root last.
 * @throws unless 0 <= index < size
 */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!(index >= 0 && index < size)) throw new Error('There is no such leaf.');
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/**
 * The ranges whose hashes prove that the tree of `from` leaves is the beginning of that of `to` leaves; none where both are as large.
 * @throws unless 0 < from <= to
 */
export function consistencyRanges(from: number, to: number): Range[] {
  if (!(from > 0 && from <= to)) throw new Error('There is no such beginning.');
  const ranges: Range[] = [];
  let [start, end] = [0, to];
  // Whether the part that is left is a whole beginning of the tree of `from` leaves, whose root the reader knows.
  let isKnown = true;
  while (from !== end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
      isKnown = false;
    }
  }
  if (!isKnown) ranges.push({ start, end });
  return ranges.reverse();
}

/**
 * The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2), or null where the proof is too short or too long for this
 * leaf and size.
 */
export function rootOfInclusion(
  sha256: Sha256,
  leaf: Uint8Array,
  { index, size, proof }: { index: number; size: number; proof: readonly Uint8Array[] },
): Uint8Array | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  if (proof.some(({ length }) => length !== HASH_BYTES) || leaf.length !== HASH_BYTES) return null;
  let [at, last, root] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return null;
    if (isOdd(at) || at === last) {
      root = nodeHash(sha256, sibling, root);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      root = nodeHash(sha256, root, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? root : null;
}

/** Two trees of one log, the earlier first. */
export interface TwoTrees {
  readonly from: number;
  readonly fromRoot: Uint8Array;
  readonly to: number;
  readonly toRoot: Uint8Array;
}

/** Whether `proof` shows that the first tree is the beginning of the second (RFC 9162, section 2.1.4.2). A tree without leaves proves nothing. */
export function isConsistent(
  sha256: Sha256,
  { from, fromRoot, to, toRoot }: TwoTrees,
  proof: readonly Uint8Array[],
): boolean {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || from > to) return false;
  if ([...proof, fromRoot, toRoot].some(({ length }) => length !== HASH_BYTES)) return false;
  if (from === to) return proof.length === 0 && areEqual(fromRoot, toRoot);
  let [at, last] = [from - 1, to - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  // A first tree of 2^n leaves is a node of the second: its own root begins the proof.
  const [first, ...rest] = at === 0 ? [fromRoot, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  let [earlier, later] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      earlier = nodeHash(sha256, hash, earlier);
      later = nodeHash(sha256, hash, later);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      later = nodeHash(sha256, later, hash);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && areEqual(earlier, fromRoot) && areEqual(later, toRoot);
}

/**
 * The right edge of a growing tree: the hashes of its full subtrees, the largest first, as the binary digits of `size` name them. It is
 * all that appending needs.
 */
export class Edge {
  #size: number;
  readonly #peaks: Uint8Array[];
  readonly #sha256: Sha256;

  /** @throws where there are not as many peaks as `size` has binary ones */
  constructor(sha256: Sha256, size = 0, peaks: readonly Uint8Array[] = []) {
    if (nodesOf({ start: 0, end: size }).length !== peaks.length) throw new Error('This edge is of another size.');
    this.#sha256 = sha256;
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): number {
    return this.#size;
  }

  get peaks(): readonly Uint8Array[] {
    return this.#peaks;
  }

  /** Adds a leaf. `onNode` is told of each full subtree that it completes, the leaf itself first. */
  append(leaf: Uint8Array, onNode?: (node: Node, hash: Uint8Array) => void): void {
    let [hash, level, index] = [leaf, 0, this.#size];
    onNode?.({ level, index }, hash);
    while (isOdd(index)) {
      hash = nodeHash(this.#sha256, this.#peaks.pop() as Uint8Array, hash);
      [level, index] = [level + 1, half(index)];
      onNode?.({ level, index }, hash);
    }
    this.#peaks.push(hash);
    this.#size += 1;
  }

  root(): Uint8Array {
    return this.#size === 0 ? emptyRoot(this.#sha256) : hashOfRange(this.#sha256, this.#peaks);
  }
}
