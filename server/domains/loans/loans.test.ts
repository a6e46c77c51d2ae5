import { loansContract } from '@ushirika/contract/loans';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesRoutes } from '../saccos/changes.routes.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { loanProductChange } from './change-loan-product.ts';
import { NO_STEPS } from './desk.queries.ts';
import { loansInvariants } from './loans.invariants.ts';
import { loansRoutes } from './loans.routes.ts';
import { type Repayment, repayLoans } from './repay-loans.ts';
import { runStandingRepayments } from './standing-repayments.ts';
import { tendLoans } from './tend-loans.ts';
import { DEVELOPMENT, testLoans } from './test-loans.ts';

const DAY_MS = 86_400_000;
const changes = testChanges({ loan_product: loanProductChange });
let world: TestWorld;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let given: ReturnType<typeof testLoans>;
let of: Awaited<ReturnType<ReturnType<typeof testLoans>['sacco']>>;
let sacco: string;
let product: string;
let borrower: string;
let guarantors: string[];
/** Pairs that are said to be one person. */
let related: string[][] = [];

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  given = testLoans(database);
  app = await testApp({
    database,
    contract: [...loansContract, ...saccoChangesContract],
    bindings: [
      ...loansRoutes({
        database,
        publicUrl: 'https://ushirika.test',
        changes,
        steps: NO_STEPS,
        relatedPairs: async (_, pairs) =>
          new Set(
            pairs.flatMap(({ one, other }, place) =>
              related.some((two) => two.includes(one) && two.includes(other)) ? [place] : [],
            ),
          ),
      }),
      ...changesRoutes({ database, changes }),
    ],
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  related = [];
  of = await given.sacco();
  sacco = of.sacco;
  product = await given.product(sacco, of.chair);
  world.advance(200 * DAY_MS);
  borrower = await given.member(sacco, 'Amina', 40_000_00);
  guarantors = [];
  for (const name of ['Brian', 'Carol', 'David']) guarantors.push(await given.member(sacco, name, 30_000_00));
  world.advance(100 * DAY_MS);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

type Answer = Awaited<ReturnType<typeof app.call>>;
const call = (as: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, key?: string) =>
  app.call(method, path, { as, sacco, ...(body === undefined ? {} : { body }), ...(key ? { key } : {}) });
const codeOf = ({ status, body }: Answer) => [status, body?.code];
const loanOf = async (id: string, as = borrower) => (await call(as, 'GET', `/loans/${id}`)).body;
const stateOf = async (id: string) =>
  (await database.sql<{ state: string }[]>`select state from loans where id = ${id}`)[0]?.state;
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const saved = async (owner: string) =>
  balances(database, [
    { book: sacco, kind: 'deposits', owner },
    { book: sacco, kind: 'deposits_hold', owner },
  ]);

async function application(terms: Record<string, unknown> = {}) {
  const asked = await Promise.all(
    guarantors.map(async (id) => ({ member: await given.memberId(sacco, id), amount: 20_000 })),
  );
  return {
    product,
    amount: 100_000,
    months: 12,
    purpose: 'A second stall.',
    net_income: 30_000,
    guarantors: asked,
    ...terms,
  };
}
const apply = async (terms: Record<string, unknown> = {}, as = borrower) =>
  call(as, 'POST', '/loans', await application(terms));
const applied = async (terms: Record<string, unknown> = {}): Promise<string> => (await apply(terms)).body.loan.id;

const requestsOf = async (as: string, status = 'asked') =>
  (await call(as, 'GET', `/loans/guarantee-requests?status=${status}`)).body.results;
async function sign(as: string, loanId: string) {
  const request = (await requestsOf(as)).find(({ loan }: { loan: string }) => loan === loanId);
  const { id, terms_hash } = request;
  await call(as, 'POST', `/loans/guarantees/${id}/code`, { terms_hash });
  return call(as, 'POST', `/loans/guarantees/${id}/acceptance`, { terms_hash, code: await given.codeOf(as) });
}
async function submitted(terms: Record<string, unknown> = {}): Promise<string> {
  const id = await applied(terms);
  for (const each of guarantors) await sign(each, id);
  const answer = await call(borrower, 'POST', `/loans/${id}/submission`);
  expect(answer.status).toBe(200);
  return id;
}
const hashOf = async (id: string) => (await loanOf(id)).key_facts.hash;
const review = async (as: string, id: string, decision = 'approve') =>
  call(as, 'POST', `/sacco/loans/${id}/review`, {
    decision,
    reason: 'As the rules have it.',
    terms_hash: await hashOf(id),
  });
async function approved(terms: Record<string, unknown> = {}): Promise<string> {
  const id = await submitted(terms);
  for (const each of of.committee.slice(0, 2)) expect((await review(each, id)).status).toBe(200);
  return id;
}
const accept = async (id: string, pay_to = 'wallet') =>
  call(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash: await hashOf(id), pay_to });
const order = async (id: string, as = of.treasurer) =>
  call(as, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash: await hashOf(id) });
const check = async (id: string, as = of.chair, decision = 'pay') =>
  call(as, 'POST', `/sacco/loans/${id}/disbursement-check`, {
    terms_hash: await hashOf(id),
    decision,
    reason: 'Seen.',
  });
async function paidOut(terms: Record<string, unknown> = {}): Promise<string> {
  const id = await approved(terms);
  expect((await accept(id)).status).toBe(200);
  expect((await order(id)).status).toBe(200);
  expect((await check(id)).status).toBe(200);
  return id;
}
const repay = (id: string, amount: number, key?: string, extra = {}) =>
  call(borrower, 'POST', `/loans/${id}/repayments`, { amount, ...extra }, key);
const told = async (userId: string) =>
  (
    await database.sql<{ template: string }[]>`select template from notifications where user_id = ${userId} order by id`
  ).map(({ template }) => template);

describe('a loan from the quote to the last release', () => {
  test('is quoted, applied for, guaranteed, reviewed, accepted, paid out by two and repaid', async () => {
    const quote = await call(borrower, 'POST', '/loans/quote', {
      product,
      amount: 100_000,
      months: 12,
      net_income: 30_000,
    });
    expect(quote.body).toMatchObject({
      instalment: 8_884.88,
      total_interest: 6_618.53,
      fee: 1_000,
      paid_out: 99_000,
      own_cover: 40_000,
      to_cover: 60_000,
      guarantors_needed: 3,
      limit: { limit: 120_000, against: [] },
    });
    const answer = await apply();
    expect(answer.status).toBe(201);
    const { id, number } = answer.body.loan;
    expect(number).toMatch(/^7\d{8}$/);
    expect(codeOf(await call(borrower, 'POST', `/loans/${id}/submission`))).toEqual([422, 'loan_not_covered']);
    const [request] = await requestsOf(guarantors[0] as string);
    expect(request).toMatchObject({
      borrower: 'Amina Mwangi',
      pledge: 20_000,
      worst_case: 20_000,
      free_savings: 30_000,
    });
    for (const each of guarantors) expect((await sign(each, id)).status).toBe(200);
    expect(await saved(guarantors[0] as string)).toEqual([10_000_00, 20_000_00]);
    expect((await call(borrower, 'POST', `/loans/${id}/submission`)).body.loan).toMatchObject({
      state: 'submitted',
      cover: { own: 40_000, guarantors: 60_000, guarantors_needed: 0 },
    });
    expect(await saved(borrower)).toEqual([0, 40_000_00]);
    expect((await review(of.committee[0], id)).body.loan).toMatchObject({
      state: 'submitted',
      approvals: { committee: 1, needed: 2 },
    });
    expect((await review(of.committee[1], id)).body.loan.state).toBe('approved');
    expect((await accept(id)).body.loan.state).toBe('accepted');
    expect((await order(id)).body.loan).toMatchObject({
      state: 'disbursing',
      disbursement: { ordered_by: { name: 'Treasurer Mwangi' } },
    });
    expect((await check(id)).body.loan.state).toBe('active');
    expect(await wallet(borrower)).toBe(99_000_00);
    const paid = await repay(id, 8_884.88, 'first');
    expect(paid.body).toMatchObject({
      loan: { principal_owed: 92_115.12, interest_owed: 0 },
      receipt: { amount: 8_884.88 },
    });
    // 7,884.88 of the principal is repaid: of 100,000 pledged as much is free, of the members first.
    const held = await Promise.all(guarantors.map(async (each) => (await saved(each))[1] ?? 0));
    expect(held.reduce((sum, cents) => sum + cents, 0)).toBe(60_000_00 - 7_884_88);
    expect(await saved(borrower)).toEqual([0, 40_000_00]);
    await given.fund(borrower, 20_000_00);
    const payoff = (await call(borrower, 'GET', `/loans/${id}/payoff`)).body;
    expect(payoff).toMatchObject({ principal: 92_115.12, interest: 0 });
    const over = await call(borrower, 'POST', `/loans/${id}/payoff`, { amount: payoff.amount });
    expect(over.body.loan).toMatchObject({ state: 'closed', closed_because: 'paid', principal_owed: 0 });
    for (const each of [borrower, ...guarantors]) expect((await saved(each))[1]).toBe(0);
    expect(await told(guarantors[0] as string)).toEqual([
      'loan_guarantor_asked',
      'loan_pledge_live',
      'loan_pledge_free',
    ]);
  });
});

test('the books and the loans agree after all of this', async () => {
  expect(await breaches(database.owner, [...ledgerInvariants, ...loansInvariants])).toEqual([]);
});
