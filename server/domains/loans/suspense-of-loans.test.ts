import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { operatorRoutes } from '../operator/operator.routes.ts';
import { confirmedPhone, inSuspense, signedIn } from '../operator/test-operators.ts';
import { confirmChange } from '../saccos/decide-change.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { loansInvariants } from './loans.invariants.ts';
import { settleMpesaRepayments } from './prompt-repayment.ts';
import { repayLoans } from './repay-loans.ts';
import { testLending } from './test-lending.ts';
import { loanWaiverChange, waiverToKeep } from './waive-charges.ts';

const lending = await testLending();
const { database, people, late, founder } = lending;
let app: Awaited<ReturnType<typeof testApp>>;
let operators: [string, string];
let sacco: string;
let borrower: string;
let loan: string;

beforeAll(async () => {
  operators = [await people.person('Asha'), await people.person('Otieno')];
  app = await testApp({
    database,
    contract: [...operatorContract, ...proposalsContract],
    bindings: operatorRoutes({
      database,
      ...{ publicUrl: 'https://ushirika.test', strictActivation: false, supportPhone: null },
      ...{ waiting, logsHealth: logsHealth(null) },
    }),
    operators,
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});
/** Ksh. 100,000 over 12 months, paid out on 2 March 2026: 8,884.88 is due on 2 April, and on 14 April there is 20.44 of penalty. */
beforeEach(async () => {
  sacco = await lending.sacco();
  borrower = await lending.borrower(sacco);
  loan = await late.loan({ sacco, borrower, amountCents: 100_000_00, months: 12 });
  await late.live(sacco, '2026-04-14');
});

const row = async () => (await database.sql`select * from loans where id = ${loan}`)[0];
const counted = () =>
  database.sql`select channel, counts_on, amount_cents from loan_repayments where loan_id = ${loan} order by id`;
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants]);
const walletCents = async () =>
  (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: borrower }]))[0] ?? 0;

let receipts = 0;
/** On 1 April the borrower paid the instalment from their phone, with these words as the account; today two operators credit it. */
async function creditedByTwo(account: string) {
  receipts += 1;
  const receipt = `SGH7XK3${String(receipts).padStart(3, '0')}`;
  const paid = { amountCents: 8_884_88, receipt, phone: await confirmedPhone(database, borrower), claimedBy: null };
  const exception = await inSuspense(database, paid);
  await database.owner`update mpesa_receipts set paid_at = '2026-04-01T07:00:00Z' where receipt = ${receipt}`;
  await database.owner`
    insert into paybill_payments (id, receipt, amount_cents, account_reference, payer_name, state, received_at, settled_at)
    values (${database.newId()}, ${receipt}, 888488, ${account}, 'AMINA', 'suspense', ${database.now()}, ${database.now()})`;
  for (const operator of operators) await signedIn(database, operator);
  const [first, second] = operators;
  const reason = 'The payer called us';
  const proposed = await app.call('POST', `/operator/deposits/${exception}/resolution`, {
    as: first,
    body: { action: 'credit', user: borrower, reason },
  });
  const path = `/operator/proposals/${proposed.body.proposal}/confirmation`;
  const confirmed = await app.call('POST', path, { as: second, body: { reason } });
  expect(confirmed.body).toMatchObject({ proposal: { state: 'done' } });
  await settleMpesaRepayments(database);
}
const byHand = (amountCents: number) =>
  database.transaction((tx) =>
    repayLoans(tx, [{ loanId: loan, payerId: borrower, amountCents, channel: 'wallet', key: tx.newId() }]),
  );

test('money out of suspense goes on to the loan whose number its payer typed among other words, by the day it was paid (field case M5)', async () => {
  const { number } = (await row()) as { number: string };
  const before = await walletCents();
  await creditedByTwo(`LOAN ${number.slice(0, 3)} ${number.slice(3)} Amina`);
  expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0, due_on: '2026-05-02' });
  expect(await counted()).toEqual([{ channel: 'paybill', counts_on: '2026-04-01', amount_cents: 8_884_88 }]);
  expect(await walletCents()).toBe(before);
  expect(await sound()).toEqual([]);
});

test('money out of suspense that names another person’s loan, or none, is the member’s own: it goes to no loan by itself', async () => {
  const other = await lending.borrower(sacco);
  const ofOther = await late.loan({ sacco, borrower: other, amountCents: 100_000_00, months: 12 });
  const [{ number } = { number: '' }] = await database.sql<{ number: string }[]>`
    select number from loans where id = ${ofOther}`;
  const before = await walletCents();
  await creditedByTwo(`LOAN ${number}`);
  await creditedByTwo('AMINA');
  expect(await walletCents()).toBe(before + 2 * 8_884_88);
  expect(await counted()).toEqual([]);
  expect(await row()).toMatchObject({ penalty_cents: 20_44, overdue_cents: 8_884_88 });
});

test('of two loans of the borrower that both owe and are both named none is guessed; once one is closed, the other is meant', async () => {
  const second = await late.loan({ sacco, borrower, amountCents: 10_000_00, months: 12 });
  const { number } = (await row()) as { number: string };
  const [{ number: other } = { number: '' }] = await database.sql<{ number: string }[]>`
    select number from loans where id = ${second}`;
  const paid = () => database.sql<{ loan_id: string }[]>`select loan_id from loan_repayments`;
  const before = await paid();
  await creditedByTwo(`${number} or ${other}`);
  expect(await paid()).toEqual(before);
  await late.saccos.fund(borrower, 20_000_00);
  await database.transaction((tx) =>
    repayLoans(tx, [{ loanId: second, payerId: borrower, amountCents: 20_000_00, channel: 'wallet', key: tx.newId() }]),
  );
  await creditedByTwo(`${number} or ${other}`);
  expect(await counted()).toMatchObject([{ channel: 'paybill', amount_cents: 8_884_88 }]);
});

test('a loan’s number within a longer number is not named', async () => {
  const { number } = (await row()) as { number: string };
  const before = await walletCents();
  await creditedByTwo(`LOAN ${number}1`);
  expect(await counted()).toEqual([]);
  expect(await walletCents()).toBe(before + 8_884_88);
});

test('money that named no loan pays one on the day its owner says so; two officials waive the days in suspense, and then nothing is late', async () => {
  await creditedByTwo('AMINA');
  const treasurer = await people.person('Grace', 'Achieng');
  await late.official(sacco, treasurer, 'treasurer');
  const executors = testChanges({ loan_waiver: loanWaiverChange });
  await database.transaction(async (tx) => {
    const reason = 'It stood in suspense for twelve days';
    const payload = await waiverToKeep(tx as never, sacco, { loanId: loan, penalty: 20_44, interest: 0, reason });
    const proposer = { saccoId: sacco, proposedBy: treasurer };
    const changeId = await proposeChange(tx, proposer, { kind: 'loan_waiver', payload }, loanWaiverChange);
    await confirmChange(tx, { userId: founder }, { changeId, saccoId: sacco }, executors);
  });
  await byHand(8_884_88);
  expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0, due_on: '2026-05-02' });
  expect(await counted()).toEqual([{ channel: 'wallet', counts_on: null, amount_cents: 8_884_88 }]);
  expect(await sound()).toEqual([]);
});
