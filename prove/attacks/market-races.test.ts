import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { audit } from '../../server/audit.ts';
import { freePort } from '../../server/db/embedded.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testTraders } from '../../server/domains/market/test-traders.ts';
import { realWorld } from '../../server/world.ts';
import { Random } from '../random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { sleep } from '../support/waiting.ts';
import { cancelAs, placeAs, Told, type Trader, tradeAtRandom, traderCrowd } from './market-crowd.ts';

/* One market, two processes of the product on one database, and a crowd that knows nothing of either. */

const SEED = 20_261_122;
/** For a longer run: more clients, more requests of each, more kills. */
const SIZE = { people: 16, clients: 32, requests: 16, kills: 2, rounds: 10 };

let database: TestDatabase;
let folder: string;
let sacco: string;
let people: readonly Trader[];
let traders: ReturnType<typeof testTraders>;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  const world = { ...realWorld, advance: () => {}, setNow: () => {} };
  database = (await copyTemplate(inject('testServerUrl'), { world, poolSize: 4 })) as unknown as TestDatabase;
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-market-'));
  servers.push(...(await Promise.all([launched(), launched()])));
  traders = testTraders(database);
  ({ sacco, people } = await traderCrowd(database, traders, { count: SIZE.people }));
}, 120_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function launched(): Promise<ServerProcess> {
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, SIMULATOR_AUTO: 'off', LOG_LEVEL: 'error' };
  const server = new ServerProcess({ port: await freePort(), env });
  await server.untilUp();
  return server;
}

const origins = () => servers.filter(({ isRunning }) => isRunning).map(({ origin }) => origin);

/** Shillings and shares that people and the market have; trading moves them and makes none. */
async function wealth() {
  const [row] = await database.owner`
    select sum(balance) filter (where kind in ('wallet', 'wallet_hold', 'settlement'))::bigint::text as cents,
      sum(balance) filter (where kind in ('holding', 'holding_hold'))::bigint::text as shares
    from accounts`;
  return row;
}

/** Everything that was acknowledged is there and was not undone, and nothing is there that was not asked for. */
async function expectAsTold(told: Told, before: { orders: number; wealth: unknown }): Promise<void> {
  const rows = await database.owner<{ id: string; user_id: string; filled: string; shares: string; state: string }[]>`
    select id, user_id, filled, shares, state from share_orders where id = any (${[...told.orders.keys()]}::uuid[])`;
  const stored = new Map(rows.map((row) => [row.id, row]));
  const wrong = [...told.orders.values()].filter(({ user, order }) => {
    const row = stored.get(order.id);
    if (!row || row.user_id !== user || Number(row.filled) < order.filled) return true;
    if (order.status !== 'open') return row.state !== order.status || Number(row.filled) !== order.filled;
    return false;
  });
  expect(wrong).toEqual([]);
  expect([...told.cancelled].filter((id) => stored.get(id)?.state !== 'cancelled')).toEqual([]);
  const trades = await database.owner<{ id: string; shares: string; price_cents: string }[]>`
    select id, shares, price_cents from share_trades where id = any (${[...told.trades.keys()]}::uuid[])`;
  expect(
    new Map(trades.map(({ id, shares, price_cents }) => [id, [Number(shares), Number(price_cents) / 100]])),
  ).toEqual(new Map([...told.trades.values()].map(({ id, shares, price }) => [id, [shares, price]])));
  // Each key one order, each order one key: none twice, none that nobody asked for.
  expect(new Set(told.byKey.values()).size).toBe(told.byKey.size);
  const [count] = await database.owner<{ orders: number }[]>`select count(*)::int as orders from share_orders`;
  expect((count?.orders ?? 0) - before.orders).toBe(told.byKey.size);
  expect(await wealth()).toEqual(before.wealth);
  const broken = (await audit(database.url)).flatMap(({ breach }) => (breach ? [breach] : []));
  expect(broken).toEqual([]);
}

async function start() {
  const [row] = await database.owner<{ orders: number }[]>`select count(*)::int as orders from share_orders`;
  return { orders: row?.orders ?? 0, wealth: await wealth() };
}

async function crowdTrades(told: Told, requests: number, seed: number): Promise<void> {
  const clients = Array.from({ length: SIZE.clients }, (_, index) => {
    const trader = people[index % people.length] as Trader;
    return tradeAtRandom(told, origins, { trader, sacco, requests, random: new Random(seed + index) });
  });
  await Promise.all(clients);
}

test('32 clients place, take, change and cancel through both: all that was acknowledged is so, nothing was made or lost', async () => {
  const [told, before] = [new Told(), await start()];
  await crowdTrades(told, SIZE.requests, SEED);
  await expectAsTold(told, before);
  // Refused by the rules, never by accident.
  const answers = Object.fromEntries(told.answers);
  expect(answers).not.toHaveProperty('internal_error');
  expect(answers).not.toHaveProperty('unknown_outcome');
  expect(told.cut).toBe(0);
  expect(told.answers.get('done')).toBeGreaterThan((SIZE.clients * SIZE.requests) / 3);
  expect(told.trades.size).toBeGreaterThan((SIZE.clients * SIZE.requests) / 10);
  const [row] = await database.owner<{ deadlocks: string }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`;
  expect(Number(row?.deadlocks)).toBe(0);
}, 120_000);

const random = new Random(SEED);
const through = (server: number) => () => [servers[server % 2]?.origin ?? ''];

/** An offer of two shares, again and again, in a market in which nobody else is. */
async function eachOffer(
  told: Told,
  race: (offer: string, seller: Trader, buyers: readonly [Trader, Trader], round: number) => Promise<unknown>,
): Promise<void> {
  const quiet = await traderCrowd(database, traders, { count: 3, shares: 2 * SIZE.rounds + 2 });
  const [seller, ...buyers] = quiet.people as [Trader, Trader, Trader];
  const before = await start();
  for (let round = 0; round < SIZE.rounds; round += 1) {
    const asked = { sacco: quiet.sacco, side: 'sell', shares: 2, price: 100 } as const;
    const { body } = await placeAs(told, origins, seller, asked, random);
    expect(body.order).toMatchObject({ status: 'open', remaining: 2 });
    await race(body.order.id, seller, buyers, round);
  }
  await expectAsTold(told, before);
}

test('of two who take one offer through two servers, exactly one gets it', async () => {
  const told = new Told();
  await eachOffer(told, async (order, _seller, buyers) => {
    const takes = buyers.map((buyer, index) =>
      placeAs(told, through(index), buyer, { order, shares: 2, price: 100 }, random),
    );
    const answers = await Promise.all(takes);
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'offer_gone']);
  });
}, 60_000);

test('of a cancellation and a purchase at the same moment, one happens, and never both', async () => {
  const told = new Told();
  await eachOffer(told, async (order, seller, [buyer], round) => {
    const [cancelled, taken] = await Promise.all([
      cancelAs(told, through(round), seller, order, random),
      placeAs(told, through(round + 1), buyer, { order, shares: 2, price: 100 }, random),
    ]);
    const outcome = [cancelled.body.code ?? 'cancelled', taken.body.code ?? 'taken'].join(', ');
    expect(['cancelled, offer_gone', 'order_closed, taken']).toContain(outcome);
  });
}, 60_000);

test('a server killed in the middle of its batches forgets nothing that it said and does nothing twice', async () => {
  const [told, before] = [new Told(), await start()];
  for (let kill = 0; kill < SIZE.kills; kill += 1) {
    const trading = crowdTrades(told, Math.ceil(SIZE.requests / 4), SEED + 1_000 * (kill + 1));
    await sleep(random.whole(100, 400));
    const victim = servers.shift() as ServerProcess;
    await victim.kill();
    servers.push(await launched());
    await trading;
  }
  expect(told.cut).toBeGreaterThan(0);
  expect(Object.fromEntries(told.answers)).not.toHaveProperty('internal_error');
  await expectAsTold(told, before);
}, 180_000);
