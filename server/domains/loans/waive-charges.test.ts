import { english } from '@ushirika/contract/in-words';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { confirmChange, refuseChange } from '../saccos/decide-change.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { timelineOf } from './loan-events.ts';
import { newestMovements } from './loan-movements.ts';
import { loanRecoveryInvariants } from './loan-recovery.invariants.ts';
import { type LoanRow, readerOf } from './loan-rows.ts';
import { loansInvariants } from './loans.invariants.ts';
import { payoffOfLoan, repayLoans } from './repay-loans.ts';
import { testLateLoans } from './test-late-loans.ts';
import { loanWaiverChange, waiverToKeep } from './waive-charges.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let chair: string;
let operator: string;
let sacco: string;
let borrower: string;
let treasurer: string;
let secretary: string;
let guarantor: string;
let loan: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  late = testLateLoans(database);
  chair = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
});
afterAll(() => database.close());
/** Ksh. 100,000 at 1 % a month over 12 months, paid out on 2 March 2026; nothing is paid by 14 April: 20.44 of penalty. */
beforeEach(async () => {
  database.world.setNow(new Date('2026-03-02T06:00:00Z'));
  sacco = await late.saccos.sacco(chair, operator);
  borrower = await people.person('Amina', 'Otieno');
  treasurer = await people.person('Grace', 'Achieng');
  secretary = await people.person('Kiptoo', 'Rono');
  guarantor = await people.person('Baraka', 'Mwangi');
  await late.official(sacco, treasurer, 'treasurer');
  await late.official(sacco, secretary, 'secretary');
  await late.saver(sacco, borrower, 200_000_00);
  await late.saver(sacco, guarantor, 200_000_00);
  loan = await late.loan({
    ...{ sacco, borrower, amountCents: 100_000_00, months: 12, pledges: [{ guarantor, cents: 40_000_00 }] },
  });
  await late.saccos.fund(borrower, 50_000_00);
  await late.live(sacco, '2026-04-14');
});

const row = async () => (await database.sql<LoanRow[]>`select * from loans where id = ${loan}`)[0] as LoanRow;
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants, ...loanRecoveryInvariants]);
const executors = () => testChanges({ loan_waiver: loanWaiverChange });
const refused = (error: unknown) => {
  if (error instanceof Refusal) return error.code;
  throw error;
};
const propose = (by: string, penalty: number, interest = 0, of = loan) =>
  database
    .transaction(async (tx) => {
      const payload = await waiverToKeep(tx as never, sacco, {
        ...{ loanId: of, penalty, interest, reason: 'The bank was closed for a week' },
      });
      return proposeChange(tx, { saccoId: sacco, proposedBy: by }, { kind: 'loan_waiver', payload }, loanWaiverChange);
    })
    .catch(refused);
const confirm = (by: string, changeId: string) =>
  database
    .transaction((tx) => confirmChange(tx, { userId: by }, { changeId, saccoId: sacco }, executors()))
    .then(({ state }) => state, refused);
const refuse = (by: string, changeId: string) =>
  database
    .transaction((tx) => refuseChange(tx, { userId: by }, { changeId, saccoId: sacco }, executors()))
    .then(({ state }) => state, refused);
/** Somebody takes over an office. */
async function takes(userId: string, office: Office) {
  await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${sacco} and office = ${office}`;
  await late.official(sacco, userId, office);
}
const income = () =>
  balances(database, [
    { book: sacco, kind: 'penalty_income', owner: null },
    { book: sacco, kind: 'interest_income', owner: null },
  ]);

test('two officials waive penalty and interest: less is owed, the sacco has less income, the borrower reads why', async () => {
  const before = await row();
  const [penaltyBefore = 0, interestBefore = 0] = await income();
  expect(before).toMatchObject({ penalty_cents: 20_44, overdue_cents: 8_884_88 });
  const id = await propose(treasurer, 20_44, 884_88);
  expect(await row()).toMatchObject({ penalty_cents: 20_44 });
  expect(await confirm(chair, id)).toBe('in_force');
  expect(await row()).toMatchObject({
    ...{ penalty_cents: 0, interest_cents: before.interest_cents - 884_88, principal_cents: 100_000_00 },
    ...{ overdue_cents: 8_000_00, due_cents: 8_000_00 },
  });
  expect(await income()).toEqual([penaltyBefore - 20_44, interestBefore - 884_88]);
  const [told] = await database.sql<{ text: unknown }[]>`
    select text from notifications where user_id = ${borrower} and template = 'loan_charges_waived'`;
  expect(JSON.stringify(told?.text)).toContain('The bank was closed for a week');
  const { movements } = await newestMovements({ sql: database.sql, now: database.now() }, await row());
  expect(movements[0]).toMatchObject({ amount: 905.32, balance_after: 100_000 });
  // Borrower, officials and supervisory committee read one timeline.
  const { timeline } = await timelineOf(readerOf(database), await row());
  expect(timeline.filter(({ kind }) => kind === 'charges_waived').map(({ text }) => english(text))).toEqual([
    'Grace Achieng and Wanjiru Kamau waived Ksh.\u00a0905.32 of penalty and interest. The reason: The bank was closed for a week',
  ]);
  expect(await sound()).toEqual([]);
  // The rest is paid as ever, and the loan can be paid off.
  await database.transaction(async (tx) => {
    const { payoff } = await payoffOfLoan(tx, { id: loan });
    await repayLoans(tx, [
      { loanId: loan, payerId: borrower, amountCents: payoff.amount, channel: 'wallet', key: tx.newId() },
    ]);
  });
  expect(await row()).toMatchObject({ state: 'closed', interest_cents: 0, penalty_cents: 0 });
  expect(await sound()).toEqual([]);
});

test('nobody waives more than is owed, nor interest of a month that is not over', async () => {
  expect(await propose(treasurer, 20_45)).toBe('loan_conflict');
  expect(await propose(treasurer, 0, 1_000_01)).toBe('loan_conflict');
  const id = await propose(treasurer, 20_44, 1_000_00);
  // Meanwhile a part of it is paid.
  await database.transaction((tx) =>
    repayLoans(tx, [{ loanId: loan, payerId: borrower, amountCents: 1, channel: 'wallet', key: tx.newId() }]),
  );
  expect(await confirm(chair, id)).toBe('loan_conflict');
  expect(await row()).toMatchObject({ penalty_cents: 20_43 });
});

test('the proposer of a waiver does not confirm it, nor do the borrower, a guarantor, or a second account of the proposer', async () => {
  const id = await propose(treasurer, 20_44);
  expect(await confirm(treasurer, id)).toBe('second_official_required');
  await takes(borrower, 'secretary');
  await takes(guarantor, 'chair');
  expect(await confirm(borrower, id)).toBe('not_allowed');
  expect(await confirm(guarantor, id)).toBe('not_allowed');
  expect(await row()).toMatchObject({ penalty_cents: 20_44 });
  const forced = database.owner`
    update sacco_changes set state = 'confirmed', confirmed_by = ${borrower}, confirmed_at = ${database.now()},
      effective_at = ${database.now()} where id = ${id}`;
  await expect(forced).rejects.toThrow('that person does not decide about this loan');
  const committee = await people.person('Zawadi', 'Njeri');
  await late.official(sacco, committee, 'credit_committee');
  expect(await confirm(committee, id)).toBe('not_allowed');
  const friend = await people.person('Zawadi', 'Otieno');
  await takes(friend, 'chair');
  await database.owner`
    insert into referral_traces (user_id, kind, value, created_at)
    select unnest(${[treasurer, friend]}::uuid[]), 'confirmed_phone', '254711000001', ${database.now()}`;
  expect(await confirm(friend, id)).toBe('not_allowed');
});

test('the borrower and a guarantor propose none, and of another sacco’s loan nobody does', async () => {
  await takes(borrower, 'chair');
  await takes(guarantor, 'secretary');
  expect(await propose(borrower, 20_44)).toBe('not_allowed');
  expect(await propose(guarantor, 20_44)).toBe('not_allowed');
  const elsewhere = await late.saccos.sacco(chair, operator);
  await late.saver(elsewhere, borrower, 200_000_00);
  const other = await late.loan({ sacco: elsewhere, borrower, amountCents: 10_000_00, months: 2 });
  expect(await propose(treasurer, 1, 0, other)).toBe('not_found');
});

test('one waits for each loan: it keeps no other loan’s waiver back', async () => {
  const neighbour = await people.person('Faith', 'Mutua');
  await late.saver(sacco, neighbour, 200_000_00);
  const other = await late.loan({ sacco, borrower: neighbour, amountCents: 10_000_00, months: 12 });
  await database.owner`update loans set penalty_cents = 1 where id = ${other}`;
  const waits = await propose(treasurer, 1_00);
  expect(await propose(secretary, 2_00)).toBe('change_conflict');
  expect(await propose(secretary, 1, 0, other)).toMatch(/^[0-9a-f-]{36}$/);
  await database.owner`update loans set penalty_cents = 0 where id = ${other}`;
  expect(await confirm(chair, waits)).toBe('in_force');
  // At most five waivers of one official wait or were proposed in a day.
  for (let n = 0; n < 4; n += 1) expect(await confirm(chair, await propose(treasurer, 1))).toBe('in_force');
  expect(await propose(treasurer, 1)).toBe('changes_limit_reached');
});

test('confirmed by two at once, it is waived once', async () => {
  const id = await propose(treasurer, 10_00);
  const outcomes = await Promise.all([confirm(chair, id), confirm(secretary, id)]);
  expect(outcomes.toSorted()).toEqual(['change_conflict', 'in_force']);
  expect(await row()).toMatchObject({ penalty_cents: 10_44 });
  expect(await sound()).toEqual([]);
});

test('one official refuses waivers of a loan once in 30 days, whatever their sums, and then another one has to', async () => {
  expect(await refuse(secretary, await propose(treasurer, 10_00))).toBe('refused');
  const id = await propose(treasurer, 9_00);
  expect(await refuse(secretary, id)).toBe('change_conflict');
  // The database says so, too.
  const byHand = database.owner`
    update sacco_changes set state = 'refused', ended_at = ${database.now()}, ended_by = ${secretary} where id = ${id}`;
  await expect(byHand).rejects.toThrow('This official has said no to the same within 30 days.');
  expect(await confirm(chair, id)).toBe('in_force');
  expect(await refuse(chair, await propose(treasurer, 1_00))).toBe('refused');
  database.world.advance(30 * 86_400_000);
  expect(await refuse(secretary, await propose(treasurer, 1_00))).toBe('refused');
});
