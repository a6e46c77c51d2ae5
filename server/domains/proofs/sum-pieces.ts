import { setImmediate as nextTurn } from 'node:timers/promises';
import { concat, uint64 } from '@ushirika/verifier/bytes';
import { saltOf } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { type SumNode, sumLeaf, sumLevels } from '@ushirika/verifier/sum-tree';

const { sha256 } = nodeCrypto;
/** Leaves in a piece: a power of two, so that each piece is a subtree. */
export const PIECE = 256;
/** A kept leaf is its account and half, and its amount, 8 bytes each. */
export const LEAF_BYTES = 16;
const HALVES = [0, 1] as const;
type Half = (typeof HALVES)[number];

/** An account and what stands in it, in whole cents or whole shares, more than nothing. */
export interface Balance {
  readonly account: number;
  readonly amount: number;
}

/** One of the two leaves of an account: a random part of what stands in it. */
export interface Leaf extends Balance {
  readonly half: Half;
  readonly salt: Uint8Array;
}

/** 256 leaves of a sum tree, or fewer in the last piece. */
export interface Piece {
  readonly firstSalt: Uint8Array;
  readonly leaves: Uint8Array;
  readonly node: SumNode;
}

const leafSalt = (secret: Uint8Array, account: number, half: Half): Uint8Array =>
  saltOf(sha256, secret, 3 * account + half);

/** The salts of an account's two leaves. No leaf's salt leads to another's. */
export const leafSalts = (secret: Uint8Array, account: number): Uint8Array[] =>
  HALVES.map((half) => leafSalt(secret, account, half));

/** The two leaves of an account. The first part is random, from 1 to all but 1, so that neither leaf is the balance where there are two units. */
function partsOf(secret: Uint8Array, { account, amount }: Balance): Leaf[] {
  const random = Buffer.from(saltOf(sha256, secret, 3 * account + 2)).readBigUInt64BE();
  const first = 1 + Number((random * BigInt(amount - 1)) >> 64n);
  return HALVES.map((half) => ({
    account,
    half,
    amount: half === 0 ? first : amount - first,
    salt: leafSalt(secret, account, half),
  }));
}

/** The leaves of all balances, in the order of their salts, which is nobody's. Requests have their turn meanwhile. */
export async function leavesOf(secret: Uint8Array, balances: readonly Balance[]): Promise<Leaf[]> {
  const byFirstByte: Leaf[][] = Array.from({ length: 256 }, () => []);
  for (const [at, balance] of balances.entries()) {
    for (const leaf of partsOf(secret, balance)) byFirstByte[leaf.salt[0] as number]?.push(leaf);
    if (at % PIECE === 0) await nextTurn();
  }
  const leaves: Leaf[] = [];
  for (const some of byFirstByte) {
    leaves.push(...some.sort((one, other) => Buffer.compare(one.salt, other.salt)));
    await nextTurn();
  }
  return leaves;
}

/** Whether two leaves under one node are of the same account, so that its sum would be the balance. */
export const showsBalance = (leaves: readonly Leaf[]): boolean =>
  leaves.some(({ account }, at) => at % 2 === 0 && leaves[at + 1]?.account === account);

/** @param leaves at most 256, in the order of their salts, at least one */
export function pieceOf(leaves: readonly Leaf[]): Piece {
  const [first] = leaves;
  const root = levelsOf(leaves).at(-1)?.[0];
  if (!first || !root) throw new Error('A piece has a leaf at least.');
  const bytes = leaves.flatMap(({ account, half, amount }) => [uint64(2 * account + half), uint64(amount)]);
  return { firstSalt: first.salt, leaves: concat(...bytes), node: root };
}

/** The pieces of a tree. Requests have their turn after each. */
export async function piecesOf(leaves: readonly Leaf[]): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (let at = 0; at < leaves.length; at += PIECE) {
    pieces.push(pieceOf(leaves.slice(at, at + PIECE)));
    await nextTurn();
  }
  return pieces;
}

/** The levels of a piece, the leaves first. */
export const levelsOf = (leaves: readonly Leaf[]): SumNode[][] =>
  sumLevels(
    sha256,
    leaves.map((leaf) => sumLeaf(sha256, leaf)),
  );

/** The levels above the pieces; the last one is the root. */
export const levelsAbove = (nodes: readonly SumNode[]): SumNode[][] => sumLevels(sha256, nodes);

/** The leaves of a kept piece, as they are kept. Their salts are made again. */
export function keptLeaves(secret: Uint8Array, bytes: Buffer): Leaf[] {
  return Array.from({ length: bytes.length / LEAF_BYTES }, (_, at) => {
    const key = bytes.readBigUInt64BE(at * LEAF_BYTES);
    const [account, half] = [Number(key / 2n), Number(key % 2n) as Half];
    const amount = Number(bytes.readBigUInt64BE(at * LEAF_BYTES + 8));
    return { account, half, amount, salt: leafSalt(secret, account, half) };
  });
}
