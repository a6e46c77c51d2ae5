import { marketContract } from '@ushirika/contract/market';
import { saccoChangesContract } from '@ushirika/contract/sacco-changes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { standings } from '../membership/standings.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesRoutes } from '../saccos/changes.routes.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { marketTermsChange } from './change-market-terms.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketRoutes } from './market.routes.ts';
import { createMarketHub, type MarketHub } from './market-live.ts';
import { testTraders } from './test-traders.ts';

const HOUR_MS = 3_600_000;
const changes = testChanges({ market_terms: marketTermsChange() });
let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let markets: MarketHub;
let app: Awaited<ReturnType<typeof testApp>>;
let sacco: string;
let treasurer: string;
let secretary: string;
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  markets = createMarketHub({ database });
  const common = { database, publicUrl: 'http://test', changes };
  app = await testApp({
    database,
    contract: [...marketContract, ...saccoChangesContract],
    bindings: [...marketRoutes({ ...common, markets }), ...changesRoutes(common)],
    standingOf: standings(database),
  });
});
/** From here on the tests use this sacco. */
async function anotherSacco(): Promise<void> {
  sacco = await traders.sacco(2);
  // The founder's office has ended, so these two are all the officials.
  await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${sacco}`;
  treasurer = await member(2);
  await traders.treasurer(sacco, treasurer);
  secretary = await member(2);
  await traders.official(sacco, secretary, 'secretary');
}
beforeEach(anotherSacco);
afterAll(async () => {
  const found = await breaches(database.owner, [...ledgerInvariants, ...marketInvariants]);
  await app.close();
  await markets.close();
  await database.close();
  expect(found).toEqual([]);
});

const TERMS = { price_mode: 'band', floor_percentage: 90, ceiling_percentage: 110, tick: 1, lot: 1 };
const RULES = { ...TERMS, fee_basis_points: 100, fee_min: 20, order_days_max: 90 };
const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
const propose = (as: string, rules: object = {}) =>
  app.call('PUT', '/sacco/market-terms', { as, sacco, body: { ...RULES, ...rules } });
const decide = (as: string, id: string, how: string, where = sacco) =>
  app.call('POST', `/sacco/changes/${id}/${how}`, { as, sacco: where });
const proposed = async (rules: object = {}) => (await propose(treasurer, rules)).body.change.id as string;
const seenBy = async (as: string) =>
  (await app.call('GET', `/sacco/changes?sacco=${sacco}`, { as })).body.results as {
    id: string;
    state: string;
    may: string[];
  }[];
const feeNow = async () =>
  (await database.owner<{ fee: number }[]>`select fee_basis_points as fee from markets where sacco_id = ${sacco}`)[0]
    ?.fee;
const run = () => applyChanges(database, changes);

test('one official proposes, another confirms, and a day later the rules change; members are told before', async () => {
  const trader = await member(20);
  const order = (await traders.act(traders.order(sacco, trader, 'sell', 2, 109))).order.id;
  const answer = await propose(treasurer, { ceiling_percentage: 105 });
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({
    message: 'Proposed. Another official must confirm it.',
    change: {
      kind: 'market_terms',
      state: 'proposed',
      before: { fee_basis_points: 50, ceiling_percentage: 110 },
      after: { fee_basis_points: 100, ceiling_percentage: 105 },
      may: ['withdraw'],
    },
  });
  const { id } = answer.body.change;
  expect((await traders.told(secretary, 'change_proposed')).texts).toHaveLength(1);
  expect([await seenBy(trader), (await seenBy(secretary))[0]?.may]).toEqual([[], ['confirm', 'refuse']]);

  const confirmed = await decide(secretary, id, 'confirmation');
  expect(confirmed.body).toMatchObject({
    message: 'Confirmed. It takes effect in 24 hours.',
    change: { state: 'confirmed', effective_at: new Date(database.now().getTime() + 24 * HOUR_MS).toISOString() },
  });
  expect(await seenBy(trader)).toMatchObject([{ id, state: 'confirmed', may: [] }]);
  const told = await traders.told(trader, 'market_terms_coming');
  expect([told.texts[0], told.sms]).toEqual([
    expect.stringContaining(
      'The fee will be 1%. The least fee of an order will be Ksh.\u00a020.00. Prices will be from Ksh.\u00a090.00 to Ksh.\u00a0105.00. Your open orders keep the fee they were placed with; those that no longer fit will be closed',
    ),
    0,
  ]);

  database.world.advance(24 * HOUR_MS - 1);
  await run();
  expect([await feeNow(), await traders.fateOf(order)]).toEqual([50, 'open 0/2']);
  database.world.advance(1);
  await Promise.all([run(), run()]);
  await run();
  expect([await feeNow(), await traders.fateOf(order)]).toEqual([100, 'cancelled 0/2 terms_changed']);
  expect(await seenBy(trader)).toMatchObject([{ id, state: 'in_force' }]);
  expect((await traders.told(treasurer, 'change_in_force')).texts).toHaveLength(1);
});

test('a change that cannot be put in force does not block others, nor the closing of proposals after a week', async () => {
  const broken = await proposed();
  await decide(secretary, broken, 'confirmation');
  const brokenSacco = sacco;
  await anotherSacco();
  const stale = await proposed();
  await anotherSacco();
  database.world.advance(7 * 24 * HOUR_MS);
  const good = await proposed();
  await decide(secretary, good, 'confirmation');
  database.world.advance(24 * HOUR_MS);
  const failing = marketTermsChange();
  const executors = testChanges({
    market_terms: {
      ...failing,
      current: async (tx, about, payload) => {
        if (about.saccoId === brokenSacco) throw new Error('These terms are not read any more.');
        return failing.current(tx, about, payload);
      },
    },
  });
  await expect(applyChanges(database, executors)).rejects.toThrow(
    '1 changes could not be made: Error: These terms are not read any more.',
  );
  const states = await database.owner<{ id: string; state: string }[]>`
    select id, state from sacco_changes where id in (${broken}, ${good}, ${stale})`;
  expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [broken, 'confirmed'],
      [good, 'in_force'],
      [stale, 'lapsed'],
    ]),
  );
  await run();
});

test('nobody confirms their own proposal; the database refuses it too', async () => {
  const id = await proposed();
  const own = await decide(treasurer, id, 'confirmation');
  expect([own.status, own.body.code, own.body.message]).toEqual([
    409,
    'second_official_required',
    'You have proposed this: another official confirms it.',
  ]);
  const by = (user: string, hours: number) => database.owner`
    update sacco_changes set state = 'confirmed', confirmed_by = ${user}, confirmed_at = ${database.now()},
      effective_at = ${new Date(database.now().getTime() + hours * HOUR_MS)}
    where id = ${id}`;
  await expect(by(treasurer, 24)).rejects.toMatchObject({ constraint_name: 'sacco_changes_by_another' });
  await expect(by(secretary, 23)).rejects.toMatchObject({ constraint_name: 'sacco_changes_wait_a_day' });
});

test('a former official neither proposes nor confirms, even if the HTTP layer lets the request in', async () => {
  const id = await proposed();
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${secretary}`;
  expect((await decide(secretary, id, 'confirmation')).body.code).toBe('not_allowed');
  expect((await propose(secretary)).body.code).toBe('not_allowed');
});

test('an official of another sacco finds no such change, and a member is refused', async () => {
  const id = await proposed();
  const elsewhere = await traders.sacco(2);
  const stranger = await traders.trader(elsewhere, { shares: 2 });
  await traders.treasurer(elsewhere, stranger);
  for (const how of ['confirmation', 'refusal']) {
    expect((await decide(stranger, id, how, elsewhere)).body.code).toBe('not_found');
    expect((await decide(await member(2), id, how)).body.code).toBe('not_allowed');
  }
  expect((await decide(secretary, id, 'withdrawal')).body.code).toBe('not_found');
  expect(await seenBy(stranger)).toEqual([]);
});

test('without a second official nothing can be proposed, and the answer says how to get one', async () => {
  await database.owner`update offices set ended_at = ${database.now()} where user_id = ${secretary}`;
  const { status, body } = await propose(treasurer);
  expect([status, body.code, body.message]).toEqual([
    409,
    'second_official_required',
    'Another chair, secretary or treasurer has to confirm this, and your sacco has none besides you who may act now. Let your members elect one and keep the minutes of that meeting: on their strength an operator of Ushirika names that person, who takes the office up with a code sent by SMS.',
  ]);
});

test('an unchanged rule is no change; one change waits at a time; five proposals a day are allowed to each official', async () => {
  const conflict = (message: string) => ({ status: 409, body: { code: 'change_conflict', message } });
  expect(await propose(treasurer, { fee_basis_points: 50, fee_min: 10 })).toMatchObject(
    conflict('That holds already.'),
  );
  for (let times = 0; times < 5; times += 1) {
    const id = await proposed({ lot: 2 });
    const second = await propose(secretary);
    expect(second).toMatchObject(conflict('Another change is already waiting. Decide on that first.'));
    expect(second.body.waits).toBe(true);
    expect((await decide(treasurer, id, 'withdrawal')).body.change.state).toBe('withdrawn');
    expect(await decide(secretary, id, 'confirmation')).toMatchObject(conflict('That is decided already.'));
  }
  expect((await propose(treasurer)).body.code).toBe('changes_limit_reached');
  const { body } = await propose(secretary);
  expect((await decide(secretary, body.change.id, 'withdrawal')).body.change.state).toBe('withdrawn');
  database.world.advance(24 * HOUR_MS);
  expect((await propose(treasurer)).status).toBe(202);
});

test('any official may refuse a change until it is in force, and both are told', async () => {
  const id = await proposed();
  await decide(secretary, id, 'confirmation');
  database.world.advance(24 * HOUR_MS - 60_000);
  expect((await decide(secretary, id, 'refusal')).body).toMatchObject({
    message: 'Refused. Nothing changes.',
    change: { state: 'refused' },
  });
  expect((await traders.told(treasurer, 'change_refused')).texts).toHaveLength(1);
  // Once in 30 days: then it is decided without them (decision 233).
  const again = await proposed();
  expect((await decide(secretary, again, 'refusal')).body.code).toBe('change_conflict');
  expect((await decide(treasurer, again, 'withdrawal')).body.change.state).toBe('withdrawn');
  database.world.advance(HOUR_MS);
  await run();
  expect(await feeNow()).toBe(50);
  const next = await proposed();
  await decide(secretary, next, 'confirmation');
  database.world.advance(24 * HOUR_MS);
  for (const who of [secretary, treasurer]) {
    expect((await decide(who, next, who === treasurer ? 'withdrawal' : 'refusal')).body.code).toBe('change_conflict');
  }
});

test('members who were told of new rules are told once when these do not come, and nobody else is', async () => {
  const trader = await member(20);
  await traders.act(traders.order(sacco, trader, 'sell', 2, 109));
  const later = await member(20);
  // An official who also trades is told as an official only.
  const chair = await member(20);
  await traders.official(sacco, chair, 'chair');
  await traders.act(traders.order(sacco, chair, 'sell', 2, 109));
  const ends = [
    { end: 'withdrawal', by: treasurer, why: /does not come\. \S+ \S+ has taken it back\.$/ },
    { end: 'refusal', by: secretary, why: /does not come\. An official has said no\.$/ },
  ];
  for (const [times, { end, by, why }] of ends.entries()) {
    const id = await proposed();
    await decide(secretary, id, 'confirmation');
    if (times === 0) await traders.act(traders.order(sacco, later, 'sell', 2, 109));
    else await traders.act(traders.order(sacco, trader, 'sell', 1, 108));
    expect((await decide(by, id, end)).status).toBe(200);
    const told = await traders.told(trader, 'market_terms_not_coming');
    expect([told.texts.length, told.sms]).toEqual([times + 1, 0]);
    expect(told.texts[times]).toMatch(/ do not come\. The rules stay as they are, and no order is closed for them\.$/);
    expect((await traders.told(later, 'market_terms_not_coming')).texts).toHaveLength(times);
    expect((await traders.told(chair, 'market_terms_not_coming')).texts).toEqual([]);
    expect((await traders.told(chair, 'change_refused')).texts[times]).toMatch(why);
    database.world.advance(HOUR_MS);
  }
  const never = await proposed();
  await decide(treasurer, never, 'withdrawal');
  expect((await traders.told(trader, 'market_terms_not_coming')).texts).toHaveLength(2);
});

test('a change that nobody confirms in a week is closed', async () => {
  const id = await proposed();
  database.world.advance(7 * 24 * HOUR_MS);
  expect((await decide(secretary, id, 'confirmation')).body.code).toBe('change_conflict');
  await run();
  expect((await seenBy(treasurer))[0]?.state).toBe('lapsed');
  expect((await traders.told(treasurer, 'change_lapsed')).texts).toHaveLength(1);
});

test('when the sacco was suspended meanwhile, the rules do not change, and the officials are told', async () => {
  const trader = await member(20);
  await traders.act(traders.order(sacco, trader, 'sell', 2, 109));
  const id = await proposed();
  await decide(secretary, id, 'confirmation');
  await traders.suspended(sacco, true);
  database.world.advance(24 * HOUR_MS);
  await run();
  expect((await traders.told(trader, 'market_terms_not_coming')).texts).toHaveLength(1);
  expect([await feeNow(), (await seenBy(treasurer))[0]?.state]).toEqual([50, 'outdated']);
  await traders.suspended(sacco, false);
});

test('of two officials who confirm at once one does; of a confirmation and a refusal at once one counts', async () => {
  const chair = await member(2);
  await traders.official(sacco, chair, 'chair');
  const id = await proposed();
  const codes = await Promise.all([decide(chair, id, 'confirmation'), decide(secretary, id, 'confirmation')]);
  expect(codes.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await traders.told(treasurer, 'change_refused')).texts).toHaveLength(0);
  const tries = await Promise.all(Array.from({ length: 4 }, () => propose(chair, { lot: 2 })));
  expect(tries.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
});
