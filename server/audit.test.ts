import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { audit, auditTasks } from './audit.ts';
import { type TestDatabase, testDatabase } from './db/test-database.ts';
import { invariants } from './domains.ts';
import { ledgerInvariants } from './ledger/invariants.ts';
import { LedgerScript } from './ledger/ledger-script.ts';
import { postOrRefuse } from './ledger/post.ts';
import { reversalOf } from './ledger/reversal.ts';
import { realWorld } from './world.ts';

let database: TestDatabase;
let ledger: LedgerScript;

beforeEach(async () => {
  database = await testDatabase();
  ledger = new LedgerScript(database);
  await ledger.run(`
    fund: float > A 500, A > B 120 = posted
    buy [test_sacco]: s.issued > s.hA 7 = posted
    wrong: float > C 30 = posted`);
  const [wrong] = await database.sql`select id from journals where idempotency_key like 'wrong%'`;
  await database.transaction(async (tx) => {
    const about = { type: 'test', id: tx.newId() };
    const journalId = String(wrong?.id);
    await postOrRefuse(tx, await reversalOf(tx, { journalId, idempotencyKey: 'r', causedBy: null, about }));
  });
  return () => database.close();
});

const broken = async () =>
  (await audit(database.url, ledgerInvariants)).filter(({ breach }) => breach).map(({ name }) => name);

test('A database that only the ledger has written breaks nothing', async () => {
  expect(await broken()).toEqual([]);
});

describe('A hand in the database is found', () => {
  /** What is done as the owner, and every invariant that must notice; the first is the one that it is made for. */
  const hands: Record<string, readonly string[]> = {
    'Both accounts of a transfer are of one book and one asset': [
      `update transfers set credit_account_id = (select id from accounts where kind = 'holding')
       where credit_account_id = (select id from accounts where kind = 'wallet' order by id limit 1)`,
    ],
    'In every book, for each asset, debits equal credits': [
      "update accounts set balance = balance + 1 where kind = 'mpesa_float'",
    ],
    'Every balance is the sum of its transfers': [
      `update accounts set balance = balance + case id when (select min(id) from accounts where kind = 'wallet')
       then 5 else -5 end where kind = 'wallet' and balance > 5`,
    ],
    'Every balance after a transfer is the one before it, moved by its amount': [
      'update transfers set debit_balance_after = debit_balance_after + 1 where position = 1',
    ],
    'No balance is past its limit, nor ever was': ['update transfers set credit_balance_after = -1 where position = 1'],
    "In every sacco, the members' holdings and those set aside are the shares issued": [
      "update accounts set balance = 8 where kind = 'shares_issued'",
    ],
    'What the platform owes (wallets, holds, settlements, suspense) is what it has at M-Pesa': [
      "update accounts set balance = balance + 1 where kind = 'mpesa_float'",
    ],
    'The cash of every sacco is what the platform holds for it': [
      "update accounts set kind = 'settlement', owner_id = gen_random_uuid() where kind = 'wallet' and balance = 120",
    ],
    'Every journal has transfers, numbered from 0, and every transfer has a journal': [
      'update transfers set position = 5 where position = 1',
    ],
    'Every kind of journal is one that docs/postings.md knows': [
      "update journals set kind = 'bribed' where kind = 'test_sacco'",
    ],
    'Every account has the asset, the side and the limit of its kind': [
      "update accounts set may_go_negative = true where kind = 'wallet'",
    ],
    'Every reversal takes back exactly what its journal did': [
      'update transfers set amount = amount + 1 where journal_id = (select id from journals where reverses is not null)',
    ],
  };

  for (const { name } of ledgerInvariants) {
    test(name, async () => {
      for (const statement of hands[name] ?? []) await database.owner.unsafe(statement);
      expect(hands[name]).toBeDefined();
      expect(await broken()).toContain(name);
    });
  }

  test('also a transfer or a journal that is gone, and a journal without transfers', async () => {
    const structure = 'Every journal has transfers, numbered from 0, and every transfer has a journal';
    for (const statement of [
      'delete from transfers where position = 0 and journal_id = (select min(id) from journals)',
      'delete from journals where id = (select min(id) from journals)',
    ]) {
      const rollback = new Error('enough');
      await database.owner
        .begin(async (hand) => {
          await hand.unsafe(statement);
          const invariant = ledgerInvariants.find(({ name }) => name === structure);
          expect(await invariant?.find(hand)).toHaveLength(1);
          throw rollback;
        })
        .catch((error: unknown) => expect(error).toBe(rollback));
    }
    expect(await broken()).toEqual([]);
  });
});

test('npm run audit prints every invariant and ends with 1 on a breach, with the rows that say so', async () => {
  const program = fileURLToPath(new URL('./audit.ts', import.meta.url));
  const run = () =>
    promisify(execFile)(process.execPath, [program], { env: { ...process.env, DATABASE_URL: database.url } }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  // The kinds of the tests' own journals are unknown to the product.
  await database.owner`update journals set kind = 'shares_bought' where kind <> 'reversal'`;
  const whole = await run();
  expect(whole.stdout).toContain(`All ${invariants.length} invariants hold.`);
  expect(whole.code).toBe(0);
  await database.owner`update accounts set balance = balance + 1 where kind = 'shares_issued'`;
  const hurt = await run();
  expect(hurt.code).toBe(1);
  expect(hurt.stdout).toMatch(/BROKEN .* In every book, for each asset, debits equal credits/);
  expect(hurt.stdout).toMatch(/SHARE/);
  expect(hurt.stdout).toMatch(/3 of \d+ are BROKEN/);
  // The operators' page reads what was found last; the nightly job notes it in the same way.
  const noted = () => database.sql`select breaches from audit_runs order by ran_at, id`;
  expect((await noted()).map((row) => row.breaches)).toEqual([0, 3]);
  await auditTasks(database.url, realWorld).audit_books();
  expect((await noted()).map((row) => row.breaches)).toEqual([0, 3, 3]);
});
