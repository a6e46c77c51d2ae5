import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { decideCheckOff } from './decide-check-off.ts';
import { loansInvariants } from './loans.invariants.ts';
import { makeCheckOff } from './make-check-off.ts';
import { payCheckOff } from './pay-check-off.ts';
import { settleMpesaRepayments } from './prompt-repayment.ts';
import { repayLoans } from './repay-loans.ts';
import { runCheckOffs } from './run-check-offs.ts';
import { testLending } from './test-lending.ts';

const lending = await testLending();
const { database, people, late, founder } = lending;
let sacco: string;
let borrower: string;
let loan: string;

afterAll(() => database.close());
/** Ksh. 100,000 at 1 % a month over 12 months, paid out on 2 March 2026: 8,884.88 is due on 2 April. */
beforeEach(async () => {
  sacco = await lending.sacco();
  borrower = await lending.borrower(sacco);
  loan = await late.loan({ sacco, borrower, amountCents: 100_000_00, months: 12 });
});

const row = async () => (await database.sql`select * from loans where id = ${loan}`)[0];
const sound = () => breaches(database.sql, [...ledgerInvariants, ...loansInvariants]);
const told = async () =>
  (
    await database.sql<{ text: { en: string } }[]>`
      select text from notifications where user_id = ${borrower} and template = 'loan_charges_taken_back'`
  ).map(({ text }) => JSON.stringify(text));
const reversed = () =>
  database.sql`
    select j.kind, t.amount from journals j join transfers t on t.journal_id = j.id
    where j.kind = 'loan_charges_reversed' and j.about_id = ${loan} order by t.id`;
let receipts = 0;
/** It is in the borrower’s wallet only now; M-Pesa says on which day it was paid. */
async function booked(cents: number, paidOn: string) {
  receipts += 1;
  const receipt = `SGH7XK2${String(receipts).padStart(3, '0')}`;
  await late.saccos.fund(borrower, cents);
  await database.owner`
    insert into mpesa_receipts (receipt, amount_cents, source, credited_to, user_id, paid_at, credited_at)
    values (${receipt}, ${cents}, 'paybill', 'wallet', ${borrower}, ${new Date(`${paidOn}T07:00:00Z`)}, ${database.now()})`;
  await database.owner`
    insert into loan_paybills (receipt, loan_id, amount_cents) values (${receipt}, ${loan}, ${cents})`;
  await settleMpesaRepayments(database);
}
const byHand = (amountCents: number) =>
  database.transaction((tx) =>
    repayLoans(tx, [{ loanId: loan, payerId: borrower, amountCents, channel: 'wallet', key: tx.newId() }]),
  );

describe('a payment counts on the day it was made', () => {
  test('paid on the day before it is due and booked twelve days late, it costs no penalty and is not late (field case M5)', async () => {
    await late.live(sacco, '2026-04-14');
    expect(await row()).toMatchObject({ state: 'in_arrears', penalty_cents: 20_44 });
    await booked(8_884_88, '2026-04-01');
    expect(await row()).toMatchObject({
      ...{ state: 'active', penalty_cents: 0, overdue_cents: 0, days_past_due: 0, principal_cents: 92_115_12 },
      due_on: '2026-05-02',
    });
    const [first] = await database.sql`select * from loan_instalments where loan_id = ${loan} and number = 1`;
    expect(first?.paid_on).toBe('2026-04-01');
    expect(await reversed()).toEqual([{ kind: 'loan_charges_reversed', amount: 20_44 }]);
    expect(await told()).toHaveLength(1);
    const [paid] = await database.sql`select counts_on, penalty_cents from loan_repayments where loan_id = ${loan}`;
    expect(paid).toEqual({ counts_on: '2026-04-01', penalty_cents: 0 });
    expect(await sound()).toEqual([]);
    // Once: the days after it charge nothing for it, and nothing is taken back again.
    await late.live(sacco, '2026-04-16');
    expect(await row()).toMatchObject({ penalty_cents: 0 });
    expect(await reversed()).toHaveLength(1);
  });

  test('made late, it costs the penalty up to that day and none since (field case M5)', async () => {
    await late.live(sacco, '2026-04-14');
    // Until 10 April three days were charged: 8,884.88 x 1 % x 12 x 3 / 365.
    await booked(8_884_88 + 8_76, '2026-04-10');
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0 });
    expect(await reversed()).toEqual([{ kind: 'loan_charges_reversed', amount: 20_44 - 8_76 }]);
    expect(await sound()).toEqual([]);
  });

  test('a part of what was due takes back the penalty on that part (field case M5)', async () => {
    await late.live(sacco, '2026-04-14');
    await booked(4_000_00, '2026-04-01');
    const { penalty_cents, overdue_cents } = (await row()) as { penalty_cents: number; overdue_cents: number };
    expect(overdue_cents).toBe(4_884_88);
    // As for 4,884.88 alone.
    expect(penalty_cents).toBe(11_24);
    expect(await sound()).toEqual([]);
  });

  test('penalty that was paid meanwhile goes back into the wallet (field case M5)', async () => {
    await late.live(sacco, '2026-04-14');
    await late.saccos.fund(borrower, 50_00);
    await byHand(50_00);
    expect(await row()).toMatchObject({ penalty_cents: 0, overdue_cents: 8_884_88 - 29_56 });
    await booked(8_884_88 - 29_56, '2026-04-01');
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0 });
    const wallet = await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: borrower }]);
    // The loan itself is in the wallet, and the penalty on what was held up.
    expect(wallet[0]).toBe(100_000_00 + 20_37);
    expect(await sound()).toEqual([]);
  });

  test('what stood in suspense, and is credited to the borrower whose loan its payer named, goes on to that loan by its own day (field case M5)', async () => {
    const { number } = (await row()) as { number: string };
    await late.live(sacco, '2026-04-14');
    await database.owner`
      insert into paybill_payments (id, receipt, amount_cents, account_reference, payer_name, state, received_at, settled_at)
      values (${database.newId()}, 'SGH7XK2SU1', 888488, ${`${number.slice(0, 3)} ${number.slice(3)}`}, 'AMINA', 'suspense',
        ${database.now()}, ${database.now()})`;
    await database.owner`
      insert into mpesa_receipts (receipt, amount_cents, source, credited_to, paid_at, credited_at)
      values ('SGH7XK2SU1', 888488, 'paybill', 'suspense', '2026-04-01T07:00:00Z', ${database.now()})`;
    await settleMpesaRepayments(database);
    expect(await row()).toMatchObject({ penalty_cents: 20_44 });
    await late.saccos.fund(borrower, 8_884_88);
    await database.owner`
      update mpesa_receipts set credited_to = 'wallet', user_id = ${borrower} where receipt = 'SGH7XK2SU1'`;
    await settleMpesaRepayments(database);
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0, due_on: '2026-05-02' });
    const paid = await database.sql`select counts_on, amount_cents from loan_repayments where loan_id = ${loan}`;
    expect(paid).toEqual([{ counts_on: '2026-04-01', amount_cents: 8_884_88 }]);
    expect(await sound()).toEqual([]);
  });

  test('what pays a loan off costs interest up to the day it was made (field case M5)', async () => {
    await late.live(sacco, '2026-03-28');
    // 100,000 and 15 of 31 days.
    await booked(100_000_00 + 483_87, '2026-03-17');
    expect(await row()).toMatchObject({ state: 'closed', principal_cents: 0, interest_cents: 0 });
    expect(await sound()).toEqual([]);
  });

  test('no receipt of a day to come makes a loan cheaper, and one before the loan none at all', async () => {
    await late.live(sacco, '2026-04-14');
    await booked(8_884_88, '2026-04-20');
    expect(await reversed()).toEqual([]);
    expect(await row()).toMatchObject({ penalty_cents: 0, overdue_cents: 20_44 });
    expect(await sound()).toEqual([]);
  });
});

describe('an employer’s payment', () => {
  async function checkedOff(cents: number) {
    const [chair, treasurer, payer] = [founder, await people.person('Treasurer'), await people.person('County')];
    await database.owner`
      insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
      values (${payer}, ${payer}, ${`${payer}0000000`}, 'Test', '127.0.0.1', 'infinity', ${database.now()}, ${database.now()},
        'infinity')`;
    await late.official(sacco, treasurer, 'treasurer');
    await late.saccos.fund(payer, cents);
    const [member] = await database.sql<{ id: string }[]>`
      select id from memberships where user_id = ${borrower} and sacco_id = ${sacco}`;
    const lines = [{ member: member?.id ?? '', amountCents: cents }];
    const id = await database.transaction((tx) =>
      makeCheckOff(tx, { userId: treasurer, saccoId: sacco }, { employer: 'County of Nairobi', payerId: payer, lines }),
    );
    const decision = { id, decision: 'approve', reason: '' } as const;
    await database.transaction((tx) => decideCheckOff(tx, { userId: chair, saccoId: sacco }, decision));
    await database.transaction((tx) =>
      payCheckOff(tx, { userId: payer, sessionId: payer }, { id, amountCents: cents }),
    );
    return () => runCheckOffs(database);
  }

  test('within the seven days of the law costs the member no penalty (field case M6)', async () => {
    await late.live(sacco, '2026-04-09');
    expect(await row()).toMatchObject({ penalty_cents: 5_84 });
    await (await checkedOff(8_884_88))();
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0, due_on: '2026-05-02' });
    expect(await told()).toHaveLength(1);
    expect(await sound()).toEqual([]);
  });

  test('after them costs the whole penalty, and one that was shared out a day later counts on its own day (field case M6)', async () => {
    await late.live(sacco, '2026-04-10');
    const run = await checkedOff(8_884_88 + 8_76);
    await late.live(sacco, '2026-04-12');
    await run();
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0 });
    const [paid] = await database.sql`select counts_on, penalty_cents from loan_repayments where loan_id = ${loan}`;
    expect(paid).toEqual({ counts_on: '2026-04-10', penalty_cents: 8_76 });
    expect(await sound()).toEqual([]);
  });

  test('the days are those of the law on that day', async () => {
    await database.owner`insert into employer_days (valid_from, days) values ('2026-04-01', 10)`;
    await late.live(sacco, '2026-04-12');
    await (await checkedOff(8_884_88))();
    expect(await row()).toMatchObject({ state: 'active', penalty_cents: 0, overdue_cents: 0 });
    await database.owner`delete from employer_days where valid_from = '2026-04-01'`;
  });
});
