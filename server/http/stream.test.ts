import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { route } from '@ushirika/contract/route';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../db/test-database.ts';
import { type Binding, bindStream, type EventSink } from './bind.ts';
import { createHttpServer, type HttpServer } from './server.ts';

const database = await testDatabase();
const USER = '01900000-0000-7000-8000-00000000000a';
const live = route({
  name: 'live',
  method: 'GET',
  path: '/live',
  summary: '',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.unknown(),
  replyType: 'sse',
});
let app: HttpServer;

afterEach(() => app.close());

/** Starts a server. It gives the open streams and counts subscriptions and session checks. */
async function serve({ admittedAfterMs }: { admittedAfterMs: number }) {
  let subscribed = 0;
  let looks = 0;
  const session = { isLive: true };
  const sinks: EventSink[] = [];
  const binding = bindStream(live, async (_call, events) => {
    subscribed += 1;
    sinks.push(events);
    return () => {};
  }) as Binding;
  app = await createHttpServer({
    contract: [live],
    bindings: [binding],
    services: {
      database,
      checkReplies: true,
      gatekeepers: {
        readSession: async () => {
          looks += 1;
          const { isLive } = session;
          await sleep(admittedAfterMs);
          return isLive ? { userId: USER, sessionId: 'session', isOperator: false } : null;
        },
        standingOf: async () => ({ isMember: false, offices: [] }),
      },
    },
    world: database.world,
    publicUrl: 'https://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 0 },
    rateLimits: null,
    trustProxy: false,
    logLevel: 'silent',
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const open = async () => /^ushirika_http_streams (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1];
  return { open, subscribed: () => subscribed, looks: () => looks, session, sinks };
}

/** A client that listens, and what it has received. */
function hear() {
  const line = listen();
  const heard = { text: '' };
  line.setEncoding('utf8').on('data', (text: string) => {
    heard.text += text;
  });
  return { line, numbers: () => [...heard.text.matchAll(/^data: (\d+)$/gm)].map(([, number]) => Number(number)) };
}

const frame = (number: number) => Buffer.from(`event: n\ndata: ${number}\n\n`);

function listen(): net.Socket {
  const line = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
  line.write('GET /api/v1/live HTTP/1.1\r\nHost: ushirika.test\r\nAuthorization: Token token\r\n\r\n');
  return line.on('error', () => {});
}

test('a stream is open for as long as its page is connected', async () => {
  const { open } = await serve({ admittedAfterMs: 0 });
  const line = listen();
  await expect.poll(open).toBe('1');
  line.destroy();
  await expect.poll(open).toBe('0');
});

test('a page that disconnects while its request is being admitted leaves no stream open', async () => {
  const { open, subscribed } = await serve({ admittedAfterMs: 150 });
  for (let time = 0; time < 6; time += 1) {
    const line = listen();
    await sleep(50);
    line.destroy();
  }
  await sleep(250);
  expect([await open(), subscribed()]).toEqual(['0', 0]);
});

test('broadcast events are written in order, and the session is checked about once a second', async () => {
  const { sinks, looks } = await serve({ admittedAfterMs: 5 });
  const page = hear();
  await expect.poll(() => sinks.length).toBe(1);
  for (let number = 1; number <= 100; number += 1) {
    expect(sinks[0]?.broadcast(frame(number))).toBe(true);
    await sleep(22);
  }
  await expect.poll(page.numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(looks()).toBeGreaterThanOrEqual(2);
  expect(looks()).toBeLessThanOrEqual(6);
}, 10_000);

test('a session that has ended gets broadcast events for at most one second more', async () => {
  const { sinks, session, open } = await serve({ admittedAfterMs: 1 });
  const page = hear();
  await expect.poll(() => sinks.length).toBe(1);
  sinks[0]?.broadcast(frame(1));
  session.isLive = false;
  const ended = performance.now();
  let latest = ended;
  for (let number = 2; performance.now() - ended < 2_000; number += 1) {
    if (sinks[0]?.broadcast(frame(number))) latest = performance.now();
    await sleep(10);
  }
  expect(latest - ended).toBeLessThan(1_050);
  expect(page.numbers().length).toBeGreaterThan(0);
  expect(await open()).toBe('0');
}, 10_000);

test('after a pause the session is checked before anything is sent: an ended session gets nothing', async () => {
  const { sinks, session, open } = await serve({ admittedAfterMs: 1 });
  const page = hear();
  await expect.poll(() => sinks.length).toBe(1);
  session.isLive = false;
  await sleep(1_000);
  sinks[0]?.broadcast(frame(1));
  await expect.poll(open).toBe('0');
  expect(page.numbers()).toEqual([]);
});

test('a client’s own event keeps its place among broadcast events', async () => {
  const { sinks } = await serve({ admittedAfterMs: 30 });
  const page = hear();
  await expect.poll(() => sinks.length).toBe(1);
  sinks[0]?.broadcast(frame(1));
  sinks[0]?.send({ event: 'own', data: 2 });
  sinks[0]?.broadcast(frame(3));
  sinks[0]?.send({ event: 'own', data: 4 });
  sinks[0]?.broadcast(frame(5));
  await expect.poll(page.numbers).toEqual([1, 2, 3, 4, 5]);
});

test('a client that does not read is disconnected, and its events are not buffered', async () => {
  const { sinks, open } = await serve({ admittedAfterMs: 0 });
  const line = listen();
  line.pause();
  await expect.poll(() => sinks.length).toBe(1);
  const much = Buffer.from(`data: ${'x'.repeat(100_000)}\n\n`);
  let told = 0;
  while (sinks[0]?.broadcast(much) && told < 1_000) {
    told += 1;
    await sleep(1);
  }
  expect(told).toBeLessThan(1_000);
  expect(await open()).toBe('0');
  line.destroy();
});
