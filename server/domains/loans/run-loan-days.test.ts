import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { arm, disarm, type FaultPlan } from '../../faults.proving.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { repayAny } from './repay-late.ts';
import { runLoanDays } from './run-loan-days.ts';
import { testLateLoans } from './test-late-loans.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let founder: string;
let operator: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  late = testLateLoans(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
});
afterAll(() => database.close());
// The morning of 2 March 2026 in Nairobi; each test has a sacco of its own.
beforeEach(() => database.world.setNow(new Date('2026-03-02T06:00:00Z')));

/** A sacco with money, one borrower and a loan of Ksh. 100,000 at 1 % a month over 12 months, paid out on 2 March. */
async function lent(more: Partial<Parameters<typeof late.loan>[0]> = {}) {
  const sacco = await late.saccos.sacco(founder, operator);
  const borrower = await people.person('Amina', 'Otieno');
  await late.saver(sacco, borrower, 200_000_00);
  const loan = await late.loan({ sacco, borrower, amountCents: 100_000_00, months: 12, ...more });
  return { sacco, borrower, loan };
}
const goTo = (day: string) => database.world.setNow(new Date(`${day}T06:00:00Z`));
const row = async (loan: string) => (await database.sql`select * from loans where id = ${loan}`)[0];
const daysOf = (sacco: string) =>
  database.sql`
    select day, state, step, chunks, loans, interest_cents, penalty_cents, reminders, notices from loan_days
    where sacco_id = ${sacco} order by day`;
const book = async (sacco: string) => {
  const kinds = ['interest_receivable', 'penalty_receivable', 'loan_loss_provision', 'interest_income'] as const;
  const [interest, penalty, provision, income] = await balances(
    database,
    kinds.map((kind) => ({ book: sacco, kind, owner: null })),
  );
  return { interest, penalty, provision, income };
};

describe('the day of a sacco', () => {
  test('interest accrues, 1 % is set aside, and the books have one journal of each kind', async () => {
    const { sacco, loan } = await lent();
    goTo('2026-03-03');
    await runLoanDays(database, { saccos: [sacco] });
    // 1,000.00 of interest over 31 days.
    expect(await row(loan)).toMatchObject({ interest_cents: 3_225, class: 'performing', provision_cents: 1_000_00 });
    expect(await book(sacco)).toEqual({ interest: 3_225, penalty: 0, provision: 1_000_00, income: 3_225 });
    expect(await daysOf(sacco)).toMatchObject([
      { day: '2026-03-02', state: 'done', step: null, chunks: 1, loans: 1, interest_cents: 0 },
      { day: '2026-03-03', state: 'done', step: null, chunks: 1, loans: 1, interest_cents: 3_225 },
    ]);
    const journals = await database.sql`
      select kind from journals where about_type = 'loan_day' and idempotency_key like ${`%${sacco}%`} order by id`;
    expect(journals.map(({ kind }) => kind)).toEqual(['provision_changed', 'interest_accrued']);
    await runLoanDays(database, { saccos: [sacco] });
    expect(await book(sacco)).toMatchObject({ interest: 3_225 });
  });

  test('a sacco that was down for five days catches up in order, to the same cent', async () => {
    const { sacco, loan } = await lent();
    goTo('2026-03-03');
    await runLoanDays(database, { saccos: [sacco] });
    goTo('2026-03-08');
    await runLoanDays(database, { saccos: [sacco] });
    // floor(100,000 x 6 / 31).
    expect(await row(loan)).toMatchObject({ interest_cents: 19_354, accrued_through: '2026-03-08' });
    const days = await daysOf(sacco);
    expect(days.map(({ day }) => day)).toEqual([2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}`));
    expect(days.every(({ state }) => state === 'done')).toBe(true);
    await expect(
      database.sql`
        insert into loan_days (id, sacco_id, day, state, step, started_at)
        values (${database.newId()}, ${sacco}, '2026-03-11', 'running', 'loans', now())`,
    ).rejects.toThrow('the days of a sacco follow one another');
  });

  test('before six in the morning the day is not run yet', async () => {
    const { sacco } = await lent();
    database.world.setNow(new Date('2026-03-03T02:59:59Z'));
    await runLoanDays(database, { saccos: [sacco] });
    expect((await daysOf(sacco)).map(({ day }) => day)).toEqual(['2026-03-02']);
    database.world.setNow(new Date('2026-03-03T03:00:00Z'));
    await runLoanDays(database, { saccos: [sacco] });
    expect((await daysOf(sacco)).map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03']);
  });

  test('started several times at once, each chunk is run once', async () => {
    const { sacco, borrower } = await lent();
    for (let count = 0; count < 6; count += 1) await late.loan({ sacco, borrower, amountCents: 10_000_00, months: 6 });
    goTo('2026-03-05');
    await Promise.all(Array.from({ length: 4 }, () => runLoanDays(database, { loansAtOnce: 2, saccos: [sacco] })));
    const days = await daysOf(sacco);
    expect(days.map(({ day, loans, chunks }) => [day, loans, chunks])).toEqual(
      ['02', '03', '04', '05'].map((day) => [`2026-03-${day}`, 7, 4]),
    );
    // floor(100,000 x 3 / 31) and six times floor(10,000 x 3 / 31).
    expect(await book(sacco)).toMatchObject({ interest: 9_677 + 6 * 967 });
  });

  test('a missed instalment: reminder, arrears, class, penalty from the sixth day on, notices', async () => {
    const { sacco, loan, borrower } = await lent();
    goTo('2026-03-30');
    await runLoanDays(database, { saccos: [sacco] });
    expect((await daysOf(sacco)).at(-1)).toMatchObject({ day: '2026-03-30', reminders: 1 });
    goTo('2026-04-02');
    await runLoanDays(database, { saccos: [sacco] });
    expect(await row(loan)).toMatchObject({
      state: 'active',
      days_past_due: 0,
      interest_cents: 1_000_00,
      overdue_cents: 0,
    });
    goTo('2026-04-03');
    await runLoanDays(database, { saccos: [sacco] });
    expect(await row(loan)).toMatchObject({
      state: 'in_arrears',
      days_past_due: 1,
      overdue_cents: 8_884_88,
      class: 'watch',
      provision_cents: 5_000_00,
      arrears_since: '2026-04-02',
      notices_given: 1,
      penalty_cents: 0,
      // 921.15 x 1 / 30 of the second period; its interest was fixed with the schedule.
      interest_cents: 1_000_00 + Math.floor(92_115 / 30),
      period_number: 2,
    });
    goTo('2026-04-08');
    await runLoanDays(database, { saccos: [sacco] });
    expect((await row(loan))?.penalty_cents).toBe(292);
    goTo('2026-05-03');
    await runLoanDays(database, { saccos: [sacco] });
    // 26 days of the first instalment; the second one is late for a day.
    const penalty = Math.floor((8_884_88 * 1_200 * 26) / 3_650_000);
    expect(await row(loan)).toMatchObject({
      days_past_due: 31,
      overdue_cents: 2 * 8_884_88,
      class: 'substandard',
      provision_cents: 25_000_00,
      penalty_cents: penalty,
      notices_given: 3,
    });
    const notices = await database.sql`
      select kind, user_id, days_past_due, notification_id is not null as is_listed from loan_notices
      where loan_id = ${loan} order by days_past_due, kind`;
    // The days until 3 May were run on that day: what is told then is 31 days late then.
    expect(notices.map(({ kind, days_past_due }) => `${kind} ${days_past_due}`)).toEqual([
      'reminder 0',
      'missed 1',
      'first 31',
      'formal 31',
    ]);
    expect(notices.every(({ user_id, is_listed }) => user_id === borrower && is_listed)).toBe(true);
    expect(await book(sacco)).toMatchObject({ penalty, provision: 25_000_00 });
    // A class that a new schedule has kept holds up to its day, where it is the worse one.
    const kept = async (day: string, is: string) => {
      await database.owner`update loans set kept_class = ${is}, kept_class_until = '2026-05-06' where id = ${loan}`;
      goTo(day);
      await runLoanDays(database, { saccos: [sacco] });
      return row(loan);
    };
    expect(await kept('2026-05-04', 'watch')).toMatchObject({ class: 'substandard', provision_cents: 25_000_00 });
    expect(await kept('2026-05-05', 'doubtful')).toMatchObject({ class: 'doubtful', provision_cents: 50_000_00 });
    expect(await kept('2026-05-06', 'doubtful')).toMatchObject({ class: 'substandard', provision_cents: 25_000_00 });
    expect(await breaches(database.sql, ledgerInvariants)).toEqual([]);
  });

  test.each(['commit_never_sent', 'commit_reply_lost'] as const)(
    'killed at each of its commits (%s), it goes on where it was cut off and does nothing twice',
    async (point) => {
      const { sacco, borrower, loan } = await lent();
      for (let count = 0; count < 3; count += 1)
        await late.loan({ sacco, borrower, amountCents: 10_000_00, months: 6 });
      goTo('2026-04-02');
      await runLoanDays(database, { saccos: [sacco] });
      goTo('2026-04-09');
      let kills = 0;
      // Every run gets one commit further than the last one before it is killed.
      for (let skip = 0; ; skip += 1) {
        arm({ seed: 1, rates: { [point]: 1 } as FaultPlan['rates'], skip: skip % 3 });
        const isKilled = await runLoanDays(database, { loansAtOnce: 2, saccos: [sacco] }).then(
          () => false,
          () => true,
        );
        disarm();
        if (!isKilled) break;
        kills += 1;
      }
      // Seven days of a beginning, three chunks of loans, the notices and the expiries each.
      expect(kills).toBeGreaterThan(20);
      const days = await daysOf(sacco);
      expect(days.slice(-7).every(({ state, loans }) => state === 'done' && loans === 4)).toBe(true);
      // 92,115 x 7 / 30 of the second period; two days of penalty: floor(888,488 x 0.12 x 2 / 365).
      expect(await row(loan)).toMatchObject({
        interest_cents: 1_000_00 + Math.floor((92_115 * 7) / 30),
        penalty_cents: Math.floor((8_884_88 * 1_200 * 2) / 3_650_000),
        notices_given: 2,
      });
      const notices = await database.sql`select kind from loan_notices where loan_id = ${loan} order by days_past_due`;
      expect(notices.map(({ kind }) => kind)).toEqual(['reminder', 'missed', 'first']);
      expect(await breaches(database.sql, [...ledgerInvariants, ...loanRecoveryInvariants])).toEqual([]);
    },
  );

  test('in duplum: interest and penalty since the default stop at its principal, and no more is owed of the schedule', async () => {
    const { sacco, loan } = await lent({ months: 24, monthlyRate: 500, penaltyRate: 500, amountCents: 10_000_00 });
    goTo('2026-05-01');
    await runLoanDays(database, { saccos: [sacco] });
    const before = await row(loan);
    // As if no more principal had been owed at the default: the stop is then soon.
    await database.owner`
      update loans set state = 'defaulted', defaulted_at = ${database.now()}, duplum_cents = 60000 where id = ${loan}`;
    goTo('2026-05-10');
    await runLoanDays(database, { saccos: [sacco] });
    expect((await row(loan))?.charged_since_default_cents).toBeLessThan(60_000);
    goTo('2026-06-20');
    await runLoanDays(database, { saccos: [sacco] });
    const stopped = await row(loan);
    expect(stopped?.charged_since_default_cents).toBe(60_000);
    expect(stopped?.interest_cents + stopped?.penalty_cents).toBe(
      before?.interest_cents + before?.penalty_cents + 60_000,
    );
    goTo('2026-07-20');
    await runLoanDays(database, { saccos: [sacco] });
    const later = await row(loan);
    expect([later?.interest_cents, later?.penalty_cents]).toEqual([stopped?.interest_cents, stopped?.penalty_cents]);
    const [unpaid] = await database.sql`
      select sum(interest_cents - paid_interest_cents)::int as interest from loan_instalments where loan_id = ${loan}`;
    expect(unpaid?.interest).toBe(later?.interest_cents);
    expect(await book(sacco)).toMatchObject({ interest: later?.interest_cents, penalty: later?.penalty_cents });
  });

  test('in duplum: where a payment charges the last of it, the day after takes the rest of the interest out', async () => {
    const { sacco, loan, borrower } = await lent({ months: 24, monthlyRate: 500, amountCents: 10_000_00 });
    goTo('2026-05-01');
    await runLoanDays(database, { saccos: [sacco] });
    await database.owner`
      update loans set state = 'defaulted', defaulted_at = ${database.now()}, duplum_cents = 500 where id = ${loan}`;
    // Before the run of that day, and in the next period.
    goTo('2026-05-10');
    await late.saccos.fund(borrower, 1_00);
    await database.transaction((tx) =>
      repayAny(tx, [{ loanId: loan, payerId: borrower, amountCents: 1_00, channel: 'wallet', key: 'a shilling' }]),
    );
    const charged = await row(loan);
    expect(charged).toMatchObject({ charged_since_default_cents: 500, state: 'defaulted' });
    goTo('2026-05-12');
    await runLoanDays(database, { saccos: [sacco] });
    const [unpaid] = await database.sql`
      select sum(interest_cents - paid_interest_cents)::int as interest from loan_instalments where loan_id = ${loan}`;
    expect(unpaid?.interest).toBe(charged?.interest_cents);
    // And again nothing is charged; what pays all that is overdue ends the default.
    goTo('2026-05-20');
    await runLoanDays(database, { saccos: [sacco] });
    const later = await row(loan);
    expect(later).toMatchObject({ interest_cents: charged?.interest_cents, state: 'defaulted' });
    const overdue = later?.overdue_cents + later?.penalty_cents;
    await late.saccos.fund(borrower, overdue);
    await database.transaction((tx) =>
      repayAny(tx, [{ loanId: loan, payerId: borrower, amountCents: overdue, channel: 'wallet', key: 'the rest' }]),
    );
    expect(await row(loan)).toMatchObject({ state: 'active', duplum_cents: null });
    expect(await breaches(database.sql, [...ledgerInvariants, ...loanRecoveryInvariants])).toEqual([]);
  });
});
