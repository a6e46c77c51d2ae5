import { type AccountKind, accountKinds } from '@ushirika/contract/journals';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '../db/test-database.ts';
import { balances, lockAccounts } from './balances.ts';
import { breaches, ledgerInvariants } from './invariants.ts';
import { type AccountKey, type JournalInput, POST_REFUSALS } from './ledger.types.ts';
import { LedgerModel } from './ledger-model.ts';
import { post } from './post.ts';
import { allow } from './postings.ts';

const database = await testDatabase();

/** Few accounts, few keys and small amounts, so that collisions, overdrafts and repetitions are frequent. */
const kinds: AccountKind[] = ['mpesa_float', 'wallet', 'suspense', 'cash', 'deposits', 'shares_issued', 'holding'];
const owned = new Set<AccountKind>(['wallet', 'deposits', 'holding']);
const everyPair = (['P', 'S'] as const).flatMap((book) =>
  kinds.flatMap((debit) => kinds.map((credit) => [book, sideOf(debit), sideOf(credit)] as const)),
);
const journalKinds = [allow('model_one', everyPair), allow('model_two', everyPair)];

function sideOf(kind: AccountKind): AccountKind | `${AccountKind}:U` {
  return owned.has(kind) ? `${kind}:U` : kind;
}

const owners = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'];

function universe(books: readonly string[]): AccountKey[] {
  return books.flatMap((book) =>
    kinds.flatMap((kind) => (owned.has(kind) ? owners : [null]).map((owner) => ({ book, kind, owner }))),
  );
}

const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -5, 1.5, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 50) },
);
const pair = fc.tuple(fc.nat(), fc.nat(), amount);
const journal = fc.record({
  key: fc.integer({ min: 1, max: 30 }),
  kind: fc.constantFrom(...journalKinds),
  causedBy: fc.constantFrom(null, ...owners),
  // Mostly within one asset and book, so that most journals get as far as the check of balances.
  isWild: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  transfers: fc.array(pair, { minLength: 0, maxLength: 4 }),
});
type Draft = typeof journal extends fc.Arbitrary<infer T> ? T : never;

function build(draft: Draft, accounts: readonly AccountKey[], prefix: string): JournalInput {
  return {
    kind: draft.kind,
    idempotencyKey: `${prefix}:${draft.key}`,
    causedBy: draft.causedBy,
    about: { type: 'model', id: owners[0] as string },
    transfers: draft.transfers.map(([first, second, value]) => {
      const debit = accounts[first % accounts.length] as AccountKey;
      const near = accounts.filter(
        ({ book, kind }) => book === debit.book && accountKinds[kind].asset === accountKinds[debit.kind].asset,
      );
      const credit = (draft.isWild ? accounts : near)[second % (draft.isWild ? accounts : near).length] as AccountKey;
      return { debit, credit, amount: value };
    }),
  };
}

/** Batches draw from a few drafts, so that whole journals are repeated; different drafts may also share a key. */
const runs = fc.record({
  drafts: fc.array(journal, { minLength: 5, maxLength: 40, size: 'max' }),
  batches: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 20, size: 'max' }), {
    minLength: 1,
    maxLength: 5,
    size: 'max',
  }),
});

/** How one transaction posts its batches: which accounts it locks first, and whether it passes them to `post`. */
const lockings = fc.record({
  drafts: fc.array(journal, { minLength: 5, maxLength: 40, size: 'max' }),
  batches: fc.array(
    fc.record({
      posts: fc.array(fc.nat(), { minLength: 1, maxLength: 15, size: 'max' }),
      isWithLocked: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 1, maxLength: 5, size: 'max' },
  ),
  /** One account in so many is not locked first; 0: all are. */
  leftOut: fc.constantFrom(0, 0, 2, 3),
});

test('Journals end as in the model when the transaction locked all or some accounts before, in one post or in several', async () => {
  let relocked = 0;
  await fc.assert(
    fc.asyncProperty(lockings, async ({ drafts, batches, leftOut }) => {
      const prefix = database.newId();
      const accounts = universe([database.newId(), database.newId()]);
      const chosen = accounts.filter((_, index) => leftOut === 0 || index % leftOut !== 0);
      const model = new LedgerModel();
      // Money to spend, so that some locked balances are not zero.
      const funds = [7, 11, 13].map(
        (key): Draft => ({
          key: 100 + key,
          kind: journalKinds[0] as Draft['kind'],
          causedBy: null,
          isWild: false,
          transfers: [[key, key * 5, 50]],
        }),
      );
      const funding = funds.map((draft) => build(draft, accounts, prefix));
      await database.transaction((tx) => post(tx, funding));
      for (const each of funding) model.post(each);
      await database.transaction(async (tx) => {
        const locked = await lockAccounts(tx, [...chosen, ...chosen.slice(0, 3)]);
        expect(locked.balances).toEqual([...chosen, ...chosen.slice(0, 3)].map((key) => model.balanceOf(key)));
        for (const { posts, isWithLocked } of batches) {
          // A transaction that does not pass its locked accounts on uses accounts that nobody has locked or read.
          const own = isWithLocked ? accounts : universe([prefix]);
          const journals = posts.map((index) => build(drafts[index % drafts.length] as Draft, own, prefix));
          const results = await post(tx, journals, isWithLocked ? locked : null);
          expect(results.map((result) => ({ ...result, journalId: undefined }))).toEqual(
            journals.map((each) => model.post(each)),
          );
          expect(chosen.map((key) => locked.balanceOf(key))).toEqual(chosen.map((key) => model.balanceOf(key)));
        }
        relocked += batches.length > 1 ? 1 : 0;
      });
      expect(await balances(database, accounts)).toEqual(accounts.map((key) => model.balanceOf(key)));
    }),
    { numRuns: 100 },
  );
  expect(relocked).toBeGreaterThan(20);
  const structural = ledgerInvariants.filter(({ name }) => !/shares issued|M-Pesa|the platform holds/.test(name));
  expect(await breaches(database.owner, structural)).toEqual([]);
}, 120_000);

test('Random batches of random journals end as in the model, which applies them one by one', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(runs, async ({ drafts, batches }) => {
      // Each run has books and keys of its own.
      const prefix = database.newId();
      const accounts = universe([database.newId(), database.newId()]);
      const model = new LedgerModel();
      for (const batch of batches) {
        const journals = batch.map((index) => build(drafts[index % drafts.length] as Draft, accounts, prefix));
        const results = await database.transaction((tx) => post(tx, journals));
        const expected = journals.map((each) => model.post(each));
        expect(results.map((result) => ({ ...result, journalId: undefined }))).toEqual(expected);
        for (const result of results) seen.add(result.status === 'refused' ? result.reason : result.status);
      }
      expect(await balances(database, accounts)).toEqual(accounts.map((key) => model.balanceOf(key)));
    }),
    { numRuns: 120 },
  );
  // The model does not check the order of rows, the balance after each transfer, or the journals' headings.
  const structural = ledgerInvariants.filter(({ name }) => !/shares issued|M-Pesa|the platform holds/.test(name));
  expect(await breaches(database.owner, structural)).toEqual([]);
  // The drafts must reach every refusal. The model has no closed accounts, and the balance limit is reached only by
  // chance.
  const certain = POST_REFUSALS.filter((reason) => reason !== 'account_closed' && reason !== 'balance_limit_exceeded');
  expect([...seen]).toEqual(expect.arrayContaining([...certain, 'posted', 'exists']));
}, 120_000);
