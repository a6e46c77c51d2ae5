import { loansContract } from '@ushirika/contract/loans';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { poolsInvariants } from '../pools/pools.invariants.ts';
import { noNeeds } from '../pools/request-guarantee.ts';
import { testPools } from '../pools/test-pools.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { NO_STEPS } from './desk.queries.ts';
import { loansInvariants } from './loans.invariants.ts';
import { loansRoutes } from './loans.routes.ts';
import { applicationForPool } from './pool-needs.ts';
import { testLoans } from './test-loans.ts';

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
  pool = await pools.pool(of.chair, of.sacco, { min_trust_score: 30 });
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

async function paidOut(id: string, shown?: string) {
  const hash = shown ?? (await call(borrower, 'GET', `/loans/${id}`)).body.key_facts.hash;
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).status).toBe(200);
  for (const as of of.committee.slice(0, 2)) {
    await call(as, 'POST', `/sacco/loans/${id}/review`, { decision: 'approve', reason: 'Good.', terms_hash: hash });
  }
  await call(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash: hash });
  await call(of.treasurer, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: hash });
  return call(of.chair, 'POST', `/sacco/loans/${id}/disbursement-check`, {
    terms_hash: hash,
    decision: 'pay',
  });
}

test('a pool covers what own savings leave: its fee is paid with the loan, and its locks fall with each repayment', async () => {
  const { requestId } = await signed();
  const { body } = await call(borrower, 'POST', '/loans', { ...asked, product, pool_guarantee: requestId });
  const { id } = body.loan;
  expect(body.loan).toMatchObject({
    cover: { own: 20_000, pool: 5_000, guarantors_needed: 0 },
    guarantees: [{ kind: 'pool', name: 'Umoja pool', state: 'accepted', pledged: 5_000 }],
  });
  const { hash, pool_fee } = body.loan.key_facts;
  expect(pool_fee).toBeGreaterThan(0);
  const checked = await paidOut(id, hash);
  expect(checked.body.loan).toMatchObject({
    state: 'active',
    guarantees: [{ kind: 'self' }, { kind: 'pool', state: 'live' }],
  });
  expect(await wallet()).toBe(25_000_00 - 250_00 - Math.round(pool_fee * 100));
  expect(await lockedIn(pool)).toBe(5_000_00);
  const { schedule } = (await call(borrower, 'GET', `/loans/${id}`)).body;
  const half = schedule
    .slice(0, 6)
    .reduce((sum: number, { principal }: { principal: number }) => sum + principal * 100, 0);
  await call(borrower, 'POST', `/loans/${id}/repayments`, { amount: (half + 250_00) / 100 });
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
});

test('a guarantee over other months, or of more than the pool covers, is not attached', async () => {
  const { requestId } = await signed();
  const refused = await call(borrower, 'POST', '/loans', { ...asked, product, months: 6, pool_guarantee: requestId });
  expect(refused.body.code).toBe('pool_request_conflict');
  const small = await call(borrower, 'POST', '/loans', { ...asked, product, amount: 6_000, pool_guarantee: requestId });
  expect(small.body.code).toBe('pool_request_conflict');
  expect((await call(borrower, 'GET', '/loans?status=open')).body.count).toBe(0);
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

/** Until somebody waits for a lock of this transaction. */
async function waitsFor(sql: Parameters<Parameters<TestDatabase['transaction']>[0]>[0]['sql']): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const [waiting] = await database.owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting) return;
    await sql`select pg_sleep(0.05)`;
  }
  throw new Error('Nobody waits.');
}

test('an open pool guarantees a loan of any sacco that the request names, from the request to the release', async () => {
  // A phone is sent few codes an hour.
  world.advance(DAY_MS);
  const open = await pools.pool(of.chair, null, { name: 'Open pool', min_trust_score: 30 });
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
  const foreign = await pools.pool(other.chair, other.sacco, { name: 'Foreign pool', min_trust_score: 30 });
  for (const person of [other.chair, borrower]) {
    await given.fund(person, 20_000_00);
    await app.call('GET', '/loans', { as: person, sacco: other.sacco });
    await pools.join(foreign, person, 20_000_00);
  }
  await database.sql`update pools set state = 'OPEN' where id = ${foreign}`;
  return foreign;
}
const refusalOf = (act: Promise<unknown>) => act.then(() => null).catch(({ code }: { code?: string }) => code);

test('books, loans and pools agree', async () => {
  expect(await breaches(database.owner, [...ledgerInvariants, ...loansInvariants, ...poolsInvariants])).toEqual([]);
});
