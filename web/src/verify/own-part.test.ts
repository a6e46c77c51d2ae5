import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import { sumLeaf, sumLevels, sumProof } from '@ushirika/verifier/sum-tree';
import { describe, expect, test } from 'vitest';
import { browserCrypto } from './browser-crypto.ts';
import { checkSaved } from './check-saved.ts';
import type { LogSource } from './log-source.ts';
import type { OwnLeaf } from './own-part.ts';
import { readReceipt, receiptIn, type SavedReceipt } from './saved-receipt.ts';
import { testLog } from './test-receipts.ts';

const { sha256 } = browserCrypto;
const held = [
  { account: 4, amount: 88, salt: sha256(utf8('one')) },
  { account: 9, amount: 12, salt: sha256(utf8('two')) },
];
const levels = sumLevels(
  sha256,
  held.map((leaf) => sumLeaf(sha256, leaf)),
);
const top = levels.at(-1)?.[0] ?? { sum: 0, hash: new Uint8Array() };
const own: OwnLeaf[] = held.slice(0, 1).map(({ account, amount, salt }) => ({
  ...{ account, amount, kind: 'holding', salt: toBase64(salt) },
  steps: sumProof(levels, 0),
}));
const head = { event: 'totals', what: 'shares', at: '2026-11-20T06:00:00.000Z', total: 100, root: toBase64(top.hash) };
const log = await testLog('ushirika.test/log/s1', [
  { kind: '', sides: [], head: head as never },
  { kind: '', sides: [], head: { event: 'vote_counted', for: 5, against: 1, abstained: 0 } as never },
]);
const nobody: LogSource = {
  facts: async () => null,
  checkpoint: async () => null,
  inclusion: async () => null,
  consistency: async () => null,
};
const lookUp = async () => ({ facts: null, absence: null });
const saved = async (leaves: unknown, i = 0) =>
  receiptIn({ ...(await log.receipt(i)), own: leaves }) as SavedReceipt | null;
const opened = async (leaves: unknown, i = 0) => {
  const receipt = await saved(leaves, i);
  if (!receipt) return null;
  const means = { crypto: browserCrypto, logs: nobody, endpoint: null, mayAskChain: false, lookUp };
  return (await checkSaved(receipt, means)).steps.find(({ name }) => name === 'opened')?.state;
};

describe('a holding of shares that was saved', () => {
  test('is checked without our server: the member’s part is in the total that was logged', async () => {
    expect(await opened(own)).toBe('passed');
    const file = JSON.stringify({ ...(await log.receipt(0)), own });
    expect((await readReceipt(file))?.own).toEqual(own);
  });

  test.each<[string, unknown]>([
    ['another number of shares', [{ ...own[0], amount: 89 }]],
    ['another account', [{ ...own[0], account: 5 }]],
    ['no way to the root', [{ ...own[0], steps: [] }]],
    ['the same shares twice', [...own, ...own]],
    ['a salt that is none', [{ ...own[0], salt: '?' }]],
  ])('is refused with %s', async (_, leaves) => {
    expect(await opened(leaves)).toBe('failed');
  });

  test('is refused beside an entry that is no total', async () => {
    expect(await opened(own, 1)).toBe('failed');
  });

  test('cannot be read with parts of another shape', async () => {
    expect(await saved([{ account: 'x' }])).toBeNull();
    expect(await saved('88')).toBeNull();
  });
});
