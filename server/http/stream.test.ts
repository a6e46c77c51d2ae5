import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { route } from '@ushirika/contract/route';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../db/test-database.ts';
import { type Binding, bindStream } from './bind.ts';
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

/** The streams that the server has open, and how many subscriptions were begun. */
async function serve({ admittedAfterMs }: { admittedAfterMs: number }) {
  let subscribed = 0;
  const binding = bindStream(live, async () => {
    subscribed += 1;
    return () => {};
  }) as Binding;
  app = await createHttpServer({
    contract: [live],
    bindings: [binding],
    carrier: {
      database,
      checkReplies: true,
      gatekeepers: {
        readSession: async () => {
          await sleep(admittedAfterMs);
          return { userId: USER, sessionId: 'session', isOperator: false };
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
  return { open, subscribed: () => subscribed };
}

function listen(): net.Socket {
  const line = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
  line.write('GET /api/v1/live HTTP/1.1\r\nHost: ushirika.test\r\nAuthorization: Token token\r\n\r\n');
  return line.on('error', () => {});
}

test('a stream is open for as long as its page listens', async () => {
  const { open } = await serve({ admittedAfterMs: 0 });
  const line = listen();
  await expect.poll(open).toBe('1');
  line.destroy();
  await expect.poll(open).toBe('0');
});

test('a page that goes while it is let in leaves no stream behind, however often', async () => {
  const { open, subscribed } = await serve({ admittedAfterMs: 150 });
  for (let time = 0; time < 6; time += 1) {
    const line = listen();
    await sleep(50);
    line.destroy();
  }
  await sleep(250);
  expect([await open(), subscribed()]).toEqual(['0', 0]);
});
