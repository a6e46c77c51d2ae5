import { tlogProofOf } from '@ushirika/verifier/receipt';
import { expect, test } from 'vitest';
import { codeOf, readReceipt, receiptIn } from './saved-receipt.ts';
import { testLog } from './test-receipts.ts';

const log = await testLog('ushirika.test/log/platform', [
  {
    kind: 'wallet_topped_up',
    sides: [{ account: 7, kind: 'wallet', transfer: 1, side: 'credit', amount: 1, after: 1 }],
  },
  { kind: 'sacco_joined', sides: [{ account: 7, kind: 'wallet', transfer: 2, side: 'debit', amount: 1, after: 0 }] },
]);
const receipt = await log.receipt(1);
const saved = receiptIn(receipt);

test('a receipt is read from its JSON, from a .tlog-proof, from an address and from the code alone', async () => {
  expect(saved).not.toBeNull();
  expect(await readReceipt(JSON.stringify(receipt, null, 2))).toEqual(saved);
  expect(await readReceipt(` \n${tlogProofOf(receipt).trimEnd()}`)).toEqual(saved);
  const code = await codeOf(receipt);
  expect(await readReceipt(`https://ushirika.test/verify#r=${code}`)).toEqual(saved);
  expect(await readReceipt(code)).toEqual(saved);
});

test('what is no receipt is not read: other texts, other JSON, a file about another entry, a code cut short', async () => {
  const code = await codeOf(receipt);
  const ofAnother = tlogProofOf(receipt).replace('\nindex 1\n', '\nindex 0\n');
  const { entry, ...noEntry } = receipt;
  for (const text of [
    '',
    'hello',
    '{}',
    '[1]',
    'null',
    JSON.stringify({ ...receipt, type: 'other/1' }),
    JSON.stringify(noEntry),
    JSON.stringify({ ...receipt, entry: { ...entry, i: 'one' } }),
    JSON.stringify({ ...receipt, inclusion: 'x' }),
    JSON.stringify({ ...receipt, anchor: {} }),
    JSON.stringify(receipt).slice(0, -1),
    ofAnother,
    code.slice(0, 80),
    `https://ushirika.test/verify#r=${code.slice(1)}`,
  ]) {
    expect(await readReceipt(text), text.slice(0, 60)).toBeNull();
  }
});

test('a short code that would fill the memory is refused', async () => {
  const bomb = await codeOf({ ...receipt, filler: 'a'.repeat(2_000_000) });
  expect(bomb.length).toBeLessThan(5_000);
  expect(await readReceipt(bomb)).toBeNull();
});
