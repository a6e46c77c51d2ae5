import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { depositSavings } from '../savings/deposit-savings.ts';
import { decideCheckOff } from './decide-check-off.ts';
import { historyOf, standingOf } from './loan-facts.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { loansInvariants } from './loans.invariants.ts';
import { makeCheckOff } from './make-check-off.ts';
import { payCheckOff } from './pay-check-off.ts';
import { repaymentHistoriesOf } from './pool-needs.ts';
import { payoffOfLoan, repayLoans } from './repay-loans.ts';
import { runCheckOffs } from './run-check-offs.ts';
import { runStandingRepayments } from './standing-repayments.ts';
import type { TestLoan } from './test-late-loans.ts';
import { testLending } from './test-lending.ts';

const lending = await testLending();
const { database, people, late, founder, goTo } = lending;
let sacco: string;
let borrower: string;
let guarantor: string;

afterAll(() => database.close());
beforeEach(async () => {
  sacco = await lending.sacco();
  borrower = await lending.borrower(sacco);
  guarantor = await people.person('Baraka', 'Mwangi');
  await late.saccos.fund(borrower, 50_000_00);
  await late.saver(sacco, guarantor, 100_000_00);
});

/** Ksh. 100,000 at 1 % a month over 12 months, paid out on 2 March 2026: 8,884.88 is due on 2 April. */
const lend = (more: Partial<TestLoan> = {}) =>
  late.loan({
    ...{ sacco, borrower, amountCents: 100_000_00, months: 12, pledges: [{ guarantor, cents: 40_000_00 }] },
    ...more,
  });
const row = async (loan: string) => (await database.sql`select * from loans where id = ${loan}`)[0];
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants]);
const pay = (loanId: string, amountCents: number) =>
  database.transaction((tx) =>
    repayLoans(tx, [{ loanId, payerId: borrower, amountCents, channel: 'wallet', key: tx.newId() }]),
  );
const payoff = async (id: string) => (await database.transaction((tx) => payoffOfLoan(tx, { id }))).payoff.amount;
const notices = async (loan: string) =>
  (
    await database.sql<{ kind: string }[]>`
      select kind from loan_notices where loan_id = ${loan} and kind <> 'reminder' order by at`
  ).map(({ kind }) => kind);
const forgiven = (loan: string) =>
  database.sql`
    select a.kind as debit, c.kind as credit, t.amount from journals j join transfers t on t.journal_id = j.id
    join accounts a on a.id = t.debit_account_id join accounts c on c.id = t.credit_account_id
    where j.kind = 'loan_rest_forgiven' and j.about_id = ${loan} order by t.id`;
const wallet = async (userId: string) =>
  (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: userId }]))[0];
describe('no more than Ksh. 10 overdue counts as nothing', () => {
  test('8,884.00 paid for 8,884.88: performing, nobody is told on days 1, 7 and 30, and 1 % is set aside (field case M3)', async () => {
    const loan = await lend();
    await late.live(sacco, '2026-04-02');
    await pay(loan, 8_884_00);
    await late.live(sacco, '2026-05-02');
    expect(await row(loan)).toMatchObject({
      ...{ state: 'active', class: 'performing', penalty_cents: 0, overdue_cents: 0, days_past_due: 0 },
      ...{ arrears_since: null, provision_cents: 921_16, due_on: '2026-05-02', due_cents: 8_884_88 + 88 },
    });
    expect(await notices(loan)).toEqual([]);
    const reader = { sql: database.sql, now: database.now() };
    expect(await standingOf(reader, { saccoId: sacco, userId: borrower })).toMatchObject({ isInArrears: false });
    expect(await historyOf(reader, sacco, borrower)).toMatchObject({ on_time: 1, late: 0, in_arrears_now: false });
    const histories = await database.transaction((tx) => repaymentHistoriesOf(tx, [borrower]));
    expect(histories.get(borrower)).toMatchObject({ onTime: 1, late30: 0, daysPastDue: 0 });
    expect(await sound()).toEqual([]);
  });

  test('rests that are more than the tolerance together are late since the last of them, not since the first', async () => {
    const loan = await lend();
    for (const [day, cents] of [
      ['2026-04-02', 8_880_00],
      ['2026-05-02', 8_884_88],
      ['2026-06-02', 8_879_00],
    ] as const) {
      goTo(day);
      await pay(loan, cents);
    }
    goTo('2026-06-02');
    await late.live(sacco, '2026-06-03');
    expect(await row(loan)).toMatchObject({
      ...{ state: 'in_arrears', days_past_due: 1, arrears_since: '2026-06-02', overdue_cents: 10_76 },
    });
    expect(await notices(loan)).toEqual(['missed']);
    await pay(loan, 76);
    expect(await row(loan)).toMatchObject({ state: 'active', overdue_cents: 0, days_past_due: 0, arrears_since: null });
    expect(await sound()).toEqual([]);
  });

  test('10.01 that is missing is late, and 10.00 is not', async () => {
    const [ten, more] = [await lend({ pledges: [] }), await lend({ pledges: [] })];
    goTo('2026-04-02');
    await pay(ten, 8_874_88);
    await pay(more, 8_874_87);
    await late.live(sacco, '2026-04-03');
    expect(await row(ten)).toMatchObject({ state: 'active', days_past_due: 0 });
    expect(await row(more)).toMatchObject({ state: 'in_arrears', days_past_due: 1, overdue_cents: 10_01 });
  });

  test('a payment that is smaller than the penalty leaves a loan late since the same day', async () => {
    const loan = await lend();
    goTo('2026-04-02');
    await pay(loan, 8_879_88);
    await late.live(sacco, '2026-07-10');
    const late69 = {
      state: 'in_arrears',
      rest_number: 1,
      due_on: '2026-05-02',
      days_past_due: 69,
      class: 'substandard',
    };
    expect(await row(loan)).toMatchObject(late69);
    expect((await row(loan))?.penalty_cents).toBeGreaterThan(100_00);
    await pay(loan, 1_00);
    expect(await row(loan)).toMatchObject(late69);
    await late.live(sacco, '2026-07-11');
    expect(await row(loan)).toMatchObject({ ...late69, days_past_due: 70 });
    expect(await sound()).toEqual([]);
  });

  test('no tolerance is more than Ksh. 10', async () => {
    const set = (cents: number) => database.owner`
      insert into loan_tolerances (valid_from, cents) values ('2126-01-01', ${cents})`;
    await expect(set(10_01)).rejects.toThrow('loan_tolerances_cents_check');
  });

  test('the database finds the instalment that is asked for as the payment did, whatever was paid', async () => {
    const loan = await lend();
    const asked = () =>
      database.sql`
        select l.rest_number, l.due_number as number, l.due_on, l.due_cents as cents, a.rest_number as rest_again,
          a.number as number_again, a.due_on as due_again, a.cents as cents_again
        from loans l cross join lateral asked_of_loan(l.id, ${database.now().toISOString().slice(0, 10)}) a where l.id = ${loan}`;
    for (const [day, cents] of [
      ['2026-03-20', 5_00],
      ['2026-04-02', 8_872_00],
      ['2026-04-02', 4_00],
      ['2026-05-03', 8_885_00],
      ['2026-06-20', 100_00],
      ['2026-06-21', 8_785_00],
      ['2026-07-02', 20_000_00],
    ] as const) {
      goTo(day);
      await pay(loan, cents);
      const [found] = await asked();
      expect(found).toMatchObject({ ...{ rest_again: found?.rest_number, number_again: found?.number } });
      expect(found).toMatchObject({ ...{ due_again: found?.due_on, cents_again: found?.cents } });
    }
  });
});

describe('a payment that leaves no more than Ksh. 10 of the whole loan closes it', () => {
  test('the last instalment in whole shillings: the rest is interest that is no income any more, and the guarantor is free', async () => {
    const loan = await lend({ months: 2 });
    goTo('2026-04-02');
    await pay(loan, 50_751_24);
    goTo('2026-05-02');
    expect(await payoff(loan)).toBe(50_751_25);
    const [paid] = await pay(loan, 50_751_00);
    expect(paid).toMatchObject({ isPaidOff: true, amountCents: 50_751_00 });
    expect(await row(loan)).toMatchObject({
      state: 'closed',
      closed_because: 'paid',
      principal_cents: 0,
      interest_cents: 0,
    });
    expect(await forgiven(loan)).toEqual([{ debit: 'interest_income', credit: 'interest_receivable', amount: 25 }]);
    expect(await database.sql`select state, pledged_cents from loan_guarantees where loan_id = ${loan}`).toMatchObject([
      { state: 'released', pledged_cents: 0 },
    ]);
    expect(
      await database.sql`select amount_cents from loan_events where loan_id = ${loan} and kind = 'rest_forgiven'`,
    ).toEqual([{ amount_cents: 25 }]);
    expect(await sound()).toEqual([]);
    expect(await pay(loan, 1_00)).toMatchObject([{ code: 'loan_conflict' }]);
  });

  test('the rest of a loan without interest is a small cost', async () => {
    const loan = await lend({ months: 2, monthlyRate: 0 });
    goTo('2026-05-02');
    await pay(loan, 99_995_00);
    expect(await row(loan)).toMatchObject({ state: 'closed', principal_cents: 0 });
    expect(await forgiven(loan)).toEqual([{ debit: 'provision_expense', credit: 'loan_principal', amount: 5_00 }]);
    expect(await sound()).toEqual([]);
  });

  test('before the last instalment is due nothing is forgiven: else each loan could be paid with Ksh. 10 less at once', async () => {
    const loan = await lend({ months: 2 });
    await pay(loan, (await payoff(loan)) - 10_00);
    expect(await row(loan)).toMatchObject({ state: 'active', principal_cents: 10_00 });
    expect(await forgiven(loan)).toEqual([]);
    expect(await sound()).toEqual([]);
  });

  test('an instalment that is within the tolerance is not forgiven with the one before it: its day has not come', async () => {
    const loan = await lend({ amountCents: 15_00, months: 2, monthlyRate: 0, pledges: [] });
    goTo('2026-04-02');
    await pay(loan, 7_50);
    expect(await row(loan)).toMatchObject({ state: 'active', principal_cents: 7_50 });
    expect(await forgiven(loan)).toEqual([]);
    expect(await sound()).toEqual([]);
  });

  test('one cent more than the tolerance stays owed, and nobody gets it twice', async () => {
    const loan = await lend({ months: 2 });
    goTo('2026-05-02');
    await pay(loan, (await payoff(loan)) - 10_01);
    expect(await row(loan)).toMatchObject({ state: 'active', principal_cents: 10_01 });
    const [first, second] = await database.transaction((tx) =>
      repayLoans(
        tx,
        ['one', 'two'].map((key) => ({
          ...{ loanId: loan, payerId: borrower, amountCents: 1, channel: 'wallet' as const, key: `${loan}:${key}` },
        })),
      ),
    );
    expect(first).toMatchObject({ isPaidOff: true });
    expect(second).toMatchObject({ code: 'loan_conflict' });
    expect(await forgiven(loan)).toEqual([{ debit: 'provision_expense', credit: 'loan_principal', amount: 10_00 }]);
    expect(await sound()).toEqual([]);
  });
});

describe('a loan of which no more than Ksh. 10 is left closes by itself once its last instalment is due', () => {
  /** Paid on its first day but for so much, which bears interest until 2 May. */
  async function withRest(cents: number) {
    const loan = await lend({ months: 2 });
    await pay(loan, (await payoff(loan)) - cents);
    await late.live(sacco, '2026-05-01');
    expect(await row(loan)).toMatchObject({ state: 'active', principal_cents: cents });
    await late.live(sacco, '2026-05-02');
    return loan;
  }

  test('with the day of its last instalment, by the journals of a last payment, and all are told', async () => {
    const loan = await withRest(9_00);
    expect(await row(loan)).toMatchObject({
      ...{ state: 'closed', closed_because: 'paid', principal_cents: 0, interest_cents: 0, provision_cents: 0 },
      ...{ class: null, due_on: null, days_past_due: 0 },
    });
    expect(await forgiven(loan)).toEqual([
      { debit: 'interest_income', credit: 'interest_receivable', amount: 18 },
      { debit: 'provision_expense', credit: 'loan_principal', amount: 9_00 },
    ]);
    expect(await database.sql`select state, pledged_cents from loan_guarantees where loan_id = ${loan}`).toMatchObject([
      { state: 'released', pledged_cents: 0 },
    ]);
    expect(
      await database.sql`
        select kind, amount_cents from loan_events where loan_id = ${loan} and kind in ('rest_forgiven', 'closed', 'paid_off')
        order by id`,
    ).toEqual([
      { kind: 'rest_forgiven', amount_cents: 9_18 },
      { kind: 'closed', amount_cents: null },
    ]);
    expect(
      await database.sql`
        select user_id, template from notifications
        where user_id in (${borrower}, ${guarantor}) and template in ('loan_closed', 'loan_pledge_free') order by template`,
    ).toEqual([
      { user_id: borrower, template: 'loan_closed' },
      { user_id: guarantor, template: 'loan_pledge_free' },
    ]);
    expect(await sound()).toEqual([]);
    expect(await pay(loan, 1_00)).toMatchObject([{ code: 'loan_conflict' }]);
  });

  test('more than Ksh. 10 with its interest stays owed', async () => {
    const loan = await withRest(9_90);
    expect(await row(loan)).toMatchObject({ state: 'active', principal_cents: 9_90, interest_cents: 20 });
    expect(await forgiven(loan)).toEqual([]);
    expect(await sound()).toEqual([]);
  });
});

describe('a standing repayment takes no more than the wallet has', () => {
  /** A borrower whose wallet has so much and no more. */
  async function withWallet(cents: number) {
    const loan = await lend();
    const there = (await wallet(borrower)) as number;
    await database.transaction((tx) => depositSavings(tx, [{ userId: borrower, saccoId: sacco, amountCents: there }]));
    await late.saccos.fund(borrower, cents);
    await database.owner`update loans set standing_since = ${database.now()} where id = ${loan}`;
    return loan;
  }
  const told = async () =>
    (
      await database.sql<{ template: string }[]>`
        select template from notifications where user_id = ${borrower} and template like 'loan_%' order by id`
    ).map(({ template }) => template);

  test('8,884.00 in the wallet and 8,884.88 due: it takes 8,884.00, and no penalty follows (field case M4)', async () => {
    const loan = await withWallet(8_884_00);
    await late.live(sacco, '2026-04-02');
    await runStandingRepayments(database);
    expect(await wallet(borrower)).toBe(0);
    await late.live(sacco, '2026-04-14');
    await runStandingRepayments(database);
    expect(await row(loan)).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0 });
    expect(await database.sql`select state from loan_standing_runs where loan_id = ${loan}`).toEqual([
      { state: 'paid' },
    ]);
    expect(await told()).toEqual(['loan_reminder', 'loan_repaid']);
    expect(await sound()).toEqual([]);
  });

  test('a part is taken as well, the rest on the next days, and the borrower is told of both', async () => {
    const loan = await withWallet(3_000_00);
    goTo('2026-04-02');
    await runStandingRepayments(database);
    expect(await wallet(borrower)).toBe(0);
    expect((await told()).toSorted()).toEqual(['loan_repaid', 'loan_standing_waiting']);
    await late.saccos.fund(borrower, 10_000_00);
    goTo('2026-04-03');
    await runStandingRepayments(database);
    expect(await wallet(borrower)).toBe(13_000_00 - 8_884_88);
    expect(await row(loan)).toMatchObject({ due_on: '2026-05-02', due_cents: 8_884_88 });
  });
});

test('an employer’s list in whole shillings closes the loan with its last instalment', async () => {
  const loan = await lend({ months: 1 });
  const [treasurer, payer] = [await people.person('Treasurer'), await people.person('County')];
  goTo('2026-04-02');
  await database.owner`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${payer}, ${payer}, ${`${payer}0000000`}, 'Test', '127.0.0.1', 'infinity', ${database.now()}, ${database.now()},
      'infinity')`;
  await late.official(sacco, treasurer, 'treasurer');
  await late.saccos.fund(payer, 100_999_00);
  const [member] = await database.sql<{ id: string }[]>`
    select id from memberships where user_id = ${borrower} and sacco_id = ${sacco}`;
  const lines = [{ member: member?.id ?? '', amountCents: 100_999_00 }];
  const id = await database.transaction((tx) =>
    makeCheckOff(tx, { userId: treasurer, saccoId: sacco }, { employer: 'County of Nairobi', payerId: payer, lines }),
  );
  const decision = { id, decision: 'approve', reason: '' } as const;
  await database.transaction((tx) => decideCheckOff(tx, { userId: founder, saccoId: sacco }, decision));
  await database.transaction((tx) =>
    payCheckOff(tx, { userId: payer, sessionId: payer }, { id, amountCents: 100_999_00 }),
  );
  await runCheckOffs(database);
  expect(await row(loan)).toMatchObject({ state: 'closed', principal_cents: 0, interest_cents: 0 });
  expect(await forgiven(loan)).toEqual([{ debit: 'interest_income', credit: 'interest_receivable', amount: 1_00 }]);
  expect(await sound()).toEqual([]);
});
