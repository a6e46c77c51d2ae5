import { poolsContract } from '@ushirika/contract/pools';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { type TestWorld, testWorld } from '../../db/test-world.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { standings } from '../membership/standings.ts';
import { approveGuarantee } from './approve-guarantee.ts';
import { callGuarantee } from './call-guarantee.ts';
import { demandGuarantee } from './demand-guarantee.ts';
import { earnFees, monthAfter, postJournals } from './earn-fees.ts';
import { attachGuarantee } from './guarantee-cover.ts';
import { activateGuarantee, closeGuarantee, releaseGuarantees } from './guarantee-life.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { poolsInvariants } from './pools.invariants.ts';
import { poolsRoutes } from './pools.routes.ts';
import { poolsSchedules } from './pools.tasks.ts';
import { lockRequest, noNeeds, type PoolNeeds } from './request-guarantee.ts';
import { tendPools } from './tend-pools.ts';
import { testPools } from './test-pools.ts';
import { NO_HISTORY, type RepaymentHistory } from './trust.rules.ts';
import { scoreNightly } from './trust-score.ts';
import { withdrawFromPool } from './withdraw-from-pool.ts';
import { poolWriteOffChange } from './write-off-claim.ts';

const DAY_MS = 86_400_000;
const histories = new Map<string, RepaymentHistory>();
const GOOD: RepaymentHistory = { ...NO_HISTORY, onTime: 24 };
let undecidable = false;
/** The only sacco whose officials could decide; null where those of each sacco could. */
let decidableIn: string | null = null;
/** The saccos and principals about which it was asked whether anybody could decide. */
let askedOf: { saccoId: string; principal: number }[] = [];
/** The application that is not handed in. */
let application: string | null = null;
let related: ReadonlySet<string> = new Set();
/** Of the related: whoever registered with the code of the others. */
let brought: string | null = null;
const needs: PoolNeeds = {
  ...noNeeds,
  historiesOf: async () => histories,
  mayBeDecided: async (_tx, { saccoId, principal }) => {
    askedOf.push({ saccoId, principal });
    return !undecidable && (decidableIn === null || decidableIn === saccoId);
  },
  applicationOf: async (_tx, { loanId }) =>
    loanId === application ? { saccoId: sacco, principal: 10_000_00, months: 12 } : null,
  relativesOf: async (_tx, userId) =>
    [...(related.has(userId) ? related : [])]
      .filter((id) => id !== userId)
      .map((id) => ({ id, isOnlyBrought: id === brought })),
};
let world: TestWorld;
let database: TestDatabase;
let pools: ReturnType<typeof testPools>;
let app: Awaited<ReturnType<typeof testApp>>;
let operator: string;
let creator: string;
let sacco: string;
let pool: string;
/** Six members with 20,000 each; the first two may borrow. */
let members: string[];

beforeAll(async () => {
  world = testWorld();
  database = await testDatabase({ world });
  pools = testPools(database);
  operator = await pools.people.person('Halima', 'Yusuf');
  const bindings = poolsRoutes({ database, publicUrl: 'https://ushirika.test', needs });
  app = await testApp({ database, contract: poolsContract, bindings, standingOf: standings(database) });
});
beforeEach(async () => {
  histories.clear();
  related = new Set();
  brought = null;
  undecidable = false;
  decidableIn = null;
  askedOf = [];
  application = null;
  creator = await pools.rich('Wanjiru', 100_000_00);
  sacco = await pools.people.sacco(`Sacco ${creator}`, creator);
  await pools.people.member(sacco, creator);
  pool = await pools.pool(creator, sacco, { name: `Pool ${creator.slice(-12)}` });
  members = [];
  for (const name of ['Amina', 'Brian', 'Carol', 'David', 'Esther', 'Faith']) {
    const person = await pools.rich(name, 100_000_00);
    await pools.people.member(sacco, person);
    await pools.join(pool, person, 20_000_00);
    members.push(person);
  }
  await stewardsAre(esther(), faith());
  for (const person of members.slice(0, 2)) {
    await pools.seen(person, operator);
    histories.set(person, GOOD);
  }
  await database.sql`
    update memberships set joined_at = ${new Date(database.now().getTime() - 730 * DAY_MS)}
    where user_id = any (${members}::uuid[])`;
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const amina = () => members[0] ?? '';
const brian = () => members[1] ?? '';
const esther = () => members[4] ?? '';
const faith = () => members[5] ?? '';
/** Makes these people stewards beside the creator, who has no money in the pool. */
async function stewardsAre(...people: readonly string[]): Promise<void> {
  await database.owner`delete from pool_stewards where pool_id = ${pool} and user_id <> ${creator}`;
  await pools.stewards(pool, ...people);
}
const close = (as: string) => post(as, `/guarantors/pools/${pool}/state`, { act: 'close', reason: 'We stop.' });
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const post = (as: string, path: string, body: object = {}, key?: string, inSacco?: string) =>
  app.call('POST', path, { as, body, ...(key ? { key } : {}), ...(inSacco ? { sacco: inSacco } : {}) });
const quote = (as: string, amount: number, months = 12) =>
  post(as, '/guarantors/pools/quote', { pool, amount, period_months: months });
const request = (as: string, amount: number, months = 12, key?: string) =>
  post(as, '/guarantors/pools/request-guarantee', { pool, amount, period_months: months, purpose: 'School fees' }, key);
const reasons = async (as: string, amount: number) =>
  (await quote(as, amount)).body.reasons.map(({ reason }: { reason: string }) => reason);
async function accept(as: string, asked: { id: string; quote_hash: string }, more: object = {}) {
  const signing = { request: asked.id, quote_hash: asked.quote_hash };
  world.advance(1_000);
  await post(as, '/guarantors/pools/guarantee-contract/code', signing);
  const [{ name } = { name: '' }] = await database.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${as}`;
  const body = { ...signing, accept: true, signed_name: name, code: await pools.code(as), ...more };
  return post(as, '/guarantors/pools/guarantee-contract', body);
}
const giveBack = (as: string, contract: string) => post(as, `/guarantors/pools/contracts/${contract}/return`);
/** The day that is so many days away, as it is written. */
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'Africa/Nairobi' }).format(
    new Date(database.now().getTime() + days * DAY_MS),
  );
const wallet = async (owner: string) => (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];

/** A guarantee of Amina's whose loan is paid out. */
async function running(amount = 5_000, principal = 10_000_00): Promise<{ contract: string; loan: string }> {
  const asked = (await request(amina(), amount)).body.request;
  const { body } = await accept(amina(), asked);
  if (body.contract === null) {
    for (const as of [esther(), faith()])
      await post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision: 'approve', reason: 'Known' });
  }
  const loan = database.newId();
  await database.transaction((tx) =>
    attachGuarantee(tx, { requestId: asked.id, userId: amina(), loanId: loan, saccoId: sacco, principal, months: 12 }),
  );
  await pools.lent(sacco, loan, amina(), principal);
  await database.transaction(async (tx) => {
    const journal = await activateGuarantee(tx, { loanId: loan, saccoId: sacco, principal });
    await postJournals(tx, journal ? [journal] : []);
  });
  const [contract] = await database.sql<{ id: string }[]>`select id from pool_contracts where loan_id = ${loan}`;
  return { contract: contract?.id ?? '', loan };
}

async function noBreaches(): Promise<void> {
  for (const invariant of [...poolsInvariants, ...ledgerInvariants]) {
    expect([invariant.name, await invariant.find(database.sql)]).toEqual([invariant.name, []]);
  }
}

test('of nightly scores only those are kept that differ from the latest one of that person', async () => {
  const kept = async () =>
    database.sql<{ user_id: string; score: number; has_open_default: boolean }[]>`
      select user_id, score, has_open_default from trust_snapshots where user_id = any (${members}) order by at, user_id`;
  await scoreNightly(database, needs.historiesOf);
  const first = await kept();
  expect(first.map(({ user_id }) => user_id)).toEqual([...members].sort());
  world.advance(DAY_MS);
  await scoreNightly(database, needs.historiesOf);
  expect(await kept()).toHaveLength(first.length);
  histories.set(amina(), { ...GOOD, hasOpenDefault: true });
  world.advance(DAY_MS);
  for (let run = 0; run < 2; run += 1) await scoreNightly(database, needs.historiesOf);
  const after = await kept();
  expect(after).toHaveLength(first.length + 1);
  expect(after.at(-1)).toMatchObject({ user_id: amina(), has_open_default: true });
});

describe('the scores of a day', () => {
  /** Whose scores were reckoned, run by run. */
  let reckoned: string[] = [];
  const counted: typeof needs.historiesOf = (tx, userIds, least) => {
    reckoned.push(...userIds);
    return needs.historiesOf(tx, userIds, least);
  };
  const mine = () => reckoned.filter((id) => members.includes(id)).sort();
  beforeEach(() => {
    world.advance(DAY_MS);
    reckoned = [];
  });

  test('are reckoned once, by two runs at once and by a later one', async () => {
    await Promise.all([scoreNightly(database, counted), scoreNightly(database, counted)]);
    expect(mine()).toEqual([...members].sort());
    await scoreNightly(database, counted);
    expect(mine()).toEqual([...members].sort());
    world.advance(DAY_MS);
    await scoreNightly(database, counted);
    expect(mine()).toHaveLength(2 * members.length);
  });

  test('are gone on with within the hour where a run was cut off', async () => {
    let chunks = 0;
    const dying: Parameters<typeof scoreNightly>[0] = {
      now: () => database.now(),
      transaction: (run) =>
        database.transaction(async (tx) => {
          const done = await run(tx);
          chunks += 1;
          if (chunks === 3) throw new Error('cut off');
          return done;
        }),
    };
    const byTwos = { peopleAtOnce: 2 };
    await expect(scoreNightly(dying, counted, byTwos)).rejects.toThrow('cut off');
    const [done, lost] = [reckoned.slice(0, 4), reckoned.slice(4)];
    expect(lost).toHaveLength(2);
    const hourly = poolsSchedules.find(({ task }) => task === 'score_pool_members');
    expect(hourly?.everySeconds).toBeLessThanOrEqual(3600);
    world.advance(3_600_000);
    reckoned = [];
    await scoreNightly(database, counted, byTwos);
    expect(reckoned.slice(0, 2)).toEqual(lost);
    reckoned.push(...done);
    expect(mine()).toEqual([...members].sort());
    const [day] = await database.sql`select people, finished_at from trust_days order by day desc limit 1`;
    expect(day).toEqual({ people: new Set(reckoned).size, finished_at: database.now() });
  });
});

describe('asking for a guarantee', () => {
  test('what is out counts together: several small ones go to the stewards as a large one does', async () => {
    // A twentieth of the 120,000 in the pool.
    expect((await quote(amina(), 6_000)).body.is_automatic).toBe(true);
    await running(2_500);
    expect((await quote(amina(), 3_500)).body.is_automatic).toBe(true);
    expect((await quote(amina(), 3_501)).body.is_automatic).toBe(false);
    expect((await quote(brian(), 3_501)).body.is_automatic).toBe(true);
    related = new Set([amina(), brian()]);
    expect((await quote(brian(), 3_501)).body.is_automatic).toBe(false);
  });

  test('a borrower has one guarantee at a time that no loan uses yet, and so have related accounts together', async () => {
    const asked = (await request(amina(), 1_000)).body.request;
    const [declined] = (await quote(amina(), 1_000)).body.reasons;
    expect(declined).toMatchObject({ reason: 'undrawn', text: expect.stringContaining(dayIn(3)) });
    expect(await reasons(brian(), 1_000)).toEqual([]);
    // Related only since they asked: the signature is judged with what is out by then.
    const second = (await request(brian(), 1_000)).body.request;
    expect((await accept(amina(), asked)).status).toBe(201);
    related = new Set([amina(), brian()]);
    expect(await reasons(brian(), 1_000)).toEqual(['undrawn', 'relative']);
    expect((await accept(brian(), second)).body).toMatchObject({ code: 'guarantee_declined', reasons: ['relative'] });
    await post(brian(), `/guarantors/pools/requests/${second.id}/cancellation`);
    // What a related account has, and until when, is not said.
    const against = (await request(brian(), 1_000)).body.request;
    expect(against).toMatchObject({
      state: 'DECLINED',
      reasons: [
        {
          reason: 'relative',
          text: 'An account that is related to yours stands against it. Ask another pool, or members.',
        },
      ],
    });
    const later = (await request(amina(), 1_000)).body.request;
    expect(later.reasons).toMatchObject([{ reason: 'undrawn', text: expect.stringContaining(dayIn(14)) }]);
    // It is read as it was declined, after the day too.
    world.advance(15 * DAY_MS);
    for (const [person, declined] of [
      [amina(), later],
      [brian(), against],
    ] as const) {
      const read = await app.call('GET', `/guarantors/pools/requests/${declined.id}`, { as: person });
      expect(read.body.reasons).toEqual(declined.reasons);
    }
  });

  test('a quote that is not signed binds whoever asked for it; of two related ones the first that is signed is good', async () => {
    related = new Set([amina(), brian()]);
    const first = (await request(amina(), 1_000)).body.request;
    const second = (await request(brian(), 1_000)).body.request;
    expect([first.state, second.state]).toEqual(['QUOTED', 'QUOTED']);
    expect(await reasons(amina(), 1_000)).toEqual(['undrawn']);
    expect((await accept(brian(), second)).status).toBe(201);
    expect((await accept(amina(), first)).body).toMatchObject({ code: 'guarantee_declined', reasons: ['relative'] });
  });

  test('one that the stewards look at binds related accounts', async () => {
    related = new Set([amina(), brian()]);
    const asked = (await request(amina(), 6_001)).body.request;
    expect((await accept(amina(), asked)).body.contract).toBeNull();
    expect(await reasons(brian(), 1_000)).toEqual(['relative']);
    await post(amina(), `/guarantors/pools/requests/${asked.id}/cancellation`);
    expect(await reasons(brian(), 1_000)).toEqual([]);
  });

  test('who was brought waits for whoever brought them, and not the other way round; what is out counts both ways', async () => {
    related = new Set([amina(), brian()]);
    brought = brian();
    const signed = (await accept(brian(), (await request(brian(), 1_000)).body.request)).body.contract;
    expect(await reasons(amina(), 1_000)).toEqual([]);
    // A twentieth of the 120,000 in the pool, together with Brian's.
    expect((await quote(amina(), 5_001)).body.is_automatic).toBe(false);
    await giveBack(brian(), signed.id);
    expect(await reasons(brian(), 1_000)).toEqual(['unused_lately']);
    expect(await reasons(amina(), 1_000)).toEqual([]);
    brought = amina();
    expect(await reasons(amina(), 1_000)).toEqual(['relative']);
  });

  test('a guarantee whose loan is paid out leaves room for the next one', async () => {
    await running(1_000);
    expect(await reasons(amina(), 1_000)).toEqual([]);
  });

  test('after one that no loan used the borrower waits as long as the pool’s money was locked for it', async () => {
    const asked = (await request(amina(), 1_000)).body.request;
    await accept(amina(), asked);
    const loan = database.newId();
    const attached = { requestId: asked.id, loanId: loan, saccoId: sacco, principal: 10_000_00, months: 12 };
    await database.transaction((tx) => attachGuarantee(tx, { ...attached, userId: amina() }));
    world.advance(10 * DAY_MS);
    await database.transaction((tx) => closeGuarantee(tx, { loanId: loan }));
    const [waits] = (await quote(amina(), 1_000)).body.reasons;
    expect(waits).toMatchObject({ reason: 'unused_lately', text: expect.stringContaining(dayIn(10)) });
    related = new Set([amina(), brian()]);
    expect(await reasons(brian(), 1_000)).toEqual(['relative']);
    world.advance(10 * DAY_MS - 1);
    expect(await reasons(amina(), 1_000)).toEqual(['unused_lately']);
    world.advance(1);
    expect(await reasons(amina(), 1_000)).toEqual([]);
  });

  test('one that is given back an hour later makes the borrower, and related accounts, wait a day', async () => {
    const signed = (await accept(amina(), (await request(amina(), 1_000)).body.request)).body.contract;
    world.advance(3_600_000);
    const read = await app.call('GET', `/guarantors/pools/contracts/${signed.id}`, { as: amina() });
    expect(read.body.ask_again_at).toBe(new Date(database.now().getTime() + DAY_MS).toISOString());
    expect((await giveBack(amina(), signed.id)).status).toBe(200);
    expect(await reasons(amina(), 1_000)).toEqual(['unused_lately']);
    related = new Set([amina(), brian()]);
    expect(await reasons(brian(), 1_000)).toEqual(['relative']);
    world.advance(DAY_MS - 1);
    expect(await reasons(amina(), 1_000)).toEqual(['unused_lately']);
    world.advance(1);
    expect(await reasons(amina(), 1_000)).toEqual([]);
  });

  test('one that is given back after five days makes the borrower wait five days', async () => {
    const signed = (await accept(amina(), (await request(amina(), 1_000)).body.request)).body.contract;
    world.advance(5 * DAY_MS);
    await giveBack(amina(), signed.id);
    world.advance(5 * DAY_MS - 1);
    expect(await reasons(amina(), 1_000)).toEqual(['unused_lately']);
    world.advance(1);
    expect(await reasons(amina(), 1_000)).toEqual([]);
  });

  test('a quote that is not signed locked nothing: it makes nobody wait', async () => {
    await request(amina(), 1_000);
    world.advance(72 * 3_600_000);
    expect(await reasons(amina(), 1_000)).toEqual([]);
  });

  test('a pool takes on no loan that nobody without money in it could decide about', async () => {
    undecidable = true;
    const [against] = (await quote(amina(), 1_000)).body.reasons;
    expect(against).toMatchObject({
      reason: 'nobody_decides',
      text: expect.stringMatching(/^Nobody could decide about your loan/),
    });
    // A pool covers 80 % of a loan at most: the loan is that much larger at least.
    expect(askedOf).toEqual([{ saccoId: sacco, principal: 1_250_00 }]);
    expect((await request(amina(), 1_000)).body.request).toMatchObject({
      state: 'DECLINED',
      end: { by: 'rules', reasons: [against.text], words: [] },
    });
  });

  test('an open pool asks whether a loan could be decided in one of the borrower’s own saccos: one is enough', async () => {
    await database.sql`update pools set sacco_id = null where id = ${pool}`;
    const second = await pools.people.sacco(`Second sacco ${creator}`, creator);
    await pools.people.member(second, amina());
    for (const saccoId of [sacco, second]) {
      decidableIn = saccoId;
      expect(await reasons(amina(), 1_000)).toEqual([]);
      expect(askedOf.at(-1)).toEqual({ saccoId, principal: 1_250_00 });
    }
    undecidable = true;
    expect(await reasons(amina(), 1_000)).toEqual(['nobody_decides']);
    expect(new Set(askedOf.slice(-2).map(({ saccoId }) => saccoId))).toEqual(new Set([sacco, second]));
    undecidable = false;
    await database.sql`update pools set sacco_id = ${sacco} where id = ${pool}`;
  });

  test('a quote that nobody could decide about any more is not signed: no code is sent, and none is used up', async () => {
    const asked = (await request(amina(), 5_000)).body.request;
    const signing = { request: asked.id, quote_hash: asked.quote_hash };
    await post(amina(), '/guarantors/pools/guarantee-contract/code', signing);
    undecidable = true;
    const signed = await post(amina(), '/guarantors/pools/guarantee-contract', {
      ...signing,
      accept: true,
      signed_name: 'Amina Mwangi',
      code: await pools.code(amina()),
    });
    expect(signed.body).toMatchObject({ code: 'guarantee_declined', reasons: ['nobody_decides'] });
    const codes = () => database.sql`select tries, used_at from pool_codes where request_id = ${asked.id}`;
    expect(await codes()).toEqual([{ tries: 0, used_at: null }]);
    expect(code(await post(amina(), '/guarantors/pools/guarantee-contract/code', signing))).toEqual([
      422,
      'guarantee_declined',
    ]);
    expect(await codes()).toHaveLength(1);
    const read = () => app.call('GET', `/guarantors/pools/requests/${asked.id}`, { as: amina() });
    expect((await read()).body).toMatchObject({
      state: 'QUOTED',
      may: ['cancel'],
      reasons: [{ reason: 'nobody_decides' }],
    });
    undecidable = false;
    expect((await read()).body).toMatchObject({ may: ['accept', 'cancel'], reasons: [] });
  });

  test('a dry run, a quote, a signature: small and trusted is approved and locked at once', async () => {
    expect((await quote(amina(), 5_000)).body).toMatchObject({
      reasons: [],
      is_automatic: true,
      own_lock: 1_000,
      others_lock: 4_000,
    });
    const asked = await request(amina(), 5_000);
    expect(asked.body).toMatchObject({ request: { state: 'QUOTED', may: ['accept', 'cancel'], contract: null } });
    expect(asked.body.request.memorandum).toHaveLength(8);
    expect(asked.body.request.memorandum[2]).toMatch(/ % a year of what is still guaranteed/);
    const signed = await accept(amina(), asked.body.request);
    expect(signed.body).toMatchObject({
      message: 'Signed and approved. Use it for a loan within 14 days.',
      request: { state: 'APPROVED' },
      contract: { state: 'PENDING_LOAN', outstanding: 5_000, locks_total: 5_000, my_lock: 1_000 },
    });
    expect(signed.body.contract.memorandum).toMatchObject({ signed_name: 'Amina Mwangi' });
    // What was signed before the words changed is read in its own.
    const own = `/guarantors/pools/contracts/${signed.body.contract.id}`;
    await database.sql`update pool_requests set wording = 1 where id = ${asked.body.request.id}`;
    const { lines, hash } = (await app.call('GET', own, { as: amina() })).body.memorandum;
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^The fee is .* a year on what is guaranteed\. It leaves the wallet when/);
    expect(hash).toBe(signed.body.contract.memorandum.hash);
    const seen = await app.call('GET', `/guarantors/pools/contracts?as=backer&pool=${pool}`, { as: brian() });
    expect(seen.body).toMatchObject({ count: 1, results: [{ my_lock: 800, borrower: { name: 'Amina Mwangi' } }] });
    const backed = await app.call('GET', `/guarantors/pools/contracts/${signed.body.contract.id}`, { as: brian() });
    expect(backed.body).toMatchObject({ my_lock: 800, memorandum: null });
    const stranger = await pools.rich('Juma', 0);
    expect(
      code(await app.call('GET', `/guarantors/pools/contracts/${signed.body.contract.id}`, { as: stranger })),
    ).toEqual([404, 'not_found']);
    await noBreaches();
  });

  test('the SMS says what is signed, what can be lost, and to give the code to nobody', async () => {
    const asked = (await request(amina(), 5_000)).body.request;
    await post(amina(), '/guarantors/pools/guarantee-contract/code', {
      request: asked.id,
      quote_hash: asked.quote_hash,
    });
    const [sms] = await database.sql<{ text: string }[]>`
      select text from sms_messages where user_id = ${amina()} order by id desc limit 1`;
    expect(sms?.text).toMatch(
      /signs for a pool guarantee of Ksh\. 5,000\.00: fee Ksh\. \d+\.\d\d, Ksh\. 1,000\.00 of your own locked/,
    );
    expect(sms?.text).toContain('Give this code to nobody.');
  });

  test('a card counts that an official of the pool’s sacco or an operator has seen, and none of another sacco’s (power 1)', async () => {
    const elsewhere = await pools.people.sacco(`Other of ${creator}`, creator);
    const seenIn = (where: string | null) => database.owner`
      update identity_checks set sacco_id = ${where}, office = ${where && 'chair'} where user_id = ${amina()} and ended_at is null`;
    await seenIn(elsewhere);
    expect(await reasons(amina(), 5_000)).toEqual(['identity_not_seen']);
    for (const where of [sacco, null]) {
      await seenIn(where);
      expect(await reasons(amina(), 5_000)).toEqual([]);
    }
  });

  test('each gate says why, in its order', async () => {
    await database.sql`update pools set state = 'SUSPENDED' where id = ${pool}`;
    histories.set(amina(), { ...NO_HISTORY, daysPastDue: 31, worse: 5 });
    await database.sql`update users set phone_confirmed_at = null, payout_held_until = ${new Date(database.now().getTime() + 9)}
      where id = ${amina()}`;
    await database.sql`update identity_checks set ended_at = ${database.now()}, end_kind = 'renamed' where user_id = ${amina()}`;
    expect(await reasons(amina(), 150_000)).toEqual([
      'pool_not_open',
      'identity_not_seen',
      'phone_unconfirmed',
      'account_held',
      'arrears',
      'trust_too_low',
      'own_position_too_small',
      'capacity',
      'borrower_share',
      'others_too_small',
    ]);
    await database.sql`update pools set state = 'OPEN' where id = ${pool}`;
  });

  test('days in the pool, the borrower’s share and the number of contracts', async () => {
    // 20 % of 120,000.
    expect(await reasons(amina(), 24_000)).toEqual([]);
    expect(await reasons(amina(), 24_000.01)).toEqual(['borrower_share']);
    for (let made = 0; made < 3; made += 1) await running(1_000);
    expect(await reasons(amina(), 1_000)).toEqual(['too_many_contracts']);
  });

  test('guarantees of related accounts count together: a ring of one person’s accounts gets one share', async () => {
    await running(6_000);
    expect(await reasons(brian(), 20_000)).toEqual([]);
    related = new Set([amina(), brian()]);
    expect(await reasons(brian(), 20_000)).toEqual(['borrower_share']);
  });

  test('who is not in the pool does not ask, and ten requests a day are enough', async () => {
    expect(code(await request(creator, 1_000))).toEqual([403, 'not_a_pool_member']);
    for (let asked = 0; asked < 10; asked += 1) expect((await request(amina(), 1_000)).status).toBe(201);
    expect(code(await request(amina(), 1_000))).toEqual([429, 'pool_request_limit_reached']);
  });

  test('the same request with its key is one request', async () => {
    const [first, second] = await Promise.all([request(amina(), 1_000, 12, 'r1'), request(amina(), 1_000, 12, 'r1')]);
    expect(second.body).toEqual(first.body);
    const { body } = await app.call('GET', '/guarantors/pools/requests?status=open', { as: amina() });
    expect(body.count).toBe(1);
  });

  test('a declined request stays with its reasons and its score', async () => {
    const asked = await request(amina(), 150_000);
    expect(asked.body).toMatchObject({
      message: 'The pool cannot guarantee this now. Read why.',
      request: { state: 'DECLINED', may: [], end: { by: 'rules', words: [] } },
    });
    const { end, reasons } = asked.body.request;
    expect(end.reasons).toEqual(reasons.map(({ text }: { text: string }) => text));
    expect(code(await accept(amina(), asked.body.request))).toEqual([409, 'pool_request_conflict']);
  });
});

describe('signing', () => {
  let asked: { id: string; quote_hash: string };
  beforeEach(async () => {
    asked = (await request(amina(), 5_000)).body.request;
  });

  test('each refusal of a signature', async () => {
    expect(code(await accept(brian(), asked))).toEqual([404, 'not_found']);
    expect(code(await accept(amina(), asked, { quote_hash: 'a'.repeat(64) }))).toEqual([409, 'pool_quote_changed']);
    expect(code(await accept(amina(), asked, { signed_name: 'Brian Mwangi' }))).toEqual([422, 'signature_mismatch']);
    expect(code(await accept(amina(), asked, { accept: false }))).toEqual([400, 'validation_failed']);
    await database.sql`update users set payout_held_until = ${new Date(database.now().getTime() + DAY_MS)} where id = ${amina()}`;
    expect(code(await accept(amina(), asked))).toEqual([409, 'payout_held']);
    await database.sql`update users set payout_held_until = null, phone_confirmed_at = null where id = ${amina()}`;
    expect(code(await accept(amina(), asked))).toEqual([409, 'phone_unconfirmed']);
  });

  test('a code is tried five times, and an older one not at all', async () => {
    const signing = { request: asked.id, quote_hash: asked.quote_hash };
    const sign = (typed: string) =>
      post(amina(), '/guarantors/pools/guarantee-contract', {
        ...signing,
        accept: true,
        signed_name: 'amina  mwangi',
        code: typed,
      });
    expect(code(await sign('0000 0000'))).toEqual([400, 'otp_not_accepted']);
    await post(amina(), '/guarantors/pools/guarantee-contract/code', signing);
    const first = await pools.code(amina());
    for (let tried = 0; tried < 5; tried += 1) expect(code(await sign('0000 0000'))).toEqual([400, 'otp_not_accepted']);
    expect(code(await sign(first))).toEqual([400, 'otp_not_accepted']);
    world.advance(1_000);
    await post(amina(), '/guarantors/pools/guarantee-contract/code', signing);
    expect(code(await sign(first))).toEqual([400, 'otp_not_accepted']);
    expect((await sign(await pools.code(amina()))).status).toBe(201);
  });

  test('a quote that was withdrawn, or is older than 72 hours, is not signed', async () => {
    world.advance(72 * 3_600_000);
    expect(code(await accept(amina(), asked))).toEqual([409, 'pool_request_conflict']);
    await tendPools(database);
    const read = await app.call('GET', `/guarantors/pools/requests/${asked.id}`, { as: amina() });
    expect(read.body).toMatchObject({ state: 'EXPIRED', expires_at: null });
    expect(code(await post(amina(), `/guarantors/pools/requests/${asked.id}/cancellation`))).toEqual([
      409,
      'pool_request_conflict',
    ]);
  });

  test('two signed at once for the last capacity: one gets it', async () => {
    // 60,000 of capacity: 38,550 of it for each of the two.
    await pools.parameters(pool, {
      exposure_multiple: 50,
      max_borrower_share: 10_000,
      auto_limit_cents: 1_000_000_00,
      auto_limit_share: 10_000,
      kink: 9_999,
    });
    await post(amina(), `/guarantors/pools/requests/${asked.id}/cancellation`);
    const both = [amina(), brian()];
    const quotes = await Promise.all(both.map(async (person) => (await request(person, 30_000)).body.request));
    const before = await database.sql`select locked_cents from pools where id = ${pool}`;
    expect(before).toMatchObject([{ locked_cents: 0 }]);
    const signed = await Promise.all(both.map((person, index) => accept(person, quotes[index])));
    const states = signed.map(({ body }) => body.contract?.state ?? body.code).sort();
    expect(states).toEqual(['PENDING_LOAN', 'guarantee_declined']);
    expect(await database.sql`select locked_cents from pools where id = ${pool}`).toMatchObject([
      { locked_cents: 30_000_00 },
    ]);
    await noBreaches();
  });
});

describe('stewards', () => {
  test('above the limit two stewards with money in the pool decide: its creator has none, and decides nothing', async () => {
    const asked = (await request(amina(), 20_000)).body.request;
    expect((await accept(amina(), asked)).body).toMatchObject({ request: { state: 'IN_REVIEW' }, contract: null });
    const waitingFor = async (as: string) => (await app.call('GET', '/guarantors/pools/reviews', { as })).body;
    expect(await waitingFor(esther())).toMatchObject({
      count: 1,
      results: [
        {
          ...{ id: asked.id, borrower: { name: 'Amina Mwangi', position: 20_000 }, voices: { approve: 0, needed: 2 } },
          mine: { position: 20_000, free: 20_000, would_lock: 3_200 },
        },
      ],
    });
    expect((await waitingFor(brian())).count).toBe(0);
    expect(await waitingFor(creator)).toMatchObject({ results: [] });
    const decide = (as: string) =>
      post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision: 'approve', reason: 'We know her.' });
    for (const as of [brian(), creator]) expect(code(await decide(as))).toEqual([404, 'not_found']);
    expect((await decide(esther())).body).toMatchObject({ review: { state: 'IN_REVIEW', my_voice: 'approve' } });
    expect(code(await decide(esther()))).toEqual([409, 'pool_request_conflict']);
    expect((await decide(faith())).body).toMatchObject({ review: { state: 'APPROVED', mine: { would_lock: null } } });
  });

  test('read the name before beside the one of now, for 90 days', async () => {
    await database.owner`update users set first_name = 'Asha', updated_at = ${database.now()} where id = ${amina()}`;
    await pools.seen(amina(), operator);
    await accept(amina(), (await request(amina(), 20_000)).body.request);
    const former = async () => {
      const { body } = await app.call('GET', '/guarantors/pools/reviews', { as: esther() });
      return body.results[0].borrower;
    };
    expect(await former()).toMatchObject({ name: 'Asha Mwangi', former_name: { name: 'Amina Mwangi' } });
  });

  test('a steward whose money is all under notice decides nothing, and with fewer than two others the pool guarantees small sums alone', async () => {
    const waiting = (await request(amina(), 20_000)).body.request;
    await accept(amina(), waiting);
    const details = async (as: string) => (await app.call('GET', `/guarantors/pools/${pool}/details`, { as })).body;
    const before = await details(esther());
    expect(before).toMatchObject({ deciders_count: 2, stewards_count: 3 });
    expect(before.stewards.filter(({ decides }: { decides: boolean }) => decides)).toHaveLength(2);
    expect(before.stewards).toContainEqual(expect.objectContaining({ first_name: 'Wanjiru', decides: false }));
    await post(esther(), '/guarantors/pools/withdraw', { pool, amount: 20_000 });
    const decision = { decision: 'approve', reason: 'We know her.' };
    expect(code(await post(esther(), `/guarantors/pools/requests/${waiting.id}/decision`, decision))).toEqual([
      404,
      'not_found',
    ]);
    expect(await details(esther())).toMatchObject({ deciders_count: 1, stewards_count: 3 });
    expect((await details(esther())).may).not.toContain('suspend');
    expect(await reasons(brian(), 20_000)).toContain('conflict');
    expect(await reasons(brian(), 1_000)).toEqual([]);
    // The last one, too: then nobody decides, and nothing is guaranteed.
    await post(faith(), '/guarantors/pools/withdraw', { pool, amount: 20_000 });
    expect(await reasons(brian(), 1_000)).toEqual(['conflict']);
    expect((await details(brian())).may).not.toContain('request_guarantee');
  });

  test('the database keeps it: no voice without own money, no guarantee above the limit with one voice', async () => {
    const asked = (await request(amina(), 20_000)).body.request;
    await accept(amina(), asked);
    const [{ state_at: since } = { state_at: null }] = await database.sql<{ state_at: Date }[]>`
      select state_at from pool_requests where id = ${asked.id}`;
    const say = (as: string) => database.sql`
      insert into pool_voices (pool_id, matter, about_id, since, steward_id, voice, reason, at)
      values (${pool}, 'request', ${asked.id}, ${since}, ${as}, 'approve', 'Known', ${database.now()})`;
    await expect(say(creator)).rejects.toThrow('has money in it that is not under notice');
    await say(esther());
    const approve = () =>
      database.transaction(async (tx) => {
        const locked = await lockRequest(tx, asked.id);
        return approveGuarantee(tx, { ...locked, approvedBy: esther() });
      });
    await expect(approve()).rejects.toThrow('Two stewards approve');
    await say(faith());
    await approve();
  });

  test('read what of their own money a yes would lock, and that is what it locks', async () => {
    await stewardsAre(brian(), esther());
    const own = async () =>
      (
        await database.sql`
          select position_cents::int as position, locked_cents::int as locked from pool_members
          where pool_id = ${pool} and user_id = ${brian()}`
      )[0];
    // A steward asks only where enough others are left to decide about it.
    const mayAsk = async () =>
      (await app.call('GET', `/guarantors/pools/${pool}/details`, { as: brian() })).body.may.includes(
        'request_guarantee',
      );
    expect(await mayAsk()).toBe(false);
    await stewardsAre(brian(), esther(), faith());
    expect(await mayAsk()).toBe(true);
    await stewardsAre(brian(), esther());
    const asked = (await request(amina(), 20_000)).body.request;
    await accept(amina(), asked);
    const [{ mine }] = (await app.call('GET', '/guarantors/pools/reviews', { as: brian() })).body.results;
    const before = await own();
    expect(mine.position * 100).toBe(before?.position);
    expect(mine.free * 100).toBe(before?.position - before?.locked);
    expect(mine.would_lock).toBeGreaterThan(0);
    // The money of a steward who came in after the request stays free where the rest is enough.
    const joinedAfter = (people: readonly string[]) => database.sql`
      update pool_members set joined_at = case when user_id = any (${people}::uuid[]) then ${database.now()} else '2020-01-01' end
      where pool_id = ${pool}`;
    const wouldLock = async () =>
      (await app.call('GET', '/guarantors/pools/reviews', { as: brian() })).body.results[0].mine.would_lock;
    await joinedAfter([brian()]);
    expect(await wouldLock()).toBe(0);
    await joinedAfter(members);
    expect(await wouldLock()).toBe(mine.would_lock);
    await joinedAfter([]);
    const yes = { decision: 'approve', reason: 'We know her.' };
    await post(brian(), `/guarantors/pools/requests/${asked.id}/decision`, yes);
    const { review } = (await post(esther(), `/guarantors/pools/requests/${asked.id}/decision`, yes)).body;
    expect(review).toMatchObject({ state: 'APPROVED', mine: { would_lock: null } });
    // To a cent: what cannot be divided goes to some.
    expect(Math.abs((await own())?.locked - before?.locked - mine.would_lock * 100)).toBeLessThanOrEqual(1);
  });

  test('of three stewards two decide, and none about their own', async () => {
    await stewardsAre(amina(), brian(), esther());
    // A steward's own small request goes to the others, too.
    const asked = (await request(amina(), 1_000)).body.request;
    expect((await accept(amina(), asked)).body.request.state).toBe('IN_REVIEW');
    const decide = (as: string) =>
      post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision: 'approve', reason: 'Known to us' });
    expect(code(await decide(amina()))).toEqual([403, 'not_allowed']);
    expect((await decide(esther())).body.review).toMatchObject({
      state: 'IN_REVIEW',
      voices: { approve: 1, needed: 2 },
    });
    related = new Set([amina(), brian()]);
    expect(code(await decide(brian()))).toEqual([403, 'not_allowed']);
    // Two have to decide, and only one of the three could: said at the quote, before anything is signed.
    expect(await reasons(amina(), 900)).toEqual(['conflict', 'undrawn']);
    related = new Set();
    // Two accounts of one person agree once.
    await pools.people.onePhone(esther(), brian());
    expect((await decide(brian())).body).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('look like one person’s'),
    });
    expect(await reasons(amina(), 900)).toEqual(['conflict', 'undrawn']);
    await database.owner`delete from referral_traces where user_id = ${brian()}`;
    expect((await decide(brian())).body.review.state).toBe('APPROVED');
  });

  test('where one of three is related to the borrower both others have to agree: one no of theirs ends it', async () => {
    const carol = members[2] as string;
    await stewardsAre(brian(), carol, esther());
    related = new Set([amina(), carol]);
    const asked = (await request(amina(), 20_000)).body.request;
    await accept(amina(), asked);
    // Carol is not told, and does not see it as hers to decide.
    const told = await database.sql<{ user_id: string }[]>`
      select user_id from notifications where template = 'pool_review' and user_id = any (${[esther(), brian(), carol]}::uuid[])`;
    expect(new Set(told.map(({ user_id }) => user_id))).toEqual(new Set([esther(), brian()]));
    const toDecide = async (as: string) =>
      (await app.call('GET', '/guarantors/pools/reviews', { as })).body.results.map(({ id }: { id: string }) => id);
    expect([await toDecide(esther()), await toDecide(brian()), await toDecide(carol)]).toEqual([
      [asked.id],
      [asked.id],
      [],
    ]);
    // Two are left and both have to agree: to the borrower it waits for the stewards.
    const page = await app.call('GET', `/guarantors/pools/requests/${asked.id}`, { as: amina() });
    expect(page.body.state).toBe('IN_REVIEW');
    const decide = async (as: string, decision: string) =>
      (await post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision, reason: 'As we see it' })).body;
    expect(await decide(carol, 'decline')).toMatchObject({ code: 'not_allowed' });
    expect((await decide(esther(), 'approve')).review.state).toBe('IN_REVIEW');
    expect((await decide(brian(), 'decline')).review.state).toBe('DECLINED');
  });

  test('where two of three are one person’s accounts, the no of the third ends it: nobody is left to agree beside them', async () => {
    const carol = members[2] as string;
    await stewardsAre(brian(), carol, esther());
    await pools.people.onePhone(brian(), carol);
    const decided = async (voices: readonly (readonly [string, string])[]) => {
      const asked = (await request(amina(), 20_000)).body.request;
      await accept(amina(), asked);
      const states: string[] = [];
      for (const [as, decision] of voices) {
        const given = { decision, reason: 'As we see it' };
        states.push((await post(as, `/guarantors/pools/requests/${asked.id}/decision`, given)).body.review.state);
      }
      return states;
    };
    expect(await decided([[esther(), 'decline']])).toEqual(['DECLINED']);
    expect(
      await decided([
        [brian(), 'approve'],
        [esther(), 'decline'],
      ]),
    ).toEqual(['IN_REVIEW', 'DECLINED']);
    expect(
      await decided([
        [brian(), 'decline'],
        [esther(), 'approve'],
        [carol, 'approve'],
      ]),
    ).toEqual(['IN_REVIEW', 'IN_REVIEW', 'APPROVED']);
  });

  test('a quote that said that they decide is not signed once too few of them may, though now the rules alone would approve it', async () => {
    const asked = (await request(amina(), 20_000)).body.request;
    expect(asked).toMatchObject({ state: 'QUOTED', is_automatic: false });
    await pools.parameters(pool, { auto_limit_cents: 1_000_000_00, auto_limit_share: 10_000 });
    related = new Set([amina(), esther()]);
    expect((await quote(amina(), 20_000)).body.is_automatic).toBe(true);
    const signing = { request: asked.id, quote_hash: asked.quote_hash };
    expect((await post(amina(), '/guarantors/pools/guarantee-contract/code', signing)).body).toMatchObject({
      code: 'guarantee_declined',
      reasons: ['conflict'],
    });
  });

  test('two of three decline: the borrower is told, and reads who, when and why: for 90 days in the list, later on its page', async () => {
    await stewardsAre(brian(), members[2] as string, esther());
    const asked = (await request(amina(), 20_000)).body.request;
    await accept(amina(), asked);
    const decide = (as: string, decision: string, reason: string) =>
      post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision, reason });
    await decide(esther(), 'decline', 'The shop was closed for a year.');
    world.advance(1_000);
    const at = database.now().toISOString();
    expect((await decide(brian(), 'decline', 'Too large for now')).body.review.state).toBe('DECLINED');
    const end = { by: 'stewards', at, reasons: [], words: ['The shop was closed for a year.', 'Too large for now'] };
    const recent = async () =>
      (await app.call('GET', '/guarantors/pools/requests?status=recent', { as: amina() })).body.results;
    expect(await recent()).toMatchObject([{ id: asked.id, state: 'DECLINED', end }]);
    const [told] = await database.sql<{ text: string }[]>`
      select text from notifications where user_id = ${amina()} and template = 'pool_declined_guarantee'`;
    expect(told?.text).toMatch(
      /declined your request for a guarantee of Ksh\.\s20,000\.00\. Ask another pool, or members as guarantors\. The reason: “The shop was closed for a year\.” “Too large for now”$/,
    );
    world.advance(90 * DAY_MS);
    expect(await recent()).toEqual([]);
    const page = await app.call('GET', `/guarantors/pools/requests/${asked.id}`, { as: amina() });
    expect(page.body).toMatchObject({ state: 'DECLINED', end });
  });

  test('a steward suspends at once, and what was not decided in 72 hours is over', async () => {
    const state = (as: string, act: string) =>
      post(as, `/guarantors/pools/${pool}/state`, { act, reason: 'Fraud seen' });
    const asked = (await request(amina(), 20_000)).body.request;
    await accept(amina(), asked);
    expect(code(await state(brian(), 'suspend'))).toEqual([403, 'not_allowed']);
    expect((await state(esther(), 'suspend')).body.pool.state).toBe('SUSPENDED');
    expect(code(await state(esther(), 'suspend'))).toEqual([409, 'pool_state_conflict']);
    const yes = (as: string) =>
      post(as, `/guarantors/pools/requests/${asked.id}/decision`, { decision: 'approve', reason: 'Known' });
    await yes(esther());
    expect(code(await yes(faith()))).toEqual([422, 'guarantee_declined']);
    expect((await state(esther(), 'reopen')).body.pool.state).toBe('SUSPENDED');
    expect((await state(faith(), 'reopen')).body.pool.state).toBe('OPEN');
    world.advance(72 * 3_600_000);
    await tendPools(database);
    expect((await app.call('GET', `/guarantors/pools/requests/${asked.id}`, { as: amina() })).body).toMatchObject({
      state: 'EXPIRED',
      end: { by: 'nobody' },
    });
  });

  test('what one steward suspends is open again 30 days later, pays out whoever leaves meanwhile, and is not suspended by them again', async () => {
    const suspend = async (as: string) =>
      code(await post(as, `/guarantors/pools/${pool}/state`, { act: 'suspend', reason: 'I do not like it' }));
    const stateNow = async () =>
      (await app.call('GET', `/guarantors/pools/${pool}/details`, { as: amina() })).body.state;
    expect(await suspend(esther())).toEqual([200, undefined]);
    expect((await post(amina(), '/guarantors/pools/withdraw', { pool, amount: 20_000 })).status).toBe(201);
    world.advance(29 * DAY_MS);
    await tendPools(database);
    expect(await stateNow()).toBe('SUSPENDED');
    world.advance(DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect(await wallet(amina())).toBe(100_000_00);
    await Promise.all([tendPools(database), tendPools(database)]);
    expect(await stateNow()).toBe('OPEN');
    expect(await suspend(esther())).toEqual([409, 'pool_state_conflict']);
    expect(await suspend(faith())).toEqual([200, undefined]);
  });

  test('only an open pool takes on a loan: it is not signed for, and no application names what is approved', async () => {
    const asked = (await request(amina(), 1_000)).body.request;
    const approved = (await request(brian(), 1_000)).body.request;
    await accept(brian(), approved);
    for (const state of ['SUSPENDED', 'CLOSING']) {
      await database.sql`update pools set state = ${state} where id = ${pool}`;
      expect((await accept(amina(), asked)).body).toMatchObject({
        code: 'guarantee_declined',
        reasons: ['pool_not_open'],
      });
      const named = { requestId: approved.id, userId: brian(), loanId: database.newId(), saccoId: sacco, months: 12 };
      await expect(
        database.transaction((tx) => attachGuarantee(tx, { ...named, principal: 10_000_00 })),
      ).rejects.toMatchObject({ code: 'pool_request_conflict' });
    }
  });

  test('a closing pool pays everybody out, shares its reserve, and is closed', async () => {
    await pools.reserve(pool, 600_01);
    expect(code(await close(creator))).toEqual([403, 'not_allowed']);
    await close(esther());
    const closed = await close(faith());
    expect(closed.body.pool).toMatchObject({ state: 'CLOSED', pool_size: 0, reserve: 0, members_count: 0 });
    expect(await Promise.all(members.map(wallet))).toEqual([
      100_100_01, 100_100_00, 100_100_00, 100_100_00, 100_100_00, 100_100_00,
    ]);
    await noBreaches();
  });

  test('a closing pool shares its reserve by the fees that each has earned: money that came late brings its owner none', async () => {
    const { loan } = await running();
    world.advance(200 * DAY_MS);
    await earnFees(database);
    // A friend of a steward puts in ten times as much as all others, and waits a month.
    await pools.pay(creator, 900_000_00);
    await pools.join(pool, creator, 900_000_00);
    world.advance(32 * DAY_MS);
    await earnFees(database);
    await database.transaction(async (tx) =>
      postJournals(tx, await releaseGuarantees(tx, [{ loanId: loan, principalOut: 0, principalAtStart: 10_000_00 }])),
    );
    const [{ reserve_cents: reserve } = { reserve_cents: 0 }] = await database.sql<{ reserve_cents: number }[]>`
      select reserve_cents from pools where id = ${pool}`;
    expect(reserve).toBeGreaterThan(0);
    const positions = new Map(
      (
        await database.sql<{ user_id: string; cents: number }[]>`
          select user_id, position_cents as cents from pool_members where pool_id = ${pool}`
      ).map(({ user_id, cents }) => [user_id, cents]),
    );
    const people = [...members, creator];
    const before = (await Promise.all(people.map(wallet))) as number[];
    await close(esther());
    expect((await close(faith())).body.pool).toMatchObject({ state: 'CLOSED', reserve: 0 });
    const after = (await Promise.all(people.map(wallet))) as number[];
    const parts = people.map((id, at) => Number(after[at]) - Number(before[at]) - (positions.get(id) ?? 0));
    expect(parts.reduce((sum, part) => sum + part)).toBe(reserve);
    const [borrower, ...others] = parts;
    // Amina paid the fees, and the friend came late; the five others had locks of about one size.
    expect([borrower, others.pop()]).toEqual([0, 0]);
    for (const part of others) expect(Math.abs(part - reserve / 5)).toBeLessThan(5);
    await noBreaches();
  });

  test('whoever puts money in before a pool closes has no more of its reserve; requests that wait end, and are told', async () => {
    world.advance(31 * DAY_MS);
    await pools.reserve(pool, 600_00);
    await pools.pay(creator, 100_000_00);
    await pools.join(pool, creator, 100_000_00);
    const asked = await request(amina(), 5_000);
    expect(asked.body.request.state).toBe('QUOTED');
    const before = Number(await wallet(creator));
    await close(esther());
    expect((await close(creator)).status).toBe(200);
    expect(Number(await wallet(creator)) - before).toBe(100_000_00);
    expect(await Promise.all(members.map(wallet))).toEqual(members.map(() => 100_100_00));
    const [told] = await database.sql`
      select r.state, n.template from pool_requests r join notifications n on n.user_id = r.user_id
      where r.id = ${asked.body.request.id} and n.template = 'pool_closing'`;
    expect(told).toEqual({ state: 'DECLINED', template: 'pool_closing' });
    await noBreaches();
  });
});

describe('the life of a guarantee', () => {
  test('without a loan in 14 days it is released, and no fee was taken', async () => {
    const asked = (await request(amina(), 5_000)).body.request;
    const signed = (await accept(amina(), asked)).body.contract;
    world.advance(14 * DAY_MS);
    await Promise.all([tendPools(database), tendPools(database)]);
    const { body } = await app.call('GET', `/guarantors/pools/contracts/${signed.id}`, { as: amina() });
    expect(body).toMatchObject({ state: 'RELEASED', outstanding: 0, my_lock: 0, use_by: null });
    expect(await wallet(amina())).toBe(80_000_00);
    await noBreaches();
  });

  test('given back before a loan used it, all locks are free at once, no fee is taken, and both sides are told', async () => {
    const signed = (await accept(amina(), (await request(amina(), 5_000)).body.request)).body.contract;
    expect(signed.may).toEqual(['give_back']);
    const [others, stranger] = [brian(), await pools.rich('Juma', 0)];
    for (const person of [others, stranger, esther()]) {
      expect(code(await giveBack(person, signed.id))).toEqual([404, 'not_found']);
    }
    world.advance(1_000);
    const back = await giveBack(amina(), signed.id);
    expect(back.body).toMatchObject({
      success: true,
      contract: { state: 'RELEASED', outstanding: 0, my_lock: 0, use_by: null, may: [], ask_again_at: null },
    });
    expect(back.body.contract.timeline.map(({ event }: { event: string }) => event)).toEqual([
      'approved',
      'given_back',
      'released',
    ]);
    expect(await database.sql`select locked_cents, guarantees_count from pools where id = ${pool}`).toMatchObject([
      { locked_cents: 0, guarantees_count: 0 },
    ]);
    expect(await wallet(amina())).toBe(80_000_00);
    const told = await database.sql<{ user_id: string }[]>`
      select user_id from notifications where template = 'pool_guarantee_given_back' and user_id = any (${[...members, creator]}::uuid[])`;
    expect(told.map(({ user_id }) => user_id).sort()).toEqual([amina(), esther(), faith()].sort());
    expect(code(await giveBack(amina(), signed.id))).toEqual([409, 'pool_contract_conflict']);
    await noBreaches();
  });

  test('given back twice at once it is released once', async () => {
    const signed = (await accept(amina(), (await request(amina(), 5_000)).body.request)).body.contract;
    const both = await Promise.all([giveBack(amina(), signed.id), giveBack(amina(), signed.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await noBreaches();
  });

  test('once its loan is paid out it is not given back', async () => {
    const { contract } = await running();
    expect(code(await giveBack(amina(), contract))).toEqual([409, 'pool_contract_conflict']);
    const read = await app.call('GET', `/guarantors/pools/contracts/${contract}`, { as: amina() });
    expect(read.body).toMatchObject({ may: [], ask_again_at: null });
  });

  test('given back while its loan is paid out, one of both happens', async () => {
    const asked = (await request(amina(), 5_000)).body.request;
    const signed = (await accept(amina(), asked)).body.contract;
    const loan = database.newId();
    const attached = { requestId: asked.id, loanId: loan, saccoId: sacco, principal: 10_000_00, months: 12 };
    await database.transaction((tx) => attachGuarantee(tx, { ...attached, userId: amina() }));
    application = loan;
    await pools.lent(sacco, loan, amina(), 10_000_00);
    const [back, paid] = await Promise.all([
      giveBack(amina(), signed.id),
      database.transaction(async (tx) => {
        const journal = await activateGuarantee(tx, { loanId: loan, saccoId: sacco, principal: 10_000_00 });
        await postJournals(tx, journal ? [journal] : []);
        return journal !== null;
      }),
    ]);
    const [{ state, fee_cents } = { state: '', fee_cents: 0 }] = await database.sql<
      { state: string; fee_cents: number }[]
    >`select state, fee_cents from pool_contracts where id = ${signed.id}`;
    expect([back.status, paid, state]).toEqual(paid ? [409, true, 'ACTIVE'] : [200, false, 'RELEASED']);
    expect(await wallet(amina())).toBe(90_000_00 - (paid ? fee_cents : 0));
    await noBreaches();
  });

  test('an application that comes to nothing frees it at once', async () => {
    const asked = (await request(amina(), 5_000)).body.request;
    await accept(amina(), asked);
    const loan = database.newId();
    const attached = {
      requestId: asked.id,
      userId: amina(),
      loanId: loan,
      saccoId: sacco,
      principal: 10_000_00,
      months: 12,
    };
    await expect(database.transaction((tx) => attachGuarantee(tx, { ...attached, months: 11 }))).rejects.toMatchObject({
      code: 'pool_request_conflict',
    });
    await expect(
      database.transaction((tx) => attachGuarantee(tx, { ...attached, principal: 6_000_00 })),
    ).rejects.toMatchObject({ code: 'pool_request_conflict' });
    await expect(
      database.transaction((tx) => attachGuarantee(tx, { ...attached, userId: brian() })),
    ).rejects.toMatchObject({ code: 'not_found' });
    await database.transaction((tx) => attachGuarantee(tx, attached));
    await database.transaction((tx) => closeGuarantee(tx, { loanId: loan }));
    expect(
      await database.sql`select state, outstanding_cents from pool_contracts where request_id = ${asked.id}`,
    ).toMatchObject([{ state: 'RELEASED', outstanding_cents: 0 }]);
    await noBreaches();
  });

  test('paid off early, what of the fee is not earned comes back', async () => {
    const { loan, contract } = await running();
    const [row] = await database.sql<
      { fee_cents: number }[]
    >`select fee_cents from pool_contracts where id = ${contract}`;
    const before = (await wallet(amina())) ?? 0;
    world.setNow(monthAfter(database.now(), 3));
    await database.transaction(async (tx) =>
      postJournals(tx, await releaseGuarantees(tx, [{ loanId: loan, principalOut: 0, principalAtStart: 10_000_00 }])),
    );
    const [after] = await database.sql<Record<string, number>[]>`
      select state, fee_earned_cents, fee_refunded_cents, months_earned from pool_contracts where id = ${contract}`;
    expect(after).toMatchObject({ state: 'RELEASED', months_earned: 3 });
    expect((after?.fee_earned_cents ?? 0) + (after?.fee_refunded_cents ?? 0)).toBe(row?.fee_cents);
    expect(await wallet(amina())).toBe(before + (after?.fee_refunded_cents ?? 0));
    await noBreaches();
  });

  test('a borrower who is late takes nothing out, however early the notice was given', async () => {
    const { loan } = await running();
    await post(amina(), '/guarantors/pools/withdraw', { pool, amount: 15_000 });
    histories.set(amina(), { ...GOOD, daysPastDue: 1 });
    world.advance(31 * DAY_MS);
    const before = await wallet(amina());
    await payWithdrawals(database, needs.historiesOf);
    expect(await wallet(amina())).toBe(before);
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    world.advance(30 * DAY_MS);
    const called = await database.transaction(async (tx) => {
      const one = await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null });
      await postJournals(tx, one.journals);
      return one;
    });
    // All of it from her own position: 5,000 of it was not under notice.
    expect(called).toMatchObject({ paid: 5_000_00, claim: 0 });
    expect(await database.sql`select state from pool_contracts where loan_id = ${loan}`).toMatchObject([
      { state: 'SETTLED' },
    ]);
    await noBreaches();
  });

  test('money under notice is taken by a call too: the notice shrinks', async () => {
    const { loan } = await running(5_000);
    // All but the 1,000 that backs her own guarantee.
    await post(amina(), '/guarantors/pools/withdraw', { pool, amount: 18_000 });
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    world.advance(14 * DAY_MS);
    await database.transaction(async (tx) =>
      postJournals(tx, (await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null })).journals),
    );
    const { body } = await app.call('GET', `/guarantors/pools/withdrawals?pool=${pool}`, { as: amina() });
    expect(body.results).toMatchObject([{ amount: 15_000, state: 'waiting' }]);
    await noBreaches();
  });

  /** A guarantee of 40,000 for Amina, which leaves room to take out 4,000; its loan. */
  async function large(): Promise<string> {
    await pools.parameters(pool, {
      exposure_multiple: 50,
      max_borrower_share: 10_000,
      auto_limit_cents: 1_000_000_00,
      auto_limit_share: 10_000,
      kink: 9_999,
    });
    return (await running(40_000, 50_000_00)).loan;
  }
  const states = async () =>
    (
      await database.sql<{ state: string }[]>`
        select state from pool_withdrawals where pool_id = ${pool} order by id`
    ).map(({ state }) => state);

  test('notices of a borrower who is late are passed over, however many they are: others are paid', async () => {
    await running();
    for (let given = 0; given < 200; given += 1) {
      await database.transaction((tx) => withdrawFromPool(tx, { userId: amina() }, { poolId: pool, amount: 10_00 }));
    }
    world.advance(1_000);
    await post(members[2] ?? '', '/guarantors/pools/withdraw', { pool, amount: 5_000 });
    histories.set(amina(), { ...GOOD, daysPastDue: 1 });
    world.advance(31 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect(await wallet(members[2] ?? '')).toBe(80_000_00 + 5_000_00);
    expect((await states()).filter((state) => state === 'paid')).toHaveLength(1);
    histories.set(amina(), GOOD);
    await payWithdrawals(database, needs.historiesOf);
    expect(new Set(await states())).toEqual(new Set(['paid']));
    await noBreaches();
  });

  test('a borrower who is late does not hold up the queue: whose notice fits goes before theirs', async () => {
    const loan = await large();
    const give = async (person: string, amount: number) => {
      world.advance(1_000);
      return (await post(person, '/guarantors/pools/withdraw', { pool, amount })).status;
    };
    await give(amina(), 5_000);
    await give(members[3] ?? '', 5_000);
    world.advance(31 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect(await states()).toEqual(['queued', 'queued']);
    await database.transaction(async (tx) =>
      postJournals(
        tx,
        await releaseGuarantees(tx, [{ loanId: loan, principalOut: 10_000_00, principalAtStart: 50_000_00 }]),
      ),
    );
    histories.set(amina(), { ...GOOD, daysPastDue: 1 });
    await payWithdrawals(database, needs.historiesOf);
    expect(await states()).toEqual(['queued', 'paid']);
    await noBreaches();
  });

  test('a large notice that does not fit holds up nobody: a small one that fits is paid when it is due', async () => {
    await large();
    const give = async (person: string, amount: number) => {
      world.advance(1_000);
      return (await post(person, '/guarantors/pools/withdraw', { pool, amount })).body.withdrawal;
    };
    await give(members[2] ?? '', 10_000);
    const small = await give(members[3] ?? '', 1_000);
    expect(small).toMatchObject({ state: 'waiting', ahead: 0, estimated_on: expect.any(String) });
    expect(await states()).toEqual(['queued', 'given']);
    world.advance(31 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect(await states()).toEqual(['queued', 'paid']);
    await noBreaches();
  });

  test('a notice that the guarantees do not allow waits in the queue, and of equal ones the first comes first', async () => {
    const loan = await large();
    const give = async (person: string) => {
      world.advance(1_000);
      return (await post(person, '/guarantors/pools/withdraw', { pool, amount: 10_000 })).body.withdrawal;
    };
    const [first, second, third] = [
      await give(members[2] ?? ''),
      await give(members[3] ?? ''),
      await give(members[4] ?? ''),
    ];
    expect([first.ahead, second.ahead, third.ahead]).toEqual([0, 1, 2]);
    expect(third.estimated_on > first.estimated_on).toBe(true);
    world.advance(31 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    expect((await states()).at(-1)).toBe('queued');
    await noBreaches();
    await database.transaction(async (tx) =>
      postJournals(
        tx,
        await releaseGuarantees(tx, [{ loanId: loan, principalOut: 10_000_00, principalAtStart: 50_000_00 }]),
      ),
    );
    await payWithdrawals(database, needs.historiesOf);
    expect(await states()).toEqual(['paid', 'paid', 'paid']);
    await noBreaches();
  });

  test('what comes back to a closed pool for its reserve goes to those who lost, by what each lost', async () => {
    await pools.reserve(pool, 1_000_00);
    const { loan, contract } = await running();
    // All but what backs her own guarantee.
    await post(amina(), '/guarantors/pools/withdraw', { pool, amount: 19_000 });
    world.advance(30 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    world.advance(14 * DAY_MS);
    await database.transaction(async (tx) =>
      postJournals(tx, (await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null })).journals),
    );
    const [called] = await database.sql`select * from pool_contracts where id = ${contract}`;
    expect(called?.reserve_paid_cents).toBeGreaterThan(0);
    await close(esther());
    await close(faith());
    expect(await database.sql`select state from pools where id = ${pool}`).toMatchObject([{ state: 'CLOSED' }]);
    const before = await Promise.all(members.slice(1).map(wallet));
    const back = { amount: called?.claim_cents / 100 };
    expect((await post(amina(), `/guarantors/pools/contracts/${contract}/repayments`, back)).status).toBe(200);
    const after = await Promise.all(members.slice(1).map(wallet));
    const got = after.map((cents, index) => (cents ?? 0) - (before[index] ?? 0));
    expect(got.reduce((sum, cents) => sum + cents, 0)).toBe(called?.claim_cents);
    expect(Math.max(...got) - Math.min(...got)).toBeLessThanOrEqual(2);
    const [reserve] = await balances(database, [{ book: PLATFORM_BOOK, kind: 'pool_reserve', owner: pool }]);
    expect(reserve).toBe(0);
    await noBreaches();
  });

  test('a dispute stops the call until the supervisory committee has decided', async () => {
    const { loan, contract } = await running();
    const dispute = (as: string) =>
      post(as, `/guarantors/pools/contracts/${contract}/dispute`, { reason: 'Her savings were not applied.' });
    expect(code(await dispute(esther()))).toEqual([409, 'pool_contract_conflict']);
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    expect(code(await dispute(brian()))).toEqual([404, 'not_found']);
    expect((await dispute(esther())).body.contract).toMatchObject({ state: 'DISPUTED', may: [] });
    world.advance(30 * DAY_MS);
    const call = () =>
      database.transaction(async (tx) =>
        postJournals(tx, (await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null })).journals),
      );
    await expect(call()).rejects.toMatchObject({ code: 'pool_contract_conflict' });
    const judge = await pools.rich('Chika', 0);
    await pools.people.official(sacco, judge, 'supervisory_committee' as 'chair');
    await pools.people.official(sacco, brian(), 'supervisory_committee' as 'chair');
    const decide = (as: string, decision: string) =>
      post(
        as,
        `/sacco/pool-disputes/${contract}/decision`,
        { decision, reason: 'We looked at the books.' },
        undefined,
        sacco,
      );
    const waiting = await app.call('GET', '/sacco/pool-disputes', { as: judge, sacco });
    expect(waiting.body).toMatchObject({
      count: 1,
      results: [{ reason: 'Her savings were not applied.', contract: { id: contract } }],
    });
    // Brian's own money backs it.
    expect(code(await decide(brian(), 'taken_back'))).toEqual([403, 'not_allowed']);
    expect((await decide(judge, 'stands')).body.contract.state).toBe('CALLED');
    expect(code(await decide(judge, 'stands'))).toEqual([409, 'pool_contract_conflict']);
    await call();
    await noBreaches();
  });

  test('a dispute that the supervisory committee does not decide within 14 days ends: the demand stands', async () => {
    const { loan, contract } = await running();
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    await post(esther(), `/guarantors/pools/contracts/${contract}/dispute`, {
      reason: 'Her savings were not applied.',
    });
    const read = async () => (await app.call('GET', `/guarantors/pools/contracts/${contract}`, { as: esther() })).body;
    world.advance(13 * DAY_MS);
    await tendPools(database);
    expect((await read()).state).toBe('DISPUTED');
    world.advance(DAY_MS);
    await tendPools(database);
    expect((await read()).state).toBe('CALLED');
    await database.transaction(async (tx) =>
      postJournals(tx, (await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null })).journals),
    );
    await noBreaches();
  });

  test('a contract whose fee cannot be earned stops no other one', async () => {
    const bad = await running();
    const asked = (await request(brian(), 2_000)).body.request;
    const { body } = await accept(brian(), asked);
    const loan = database.newId();
    await database.transaction((tx) =>
      attachGuarantee(tx, {
        requestId: asked.id,
        userId: brian(),
        loanId: loan,
        saccoId: sacco,
        principal: 4_000_00,
        months: 12,
      }),
    );
    await pools.lent(sacco, loan, brian(), 4_000_00);
    await database.transaction(async (tx) => {
      const journal = await activateGuarantee(tx, { loanId: loan, saccoId: sacco, principal: 4_000_00 });
      await postJournals(tx, journal ? [journal] : []);
    });
    // Damage that no code foresees.
    await database.owner.unsafe(`
      create function no_month() returns trigger language plpgsql as $$ begin raise exception 'damaged'; end $$;
      create trigger no_month before update on pool_contracts for each row when (old.id = '${bad.contract}')
        execute function no_month();`);
    world.advance(32 * DAY_MS);
    await expect(earnFees(database)).rejects.toThrow('damaged');
    const [earned] = await database.sql`select months_earned from pool_contracts where id = ${body.contract.id}`;
    expect(earned).toMatchObject({ months_earned: 1 });
    await database.owner.unsafe('drop trigger no_month on pool_contracts; drop function no_month();');
    await earnFees(database);
    await noBreaches();
  });

  test('the borrower pays back, and a claim is written off after two years and not before', async () => {
    const { loan, contract } = await running();
    await post(amina(), '/guarantors/pools/withdraw', { pool, amount: 19_000 });
    world.advance(30 * DAY_MS);
    await payWithdrawals(database, needs.historiesOf);
    await database.transaction((tx) => demandGuarantee(tx, { loanId: loan, daysPastDue: 60 }));
    world.advance(30 * DAY_MS);
    await database.transaction(async (tx) =>
      postJournals(tx, (await callGuarantee(tx, { loanId: loan, shortfall: 5_000_00, causedBy: null })).journals),
    );
    const back = (amount: number, key?: string) =>
      post(amina(), `/guarantors/pools/contracts/${contract}/repayments`, { amount }, key);
    expect(code(await back(4_000.01))).toEqual([422, 'pool_amount_not_allowed']);
    const [one, again] = await Promise.all([back(1_000, 'b1'), back(1_000, 'b1')]);
    expect([one.status, again.body]).toEqual([200, one.body]);
    const writeOff = (as: string) =>
      post(as, `/guarantors/pools/contracts/${contract}/write-off`, { reason: 'Nothing came.' });
    expect(code(await writeOff(esther()))).toEqual([409, 'pool_contract_conflict']);
    expect(code(await writeOff(brian()))).toEqual([404, 'not_found']);
    world.advance(2 * 365 * DAY_MS);
    // Where members could vote they decide, on an amount and a day; its borrower drafts no vote.
    for (const each of members.slice(2)) await pools.seen(each, operator);
    expect(code(await writeOff(esther()))).toEqual([409, 'change_conflict']);
    const payload = { pool, contract };
    const byVote = database.transaction(async (tx) => {
      const about = { saccoId: sacco, proposedBy: brian(), proposalId: tx.newId() };
      const { current, refusalOf, apply } = poolWriteOffChange;
      expect(await current(tx, about, payload)).toMatchObject({ ...payload, amount: 4_000 });
      expect(await refusalOf(tx, about, payload)).toBeNull();
      expect((await refusalOf(tx, { ...about, proposedBy: amina() }, payload))?.code).toBe('change_conflict');
      await apply(tx, about, payload);
      expect(await current(tx, about, payload)).toEqual({});
      throw new Error('Taken back.');
    });
    await expect(byVote).rejects.toThrow('Taken back.');
    await database.owner`delete from identity_checks where user_id = any (${members.slice(2)}::uuid[])`;
    await writeOff(faith());
    expect((await writeOff(esther())).body.contract).toMatchObject({
      state: 'WRITTEN_OFF',
      paid: 5_000,
      claim: 4_000,
      recovered: 1_000,
    });
    expect((await back(3_000)).status).toBe(200);
    const { body } = await app.call('GET', `/guarantors/pools/contracts/${contract}`, { as: amina() });
    expect(body).toMatchObject({ state: 'RECOVERED', claim: 4_000, recovered: 4_000 });
    expect(code(await back(1))).toEqual([409, 'pool_contract_conflict']);
    await noBreaches();
  });
});
