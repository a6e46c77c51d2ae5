import { Refusal } from '@ushirika/contract/refusal';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../db/test-database.ts';
import { lockAccounts } from './balances.ts';
import type { AccountKey, PostRefusal } from './ledger.types.ts';
import { POST_REFUSALS } from './ledger.types.ts';
import { LedgerScript } from './ledger-script.ts';
import { post, postOrRefuse } from './post.ts';
import { reversalOf } from './reversal.ts';

const database = await testDatabase();
const script = () => new LedgerScript(database);
const close = (letter: string, ledger: LedgerScript) =>
  database.owner`update accounts set closed_at = now() where owner_id = ${ledger.key(letter).owner}`;

describe('A journal is refused for the first reason of the published list that applies', () => {
  /** A journal to which this reason and, where possible, every later one of the list applies. */
  const refusals: Record<PostRefusal, (ledger: LedgerScript) => Promise<void>> = {
    journal_must_have_transfers: (ledger) => ledger.run('taken: = journal_must_have_transfers 0'),
    amount_must_be_positive: (ledger) => ledger.run('taken: A > B 1, C > C 0 = amount_must_be_positive 1'),
    accounts_must_be_different: (ledger) => ledger.run('taken: A > s.A 999, C > C 1 = accounts_must_be_different 1'),
    accounts_must_share_a_book: (ledger) =>
      ledger.run('taken: s.cash > s.hA 1, A > s.A 999 = accounts_must_share_a_book 1'),
    accounts_must_share_an_asset: (ledger) =>
      ledger.run('taken: A > B 999, s.cash > s.hA 1 = accounts_must_share_an_asset 1'),
    exists_with_different_content: (ledger) =>
      ledger.run('taken: X > A 5, A > B 999 = exists_with_different_content 0'),
    account_closed: (ledger) => ledger.run('new: A > B 999, X > A 5 = account_closed 1'),
    insufficient_funds: (ledger) => ledger.run('new: A > RICH 501 = insufficient_funds 0'),
    balance_limit_exceeded: (ledger) => ledger.run('new: float > RICH 2 = balance_limit_exceeded 0'),
  };

  for (const reason of POST_REFUSALS) {
    test(reason, async () => {
      const ledger = script();
      await ledger.run(`
        taken: float > A 500 = posted
        x: float > X 5 = posted
        A 500, X 5, B 0`);
      await database.owner`
        update accounts set balance = ${Number.MAX_SAFE_INTEGER - 1}
        where owner_id = ${await opened(ledger, 'RICH')}`;
      await close('X', ledger);
      await refusals[reason](ledger);
      expect(await ledger.balancesOf('A 500, B 0, X 5')).toBe('A 500, B 0, X 5');
    });
  }

  async function opened(ledger: LedgerScript, name: string): Promise<string | null> {
    await ledger.run(`open-${name}: float > ${name} 1 = posted`);
    return ledger.key(name).owner;
  }
});

test('An account that was opened in a part that was taken back is opened by the next who needs it', async () => {
  const ledger = script();
  await ledger.run('fund: float > A 100 = posted');
  const refused = new Refusal('insufficient_funds');
  await database.transaction(async (tx) => {
    const part = tx.alone(async () => {
      await post(tx, [ledger.journal('k: A > NEW 1')]);
      throw refused;
    });
    await expect(part).rejects.toBe(refused);
  });
  await ledger.run(`
    l: A > NEW 2 = posted
    A 98, NEW 2`);
});

test('Amounts that are not whole, not finite or too large to be exact are refused as amounts', async () => {
  await script().run(`
    a: float > A 1.5 = amount_must_be_positive 0
    b: float > A -3 = amount_must_be_positive 0
    c: float > A NaN = amount_must_be_positive 0
    d: float > A 9007199254740992 = amount_must_be_positive 0
    A 0`);
});

test('A refused journal posts none of its transfers and does not affect other journals of the batch', async () => {
  await script().run(`
    fund: float > A 100 = posted
    first: A > B 40, A > C 40, A > D 40 = insufficient_funds 2
    second: A > B 60, A > C 40 = posted
    third: A > B 1 = insufficient_funds 0
    fourth: B > A 10 = posted
    fifth: A > C 10 = posted
    A 0, B 50, C 50, D 0`);
});

test('Transfers of one journal apply one after another: money that comes in first may go out in the next transfer', async () => {
  await script().run(`
    fund: float > A 100 = posted
    in-then-out: A > B 100, B > C 100 = posted
    out-then-in: B > A 1, C > B 1 = insufficient_funds 0
    A 0, B 0, C 100`);
});

test('A journal moves money and shares in several books, or moves nothing', async () => {
  await script().run(`
    buy [test_sacco]: s.cash > s.A 500, s.issued > s.hA 5 = posted
    s.cash 500, s.A 500, s.issued 5, s.hA 5

    sell [test_sacco]: s.cash > s.A 500, s.hA > s.hB 6 = insufficient_funds 1
    s.cash 500, s.A 500, s.hA 5, s.hB 0`);
});

test('The same journal is posted once, in one batch and across batches', async () => {
  await script().run(`
    k: float > A 100 = posted
    k: float > A 100 = exists
    A 100

    k: float > A 100 = exists
    l: A > B 30 = posted
    k: float > A 100 = exists
    A 70, B 30`);
});

test('A key that was used with another amount, account, order or kind is refused, in one batch and across batches', async () => {
  await script().run(`
    k: float > A 100, A > B 10 = posted
    k: float > A 101, A > B 10 = exists_with_different_content 0

    k: float > B 100, A > B 10 = exists_with_different_content 0
    k: A > B 10, float > A 100 = exists_with_different_content 0
    k: float > A 100 = exists_with_different_content 0
    A 90, B 10`);
});

test('A key that was used with another kind, causer, subject or reversed journal is refused too', async () => {
  const ledger = script();
  const journal = ledger.journal('k: float > A 5');
  const id = database.newId();
  const others = [
    ledger.journal('k [test_other]: float > A 5'),
    { ...journal, causedBy: id },
    { ...journal, about: { type: 'test', id } },
    { ...journal, about: { ...journal.about, type: 'other' } },
  ];
  const results = await database.transaction((tx) => post(tx, [journal, ...others]));
  const later = await database.transaction((tx) => post(tx, [...others, journal]));
  const reason = 'exists_with_different_content';
  expect(results.map((result) => (result.status === 'refused' ? result.reason : result.status))).toEqual([
    'posted',
    ...others.map(() => reason),
  ]);
  expect(later.map((result) => (result.status === 'refused' ? result.reason : result.status))).toEqual([
    ...others.map(() => reason),
    'exists',
  ]);
});

test('A refused journal leaves its key free: the same journal may post later, even in the same batch', async () => {
  await script().run(`
    k: A > B 10 = insufficient_funds 0
    fund: float > A 100 = posted
    k: A > B 10 = posted
    k: A > B 10 = exists
    A 90, B 10`);
});

test('When the first journal of a key is refused, the next one of that key posts with its own kind and subject', async () => {
  const ledger = script();
  await ledger.run(`
    k: A > B 10 = insufficient_funds 0
    k [test_other]: float > A 7 = posted
    A 7`);
  const [row] = await database.sql`
    select kind from journals where idempotency_key = ${ledger.journal('k: A > B 1').idempotencyKey}`;
  expect(row?.kind).toBe('test_other');
});

test('Results name the journal: a repeated journal has the id of the one that posted', async () => {
  const ledger = script();
  const [first, again] = await ledger.postLines(['k: float > A 5', 'k: float > A 5']);
  const [later] = await ledger.postLines(['k: float > A 5']);
  const id = first?.status === 'posted' ? first.journalId : '';
  expect(id).toMatch(/^\d+$/);
  expect(again).toEqual({ status: 'exists', journalId: id });
  expect(later).toEqual({ status: 'exists', journalId: id });
});

test('The database itself refuses a balance below zero, whatever the program computes', async () => {
  const ledger = script();
  await ledger.run('fund: float > A 10 = posted');
  const owner = ledger.key('A').owner;
  await expect(database.owner`update accounts set balance = -1 where owner_id = ${owner}`).rejects.toThrow(
    /accounts_balance_floor/,
  );
  await expect(
    database.owner`update accounts set balance = 9007199254740992 where owner_id = ${owner}`,
  ).rejects.toThrow(/accounts_balance_limit/);
});

test('The application can neither change nor add history, nor set a balance', async () => {
  const ledger = script();
  const [result] = await ledger.postLines(['fund: float > A 10']);
  const id = result?.status === 'posted' ? result.journalId : '';
  const forbidden = [
    'update transfers set amount = 1',
    'delete from transfers',
    'truncate transfers',
    'insert into transfers overriding system value select * from transfers',
    "update journals set kind = 'other'",
    'delete from journals',
    'insert into journals overriding system value select * from journals',
    'update accounts set balance = 1',
    'delete from accounts',
    'insert into accounts overriding system value select * from accounts',
  ];
  for (const statement of forbidden) {
    await expect(database.sql.unsafe(statement), statement).rejects.toThrow(/permission denied/);
  }
  // The only function that deletes journals refuses those that have transfers.
  await expect(database.sql`select ledger_unclaim(${`{${id}}`})`).rejects.toThrow(/is history/);
});

test('Balances cannot be written over a change that was made since they were read', async () => {
  const ledger = script();
  await ledger.run('fund: float > A 10 = posted');
  const owner = ledger.key('A').owner;
  const [account] = await database.owner`select ctid::text as place, balance from accounts where owner_id = ${owner}`;
  const write = (place: unknown, before: number) =>
    database.sql`select ledger_write('{}', '{}', '{}', '{}', '{}', '{}', '{}',
      ${`{"${place}"}`}, ${`{${before}}`}, '{99}')`;
  await expect(write(account?.place, 9)).rejects.toThrow(/moved while/);
  expect(await ledger.balancesOf('A 10')).toBe('A 10');
});

test('postOrRefuse refuses what a person can cause, and throws a plain error for a mistake of the program', async () => {
  const ledger = script();
  const attempt = (line: string) => database.transaction((tx) => postOrRefuse(tx, ledger.journal(line)));
  const refused = (line: string) => attempt(line).catch((error: Refusal) => error.code);
  expect(await attempt('fund: float > A 10')).toMatch(/^\d+$/);
  expect(await refused('a: A > B 11')).toBe('insufficient_funds');
  await close('A', ledger);
  expect(await refused('a: A > B 5')).toBe('account_closed');
  await ledger.run(`rich: float > R ${Number.MAX_SAFE_INTEGER - 100} = balance_limit_exceeded 0`);
  const error = await attempt('b:').catch((thrown: Error) => thrown);
  expect(error).not.toBeInstanceOf(Refusal);
  expect(String(error)).toContain('journal_must_have_transfers');
});

test('A pair of accounts that is not in docs/postings.md is a mistake of the program, and nothing is posted', async () => {
  const ledger = script();
  const pair = ledger.postLines(['good: float > A 5', 'bad [test_other]: A > B 1']);
  await expect(pair).rejects.toThrow('test_other may not post P wallet: wallet:');
  expect(await ledger.balancesOf('A 0')).toBe('A 0');
});

test('A reversal mirrors its journal, at most once, and only while the money is still there', async () => {
  const ledger = script();
  const [posted] = await ledger.postLines(['k: float > A 100, A > B 60']);
  const journalId = posted?.status === 'posted' ? posted.journalId : '';
  const reverse = (key: string) =>
    database.transaction(async (tx) => {
      const about = { type: 'test', id: database.newId() };
      return postOrRefuse(tx, await reversalOf(tx, { journalId, idempotencyKey: key, causedBy: null, about }));
    });
  await ledger.run('spend: B > C 20 = posted');
  await expect(reverse(`r1:${journalId}`)).rejects.toThrow(Refusal);
  await ledger.run('back: C > B 20 = posted');
  await reverse(`r1:${journalId}`);
  expect(await ledger.balancesOf('A 0, B 0, C 0')).toBe('A 0, B 0, C 0');
  await expect(reverse(`r2:${journalId}`)).rejects.toThrow(/journals_reversed_once/);
});

test('Keys and texts with quotes, commas, braces, backslashes and null are stored as they are', async () => {
  const ledger = script();
  const keys = ['a"b', 'a,b', '{a}', 'a\\b', 'null', 'NULL', "a'b", ' ', 'ä→', 'a\nb'];
  const journals = keys.map((key) => ({
    ...ledger.journal('k: float > A 1'),
    idempotencyKey: `${key}`,
    about: { type: key, id: database.newId() },
  }));
  const results = await database.transaction((tx) => post(tx, journals));
  expect(results.map(({ status }) => status)).toEqual(keys.map(() => 'posted'));
  const ids = results.map((result) => (result.status === 'posted' ? Number(result.journalId) : 0));
  const rows = await database.sql`
    select idempotency_key, about_type from journals where id = any (${ids}) order by id`;
  expect(rows.map((row) => row.idempotency_key).sort()).toEqual([...keys].sort());
  expect(rows.map((row) => row.about_type).sort()).toEqual([...keys].sort());
});

test('A batch of a thousand journals takes as many statements as a batch of one', async () => {
  const ledger = script();
  const count = async (size: number) => {
    let statements = 0;
    await database.transaction((tx) => {
      const sql = new Proxy(tx.sql, {
        apply: (target, self, args) => {
          statements += 1;
          return Reflect.apply(target, self, args);
        },
      });
      const journals = Array.from({ length: size }, (_, index) => ledger.journal(`c${size}-${index}: float > A 1`));
      return post({ ...tx, sql }, journals);
    });
    return statements;
  };
  await count(1);
  expect(await count(1)).toBe(3);
  expect(await count(1_000)).toBe(3);
});

describe('Accounts that were locked before', () => {
  /** The statements that `run` sends, once all accounts are open and their ids cached. */
  const statementsOf = (run: (tx: Parameters<typeof post>[0]) => Promise<unknown>) => {
    const texts: string[] = [];
    return database
      .transaction((tx) => {
        const sql = new Proxy(tx.sql, {
          apply: (target, self, args) => {
            texts.push(/ledger_\w+/.exec((args[0] as string[]).join('?'))?.[0] ?? 'other');
            return Reflect.apply(target, self, args);
          },
        });
        return run({ ...tx, sql });
      })
      .then(() => texts);
  };

  test('are neither locked nor read again; those that moved are locked again by the next post', async () => {
    const ledger = script();
    await ledger.run('fund: float > A 100, A > B 1 = posted');
    const [a, b, float] = ['A', 'B', 'float'].map((name) => ledger.key(name)) as [AccountKey, AccountKey, AccountKey];
    const statements = await statementsOf(async (tx) => {
      const locked = await lockAccounts(tx, [a, b, float, a]);
      expect(locked.balances).toEqual([99, 1, locked.balanceOf(float), 99]);
      await post(tx, [ledger.journal('one: A > B 20')], locked);
      expect([a, b].map((key) => locked.balanceOf(key))).toEqual([79, 21]);
      await post(tx, [ledger.journal('two: float > B 5, B > float 5')], locked);
      await post(tx, [ledger.journal('three: A > B 80')], locked);
      expect([a, b].map((key) => locked.balanceOf(key))).toEqual([79, 21]);
      await post(tx, [ledger.journal('four: A > B 79')], locked);
    });
    expect(statements).toEqual([
      'ledger_lock',
      'ledger_post',
      // B moved in the post before.
      ...['ledger_claim', 'ledger_lock', 'ledger_write'],
      // A moved in the post before; nothing is written.
      ...['ledger_claim', 'ledger_lock', 'ledger_unclaim'],
      'ledger_post',
    ]);
    expect(await ledger.balancesOf('A 0, B 100')).toBe('A 0, B 100');
  });

  test('with a used key, a repeated key or an impossible journal in the batch: the others post, in the order given', async () => {
    const ledger = script();
    await ledger.run('fund: float > A 100, A > B 1 = posted');
    await ledger.run('old: A > B 9 = posted');
    const [a, b] = ['A', 'B'].map((name) => ledger.key(name)) as [AccountKey, AccountKey];
    const cases: [journals: string[], answers: string[], after: number][] = [
      [['n1: A > B 10', 'old: A > B 9', 'n2: A > B 5'], ['posted', 'exists', 'posted'], 75],
      [['n3: A > B 10', 'old: A > B 8', 'n4: B > A 5'], ['posted', 'exists_with_different_content', 'posted'], 70],
      [['n5: A > B 10', 'n5: A > B 10', 'n6: A > B 1'], ['posted', 'exists', 'posted'], 59],
      [['n7: A > B 50', 'n8: A > B 50', 'n9: A > B 9'], ['posted', 'insufficient_funds', 'posted'], 0],
    ];
    for (const [journals, answers, after] of cases) {
      const results = await database.transaction(async (tx) => {
        const locked = await lockAccounts(tx, [a, b]);
        return post(
          tx,
          journals.map((text) => ledger.journal(text)),
          locked,
        );
      });
      expect(results.map((result) => (result.status === 'refused' ? result.reason : result.status))).toEqual(answers);
      expect(await ledger.balancesOf(`A ${after}, B ${100 - after}`)).toBe(`A ${after}, B ${100 - after}`);
    }
  });

  test('belong to one transaction: another one that is given them throws', async () => {
    const ledger = script();
    await ledger.run('fund: float > A 100 = posted');
    const locked = await database.transaction((tx) => lockAccounts(tx, [ledger.key('A'), ledger.key('B')]));
    const later = database.transaction((tx) => post(tx, [ledger.journal('k: A > B 1')], locked));
    await expect(later).rejects.toThrow('locked by another transaction');
    expect(await ledger.balancesOf('A 100, B 0')).toBe('A 100, B 0');
    expect(() => locked.balanceOf(ledger.key('C'))).toThrow('was not locked');
  });

  test('stop the post when something else in the transaction has moved them meanwhile', async () => {
    const ledger = script();
    await ledger.run('fund: float > A 100 = posted');
    const careless = database.transaction(async (tx) => {
      const locked = await lockAccounts(tx, [ledger.key('A')]);
      await post(tx, [ledger.journal('k: A > B 1')]);
      await post(tx, [ledger.journal('l: A > B 1')], locked);
    });
    await expect(careless).rejects.toThrow('an account moved while');
    expect(await ledger.balancesOf('A 100, B 0')).toBe('A 100, B 0');
  });

  test('are refused when they are closed, as without the lock', async () => {
    const ledger = script();
    await ledger.run('fund: float > A 100, A > B 1 = posted');
    await close('B', ledger);
    const [result] = await database.transaction(async (tx) => {
      const locked = await lockAccounts(tx, [ledger.key('A'), ledger.key('B')]);
      return post(tx, [ledger.journal('k: A > B 1')], locked);
    });
    expect(result).toEqual({ status: 'refused', reason: 'account_closed', transferIndex: 0 });
  });
});
