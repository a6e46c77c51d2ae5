import { expect, test } from 'vitest';
import { testDatabase } from '../db/test-database.ts';
import { accountHistory, balances, lockBalances, trialBalance } from './balances.ts';
import { LedgerScript, testKind } from './ledger-script.ts';

const database = await testDatabase();

test('A history shows every movement with the balance after it, newest first', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run(`
    fund: float > A 500 = posted
    spend: A > B 120, A > C 80 = posted
    back: B > A 20 = posted`);
  const entries = await accountHistory(database, { keys: [ledger.key('A')], limit: 10 });
  expect(entries.map(({ change, balanceAfter, side }) => [change, balanceAfter, side])).toEqual([
    [20, 320, 'credit'],
    [-80, 300, 'debit'],
    [-120, 380, 'debit'],
    [500, 500, 'credit'],
  ]);
  expect(entries[0]).toMatchObject({
    account: ledger.key('A'),
    counterparty: ledger.key('B'),
    kind: testKind,
    about: { type: 'test' },
    causedBy: null,
    amount: 20,
    postedAt: database.now(),
  });
  expect(entries[1]?.journalId).toBe(entries[2]?.journalId);
});

test('A debit makes an account with a debit normal side grow', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('in [test_sacco]: s.cash > s.A 70 = posted');
  const [entry] = await accountHistory(database, { keys: [ledger.key('s.cash')], limit: 1 });
  expect(entry).toMatchObject({ side: 'debit', change: 70, balanceAfter: 70 });
});

test('Pages follow each other by cursor without a gap or a repetition, while new movements are posted', async () => {
  const ledger = new LedgerScript(database);
  const lines = Array.from({ length: 25 }, (_, index) => `p${index}: float > A ${index + 1} = posted`);
  await ledger.run(lines.join('\n'));
  const seen: number[] = [];
  let cursor: number | null = null;
  for (let page = 0; page < 4; page += 1) {
    const entries = await accountHistory(database, { keys: [ledger.key('A')], limit: 10, cursor });
    seen.push(...entries.map(({ amount }) => amount));
    cursor = entries.at(-1)?.id ?? cursor;
    await ledger.run(`new${page}: float > A 1000 = posted`);
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
});

test('Several accounts of one person come as one list, and a movement between them appears for both', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('one: float > A 10 = posted\ntwo: float > B 20 = posted\nthree: A > B 5 = posted');
  const entries = await accountHistory(database, { keys: [ledger.key('A'), ledger.key('B')], limit: 10 });
  expect(entries.map(({ account, change }) => [account.owner, change])).toEqual([
    [ledger.key('B').owner, 5],
    [ledger.key('A').owner, -5],
    [ledger.key('B').owner, 20],
    [ledger.key('A').owner, 10],
  ]);
});

test('A history can be filtered by kinds of events and by time', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('first: float > A 1 = posted');
  database.world.advance(60_000);
  const from = database.now();
  await ledger.run('second: float > A 2 = posted\nthird [test_other]: float > A 3 = posted');
  database.world.advance(60_000);
  const to = database.now();
  await ledger.run('fourth: float > A 4 = posted');
  const amounts = async (filter: object) =>
    (await accountHistory(database, { keys: [ledger.key('A')], limit: 10, ...filter })).map(({ amount }) => amount);
  expect(await amounts({ kinds: [testKind] })).toEqual([4, 2, 1]);
  expect(await amounts({ from, to })).toEqual([3, 2]);
  expect(await amounts({ from, to, kinds: [testKind] })).toEqual([2]);
  expect(await amounts({ to: from })).toEqual([1]);
});

test('Reading an account that was never used gives the balance 0 and an empty history, and does not open it', async () => {
  const ledger = new LedgerScript(database);
  expect(await balances(database, [ledger.key('Z'), ledger.key('s.cash')])).toEqual([0, 0]);
  expect(await accountHistory(database, { keys: [ledger.key('Z')], limit: 10 })).toEqual([]);
  const rows = await database.sql`select from accounts where owner_id = ${ledger.key('Z').owner}`;
  expect(rows).toHaveLength(0);
});

test('Locked balances cannot move until the transaction ends', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('fund: float > A 100 = posted');
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = database.transaction(async (tx) => {
    expect(await lockBalances(tx, [ledger.key('B'), ledger.key('A'), ledger.key('A')])).toEqual([0, 100, 100]);
    held.resolve();
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push('first');
  });
  await held.promise;
  await ledger.postLines(['spend: A > B 100']);
  order.push('second');
  await first;
  expect(order).toEqual(['first', 'second']);
});

test("A book's trial balance adds up its accounts by kind, and both sides agree", async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('buy [test_sacco]: s.cash > s.A 300, s.cash > s.B 200, s.issued > s.hA 7 = posted');
  expect(await trialBalance(database, ledger.key('s.cash').book)).toEqual([
    { kind: 'cash', asset: 'KES', side: 'debit', accounts: 1, balance: 500 },
    { kind: 'deposits', asset: 'KES', side: 'credit', accounts: 2, balance: 500 },
    { kind: 'shares_issued', asset: 'SHARE', side: 'debit', accounts: 1, balance: 7 },
    { kind: 'holding', asset: 'SHARE', side: 'credit', accounts: 1, balance: 7 },
  ]);
});
