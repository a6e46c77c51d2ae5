import { concat, uint64 } from '@ushirika/verifier/bytes';
import { saltOf } from '@ushirika/verifier/entry';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { type SumNode, sumLeaf, sumLevels } from '@ushirika/verifier/sum-tree';

const { sha256 } = nodeCrypto;
/** Leaves in a piece: a power of two, so that each piece is a subtree. */
export const PIECE = 256;
const LEAF_BYTES = 16;

/** An account and what stands in it, in whole cents or whole shares. */
export interface Balance {
  readonly account: number;
  readonly amount: number;
}

/** 256 leaves of a sum tree, or fewer in the last piece. */
export interface Piece {
  readonly firstAccount: number;
  readonly leaves: Uint8Array;
  readonly node: SumNode;
}

/** The salt of an account's leaf. No leaf's salt leads to another's. */
export const leafSalt = (secret: Uint8Array, account: number): Uint8Array => saltOf(sha256, secret, account);

/** @param balances at most 256, by their accounts' ids, at least one */
export function pieceOf(secret: Uint8Array, balances: readonly Balance[]): Piece {
  const leaves = concat(...balances.flatMap(({ account, amount }) => [uint64(account), uint64(amount)]));
  const root = levelsOf(secret, balances).at(-1)?.[0];
  if (!root) throw new Error('A piece has a leaf at least.');
  return { firstAccount: balances[0]?.account ?? 0, leaves, node: root };
}

/** The levels of a piece, the leaves first. */
export const levelsOf = (secret: Uint8Array, balances: readonly Balance[]): SumNode[][] =>
  sumLevels(
    sha256,
    balances.map(({ account, amount }) => sumLeaf(sha256, { account, amount, salt: leafSalt(secret, account) })),
  );

/** The levels above the pieces; the last one is the root. */
export const levelsAbove = (nodes: readonly SumNode[]): SumNode[][] => sumLevels(sha256, nodes);

export function balancesOf(leaves: Buffer): Balance[] {
  return Array.from({ length: leaves.length / LEAF_BYTES }, (_, at) => ({
    account: Number(leaves.readBigUInt64BE(at * LEAF_BYTES)),
    amount: Number(leaves.readBigUInt64BE(at * LEAF_BYTES + 8)),
  }));
}
