import { once } from 'node:events';
import net from 'node:net';
import { Refusal } from '@ushirika/contract/refusal';
import { type Route, route } from '@ushirika/contract/route';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../db/test-database.ts';
import { type Binding, bindBatched, bindHandler, bindVerb } from './bind.ts';
import { Lifecycle } from './lifecycle.ts';
import { createHttpServer, type HttpServer } from './server.ts';

const reply = z.object({ done: z.boolean() });
const wait = route({
  name: 'wait',
  method: 'GET',
  path: '/wait',
  summary: '',
  caller: 'anyone',
  repetition: 'read',
  reply,
});
const write = route({ ...wait, name: 'write', method: 'POST', path: '/write', repetition: 'natural' });
const writeHot = route({ ...write, name: 'writeHot', path: '/write-hot' });
const contract: Route[] = [wait, write, writeHot];

const database = await testDatabase();
await database.owner`create table marks (id integer)`;
await database.owner`grant all on marks to ushirika_app`;
let http: HttpServer;
let lifecycle: Lifecycle;
let isAnswering: boolean;
let hold: PromiseWithResolvers<void>;

const done = { done: true };
const mark = async (tx: { sql: typeof database.sql }) => {
  await tx.sql`insert into marks values (1)`;
  await hold.promise;
};

async function serve(options: { token?: string; atOnceMax?: number; deadlineMs?: number } = {}): Promise<void> {
  http = await createHttpServer({
    contract,
    bindings: [
      bindHandler(wait, () => hold.promise.then(() => done)),
      bindVerb(write, async (tx) => {
        await mark(tx as never);
        return done;
      }),
      bindBatched(writeHot, 'hot', async (tx, calls) => {
        await mark(tx as never);
        return calls.map(() => done);
      }),
    ] as Binding[],
    services: {
      database,
      checkReplies: true,
      gatekeepers: { readSession: async () => null, standingOf: async () => ({ isMember: false, offices: [] }) },
    },
    world: database.world,
    publicUrl: 'http://localhost',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 0 },
    rateLimits: null,
    trustProxy: false,
    logLevel: 'silent',
    lifecycle,
    limits: { deadlineMs: options.deadlineMs ?? 10_000, atOnceMax: options.atOnceMax ?? 100 },
    isDatabaseAnswering: () => isAnswering,
    metricsToken: options.token ?? null,
  });
}

const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers });
const post = (url: string) => http.inject({ method: 'POST', url: `/api/v1${url}` });
const marks = async () => (await database.owner`select 1 from marks`).length;

beforeEach(async () => {
  lifecycle = new Lifecycle();
  isAnswering = true;
  hold = Promise.withResolvers();
  await database.owner`truncate marks`;
});
afterEach(async () => {
  hold.resolve();
  await http.close();
});

describe('liveness, readiness and metrics', () => {
  test('a process is live from the start, and ready once it is open and nothing is missing', async () => {
    await serve();
    let jobs = false;
    lifecycle.needs('jobs_stopped', () => jobs);
    expect((await get('/livez')).json()).toEqual({ status: 'live' });
    const starting = await get('/readyz');
    expect([starting.statusCode, starting.headers['retry-after']]).toEqual([503, '2']);
    expect(starting.json()).toEqual({ status: 'not_ready', reasons: ['starting', 'jobs_stopped'] });
    lifecycle.open();
    expect((await get('/readyz')).json().reasons).toEqual(['jobs_stopped']);
    jobs = true;
    expect((await get('/readyz')).json()).toEqual({ status: 'ready' });
    lifecycle.drain();
    expect((await get('/readyz')).json().reasons).toEqual(['draining']);
  });

  test('metrics are shown to this machine alone; with a token set, to whoever shows the token', async () => {
    await serve();
    expect((await get('/metrics')).statusCode).toBe(200);
    expect((await get('/metrics', { 'x-forwarded-for': '10.0.0.9' })).statusCode).toBe(404);
    expect((await http.inject({ url: '/metrics', remoteAddress: '10.0.0.9' })).statusCode).toBe(404);
    await http.close();
    lifecycle = new Lifecycle();
    await serve({ token: 'a-token-that-nobody-guesses' });
    expect((await get('/metrics')).statusCode).toBe(404);
    expect((await get('/metrics', { authorization: 'Bearer a-token-that-nobody-guesse' })).statusCode).toBe(404);
    const shown = { authorization: 'Bearer a-token-that-nobody-guesses' };
    const far = await http.inject({ url: '/metrics', headers: shown, remoteAddress: '10.0.0.9' });
    expect(far.statusCode).toBe(200);
    expect(far.body).toContain('ushirika_batch_queue_waiting{queue="hot"} 0');
  });
});

describe('a request that cannot be served is refused at once', () => {
  test('a request too many is refused, and the next is served once there is room', async () => {
    await serve({ atOnceMax: 2 });
    const two = [get('/api/v1/wait'), get('/api/v1/wait')];
    await expect.poll(() => http.requests.count).toBe(2);
    const third = await get('/api/v1/wait');
    expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    hold.resolve();
    for (const answer of await Promise.all(two)) expect(answer.statusCode).toBe(200);
    expect((await get('/api/v1/wait')).statusCode).toBe(200);
    expect(http.requests.count).toBe(0);
  });

  test('while the database does not answer, new requests are refused, and so are those that wait for it', async () => {
    await serve();
    const waiting = post('/write');
    await expect.poll(() => http.requests.count).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    isAnswering = false;
    http.requests.refuseAll();
    expect((await waiting).json().code).toBe('unavailable');
    const late = await get('/api/v1/wait');
    expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '2']);
    expect((await get('/livez')).statusCode).toBe(200);
    hold.resolve();
    isAnswering = true;
    await http.close();
    expect(await marks()).toBe(0);
  });

  test('a request whose body arrives after the database stopped answering counts as refused', async () => {
    await serve();
    http.addHook('preParsing', async () => {
      isAnswering = false;
    });
    const answer = await post('/write');
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    expect((await get('/metrics')).body).toContain('ushirika_http_shed_total{reason="database_silent"} 1\n');
    expect(await marks()).toBe(0);
  });

  test('a connection too many is refused, and is counted', async () => {
    await serve();
    await http.listen({ port: 0, host: '127.0.0.1' });
    http.server.maxConnections = 1;
    const { port } = http.server.address() as net.AddressInfo;
    const first = net.connect(port, '127.0.0.1');
    await once(first, 'connect');
    const second = net.connect(port, '127.0.0.1').on('error', () => {});
    await once(second, 'close');
    const { body } = await get('/metrics');
    expect(body).toContain('ushirika_http_connections 1\n');
    expect(body).toContain('ushirika_http_connections_refused_total 1\n');
    first.destroy();
  });

  test('a draining server still serves and closes each connection after its answer; a closing one refuses', async () => {
    await serve();
    hold.resolve();
    lifecycle.drain();
    const draining = await get('/api/v1/wait');
    expect([draining.statusCode, draining.headers.connection]).toEqual([200, 'close']);
    lifecycle.close();
    const closing = await get('/api/v1/wait');
    expect([closing.statusCode, closing.json().code, closing.headers.connection]).toEqual([
      503,
      'unavailable',
      'close',
    ]);
  });
});

describe('a request past its deadline', () => {
  test.each(['/write', '/write-hot'])('%s is refused before its COMMIT, and nothing was done', async (url) => {
    await serve({ deadlineMs: 300 });
    const answer = await post(url);
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
    hold.resolve();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await marks()).toBe(0);
  });

  test('a refusal by the verb itself is answered as that refusal', async () => {
    await serve();
    hold.reject(new Refusal('insufficient_funds'));
    expect((await get('/api/v1/wait')).json().code).toBe('insufficient_funds');
  });
});

describe('a connection that a browser opened before it needs it', () => {
  /** All that the server says to a connection which sends `sent`, up to its end. */
  async function toldTo(sent: string): Promise<string> {
    await http.listen({ port: 0, host: '127.0.0.1' });
    const socket = net.connect((http.server.address() as net.AddressInfo).port, '127.0.0.1');
    if (sent) socket.write(sent);
    let told = '';
    socket.on('data', (bytes) => {
      told += bytes;
    });
    await once(socket, 'close');
    return told;
  }

  test('is closed without a word when it stays unused, so that its next request is sent elsewhere', async () => {
    await serve({ deadlineMs: 200 });
    expect(await toldTo('')).toBe('');
  });

  test('is answered when it began a request and did not end its headers', async () => {
    await serve({ deadlineMs: 200 });
    expect(await toldTo('GET /livez HTTP/1.1\r\nHost: localhost\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request/);
  });
});
