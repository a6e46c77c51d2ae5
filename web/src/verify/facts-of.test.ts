import { expect, test } from 'vitest';
import { accountWords, byAccount, factsIn } from './facts-of.ts';
import { testLog } from './test-receipts.ts';

const wallet = { account: 7, kind: 'wallet', side: 'debit' as const };

test('a purchase that took price and fee from the wallet shows the wallet once, with the sum and the balance after both', async () => {
  const log = await testLog('ushirika.test/log/platform', [
    {
      kind: 'shares_traded',
      sides: [
        { ...wallet, transfer: 2, position: 1, amount: 17_03, after: 34_034_52 },
        { ...wallet, transfer: 1, position: 0, amount: 883_97, after: 34_051_55 },
        { account: 8, kind: 'wallet_hold', side: 'debit', transfer: 3, position: 2, amount: 5_00, after: 0 },
        { account: 9, kind: 'holding', asset: 'SHARE', side: 'credit', transfer: 4, position: 3, amount: 9, after: 12 },
      ],
    },
  ]);
  const { opening } = await log.receipt(0);
  expect(byAccount(factsIn(opening).movements).map(({ kind, change, after }) => [kind, change, after])).toEqual([
    ['wallet', -901_00, 34_034_52],
    ['wallet_hold', -5_00, 0],
    ['holding', 9, 12],
  ]);
});

test('what can be used and what is held are named apart, since the dashboard shows both together', () => {
  for (const [free, held] of [
    ['wallet', 'wallet_hold'],
    ['deposits', 'deposits_hold'],
    ['holding', 'holding_hold'],
  ] as const) {
    const [one, other] = [accountWords(free), accountWords(held)];
    expect(one).toMatch(/, (available|free)$/);
    expect(other).not.toBe(one);
    expect(one.split(',')[0]).toBe(other.split(',')[0]);
  }
});
