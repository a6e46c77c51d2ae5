import { formatShillings } from '@ushirika/contract/format';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { depositSavings } from '../savings/deposit-savings.ts';
import { receiptOf } from '../wallet/history.ts';
import { deskLoanMovements, deskLoans, loanFigures, NO_STEPS } from './desk.queries.ts';
import { coverFor } from './loan-cover.ts';
import { loansToTell } from './loan-notices.ts';
import { type LoanRow, readerOf } from './loan-rows.ts';
import { loanOf, movementsOfLoan } from './loans.queries.ts';
import { quoteOf, standingLimit } from './quote-loan.ts';
import { loanReceiptDetails } from './receipt-details.ts';
import { loanSteps } from './recovery.queries.ts';
import { payoffOfLoan, repayLoans } from './repay-loans.ts';
import { testLateLoans } from './test-late-loans.ts';
import { allocateTaken, writeTaken } from './write-recovery.ts';

// What pages show of loans is told once, and adds up.
vi.setConfig({ testTimeout: 60_000 });

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
beforeEach(() => database.world.setNow(new Date('2026-03-02T06:00:00Z')));

const setDay = (day: string) => database.world.setNow(new Date(`${day}T06:00:00Z`));

async function lent(amountCents: number, months: number) {
  const sacco = await late.saccos.sacco(founder, operator);
  const borrower = await people.person('Amina', 'Otieno');
  await late.saver(sacco, borrower, 0);
  // What the sacco lends.
  await late.saver(sacco, await people.person('Saver'), 100_000_00);
  await late.saccos.fund(borrower, 50_000_00);
  const loan = await late.loan({ sacco, borrower, amountCents, months });
  const read = () => loanOf(database, { userId: borrower, saccoId: sacco }, loan);
  let paid = 0;
  const pay = async (amountCents: number, channel: 'wallet' | 'payoff' = 'wallet') => {
    paid += 1;
    await database.transaction((tx) =>
      repayLoans(tx, [{ loanId: loan, payerId: borrower, amountCents, channel, key: `${loan}:${paid}` }]),
    );
  };
  return { sacco, borrower, loan, read, pay };
}

const live = (sacco: string, until: string) => late.live(sacco, until);

/** Takes so much principal of a loan, as a recovery does. */
async function take(sacco: string, loan: string, principal: number) {
  await database.transaction(async (tx) => {
    const [row] = await tx.sql<LoanRow[]>`select * from loans where id = ${loan} for update`;
    if (!row) throw new Error('The loan is not there.');
    await tx.sql`
      update loans set state = 'defaulted', defaulted_at = ${tx.now}, duplum_cents = ${row.principal_cents}
      where id = ${loan} and state = 'in_arrears'`;
    await tx.sql`update loans set state = 'recovering' where id = ${loan} and state = 'defaulted'`;
    const allocation = await allocateTaken(tx, row, { principal, interest: 0, penalty: 0 });
    const [journal] = await tx.sql<{ id: string }[]>`select id::text from journals order by journals.id desc limit 1`;
    await writeTaken(tx, row, allocation, { journalId: journal?.id ?? '', byId: founder, released: 0 });
  });
  return sacco;
}

type Detail = Awaited<ReturnType<typeof loanOf>>;
const cents = (shillings: number) => Math.round(shillings * 100);
const principalShown = ({ schedule, early }: Detail) =>
  [...schedule, ...early].reduce((total, { principal }) => total + cents(principal), 0);

describe('the schedule of a loan', () => {
  test('that is paid off at once: the early principal stands beside its instalment, and the agreed schedule is kept', async () => {
    const { read, pay } = await lent(20_000_00, 12);
    await pay(20_000_00, 'payoff');
    const loan = await read();
    expect(loan).toMatchObject({ state: 'closed', owed: 0, overdue: 0 });
    expect(loan.schedule).toHaveLength(1);
    expect(loan.schedule[0]).toMatchObject({ principal: 1_576.98, balance_after: 18_423.02, state: 'paid' });
    expect(loan.early).toEqual([
      { on: '2026-03-02', payments: 1, kind: 'paid_off', after: 1, principal: 18_423.02, balance_after: 0 },
    ]);
    expect(principalShown(loan)).toBe(20_000_00);
    expect(loan.agreed).toHaveLength(12);
    expect(loan.agreed?.[0]).toMatchObject({ principal: 1_576.98, balance_after: 18_423.02 });
    expect(loan.agreed?.at(-1)?.balance_after).toBe(0);
  });

  test('that is paid three times at one moment: the timeline has the payments in their order, and the end last', async () => {
    const { read, pay } = await lent(20_000_00, 12);
    for (const amount of [100_00, 50_00]) await pay(amount);
    await pay(20_000_00, 'payoff');
    const { timeline } = await read();
    expect(timeline.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['repaid', 100],
      ['repaid', 50],
      ['paid_off', 19_850],
      ['closed', null],
    ]);
  });

  test('as it was agreed says so, and what is prepaid adds up with the rest', async () => {
    const { read, pay } = await lent(20_000_00, 12);
    expect(await read()).toMatchObject({ agreed: null, early: [] });
    setDay('2026-04-02');
    await pay(5_000_00);
    const loan = await read();
    expect(loan.early).toHaveLength(1);
    expect(loan.early[0]).toMatchObject({ kind: 'prepaid', on: '2026-04-02', after: 1 });
    expect(principalShown(loan)).toBe(20_000_00);
    expect(loan.schedule.at(-1)?.balance_after).toBe(0);
    expect(loan.agreed).toHaveLength(12);
  });

  test('of which a recovery took the principal: it adds up, and the interest that is left is overdue everywhere', async () => {
    const { sacco, loan, read } = await lent(5_000_00, 9);
    await live(sacco, '2026-05-10');
    await take(sacco, loan, 5_000_00);
    const detail = await read();
    expect(detail.schedule[0]?.balance_after).toBe(5_000 - (detail.schedule[0]?.principal ?? 0));
    expect(detail.early.map(({ kind }) => kind)).toEqual(['recovered']);
    expect(principalShown(detail)).toBe(5_000_00);
    expect(detail.principal_owed).toBe(0);
    expect(detail.interest_owed).toBeGreaterThan(0);
    // The first instalment was due on 2 April.
    expect(detail.days_past_due).toBe(38);
    const overdue = detail.schedule.filter(({ state }) => state === 'overdue');
    const unpaid = overdue.reduce((total, each) => total + cents(each.total) - cents(each.paid), 0);
    expect(cents(detail.overdue)).toBe(unpaid + cents(detail.penalty_owed));
    expect(cents(detail.owed)).toBe(cents(detail.interest_owed) + cents(detail.penalty_owed));
    const list = await deskLoans(
      { database, publicUrl: '', steps: NO_STEPS, relatedPairs: async () => new Set() },
      { userId: founder, saccoId: sacco },
      { list: 'arrears', limit: 20 },
    );
    expect(list.results).toHaveLength(1);
    expect(list.results[0]).toMatchObject({
      days_past_due: 38,
      overdue: detail.overdue,
      owed: detail.owed,
      class: 'substandard',
    });
  });
});

test('interest is told as of today, and all that is owed is what pays the loan off', async () => {
  const { loan, read } = await lent(20_000_00, 12);
  setDay('2026-03-17');
  const { payoff } = await database.transaction((tx) => payoffOfLoan(tx, { id: loan }));
  const detail = await read();
  expect(cents(detail.interest_owed)).toBe(payoff.interest);
  expect(payoff.interest).toBe(96_77);
  expect(cents(detail.owed)).toBe(payoff.amount);
});

test('every movement of money is a line: what it was shared out to, what is owed after it, and its entry in the books', async () => {
  const { sacco, loan, read, pay } = await lent(5_000_00, 9);
  setDay('2026-04-02');
  await pay(1_000_00);
  await live(sacco, '2026-05-04');
  await take(sacco, loan, 500_00);
  const detail = await read();
  expect(
    detail.movements.map(({ principal, interest, balance_after }) => [principal, interest, balance_after]),
  ).toEqual([
    [500, 0, 3_550],
    [950, 50, 4_050],
    [0, 0, 5_000],
  ]);
  expect(detail.movements[0]?.balance_after).toBe(detail.principal_owed);
  for (const each of detail.movements) {
    const parts = each.principal + each.interest + each.penalty;
    if (each !== detail.movements[2]) expect(cents(parts)).toBe(cents(each.amount));
  }
  expect(detail.movements[1]?.entry).toMatch(/^\d+$/);
});

describe('a loan that is repaid in many small payments', () => {
  const cursorOf = (next: string | null) => new URL(next ?? '').searchParams.get('cursor') ?? '';

  test('shows the newest ten of its movements and payments, and all of them by pages forward and back', async () => {
    const { sacco, borrower, loan, read, pay } = await lent(40_000_00, 12);
    for (let day = 1; day <= 24; day += 1) {
      setDay(`2026-03-${String(2 + day).padStart(2, '0')}`);
      await pay(day * 100_00);
    }
    const detail = await read();
    expect(detail.movements.map(({ amount }) => amount)).toEqual(
      Array.from({ length: 10 }, (_, index) => (24 - index) * 100),
    );
    expect(detail.has_more_movements).toBe(true);
    expect(detail.movements[0]?.balance_after).toBe(detail.principal_owed);
    const paid = detail.timeline.filter(({ kind }) => kind === 'repaid' || kind === 'prepaid' || kind === 'paid_off');
    expect(paid.map(({ amount }) => amount)).toEqual(Array.from({ length: 10 }, (_, index) => (15 + index) * 100));
    const deps = { database, publicUrl: 'https://ushirika.test' };
    const pageOf = (cursor?: string) =>
      movementsOfLoan(deps, { userId: borrower, saccoId: sacco }, loan, { limit: 9, ...(cursor ? { cursor } : {}) });
    const [one, deskOne] = [
      await pageOf(),
      await deskLoanMovements(deps, { userId: founder, saccoId: sacco }, loan, { limit: 9 }),
    ];
    const two = await pageOf(cursorOf(one.next));
    const three = await pageOf(cursorOf(two.next));
    expect([one.count, three.next, deskOne.results]).toEqual([25, null, one.results]);
    const all = [...one.results, ...two.results, ...three.results].toReversed();
    expect(all.map(({ amount }) => amount)).toEqual([
      40_000,
      ...Array.from({ length: 24 }, (_, index) => (index + 1) * 100),
    ]);
    let balance = 40_000_00;
    for (const { principal, balance_after } of all) {
      balance -= cents(principal);
      expect(cents(balance_after)).toBe(balance);
    }
    const back = await pageOf(cursorOf(three.previous));
    expect(back.results).toEqual(two.results);
    await expect(movementsOfLoan(deps, { userId: founder, saccoId: sacco }, loan, { limit: 9 })).rejects.toMatchObject({
      code: 'not_found',
    });
    const readings = async () =>
      (await database.owner`select from member_record_readings where sacco_id = ${sacco}`).length;
    expect(await readings()).toBe(1);
    const foreign = { userId: founder, saccoId: await late.saccos.sacco(founder, operator) };
    await expect(deskLoanMovements(deps, foreign, loan, { limit: 9 })).rejects.toMatchObject({ code: 'not_found' });
    for (const at of [-1, 253_402_300_800_000, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const forged = Buffer.from(JSON.stringify(['a', at, 1, 5])).toString('base64url');
      await expect(pageOf(forged)).rejects.toMatchObject({ code: 'validation_failed' });
    }
    expect(await readings()).toBe(1);
  });

  test('tells payments of one moment in the order in which they were made, with what was owed after each', async () => {
    const { sacco, borrower, loan, read, pay } = await lent(20_000_00, 12);
    setDay('2026-04-02');
    for (let time = 1; time <= 12; time += 1) await pay(time * 200_00);
    await pay(20_000_00, 'payoff');
    const { movements, timeline, early } = await read();
    expect(movements.map(({ amount, balance_after }, place) => [amount, place > 0 || balance_after === 0])).toEqual([
      [expect.any(Number), true],
      ...Array.from({ length: 9 }, (_, index) => [(12 - index) * 200, true]),
    ]);
    for (const [place, { principal, balance_after }] of movements.entries()) {
      const older = movements[place + 1];
      if (older) expect(cents(older.balance_after) - cents(principal)).toBe(cents(balance_after));
    }
    expect(timeline.slice(-3).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['prepaid', 2_400],
      ['paid_off', movements[0]?.amount],
      ['closed', null],
    ]);
    expect(early.at(-1)).toMatchObject({ kind: 'paid_off', payments: 1, principal: movements[0]?.principal });
    const deps = { database, publicUrl: 'https://ushirika.test' };
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await movementsOfLoan(deps, { userId: borrower, saccoId: sacco }, loan, { limit: 1, cursor });
      ids.push(...page.results.map(({ id }) => id));
      if (page.next === null) break;
      cursor = cursorOf(page.next);
    }
    expect([ids.length, new Set(ids).size]).toEqual([14, 14]);
  });

  test('shows what guarantors got back beside its payments, as many of each, and says that there is more', async () => {
    const { loan, read, pay } = await lent(20_000_00, 12);
    setDay('2026-03-10');
    for (let time = 1; time <= 10; time += 1) await pay(100_00);
    expect((await read()).has_more_payments).toBe(false);
    for (let time = 1; time <= 12; time += 1) {
      await database.owner`
        insert into loan_events (id, loan_id, kind, at, amount_cents)
        values (${database.newId()}, ${loan}, 'guarantor_refunded', ${database.now()}, ${time * 100})`;
    }
    const { timeline, has_more_payments, movements } = await read();
    const amountsOf = (kinds: readonly string[]) =>
      timeline.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount);
    expect(amountsOf(['repaid', 'prepaid'])).toEqual(Array.from({ length: 10 }, () => 100));
    expect(amountsOf(['guarantor_refunded'])).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(has_more_payments).toBe(true);
    expect(movements.map(({ amount }) => amount)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  });

  test('has one line of its schedule for what was paid early before an instalment, and one for what paid it off', async () => {
    const { read, pay } = await lent(20_000_00, 12);
    for (const day of ['2026-04-02', '2026-04-03', '2026-04-05']) {
      setDay(day);
      await pay(2_000_00);
    }
    expect((await read()).early).toMatchObject([
      { on: '2026-04-02', payments: 1, kind: 'prepaid', after: 1 },
      { on: '2026-04-05', payments: 2, kind: 'prepaid', after: 2 },
    ]);
    setDay('2026-04-06');
    await pay(20_000_00, 'payoff');
    const loan = await read();
    expect(loan.early.map(({ payments, kind, after }) => [payments, kind, after])).toEqual([
      [1, 'prepaid', 1],
      [2, 'prepaid', 2],
      [1, 'paid_off', 2],
    ]);
    expect(principalShown(loan)).toBe(20_000_00);
    expect(loan.early.at(-1)?.balance_after).toBe(0);
  });
});

test('days late and what is overdue are told as of the day of the telling, however old the last run is', async () => {
  const { sacco, loan } = await lent(5_000_00, 9);
  await live(sacco, '2026-04-10');
  setDay('2026-04-20');
  const { loans } = await database.transaction((tx) => loansToTell(tx, [loan]));
  // Due on 2 April: 8 days at the last run, 18 today.
  expect(loans[0]).toMatchObject({ days_past_due: 18, overdue_cents: 583_70 });
});

test('the overview counts the loans that the list of all owed shows; written off ones stand apart in both', async () => {
  const { sacco, loan } = await lent(5_000_00, 9);
  const needs = { database, publicUrl: '', steps: NO_STEPS, relatedPairs: async () => new Set<number>() };
  const official = { userId: founder, saccoId: sacco };
  const counts = async () => {
    const [figures, active, given] = await Promise.all([
      loanFigures(database, official, NO_STEPS),
      deskLoans(needs, official, { list: 'active', limit: 20 }),
      deskLoans(needs, official, { list: 'written_off', limit: 20 }),
    ]);
    return [figures.loans, active.results.length, figures.written_off.loans, given.results.length];
  };
  expect(await counts()).toEqual([1, 1, 0, 0]);
  await database.owner`
    update loans set state = 'in_arrears', arrears_since = '2026-03-01' where id = ${loan}`;
  await database.owner`
    update loans set state = 'defaulted', defaulted_at = ${database.now()}, duplum_cents = principal_cents where id = ${loan}`;
  await database.owner`
    update loans set state = 'written_off', written_off_at = ${database.now()}, class = null where id = ${loan}`;
  expect(await counts()).toEqual([0, 0, 1, 1]);
});

test('the receipt of a repayment names the loan and what was paid with it, to its payer alone', async () => {
  const { loan, borrower, read, pay } = await lent(20_000_00, 12);
  setDay('2026-04-02');
  await pay(1_700_00);
  const { number, movements } = await read();
  const paid = movements[0];
  const entry = paid?.entry ?? '';
  const receiptDetails = (about: { type: string; id: string }, journal: string) =>
    loanReceiptDetails(database, about, journal);
  const receipt = await receiptOf({ database, receiptDetails }, borrower, entry);
  expect(receipt.details.map(({ name, value }) => [name.text, value.values?.text])).toEqual([
    ['Loan', number],
    ['Of it interest', formatShillings(paid?.interest ?? 0)],
    ['Of it principal', formatShillings(paid?.principal ?? 0)],
  ]);
  expect((paid?.interest ?? 0) + (paid?.principal ?? 0)).toBe(1_700);
  await expect(receiptOf({ database, receiptDetails }, founder, entry)).rejects.toThrow();
  // Of another journal of the loan: its number alone.
  expect(await loanReceiptDetails(database, { type: 'loan', id: loan }, '1')).toHaveLength(1);
});

test('a loan says what of the borrower’s savings could be taken, and nothing once it is over', async () => {
  const { borrower, sacco, read, pay } = await lent(5_000_00, 9);
  const save = () =>
    database.transaction((tx) => depositSavings(tx, [{ userId: borrower, saccoId: sacco, amountCents: 3_000_00 }]));
  expect(await read()).toMatchObject({ taking: { held: 0, free: 0, most: 0 }, steps: [] });
  await save();
  expect((await read()).taking).toEqual({ held: 0, free: 3_000, most: 3_000 });
  await save();
  expect((await read()).taking).toEqual({ held: 0, free: 6_000, most: 5_000 });
  await pay(5_000_00, 'payoff');
  expect((await read()).taking).toBeNull();
});

test('a list of the desk takes as many statements for five loans as for one', async () => {
  const { sacco, borrower } = await lent(5_000_00, 9);
  await late.official(sacco, founder, 'credit_committee');
  const statements = async (list: Parameters<typeof deskLoans>[2]['list']) => {
    let count = 0;
    const sql = new Proxy(database.sql, {
      apply: (target, self, args) => {
        count += 1;
        return Reflect.apply(target, self, args);
      },
    });
    const counted = new Proxy(database, { get: (target, name) => (name === 'sql' ? sql : Reflect.get(target, name)) });
    const needs = { database: counted, publicUrl: '', steps: loanSteps, relatedPairs: async () => new Set<number>() };
    const { results } = await deskLoans(needs, { userId: founder, saccoId: sacco }, { list, limit: 20 });
    return { rows: results.length, count };
  };
  await live(sacco, '2026-05-10');
  const one = await statements('arrears');
  for (let more = 0; more < 4; more += 1) {
    const loan = await late.loan({ sacco, borrower, amountCents: 5_000_00, months: 9 });
    await database.owner`
      update loans set state = 'in_arrears', arrears_since = '2026-04-02', due_on = '2026-04-02' where id = ${loan}`;
  }
  const five = await statements('arrears');
  expect([one.rows, five.rows]).toEqual([1, 5]);
  expect(five.count).toBe(one.count);
});

test('who is to stand in for a guarantor covers nothing before the committee has confirmed it', async () => {
  const pledge = { kind: 'member' as const, amount_cents: 805_40 };
  const cover = await coverFor(
    { sql: database.sql, now: database.now() },
    { id: null, amount_cents: 6_798_42, min_guarantors: 0 },
    [
      { ...pledge, state: 'live', pledged_cents: 399_21, replaces_id: null },
      { ...pledge, state: 'accepted', pledged_cents: 805_40, replaces_id: 'the first' },
    ],
    0,
  );
  expect(cover.pledged).toBe(399_21);
});

test('the loans page and the calculator tell one limit: what one has asked for counts once it is handed in', async () => {
  // Savings count once they are older than 90 days.
  setDay('2025-11-03');
  const sacco = await late.saccos.sacco(founder, operator);
  const borrower = await people.person('Amina', 'Otieno');
  await late.saver(sacco, borrower, 20_000_00);
  await late.saver(sacco, await people.person('Saver'), 100_000_00);
  setDay('2026-03-02');
  const loan = await late.loan({ sacco, borrower, amountCents: 5_000_00, months: 9 });
  const member = { saccoId: sacco, userId: borrower };
  const limits = async () => {
    const { products, limit } = await standingLimit(readerOf(database), member);
    const [product] = products;
    const asked = { product: product?.id ?? '', amount: 1_000_00, months: product?.max_months ?? 1 };
    const quoted = await quoteOf(readerOf(database), member, asked);
    expect(quoted.limit).toEqual(limit);
    // The part that three times the savings leave; the other parts do not go by what is asked for.
    return limit.parts.find(({ kind }) => kind === 'savings')?.amount;
  };
  expect(await limits()).toBe(55_000);
  const id = database.newId();
  await database.owner`
    insert into loans (id, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate, min_guarantors,
      amount_cents, months, purpose, net_income_cents, state, state_at, applied_at, expires_at, terms_hash)
    select ${id}, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate, min_guarantors,
      2000000, months, purpose, net_income_cents, 'guarantors_pending', ${database.now()}, ${database.now()},
      ${new Date(database.now().getTime() + 1e9)}, terms_hash
    from loans where id = ${loan}`;
  expect(await limits()).toBe(55_000);
  await database.owner`
    update loans set state = 'submitted', submitted_at = ${database.now()}, round = round + 1, judged_cents = amount_cents,
      committee_alone_cents = 100000000, manager_alone_cents = 0
    where id = ${id}`;
  expect(await limits()).toBe(35_000);
});
