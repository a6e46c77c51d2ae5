import net from 'node:net';
import { Writable } from 'node:stream';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, NEVER_LOGGED } from '../../server/http/server.ts';
import { listen } from '../support/live-stream.ts';
import { type AttackApp, attackApp, PASSWORD } from '../support/test-product.ts';
import { sleep } from '../support/waiting.ts';

let world: AttackApp;

beforeAll(async () => {
  world = await attackApp();
});
afterAll(() => world.close());

test('listening keeps nobody signed in: a session whose person does nothing ends in its time', async () => {
  const person = await world.person('Idle');
  const { heard, stop } = await listen(world.origin, person.token);
  await expect.poll(() => heard.text).toContain('event: wallet');
  world.database.world.advance(30 * 60_000);
  // The stream looks whether it may stay, as at every heartbeat and event.
  await world.database.transaction(
    (tx) => tx.sql`select pg_notify('client_live', ${JSON.stringify({ userId: person.id, thing: 'wallet', id: '' })})`,
  );
  await sleep(300);
  world.database.world.advance(31 * 60_000);
  expect((await world.call('GET', '/client/', { as: person })).status).toBe(401);
  stop();
});

test('a phone that is changed by a thief takes no money, and brings no reset code', async () => {
  const person = await world.person('Robbed');
  await world.saccos.fund(person.id, 10_000_00);
  await world.confirmPhone(person);
  const thiefs = '254788000777';
  const change = { first_name: 'Robbed', last_name: 'Attacked', phone_number: thiefs, email: person.email };
  expect((await world.call('PATCH', '/client/', { as: person, body: change })).status).toBe(200);
  const take = (phone: string) =>
    world.call('POST', '/integrations/mpesa/withdraw', { as: person, body: { amount: 100, phone } });
  expect((await take(thiefs)).body.code).toBe('phone_unconfirmed');
  expect((await take(person.phone)).body.code).toBe('phone_unconfirmed');
  await world.call('POST', '/auth/forgot-password/', { body: { id_number: person.idNumber, phone_number: thiefs } });
  await world.runJobs();
  const codes = await world.database.sql`select from reset_codes where user_id = ${person.id}`;
  expect(codes).toHaveLength(0);
  // The thief holds the new phone and reads its code; the password is what is missing.
  expect((await world.call('POST', '/client/phone-confirmation', { as: person })).status).toBe(200);
  const [text = ''] = await world.textsTo(thiefs);
  const code = /\d{4} \d{4}/.exec(text)?.[0];
  expect(code).toBeDefined();
  const confirm = (body: object) => world.call('POST', '/client/phone-confirmation/code', { as: person, body });
  expect((await confirm({ code })).body.code).toBe('current_password_wrong');
  expect((await confirm({ code, current_password: 'Guess#2026' })).body.code).toBe('current_password_wrong');
  expect((await take(thiefs)).body.code).toBe('phone_unconfirmed');
  // With the password too, the money waits a day, and the phone before it has been told.
  expect((await confirm({ code, current_password: PASSWORD })).status).toBe(200);
  expect((await take(thiefs)).body.code).toBe('payout_held');
  const back = { ...change, phone_number: person.phone };
  await world.call('PATCH', '/client/', { as: person, body: back });
  expect((await take(person.phone)).body.code).toBe('phone_unconfirmed');
});

test('a reset code that was on its way is worth nothing once the password was changed', async () => {
  const person = await world.person('Careful');
  const forgot = { id_number: person.idNumber, phone_number: person.phone };
  expect((await world.call('POST', '/auth/forgot-password/', { body: forgot })).status).toBe(200);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await world.textsTo(person.phone))[0] ?? '')?.[0];
  expect(code).toBeDefined();
  const change = { current_password: PASSWORD, password: 'Nyingine#2028' };
  expect((await world.call('POST', '/client/password', { as: person, body: change })).status).toBe(200);
  const reset = { reset_code: code, password: 'Mwizi#2029' };
  const refused = await world.call('POST', '/auth/reset-password/', { body: reset });
  expect([refused.status, refused.body.code]).toEqual([400, 'reset_code_invalid']);
  const signIn = (password: string) =>
    world.call('POST', '/auth/login/', { body: { id_number: person.idNumber, password, user_type: 'client' } });
  expect((await signIn('Mwizi#2029')).status).toBe(401);
  expect((await signIn('Nyingine#2028')).status).toBe(200);
});

test('a request that never comes to its end is cut off', async () => {
  const server = await createHttpServer({
    contract: [],
    bindings: [],
    services: { database: world.database, checkReplies: true, gatekeepers: {} as never },
    world: world.database.world,
    publicUrl: 'http://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: null as never,
    trustProxy: false,
    logLevel: 'silent',
  });
  expect(server.server.requestTimeout).toBe(60_000);
  await server.close();
});

test.each([
  ['0', '10.0.0.9', '10.0.0.9'],
  ['1', '10.0.0.9', '198.51.100.7'],
  ['2', '10.0.0.9', '203.0.113.1'],
])('with TRUST_PROXY=%s the caller’s address is what our own proxies say it is', async (trust, peer, seen) => {
  const behind = await attackApp({ TRUST_PROXY: trust, RATE_LIMITS: '1' });
  const person = await behind.call('POST', '/auth/register/', {
    address: peer,
    // The client wrote the first; each proxy added who spoke to it.
    headers: { 'x-forwarded-for': '192.0.2.66, 203.0.113.1, 198.51.100.7' },
    body: {
      first_name: 'P',
      last_name: 'Q',
      id_number: 'PX123456',
      phone_number: '254733999888',
      email: 'p@q.example',
      password: PASSWORD,
      user_type: 'client',
    },
  });
  expect(person.status).toBe(201);
  const [session] = await behind.database.sql<{ address: string }[]>`select address from sessions`;
  expect(session?.address).toBe(seen);
  await behind.close();
});

test('made-up addresses buy no more requests than one’s own', async () => {
  const limited = await attackApp({ RATE_LIMITS: '1' });
  const counts: Record<number, number> = {};
  for (let index = 0; index < 455; index += 1) {
    const { status, headers } = await limited.call('POST', '/auth/forgot-password/', {
      headers: { 'x-forwarded-for': `198.51.100.${index % 250}`, 'x-real-ip': `198.51.100.${index % 250}` },
      body: { id_number: 'NOBODY12', phone_number: '254700000001' },
    });
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 429) expect(headers['retry-after']).toBeDefined();
  }
  expect(counts).toEqual({ 200: 450, 429: 5 });
  await limited.close();
});

test('no log of any level holds a token, or the row that the database refused', async () => {
  const { id } = await world.person('Logged');
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = Fastify({ logger: { level: 'trace', redact: [...NEVER_LOGGED], stream } });
  await app.register(multipart);
  app.post('/', async (request) => {
    for await (const part of request.parts()) void part;
    const broken = await world.database.owner`update users set phone = 'secret-phone' where id = ${id}`.catch(
      (error: unknown) => error,
    );
    request.log.error({ err: broken }, 'unexpected error');
    return {};
  });
  const authorization = 'Token SECRETSECRETSECRET';
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=e' };
  await app.inject({ method: 'POST', url: '/', headers, payload: '--e--\r\n' });
  await app.close();
  expect(lines.join('')).toContain('busboy');
  expect(lines.join('')).toContain('violates check constraint');
  expect(lines.join('')).not.toMatch(/SECRETSECRET|secret-phone/);
});

test('two heads in one request are refused before anybody reads them', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = net.connect(world.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
    socket.write(
      'POST /api/v1/auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/operator/health HTTP/1.1\r\nHost: x\r\n\r\n',
    );
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400/);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('in production, or with a real M-Pesa, there is no demonstration and no simulator', async () => {
  const real = {
    NODE_ENV: 'production',
    MPESA_BASE_URL: 'http://127.0.0.1:9',
    MPESA_CONSUMER_KEY: 'k',
    MPESA_CONSUMER_SECRET: 's',
    MPESA_SHORTCODE: '600000',
    MPESA_PASSKEY: 'p',
    SMS_BASE_URL: 'http://127.0.0.1:9',
    SMS_USERNAME: 'u',
    SMS_API_KEY: 'k',
    SIMULATOR_AUTO: '',
    DEMO: '',
  };
  const production = await attackApp(real);
  expect(production.config.demo).toBe(false);
  expect(production.config.requireTotp).toBe(true);
  for (const path of [
    '//simulator',
    '//simulator/',
    '//simulator/api/messages',
    '//SIMULATOR/api/messages',
    '//simulator/mpesa/stkpush/v1/processrequest',
  ]) {
    expect((await production.call('GET', path)).status, path).toBe(404);
    expect((await production.call('POST', path, { body: {} })).status, path).toBe(404);
  }
  await production.close();
  await expect(attackApp({ ...real, SIMULATOR: '1' })).rejects.toThrow('SIMULATOR');
});
