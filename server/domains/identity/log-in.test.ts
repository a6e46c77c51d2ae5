import { english } from '@ushirika/contract/in-words';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { logIn } from './log-in.ts';
import { logOut, logOutEverywhere } from './log-out.ts';
import {
  device,
  ELSEWHERE,
  HOME,
  PASSWORD,
  personNumber,
  refusalOf,
  sessionReader,
  signIn,
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
const wrongTimes = async (count: number, idNumber: string, origin = ELSEWHERE) => {
  const codes: string[] = [];
  for (let time = 0; time < count; time += 1) {
    codes.push((await refusalOf(signIn(identity, idNumber, 'Wrong#2026', origin))).code);
  }
  return codes;
};

describe('signing in', () => {
  test('gives a new token each time, and the older one goes on', async () => {
    const { person, token } = await signUp(identity, personNumber(n));
    const reply = await signIn(identity, person.id_number);
    expect(english(reply.message)).toBe('Welcome back, Wanjiru');
    expect(reply.token).not.toBe(token);
    const read = sessionReader(identity);
    expect(await Promise.all([read(token), read(reply.token)])).not.toContain(null);
  });

  test('is refused for another kind of user than a client', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const input = { id_number: person.id_number, password: PASSWORD, user_type: 'admin' };
    expect(await refusalOf(logIn(identity, input, HOME))).toMatchObject({ code: 'user_type_not_allowed', status: 400 });
  });

  test('an account from before zeros were folded is found by the number with its zeros, another one by the number without', async () => {
    const [kept, folded] = [await signUp(identity, personNumber(n)), await signUp(identity, personNumber(n + 500))];
    const number = folded.person.id_number;
    await database.owner`update users set id_number = ${`0${number}`} where id = ${kept.user.id}`;
    for (const [typed, whose] of [
      [`0${number}`, kept],
      [number, folded],
      [`00${number}`, folded],
    ] as const) {
      expect((await signIn(identity, typed)).user.id).toBe(whose.user.id);
    }
    expect(await wrongTimes(9, number)).not.toContain('too_many_requests');
    // Whoever signs in to the one takes back no failure of the other; and zeros before the number bring no new guesses.
    await signIn(identity, `0${number}`);
    expect((await wrongTimes(2, `000${number}`)).at(-1)).toBe('too_many_requests');
  });

  test('a stranger and a wrong password get the same words at the price of the same one hash', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const before = identity.passwords.begun();
    const wrong = await refusalOf(signIn(identity, person.id_number, 'Wrong#2026'));
    const between = identity.passwords.begun();
    const stranger = await refusalOf(signIn(identity, `NOBODY${n}`, 'Wrong#2026'));
    const malformed = await refusalOf(signIn(identity, '?', 'Wrong#2026'));
    expect([between - before, identity.passwords.begun() - between]).toEqual([1, 2]);
    expect(stranger.body()).toEqual(wrong.body());
    expect(malformed.body()).toEqual(wrong.body());
    expect(wrong.body()).toEqual({
      success: false,
      code: 'invalid_credentials',
      message: 'Invalid ID number or password',
      detail: 'Invalid ID number or password',
    });
  });

  test('a new device is told of in the list, a known one is not', async () => {
    const { person, user } = await signUp(identity, personNumber(n));
    const told = () => database.sql`
      select text from notifications where user_id = ${user.id} and template = 'new_device'`;
    await signIn(identity, person.id_number, PASSWORD, HOME);
    expect(await told()).toHaveLength(0);
    const other = device();
    await signIn(identity, person.id_number, PASSWORD, other);
    await signIn(identity, person.id_number, PASSWORD, other);
    expect(await told()).toHaveLength(1);
  });
});

describe('guessing a password', () => {
  test('ends after ten failures in 15 minutes: 429 with the seconds to wait, even with the right one', async () => {
    const { person } = await signUp(identity, personNumber(n));
    expect(await wrongTimes(10, person.id_number)).toEqual(Array(10).fill('invalid_credentials'));
    const refused = await refusalOf(signIn(identity, person.id_number, PASSWORD, ELSEWHERE));
    expect(refused).toMatchObject({
      code: 'too_many_requests',
      status: 429,
      message: 'Too many attempts. Try again in 15 minutes.',
    });
    expect(refused.details.retryAfterSeconds).toBe(900);
    database.world.advance(15 * MINUTE);
    await expect(signIn(identity, person.id_number, PASSWORD, ELSEWHERE)).resolves.toBeTruthy();
  });

  test('a stranger ID number is counted just the same', async () => {
    const codes = await wrongTimes(11, `NOBODY${n}`);
    expect(codes.at(-2)).toBe('invalid_credentials');
    expect(codes.at(-1)).toBe('too_many_requests');
  });

  test('thirty guesses at once are ten guesses', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const guesses = Array.from({ length: 30 }, () =>
      refusalOf(signIn(identity, person.id_number, 'Wrong#2026', ELSEWHERE)),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(20);
  });

  test('by a stranger does not lock the owner out where they have signed in before', async () => {
    const { person } = await signUp(identity, personNumber(n));
    await wrongTimes(11, person.id_number, ELSEWHERE);
    await expect(signIn(identity, person.id_number, PASSWORD, HOME)).resolves.toBeTruthy();
    expect(await wrongTimes(1, person.id_number, ELSEWHERE)).toEqual(['too_many_requests']);
  });

  test('by strangers behind the owner’s own address does not either: a device is known by its cookie, not by its network', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const nextDoor = { address: HOME.address, userAgent: HOME.userAgent };
    expect((await wrongTimes(11, person.id_number, nextDoor)).at(-1)).toBe('too_many_requests');
    await expect(signIn(identity, person.id_number, PASSWORD, HOME)).resolves.toBeTruthy();
  });

  test('with a stolen cookie has a counter of its own, which ends as the owner signs in again', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const stolen = { ...ELSEWHERE, deviceCookie: HOME.deviceCookie ?? null };
    await signIn(identity, person.id_number, PASSWORD, HOME);
    expect((await wrongTimes(11, person.id_number, stolen)).at(-1)).toBe('too_many_requests');
    await expect(signIn(identity, person.id_number, PASSWORD, HOME)).resolves.toBeTruthy();
  });

  test('two who share a device are both known on it, and of one person ten devices are', async () => {
    const shared = device();
    const [one, two] = [await signUp(identity, personNumber(n)), await signUp(identity, personNumber(n + 1000))];
    for (const { person } of [one, two, one]) await signIn(identity, person.id_number, PASSWORD, shared);
    expect(shared.deviceCookie?.split('.')).toHaveLength(2);
    for (const { person } of [one, two]) {
      await wrongTimes(11, person.id_number, ELSEWHERE);
      await expect(signIn(identity, person.id_number, PASSWORD, shared)).resolves.toBeTruthy();
    }
    database.world.advance(15 * MINUTE);
    for (let count = 0; count < 12; count += 1) {
      database.world.advance(1);
      await signIn(identity, one.person.id_number, PASSWORD, device());
    }
    const known = await database.sql`select from known_devices where user_id = ${one.user.id}`;
    expect(known).toHaveLength(10);
  });

  test('no text typed for an ID number counts against the owner where they have signed in before', async () => {
    const { person } = await signUp(identity, personNumber(n));
    for (const join of ['@', ' @ ', '@@', ':', '\n']) await wrongTimes(11, `${person.id_number}${join}${HOME.address}`);
    for (const form of [`${HOME.address}@${person.id_number}`, `${HOME.address} ${person.id_number}`])
      await wrongTimes(11, form);
    await expect(signIn(identity, person.id_number, PASSWORD, HOME)).resolves.toBeTruthy();
  });

  test('signing in forgets the failures before it', async () => {
    const { person } = await signUp(identity, personNumber(n));
    await wrongTimes(9, person.id_number, HOME);
    await signIn(identity, person.id_number, PASSWORD, HOME);
    expect(await wrongTimes(9, person.id_number, HOME)).not.toContain('too_many_requests');
  });

  test('an attempt that was never judged because the service is busy does not count', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const busy = { ...identity, passwords: { ...identity.passwords, verify: () => Promise.reject(new Error('busy')) } };
    for (let time = 0; time < 12; time += 1) {
      const input = { id_number: person.id_number, password: PASSWORD, user_type: 'client' };
      await expect(logIn(busy, input, ELSEWHERE)).rejects.toThrow('busy');
    }
    await expect(signIn(identity, person.id_number, PASSWORD, ELSEWHERE)).resolves.toBeTruthy();
  });

  test('is counted in the database, so that every process counts together', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const other = testIdentity(database);
    await wrongTimes(5, person.id_number);
    for (let time = 0; time < 5; time += 1) await refusalOf(signIn(other, person.id_number, 'Wrong#2026', ELSEWHERE));
    expect(await wrongTimes(1, person.id_number)).toEqual(['too_many_requests']);
  });
});

describe('signing out', () => {
  test('ends this session on the next request, and no other', async () => {
    const { person, token, actor } = await signUp(identity, personNumber(n));
    const second = await signIn(identity, person.id_number);
    await database.transaction((tx) => logOut(tx, actor));
    const read = sessionReader(identity);
    expect(await read(token)).toBeNull();
    expect(await read(second.token)).not.toBeNull();
  });

  test('everywhere takes the ID number and password, no token, and ends them all', async () => {
    const { person, token } = await signUp(identity, personNumber(n));
    const second = await signIn(identity, person.id_number);
    const bystander = await signUp(identity, personNumber(n + 1000));
    const input = { idNumber: person.id_number, password: PASSWORD };
    expect(await logOutEverywhere(identity, input, ELSEWHERE)).toBe(2);
    const read = sessionReader(identity);
    expect(await Promise.all([token, second.token].map((token) => read(token)))).toEqual([null, null]);
    expect(await read(bystander.token)).not.toBeNull();
  });

  test('everywhere is refused with a wrong password, in the words of signing in, and ends nothing', async () => {
    const { person, token } = await signUp(identity, personNumber(n));
    const refused = await refusalOf(
      logOutEverywhere(identity, { idNumber: person.id_number, password: 'Wrong#2026' }, ELSEWHERE),
    );
    expect(refused.body()).toMatchObject({ code: 'invalid_credentials', message: 'Invalid ID number or password' });
    expect(await sessionReader(identity)(token)).not.toBeNull();
  });
});
