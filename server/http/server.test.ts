import { once } from 'node:events';
import net from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { check } from '@ushirika/contract/checks';
import { Refusal } from '@ushirika/contract/refusal';
import { type Route, route } from '@ushirika/contract/route';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { type Binding, bindBatched, bindFile, bindHandler, bindVerb } from './bind.ts';
import { assertAllBound, createHttpServer } from './server.ts';
import { noLimits } from './test-app.ts';

const MEMBER = '01900000-0000-7000-8000-00000000000a';
const SACCO = '01900000-0000-7000-8000-0000000000aa';

const note = z.object({ text: z.string().min(1, check('Say why.')).max(20), sacco: z.uuid().optional() });
const reply = z.object({ success: z.literal(true), message: z.string(), count: z.number() });
const hello = route({
  name: 'hello',
  method: 'GET',
  path: '/hello',
  summary: '',
  caller: 'anyone',
  repetition: 'read',
  reply: z.object({ hello: z.string() }),
});
const long = route({ ...hello, name: 'long', path: '/long', reply: z.object({ text: z.string() }) });
const tooMuch = route({ ...hello, name: 'tooMuch', path: '/too-much' });
const write = route({
  name: 'write',
  method: 'POST',
  path: '/notes/',
  summary: '',
  caller: 'signed_in',
  repetition: 'key',
  body: note,
  status: 201,
  reply,
});
const writeHot = route({ ...write, name: 'writeHot', path: '/hot-notes', status: 201 });
const members = route({ ...hello, name: 'members', path: '/members', caller: 'member' });
const desk = route({ ...hello, name: 'desk', path: '/desk', caller: 'official', offices: ['treasurer'] as const });
const operators = route({ ...hello, name: 'operators', path: '/operators', caller: 'operator' });
const broken = route({ ...hello, name: 'broken', path: '/broken' });
const picture = route({
  ...hello,
  name: 'picture',
  path: '/pictures/{id}',
  replyType: 'file',
  params: z.object({ id: z.uuid() }),
});
const upload = route({
  ...write,
  name: 'upload',
  path: '/uploads',
  bodyType: 'multipart',
  body: z.object({ name: z.string().min(1) }),
  file: { field: 'logo', bytesMax: 1000 },
  reply: z.object({ name: z.string(), bytes: z.number() }),
});
const contract: Route[] = [hello, long, tooMuch, write, writeHot, members, desk, operators, broken, picture, upload];

let database: TestDatabase;
let app: FastifyInstance;

function bindings(): Binding[] {
  const greet = async () => ({ hello: 'habari' });
  return [
    bindHandler(hello, greet),
    bindHandler(long, async () => ({ text: 'habari '.repeat(2_000) })),
    bindHandler(tooMuch, async () => ({ hello: 'habari', password_hash: 'leaked' })),
    bindVerb(write, async (tx, { body }) => {
      await tx.sql`insert into notes (text) values (${body.text})`;
      if (body.text === 'refuse') throw new Refusal('insufficient_funds');
      const [row] = await tx.sql<{ count: number }[]>`select count(*)::integer as count from notes`;
      return { success: true as const, message: 'Noted', count: row?.count ?? 0 };
    }),
    bindBatched(writeHot, 'hot-notes', async (tx, calls) => {
      const accepted = calls.filter(({ body }) => body.text !== 'refuse');
      await tx.sql`insert into notes (text) select * from unnest(${accepted.map(({ body }) => body.text)}::text[])`;
      return calls.map(({ body }) =>
        body.text === 'refuse'
          ? new Refusal('insufficient_funds')
          : { success: true as const, message: 'Noted', count: accepted.length },
      );
    }),
    bindHandler(members, greet),
    bindHandler(desk, greet),
    bindHandler(operators, greet),
    bindHandler(broken, async () => {
      throw new Error('select secret from table');
    }),
    bindFile(picture, async () => ({ contentType: 'image/webp', bytes: Buffer.from('picture'), cacheSeconds: 60 })),
    bindHandler(upload, async ({ body, file }) => ({ name: body.name, bytes: file?.bytes.length ?? 0 })),
  ] as Binding[];
}

beforeAll(async () => {
  database = await testDatabase();
  await database.owner`create table notes (text text not null)`;
  await database.owner`grant select, insert, delete on notes to ushirika_member`;
  await database.owner`grant all on notes to ushirika_app`;
  app = await createHttpServer({
    contract,
    bindings: bindings(),
    services: {
      database,
      checkReplies: true,
      gatekeepers: {
        readSession: async (token) =>
          ['member', 'operator', 'outsider'].includes(token)
            ? {
                userId: MEMBER,
                sessionId: MEMBER,
                isOperator: token === 'operator',
                isOperatorInWaiting: false,
                mayHoldOffice: true,
              }
            : null,
        standingOf: async (_user, sacco) => ({
          isMember: sacco === SACCO,
          offices: sacco === SACCO ? ['secretary'] : [],
        }),
      },
    },
    world: database.world,
    publicUrl: 'http://localhost',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: noLimits,
    trustProxy: false,
    logLevel: 'silent',
  });
});
beforeEach(() => database.owner`truncate notes`);
afterAll(async () => {
  await app.close();
  await database.close();
});

const notes = async () => (await database.owner`select text from notes`).map((row) => row.text);
const get = (url: string, token?: string, headers = {}) =>
  app.inject({ url: `/api/v1${url}`, headers: { ...(token ? { authorization: `Token ${token}` } : {}), ...headers } });
const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    headers: { authorization: 'Token member', 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

describe('who may call', () => {
  test('anyone may call a public route, with and without the last slash', async () => {
    expect((await get('/hello')).json()).toEqual({ hello: 'habari' });
    expect((await get('/hello/')).statusCode).toBe(200);
    expect((await post('/notes', { text: 'a' })).statusCode).toBe(201);
  });

  test('a request with no token, a dead token or another scheme is refused, and nothing is written', async () => {
    const without = await app.inject({ method: 'POST', url: '/api/v1/notes/', payload: { text: 'a' } });
    expect([without.statusCode, without.json().code]).toEqual([401, 'not_signed_in']);
    expect((await post('/notes', { text: 'a' }, { authorization: 'Token dead' })).json().code).toBe('session_ended');
    expect((await post('/notes', { text: 'a' }, { authorization: 'Bearer member' })).json().code).toBe('not_signed_in');
    expect(await notes()).toEqual([]);
  });

  test('the caller is checked before the input', async () => {
    expect((await post('/notes', { text: '' }, { authorization: 'Token dead' })).statusCode).toBe(401);
  });

  test('a sacco that the caller is not in and one that does not exist get the same refusal', async () => {
    expect((await get('/members', 'member', { saccoid: SACCO })).statusCode).toBe(200);
    const other = await get('/members', 'member', { saccoid: '01900000-0000-7000-8000-0000000000bb' });
    const nowhere = await get('/members', 'member', { saccoid: '01900000-0000-7000-8000-0000000000cc' });
    expect(other.json().code).toBe('not_a_member');
    expect(other.body).toBe(nowhere.body);
    expect((await get('/members', 'member')).json().code).toBe('sacco_required');
  });

  test('an official of another office than the route names is refused', async () => {
    expect((await get('/desk', 'member', { saccoid: SACCO })).json().code).toBe('not_allowed');
  });

  test('only an operator may call an operator’s route', async () => {
    expect((await get('/operators', 'member')).statusCode).toBe(403);
    expect((await get('/operators', 'operator')).statusCode).toBe(200);
  });
});

describe('what is sent', () => {
  test('each field with a mistake gets its own sentence', async () => {
    const answer = (await post('/notes', { text: '' })).json();
    expect(answer).toMatchObject({ success: false, code: 'validation_failed', errors: { text: ['Say why.'] } });
    expect(answer.detail).toBe(answer.message);
  });

  test.each([
    ['{"text":', 400, 'malformed_request'],
    ['[]', 400, 'malformed_request'],
    ['{"text":"a","__proto__":{"x":1}}', 400, 'malformed_request'],
    [`{"text":"${'a'.repeat(70_000)}"}`, 413, 'payload_too_large'],
  ])('a body that cannot be read is refused: %.30s', async (body, status, code) => {
    const answer = await post('/notes', body);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test('another content type is refused', async () => {
    expect((await post('/notes', 'text=a', { 'content-type': 'text/plain' })).statusCode).toBe(415);
  });

  test('what is no JSON, or says that it is compressed and is not read so, is no fault of ours', async () => {
    const says = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const plain = await post('/notes', '{"text":', says);
    expect(plain.statusCode).toBeLessThan(500);
    expect((await post('/notes', '\u001f\u008b\u0008', says)).statusCode).toBeLessThan(500);
  });

  test('a malformed id in the path is answered as not found', async () => {
    expect((await get('/pictures/nonsense')).statusCode).toBe(404);
    const found = await get(`/pictures/${SACCO}`);
    expect(found.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=60' });
    expect(found.headers['x-content-type-options']).toBe('nosniff');
  });

  test('a form with too large a file is refused, a form without a file is accepted', async () => {
    const form = (bytes: number) =>
      [
        '--cut',
        'content-disposition: form-data; name="name"',
        '',
        'Mwangaza',
        '--cut',
        'content-disposition: form-data; name="logo"; filename="logo.png"',
        '',
        'x'.repeat(bytes),
        '--cut--',
        '',
      ].join('\r\n');
    const type = { 'content-type': 'multipart/form-data; boundary=cut' };
    expect((await post('/uploads', form(10), type)).json()).toEqual({ name: 'Mwangaza', bytes: 10 });
    expect((await post('/uploads', form(1001), type)).statusCode).toBe(413);
    expect((await post('/uploads', { name: 'Mwangaza' })).statusCode).toBe(415);
  });
});

describe('what is answered', () => {
  test('a long answer is compressed for a caller who can read that, a short one and one for others are not', async () => {
    const compressed = await app.inject({ url: '/api/v1/long', headers: { 'accept-encoding': 'gzip, br' } });
    expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual(['br', 'accept-encoding']);
    expect(JSON.parse(brotliDecompressSync(compressed.rawPayload).toString())).toEqual({
      text: 'habari '.repeat(2_000),
    });
    expect(compressed.rawPayload.length).toBeLessThan(200);
    const plain = await app.inject({ url: '/api/v1/long' });
    expect([plain.headers['content-encoding'], plain.json().text.length]).toEqual([undefined, 14_000]);
    const short = await app.inject({ url: '/api/v1/hello', headers: { 'accept-encoding': 'gzip, br' } });
    expect(short.headers['content-encoding']).toBeUndefined();
  });

  test('an internal error is answered by a sentence with a request id, without its cause', async () => {
    const answer = await get('/broken');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 'internal_error', request_id: expect.any(String) });
    expect(answer.body).not.toContain('secret');
  });

  test('outside production a reply with a field that its schema does not have is an error', async () => {
    expect((await get('/too-much')).statusCode).toBe(500);
  });

  test('an unknown path is answered as not found, by our own error body', async () => {
    expect((await get('/nowhere')).json()).toMatchObject({ success: false, code: 'not_found' });
  });

  test('every answer has the security headers, refusals and unknown paths included', async () => {
    const answers = [
      await get('/hello'),
      await get('/notes-of-nobody'),
      await post('/notes', { text: 'a' }, { authorization: '' }),
    ];
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
  });

  test('a method that HTTP knows and Fastify does not gets them too (found by the fuzzer, seed 714544837)', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const line = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
    line.write('PRI *0HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const [heard] = await once(line, 'data');
    line.destroy();
    // The rest on that connection cannot be parsed, and gets an answer of its own.
    const [, first] = String(heard).split('HTTP/1.1 ');
    expect(first).toMatch(/^404 /);
    expect(first).toContain('x-content-type-options: nosniff');
  });

  test('the contract is published as OpenAPI 3.1', async () => {
    const document = (await app.inject('/api/docs/json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(contract.length);
    expect(document.paths['/api/v1/notes'].post.responses['201']).toBeDefined();
  });
});

describe.each(['/notes', '/hot-notes'])('a repeated request to %s', (url) => {
  const key = () => ({ 'idempotency-key': database.newId() });

  test('the same key and body act once and get the same answer', async () => {
    const header = key();
    const first = await post(url, { text: 'once' }, header);
    const second = await post(url, { text: 'once' }, header);
    expect(first.statusCode).toBe(201);
    expect([second.statusCode, second.json()]).toEqual([201, first.json()]);
    expect(await notes()).toEqual(['once']);
  });

  test('the same request eight times at once acts once', async () => {
    const header = key();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(url, { text: 'once' }, header)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await notes()).toEqual(['once']);
  });

  test('one key with two bodies: the second is refused', async () => {
    const header = key();
    await post(url, { text: 'first' }, header);
    const second = await post(url, { text: 'second' }, header);
    expect([second.statusCode, second.json().code]).toEqual([409, 'idempotency_key_reused']);
    expect(await notes()).toEqual(['first']);
  });

  test('one key with two bodies at once: one acts, the other is refused', async () => {
    const header = key();
    const answers = await Promise.all(['one', 'two'].map((text) => post(url, { text }, header)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    expect(await notes()).toHaveLength(1);
  });

  test('a refused request leaves nothing and may be tried again with its key', async () => {
    const header = key();
    expect((await post(url, { text: 'refuse' }, header)).json().code).toBe('insufficient_funds');
    expect(await notes()).toEqual([]);
    expect((await post(url, { text: 'refuse' }, header)).json().code).toBe('insufficient_funds');
  });

  test('without a key two requests are two acts', async () => {
    await Promise.all([post(url, { text: 'a' }), post(url, { text: 'a' })]);
    expect(await notes()).toEqual(['a', 'a']);
  });
});

test('a refused call of a batch does not affect the other calls', async () => {
  const answers = await Promise.all(['a', 'refuse', 'b'].map((text) => post('/hot-notes', { text })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 422, 201]);
  expect((await notes()).sort()).toEqual(['a', 'b']);
});

test('a server starts only when each route of the contract is bound once, and nothing else is', () => {
  const greet = bindHandler(hello, async () => ({ hello: '' })) as Binding;
  expect(() => assertAllBound([hello, write], [greet])).toThrow('write is bound by nobody');
  expect(() => assertAllBound([hello], [greet, greet])).toThrow('hello is bound twice');
  expect(() => assertAllBound([], [greet])).toThrow('hello is not in the contract');
  expect(() => assertAllBound([{ ...hello, caller: undefined as never }], [greet])).toThrow('hello declares no caller');
});
