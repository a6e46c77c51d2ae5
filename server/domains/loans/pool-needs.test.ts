import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { repaymentHistoriesOf } from './pool-needs.ts';
import { testLateLoans } from './test-late-loans.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('instalments count by the days that they were late, small ones not at all, and what is unpaid by today', async () => {
  const people = testPeople(database);
  const late = testLateLoans(database);
  database.world.setNow(new Date('2026-03-02T06:00:00Z'));
  const sacco = await late.saccos.sacco(await people.person('Wanjiru', 'Kamau'), await people.person('Operator'));
  const borrower = await people.person('Amina', 'Otieno');
  await late.saver(sacco, borrower, 200_000_00);
  const loan = await late.loan({ sacco, borrower, amountCents: 12_000_00, months: 12, method: 'equal_principal' });
  const historyOf = async (leastCents: number) => {
    const reader = { sql: database.sql as never, now: database.now() };
    return (await repaymentHistoriesOf(reader, [borrower, sacco], leastCents)).get(borrower);
  };
  // Due on the 2nd of April, May, June, July: on the day, 10 days late, 40 days late, not paid.
  for (const [number, day] of [
    [1, '2026-04-02'],
    [2, '2026-05-12'],
    [3, '2026-07-12'],
  ] as const) {
    await database.owner`
      update loan_instalments set paid_on = ${day}, paid_principal_cents = principal_cents, paid_interest_cents = interest_cents
      where loan_id = ${loan} and number = ${number}`;
  }
  // The run of the day before has counted 11 days.
  await database.owner`
    update loans set days_past_due = 11, due_on = '2026-07-02', overdue_cents = 100000 where id = ${loan}`;
  database.world.setNow(new Date('2026-07-14T06:00:00Z'));
  expect(await historyOf(500_00)).toEqual({
    onTime: 1,
    late30: 2,
    late90: 1,
    worse: 0,
    daysPastDue: 12,
    hasOpenDefault: false,
    curedMonthsAgo: [],
  });
  expect(await historyOf(2_000_00)).toMatchObject({ onTime: 0, late30: 0, late90: 0, daysPastDue: 12 });
  // 90 days late, and 91: the run of the day before has counted neither.
  await database.owner`update loans set due_on = '2026-04-15', last_default_at = '2026-06-13' where id = ${loan}`;
  expect(await historyOf(500_00)).toMatchObject({ daysPastDue: 90, hasOpenDefault: false, curedMonthsAgo: [1] });
  await database.owner`update loans set due_on = '2026-04-14' where id = ${loan}`;
  expect(await historyOf(500_00)).toMatchObject({ daysPastDue: 91, hasOpenDefault: true, curedMonthsAgo: [] });
});
