import { areEqual, concat, fromBase64, toBase64, uint64 } from './bytes.ts';
import type { Sha256 } from './crypto.ts';

/*
 * A Merkle sum tree: each node holds the sum of the amounts below it, and is hashed with it. Its root and its total are in an entry of the
 * log; a member proves that their own amount is part of the total, and sees sums of others' amounts, never a name.
 */

/** A node, in whole cents or whole shares. */
export interface SumNode {
  readonly sum: number;
  readonly hash: Uint8Array;
}

/** The sibling on the way up, and the side where it is. */
export interface SumStep {
  readonly side: 'left' | 'right';
  readonly sum: number;
  /** Base64. */
  readonly hash: string;
}

const LEAF = Uint8Array.of(2);
const NODE = Uint8Array.of(3);
const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** A leaf: the owner's account, salted, and its amount. @throws for an amount below zero */
export function sumLeaf(
  sha256: Sha256,
  { account, salt, amount }: { account: number; salt: Uint8Array; amount: number },
): SumNode {
  return { sum: amount, hash: sha256(concat(LEAF, salt, uint64(account), uint64(amount))) };
}

/** @throws where the sum passes 2^53 - 1 */
export function sumParent(sha256: Sha256, left: SumNode, right: SumNode): SumNode {
  const sum = left.sum + right.sum;
  return { sum, hash: sha256(concat(NODE, uint64(left.sum), left.hash, uint64(right.sum), right.hash)) };
}

/** All levels, the leaves first and the root last. A node without a sibling goes up as it is. @throws where there is no leaf */
export function sumLevels(sha256: Sha256, leaves: readonly SumNode[]): SumNode[][] {
  if (leaves.length === 0) throw new Error('A sum tree has a leaf at least.');
  const levels: SumNode[][] = [[...leaves]];
  for (let below = levels[0] as SumNode[]; below.length > 1; ) {
    const level: SumNode[] = [];
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at] as SumNode, below[at + 1]];
      level.push(right ? sumParent(sha256, left, right) : left);
    }
    levels.push(level);
    below = level;
  }
  return levels;
}

/** The way from a leaf to the root. */
export function sumProof(levels: readonly (readonly SumNode[])[], index: number): SumStep[] {
  const steps: SumStep[] = [];
  let at = index;
  for (const level of levels.slice(0, -1)) {
    const side = at % 2 === 1 ? 'left' : 'right';
    const sibling = level[side === 'left' ? at - 1 : at + 1];
    if (sibling) steps.push({ side, sum: sibling.sum, hash: toBase64(sibling.hash) });
    at = Math.floor(at / 2);
  }
  return steps;
}

/** Whether a leaf is in the tree with this root and this total. No sum on the way may be below zero. @throws where a hash cannot be read */
export function isInSum(sha256: Sha256, leaf: SumNode, steps: readonly SumStep[], root: SumNode): boolean {
  if (steps.length > 64 || [leaf, root, ...steps].some(({ sum }) => !isAmount(sum))) return false;
  let node = leaf;
  for (const { side, sum, hash } of steps) {
    const sibling = { sum, hash: fromBase64(hash) };
    const [left, right] = side === 'left' ? [sibling, node] : [node, sibling];
    if (!isAmount(left.sum + right.sum)) return false;
    node = sumParent(sha256, left, right);
  }
  return node.sum === root.sum && areEqual(node.hash, root.hash);
}
