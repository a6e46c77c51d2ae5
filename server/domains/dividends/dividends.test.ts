import { shareDaysOf, shareLines } from '@ushirika/contract/dividend-rules';
import { dividendsContract } from '@ushirika/contract/dividends';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asPerson } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { runLoanDays } from '../loans/run-loan-days.ts';
import { dividendLoans, shareOutDividend } from '../loans/share-out-dividend.ts';
import { testLateLoans } from '../loans/test-late-loans.ts';
import { testTraders } from '../market/test-traders.ts';
import { standings } from '../membership/standings.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesRoutes } from '../saccos/changes.routes.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { yearClosingChange } from './close-year.ts';
import { dividendChange } from './declare-dividend.ts';
import { dividendsInvariants } from './dividends.invariants.ts';
import { dividendsRoutes } from './dividends.routes.ts';
import { payDividends, type ShareOut } from './pay-dividends.ts';
import { reckonYears } from './reckon-years.ts';

const executor = dividendChange(2);
const changes = testChanges({ year_closing: yearClosingChange, dividend: executor });
const TERMS = {
  year: 2026,
  share_rate: 10,
  savings_rate: 6,
  savings_method: 'month_after',
  record_date: '2027-03-01',
  share_tax: 5,
  savings_tax: 15,
};
let world: TestWorld;
let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let late: ReturnType<typeof testLateLoans>;
let traders: ReturnType<typeof testTraders>;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let chair: string;
let treasurer: string;
let operator: string;
let amina: string;
let baraka: string;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  people = testPeople(database);
  late = testLateLoans(database);
  traders = testTraders(database);
  operator = await people.person('Operator');
  app = await testApp({
    database,
    contract: [...dividendsContract, ...saccoChangesContract],
    bindings: [
      ...dividendsRoutes({ database, publicUrl: 'https://ushirika.test', changes }),
      ...changesRoutes({ database, changes }),
    ],
    standingOf: standings(database),
  });
});
/** A sacco of January 2026 that earned Ksh. 100,000 in fees; Amina and Baraka have 100 shares of Ksh. 100 each. */
beforeEach(async () => {
  goTo('2026-01-01');
  chair = await people.person('Wanjiru', 'Kamau');
  treasurer = await people.person('Otieno', 'Ouma');
  sacco = await late.saccos.sacco(chair, operator);
  await late.official(sacco, treasurer, 'treasurer');
  amina = await member('Amina', 100);
  baraka = await member('Baraka', 100);
  await earn(100_000_00);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const goTo = (day: string) => world.setNow(new Date(`${day}T06:00:00Z`));
async function member(name: string, shares = 0): Promise<string> {
  const id = await people.person(name, 'Member');
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id = ${id}`;
  await late.saccos.join(sacco, id);
  if (shares > 0) await buy(id, shares);
  return id;
}
async function buy(userId: string, shares: number): Promise<void> {
  await late.saccos.fund(userId, shares * 100_00);
  const [bought] = await database.transaction((tx) =>
    buyShares(tx, [{ userId, saccoId: sacco, shares, amountCents: shares * 100_00 }]),
  );
  expect(bought).toMatchObject({ receipt: { amount: shares * 100 } });
}
/** Fees come in. */
async function earn(cents: number): Promise<void> {
  const payer = await people.person('Payer');
  await late.saccos.fund(payer, cents);
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: 'sacco_joined',
      idempotencyKey: `test:${tx.newId()}`,
      causedBy: payer,
      about: { type: 'test', id: payer },
      transfers: [
        { debit: walletOf(payer), credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco }, amount: cents },
        { debit: own('cash'), credit: own('fee_income'), amount: cents },
      ],
    }),
  );
}
const own = (
  kind: 'cash' | 'fee_income' | 'tax_payable' | 'retained_surplus' | 'statutory_reserve' | 'surplus_appropriated',
) => ({ book: sacco, kind, owner: null }) as const;
const walletOf = (owner: string) => ({ book: PLATFORM_BOOK, kind: 'wallet', owner }) as const;
const wallet = async (owner: string) => (await balances(database, [walletOf(owner)]))[0];
const get = (path: string, as: string) => app.call('GET', path, { as, sacco });
const propose = (year = 2026, as = treasurer) =>
  app.call('POST', '/sacco/dividends/years', { as, sacco, body: { year } });
const choose = (into: string, as: string) => app.call('PUT', '/dividends/choice', { as, sacco, body: { into } });

/** Two officials close a year on the tenth of January after it, and it is reckoned. */
async function closed(year = 2026): Promise<void> {
  goTo(`${year + 1}-01-10`);
  const { body } = await propose(year);
  const confirmed = await app.call('POST', `/sacco/changes/${body.change.id}/confirmation`, { as: chair, sacco });
  expect(confirmed.status).toBe(200);
  goTo(`${year + 1}-01-12`);
  await applyChanges(database, changes);
  await reckonYears(database, 2);
}
const about = (proposalId?: string, publishedAt: Date | null = null) => ({
  ...{ saccoId: sacco, proposedBy: chair, publishedAt },
  ...(proposalId ? { proposalId } : {}),
});
/** Why a vote could not be drafted, or could not be carried out. */
const refused = async (terms: object = {}, vote?: string) =>
  database.transaction(
    async (tx) => (await executor.refusalOf(tx, about(vote), { ...TERMS, ...terms } as never))?.message,
  );
/** As a vote that passed does it. */
async function declared(terms: object = {}, publishedAt: Date | null = null): Promise<void> {
  expect(await refused(terms)).toBeUndefined();
  await database.transaction(async (tx) => {
    await lockSacco(tx, sacco);
    await executor.apply(tx, about(undefined, publishedAt), { ...TERMS, ...terms } as never);
  });
}
/** How many have been told what they got. */
const told = async () =>
  (
    await database.sql`
      select from notifications n join memberships m on m.user_id = n.user_id
      where m.sacco_id = ${sacco} and n.template = 'dividend_paid'`
  ).length;
const pay = (shareOut: ShareOut = shareOutDividend) => payDividends(database, { ...dividendLoans, shareOut });
/** What officials read of the payments, a page for each member: each line adds up, and the totals are the sums of the lines. */
async function payments(as = treasurer) {
  const { body } = await get('/sacco/dividends/2026/payments?limit=1', as);
  const lines = [...body.results];
  for (let { next } = body; next !== null; ) {
    const page = (await get(next.slice(next.indexOf('/sacco/')), as)).body;
    expect(page.totals).toBeNull();
    lines.push(...page.results);
    next = page.next;
  }
  const cents = (shillings: number) => Math.round(shillings * 100);
  for (const of of [body.totals, ...lines]) {
    const gross = cents(of.share_dividend) + cents(of.savings_interest);
    expect(cents(of.net)).toBe(gross - cents(of.tax_on_shares) - cents(of.tax_on_savings));
    const went = [of.to_loans, of.to_guarantors, of.into_shares, of.into_wallet, of.waits].map(cents);
    expect(cents(of.net)).toBe(went.reduce((sum, part) => sum + part));
  }
  for (const part of Object.keys(body.totals)) {
    expect([part, cents(body.totals[part])]).toEqual([part, lines.reduce((sum, line) => sum + cents(line[part]), 0)]);
  }
  expect(lines).toHaveLength(body.count);
  return { totals: body.totals, lines };
}
async function expectBooks(): Promise<void> {
  expect(await database.sql.begin((tx) => breaches(tx, [...ledgerInvariants, ...dividendsInvariants]))).toEqual([]);
}

describe('a year', () => {
  test('is closed by two officials a day later, once: a fifth of its surplus is reserve, the rest may be distributed', async () => {
    goTo('2026-12-31');
    expect((await propose()).body).toMatchObject({
      code: 'change_conflict',
      message: 'The year 2026 is not over yet.',
    });
    expect((await get('/sacco/dividends', chair)).body.next).toMatchObject({
      year: 2026,
      why_not: 'The year 2026 is not over yet.',
    });
    expect((await propose(2025)).body.message).toBe('Years are closed once and in order: 2026 is next.');
    goTo('2027-01-05');
    // A share is worth more since January: the year before counts with what it was worth then.
    await database.owner`
      insert into sacco_terms select sacco_id, 2, ${database.now()}, reg_fee_cents, min_shares, 200_00, null, null, null, 0, null
      from sacco_terms where sacco_id = ${sacco}`;
    await database.owner`update saccos set share_value_cents = 200_00 where id = ${sacco}`;
    await closed();
    expect((await get('/dividends/2026', amina)).body.share_value).toBe(100);
    expect((await propose()).body.code).toBe('change_conflict');
    expect((await propose(2027)).body.message).toBe('The year 2027 is not over yet.');
    const [kept] = await database.sql<{ reserve: number; rest: number; fees: number }[]>`
      select (select balance from accounts where book_id = ${sacco} and kind = 'statutory_reserve') as reserve,
        (select balance from accounts where book_id = ${sacco} and kind = 'retained_surplus') as rest,
        (select balance from accounts where book_id = ${sacco} and kind = 'fee_income') as fees`;
    expect(kept).toEqual({ reserve: 20_000_00, rest: 80_000_00, fees: 100_000_00 });
    expect((await get('/sacco/dividends', chair)).body).toMatchObject({
      distributable: 80_000,
      years: [
        { year: 2026, state: 'closed', is_reckoned: true, figures: { surplus: 100_000, reserve: 20_000 }, members: 2 },
      ],
    });
    await expectBooks();
  });
  test('is stopped by no official alone: to the same closing once more another one has to say no', async () => {
    const secretary = await people.person('Secretary', 'Njoroge');
    await late.official(sacco, secretary, 'secretary');
    goTo('2027-01-10');
    const no = async (as: string, by = treasurer) => {
      const { body } = await propose(2026, by);
      return app.call('POST', `/sacco/changes/${body.change.id}/refusal`, { as, sacco });
    };
    expect((await no(secretary)).status).toBe(200);
    const { body, status } = await no(secretary);
    expect([status, body.message]).toEqual([
      409,
      'You have refused the same within the last 30 days. This time another official must say no.',
    ]);
    goTo('2027-01-12');
    await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
    expect((await propose()).body.code).toBe('sacco_inactive');
    expect(await refused()).toBeDefined();
  });
  test('is closed by nobody alone, nor by a member, and what was earned in the next year does not count', async () => {
    goTo('2027-01-10');
    expect((await propose(2026, amina)).status).toBe(403);
    const { body } = await propose();
    const alone = await app.call('POST', `/sacco/changes/${body.change.id}/confirmation`, { as: treasurer, sacco });
    expect(alone.body.code).toBe('second_official_required');
    await earn(5_000_00);
    await app.call('POST', `/sacco/changes/${body.change.id}/withdrawal`, { as: treasurer, sacco });
    expect(body.change.after).toEqual({ year: 2026, surplus: 100_000, reserve: 20_000, distributable: 80_000 });
    await closed();
    goTo('2028-01-05');
    expect((await get('/sacco/dividends', chair)).body.next).toMatchObject({ year: 2027, figures: { surplus: 5_000 } });
  });
});

describe('rates', () => {
  test('are tried before the vote: what they cost, what stays, and what members get', async () => {
    await late.save(sacco, amina, 12_000_00);
    await closed();
    const of = (query: string) =>
      get(`/sacco/dividends/simulation?year=2026&savings_method=month_after&${query}`, chair);
    const { body } = await of('share_rate=10&savings_rate=6');
    // 100 shares of Ksh. 100 all year at 10 % are 1,000 for each; 12,000 of January counts for 11 months: 660.
    expect(body).toMatchObject({
      share_dividend: 2_000,
      savings_interest: 660,
      gross: 2_660,
      tax: 199,
      stays: 77_340,
      why_not: null,
    });
    expect(body.members).toEqual({ count: 2, least: 950, median: 950, most: 1_511 });
    expect(body.ratios).toMatchObject({ below: [], is_refused: false });
    expect((await of('share_rate=100&savings_rate=100')).body.why_not).toBeNull();
    expect((await of('share_rate=10.123&savings_rate=6')).body.code).toBe('validation_failed');
    expect(
      (await get('/sacco/dividends/simulation?year=2025&savings_method=month_of&share_rate=1&savings_rate=1', chair))
        .body.code,
    ).toBe('dividend_conflict');
  });
  test('cannot be voted on that cost more than may be distributed, pay nobody, or withhold another tax than the law', async () => {
    expect(await refused()).toMatch('Only of the last year');
    await late.save(sacco, amina, 500_000_00);
    await closed();
    expect(await refused({ savings_rate: 20 })).toBe(
      'That costs Ksh. 93,666.66, and Ksh. 80,000.00 may be distributed.'.replaceAll('Ksh. ', 'Ksh.\u00a0'),
    );
    expect(await refused({ share_rate: 0, savings_rate: 0 })).toMatch('nobody would get anything');
    expect(await refused({ share_tax: 0 })).toBe('By law 5% is withheld of dividends then, and 15% of interest.');
    expect(await refused({ record_date: '2027-01-13' })).toBe(
      'The record date is from Tuesday, January 26, 2027 to Wednesday, January 12, 2028.',
    );
    // Reserves of 72,750 after it, of assets of more than 600,000: less than eight percent would stay at a higher rate.
    expect(await refused({ savings_rate: 12 })).toMatch('capital below the minimum');
    // Where it was below before, that is what is said.
    await database.owner`update capital_minimums set core_to_assets = 9000 where sacco_type = 'sacco'`;
    expect(await refused({ savings_rate: 1 })).toBe(
      'The sacco’s capital is already below the minimum that the law asks for: nothing may be distributed.',
    );
    await database.owner`update capital_minimums set core_to_assets = 1000 where sacco_type = 'sacco'`;
    await database.owner`update saccos set type = 'chama' where id = ${sacco}`;
    expect(await refused({ savings_rate: 12 })).toBeUndefined();
    // No vote after the other keeps the next year open: none begins after its record date, nor while two officials close that year.
    goTo('2028-01-05');
    expect(await refused()).toBe('That record date is over. Choose a later one.');
    expect(await refused({}, database.newId())).toBeUndefined();
    const soon = { record_date: '2028-01-10' };
    const { body } = await propose(2027);
    expect(await refused(soon)).toBeUndefined();
    await app.call('POST', `/sacco/changes/${body.change.id}/confirmation`, { as: chair, sacco });
    expect(await refused(soon)).toMatch('Two officials close 2027');
  });
});

describe('where a member lives for the tax', () => {
  const membershipOf = async (userId: string) =>
    (
      await database.sql<{ id: string }[]>`select id from memberships where user_id = ${userId} and sacco_id = ${sacco}`
    )[0]?.id;
  const records = async (as: string, userId: string, lives: string) =>
    app.call('PUT', `/sacco/members/${await membershipOf(userId)}/residence`, {
      ...{ as, sacco },
      body: { lives, paper: 'Tax certificate of Tanzania' },
    });

  test('a dividend of 100,000 to a member abroad is taxed with 15 percent, in Kenya with 5 (field case M8)', async () => {
    await earn(1_000_000_00);
    for (const each of [amina, baraka]) await buy(each, 900);
    expect((await records(chair, amina, 'abroad')).body).toMatchObject({ success: true, lives: 'abroad' });
    const [told] = await database.sql`
      select from notifications where user_id = ${amina} and template = 'residence_recorded'`;
    expect(told).toBeDefined();
    await closed();
    const rates = 'share_rate=100&savings_rate=0&savings_method=month_after';
    const tried = await get(`/sacco/dividends/simulation?year=2026&${rates}`, chair);
    expect(tried.body).toMatchObject({ share_dividend: 200_000, tax: 20_000 });
    await declared({ share_rate: 100, savings_rate: 0 });
    // A later record changes no dividend that is declared.
    expect((await records(treasurer, baraka, 'abroad')).status).toBe(200);
    expect((await records(treasurer, amina, 'kenya')).status).toBe(200);
    goTo('2027-03-02');
    await pay();
    expect([await wallet(amina), await wallet(baraka)]).toEqual([85_000_00, 95_000_00]);
    const { body } = await get('/dividends/2026', amina);
    expect(body).toMatchObject({
      declared: { share_tax: 15 },
      mine: { share_dividend: 100_000, tax: 15_000, net: 85_000 },
    });
    expect((await get('/dividends/2026', baraka)).body).toMatchObject({
      declared: { share_tax: 5 },
      mine: { net: 95_000 },
    });
    expect((await get(`/my-dividends/${sacco}/2026`, amina)).body).toMatchObject({ declared: { share_tax: 15 } });
    const payments = await get('/sacco/dividends/2026/payments?limit=10', chair);
    expect(payments.body).toMatchObject({ share_tax_abroad: 15, declared: { share_tax: 5 } });
    expect(payments.body.results.find(({ id }: { id: string }) => id === amina)).toMatchObject({
      ...{ lives: 'abroad', tax_on_shares: 15_000, net: 85_000 },
    });
    expect(await breaches(database.sql, [...ledgerInvariants, ...dividendsInvariants])).toEqual([]);
  });

  test('counts as it was recorded when the vote on the dividend was published, and a record of the last minute is of no effect', async () => {
    await earn(1_000_000_00);
    for (const each of [amina, baraka]) await buy(each, 900);
    expect((await records(chair, amina, 'abroad')).status).toBe(200);
    await closed();
    const published = database.now();
    goTo('2027-02-05');
    expect((await records(treasurer, baraka, 'abroad')).status).toBe(200);
    expect((await records(treasurer, amina, 'kenya')).status).toBe(200);
    goTo('2027-02-06');
    await declared({ share_rate: 100, savings_rate: 0 }, published);
    goTo('2027-03-02');
    await pay();
    expect([await wallet(amina), await wallet(baraka)]).toEqual([85_000_00, 95_000_00]);
    expect((await get(`/my-dividends/${sacco}/2026`, baraka)).body).toMatchObject({ declared: { share_tax: 5 } });
    const { lines } = await payments();
    expect(lines.find(({ id }: { id: string }) => id === amina)).toMatchObject({ lives: 'abroad' });
    expect(lines.find(({ id }: { id: string }) => id === baraka)).toMatchObject({ lives: 'kenya' });
  });

  test('is recorded by an official of another member, and back to Kenya by another official', async () => {
    expect((await records(amina, baraka, 'abroad')).body.code).toBe('not_allowed');
    expect((await records(chair, amina, 'kenya')).body.message).toBe('That is recorded already.');
    await late.saccos.join(sacco, treasurer);
    expect((await records(treasurer, treasurer, 'abroad')).body.message).toBe(
      'Another official records where you live.',
    );
    const both = await Promise.all([records(chair, amina, 'abroad'), records(chair, amina, 'abroad')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await records(chair, amina, 'kenya')).body.message).toMatch('You recorded that they live abroad.');
    goTo('2026-01-02');
    expect((await records(treasurer, amina, 'kenya')).status).toBe(200);
    // An official who was corrected does not record it again.
    expect((await records(chair, amina, 'abroad')).body.message).toBe(
      'You recorded that before, and another official corrected it. Another official records it.',
    );
    const listed = { id: await membershipOf(amina) };
    expect((await get('/sacco/dividends/residences', chair)).body.results).toMatchObject([
      { member: listed, lives: 'kenya', by: 'Otieno Ouma', paper: 'Tax certificate of Tanzania' },
      { member: listed, lives: 'abroad', by: 'Wanjiru Kamau' },
    ]);
    expect((await get('/sacco/dividends/residences', amina)).body.code).toBe('not_allowed');
  });
});

describe('a dividend', () => {
  test('pays the seller of shares for their days and the buyer for theirs, and who has left as well', async () => {
    goTo('2026-07-01');
    const [seller, buyer] = [await member('Seller', 83), await member('Buyer', 10)];
    await late.saccos.fund(buyer, 8_000_00);
    goTo('2026-10-01');
    const sold = [traders.order(sacco, seller, 'sell', 73, 100), traders.order(sacco, buyer, 'buy', 73, 100)];
    expect(await traders.went(sold)).toEqual(['waits', '73 at 100']);
    const before = [await wallet(seller), await wallet(buyer)] as [number, number];
    await database.owner`update memberships set state = 'exited' where sacco_id = ${sacco} and user_id = ${seller}`;
    await closed();
    await declared();
    goTo('2027-03-02');
    await pay();
    for (const each of [amina, baraka]) expect(await wallet(each)).toBe(950_00);
    // 83 shares for 92 days and 10 for 92 more are 8,556 share-days: Ksh. 234.41 at 10 %, less 5 %.
    expect([await wallet(seller), await wallet(buyer)]).toEqual([before[0] + 222_69, before[1] + 222_69]);
    const { body } = await get('/dividends/2026', buyer);
    expect(body).toMatchObject({
      state: 'paid',
      share_value: 100,
      moves: [
        { day: '2026-07-01', shares: 10 },
        { day: '2026-10-01', shares: 73 },
      ],
      mine: { share_dividend: 234.41, savings_interest: 0, tax: 11.72, net: 222.69, shares_bought: 0 },
    });
    expect(shareDaysOf(shareLines(2026, body.moves))).toBe(8_556);
    // Whoever has left reads their own part as before, and nothing else of the sacco.
    expect((await get('/dividends/2026', seller)).body.code).toBe('not_a_member');
    const hers = await get('/my-dividends', seller);
    expect(hers.body.dividends).toMatchObject([
      { year: 2026, is_member: false, sacco: { id: sacco }, mine: { net: 222.69 } },
    ]);
    const line = await get(`/my-dividends/${sacco}/2026`, seller);
    expect(line.body).toMatchObject({
      ...{ share_value: 100, member: { name: 'Seller Member' }, sacco: { id: sacco } },
      moves: [
        { day: '2026-07-01', shares: 83 },
        { day: '2026-10-01', shares: -73 },
      ],
      mine: { share_dividend: 234.41, tax: 11.72, net: 222.69 },
    });
    expect((await get(`/my-dividends/${sacco}/2026`, treasurer)).body.code).toBe('not_found');
    const seen = await asPerson(
      { userId: seller },
      () => database.sql`select year from dividends union all select year from closed_years`,
    );
    expect(seen).toHaveLength(0);
    expect(
      await asPerson({ userId: seller }, () => database.sql`select year from dividends_of(${buyer})`),
    ).toHaveLength(0);
    const told =
      await database.sql`select text from notifications where user_id = ${amina} and template = 'dividend_paid'`;
    expect(told).toHaveLength(1);
    expect((await balances(database, [own('tax_payable')]))[0]).toBe(123_44);
    await expectBooks();
    expect(await refused()).toBe('A dividend of that year is declared already.');
  });
  test('goes to each member once, whatever is killed and however many processes pay', async () => {
    for (const name of ['Chebet', 'Dalmas', 'Esther']) await member(name, 30);
    await closed();
    await declared();
    goTo('2027-03-02');
    let chunks = 0;
    const killed: ShareOut = async (...all) => {
      chunks += 1;
      const isFirst = chunks === 1;
      await shareOutDividend(...all);
      if (!isFirst) throw new Error('killed');
    };
    await expect(pay(killed)).rejects.toThrow('killed');
    const begun = await database.sql`
      select from dividend_chunks k join dividends d on d.id = k.dividend_id where d.sacco_id = ${sacco} and k.state <> 'waiting'`;
    expect(begun).toHaveLength(1);
    // Whoever is paid is told, though the rest waits; it may be the part with one member.
    const first =
      await database.sql`select from dividend_receipts r join dividends d on d.id = r.dividend_id where d.sacco_id = ${sacco}`;
    expect(first.length).toBeGreaterThan(0);
    expect(await told()).toBe(first.length);
    await expectBooks();
    await Promise.all([pay(), pay(), pay()]);
    await pay();
    const paid =
      await database.sql`select from dividend_receipts r join dividends d on d.id = r.dividend_id where d.sacco_id = ${sacco}`;
    expect(paid).toHaveLength(5);
    expect(await told()).toBe(5);
    expect(await wallet(amina)).toBe(950_00);
    expect((await get('/dividends', amina)).body.years[0].state).toBe('paid');
    await expectBooks();
  });
  test('is paid to those of its year alone, and neither it nor what was paid of it goes away', async () => {
    await closed();
    await declared();
    goTo('2027-03-02');
    await pay();
    const stranger = await people.person('Stranger');
    const [dividend] = await database.sql<{ id: string }[]>`select id from dividends where sacco_id = ${sacco}`;
    const id = dividend?.id ?? '';
    const { owner } = database;
    const broken = { code: '23503' };
    const payment = (of: string, to: string) =>
      owner`insert into dividend_payments values (${of}, ${to}, 'shares', 100, 5)`;
    await expect(payment(id, stranger)).rejects.toMatchObject(broken);
    await expect(payment(database.newId(), amina)).rejects.toMatchObject(broken);
    await expect(
      owner`insert into dividend_receipts values (${id}, ${stranger}, 95, now(), 0, false)`,
    ).rejects.toMatchObject(broken);
    for (const act of [
      owner`delete from dividends where id = ${id}`,
      owner`update dividends set id = ${database.newId()} where id = ${id}`,
      owner`delete from year_members where member_id = ${amina}`,
      owner`update year_members set member_id = ${stranger} where member_id = ${amina}`,
      owner`update year_members set year = 2025 where member_id = ${amina}`,
      owner`update year_members set sacco_id = ${database.newId()} where member_id = ${amina}`,
      owner`update dividend_payments set member_id = ${stranger} where member_id = ${amina}`,
      owner`delete from dividend_receipts where member_id = ${amina}`,
    ])
      await expect(act).rejects.toThrow('what was declared, and for whom, is kept');
    await expect(owner`delete from users where id = ${stranger}`).rejects.toThrow('an account is kept');
  });
  test('is told to those who are paid while others are paid, also where telling went wrong once', async () => {
    for (const name of ['Chebet', 'Dalmas', 'Esther']) await member(name, 30);
    await closed();
    await declared();
    goTo('2027-03-02');
    await database.owner`
      create function refuse_first_telling() returns trigger language plpgsql as $$
      begin
        if nextval('told_tries') = 1 then raise exception 'no room' using errcode = 'check_violation'; end if;
        return new;
      end $$`;
    await database.owner`create sequence told_tries`;
    await database.owner`grant usage on sequence told_tries to public`;
    await database.owner`
      create trigger told_once before insert on notifications for each row when (new.template = 'dividend_paid')
      execute function refuse_first_telling()`;
    try {
      let chunks = 0;
      const waiting: ShareOut = async (...all) => {
        chunks += 1;
        // The last part of three waits until the members of the first are told.
        if (chunks === 3) await expect.poll(told, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
        await shareOutDividend(...all);
      };
      await expect(pay(waiting)).rejects.toThrow('no room');
      expect([chunks, await told()]).toEqual([3, 5]);
      await pay();
      expect((await get('/dividends', amina)).body.years[0].state).toBe('paid');
      await expectBooks();
    } finally {
      await database.owner`drop function refuse_first_telling() cascade`;
      await database.owner`drop sequence told_tries`;
    }
  });
  test('is paid in whole shares to whoever chose it by the record date, the rest into the wallet, and the register says why', async () => {
    await closed();
    expect((await choose('shares', amina)).body).toMatchObject({ into: 'shares' });
    expect((await get('/sacco/dividends/2026/payments', chair)).body.code).toBe('not_found');
    await declared();
    expect((await payments()).totals).toMatchObject({ net: 1_900, into_wallet: 0, waits: 1_900 });
    goTo('2027-03-02');
    expect((await choose('wallet', amina)).body.code).toBe('dividend_conflict');
    await pay();
    expect(await wallet(amina)).toBe(50_00);
    expect((await get('/dividends', amina)).body).toMatchObject({
      choice: 'shares',
      years: [{ mine: { shares_bought: 9 } }],
    });
    const [entry] = await database.sql`
      select reason, shares, shares_after from share_register where user_id = ${amina} order by place desc limit 1`;
    expect(entry).toEqual({ reason: 'dividend', shares: 9, shares_after: 109 });
    const { totals, lines } = await payments();
    expect(totals).toMatchObject({
      ...{ share_dividend: 2_000, tax_on_shares: 100, net: 1_900, into_shares: 900, into_wallet: 1_000, waits: 0 },
    });
    expect(lines.find(({ id }) => id === amina)).toMatchObject({
      ...{ name: 'Amina Member', share_days: 36_500, savings_months: 0, net: 950, shares_bought: 9, into_shares: 900 },
    });
    const read = await database.sql`
      select distinct read_by, unnest(members) as id from member_record_readings where sacco_id = ${sacco} order by id`;
    expect(read).toEqual([amina, baraka].sort().map((id) => ({ read_by: treasurer, id })));
    expect((await choose('wallet', amina)).status).toBe(200);
    await expectBooks();
  });
  test('pays first what is late of a member’s loans, and no more of them', async () => {
    await late.save(sacco, baraka, 60_000_00);
    goTo('2026-12-20');
    await late.loan({ sacco, borrower: amina, amountCents: 6_000_00, months: 12, method: 'equal_principal' });
    await late.loan({ sacco, borrower: baraka, amountCents: 2_400_00, months: 12, method: 'equal_principal' });
    await closed();
    await declared({ savings_rate: 0 });
    goTo('2027-03-02');
    await runLoanDays(database);
    const [due] = await database.sql<{ cents: number }[]>`
      select (overdue_cents + penalty_cents)::int as cents from loans where borrower_id = ${amina}`;
    expect(due?.cents).toBeGreaterThan(950_00);
    await pay();
    // The loan itself is still in the wallet.
    expect(await wallet(amina)).toBe(6_000_00);
    expect((await get('/dividends/2026', amina)).body.mine.paid_arrears).toBe(950);
    const { paid_arrears: paid } = (await get('/dividends/2026', baraka)).body.mine;
    const [left] = await database.sql<{ cents: number }[]>`
      select (overdue_cents + penalty_cents)::int as cents from loans where borrower_id = ${baraka}`;
    expect([left?.cents, paid > 200, paid < 950]).toEqual([0, true, true]);
    expect(await wallet(baraka)).toBe(2_400_00 + 950_00 - paid * 100);
    await expectBooks();
    const { totals } = await payments();
    expect([totals.net, totals.to_loans, totals.into_wallet]).toEqual([1_900, 950 + paid, 950 - paid]);
    const other = await late.saccos.sacco(baraka, operator);
    for (const [as, of] of [
      [amina, sacco],
      [baraka, sacco],
      [chair, other],
      [baraka, other],
    ] as const) {
      const asked = await app.call('GET', '/sacco/dividends/2026/payments', { as, sacco: of });
      expect(asked.body.code).toBe(of === other && as === baraka ? 'not_found' : 'not_allowed');
    }
    // A receipt that says that guarantors got of it what paid the loan is found.
    const said = (moved: number) => database.owner`
      update dividend_receipts r set arrears_cents = arrears_cents - ${moved}, refunded_cents = refunded_cents + ${moved}
      from dividends d where d.id = r.dividend_id and d.sacco_id = ${sacco} and r.member_id = ${amina}`;
    await said(1);
    expect(await breaches(database.sql, dividendsInvariants)).toHaveLength(1);
    await said(-1);
    await expectBooks();
  });
  test('pays everybody for whom there is cash, though it does not do for others', async () => {
    const others: string[] = [];
    for (const name of ['Chebet', 'Daudi', 'Esther', 'Farida']) others.push(await member(name, 10));
    // The members of the first chunk get more than there is.
    const [one = '', two = '', ...small] = [amina, baraka, ...others].sort();
    for (const rich of [one, two]) await buy(rich, 1000);
    await closed();
    await declared({ savings_rate: 0 });
    goTo('2027-03-02');
    const [cash = 0] = await balances(database, [own('cash')]);
    const lent = cash - 5_000_00;
    await database.transaction((tx) =>
      postOrRefuse(tx, {
        kind: 'loan_disbursed',
        idempotencyKey: `test:${tx.newId()}`,
        causedBy: null,
        about: { type: 'test', id: amina },
        transfers: [
          { debit: { book: sacco, kind: 'loan_principal', owner: tx.newId() }, credit: own('cash'), amount: lent },
          {
            debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco },
            credit: walletOf(amina),
            amount: lent,
          },
        ],
      }),
    );
    await expect(pay()).rejects.toThrow('no cash for a part');
    const paid = await database.sql<{ member_id: string }[]>`
      select r.member_id from dividend_receipts r join dividends d on d.id = r.dividend_id where d.sacco_id = ${sacco}`;
    expect(paid.map(({ member_id }) => member_id).sort()).toEqual(small);
    await expectBooks();
  });
  test('counts shares from the day they came in, and savings from the month after unless the vote says their own month', async () => {
    goTo('2026-12-31');
    await buy(baraka, 20);
    await late.save(sacco, baraka, 1_000_000_00);
    await closed();
    const [counted] = await database.sql<
      { share_days: number; month_after: number; lowest_balance: number; month_of: number }[]
    >`
      select share_days, month_after, lowest_balance, month_of from year_members where sacco_id = ${sacco} and member_id = ${baraka}`;
    expect(counted).toEqual({ share_days: 36_520, month_after: 0, lowest_balance: 0, month_of: 1_000_000_00 });
  });
  test('counts the month in which savings were taken out: whoever took all out in January has January', async () => {
    const chebet = await member('Chebet');
    await late.save(sacco, chebet, 1_000_00);
    await closed();
    goTo('2027-01-20');
    await database.transaction((tx) =>
      postOrRefuse(tx, {
        kind: 'deposits_refunded',
        idempotencyKey: `test:${tx.newId()}`,
        causedBy: null,
        about: { type: 'test', id: chebet },
        transfers: [
          { debit: { book: sacco, kind: 'deposits', owner: chebet }, credit: own('cash'), amount: 1_000_00 },
          {
            debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco },
            credit: walletOf(chebet),
            amount: 1_000_00,
          },
        ],
      }),
    );
    await closed(2027);
    const [counted] = await database.sql`
      select share_days::int, month_after::int, month_of::int from year_members
      where sacco_id = ${sacco} and year = 2027 and member_id = ${chebet}`;
    expect(counted).toEqual({ share_days: 0, month_after: 1_000_00, month_of: 0 });
  });
});
