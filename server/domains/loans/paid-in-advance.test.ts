import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../db/tx.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import type { LoanRow } from './loan-rows.ts';
import { loansInvariants } from './loans.invariants.ts';
import { type Repayment, repayLoans } from './repay-loans.ts';
import { runningSchedule } from './running-schedule.ts';
import { testLending } from './test-lending.ts';

const lending = await testLending();
const { database, late } = lending;
let sacco: string;
let borrower: string;
let loan: string;

afterAll(() => database.close());
/** Ksh. 100,000 at 1 % a month over 12 months, paid out on 2 March 2026: 8,884.88 is due on 2 April. */
beforeEach(async () => {
  sacco = await lending.sacco();
  borrower = await lending.borrower(sacco);
  loan = await late.loan({ sacco, borrower, amountCents: 100_000_00, months: 12 });
  await late.saccos.fund(borrower, 50_000_00);
});

const row = async () => (await database.sql`select * from loans where id = ${loan}`)[0];
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants]);
const pay = (amountCents: number, more: Partial<Repayment> = {}) =>
  database.transaction((tx) =>
    repayLoans(tx, [{ loanId: loan, payerId: borrower, amountCents, channel: 'wallet', key: tx.newId(), ...more }]),
  );
const interestPaid = async () =>
  (
    await database.sql<{ cents: number }[]>`
    select sum(interest_cents)::int as cents from loan_repayments where loan_id = ${loan}`
  )[0]?.cents;

describe('a payment of more than is due', () => {
  test('paid off in two payments of one day, the loan costs 64.51 as when it is paid at once (field case M2)', async () => {
    await late.live(sacco, '2026-03-04');
    await pay(99_000_00);
    expect(await row()).toMatchObject({ principal_cents: 1_064_51, interest_cents: 0 });
    await pay(1_064_51);
    expect(await row()).toMatchObject({ state: 'closed', principal_cents: 0, interest_cents: 0 });
    expect(await interestPaid()).toBe(64_51);
    expect(await sound()).toEqual([]);
  });

  test('of the coming instalment four days early meets it: its day passes, nobody is late, and the day runs accrue on what is left', async () => {
    await late.live(sacco, '2026-03-29');
    await pay(8_884_88);
    expect(await row()).toMatchObject({ due_number: 2, due_on: '2026-05-02', due_cents: 8_884_88 });
    await late.live(sacco, '2026-04-10');
    // 4 of 31 days and 8 of 30 days on 91,986.08.
    expect(await row()).toMatchObject({
      ...{ state: 'active', days_past_due: 0, penalty_cents: 0, principal_cents: 91_986_08 },
      interest_cents: 118_69 + 245_29,
    });
    const [first] = await database.sql`select * from loan_instalments where loan_id = ${loan} and number = 1`;
    expect(first).toMatchObject({ paid_on: '2026-03-29', paid_principal_cents: 8_013_92, principal_cents: 8_013_92 });
    await late.live(sacco, '2026-05-02');
    await pay(8_884_88);
    expect(await row()).toMatchObject({ due_number: 3, due_on: '2026-06-02', interest_cents: 0 });
    expect(await interestPaid()).toBe(870_96 + 118_69 + 919_86);
    expect(await sound()).toEqual([]);
  });

  test('in weekly parts leaves the rest of the instalment for its day', async () => {
    for (const day of ['2026-03-09', '2026-03-16', '2026-03-23']) {
      await late.live(sacco, day);
      await pay(2_000_00);
    }
    expect(await row()).toMatchObject({ due_number: 1, due_on: '2026-04-02', due_cents: 2_884_88 });
    await late.live(sacco, '2026-04-02');
    await pay(2_884_88);
    expect(await row()).toMatchObject({ due_number: 2, interest_cents: 0 });
    expect(await interestPaid()).toBeLessThan(1_000_00);
    expect(await sound()).toEqual([]);
  });

  test('twice at once is paid twice, and the schedule is that of both', async () => {
    await late.live(sacco, '2026-03-20');
    await Promise.all([pay(5_000_00), pay(5_000_00)]);
    expect(await row()).toMatchObject({ due_number: 2, principal_cents: 100_000_00 - 10_000_00 + 580_64 });
    expect(await sound()).toEqual([]);
  });
});

describe('three instalments paid on the first day on which one is due (field case M14)', () => {
  const inAdvance = async (surplus: Repayment['surplus']) => {
    await late.live(sacco, '2026-04-02');
    await pay(3 * 8_884_88, { surplus });
  };

  test('excuse: nothing is due on 2 May and 2 June, and 8,884.88 on 2 July, with the interest of three months on 74,345.36', async () => {
    await inAdvance('excuse');
    expect(await row()).toMatchObject({ due_on: '2026-07-02', due_cents: 8_884_88, principal_cents: 74_345_36 });
    await late.live(sacco, '2026-06-15');
    // Two months, and 13 of 30 days.
    expect(await row()).toMatchObject({ state: 'active', days_past_due: 0, interest_cents: 2 * 743_45 + 322_16 });
    const told = await database.sql`
      select template from notifications where user_id = ${borrower} and created_at > '2026-04-02'
        and template <> 'loan_repaid'`;
    expect(told).toEqual([]);
    await late.live(sacco, '2026-07-02');
    await pay(8_884_88);
    expect(await row()).toMatchObject({
      ...{ due_on: '2026-08-02', interest_cents: 0 },
      principal_cents: 74_345_36 - (8_884_88 - 3 * 743_45),
    });
    expect(await sound()).toEqual([]);
  });

  test('excuse, and not paid then: it is late by one day, and by all that was due', async () => {
    await inAdvance('excuse');
    await late.live(sacco, '2026-07-03');
    expect(await row()).toMatchObject({ state: 'in_arrears', days_past_due: 1, overdue_cents: 8_884_88 });
    await pay(8_884_88);
    expect(await row()).toMatchObject({ state: 'active', overdue_cents: 0 });
    expect(await sound()).toEqual([]);
  });

  test('excuse, paid in three parts: the same', async () => {
    await late.live(sacco, '2026-04-02');
    for (const cents of [10_000_00, 5_000_00, 11_654_64]) await pay(cents, { surplus: 'excuse' });
    expect(await row()).toMatchObject({ due_on: '2026-07-02', due_cents: 8_884_88, principal_cents: 74_345_36 });
    expect(await sound()).toEqual([]);
  });

  test('shorten: 8,884.88 is due on 2 May, and the last instalment two months earlier', async () => {
    await inAdvance('shorten');
    expect(await row()).toMatchObject({ due_on: '2026-05-02', due_cents: 8_884_88 });
    const [last] = await database.sql`select max(due_on)::text as on from loan_instalments where loan_id = ${loan}`;
    expect(last).toEqual({ on: '2027-01-02' });
    expect(await sound()).toEqual([]);
  });

  test('lower: 7,170.91 is due on 2 May, and as many instalments as before', async () => {
    await inAdvance('lower_instalment');
    expect(await row()).toMatchObject({ due_on: '2026-05-02', due_cents: 7_170_91 });
    const [all] = await database.sql`select count(*)::int as count from loan_instalments where loan_id = ${loan}`;
    expect(all).toEqual({ count: 12 });
    expect(await sound()).toEqual([]);
  });

  test('excuse, and all but 50 cents is paid: the instalments that were paid stay, and so they do once the rest is forgiven', async () => {
    await late.live(sacco, '2026-04-02');
    await pay(101_000_00 - 50, { surplus: 'excuse' });
    expect(await row()).toMatchObject({ principal_cents: 50 });
    const reader = { sql: database.sql, now: database.now() } as unknown as Tx;
    const { schedule } = await runningSchedule(reader, (await row()) as LoanRow);
    const open = schedule.filter(({ paid, total }) => paid < total);
    expect(open).toMatchObject([{ number: 2, state: 'coming', paid: 8_884.88, total: 8_885.39, paid_on: null }]);
    expect(schedule.filter(({ state }) => state === 'paid')).toHaveLength(11);
    expect(await sound()).toEqual([]);
    await late.live(sacco, '2026-05-03');
    expect(await row()).toMatchObject({ state: 'closed', principal_cents: 0, prepaid_cents: 0 });
    expect(await sound()).toEqual([]);
  });

  test('excuse, all but 50 cents, and then exactly what is due: the instalments that were paid stay', async () => {
    await late.live(sacco, '2026-04-02');
    await pay(101_000_00 - 50, { surplus: 'excuse' });
    await late.live(sacco, '2026-05-01');
    database.world.setNow(new Date('2026-05-02T09:00:00Z'));
    await pay(50);
    expect(await row()).toMatchObject({ state: 'closed', principal_cents: 0, prepaid_cents: 0 });
    expect(await sound()).toEqual([]);
  });

  test('paid off while instalments are excused, it costs the interest to that day', async () => {
    await inAdvance('excuse');
    await late.live(sacco, '2026-05-02');
    await pay(74_345_36 + 743_45);
    expect(await row()).toMatchObject({ state: 'closed', principal_cents: 0, interest_cents: 0 });
    expect(await interestPaid()).toBe(1_000_00 + 743_45);
    expect(await sound()).toEqual([]);
  });
});
