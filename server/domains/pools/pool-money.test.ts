import { english } from '@ushirika/contract/in-words';
import { poolsContract } from '@ushirika/contract/pools';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { poolExitBlocks } from './exit-blocks.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { poolsInvariants } from './pools.invariants.ts';
import { poolsRoutes } from './pools.routes.ts';
import { noNeeds, type PoolNeeds } from './request-guarantee.ts';
import { testPools } from './test-pools.ts';
import { NO_HISTORY, type RepaymentHistory, type TrustInputs, trustOf } from './trust.rules.ts';
import { trustCard } from './trust-score.ts';

const DAY_MS = 86_400_000;
const histories = new Map<string, RepaymentHistory>();
let mayJoin = true;
const needs: PoolNeeds = { ...noNeeds, historiesOf: async () => histories, mayJoin: async () => mayJoin };
let world: TestWorld;
let database: TestDatabase;
let pools: ReturnType<typeof testPools>;
let app: Awaited<ReturnType<typeof testApp>>;
let creator: string;
let sacco: string;
let pool: string;
let member: string;

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  pools = testPools(database);
  const bindings = poolsRoutes({ database, publicUrl: 'https://ushirika.test', needs });
  app = await testApp({ database, contract: poolsContract, bindings });
});
beforeEach(async () => {
  creator = await pools.rich('Wanjiru', 100_000_00);
  member = await pools.rich('Amina', 100_000_00);
  sacco = await pools.people.sacco(`Sacco ${creator}`, creator);
  for (const person of [creator, member]) await pools.people.member(sacco, person);
  pool = await pools.pool(creator, sacco, { name: `Pool ${creator.slice(-12)}` });
  histories.clear();
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const hash = async (as = member) =>
  (await app.call('GET', `/guarantors/pools/${pool}/details`, { as })).body.terms_hash;
const join = async (as: string, amount: unknown = 5_000, more: object = {}, key?: string) =>
  app.call('POST', '/guarantors/pools/join', {
    as,
    ...(key ? { key } : {}),
    body: { pool, amount, accept_terms: true, terms_hash: await hash(creator), ...more },
  });
const deposit = (as: string, amount: unknown, key?: string) =>
  app.call('POST', '/guarantors/pools/deposit', { as, ...(key ? { key } : {}), body: { pool, amount } });
const withdraw = (as: string, amount: unknown) =>
  app.call('POST', '/guarantors/pools/withdraw', { as, body: { pool, amount } });
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function noBreaches(): Promise<void> {
  for (const invariant of [...poolsInvariants, ...ledgerInvariants]) {
    expect([invariant.name, await invariant.find(database.sql)]).toEqual([invariant.name, []]);
  }
}

describe('joining and depositing', () => {
  test('who joins pays from the wallet, and the position is theirs', async () => {
    const joined = await join(member);
    expect(joined.status).toBe(201);
    expect(joined.body).toMatchObject({
      pool: {
        my_position: 5_000,
        pool_size: 5_000,
        members_count: 1,
        is_member: true,
        me: { member_ref: 'M0001', position: 5_000, locked: 0, notice: 0, free: 5_000 },
        may: ['deposit', 'withdraw'],
      },
      receipt: { amount: 5_000 },
    });
    const added = await deposit(member, '250.50');
    expect(added.body.pool.my_position).toBe(5_250.5);
    expect(await wallet(member)).toBe(100_000_00 - 5_250_50);
    await noBreaches();
  });

  test('the pool opens with the fifth member and ten smallest contributions, by itself', async () => {
    for (let number = 1; number <= 4; number += 1) {
      const person = await pools.rich('Brian', 10_000_00);
      await pools.people.member(sacco, person);
      expect((await join(person, 1_500)).body.pool.state).toBe('FORMING');
    }
    expect((await join(member, 4_000)).body.pool.state).toBe('OPEN');
  });

  test('the same request again with its key pays once, in turn and at once', async () => {
    const [first, second] = await Promise.all([join(member, 5_000, {}, 'j1'), join(member, 5_000, {}, 'j1')]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await join(member, 5_000, {}, 'j1')).body).toEqual(first.body);
    await Promise.all([deposit(member, 10, 'd1'), deposit(member, 10, 'd1'), deposit(member, 10, 'd2')]);
    expect(await wallet(member)).toBe(100_000_00 - 5_020_00);
  });

  test('each refusal of joining', async () => {
    expect(code(await app.call('POST', '/guarantors/pools/join', { body: {} }))).toEqual([401, 'not_signed_in']);
    expect((await join(member, 5_000, { accept_terms: false })).body.errors).toEqual({
      accept_terms: ['Accept the terms of the pool to join it.'],
    });
    expect(code(await join(member, 5_000, { pool: database.newId() }))).toEqual([404, 'not_found']);
    const stranger = await pools.rich('Juma', 10_000_00);
    // Nobody has looked at the pool: to strangers it is not there.
    expect(code(await join(stranger))).toEqual([404, 'not_found']);
    await database.sql`update pools set review = 'approved', reviewed_by = ${creator}, reviewed_at = ${database.now()},
      review_reason = 'Looked at' where id = ${pool}`;
    expect(code(await join(stranger))).toEqual([403, 'not_a_member']);
    expect(code(await join(member, 999.99))).toEqual([422, 'pool_amount_not_allowed']);
    expect((await join(member, 999.99)).body.message).toBe(
      'The first deposit in this pool is at least Ksh.\u00a01,000.00.',
    );
    expect(code(await join(member, 5_000, { terms_hash: 'a'.repeat(64) }))).toEqual([409, 'terms_changed']);
    mayJoin = false;
    expect((await join(member)).body).toMatchObject({
      code: 'not_allowed',
      message: expect.stringMatching(/with yours in this pool too few officials would be left\.$/),
    });
    mayJoin = true;
    expect(code(await join(member, 200_000))).toEqual([422, 'insufficient_funds']);
    await database.sql`update users set payout_held_until = ${new Date(database.now().getTime() + 1)} where id = ${member}`;
    expect(code(await join(member))).toEqual([409, 'payout_held']);
    await database.sql`update users set payout_held_until = null where id = ${member}`;
    await database.sql`update sessions set proven_at = ${new Date(0)} where id = ${member}`;
    expect(code(await join(member, 50_000))).toEqual([403, 'proof_required']);
    await database.sql`update sessions set proven_at = 'infinity' where id = ${member}`;
    expect(await wallet(member)).toBe(100_000_00);
    expect((await join(member)).status).toBe(201);
    expect(code(await join(member))).toEqual([409, 'already_in_pool']);
    await database.sql`update pools set state = 'CLOSING' where id = ${pool}`;
    expect(code(await join(creator))).toEqual([409, 'pool_state_conflict']);
  });

  test('each refusal of depositing', async () => {
    expect(code(await deposit(member, 10))).toEqual([403, 'not_a_pool_member']);
    await join(member);
    expect(code(await deposit(member, 200_000))).toEqual([422, 'insufficient_funds']);
    await database.sql`update sessions set proven_at = ${new Date(0)} where id = ${member}`;
    expect(code(await deposit(member, 50_000))).toEqual([403, 'proof_required']);
    await database.sql`update sessions set proven_at = 'infinity' where id = ${member}`;
    await database.sql`update memberships set state = 'leaving' where user_id = ${member}`;
    expect(code(await deposit(member, 10))).toEqual([403, 'not_a_member']);
    await database.sql`update memberships set state = 'active' where user_id = ${member}`;
    await database.sql`update pools set state = 'CLOSING' where id = ${pool}`;
    expect(code(await deposit(member, 10))).toEqual([409, 'pool_state_conflict']);
  });

  test('an open pool takes members of any active sacco, and nobody else', async () => {
    pool = await pools.pool(creator, null, { name: `Open ${creator.slice(-12)}` });
    await database.sql`update pools set review = 'approved', reviewed_by = ${creator}, reviewed_at = ${database.now()},
      review_reason = 'Looked at' where id = ${pool}`;
    expect((await join(member)).status).toBe(201);
    expect(code(await join(await pools.rich('Juma', 10_000_00)))).toEqual([403, 'not_a_member']);
  });
});

describe('withdrawing', () => {
  test('a notice is paid after 30 days, once, however often the job runs', async () => {
    await join(member);
    const given = await withdraw(member, 2_000);
    expect(given.status).toBe(201);
    expect(given.body).toMatchObject({
      pool: { me: { position: 5_000, notice: 2_000, free: 3_000 }, equity: 3_000 },
      withdrawal: { amount: 2_000, state: 'waiting', is_all: false, ahead: 0 },
    });
    await payWithdrawals(database, needs.historiesOf);
    expect(await wallet(member)).toBe(95_000_00);
    world.advance(30 * DAY_MS);
    await Promise.all([payWithdrawals(database, needs.historiesOf), payWithdrawals(database, needs.historiesOf)]);
    expect(await wallet(member)).toBe(97_000_00);
    const { body } = await app.call('GET', `/guarantors/pools/withdrawals?pool=${pool}`, { as: member });
    expect(body).toMatchObject({ count: 1, results: [{ state: 'paid', amount: 2_000, estimated_on: null }] });
    await noBreaches();
  });

  test('who withdraws all is no member any more, and may come back to the same place', async () => {
    await join(member);
    expect((await withdraw(member, 5_000)).body.withdrawal.is_all).toBe(true);
    world.advance(30 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    const { body } = await app.call('GET', `/guarantors/pools/${pool}/details`, { as: member });
    expect(body).toMatchObject({ is_member: false, members_count: 0, pool_size: 0 });
    expect((await join(member, 1_000)).body.pool.me.member_ref).toBe('M0001');
    await noBreaches();
  });

  test('a notice is taken back, and then the money backs guarantees again', async () => {
    await join(member);
    const { id } = (await withdraw(member, 2_000)).body.withdrawal;
    const cancel = (as: string) => app.call('POST', `/guarantors/pools/withdrawals/${id}/cancellation`, { as });
    expect(code(await cancel(creator))).toEqual([404, 'not_found']);
    expect((await cancel(member)).body).toMatchObject({
      pool: { me: { free: 5_000 } },
      withdrawal: { state: 'cancelled' },
    });
    expect(code(await cancel(member))).toEqual([409, 'pool_withdrawal_conflict']);
    world.advance(30 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect(await wallet(member)).toBe(95_000_00);
  });

  test('each refusal of a notice', async () => {
    expect(code(await withdraw(member, 10))).toEqual([403, 'not_a_pool_member']);
    await join(member);
    expect((await withdraw(member, 5_000.01)).body.message).toBe(
      'Only Ksh.\u00a05,000.00 of your position is free: the rest backs guarantees or is under notice.',
    );
    expect((await withdraw(member, 4_500)).body.message).toBe(
      'Leave at least Ksh.\u00a01,000.00 in the pool, or withdraw everything.',
    );
    await database.sql`update users set payout_held_until = ${new Date(database.now().getTime() + 1)} where id = ${member}`;
    expect(code(await withdraw(member, 1_000))).toEqual([409, 'payout_held']);
  });

  test('a member with a position cannot leave the sacco before: one sentence says so', async () => {
    const blocks = () => poolExitBlocks(database, { userId: member, saccoId: sacco });
    expect(await blocks()).toEqual([]);
    await join(member);
    const [name] = await database.sql<{ name: string }[]>`select name from pools where id = ${pool}`;
    expect((await blocks()).map(({ text: { text, values }, at }) => [text, values, at])).toEqual([
      [
        'You have {amount} in the guarantor pool {pool}. Withdraw it from the pool first.',
        { amount: 'Ksh.\u00a05,000.00', pool: name?.name },
        { kind: 'pool', id: pool },
      ],
    ]);
  });
});

describe('the trust score', () => {
  test('somebody new with an ID that was seen and a phone has 51, and reads what would raise it', async () => {
    const operator = await pools.people.person('Halima', 'Yusuf');
    await pools.seen(member, operator);
    const { body } = await app.call('GET', '/guarantors/trust-score', { as: member });
    expect(body.score).toBe(51);
    expect(
      body.parts.map(({ part, points, most }: { part: string; points: number; most: number }) => [part, points, most]),
    ).toEqual([
      ['age', 0, 15],
      ['kyc', 11, 15],
      ['contributions', 12.5, 25],
      ['repayment', 17.5, 35],
      ['standing', 10, 10],
      ['defaults', 0, 0],
    ]);
    expect(body.raises.map(({ part, points }: { part: string; points: number }) => [part, points])).toEqual([
      ['age', 15],
      ['contributions', 10.71],
      ['repayment', 10.5],
    ]);
    expect(body.caps).toEqual([]);
    const said = body.parts.map(({ text }: { text: string }) => text);
    expect(said[1]).toContain(
      '2 of these 2 are done: ID card seen (7 points), phone confirmed (4). The other 4 are for an email address',
    );
    expect(said[2]).toBe('No whole month in a sacco is over yet: this begins at half.');
  });

  test('each part says by which rule its points come about, so that they can be reckoned', () => {
    const repayment = { ...NO_HISTORY, onTime: 2, late30: 1 };
    const inputs: TrustInputs = {
      ...{ daysInSacco: 365, monthsDue: 12, monthsPaid: 11, repayment, isFrozen: false },
      ...{ isIdentitySeen: true, isPhoneConfirmed: true, isEmailConfirmed: false, hasNextOfKin: false },
    };
    const { parts } = trustCard(inputs, trustOf(inputs), database.now());
    const said = Object.fromEntries(parts.map(({ part, points, text }) => [part, `${english(text)} = ${points}`]));
    expect(said.age).toBe(
      'You have been in a sacco for 365 days. 730 days give all 15 points. Points: 15 × 365 ÷ 730. = 7.5',
    );
    expect(said.contributions).toBe(
      'Of the last 12 months you saved Ksh.\u00a0100.00 or more in 11. Two months are added for everybody, one of them with savings, so that few months say little. Points: 25 × 12 ÷ 14. = 21.43',
    );
    expect(said.repayment).toBe(
      'You paid 2 of 3 instalments of Ksh.\u00a0500.00 or more on time in the last 24 months. One up to 30 days late counts as a half, up to 90 days as a fifth, later as nothing. Four are added for everybody, two of them on time, so that few instalments say little. Points: 35 × 4.5 ÷ 7. = 22.5',
    );
  });

  test('a default that is open caps it, a suspended account has none', async () => {
    histories.set(member, { ...NO_HISTORY, hasOpenDefault: true, daysPastDue: 100 });
    const score = async () => (await app.call('GET', '/guarantors/trust-score', { as: member })).body;
    expect(await score()).toMatchObject({
      score: 20,
      caps: ['The parts come to 34. A default that is not made good keeps the score at 20 or less.'],
    });
    expect((await score()).parts.at(-1).text).toBe(
      'You have a default that is not made good: it takes no points, it limits the whole score.',
    );
  });
});
