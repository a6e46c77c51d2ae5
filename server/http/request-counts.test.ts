import { Refusal } from '@ushirika/contract/refusal';
import { route } from '@ushirika/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { type Binding, bindHandler } from './bind.ts';
import { RATE_LIMITS } from './request-counts.ts';
import { testApp } from './test-app.ts';

const base = { summary: '', body: z.object({}), reply: z.object({ ok: z.boolean() }) };
const enter = route({
  ...base,
  name: 'enter',
  method: 'POST',
  path: '/enter',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({ id_number: z.string(), password: z.string() }),
});
const join = route({ ...base, name: 'join', method: 'POST', path: '/join', caller: 'anyone', repetition: 'natural' });
const mine = route({ ...base, name: 'mine', method: 'GET', path: '/mine', caller: 'signed_in', repetition: 'read' });
const list = route({ ...base, name: 'list', method: 'GET', path: '/list', caller: 'anyone', repetition: 'read' });
const find = route({
  ...base,
  name: 'find',
  method: 'GET',
  path: '/find/{id}',
  caller: 'anyone',
  repetition: 'read',
  params: z.object({ id: z.enum(['here', 'gone']) }),
});

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: string[];

beforeAll(async () => {
  database = await testDatabase();
  const ok = async () => ({ ok: true });
  app = await testApp({
    database,
    contract: [enter, join, mine, list, find],
    bindings: [
      bindHandler(
        enter,
        async ({ body }) => {
          if (body.password !== 'right') throw new Refusal('invalid_credentials');
          return { ok: true };
        },
        async ({ ip, body }) => `${(body as { id_number?: string }).id_number}@${ip}`,
      ),
      bindHandler(find, async ({ params }) => {
        if (params.id === 'gone') throw new Refusal('not_found');
        return { ok: true };
      }),
      ...[join, mine, list].map((each) => bindHandler(each, ok)),
    ] as Binding[],
    rateLimits: RATE_LIMITS,
  });
  people = Array.from({ length: 3 }, () => database.newId());
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const signIn = (id: string, password: string, address: string) =>
  app.call('POST', '/enter', { body: { id_number: id, password }, address });
const statuses = async (answers: Promise<{ status: number }>[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('a general meeting of 300 members signs in behind one address within a minute, and again after the tea', async () => {
  const everybody = () =>
    statuses(Array.from({ length: 300 }, (_, each) => signIn(String(10_000_000 + each), 'right', '10.1.0.1')));
  expect(await everybody()).toEqual({ 200: 300 });
  expect(await everybody()).toEqual({ 200: 300 });
});

test('300 people sign up behind one address within a minute', async () => {
  const answers = Array.from({ length: 300 }, () => app.call('POST', '/join', { body: {}, address: '10.1.0.2' }));
  expect(await statuses(answers)).toEqual({ 200: 300 });
});

test('450 wrong passwords from one network are judged in 15 minutes, for whichever accounts; another network is free', async () => {
  const guess = (id: number) => signIn(String(20_000_000 + id), 'wrong', '10.1.0.3');
  for (let each = 0; each < 450; each += 1) expect((await guess(each)).status).toBe(401);
  const refused = await guess(450);
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await signIn('20000000', 'right', '10.1.0.4')).status).toBe(200);
});

test('a sign-in is tried 30 times in a minute for one account of one network; its neighbour and its owner elsewhere are free', async () => {
  const tries = Array.from({ length: 40 }, () => signIn('30000000', 'right', '10.1.0.5'));
  expect(await statuses(tries)).toEqual({ 200: 30, 429: 10 });
  expect((await signIn('30000001', 'right', '10.1.0.5')).status).toBe(200);
  expect((await signIn('30000000', 'right', '10.1.0.6')).status).toBe(200);
});

test('a signed-in person reads a page 600 times in a minute, and the next person at the same address as often', async () => {
  const read = (as: string | undefined) => app.call('GET', '/mine', { ...(as ? { as } : {}), address: '10.1.0.7' });
  const [first, second] = people;
  expect(await statuses(Array.from({ length: 610 }, () => read(first)))).toEqual({ 200: 600, 429: 10 });
  expect((await read(second)).status).toBe(200);
});

test('visitors of one network read a public page 6,000 times in a minute', async () => {
  for (let round = 0; round < 6; round += 1) {
    const reads = Array.from({ length: 1000 }, () => app.call('GET', '/list', { address: '10.1.0.8' }));
    expect(await statuses(reads)).toEqual({ 200: 1000 });
  }
  expect((await app.call('GET', '/list', { address: '10.1.0.8' })).status).toBe(429);
});

test('asking 500 times for what is not there keeps no neighbour from reading what is', async () => {
  const find = (id: string) => app.call('GET', `/find/${id}`, { address: '10.1.0.9' });
  for (const id of ['gone', 'malformed']) {
    expect(await statuses(Array.from({ length: 250 }, () => find(id)))).toEqual({ 404: 250 });
  }
  expect((await find('here')).status).toBe(200);
});

test('asking 500 times for a page without a session keeps no neighbour from their own page', async () => {
  const read = (as?: string) => app.call('GET', '/mine', { ...(as ? { as } : {}), address: '10.1.0.10' });
  expect(await statuses(Array.from({ length: 500 }, () => read()))).toEqual({ 401: 500 });
  expect((await read(people[2])).status).toBe(200);
});

test('asking for what is not there is a read too, of which a network has 6,000 in a minute', async () => {
  const find = (id: string) => app.call('GET', `/find/${id}`, { address: '10.1.0.11' });
  for (let round = 0; round < 6; round += 1) {
    expect(await statuses(Array.from({ length: 1000 }, () => find('gone')))).toEqual({ 404: 1000 });
  }
  expect((await find('here')).status).toBe(429);
});
