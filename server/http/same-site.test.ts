import { route } from '@ushirika/contract/route';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { type Binding, bindHandler } from './bind.ts';
import { createHttpServer } from './server.ts';
import { noLimits } from './test-app.ts';

const greet = route({
  name: 'greet',
  method: 'POST',
  path: '/greet',
  summary: '',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({ name: z.string() }),
  reply: z.object({ hello: z.string() }),
});
const look = route({ ...greet, name: 'look', method: 'GET', path: '/look', repetition: 'read', body: z.object({}) });
const tell = route({ ...greet, name: 'tell', path: '/tell', caller: 'provider' });
const form = { ...greet, name: 'form', path: '/form', bodyType: 'multipart' as const };

let database: TestDatabase;
let app: FastifyInstance;
let greeted = 0;

beforeAll(async () => {
  database = await testDatabase();
  const hello = async () => {
    greeted += 1;
    return { hello: 'habari' };
  };
  app = await createHttpServer({
    contract: [greet, look, tell, form],
    bindings: [greet, look, tell, form].map((each) => bindHandler(each, hello)) as Binding[],
    services: {
      database,
      gatekeepers: { readSession: async () => null, standingOf: async () => ({ isMember: false, offices: [] }) },
      checkReplies: true,
    },
    world: database.world,
    publicUrl: 'https://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: { ...noLimits, networkPerQuarter: 30 },
    trustProxy: false,
    logLevel: 'silent',
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const BODY = '{"name":"Wanjiru"}';
/** Each test uses addresses of its own, so that they do not share a rate limit. */
let address = 0;
const from = () => {
  address += 1;
  return `10.0.0.${address}`;
};

const send = (path: string, headers: Record<string, string>, remoteAddress = from(), payload = BODY) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    remoteAddress,
    headers: { host: 'app.ushirika.test', 'content-type': 'application/json', ...headers },
    payload,
  });

test.each([
  ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site', origin: 'https://app.ushirika.test' }],
  ['a neighbour of our domain', { 'sec-fetch-site': 'same-site' }],
  ['another site, by Origin', { origin: 'https://evil.example' }],
  ['our name in front of another', { origin: 'https://app.ushirika.test.evil.example' }],
  ['another port', { origin: 'https://app.ushirika.test:8443' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['no address at all', { origin: 'evil' }],
])('a request from the page of another site changes nothing: %s', async (_what, headers) => {
  const before = greeted;
  const answer = await send('/greet', headers);
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'cross_site_request']);
  expect(greeted).toBe(before);
});

test.each([
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://app.ushirika.test' }],
  ['our own page in an old browser', { origin: 'https://app.ushirika.test' }],
  ['our public address, behind a proxy that renames the host', { origin: 'https://ushirika.test' }],
  ['no browser at all', {}],
])('a request from %s is accepted', async (_what, headers) => {
  expect((await send('/greet', headers)).statusCode).toBe(200);
});

test('callbacks of M-Pesa and reads are accepted whatever Origin they name', async () => {
  expect((await send('/tell', { origin: 'https://safaricom.example' })).statusCode).toBe(200);
  const looked = await app.inject({ url: '/api/v1/look', headers: { origin: 'https://evil.example' } });
  expect(looked.statusCode).toBe(200);
});

test.each([
  ['application/x-www-form-urlencoded', 'name=Wanjiru'],
  ['application/x-www-form-urlencoded', BODY],
  ['text/plain', BODY],
  ['text/plain; application/json', BODY],
  ['application/jsonp', BODY],
  ['multipart/form-data; boundary=application/json', BODY],
  ['', BODY],
])('a body that is not JSON is refused, even if it reads as JSON: %s', async (type, payload) => {
  const before = greeted;
  const answer = await send('/greet', { 'content-type': type }, from(), payload);
  expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
  expect(greeted).toBe(before);
});

test('a form with a file is accepted from our own pages only', async () => {
  const type = { 'content-type': 'multipart/form-data; boundary=cut' };
  const payload = '--cut\r\ncontent-disposition: form-data; name="name"\r\n\r\nWanjiru\r\n--cut--\r\n';
  const foreign = await send('/form', { ...type, origin: 'https://evil.example' }, from(), payload);
  expect(foreign.json().code).toBe('cross_site_request');
  expect((await send('/form', { ...type, 'sec-fetch-site': 'same-origin' }, from(), payload)).statusCode).toBe(200);
});

test('requests that a foreign page makes do not count towards the rate limit of its visitor’s network', async () => {
  const home = from();
  for (let time = 0; time < 40; time += 1) await send('/greet', { origin: 'https://evil.example' }, home);
  expect((await send('/greet', {}, home)).statusCode).toBe(200);
});

test('no answer allows another site to send requests or to read answers', async () => {
  const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const preflight = await app.inject({ method: 'OPTIONS', url: '/api/v1/greet', headers: asked });
  const posted = await send('/greet', { origin: 'https://evil.example' });
  expect(preflight.statusCode).toBe(404);
  for (const { headers } of [preflight, posted]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
