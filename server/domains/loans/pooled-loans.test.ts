import { loansContract } from '@ushirika/contract/loans';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { depositToPool } from '../pools/deposit-to-pool.ts';
import { giveGuaranteeBack } from '../pools/give-guarantee-back.ts';
import { payWithdrawals } from '../pools/pay-withdrawals.ts';
import { poolsInvariants } from '../pools/pools.invariants.ts';
import { noNeeds, requestGuarantee } from '../pools/request-guarantee.ts';
import { tendPools } from '../pools/tend-pools.ts';
import { testPools } from '../pools/test-pools.ts';
import { withdrawFromPool } from '../pools/withdraw-from-pool.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { NO_STEPS } from './desk.queries.ts';
import { guarantorFacts } from './loan-facts.ts';
import { interestsOf } from './loan-officials.ts';
import { loansInvariants } from './loans.invariants.ts';
import { loansRoutes } from './loans.routes.ts';
import { reasonAgainstGuarantor } from './loans.rules.ts';
import { applicationForPool } from './pool-needs.ts';
import { testLoans } from './test-loans.ts';
import { mayBeDecided, mayJoin } from './who-is-left.ts';

const DAY_MS = 86_400_000;
let world: TestWorld;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let of: Awaited<ReturnType<ReturnType<typeof testLoans>['sacco']>>;
let product: string;
let borrower: string;
let pool: string;
let given: ReturnType<typeof testLoans>;
let pools: ReturnType<typeof testPools>;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  given = testLoans(database);
  pools = testPools(database);
  app = await testApp({
    database,
    contract: loansContract,
    bindings: loansRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      changes: testChanges(),
      relatedPairs: async () => new Set(),
      steps: NO_STEPS,
    }),
    standingOf: standings(database),
  });
  of = await given.sacco();
  product = await given.product(of.sacco, of.chair);
  borrower = await given.member(of.sacco, 'Amina', 20_000_00);
  world.advance(100 * DAY_MS);
  pool = await pools.pool(of.chair, of.sacco, { min_trust_score: 40 });
  const others = await Promise.all(
    ['Brian', 'Carol', 'David', 'Esther'].map((name) => given.member(of.sacco, name, 0)),
  );
  await pools.seen(borrower, of.chair);
  for (const person of [of.chair, ...others, borrower]) {
    await given.fund(person, 20_000_00);
    // A session whose password was just entered.
    await app.call('GET', '/loans', { as: person, sacco: of.sacco });
    await pools.join(pool, person, 20_000_00);
  }
  await database.sql`update pools set state = 'OPEN' where id = ${pool}`;
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const call = (as: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  app.call(method, path, { as, sacco: of.sacco, ...(body === undefined ? {} : { body }) });
const lockedIn = async (id: string) =>
  (await database.sql<{ cents: number }[]>`select locked_cents as cents from pools where id = ${id}`)[0]?.cents;
const wallet = async () => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: borrower }]))[0];
const asked = { amount: 25_000, months: 12, purpose: 'A second stall.', net_income: 30_000 };
const signed = () => {
  world.advance(100);
  return pools.sign({ userId: borrower, poolId: pool, amount: 5_000_00, months: 12 }, noNeeds);
};

/** What was approved and not used lapses, and the wait after it is over. */
async function unused() {
  world.advance(14 * DAY_MS);
  await tendPools(database);
  world.advance(14 * DAY_MS);
}

async function ordered(id: string, shown?: string): Promise<string> {
  const hash = shown ?? (await call(borrower, 'GET', `/loans/${id}`)).body.key_facts.hash;
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).status).toBe(200);
  for (const as of of.committee.slice(0, 2)) {
    await call(as, 'POST', `/sacco/loans/${id}/review`, { decision: 'approve', reason: 'Good.', terms_hash: hash });
  }
  await call(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash: hash });
  await call(of.treasurer, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: hash });
  return hash;
}
const checked = (as: string, id: string, hash: string, decision: 'pay' | 'refuse' = 'pay') =>
  call(as, 'POST', `/sacco/loans/${id}/disbursement-check`, { terms_hash: hash, decision, reason: 'Looked at.' });
const paidOut = async (id: string, shown?: string) => checked(of.secretary, id, await ordered(id, shown));

async function joined(person: string) {
  await given.fund(person, 20_000_00);
  await app.call('GET', '/loans', { as: person, sacco: of.sacco });
  await pools.join(pool, person, 20_000_00);
}
/** The money of somebody whose notice is over. */
async function out(person: string) {
  await database.transaction((tx) => withdrawFromPool(tx, { userId: person }, { poolId: pool, amount: 20_000_00 }));
  await database.sql`update pool_withdrawals set due_at = given_at where user_id = ${person}`;
  await payWithdrawals(database, noNeeds.historiesOf);
}
const stateOfPool = (state: 'OPEN' | 'SUSPENDED') => database.sql`update pools set state = ${state} where id = ${pool}`;

test('a pool covers what own savings leave: its fee is paid with the loan, and its locks fall with each repayment', async () => {
  const { requestId } = await signed();
  const takes = (shillings: number) =>
    database.owner`update pool_requests set fee_cents = ${Math.round(shillings * 100)} where id = ${requestId}`;
  const [{ fee = 0 } = {}] = await database.sql<
    { fee: number }[]
  >`select fee_cents as fee from pool_requests where id = ${requestId}`;
  await takes(24_750);
  const apply = () => call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const nothingArrives = {
    code: 'loan_terms_not_met',
    message: expect.stringContaining('Nothing of the loan would reach you.'),
  };
  expect((await apply()).body).toMatchObject(nothingArrives);
  await takes(fee / 100);
  const { body } = await apply();
  const { id } = body.loan;
  expect(body.loan).toMatchObject({
    cover: { own: 20_000, pool: 5_000, guarantors_needed: 0 },
    guarantees: [{ kind: 'pool', name: 'Umoja pool', state: 'accepted', pledged: 5_000 }],
  });
  const { hash, pool_fee } = body.loan.key_facts;
  expect(pool_fee).toBeGreaterThan(0);
  // What was quoted with the pool is what is signed, and the pool makes the loan dearer.
  const quoted = async (more: object) => {
    const { amount, months, net_income } = asked;
    const quote = await call(borrower, 'POST', '/loans/quote', { amount, months, net_income, product, ...more });
    const { pool_fee, total_cost, true_monthly_rate, annual_percentage_rate } = quote.body;
    return { pool_fee, total_cost, true_monthly_rate, annual_percentage_rate };
  };
  const [alone, pooled] = [await quoted({}), await quoted({ pool_fee })];
  const { total_cost, true_monthly_rate, annual_percentage_rate } = body.loan.key_facts;
  expect(pooled).toEqual({ pool_fee, total_cost, true_monthly_rate, annual_percentage_rate });
  expect(Math.round((total_cost - alone.total_cost) * 100)).toBe(Math.round(pool_fee * 100));
  expect(true_monthly_rate).toBeGreaterThan(alone.true_monthly_rate);
  // 24,750 are paid out: a fee that takes all of it is no loan.
  const dear = { product, amount: 25_000, months: 12, pool_fee: 24_750 };
  expect((await call(borrower, 'POST', '/loans/quote', dear)).body).toMatchObject(nothingArrives);
  expect((await quoted({ pool_fee: 24_749 })).true_monthly_rate).toBeGreaterThan(0);
  // Nor is it handed in with a pool that takes so much.
  await takes(24_750);
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body).toMatchObject(nothingArrives);
  await takes(pool_fee);
  expect((await paidOut(id, hash)).body.loan).toMatchObject({
    state: 'active',
    guarantees: [{ kind: 'self' }, { kind: 'pool', state: 'live' }],
  });
  expect(await wallet()).toBe(25_000_00 - 250_00 - Math.round(pool_fee * 100));
  expect(await lockedIn(pool)).toBe(5_000_00);
  const { schedule } = (await call(borrower, 'GET', `/loans/${id}`)).body;
  const half = schedule
    .slice(0, 6)
    .reduce((sum: number, { principal }: { principal: number }) => sum + principal * 100, 0);
  // On its first day it has cost no interest.
  await call(borrower, 'POST', `/loans/${id}/repayments`, { amount: half / 100 });
  expect(await lockedIn(pool)).toBe(Math.ceil((5_000_00 * (25_000_00 - half)) / 25_000_00));
  await given.fund(borrower, 30_000_00);
  const { amount } = (await call(borrower, 'GET', `/loans/${id}/payoff`)).body;
  const over = await call(borrower, 'POST', `/loans/${id}/payoff`, { amount });
  expect(over.body.loan.state).toBe('closed');
  expect(await lockedIn(pool)).toBe(0);
});

test('an application that comes to nothing gives its pool’s guarantee back, without a fee', async () => {
  const { requestId } = await signed();
  const { id } = (await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId })).body.loan;
  expect(await lockedIn(pool)).toBe(5_000_00);
  const before = await wallet();
  expect((await call(borrower, 'POST', `/loans/${id}/withdrawal`)).body.loan.state).toBe('withdrawn');
  expect([await lockedIn(pool), await wallet()]).toEqual([0, before]);
  // Whoever used no guarantee waits a day at least.
  world.advance(DAY_MS);
});

test('a guarantee over other months, or of more than the pool covers, is not attached', async () => {
  const { requestId } = await signed();
  const refused = await call(borrower, 'POST', '/loans', { ...asked, product, months: 6, pool_guarantee: requestId });
  expect(refused.body.code).toBe('pool_request_conflict');
  const small = await call(borrower, 'POST', '/loans', { ...asked, product, amount: 6_000, pool_guarantee: requestId });
  expect(small.body.code).toBe('pool_request_conflict');
  expect((await call(borrower, 'GET', '/loans?status=open')).body.count).toBe(0);
  await unused();
});

test('the pool is locked before the loan, as repayments lock them: whoever waits for the pool holds no loan', async () => {
  world.advance(DAY_MS);
  const { requestId } = await signed();
  const { id } = (await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId })).body.loan;
  const withdrawal = await database.transaction(async (tx) => {
    await tx.sql`select from pools where id = ${pool} for no key update`;
    const answer = call(borrower, 'POST', `/loans/${id}/withdrawal`);
    await waitsFor(tx.sql);
    const [loan] = await tx.sql`select from loans where id = ${id} for update skip locked`;
    expect(loan).toBeDefined();
    return [answer];
  });
  expect((await withdrawal[0])?.body.loan.state).toBe('withdrawn');
});

test('whose money is in the pool decides nothing about the loan, and the database says so too', async () => {
  world.advance(DAY_MS);
  const [one, two, three] = of.committee;
  await joined(one);
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id, key_facts } = body.loan;
  await call(borrower, 'POST', `/loans/${id}/submission`);
  const voice = { decision: 'approve', reason: 'Good.', terms_hash: key_facts.hash };
  const refused = await call(one, 'POST', `/sacco/loans/${id}/review`, voice);
  expect(refused.body).toMatchObject({
    code: 'not_allowed',
    message:
      'Others must decide about this loan: it is yours or that of an account that looks like yours, you guarantee it, or your money is or was in a pool that backs it.',
  });
  const desk = await call(one, 'GET', `/sacco/loans/${id}`);
  expect(desk.body).toMatchObject({ may: [], barred: refused.body.message });
  const list = (as: string) => call(as, 'GET', '/sacco/loans?list=to_review');
  expect((await list(one)).body.results).toMatchObject([{ id, may: [] }]);
  expect((await list(two)).body.results).toMatchObject([{ id, may: ['review'] }]);
  const waiting = async (as: string) => (await call(as, 'GET', '/sacco/loan-figures')).body.waiting_for_me;
  expect([await waiting(one), await waiting(two)]).toMatchObject([{ to_review: 0 }, { to_review: 1 }]);
  await expect(
    database.sql`
      insert into loan_reviews (id, loan_id, round, reviewer_id, office, decision, reason, terms_hash, at)
      values (${database.newId()}, ${id}, 1, ${one}, 'credit_committee', 'approve', 'Good.', ${key_facts.hash}, ${database.now()})`,
  ).rejects.toThrow('that person does not decide about this loan');
  for (const as of [two, three]) expect((await call(as, 'POST', `/sacco/loans/${id}/review`, voice)).status).toBe(200);
  await call(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash: key_facts.hash });
  // The chair's money is locked for the loan. The treasurer's comes into the pool later, and is not.
  const order = (as: string) => call(as, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: key_facts.hash });
  await order(of.treasurer);
  await joined(of.treasurer);
  expect((await checked(of.chair, id, key_facts.hash)).body).toMatchObject({
    code: 'not_allowed',
    message: refused.body.message,
  });
  expect((await checked(of.secretary, id, key_facts.hash, 'refuse')).body.loan.state).toBe('accepted');
  expect((await order(of.treasurer)).status).toBe(200);
  await out(of.treasurer);
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  await out(one);
  world.advance(DAY_MS);
});

test('where the money of every treasurer is in the pool, an official whose money is not orders the payout', async () => {
  const manager = await given.member(of.sacco, 'Manager', 0);
  await given.office(of.sacco, manager, 'manager');
  await joined(of.treasurer);
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  const hash = await ordered(id);
  expect((await call(of.treasurer, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: hash })).status).toBe(403);
  expect((await call(manager, 'GET', '/sacco/loan-figures')).body.waiting_for_me).toMatchObject({ to_disburse: 1 });
  expect((await call(manager, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: hash })).status).toBe(200);
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  await database.sql`update offices set ended_at = ${database.now()} where user_id = ${manager}`;
  await out(of.treasurer);
  world.advance(DAY_MS);
});

test('whoever has lost or taken out the money that was locked for a loan keeps the interest in it', async () => {
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  const kept = await database
    .transaction(async (tx) => {
      await tx.sql`update pool_members set position_cents = 0, locked_cents = 0 where user_id = ${of.chair}`;
      throw await interestsOf(tx, of.chair, [id]);
    })
    .catch((interests: unknown) => interests);
  expect(kept).toEqual(new Set([id]));
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  expect(await interestsOf({ sql: database.sql, now: database.now() }, of.chair, [id])).toEqual(new Set());
  world.advance(DAY_MS);
});

test('an application that nobody could decide is not handed in, and says why', async () => {
  const [one, two] = of.committee;
  const quoted = () =>
    database.transaction((tx) =>
      mayBeDecided(tx, { saccoId: of.sacco, poolId: pool, userId: borrower, principal: 10_000_00 }),
    );
  await joined(one);
  expect(await quoted()).toBe(true);
  const may = (userId: string) =>
    database.transaction((tx) => mayJoin(tx, { saccoId: of.sacco, poolId: pool, userId }));
  expect([await may(two), await may(of.secretary), await may(borrower)]).toEqual([false, false, true]);
  // Whoever is no official waits for one statement under the pool's lock.
  let statements = 0;
  const counted = new Proxy(database.sql, {
    apply: (sql, self, given) => {
      if (given[0].join('').trim().startsWith('select')) statements += 1;
      return Reflect.apply(sql, self, given);
    },
  });
  const joining = { saccoId: of.sacco, poolId: pool, userId: borrower };
  expect(await mayJoin({ sql: counted as never, now: database.now() }, joining)).toBe(true);
  expect(statements).toBe(1);
  // A quote that was asked for before stays good: the money of who comes in after it is not locked.
  const before = { loanId: null, userId: borrower, poolId: pool, amount: 5_000_00, months: 12, purpose: 'Stock' };
  const decided = { ...noNeeds, mayBeDecided };
  const early = await database.transaction((tx) => requestGuarantee(tx, before, decided));
  world.advance(1);
  await joined(two);
  expect(await quoted()).toBe(false);
  await pools.signAsked(database, { userId: borrower, requestId: early }, decided);
  const backed = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: early });
  expect((await call(borrower, 'POST', `/loans/${backed.body.loan.id}/submission`)).status).toBe(200);
  await call(borrower, 'POST', `/loans/${backed.body.loan.id}/withdrawal`);
  world.advance(DAY_MS);
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body).toMatchObject({
    code: 'loan_conflict',
    message: expect.stringMatching(/^Nobody could decide about this loan/),
  });
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  await out(one);
  expect(await quoted()).toBe(true);
  await out(two);
  world.advance(DAY_MS);
});

/** The contract of a request, given back by the borrower as the pools' route does it. */
async function giveBack(requestId: string) {
  const [contract] = await database.sql<
    { id: string }[]
  >`select id from pool_contracts where request_id = ${requestId}`;
  const act = { contractId: contract?.id ?? '' };
  const needs = { applicationOf: applicationForPool };
  return refusalOf(database.transaction((tx) => giveGuaranteeBack(tx, { userId: borrower }, act, needs)));
}

test('the borrower gives a guarantee back while an application is not handed in: it covers that one no more', async () => {
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  expect(await giveBack(requestId)).toBeNull();
  expect(await lockedIn(pool)).toBe(0);
  expect((await call(borrower, 'GET', `/loans/${id}`)).body).toMatchObject({ cover: { pool: 0 }, guarantees: [] });
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body.code).toBe('loan_not_covered');
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  world.advance(DAY_MS);
});

test('a guarantee is not given back once an application that names it is handed in', async () => {
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  await ordered(id);
  // The committee does not read that nobody has signed where nobody has to.
  const read = await call(of.committee[0] ?? '', 'GET', `/sacco/loans/${id}`);
  expect(read.body.findings).toContainEqual({
    is_met: true,
    text: 'No guarantor is needed: a guarantor pool and the borrower’s own savings cover the loan.',
  });
  expect(await giveBack(requestId)).toBe('pool_contract_conflict');
  expect(await lockedIn(pool)).toBe(5_000_00);
  await call(borrower, 'POST', `/loans/${id}/withdrawal`);
  expect(await lockedIn(pool)).toBe(0);
  world.advance(DAY_MS);
});

test('handed in and given back at once, in either order, one of both happens', async () => {
  for (const isFirst of [true, false]) {
    const { requestId } = await signed();
    const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
    const { id } = body.loan;
    const [one, two] = await database
      .transaction(async (tx) => {
        await tx.sql`select from pools where id = ${pool} for no key update`;
        const handIn = () => call(borrower, 'POST', `/loans/${id}/submission`).then(({ status }) => status);
        const first = isFirst ? handIn() : giveBack(requestId);
        await waitsFor(tx.sql);
        // Who comes while nobody waits, and the lock is free, goes first: both wait before it is.
        const second = isFirst ? giveBack(requestId) : handIn();
        await waitsFor(tx.sql, 2);
        return [first, second] as const;
      })
      .then((both) => Promise.all(both));
    const isIn = isFirst ? one === 200 : two === 200;
    const isBack = (isFirst ? two : one) === null;
    expect([isIn, isBack]).toEqual([isFirst, !isFirst]);
    expect(await lockedIn(pool)).toBe(isFirst ? 5_000_00 : 0);
    await call(borrower, 'POST', `/loans/${id}/withdrawal`);
    world.advance(DAY_MS);
  }
});

test('a loan is neither handed in nor paid out while its pool is suspended', async () => {
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  const closed = { code: 'loan_not_covered', message: 'The pool Umoja pool is not open: it takes on no new loan now.' };
  await stateOfPool('SUSPENDED');
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body).toMatchObject(closed);
  await stateOfPool('OPEN');
  const hash = await ordered(id);
  await stateOfPool('SUSPENDED');
  expect((await checked(of.secretary, id, hash)).body).toMatchObject(closed);
  await stateOfPool('OPEN');
  expect((await checked(of.secretary, id, hash)).body.loan.state).toBe('active');
  await given.fund(borrower, 30_000_00);
  const { amount } = (await call(borrower, 'GET', `/loans/${id}/payoff`)).body;
  await call(borrower, 'POST', `/loans/${id}/payoff`, { amount });
});

/** Until so many wait for a lock. */
async function waitsFor(
  sql: Parameters<Parameters<TestDatabase['transaction']>[0]>[0]['sql'],
  many = 1,
): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const waiting = await database.owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting.length >= many) return;
    await sql`select pg_sleep(0.05)`;
  }
  throw new Error('Nobody waits.');
}

test('an open pool guarantees a loan of any sacco that the request names, from the request to the release', async () => {
  // A phone is sent few codes an hour.
  world.advance(DAY_MS);
  const open = await pools.pool(of.chair, null, { name: 'Open pool', min_trust_score: 40 });
  await database.sql`
    update pools set state = 'OPEN', review = 'approved', reviewed_by = ${of.secretary}, reviewed_at = ${database.now()},
      review_reason = 'Seen.'
    where id = ${open}`;
  const more = await given.member(of.sacco, 'Faith', 0);
  for (const person of [of.chair, more, borrower]) {
    await given.fund(person, 50_000_00);
    await app.call('GET', '/loans', { as: person, sacco: of.sacco });
    await pools.join(open, person, 50_000_00);
  }
  const { id } = (await call(borrower, 'POST', '/loans', { ...asked, product })).body.loan;
  const needs = { ...noNeeds, applicationOf: applicationForPool };
  const wanted = { userId: borrower, amount: 5_000_00, months: 12, loanId: id };
  const elsewhere = await foreignPool();
  expect(await refusalOf(pools.sign({ ...wanted, poolId: elsewhere }, needs))).toBe('pool_request_conflict');
  // One that was declined stays on the application, with who declined it and why.
  const declining = { ...needs, mayBeDecided: async () => false };
  await database.transaction((tx) => requestGuarantee(tx, { ...wanted, poolId: open, purpose: 'Stock' }, declining));
  const declined = (await call(borrower, 'GET', `/loans/${id}`)).body.guarantees;
  expect(declined).toMatchObject([
    { kind: 'pool', name: 'Open pool', state: 'refused', pledged: 0, declined: { by: 'rules', words: [] } },
  ]);
  expect(declined[0].declined.reasons).toEqual([expect.stringMatching(/^Nobody could decide about your loan/)]);
  await pools.sign({ ...wanted, poolId: open }, needs);
  await paidOut(id);
  expect(await lockedIn(open)).toBe(5_000_00);
  await given.fund(borrower, 30_000_00);
  const { amount } = (await call(borrower, 'GET', `/loans/${id}/payoff`)).body;
  expect((await call(borrower, 'POST', `/loans/${id}/payoff`, { amount })).body.loan.state).toBe('closed');
  expect(await lockedIn(open)).toBe(0);
});

/** A pool of another sacco, of which the borrower is a member too. */
async function foreignPool(): Promise<string> {
  const other = await given.sacco();
  await pools.people.member(other.sacco, borrower);
  const foreign = await pools.pool(other.chair, other.sacco, { name: 'Foreign pool', min_trust_score: 40 });
  for (const person of [other.chair, borrower]) {
    await given.fund(person, 20_000_00);
    await app.call('GET', '/loans', { as: person, sacco: other.sacco });
    await pools.join(foreign, person, 20_000_00);
  }
  await database.sql`update pools set state = 'OPEN' where id = ${foreign}`;
  return foreign;
}
const refusalOf = (act: Promise<unknown>) => act.then(() => null).catch(({ code }: { code?: string }) => code);

/** Publishes a vote on somebody's expulsion. Returns what counts it, as passed, and what deletes it. */
async function expulsionVote(userId: string) {
  const id = database.newId();
  const at = database.now();
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into proposals (id, sacco_id, number, kind, class, title, text, drafted_by, drafted_at, signatures_needed, change_kind, expected,
        payload, about_id, ballot, published_at, rules, roll_size, opens_at, closes_at)
      values (${id}, ${of.sacco}, 999, 'change', 'special', 'That somebody leaves', 'We want that, for reasons that all of us know.', ${of.chair}, ${at}, 2, 'expulsion', '{}',
        '{}', ${userId}, 'secret', ${at}, '{}', 9, ${new Date(at.getTime() + DAY_MS)}, ${new Date(at.getTime() + 2 * DAY_MS)})`;
  });
  return {
    passes: () =>
      database.owner.begin(async (sql) => {
        await sql`set local session_replication_role = replica`;
        await sql`
        update proposals set counted_at = closes_at, outcome = 'passed', turnout = 9, eta = ${new Date(at.getTime() + 9 * DAY_MS)}
        where id = ${id}`;
      }),
    deletes: () => database.owner`delete from proposals where id = ${id}`,
  };
}

test('a member borrows nothing new, guarantees nobody and puts nothing into a pool once members have voted that they leave, and not before (power 14)', async () => {
  world.advance(DAY_MS);
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, amount: 10_000, product });
  const { id } = body.loan;
  const vote = await expulsionVote(borrower);
  const refused = 'its members have voted that you leave';
  const facts = { saccoId: of.sacco, borrowerId: of.chair, guarantorId: borrower };
  const against = async () =>
    reasonAgainstGuarantor(
      await guarantorFacts({ sql: database.sql, now: database.now() }, facts, async () => new Set()),
      1,
      database.now(),
    );
  // Three members would else keep another from all this, by one draft after another.
  expect(await against()).not.toBe('not_active');
  await given.fund(borrower, 5_000_00);
  const deposit = { userId: borrower, sessionId: borrower, poolId: pool, amount: 1_000_00 };
  const putIn = () => database.transaction((tx) => depositToPool(tx, deposit));
  await putIn();
  await vote.passes();
  expect((await call(borrower, 'POST', '/loans', { ...asked, product })).body.message).toContain(refused);
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body.message).toContain(refused);
  expect(await against()).toBe('not_active');
  await expect(putIn()).rejects.toThrow('voted that you leave');
  const open = await pools.pool(of.treasurer, null, { name: 'Another open pool' });
  await database.sql`
    update pools set review = 'approved', reviewed_by = ${of.secretary}, reviewed_at = ${database.now()}, review_reason = 'Seen.'
    where id = ${open}`;
  await expect(pools.join(open, borrower, 1_000_00)).rejects.toThrow('voted that you leave');
  // The database keeps it, whatever our code forgets.
  const kept = 'nothing new binds them';
  await expect(
    database.owner`
      insert into loans select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid()))).* from loans l where id = ${id}`,
  ).rejects.toThrow(kept);
  await expect(
    database.owner`update pool_members set joined_at = now() where pool_id = ${pool} and user_id = ${borrower}`,
  ).rejects.toThrow(kept);
  await vote.deletes();
  expect(await against()).not.toBe('not_active');
  await putIn();
  expect((await call(borrower, 'POST', `/loans/${id}/withdrawal`)).status).toBe(200);
});

test('books, loans and pools agree', async () => {
  expect(await breaches(database.owner, [...ledgerInvariants, ...loansInvariants, ...poolsInvariants])).toEqual([]);
});
