import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { isInSum, sumLeaf, sumProof } from '@ushirika/verifier/sum-tree';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptLeaves, leavesOf, levelsAbove, levelsOf, PIECE, piecesOf, showsBalance } from './sum-pieces.ts';

const { sha256 } = nodeCrypto;
/** Large ones: a part of a few cents is by chance what somebody else holds. */
const manyBalances = fc.array(fc.integer({ min: 10 ** 8, max: 10 ** 12 }), { minLength: 10, maxLength: 300 });
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
const accountsOf = (amounts: readonly number[]) => amounts.map((amount, at) => ({ account: at + 1, amount }));

test('no step of anybody’s proof is what somebody else holds, and both leaves of each are proven', async () => {
  await fc.assert(
    fc.asyncProperty(manyBalances, secrets, async (amounts, secret) => {
      const leaves = await leavesOf(secret, accountsOf(amounts));
      fc.pre(!showsBalance(leaves));
      const pieces = await piecesOf(leaves);
      const above = levelsAbove(pieces.map(({ node }) => node));
      const root = above.at(-1)?.[0] ?? { sum: 0, hash: new Uint8Array() };
      const balances = new Set(amounts);
      for (const [at, leaf] of leaves.entries()) {
        const piece = leaves.slice(at - (at % PIECE), at - (at % PIECE) + PIECE);
        const steps = [...sumProof(levelsOf(piece), at % PIECE), ...sumProof(above, Math.floor(at / PIECE))];
        expect(isInSum(sha256, sumLeaf(sha256, leaf), steps, root)).toBe(true);
        expect(steps.filter(({ sum }) => balances.has(sum))).toEqual([]);
        expect(balances.has(leaf.amount)).toBe(false);
      }
    }),
    { numRuns: 30, seed: 35 },
  );
});

test('the two parts of each account are what it holds, and neither is all of it from two units up', async () => {
  const amounts = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(amounts, secrets, async (all, secret) => {
      const leaves = await leavesOf(secret, accountsOf(all));
      expect(leaves).toHaveLength(2 * all.length);
      for (const [at, amount] of all.entries()) {
        const own = leaves.filter(({ account }) => account === at + 1).map((leaf) => leaf.amount);
        expect(own.reduce((sum, part) => sum + part, 0)).toBe(amount);
        if (amount > 1) expect(Math.max(...own)).toBeLessThan(amount);
      }
    }),
    { numRuns: 50 },
  );
});

test('the leaves stand in the order of their salts, which is another one with each secret and never that of the accounts', async () => {
  const balances = accountsOf(Array.from({ length: 100 }, () => 500_00));
  const orders = await Promise.all(
    [1, 2].map(async (byte) => (await leavesOf(new Uint8Array(32).fill(byte), balances)).map(({ account }) => account)),
  );
  const [one = [], other = []] = orders;
  expect(one).not.toEqual(other);
  for (const order of [one, other]) {
    const ascending = order.filter((account, at) => account >= (order[at - 1] ?? 0)).length;
    expect(ascending).toBeGreaterThan(60);
    expect(ascending).toBeLessThan(140);
  }
});

test('a part is small as often as large: of 2,000 equal balances a quarter is in each quarter', async () => {
  const leaves = await leavesOf(new Uint8Array(32).fill(7), accountsOf(Array.from({ length: 2_000 }, () => 1_000_00)));
  const quarters = [0, 0, 0, 0];
  for (const { half, amount } of leaves)
    if (half === 0) quarters[Math.floor(amount / 250_00)] = (quarters[Math.floor(amount / 250_00)] ?? 0) + 1;
  for (const count of quarters) expect(Math.abs(count - 500)).toBeLessThan(100);
});

test('a kept piece gives its leaves again, and a node over both leaves of one account is seen', async () => {
  const leaves = await leavesOf(new Uint8Array(32).fill(9), accountsOf([5, 6, 7, 800]));
  const [piece] = await piecesOf(leaves);
  expect(keptLeaves(new Uint8Array(32).fill(9), Buffer.from(piece?.leaves ?? []))).toEqual(leaves);
  const [first, ...others] = leaves;
  const second = others.find(({ account }) => account === first?.account);
  if (!first || !second) throw new Error('Each account has two leaves.');
  const [one, ...more] = others.filter((leaf) => leaf !== second);
  if (!one) throw new Error('Others have leaves.');
  expect(showsBalance([first, second, one])).toBe(true);
  expect(showsBalance([one, first, second])).toBe(false);
  expect(showsBalance([one, more[0] ?? one, first, second])).toBe(true);
});
