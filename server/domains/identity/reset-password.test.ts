import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { forgotPassword } from './forgot-password.ts';
import { sweepIdentity } from './identity.tasks.ts';
import type { Origin } from './identity.types.ts';
import { resetPassword } from './reset-password.ts';
import { enrolSecondFactor } from './second-factor.ts';
import { sendResetCode } from './send-reset-code.ts';
import {
  ELSEWHERE,
  HOME,
  PASSWORD,
  payoutObstacle,
  personNumber,
  refusalOf,
  sessionReader,
  signIn,
  signUp,
  type TestIdentity,
  testIdentity,
  textsTo,
} from './test-identity.ts';

let database: TestDatabase;
let identity: TestIdentity;
let n = 0;
/** An address of its own for each test, so that one test's wrong codes do not lock another's out. */
let desk: Origin;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  identity = testIdentity(database);
  n += 1;
  desk = { address: `10.0.0.${n}`, userAgent: '' };
});
afterAll(() => database.close());

const MINUTE = 60_000;
const NEW = 'Umoja#2027';

/** Asks for a code and lets the job run; the code from the SMS, or null when none was sent. */
async function askForCode(idNumber: string, phone: string, origin = HOME): Promise<string | null> {
  database.world.advance(1000);
  const before = (await textsTo(database, phone)).length;
  await database.transaction((tx) => forgotPassword(tx, { idNumber, phone }, origin));
  for (const { id } of await database.sql<{ id: string }[]>`select id from reset_requests`) {
    await sendResetCode(identity, { id });
  }
  const texts = await textsTo(database, phone);
  if (texts.length === before) return null;
  return /\b([0-9A-Z]{4}-[0-9A-Z]{4})\b/.exec(texts[0] ?? '')?.[1] ?? null;
}

const SAME = {
  code: 'password_too_weak',
  errors: { password: ['That is the password you have now. Choose another one.'] },
};

const reset = (resetCode: string, password = NEW, origin = desk) =>
  resetPassword(identity, { resetCode, password }, origin);

describe('after a suspension', () => {
  test('no password of before signs in, while it lasts and once it is over; one set with the code does', async () => {
    const { person, user, token } = await signUp(identity, personNumber(n));
    const { user: asha } = await signUp(identity, personNumber(n + 600));
    await database.owner`
      insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
      values (${database.newId()}, ${user.id}, ${asha.id}, ${database.now()}, 'Stolen', ${new Date(database.now().getTime() + MINUTE)})`;
    expect(await sessionReader(identity)(token)).toBeNull();
    const tries = async () => (await refusalOf(signIn(identity, person.id_number))).code;
    // More than the attempts of which wrong passwords are counted: a right one is no failure.
    for (let time = 0; time < 12; time += 1) expect(await tries()).toBe('new_password_required');
    expect((await refusalOf(signIn(identity, person.id_number, 'Wrong#2026'))).code).toBe('invalid_credentials');
    database.world.advance(2 * MINUTE);
    expect(await tries()).toBe('new_password_required');
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    expect((await refusalOf(reset(code, PASSWORD))).body()).toMatchObject(SAME);
    expect(await tries()).toBe('new_password_required');
    await reset(code);
    expect((await signIn(identity, person.id_number, NEW)).user.id).toBe(user.id);
  });
});

describe('forgetting a password', () => {
  test('brings a code by SMS, once, that is nowhere in the database after the SMS', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const code = await askForCode(person.id_number, person.phone_number);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const rows = await database.owner`select to_jsonb(c)::text as text from reset_codes c`;
    const plain = code?.replace('-', '') ?? '';
    expect(rows.some(({ text }) => text.includes(code) || text.includes(plain))).toBe(false);
    const listed = await database.sql`select text from notifications where template = 'reset_code'`;
    expect(listed).toHaveLength(0);
  });

  test('brings one also to an account from before zeros were folded, by the number with its zeros', async () => {
    const [kept, folded] = [await signUp(identity, personNumber(n)), await signUp(identity, personNumber(n + 500))];
    const number = folded.person.id_number;
    await database.owner`update users set id_number = ${`0${number}`} where id = ${kept.user.id}`;
    expect(await askForCode(`0${number}`, kept.person.phone_number)).not.toBeNull();
    expect(await askForCode(number, kept.person.phone_number)).toBeNull();
    expect(await askForCode(number, folded.person.phone_number)).not.toBeNull();
  });

  test('is carried out by the same statements and no hash, whether the pair exists or not', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const begun = identity.passwords.begun();
    const statements: number[] = [];
    for (const input of [
      { idNumber: person.id_number, phone: person.phone_number },
      { idNumber: person.id_number, phone: '254700000000' },
      { idNumber: 'NOBODY', phone: '254700000000' },
    ]) {
      await database.transaction(async (tx) => {
        let count = 0;
        const counting = new Proxy(tx.sql, {
          apply: (target, self, args) => {
            count += 1;
            return Reflect.apply(target as never, self, args);
          },
        });
        await forgotPassword({ ...tx, sql: counting }, input, HOME);
        statements.push(count);
      });
    }
    expect(statements).toEqual([2, 2, 2]);
    expect(identity.passwords.begun()).toBe(begun);
    await database.owner`delete from reset_requests`;
  });

  test('sends nothing for a wrong pair, and forgets that it was asked', async () => {
    const { person } = await signUp(identity, personNumber(n));
    expect(await askForCode(person.id_number, '254700000000')).toBeNull();
    expect(await askForCode('NOBODY', person.phone_number)).toBeNull();
    expect(await database.sql`select 1 from reset_requests`).toHaveLength(0);
  });

  test('sends at most ten codes a day to one account', async () => {
    const { person } = await signUp(identity, personNumber(n));
    for (let time = 0; time < 10; time += 1) {
      expect(await askForCode(person.id_number, person.phone_number)).not.toBeNull();
    }
    expect(await askForCode(person.id_number, person.phone_number)).toBeNull();
    database.world.advance(24 * 60 * MINUTE);
    expect(await askForCode(person.id_number, person.phone_number)).not.toBeNull();
  });

  test('strangers use up five of them, and five are left where the owner has signed in before', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const came = async (times: number, origin: Origin) => {
      let codes = 0;
      for (let time = 0; time < times; time += 1)
        if (await askForCode(person.id_number, person.phone_number, origin)) codes += 1;
      return codes;
    };
    expect(await came(12, ELSEWHERE)).toBe(5);
    expect(await came(12, desk)).toBe(0);
    expect(await came(12, HOME)).toBe(5);
    database.world.advance(24 * 60 * MINUTE);
    expect(await came(8, HOME)).toBe(8);
    expect(await came(8, ELSEWHERE)).toBe(2);
  });

  test('a job that comes too late sends nothing', async () => {
    const { person } = await signUp(identity, personNumber(n));
    await database.transaction((tx) =>
      forgotPassword(tx, { idNumber: person.id_number, phone: person.phone_number }, HOME),
    );
    database.world.advance(11 * MINUTE);
    const [request] = await database.sql<{ id: string }[]>`select id from reset_requests`;
    await sendResetCode(identity, request);
    expect(await textsTo(database, person.phone_number)).toEqual([]);
  });
});

describe('resetting a password', () => {
  test('sets the new one, ends every session, holds withdrawals for 24 hours and tells the owner', async () => {
    const { person, token, user } = await signUp(identity, personNumber(n));
    const code = await askForCode(person.id_number, person.phone_number);
    await reset(code ?? '');
    expect(await sessionReader(identity)(token)).toBeNull();
    expect((await refusalOf(signIn(identity, person.id_number, PASSWORD))).code).toBe('invalid_credentials');
    await expect(signIn(identity, person.id_number, NEW)).resolves.toBeTruthy();
    const obstacle = () => payoutObstacle(identity, user.id, person.phone_number);
    expect(await obstacle()).toBe('payout_held');
    database.world.advance(24 * 60 * MINUTE);
    expect(await obstacle()).toBeNull();
    expect((await textsTo(database, person.phone_number)).join()).toContain('your password was reset');
  });

  test('forgets an authenticator app that was begun before it, and leaves one that is on', async () => {
    const { person, user, actor } = await signUp(identity, personNumber(n));
    const left = () => database.sql`select 1 from second_factors where user_id = ${user.id}`;
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    await reset((await askForCode(person.id_number, person.phone_number)) ?? '');
    expect(await left()).toHaveLength(0);
    await database.sql`
      insert into second_factors (user_id, secret, key_id, state, created_at, confirmed_at)
      values (${user.id}, ${Buffer.alloc(48, 1)}, '0123456789abcdef', 'on', ${database.now()}, ${database.now()})`;
    await reset((await askForCode(person.id_number, person.phone_number)) ?? '', 'Other#2027');
    expect(await left()).toHaveLength(1);
  });

  test.each([
    ['small letters', (code: string) => code.toLowerCase()],
    ['no dash', (code: string) => code.replace('-', '')],
    ['blanks around and inside', (code: string) => ` ${code.replace('-', ' - ')} `],
    ['O for 0 and l for 1', (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
  ])('takes the code with %s', async (_how, type) => {
    const { person } = await signUp(identity, personNumber(n));
    const code = await askForCode(person.id_number, person.phone_number);
    await expect(reset(type(code ?? ''))).resolves.toBeUndefined();
  });

  test('a weak password is refused in the words of the spec, and the code still works', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    expect((await refusalOf(reset(code, 'short'))).body()).toMatchObject({
      code: 'password_too_weak',
      message: 'Password has not satisfied the required specs',
    });
    await expect(reset(code)).resolves.toBeUndefined();
  });

  test('the password that one has is not a new one, and to try which it is counts as a wrong code', async () => {
    const { person, token } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    expect((await refusalOf(reset(code, PASSWORD))).body()).toMatchObject(SAME);
    expect(await sessionReader(identity)(token)).not.toBeNull();
    await database.sql`update throttles set attempts = 99 where key = ${`reset:${desk.address}`}`;
    expect((await refusalOf(reset(code, PASSWORD))).body()).toMatchObject(SAME);
    expect((await refusalOf(reset(code, PASSWORD))).code).toBe('too_many_requests');
    await expect(reset(code, NEW, { address: '10.9.9.8', userAgent: '' })).resolves.toBeUndefined();
  });

  test('a code works once, and two uses at once are one', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    const outcomes = await Promise.allSettled([reset(code, NEW), reset(code, 'Other#2027')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await refusalOf(reset(code))).code).toBe('reset_code_invalid');
  });

  test('a code works for ten minutes', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    database.world.advance(10 * MINUTE);
    expect((await refusalOf(reset(code))).body()).toEqual({
      success: false,
      code: 'reset_code_invalid',
      message: 'That reset code is not valid or has expired.',
      detail: 'That reset code is not valid or has expired.',
      errors: { reset_code: ['That reset code is not valid or has expired.'] },
    });
  });

  test('the other codes of the person burn with the one that was used', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const first = (await askForCode(person.id_number, person.phone_number)) ?? '';
    const second = (await askForCode(person.id_number, person.phone_number)) ?? '';
    await reset(first);
    expect((await refusalOf(reset(second))).code).toBe('reset_code_invalid');
  });

  test('a hundred wrong codes from one network lock that network for 15 minutes, and no other', async () => {
    const { person } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    const codes: string[] = [];
    for (const wrong of ['AAAA-AAAA', 'not a code', 'BBBB-BBBB', '', 'CCCC-CCCC']) {
      codes.push((await refusalOf(reset(wrong))).code);
    }
    expect(codes).toEqual(Array(5).fill('reset_code_invalid'));
    await database.sql`update throttles set attempts = 99 where key = ${`reset:${desk.address}`}`;
    expect((await refusalOf(reset('AAAA-AAAA'))).code).toBe('reset_code_invalid');
    const locked = await refusalOf(reset(code));
    expect([locked.code, locked.status, locked.details.retryAfterSeconds]).toEqual(['too_many_requests', 429, 900]);
    await expect(reset(code, NEW, { address: '10.9.9.9', userAgent: '' })).resolves.toBeUndefined();
    database.world.advance(15 * MINUTE);
    expect((await refusalOf(reset('AAAA-AAAA'))).code).toBe('reset_code_invalid');
  });

  test("a right code of one's own does not clear the wrong ones before it", async () => {
    const { person } = await signUp(identity, personNumber(n));
    await refusalOf(reset('AAAA-AAAA'));
    await database.sql`update throttles set attempts = 99 where key = ${`reset:${desk.address}`}`;
    await reset((await askForCode(person.id_number, person.phone_number)) ?? '');
    expect((await refusalOf(reset('AAAA-AAAA'))).code).toBe('reset_code_invalid');
    expect((await refusalOf(reset('AAAA-AAAA'))).code).toBe('too_many_requests');
  });

  test('lifts the lock that a stranger put on signing in', async () => {
    const { person } = await signUp(identity, personNumber(n));
    for (let time = 0; time < 11; time += 1) await refusalOf(signIn(identity, person.id_number, 'Wrong#1', desk));
    expect((await refusalOf(signIn(identity, person.id_number, PASSWORD, desk))).code).toBe('too_many_requests');
    await reset((await askForCode(person.id_number, person.phone_number)) ?? '');
    await expect(signIn(identity, person.id_number, NEW, desk)).resolves.toBeTruthy();
  });

  test('a sign-in that was judged just before the reset is not let in after it', async () => {
    const { person, token } = await signUp(identity, personNumber(n));
    const code = (await askForCode(person.id_number, person.phone_number)) ?? '';
    const verify: typeof identity.passwords.verify = async (password, encoded) => {
      const isRight = await identity.passwords.verify(password, encoded);
      await reset(code);
      return isRight;
    };
    const slow = { ...identity, passwords: { ...identity.passwords, verify } };
    expect((await refusalOf(signIn(slow, person.id_number, PASSWORD, desk))).code).toBe('invalid_credentials');
    expect(await sessionReader(identity)(token)).toBeNull();
  });
});

test('what is spent is swept away after its time, and live sessions are not', async () => {
  const { person, token } = await signUp(identity, personNumber(n));
  await askForCode(person.id_number, person.phone_number);
  database.world.advance(3 * 24 * 60 * MINUTE);
  const fresh = await signIn(identity, person.id_number, PASSWORD, HOME);
  await sweepIdentity(database);
  expect(await database.sql`select 1 from reset_codes where expires_at < ${database.now()}`).toHaveLength(0);
  expect(await sessionReader(identity)(fresh.token)).not.toBeNull();
  expect(await sessionReader(identity)(token)).toBeNull();
});
