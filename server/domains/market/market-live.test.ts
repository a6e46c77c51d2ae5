import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import * as contract from '@ushirika/contract/market';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import type { Database } from '../../db/tx.ts';
import { testApp } from '../../http/test-app.ts';
import { standings } from '../membership/standings.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { CHANGES_MAX, TRADES_TOLD_MAX } from './market-changes.ts';
import { announceMarkets, createMarketHub, type MarketHub } from './market-live.ts';
import { marketReadRoutes } from './market-reads.routes.ts';
import { testMarket } from './test-market.ts';

let database: TestDatabase;
/** A second connection pool, which stands for a second process. */
let elsewhere: Database;
let here: MarketHub;
let there: MarketHub;
/** Looks often for what no line announced; the others are too slow for it, so that they show what is announced. */
let polling: MarketHub;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let market: ReturnType<typeof testMarket>;
let sacco: string;
let wanjiru: string;
let otieno: string;
const streams: { stop(): void }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  elsewhere = openDatabase({ url: database.url, poolSize: 3 });
  here = createMarketHub({ database });
  there = createMarketHub({ database: elsewhere });
  polling = createMarketHub({ database: elsewhere, pollMs: 200 });
  people = testPeople(database);
  saccos = testSaccos(database);
  market = testMarket(database);
  wanjiru = await people.person('Wanjiru', 'Kamau');
  otieno = await people.person('Otieno', 'Ouma');
  sacco = await saccos.sacco(wanjiru, await people.person('Operator'));
  for (const member of [wanjiru, otieno]) await saccos.join(sacco, member);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.stop();
});
afterAll(async () => {
  await Promise.all([here.close(), there.close(), polling.close()]);
  await elsewhere.close();
  await database.close();
});

interface Heard {
  readonly event: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly data: any;
}

/** The events of a stream's text, in order. */
function eventsOf(text: string): Heard[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.replace(/^\w+: /, '')]));
    const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')];
    if (event === undefined || data === undefined) return [];
    return [{ event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) }];
  });
}

/** A viewer that keeps what it received and its sequence. It fails when a sequence is missing. */
async function viewer(hub: MarketHub, since: number | null = null, of = sacco) {
  const frames: string[] = [];
  const at: number[] = [];
  const levels = new Map<string, number>();
  const stop = await hub.watch(of, since, (frame) => {
    frames.push(frame.toString());
    for (const { event, id, data } of eventsOf(frame.toString())) {
      if (event === 'reload') at.push(data.sequence);
      if (event !== 'book') continue;
      expect(id).toBe(String(data.sequence));
      if (at.length > 0 || since !== null) expect(data.from).toBe(at.at(-1) ?? since);
      at.push(data.sequence);
      for (const { side, price, shares } of data.levels) levels.set(`${side} ${price}`, shares);
    }
  });
  streams.push({ stop });
  return { frames, levels, stop, seen: () => at.at(-1), events: () => eventsOf(frames.join('')) };
}

async function changed(cents: number, shares: number, of = sacco): Promise<number> {
  const sequence = await market.setLevel(of, 'sell', cents, shares, shares === 0 ? 0 : 1);
  announceMarkets(database, [{ saccoId: of, sequence }]);
  return sequence;
}

const another = () => saccos.sacco(wanjiru, otieno);

test('a viewer gets the current sequence at once, and then every change', async () => {
  const start = await changed(101_00, 5);
  const watching = await viewer(here);
  expect(watching.events()).toEqual([
    { event: 'book', id: String(start), data: { from: start, sequence: start, levels: [] } },
  ]);
  const sequence = await changed(102_00, 3);
  await expect.poll(watching.seen).toBe(sequence);
  expect(watching.events().slice(1)).toEqual([
    { event: 'stats', data: { last_price: null, best_bid: null, best_ask: 101 } },
    {
      event: 'book',
      id: String(sequence),
      data: { from: start, sequence, levels: [{ side: 'sell', price: 102, shares: 3, orders: 1 }] },
    },
  ]);
});

test('a trade is sent before the change of the book that it made, without anybody’s name', async () => {
  const watching = await viewer(here);
  const id = await market.trade(sacco, { buyer: otieno, seller: wanjiru, cents: 103_00, shares: 2 });
  const [row] = await database.owner<
    { sequence: number }[]
  >`select sequence::int from markets where sacco_id = ${sacco}`;
  announceMarkets(database, [{ saccoId: sacco, sequence: row?.sequence ?? 0 }]);
  await expect.poll(watching.seen).toBe(row?.sequence);
  const events = watching.events().slice(1);
  expect(events.map(({ event }) => event)).toEqual(['trade', 'stats', 'book']);
  expect(events[0]?.data.trades).toMatchObject([{ id, shares: 2, price: 103, taker: 'buy' }]);
  expect(events[1]?.data.last_price).toBe(103);
  for (const secret of [wanjiru, otieno, 'Wanjiru', 'Ouma']) expect(watching.frames.join('')).not.toContain(secret);
});

test('viewers of two processes get the same, whichever process made the change', async () => {
  const [one, two] = [await viewer(here), await viewer(there)];
  const first = await changed(104_00, 1);
  await expect.poll(() => [one.seen(), two.seen()]).toEqual([first, first]);
  const second = await market.setLevel(sacco, 'sell', 104_00, 9, 1);
  announceMarkets(elsewhere, [{ saccoId: sacco, sequence: second }]);
  await expect.poll(() => [one.seen(), two.seen()]).toEqual([second, second]);
  expect(one.frames).toEqual(two.frames);
});

test('many changes become at most ten frames a second, each with the last state of each price, without a gap', async () => {
  const watching = await viewer(here);
  const start = performance.now();
  let last = 0;
  for (let count = 1; count <= 120; count += 1) {
    last = await changed(100_00 + (count % 3) * 100, count);
    await sleep(5);
  }
  await expect.poll(watching.seen).toBe(last);
  const seconds = (performance.now() - start) / 1_000;
  expect(watching.frames.length - 1).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1);
  expect(watching.frames.length).toBeGreaterThan(5);
  expect(['sell 100', 'sell 101', 'sell 102'].map((level) => watching.levels.get(level))).toEqual([120, 118, 119]);
}, 20_000);

test('a viewer who reconnects gets the missed changes merged, and goes on from there', async () => {
  const before = await viewer(here);
  const seen = await changed(100_00, 1);
  await expect.poll(before.seen).toBe(seen);
  before.stop();
  for (const shares of [2, 3, 4]) await changed(100_00, shares);
  const last = await changed(105_00, 7);
  for (const hub of [here, there]) {
    const back = await viewer(hub, seen);
    expect(back.seen()).toBe(last);
    expect(back.events().at(-1)?.data).toMatchObject({ from: seen, sequence: last });
    expect([back.levels.get('sell 100'), back.levels.get('sell 105')]).toEqual([4, 7]);
  }
});

test('a viewer who reconnects while the market changes misses nothing', async () => {
  let isOver = false;
  const changes = (async () => {
    let last = 0;
    for (let count = 1; !isOver; count += 1) {
      last = await changed(100_00 + (count % 5) * 100, count);
      await sleep(3);
    }
    return last;
  })();
  const constant = await viewer(here);
  let at = constant.seen() ?? 0;
  try {
    for (let time = 0; time < 25; time += 1) {
      // In turn at both processes: one may not have read yet what the other has sent.
      const back = await viewer(time % 2 === 0 ? here : there, at);
      await sleep(30);
      at = back.seen() ?? at;
      back.stop();
      expect(back.frames.join('')).not.toContain('event: reload');
    }
  } finally {
    isOver = true;
  }
  const last = await changes;
  const back = await viewer(here, at);
  await expect.poll(back.seen).toBe(last);
  await expect.poll(constant.seen).toBe(last);
}, 20_000);

test('of many viewers who reconnect while frames are sent, each goes on where its catch-up ended', async () => {
  let isOver = false;
  const changes = (async () => {
    let last = 0;
    for (let count = 1; !isOver; count += 1) {
      last = await changed(100_00 + (count % 5) * 100, count);
      await sleep(1);
    }
    return last;
  })();
  const constant = await viewer(here);
  const back: ReturnType<typeof viewer>[] = [];
  try {
    await expect.poll(() => constant.frames.length).toBeGreaterThan(2);
    // One in every turn, so that some catch up in the turn in which a frame is sent.
    const until = performance.now() + 600;
    while (performance.now() < until) {
      back.push(viewer(here, (constant.seen() ?? 0) - 1));
      await nextTurn();
    }
  } finally {
    isOver = true;
  }
  const last = await changes;
  const all = await Promise.all(back);
  await expect.poll(() => new Set(all.map(({ seen }) => seen()))).toEqual(new Set([last]));
}, 20_000);

test('a viewer who missed more than is stored is told to read the book again, and goes on from there', async () => {
  const own = await another();
  const seen = await changed(100_00, 1, own);
  await changed(100_00, 2, own);
  await changed(100_00, 3, own);
  await database.owner`delete from market_events where sacco_id = ${own} and sequence = ${seen + 1}`;
  const back = await viewer(here, seen, own);
  expect(back.events()).toEqual([{ event: 'reload', id: String(seen + 2), data: { sequence: seen + 2 } }]);
  const next = await changed(100_00, 4, own);
  await expect.poll(back.seen).toBe(next);
  expect(back.events().at(-1)?.data).toMatchObject({ from: seen + 2, sequence: next });
});

test('a viewer who names a sequence that never was is told to read the book again', async () => {
  const back = await viewer(here, 900_000);
  expect(back.events()[0]?.event).toBe('reload');
});

test('too many changes at once make a reload; of many trades the latest are sent', async () => {
  const own = await another();
  const watching = await viewer(here, null, own);
  await database.owner`
    insert into market_events (sacco_id, sequence, at, change)
    select ${own}, n, now(), '{"levels": [], "trades": []}' from generate_series(1, ${CHANGES_MAX + 1}) n`;
  await database.owner`update markets set sequence = ${CHANGES_MAX + 1} where sacco_id = ${own}`;
  announceMarkets(database, [{ saccoId: own, sequence: CHANGES_MAX + 1 }]);
  await expect.poll(watching.seen).toBe(CHANGES_MAX + 1);
  expect(watching.events().at(-1)).toMatchObject({ event: 'reload' });
  const trades = Array.from(
    { length: TRADES_TOLD_MAX + 5 },
    (_, n) => [database.newId(), n + 1, 100_00, 'buy'] as const,
  );
  const sequence = await market.change(own, { trades });
  announceMarkets(database, [{ saccoId: own, sequence }]);
  await expect.poll(watching.seen).toBe(sequence);
  const told = watching.events().find(({ event }) => event === 'trade')?.data.trades;
  expect([told.length, told[0].shares, told.at(-1).shares]).toEqual([TRADES_TOLD_MAX, 6, TRADES_TOLD_MAX + 5]);
});

test('a change that was not announced is found by polling', async () => {
  const watching = await viewer(polling);
  const sequence = await market.setLevel(sacco, 'buy', 95_00, 4, 1);
  await expect.poll(watching.seen, { timeout: 5_000 }).toBe(sequence);
}, 10_000);

test('a broken listening connection is replaced, and no change is missed', async () => {
  const watching = await viewer(polling);
  await database.owner`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`;
  const first = await changed(106_00, 1);
  await expect.poll(watching.seen, { timeout: 5_000 }).toBe(first);
  const lines = () => database.owner`
    select from pg_stat_activity where datname = current_database() and query ilike 'listen%'`;
  await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBeGreaterThan(0);
  const second = await changed(106_00, 2);
  await expect.poll(watching.seen, { timeout: 5_000 }).toBe(second);
}, 20_000);

test('a restored backup makes a reload', async () => {
  const own = await another();
  for (const shares of [1, 2, 3]) await changed(100_00, shares, own);
  const watching = await viewer(polling, null, own);
  expect(watching.seen()).toBe(3);
  await database.owner`delete from market_events where sacco_id = ${own} and sequence > 1`;
  await database.owner`update markets set sequence = 1 where sacco_id = ${own}`;
  await expect.poll(watching.seen, { timeout: 5_000 }).toBe(1);
  expect(watching.events().at(-1)).toMatchObject({ event: 'reload', data: { sequence: 1 } });
  const next = await changed(100_00, 5, own);
  await expect.poll(watching.seen).toBe(next);
}, 10_000);

test('changes of many markets are announced together, and a failure to announce is not thrown', async () => {
  const payloads: string[] = [];
  const line = await elsewhere.sql.listen('market_live', (payload) => void payloads.push(payload));
  const changes = Array.from({ length: 300 }, (_, n) => ({ saccoId: elsewhere.newId(), sequence: n }));
  for (const change of changes) announceMarkets(database, [change]);
  for (let again = 1; again < 200; again += 1) announceMarkets(database, [{ saccoId: sacco, sequence: again }]);
  const told = () => payloads.flatMap((payload) => JSON.parse(payload) as { sacco: string; sequence: number }[]);
  await expect.poll(() => told().length).toBe(301);
  expect(told().find((notice) => notice.sacco === sacco)?.sequence).toBe(199);
  expect(payloads.length).toBeLessThan(8);
  await line.unlisten();
  const closed = openDatabase({ url: database.url, poolSize: 1 });
  await closed.close();
  announceMarkets(closed, [{ saccoId: sacco, sequence: 1 }]);
  await sleep(50);
});

test('over HTTP a page resumes by Last-Event-ID, and a member who leaves gets nothing more after a second', async () => {
  const app = await testApp({
    database,
    contract: [contract.marketLive],
    bindings: marketReadRoutes({ database, publicUrl: 'https://ushirika.test', markets: here }).filter(
      ({ route }) => route.name === 'marketLive',
    ),
    standingOf: standings(database),
  });
  const origin = await app.listen();
  const listen = async (headers: Record<string, string> = {}) => {
    const stopping = new AbortController();
    streams.push({ stop: () => stopping.abort() });
    const response = await fetch(`${origin}/api/v1/sacco/order-book/live?sacco=${sacco}`, {
      headers: { authorization: `Token ${otieno}`, ...headers },
      signal: stopping.signal,
    });
    const heard = { text: '', isOver: false };
    const read = async () => {
      for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    };
    void read()
      .catch(() => {})
      .finally(() => {
        heard.isOver = true;
      });
    return { heard, stop: () => stopping.abort() };
  };
  try {
    const start = await changed(100_00, 1);
    const first = await listen();
    await expect.poll(() => eventsOf(first.heard.text).at(-1)?.id).toBe(String(start));
    first.stop();
    const missed = await changed(100_00, 2);
    const second = await listen({ 'last-event-id': String(start) });
    await expect.poll(() => eventsOf(second.heard.text).at(-1)?.data).toMatchObject({ from: start, sequence: missed });
    await database.owner`update memberships set state = 'exited', paid_up_at = null where user_id = ${otieno} and sacco_id = ${sacco}`;
    await sleep(1_050);
    const before = second.heard.text;
    for (let count = 0; count < 5; count += 1) {
      await changed(100_00, 10 + count);
      await sleep(40);
    }
    await expect.poll(() => second.heard.isOver).toBe(true);
    expect(second.heard.text).toBe(before);
  } finally {
    await app.close();
  }
}, 20_000);

test('the listening connection is closed when nobody watches', async () => {
  const alone = openDatabase({ url: database.url, poolSize: 2 });
  const hub = createMarketHub({ database: alone });
  const one = await viewer(hub);
  const two = await viewer(hub, null, await another());
  one.stop();
  two.stop();
  // It is opened again for the next viewer.
  const three = await viewer(hub);
  const sequence = await changed(107_00, 1);
  await expect.poll(three.seen).toBe(sequence);
  await hub.close();
  await expect(hub.watch(sacco, null, () => {})).rejects.toThrow('closed');
  await alone.close();
});
