import { identityContract } from '@ushirika/contract/identity';
import { notificationsContract } from '@ushirika/contract/notifications';
import { route } from '@ushirika/contract/route';
import { byTopic } from '@ushirika/contract/topics';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { bindHandler } from '../../http/bind.ts';
import { createHttpServer } from '../../http/server.ts';
import { noLimits } from '../../http/test-app.ts';
import { notificationsRoutes } from '../notifications/notifications.routes.ts';
import { identityRoutes } from './identity.routes.ts';
import { grantOperator } from './operators.ts';
import { sendResetCode } from './send-reset-code.ts';
import { PASSWORD, personNumber, sessionReader, testIdentity, textsTo, type WANJIRU } from './test-identity.ts';

const SACCO = '00000000-0000-7000-8000-00000000aaaa';
const reply = z.object({ offices: z.array(z.string()) });
const probe = { repetition: 'read', summary: 'What the caller may do.', reply } as const;
const forOperators = route({
  ...probe,
  name: 'forOperators',
  method: 'GET',
  path: '/probe/operators',
  caller: 'operator',
});
const forOfficials = route({
  ...probe,
  name: 'forOfficials',
  method: 'GET',
  path: '/probe/officials',
  caller: 'official',
});
const forMembers = route({ ...probe, name: 'forMembers', method: 'GET', path: '/probe/members', caller: 'member' });

let database: TestDatabase;
let app: FastifyInstance;
let strict: FastifyInstance;
let n = 0;

/** The real HTTP layer with real sessions. Everyone is the treasurer of one sacco. */
function serve(requireSecondFactor: boolean) {
  const identity = testIdentity(database, { requireSecondFactor });
  const bindings = [
    ...identityRoutes(identity),
    ...notificationsRoutes({ database, publicUrl: 'https://ushirika.test', smsReportSecret: 'reports' }),
    ...[forOperators, forOfficials, forMembers].map((probed) =>
      bindHandler(probed, async ({ actor }) => ({ offices: [...actor.offices] })),
    ),
  ];
  return createHttpServer({
    contract: [...identityContract, ...notificationsContract, forOperators, forOfficials, forMembers],
    bindings: bindings as never,
    services: {
      database,
      gatekeepers: {
        readSession: sessionReader(identity),
        standingOf: async () => ({ isMember: true, offices: ['treasurer'] }),
      },
      checkReplies: true,
    },
    world: database.world,
    publicUrl: 'https://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: noLimits,
    trustProxy: false,
    logLevel: 'error',
  });
}

beforeAll(async () => {
  database = await testDatabase();
  app = await serve(false);
  strict = await serve(true);
});
beforeEach(() => {
  n += 1;
});
afterAll(async () => {
  await Promise.all([app.close(), strict.close()]);
  await database.close();
});

async function call(method: InjectOptions['method'], path: string, token?: string, body?: object, on = app) {
  const response = await on.inject({
    method,
    url: `/api/v1${path}`,
    headers: token === undefined ? {} : { authorization: `Token ${token}`, saccoid: SACCO },
    ...(body ? { payload: body } : {}),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const signUp = async (person: typeof WANJIRU, on = app) => {
  const answer = await call('POST', '/auth/register/', undefined, { ...person, referal_code: '' }, on);
  expect(answer.status).toBe(201);
  return answer.body as { token: string; user: { id: string } };
};
const credentials = ({ id_number }: typeof WANJIRU, password = PASSWORD) => ({
  id_number,
  password,
  user_type: 'client',
});

describe('identity over HTTP', () => {
  test('a person signs up, signs in, sees the profile, and is out on the request after signing out', async () => {
    const person = personNumber(n);
    await signUp(person);
    const { status, body } = await call('POST', '/auth/login/', undefined, credentials(person));
    expect([status, body.success, body.user.id_number]).toEqual([200, true, person.id_number]);
    expect((await call('GET', '/client/', body.token)).body.user).toEqual(body.user);
    const out = await call('POST', '/auth/logout/', body.token, {});
    expect(out.body).toEqual({ success: true, message: 'You been logged out ' });
    const after = await call('GET', '/client/', body.token);
    expect([after.status, after.body.code]).toEqual([401, 'session_ended']);
  });

  test('every call answers with and without its trailing slash', async () => {
    const person = personNumber(n);
    const { token } = await signUp(person);
    expect((await call('GET', '/client', token)).status).toBe(200);
    expect((await call('POST', '/auth/login', undefined, credentials(person))).status).toBe(200);
  });

  test('sign-up answers bad fields with a sentence for each, under `errors`', async () => {
    const bad = { ...personNumber(n), id_number: 'x', email: 'x', phone_number: 'x', referal_code: null };
    const { status, body } = await call('POST', '/auth/register/', undefined, bad);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'validation_failed' });
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'id_number', 'phone_number']);
    expect(body.detail).toBe(body.message);
  });

  test('a stranger’s sign-in and a wrong password are the same answer to the letter, headers too', async () => {
    const person = personNumber(n);
    await signUp(person);
    const known = await call('POST', '/auth/login/', undefined, credentials(person, 'Wrong#2026'));
    const stranger = await call('POST', '/auth/login/', undefined, credentials(personNumber(n + 5000), 'Wrong#2026'));
    expect(known.status).toBe(401);
    expect(known.body).toEqual({
      success: false,
      code: 'invalid_credentials',
      message: 'Invalid ID number or password',
      detail: 'Invalid ID number or password',
    });
    expect(stranger).toEqual({ ...known, headers: sameBut(stranger.headers, known.headers) });
  });

  test('a forgotten password is answered the same to the letter, whether the pair exists or not', async () => {
    const person = personNumber(n);
    await signUp(person);
    const ask = (id_number: string, phone_number: string) =>
      call('POST', '/auth/forgot-password/', undefined, { id_number, phone_number });
    const known = await ask(person.id_number, person.phone_number);
    const stranger = await ask('NOBODY99', person.phone_number);
    const wrongPhone = await ask(person.id_number, '0700 000 000');
    expect(known.status).toBe(200);
    expect(known.body.success).toBe(true);
    expect(stranger).toEqual({ ...known, headers: sameBut(stranger.headers, known.headers) });
    expect(wrongPhone).toEqual({ ...known, headers: sameBut(wrongPhone.headers, known.headers) });
  });

  test('the code of the SMS resets the password, and the tokens from before are dead on the next request', async () => {
    const person = personNumber(n);
    const { token } = await signUp(person);
    const { id_number, phone_number } = person;
    await call('POST', '/auth/forgot-password/', undefined, { id_number, phone_number });
    for (const { id } of await database.sql<{ id: string }[]>`select id from reset_requests`) {
      await sendResetCode(testIdentity(database), { id });
    }
    const reset_code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await textsTo(database, phone_number))[0] ?? '')?.[0] ?? '';
    const done = await call('POST', '/auth/reset-password/', undefined, { reset_code, password: 'Umoja#2027' });
    expect(done.body).toEqual({ success: true, message: 'Your password has been reset. Sign in with the new one.' });
    expect((await call('GET', '/client/', token)).status).toBe(401);
  });

  test('too many attempts are told in how many seconds to come again', async () => {
    const person = personNumber(n + 6000);
    for (let time = 0; time < 10; time += 1) {
      await call('POST', '/auth/login/', undefined, credentials(person, 'Wrong#2026'));
    }
    const refused = await call('POST', '/auth/login/', undefined, credentials(person));
    expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([
      429,
      '900',
      'too_many_requests',
    ]);
  });

  test('the profile is changed in the words of the spec', async () => {
    const person = personNumber(n);
    const { token } = await signUp(person);
    const { first_name, last_name, email } = person;
    const changed = await call('PATCH', '/client/', token, {
      first_name,
      last_name,
      email,
      phone_number: '0733 123 456',
    });
    expect(changed.body).toMatchObject({
      success: true,
      message: 'Update was Successfull',
      phone_confirmation_required: true,
    });
    expect(changed.body.user.phone_number).toBe('254733123456');
  });

  test('sessions, phone, password, app, preferences and notifications answer by their schemas', async () => {
    const person = personNumber(n);
    const { token } = await signUp(person);
    const sessions = await call('GET', '/client/sessions', token);
    expect(sessions.body).toMatchObject({ count: 1, next: null, previous: null, results: [{ current: true }] });
    const phone = await call('POST', '/client/phone-confirmation', token);
    expect(phone.body).toMatchObject({ success: true, password_required: false });
    const code = /\d{4} \d{4}/.exec((await textsTo(database, person.phone_number))[0] ?? '')?.[0];
    expect((await call('POST', '/client/phone-confirmation/code', token, { code })).status).toBe(200);
    const app = await call('POST', '/client/second-factor', token, { current_password: PASSWORD });
    expect(app.body.uri).toContain(app.body.secret);
    expect((await call('POST', '/client/second-factor/confirmation', token, { otp: '000000' })).status).toBe(400);
    const preferences = { language: 'sw', sms: { ...byTopic(() => true), saccos: false, referrals: false } };
    await call('PUT', '/client/preferences', token, preferences);
    expect((await call('GET', '/client/preferences', token)).body).toEqual(preferences);
    const page = await call('GET', '/client/notifications?limit=1', token);
    expect(page.body.next).toMatch(/^https:\/\/ushirika\.test\/api\/v1\/client\/notifications\?limit=1&cursor=/);
    expect((await call('POST', '/client/notifications/read', token, {})).body.unread).toBe(0);
    const same = await call('POST', '/client/password', token, { current_password: PASSWORD, password: PASSWORD });
    const why = 'That is the password you have now. Choose another one.';
    expect(same.body).toMatchObject({ code: 'password_too_weak', errors: { password: [why] } });
    const passwords = { current_password: PASSWORD, password: 'Umoja#2027' };
    expect((await call('POST', '/client/password', token, passwords)).status).toBe(200);
    const { id } = sessions.body.results[0];
    expect((await call('DELETE', `/client/sessions/${id}`, token)).status).toBe(200);
    expect((await call('GET', '/client/sessions', token)).status).toBe(401);
  });

  test('where offices need an authenticator app, they are held back until there is one, and nothing else is', async () => {
    const { token, user } = await signUp(personNumber(n), strict);
    const [officials, members] = ['/probe/officials', '/probe/members'];
    const refused = await call('GET', officials, token, undefined, strict);
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_enrolment_required']);
    expect((await call('GET', members, token, undefined, strict)).body).toEqual({ offices: [] });
    expect((await call('GET', '/probe/operators', token, undefined, strict)).body.code).toBe('not_allowed');
    await database.transaction((tx) => grantOperator(tx, user.id));
    const waiting = await call('GET', '/probe/operators', token, undefined, strict);
    expect(waiting.body.code).toBe('second_factor_enrolment_required');
    expect((await call('GET', '/client/', token, undefined, strict)).status).toBe(200);
    expect((await call('GET', officials, token)).body).toEqual({ offices: ['treasurer'] });
    expect((await call('GET', '/probe/operators', token)).status).toBe(200);
  });
});

/** The headers of one answer where they must differ from another's: the time and counters of the rate limit. */
function sameBut(headers: Record<string, unknown>, wanted: Record<string, unknown>): Record<string, unknown> {
  const own = ['date'];
  return {
    ...wanted,
    ...Object.fromEntries(own.filter((name) => name in headers).map((name) => [name, headers[name]])),
  };
}
