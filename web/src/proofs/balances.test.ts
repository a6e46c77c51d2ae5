import { expect, test, vi } from 'vitest';
import { browserCrypto } from '../verify/browser-crypto.ts';
import { receiptIn, type SavedReceipt } from '../verify/saved-receipt.ts';
import { type TestSide, testLog } from '../verify/test-receipts.ts';
import { addUp, compare, outcomeOf } from './balances.ts';
import { goneFrom, newestOf, remember, seenBefore } from './seen-movements.ts';

const wallet = (transfer: number, side: 'debit' | 'credit', amount: number, after: number): TestSide => ({
  account: 7,
  kind: 'wallet',
  transfer,
  side,
  amount,
  after,
});
const log = await testLog('ushirika.test/log/platform', [
  { kind: 'wallet_topped_up', sides: [wallet(1, 'credit', 500_00, 500_00)] },
  { kind: 'sacco_joined', sides: [wallet(2, 'debit', 100_00, 400_00)] },
  {
    kind: 'shares_bought',
    sides: [
      wallet(3, 'debit', 300_00, 100_00),
      {
        account: 9,
        kind: 'holding',
        asset: 'SHARE',
        book: 's1',
        transfer: 5,
        position: 2,
        side: 'credit',
        amount: 3,
        after: 3,
      },
    ],
  },
  {
    kind: 'loan_disbursed',
    sides: [
      { account: 11, kind: 'loan_principal', book: 's1', transfer: 6, side: 'debit', amount: 50_00, after: 50_00 },
      wallet(7, 'credit', 50_00, 150_00),
    ],
  },
]);
const receipts = (await Promise.all([0, 1, 2, 3].map((i) => log.receipt(i)))).map(
  (one) => receiptIn(one) as SavedReceipt,
);

test('receipts add up to the balances of wallet, shares and loans, in any order and counted once', () => {
  const accounts = addUp([...receipts.toReversed(), ...receipts]);
  expect(accounts.map(({ kind, cents, broken }) => [kind, cents, broken])).toEqual(
    expect.arrayContaining([
      ['wallet', 150_00, null],
      ['holding', 3, null],
      ['loan_principal', 50_00, null],
    ]),
  );
  const shown = [
    { what: 'wallet', book: null, value: 150_00 },
    { what: 'shares', book: 's1', value: 3 },
    { what: 'loans', book: 's1', value: 50_00 },
  ] as const;
  expect(compare(accounts, shown).every(({ added, value }) => added === value)).toBe(true);
});

test('a missing entry breaks the chain of its account, and is named by the movement after it', () => {
  const [first, , third, fourth] = receipts as [SavedReceipt, SavedReceipt, SavedReceipt, SavedReceipt];
  const accounts = addUp([first, third, fourth]);
  expect(accounts.find(({ kind }) => kind === 'wallet')?.broken).toMatchObject({ what: 'Shares bought', journal: 102 });
  expect(accounts.find(({ kind }) => kind === 'holding')?.broken).toBeNull();
  // The first one is missing.
  expect(addUp(receipts.slice(1)).find(({ kind }) => kind === 'wallet')?.broken).toMatchObject({ journal: 101 });
});

test('a missing last entry is seen beside what the pages show', () => {
  const accounts = addUp(receipts.slice(0, 3));
  expect(accounts.every(({ broken }) => broken === null)).toBe(true);
  expect(compare(accounts, [{ what: 'wallet', book: null, value: 150_00 }])[0]).toMatchObject({ added: 100_00 });
});

test('shares that no page shows any more are named, too', () => {
  expect(compare(addUp(receipts), [])).toContainEqual({ what: 'shares', book: 's1', value: 0, added: 3 });
});

test('money in a guarantor pool is compared with what the pages of pools show', async () => {
  const side = {
    account: 21,
    kind: 'pool_position',
    transfer: 8,
    side: 'credit',
    amount: 40_00,
    after: 40_00,
  } as const;
  const pools = await testLog('ushirika.test/log/platform', [{ kind: 'pool_joined', sides: [side] }]);
  const accounts = addUp([receiptIn(await pools.receipt(0)) as SavedReceipt]);
  const shown = (value: number) => [{ what: 'pools', book: null, value }] as const;
  expect(compare(accounts, shown(40_00))).toEqual([{ what: 'pools', book: null, value: 40_00, added: 40_00 }]);
  expect(compare(accounts, shown(30_00))).toEqual([{ what: 'pools', book: null, value: 30_00, added: 40_00 }]);
});

test('a difference is one, whatever the server says is still being logged', () => {
  const checked = { wrong: [], gone: [], accounts: addUp(receipts), compared: [], hasMoved: false, beingLogged: 0 };
  const differing = { ...checked, compared: [{ added: 1, value: 2 }] };
  expect(outcomeOf(checked)).toBe('right');
  expect(outcomeOf({ ...checked, beingLogged: 1 })).toBe('waiting');
  expect(outcomeOf(differing)).toBe('wrong');
  expect(outcomeOf({ ...differing, hasMoved: true })).toBe('moved');
  expect(outcomeOf({ ...checked, beingLogged: 1, gone: [{}] })).toBe('wrong');
});

test('a movement that was here once and is gone is named by its date, to the member who saw it alone', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  const { sha256 } = browserCrypto;
  const [amina, baraka] = [
    { sha256, userId: 'amina' },
    { sha256, userId: 'baraka' },
  ];
  expect(seenBefore(amina)).toEqual([]);
  remember(amina, newestOf(amina, receipts));
  expect(goneFrom(amina, receipts, seenBefore(amina))).toEqual([]);
  expect(goneFrom(amina, receipts.slice(0, 3), seenBefore(amina)).map(({ at }) => at)).toEqual([
    '2026-11-20T06:05:00.000000Z',
    '2026-11-20T06:05:00.000000Z',
  ]);
  expect(seenBefore(baraka)).toEqual([]);
  expect([...stored.values()].join()).not.toContain('amina');
  stored.set('seen_movements', '{');
  expect(seenBefore(amina)).toEqual([]);
  vi.unstubAllGlobals();
});
