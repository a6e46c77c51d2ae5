import { loansContract } from '@ushirika/contract/loans';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asSystem } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { setName } from '../identity/set-name.ts';
import { standings } from '../membership/standings.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { NO_STEPS } from './desk.queries.ts';
import { endUnderName } from './end-under-name.ts';
import { loansRoutes } from './loans.routes.ts';
import { outcomeOf } from './review.rules.ts';
import { tendLoans } from './tend-loans.ts';
import { testLoans } from './test-loans.ts';

const DAY_MS = 86_400_000;
let world: TestWorld;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let given: ReturnType<typeof testLoans>;
let of: Awaited<ReturnType<ReturnType<typeof testLoans>['sacco']>>;
let product: string;
let borrower: string;
let guarantor: string;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  given = testLoans(database);
  app = await testApp({
    database,
    contract: loansContract,
    bindings: loansRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      changes: testChanges(),
      steps: NO_STEPS,
      relatedPairs: async () => new Set(),
    }),
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  world.advance(200 * DAY_MS);
  of = await given.sacco();
  product = await given.product(of.sacco, of.chair, { min_guarantors: 1 });
  world.advance(200 * DAY_MS);
  borrower = await given.member(of.sacco, 'Peter', 5_000_00);
  guarantor = await given.member(of.sacco, 'Grace', 30_000_00);
  world.advance(100 * DAY_MS);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const call = (as: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  app.call(method, path, { as, sacco: of.sacco, ...(body === undefined ? {} : { body }) });
const answer = async (called: ReturnType<typeof call>) => {
  const { status, body } = await called;
  return [status, body.code];
};
async function apply() {
  return call(borrower, 'POST', '/loans', {
    product,
    amount: 14_000,
    months: 12,
    purpose: 'A second stall.',
    net_income: 30_000,
    guarantors: [{ member: await given.memberId(of.sacco, guarantor), amount: 10_000 }],
  });
}
const requestOf = async () => (await call(guarantor, 'GET', '/loans/guarantee-requests')).body.results[0];
async function sign() {
  world.advance(10);
  const { id, terms_hash } = await requestOf();
  await call(guarantor, 'POST', `/loans/guarantees/${id}/code`, { terms_hash });
  return call(guarantor, 'POST', `/loans/guarantees/${id}/acceptance`, {
    terms_hash,
    code: await given.codeOf(guarantor),
  });
}
async function signed(): Promise<string> {
  const { body } = await apply();
  expect((await sign()).status).toBe(200);
  return body.loan.id;
}
async function submitted(): Promise<string> {
  const id = await signed();
  expect((await call(borrower, 'POST', `/loans/${id}/submission`)).status).toBe(200);
  return id;
}
/** As the profile and the confirmation of an official's name do it. */
const rename = (firstName: string, lastName = 'Mwangi') =>
  asSystem(() =>
    database.transaction(async (tx) => {
      const end = await endUnderName(tx, borrower);
      await setName(tx, { userId: borrower, firstName, lastName });
      await end();
    }),
  );
/** By an operator, or by the chair of a sacco. */
const seen = (userId: string, sacco: string | null = null) => database.sql`
  insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
  values (${database.newId()}, ${userId}, ${of.chair}, ${sacco}, ${sacco && 'chair'}, 'national_id', ${database.now()})`;
const pledged = async () =>
  (await balances(database, [{ book: of.sacco, kind: 'deposits_hold', owner: guarantor }]))[0];
const hashOf = async (id: string) => (await call(of.chair, 'GET', `/sacco/loans/${id}`)).body.key_facts.hash;
const review = async (as: string, id: string, decision: string) =>
  answer(
    call(as, 'POST', `/sacco/loans/${id}/review`, { decision, reason: 'Read again.', terms_hash: await hashOf(id) }),
  );

describe('a name that is signed', () => {
  test('stands in the request, the SMS and the signature, with the number that never changes (power 1)', async () => {
    await apply();
    const request = await requestOf();
    expect(request).toMatchObject({ borrower: 'Peter Mwangi', former_name: null });
    expect(request.borrower_number).toMatch(/^8\d{8}$/);
    await sign();
    const { body } = await call(guarantor, 'GET', `/loans/guarantees/${request.id}`);
    expect(body.signed).toMatchObject({ borrower: 'Peter Mwangi', borrower_number: request.borrower_number });
    const [sms] = await database.sql<{ text: string }[]>`
      select text from sms_messages where user_id = ${guarantor} and template = 'loan_guarantee_code'`;
    expect(sms?.text).toContain(`Peter Mwangi (No. ${request.borrower_number})`);
  });

  test('ends every open application and signature once it is another, and frees what was pledged (power 1)', async () => {
    const id = await submitted();
    expect(await pledged()).toBe(10_000_00);
    await rename('Jane', 'Wambui');
    expect(await pledged()).toBe(0);
    expect((await call(borrower, 'GET', `/loans/${id}`)).body).toMatchObject({ state: 'withdrawn' });
    expect(await review(of.committee[0], id, 'approve')).toEqual([409, 'loan_conflict']);
    expect((await requestOf()).state).toBe('voided');
  });

  test('asks nobody before an official of the sacco has seen the ID card under it, whatever another sacco has (power 1)', async () => {
    await rename('Jane', 'Wambui');
    await seen(borrower, (await given.sacco()).sacco);
    expect(await answer(apply())).toEqual([422, 'loan_terms_not_met']);
    await seen(borrower, of.sacco);
    expect((await apply()).status).toBe(201);
    expect((await requestOf()).former_name).toMatchObject({ name: 'Peter Mwangi' });
  });

  test('is shown with the one before for 90 days, and on as long as a signature or a loan of those days is owed', async () => {
    await rename('Jane', 'Wambui');
    await seen(borrower);
    const former = async (userId: string) => {
      const [row] = await database.sql<{ said: { name: string } | null }[]>`
        select former_name(${userId}, ${database.now()}) as said`;
      return row?.said?.name ?? null;
    };
    const id = await signed();
    world.advance(20 * DAY_MS);
    expect((await call(borrower, 'POST', `/loans/${id}/submission`)).status).toBe(200);
    world.advance(91 * DAY_MS);
    expect((await requestOf()).former_name).toMatchObject({ name: 'Peter Mwangi' });
    expect(await former(borrower)).toBe('Peter Mwangi');
    expect((await call(borrower, 'POST', `/loans/${id}/withdrawal`)).status).toBe(200);
    expect(await former(borrower)).toBeNull();
    // A name that was given up long before anything was signed comes back with nothing.
    expect((await apply()).status).toBe(201);
    await sign();
    expect([await former(borrower), await former(guarantor)]).toEqual([null, null]);
  });
});

describe('a signature', () => {
  test('is taken back until the application is handed in, and no later (power 13)', async () => {
    const id = await signed();
    const request = await requestOf();
    expect(request).toMatchObject({ state: 'accepted', may: ['refuse'], signature_ends: expect.any(String) });
    expect(await answer(call(guarantor, 'POST', `/loans/guarantees/${request.id}/refusal`))).toEqual([200, undefined]);
    expect([await pledged(), (await requestOf()).state]).toEqual([0, 'refused']);
    expect(await answer(call(borrower, 'POST', `/loans/${id}/submission`))).toEqual([422, 'loan_not_covered']);
    world.advance(2 * DAY_MS);
    const next = await submitted();
    const [last] = (await call(guarantor, 'GET', '/loans/guarantee-requests')).body.results;
    expect(last.loan).toBe(next);
    expect(await answer(call(guarantor, 'POST', `/loans/guarantees/${last.id}/refusal`))).toEqual([
      409,
      'guarantee_conflict',
    ]);
  });

  test('ends after 30 days, however often the borrower sends the same values again (power 13)', async () => {
    const id = await signed();
    for (const _ of [1, 2, 3]) {
      world.advance(9 * DAY_MS);
      const same = { amount: 14_000, months: 12, purpose: 'A second stall.', net_income: 30_000 };
      expect((await call(borrower, 'PUT', `/loans/${id}`, same)).status).toBe(200);
    }
    await tendLoans(database);
    expect(await pledged()).toBe(10_000_00);
    world.advance(4 * DAY_MS);
    expect(await answer(call(borrower, 'POST', `/loans/${id}/submission`))).toEqual([422, 'loan_not_covered']);
    await tendLoans(database);
    expect([await pledged(), (await requestOf()).state]).toEqual([0, 'voided']);
  });
});

describe('one official’s no', () => {
  test('returns an application once: afterwards they approve it, reject it or leave it (power 11)', async () => {
    const id = await submitted();
    const [one, two] = of.committee;
    expect(await review(one, id, 'return')).toEqual([200, undefined]);
    await call(borrower, 'POST', `/loans/${id}/submission`);
    expect(await review(two, id, 'approve')).toEqual([200, undefined]);
    expect(await review(one, id, 'return')).toEqual([409, 'loan_conflict']);
    await expect(
      database.owner`
        insert into loan_reviews (id, loan_id, round, reviewer_id, office, decision, reason, terms_hash, at)
        select ${database.newId()}, loan_id, 2, reviewer_id, office, decision, reason, terms_hash, at
        from loan_reviews where loan_id = ${id} and decision = 'return'`,
    ).rejects.toThrow('has returned the application before');
    expect(await review(of.committee[2], id, 'approve')).toEqual([200, undefined]);
    expect((await call(borrower, 'GET', `/loans/${id}`)).body.state).toBe('approved');
  });

  test('rejects no application: a second one rejects it with them, or the others approve it (power 11)', async () => {
    const large = {
      amount_cents: 2_000_000_00,
      judged_cents: null,
      committee_alone_cents: null,
      manager_alone_cents: null,
    };
    const none = {
      ...{ committeeApprovals: 0, committeeRejections: 0, secondTierApprovals: 0 },
      ...{ secondTierRejections: 0, managerApprovals: 0, managerRejections: 0 },
    };
    const againstIt = { ...none, secondTierRejections: 1 };
    expect(outcomeOf(large, againstIt)).toBe(null);
    expect(outcomeOf(large, { ...againstIt, committeeApprovals: 2, secondTierApprovals: 1 })).toBe('approved');
    expect(outcomeOf(large, { ...againstIt, committeeRejections: 1 })).toBe('rejected');
    expect(outcomeOf(large, { ...none, secondTierRejections: 2 })).toBe('rejected');
    const id = await submitted();
    const [one, two] = of.committee;
    expect(await review(one, id, 'reject')).toEqual([200, undefined]);
    await testPeople(database).onePhone(one as string, two as string);
    expect(await review(two, id, 'reject')).toEqual([403, 'not_allowed']);
    await expect(
      database.owner`
        insert into loan_reviews (id, loan_id, round, reviewer_id, office, decision, reason, terms_hash, at)
        select ${database.newId()}, loan_id, round, ${two}, office, decision, reason, terms_hash, at
        from loan_reviews where loan_id = ${id}`,
    ).rejects.toThrow('another account of that person has rejected');
    await expect(database.owner`update loans set state = 'rejected' where id = ${id}`).rejects.toThrow(
      'is rejected by two',
    );
    expect(await review(of.committee[2], id, 'reject')).toEqual([200, undefined]);
    expect((await call(borrower, 'GET', `/loans/${id}`)).body.state).toBe('rejected');
  });

  test('stops a payout once: then it is paid, or another official checks it (power 11)', async () => {
    const id = await submitted();
    for (const each of of.committee.slice(0, 2)) await review(each, id, 'approve');
    const terms_hash = await hashOf(id);
    await call(borrower, 'POST', `/loans/${id}/acceptance`, { terms_hash, pay_to: 'wallet' });
    const order = () => call(of.treasurer, 'POST', `/sacco/loans/${id}/disbursement`, { terms_hash });
    const check = (as: string, decision: string) =>
      answer(
        call(as, 'POST', `/sacco/loans/${id}/disbursement-check`, { decision, terms_hash, reason: 'Read again.' }),
      );
    await order();
    expect(await check(of.chair, 'refuse')).toEqual([200, undefined]);
    await order();
    expect(await check(of.chair, 'refuse')).toEqual([409, 'loan_conflict']);
    expect(await check(of.secretary, 'pay')).toEqual([200, undefined]);
  });
});
