import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { changePassword } from './change-password.ts';
import { profileOf } from './identity.queries.ts';
import { sweepIdentity } from './identity.tasks.ts';
import { logOutEverywhere } from './log-out.ts';
import { openSession } from './open-session.ts';
import { grantOperator, resetSecondFactor } from './operators.ts';
import { openSecret, type SealedRow } from './sealed-secrets.ts';
import { confirmSecondFactor, enrolSecondFactor, removeSecondFactor, renewRecoveryCodes } from './second-factor.ts';
import {
  confirmByHand,
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
import { hotp, stepOf } from './totp.rules.ts';

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

const secretOf = async (userId: string) => {
  const [row] = await database.sql<SealedRow[]>`
    select user_id, secret, key_id from second_factors where user_id = ${userId}`;
  if (!row) throw new Error('no secret');
  return openSecret(identity.keyring, row);
};
/** What the person's app shows half a minute from the last time: a code that has not been used. */
const nextCode = async (userId: string) => {
  database.world.advance(30_000);
  return hotp(await secretOf(userId), stepOf(database.now()));
};

/** Holds the account as a password reset does. */
async function holdFrom(userId: string): Promise<Date> {
  const until = new Date(database.now().getTime() + 24 * 60 * 60_000);
  await database.sql`update users set payout_held_until = ${until} where id = ${userId}`;
  return until;
}

async function sessionOf(token: string) {
  const session = await sessionReader(identity)(token);
  if (!session) throw new Error('no session');
  return session;
}

/** What so many sign-ins with the right password and a wrong code are refused with. */
async function wrongCodes(count: number, idNumber: string, origin = ELSEWHERE): Promise<string[]> {
  const codes: string[] = [];
  for (let time = 0; time < count; time += 1) {
    codes.push((await refusalOf(signIn(identity, idNumber, PASSWORD, origin, '000000'))).code);
  }
  return codes;
}

async function signUpWithApp(person = personNumber(n)) {
  const signedUp = await signUp(identity, person);
  await enrolSecondFactor(identity, signedUp.actor, { currentPassword: PASSWORD });
  const otp = await nextCode(signedUp.user.id);
  const recoveryCodes = await confirmSecondFactor(identity, signedUp.actor, { otp });
  return { ...signedUp, recoveryCodes, otp };
}

describe('setting up an authenticator app', () => {
  test('changes nothing until a code of it has been shown', async () => {
    const { person, actor } = await signUp(identity, personNumber(n));
    const enrolment = await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    expect(enrolment.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(enrolment.uri).toContain(`otpauth://totp/Ushirika:${person.id_number}?secret=${enrolment.secret}`);
    await expect(signIn(identity, person.id_number)).resolves.toBeTruthy();
    expect((await refusalOf(confirmSecondFactor(identity, actor, { otp: '000000' }))).code).toBe('otp_not_accepted');
    expect((await profileOf(identity, actor.userId)).second_factor.state).toBe('off');
  });

  test('gives ten recovery codes, and signs the other devices out', async () => {
    const { person, actor, user } = await signUp(identity, personNumber(n));
    const other = await signIn(identity, person.id_number);
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    const codes = await confirmSecondFactor(identity, actor, { otp: await nextCode(user.id) });
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
    expect(await sessionReader(identity)(other.token)).toBeNull();
    expect((await profileOf(identity, user.id)).second_factor).toEqual({
      state: 'on',
      required: false,
      recovery_codes_left: 10,
    });
  });

  test('needs the current password, and is refused when it is on already', async () => {
    const { actor } = await signUpWithApp();
    const enrol = (currentPassword: string) => refusalOf(enrolSecondFactor(identity, actor, { currentPassword }));
    expect((await enrol('Wrong#2026')).code).toBe('current_password_wrong');
    expect(await enrol(PASSWORD)).toMatchObject({ code: 'second_factor_conflict', status: 409 });
    expect((await refusalOf(confirmSecondFactor(identity, actor, { otp: '000000' }))).code).toBe(
      'second_factor_conflict',
    );
  });

  test('is refused for 24 hours after a password reset, so that no thief locks the owner out with an app', async () => {
    const { person, user } = await signUp(identity, personNumber(n));
    const held = await holdFrom(user.id);
    const session = await sessionOf((await signIn(identity, person.id_number)).token);
    const enrol = () => enrolSecondFactor(identity, session, { currentPassword: PASSWORD });
    const refused = await refusalOf(enrol());
    expect(refused.body()).toMatchObject({ code: 'account_held', held_until: held.toISOString() });
    expect([refused.status, refused.details.retryAfterSeconds]).toEqual([409, 86_400]);
    expect((await profileOf(identity, user.id)).second_factor.state).toBe('off');
    database.world.advance(24 * 60 * 60_000);
    await expect(enrol()).resolves.toBeTruthy();
  });

  test('that began before a password reset is not finished after it, and costs no try', async () => {
    const { actor, user } = await signUp(identity, personNumber(n));
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    await holdFrom(user.id);
    for (let time = 0; time < 7; time += 1) {
      const confirming = confirmSecondFactor(identity, actor, { otp: await nextCode(user.id) });
      expect((await refusalOf(confirming)).code).toBe('account_held');
    }
  });

  test('that was begun is over after 15 minutes', async () => {
    const { actor, user } = await signUp(identity, personNumber(n));
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    database.world.advance(14 * 60_000);
    expect((await refusalOf(confirmSecondFactor(identity, actor, { otp: '000000' }))).code).toBe('otp_not_accepted');
    database.world.advance(60_000);
    const late = await refusalOf(confirmSecondFactor(identity, actor, { otp: await nextCode(user.id) }));
    expect(late).toMatchObject({ code: 'second_factor_conflict', message: 'Begin again.' });
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    expect(await confirmSecondFactor(identity, actor, { otp: await nextCode(user.id) })).toHaveLength(10);
  });

  test('that was begun is swept away when it is over, and an app that is on stays', async () => {
    const { actor, user } = await signUp(identity, personNumber(n));
    const other = await signUpWithApp(personNumber(n + 1000));
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    database.world.advance(61 * 60_000);
    await sweepIdentity(database);
    const left = await database.sql<{ user_id: string }[]>`
      select user_id from second_factors where user_id in (${user.id}, ${other.user.id})`;
    expect(left.map((row) => row.user_id)).toEqual([other.user.id]);
  });

  test('that was begun is over once the password is changed', async () => {
    const { actor, user } = await signUp(identity, personNumber(n));
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    const otp = await nextCode(user.id);
    await changePassword(identity, actor, { currentPassword: PASSWORD, password: 'Umoja#2027' });
    expect(await refusalOf(confirmSecondFactor(identity, actor, { otp }))).toMatchObject({ message: 'Begin again.' });
  });

  test('with a password that was changed meanwhile does not begin', async () => {
    const { actor } = await signUp(identity, personNumber(n));
    const verify: typeof identity.passwords.verify = async (typed, encoded) => {
      const isRight = await identity.passwords.verify(typed, encoded);
      await changePassword(identity, actor, { currentPassword: PASSWORD, password: 'Umoja#2027' });
      return isRight;
    };
    const slow = { ...identity, passwords: { ...identity.passwords, verify } };
    const refused = await refusalOf(enrolSecondFactor(slow, actor, { currentPassword: PASSWORD }));
    expect(refused.code).toBe('current_password_wrong');
  });

  test('leaves no session that a password alone opened at the same moment', async () => {
    const { person, actor, user } = await signUp(identity, personNumber(n));
    await enrolSecondFactor(identity, actor, { currentPassword: PASSWORD });
    const otp = await nextCode(user.id);
    let opened = '';
    let confirming: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      // A sign-in that has found no app and has not yet written its session.
      await tx.sql`select 1 from users where id = ${user.id} for no key update`;
      confirming = confirmSecondFactor(identity, actor, { otp });
      await Promise.race([confirming, sleep(300)]);
      opened = (await openSession(tx, { userId: user.id, origin: ELSEWHERE, hasSecondFactor: false })).token;
    });
    await confirming;
    expect(await sessionReader(identity)(opened)).toBeNull();
    expect((await refusalOf(signIn(identity, person.id_number))).code).toBe('second_factor_required');
  });
});

describe('signing in with an authenticator app', () => {
  test('asks for the code, which completes the same call', async () => {
    const { person, user } = await signUpWithApp();
    const asked = await refusalOf(signIn(identity, person.id_number));
    expect(asked.body()).toMatchObject({ success: false, code: 'second_factor_required' });
    expect(asked.status).toBe(401);
    const otp = await nextCode(user.id);
    await expect(signIn(identity, person.id_number, PASSWORD, HOME, otp)).resolves.toBeTruthy();
  });

  test('does not say that a code is wanted before the password was right', async () => {
    const { person } = await signUpWithApp();
    expect((await refusalOf(signIn(identity, person.id_number, 'Wrong#2026'))).code).toBe('invalid_credentials');
  });

  test('refuses a code that was used before', async () => {
    const { person, user } = await signUpWithApp();
    const otp = await nextCode(user.id);
    await signIn(identity, person.id_number, PASSWORD, HOME, otp);
    expect(await refusalOf(signIn(identity, person.id_number, PASSWORD, HOME, otp))).toMatchObject({
      code: 'second_factor_invalid',
      status: 401,
    });
  });

  test('one code at once from two places lets one in', async () => {
    const { person, user } = await signUpWithApp();
    const otp = await nextCode(user.id);
    const outcomes = await Promise.allSettled([
      signIn(identity, person.id_number, PASSWORD, HOME, otp),
      signIn(identity, person.id_number, PASSWORD, ELSEWHERE, otp),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('takes a recovery code instead, once, and tells the owner how many are left', async () => {
    const { person, user, recoveryCodes } = await signUpWithApp();
    await confirmByHand(identity, { user });
    const code = recoveryCodes[3]?.toLowerCase().replaceAll('-', ' ');
    await expect(signIn(identity, person.id_number, PASSWORD, HOME, code)).resolves.toBeTruthy();
    expect((await refusalOf(signIn(identity, person.id_number, PASSWORD, HOME, code))).code).toBe(
      'second_factor_invalid',
    );
    const told = await database.sql<{ text: string }[]>`
      select text from sms_messages where user_id = ${user.id} and template = 'recovery_code_used'`;
    expect(told[0]?.text).toContain('9 left');
  });

  test('ten wrong codes are the last for 15 minutes, for whoever has the password', async () => {
    const { person, user } = await signUpWithApp();
    expect(await wrongCodes(10, person.id_number)).toEqual(Array(10).fill('second_factor_invalid'));
    const refused = await refusalOf(signIn(identity, person.id_number, PASSWORD, ELSEWHERE, '000000'));
    expect([refused.code, refused.details.retryAfterSeconds]).toEqual(['too_many_requests', 900]);
    database.world.advance(15 * 60_000);
    const otp = await nextCode(user.id);
    await expect(signIn(identity, person.id_number, PASSWORD, ELSEWHERE, otp)).resolves.toBeTruthy();
  });

  test('signing out everywhere buys nobody more wrong codes', async () => {
    const { person } = await signUpWithApp();
    const judged: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      judged.push(...(await wrongCodes(9, person.id_number)));
      await logOutEverywhere(identity, { idNumber: person.id_number, password: PASSWORD }, ELSEWHERE);
    }
    expect(judged.filter((code) => code === 'second_factor_invalid')).toHaveLength(10);
    expect(judged.at(-1)).toBe('too_many_requests');
  });

  test('a new password buys nobody more wrong codes', async () => {
    const { person, actor } = await signUpWithApp();
    await wrongCodes(10, person.id_number);
    await changePassword(identity, actor, { currentPassword: PASSWORD, password: 'Umoja#2027' });
    const refused = await refusalOf(signIn(identity, person.id_number, 'Umoja#2027', ELSEWHERE, '000000'));
    expect(refused.code).toBe('too_many_requests');
  });

  test('wrong codes from elsewhere do not lock the owner out where they have signed in before', async () => {
    const { person, user } = await signUpWithApp();
    await wrongCodes(11, person.id_number);
    const otp = await nextCode(user.id);
    await expect(signIn(identity, person.id_number, PASSWORD, HOME, otp)).resolves.toBeTruthy();
    expect(await wrongCodes(1, person.id_number)).toEqual(['too_many_requests']);
  });

  test.each(['a code of the app', 'a recovery code'])('%s forgets the wrong ones before it', async (what) => {
    const { person, user, recoveryCodes } = await signUpWithApp();
    await wrongCodes(9, person.id_number, HOME);
    const otp = what === 'a recovery code' ? recoveryCodes[0] : await nextCode(user.id);
    await signIn(identity, person.id_number, PASSWORD, HOME, otp);
    expect(await wrongCodes(9, person.id_number, HOME)).not.toContain('too_many_requests');
  });

  test('twenty wrong codes at once are ten', async () => {
    const { person } = await signUpWithApp();
    const codes = (await Promise.all(Array.from({ length: 20 }, () => wrongCodes(1, person.id_number)))).flat();
    expect(codes.filter((code) => code === 'second_factor_invalid')).toHaveLength(10);
  });

  test('being asked for the code is no failure', async () => {
    const { person, user } = await signUpWithApp();
    for (let time = 0; time < 15; time += 1) await refusalOf(signIn(identity, person.id_number));
    const otp = await nextCode(user.id);
    await expect(signIn(identity, person.id_number, PASSWORD, HOME, otp)).resolves.toBeTruthy();
  });
});

describe('recovery codes and turning it off', () => {
  test('new recovery codes put the old ones out of use', async () => {
    const { person, user, actor, recoveryCodes } = await signUpWithApp();
    const otp = await nextCode(user.id);
    const renewed = await renewRecoveryCodes(identity, actor, { currentPassword: PASSWORD, otp });
    const [old, fresh] = [recoveryCodes[0], renewed[0]];
    expect((await refusalOf(signIn(identity, person.id_number, PASSWORD, HOME, old))).code).toBe(
      'second_factor_invalid',
    );
    await expect(signIn(identity, person.id_number, PASSWORD, HOME, fresh)).resolves.toBeTruthy();
  });

  test('turning it off takes the password and a code', async () => {
    const { person, user, actor } = await signUpWithApp();
    const remove = (currentPassword: string, otp: string) =>
      removeSecondFactor(identity, actor, { currentPassword, otp });
    expect((await refusalOf(remove('Wrong#2026', await nextCode(user.id)))).code).toBe('current_password_wrong');
    expect((await refusalOf(remove(PASSWORD, '000000'))).code).toBe('otp_not_accepted');
    await remove(PASSWORD, await nextCode(user.id));
    await expect(signIn(identity, person.id_number)).resolves.toBeTruthy();
    expect((await refusalOf(remove(PASSWORD, '000000'))).code).toBe('second_factor_conflict');
  });

  test('an operator resets it for a person who has lost everything: their sessions end, their password goes on', async () => {
    const { person, user, token } = await signUpWithApp();
    expect(await database.transaction((tx) => resetSecondFactor(tx, user.id))).toBe(true);
    expect(await sessionReader(identity)(token)).toBeNull();
    await expect(signIn(identity, person.id_number)).resolves.toBeTruthy();
    expect(await database.transaction((tx) => resetSecondFactor(tx, user.id))).toBe(false);
  });
});

describe('where offices need an authenticator app (REQUIRE_TOTP)', () => {
  test('an operator without one signs in, acts as a member, and is one again once it is set up', async () => {
    identity = testIdentity(database, { requireSecondFactor: true });
    const { person, user } = await signUp(identity, personNumber(n));
    await database.transaction((tx) => grantOperator(tx, user.id));
    const reply = await signIn(identity, person.id_number);
    expect(reply.second_factor_enrolment_required).toBe(true);
    const read = sessionReader(identity);
    const session = await read(reply.token);
    expect(session).toMatchObject({ isOperator: false, isOperatorInWaiting: true, mayHoldOffice: false });
    if (!session) throw new Error('no session');
    await enrolSecondFactor(identity, session, { currentPassword: PASSWORD });
    await confirmSecondFactor(identity, session, { otp: await nextCode(user.id) });
    expect(await read(reply.token)).toMatchObject({
      isOperator: true,
      isOperatorInWaiting: false,
      mayHoldOffice: true,
    });
  });

  test('an official is asked to set one up, a plain member is not', async () => {
    identity = testIdentity(database, { requireSecondFactor: true });
    const official = await signUp(identity, personNumber(n));
    const member = await signUp(identity, personNumber(n + 1000));
    identity.officials.add(official.user.id);
    expect((await signIn(identity, official.person.id_number)).second_factor_enrolment_required).toBe(true);
    expect((await signIn(identity, member.person.id_number)).second_factor_enrolment_required).toBe(false);
    expect((await profileOf(identity, official.user.id)).second_factor.required).toBe(true);
  });
});
