import type { RefusalCode } from '@ushirika/contract/refusals';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { changeProfile } from './change-profile.ts';
import { endSessions } from './open-session.ts';
import { provePassword, requireProof } from './prove-password.ts';
import { register } from './register.ts';
import {
  confirmByHand,
  ELSEWHERE,
  HOME,
  PASSWORD,
  personNumber,
  signUp,
  type TestIdentity,
  testIdentity,
} from './test-identity.ts';

let database: TestDatabase;
let identity: TestIdentity;
let n = 0;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  identity = testIdentity(database);
  n += 1;
});
afterAll(() => database.close());

const MINUTE = 60_000;

const codeOf = (work: Promise<unknown>): Promise<RefusalCode | 'nothing was refused'> =>
  work.then(
    () => 'nothing was refused',
    (error) => error.code,
  );

test('signing up or in vouches for a session for fifteen minutes, then the password is asked for again', async () => {
  const { actor } = await signUp(identity, personNumber(n));
  const required = () => codeOf(database.transaction((tx) => requireProof(tx, actor)));
  expect(await required()).toBe('nothing was refused');
  database.world.advance(15 * MINUTE);
  expect(await required()).toBe('proof_required');
  expect(await codeOf(provePassword(identity, actor, { currentPassword: 'Wrong#2026' }))).toBe(
    'current_password_wrong',
  );
  expect(await required()).toBe('proof_required');
  const until = await provePassword(identity, actor, { currentPassword: PASSWORD });
  expect(until.getTime() - database.now().getTime()).toBe(15 * MINUTE);
  expect(await required()).toBe('nothing was refused');
});

test('a session that was ended while its request waited is vouched for by nothing', async () => {
  const { actor } = await signUp(identity, personNumber(n));
  await database.transaction((tx) => endSessions(tx, actor.userId, 'password_reset'));
  expect(await codeOf(database.transaction((tx) => requireProof(tx, actor)))).toBe('proof_required');
});

test('five wrong passwords of a signed-in thief end the guessing, for all sessions of the person', async () => {
  const { actor } = await signUp(identity, personNumber(n));
  for (let time = 0; time < 5; time += 1) await codeOf(provePassword(identity, actor, { currentPassword: 'No#2026' }));
  expect(await codeOf(provePassword(identity, actor, { currentPassword: PASSWORD }))).toBe('too_many_requests');
});

test('what belongs to another account is told a hundred times to a network and twenty times to a person, then no more for a while', async () => {
  const { actor, person, user } = await signUp(identity, personNumber(n));
  await confirmByHand(identity, { user });
  const prying = (k: number, origin = ELSEWHERE) =>
    codeOf(register(identity, { ...personNumber(5_000 + n * 200 + k), email: person.email }, origin));
  for (let time = 0; time < 100; time += 1) expect(await prying(time)).toBe('validation_failed');
  expect(await prying(100)).toBe('too_many_requests');
  expect(await prying(101, HOME)).toBe('validation_failed');
  const other = await signUp(identity, personNumber(9_000 + n));
  const take = () =>
    codeOf(
      changeProfile(identity, other.actor, {
        firstName: 'A',
        lastName: 'B',
        phone: person.phone_number,
        email: other.person.email,
      }),
    );
  for (let time = 0; time < 20; time += 1) expect(await take()).toBe('validation_failed');
  expect(await take()).toBe('too_many_requests');
  expect(actor.userId).not.toBe(other.actor.userId);
});
