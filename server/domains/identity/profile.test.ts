import { clientProfile } from '@ushirika/contract/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { sendSms } from '../notifications/send-sms.ts';
import { DEFAULT_SMS_COUNTRIES } from '../notifications/sms-countries.ts';
import { changeProfile, type ProfileChange } from './change-profile.ts';
import { confirmPhone, requestPhoneConfirmation } from './confirm-phone.ts';
import { forgotPassword } from './forgot-password.ts';
import { profileOf } from './identity.queries.ts';
import { grantOperator } from './operators.ts';
import { releasePhone } from './release-phone.ts';
import { resetPassword } from './reset-password.ts';
import { sendResetCode } from './send-reset-code.ts';
import {
  confirmByHand,
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
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  identity = testIdentity(database);
  n += 1;
});
afterAll(() => database.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEW_PHONE = () => `2541100${String(n).padStart(5, '0')}`;

type SignedUp = Awaited<ReturnType<typeof signUp>>;
/** The password was just entered in the session. */
const change = async (someone: SignedUp, over: Partial<ProfileChange> = {}) => {
  await database.sql`update sessions set proven_at = ${database.now()} where id = ${someone.actor.sessionId}`;
  return changeUnproven(someone, over);
};
const changeUnproven = ({ person, actor }: SignedUp, over: Partial<ProfileChange> = {}) => {
  const { first_name: firstName, last_name: lastName, phone_number: phone, email } = person;
  return changeProfile(identity, actor, { firstName, lastName, phone, email, ...over });
};
const obstacle = ({ user }: SignedUp, phone: string) => payoutObstacle(identity, user.id, phone);

const NEW = 'Umoja#2027';

/** A code for a new password by SMS to this phone, or null when none came. */
async function resetCode({ person }: SignedUp, phone: string): Promise<string | null> {
  database.world.advance(1000);
  const before = (await textsTo(database, phone)).length;
  await database.transaction((tx) => forgotPassword(tx, { idNumber: person.id_number, phone }, HOME));
  const requests = await database.sql<{ id: string }[]>`select id from reset_requests`;
  for (const request of requests) await sendResetCode(identity, request);
  const texts = await textsTo(database, phone);
  return texts.length === before ? null : (/\b([0-9A-Z]{4}-[0-9A-Z]{4})\b/.exec(texts[0] ?? '')?.[1] ?? null);
}

async function resetByCode(someone: SignedUp): Promise<void> {
  const code = (await resetCode(someone, someone.person.phone_number)) ?? '';
  await resetPassword(identity, { resetCode: code, password: NEW }, { address: `10.3.0.${n}`, userAgent: '' });
}

/** The session of whoever signs in with the new password. */
async function signInAnew({ person }: SignedUp) {
  const { token } = await signIn(identity, person.id_number, NEW);
  const session = await sessionReader(identity)(token);
  if (!session) throw new Error('no session');
  return session;
}

async function askForPhoneCode({ actor }: SignedUp, phone: string): Promise<string> {
  database.world.advance(1000);
  await requestPhoneConfirmation(identity, actor);
  const [text = ''] = await textsTo(database, phone);
  return /\b(\d{4} \d{4})\b/.exec(text)?.[1] ?? '';
}

describe('the profile', () => {
  test('is what the spec says, to the field', async () => {
    const { user, person } = await signUp(identity, personNumber(n));
    const profile = await profileOf(identity, user.id);
    expect(clientProfile.strict().parse(profile)).toEqual({
      user,
      phone_number: person.phone_number,
      email: person.email,
      wallet: { amount: 0, held: 0, available: 0 },
      referal_code: 'WAN123',
      referal_link: 'http://x/auth/register?ref=WAN123',
      referal_count: 1,
      referal_amount: 500,
      registered_saccos: 2,
      roles: [{ role: 'client', sacco: null, office: null }],
      verified: { id: false, card: null, mpesa_name: null, phone: false, email: false },
      second_factor: { state: 'off', required: false, recovery_codes_left: 0 },
      payout_held_until: null,
      proceeds_held: null,
      suspended: null,
      code_refused_at: null,
      waiting_name: null,
    });
  });

  test('says when the code by SMS that was asked for did not go (field case M13)', async () => {
    const someone = await signUp(identity, personNumber(n));
    await askForPhoneCode(someone, someone.person.phone_number);
    expect(await profileOf(identity, someone.user.id)).toMatchObject({ code_refused_at: null });
    const [code] = await database.sql<{ id: string }[]>`
      select id from sms_messages where user_id = ${someone.user.id} and is_secret order by id desc limit 1`;
    const refusing = {
      sendSms: async () => ({ outcome: 'failed', reason: '406 UserInBlackList', retryable: false }) as const,
    };
    await sendSms(database, refusing, { ids: [code?.id] }, { countries: DEFAULT_SMS_COUNTRIES, dailyAlarm: 1_000_000 });
    expect(await profileOf(identity, someone.user.id)).toMatchObject({ code_refused_at: database.now().toISOString() });
    database.world.advance(16 * 60_000);
    expect(await profileOf(identity, someone.user.id)).toMatchObject({ code_refused_at: null });
  });

  test('names offices and the operator', async () => {
    const { user } = await signUp(identity, personNumber(n));
    identity.officials.add(user.id);
    await database.transaction((tx) => grantOperator(tx, user.id));
    const { roles } = await profileOf(identity, user.id);
    expect(roles.map(({ role, office }) => [role, office])).toEqual([
      ['client', null],
      ['official', 'treasurer'],
      ['operator', null],
    ]);
  });
});

describe('changing the profile', () => {
  test('changes names, e-mail and phone', async () => {
    const someone = await signUp(identity, personNumber(n));
    const { user } = await change(someone, {
      firstName: 'Njeri',
      email: `njeri${n}@example.co.ke`,
      phone: NEW_PHONE(),
    });
    expect(user).toMatchObject({ first_name: 'Njeri', email: `njeri${n}@example.co.ke`, phone_number: NEW_PHONE() });
    expect((await profileOf(identity, someone.user.id)).user).toEqual(user);
  });

  test('an official does not take an operator’s name, in whatever letters; everybody else may share it', async () => {
    const [official, speaker] = [
      await signUp(identity, personNumber(n)),
      await signUp(identity, personNumber(n + 1000)),
    ];
    await database.transaction((tx) => grantOperator(tx, speaker.user.id));
    await change(speaker, { firstName: `Zawadi` });
    await change(official, { firstName: `Zawadi` });
    await change(official, { firstName: 'Wanjiru' });
    const people = testPeople(database);
    await people.official(await people.sacco(`Zawadi Sacco ${n}`, official.user.id), official.user.id);
    const refused = await refusalOf(change(official, { firstName: `ZÁWADI.` }));
    expect(refused.body()).toMatchObject({ code: 'validation_failed', errors: { first_name: [expect.any(String)] } });
    expect((await change(official, { firstName: 'Njeri' })).user.first_name).toBe('Njeri');
  });

  test('nobody is called like a company or the platform', async () => {
    const someone = await signUp(identity, personNumber(n));
    const refused = await refusalOf(change(someone, { firstName: 'Safari', lastName: 'Com' }));
    expect(refused.body()).toMatchObject({ errors: { first_name: [expect.stringMatching(/reads like/)] } });
  });

  test("is refused for another account's phone or e-mail, naming each, and changes nothing", async () => {
    const someone = await signUp(identity, personNumber(n));
    const other = personNumber(n + 1000);
    await confirmByHand(identity, await signUp(identity, other));
    const refused = await refusalOf(change(someone, { firstName: 'X', phone: other.phone_number, email: other.email }));
    expect(refused.body()).toEqual({
      success: false,
      code: 'validation_failed',
      message: 'An account with this phone number already exists.',
      detail: 'An account with this phone number already exists.',
      errors: {
        phone_number: ['An account with this phone number already exists.'],
        email: ['An account with this email already exists.'],
      },
    });
    expect((await profileOf(identity, someone.user.id)).user.first_name).toBe('Wanjiru');
  });

  test('two people may write one phone down, and of two who confirm it at once one has it and one is told', async () => {
    const [one, two] = [await signUp(identity, personNumber(n)), await signUp(identity, personNumber(n + 1000))];
    const phone = NEW_PHONE();
    await Promise.all([change(one, { phone }), change(two, { phone })]);
    const codes = [await askForPhoneCode(one, phone), await askForPhoneCode(two, phone)];
    const confirm = ({ actor }: SignedUp, code: string | undefined) =>
      confirmPhone(identity, actor, { code: code ?? '', currentPassword: PASSWORD });
    const outcomes = await Promise.allSettled([confirm(one, codes[0]), confirm(two, codes[1])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason.code).toBe('phone_taken');
    const [loser, winner] = outcomes[0]?.status === 'rejected' ? [one, two] : [two, one];
    for (let time = 0; time < 2; time += 1) await releasePhone(database, { phone });
    const told =
      await database.sql`select user_id from notifications where template = 'phone_lost' and user_id in ${database.sql([one.user.id, two.user.id])}`;
    expect(told).toEqual([{ user_id: loser.user.id }]);
    expect((await refusalOf(requestPhoneConfirmation(identity, loser.actor))).code).toBe('phone_taken');
    expect(await obstacle(winner, phone)).toBe('payout_held');
    expect((await refusalOf(change(await signUp(identity, personNumber(n + 2000)), { phone }))).code).toBe(
      'validation_failed',
    );
  });

  test('asks for the password where it was not entered in the last fifteen minutes', async () => {
    const someone = await signUp(identity, personNumber(n));
    database.world.advance(16 * MINUTE);
    expect((await refusalOf(changeUnproven(someone, { phone: NEW_PHONE() }))).code).toBe('proof_required');
    expect((await refusalOf(changeUnproven(someone, { email: 'thief@example.com' }))).code).toBe('proof_required');
    await change(someone, { phone: NEW_PHONE() });
  });

  test('with a fourth phone in a day is refused until tomorrow; back to the one before is always allowed', async () => {
    const someone = await signUp(identity, personNumber(n));
    const phones = [1, 2, 3, 4].map((number) => `25411050${number}${String(n).padStart(3, '0')}`);
    for (const phone of phones.slice(0, 3)) await change(someone, { phone });
    const refused = await refusalOf(change(someone, { phone: phones[3] ?? '' }));
    expect(refused).toMatchObject({ code: 'too_many_requests', details: { retryAfterSeconds: 86_400 } });
    await change(someone, { phone: someone.person.phone_number });
    database.world.advance(DAY);
    await change(someone, { phone: phones[3] ?? '' });
  });

  test('with a phone that no SMS of ours reaches is refused on its field', async () => {
    const someone = await signUp(identity, personNumber(n));
    const sentence =
      'We can send SMS to mobile numbers of Kenya, Uganda, Tanzania, Rwanda, Ethiopia, or South Sudan only. Use one of those: your codes go there.';
    for (const phone of ['252612345678', '9607712345', '88213300655', '14155552671', '254203000000']) {
      expect((await refusalOf(change(someone, { phone }))).body().errors, phone).toEqual({ phone_number: [sentence] });
    }
    await change(someone, { phone: '256772123456' });
  });
});

describe('a phone number', () => {
  test('receives money only once an SMS code has confirmed it', async () => {
    const someone = await signUp(identity, personNumber(n));
    const phone = someone.person.phone_number;
    expect(await obstacle(someone, phone)).toBe('phone_unconfirmed');
    expect(await obstacle(someone, '254700000000')).toBe('phone_not_yours');
    const code = await askForPhoneCode(someone, phone);
    await confirmPhone(identity, someone.actor, { code });
    expect(await obstacle(someone, phone)).toBeNull();
    expect((await refusalOf(requestPhoneConfirmation(identity, someone.actor))).code).toBe('phone_already_confirmed');
  });

  test('that is changed is unconfirmed again, and the one before it is told', async () => {
    const someone = await signUp(identity, personNumber(n));
    const old = someone.person.phone_number;
    await confirmPhone(identity, someone.actor, { code: await askForPhoneCode(someone, old) });
    const { isPhoneConfirmed } = await change(someone, { phone: NEW_PHONE() });
    expect(isPhoneConfirmed).toBe(false);
    expect(await obstacle(someone, NEW_PHONE())).toBe('phone_unconfirmed');
    expect(await obstacle(someone, old)).toBe('phone_not_yours');
    expect((await textsTo(database, old)).join()).toContain('was changed to 254110***');
  });

  test('that replaces another asks for the password too, and withdrawals rest for 24 hours', async () => {
    const someone = await signUp(identity, personNumber(n));
    await change(someone, { phone: NEW_PHONE() });
    const code = await askForPhoneCode(someone, NEW_PHONE());
    const confirm = (currentPassword?: string) => confirmPhone(identity, someone.actor, { code, currentPassword });
    expect((await refusalOf(confirm())).body()).toMatchObject({
      code: 'current_password_wrong',
      message: 'Enter your password to confirm a new phone number.',
    });
    expect((await refusalOf(confirm('Wrong#2026'))).code).toBe('current_password_wrong');
    await confirm(PASSWORD);
    expect(await obstacle(someone, NEW_PHONE())).toBe('payout_held');
    expect((await profileOf(identity, someone.user.id)).payout_held_until).not.toBeNull();
    database.world.advance(24 * 60 * MINUTE);
    expect(await obstacle(someone, NEW_PHONE())).toBeNull();
    expect((await profileOf(identity, someone.user.id)).payout_held_until).toBeNull();
  });

  test('cannot take the place of another for 24 hours after a password reset, and reset codes go to the old one', async () => {
    const someone = await signUp(identity, personNumber(n));
    const old = someone.person.phone_number;
    await resetByCode(someone);
    const thief = await signInAnew(someone);
    await change({ ...someone, actor: thief }, { phone: NEW_PHONE() });
    const refused = await refusalOf(requestPhoneConfirmation(identity, thief));
    expect(refused.body()).toMatchObject({
      code: 'account_held',
      message:
        'For 24 hours after a password reset or a new phone, the phone and the authenticator app cannot be changed.',
      held_until: new Date(database.now().getTime() + DAY).toISOString(),
    });
    expect([refused.status, refused.details.retryAfterSeconds]).toEqual([409, 86_400]);
    expect(await resetCode(someone, old)).not.toBeNull();
    expect(await resetCode(someone, NEW_PHONE())).toBeNull();
  });

  test('whose code was asked for before a password reset cannot take the place of another after it', async () => {
    const someone = await signUp(identity, personNumber(n));
    await change(someone, { phone: NEW_PHONE() });
    const code = await askForPhoneCode(someone, NEW_PHONE());
    await resetByCode(someone);
    const thief = await signInAnew(someone);
    const confirm = () => confirmPhone(identity, thief, { code, currentPassword: NEW });
    expect((await refusalOf(confirm())).code).toBe('account_held');
    database.world.advance(DAY);
    await requestPhoneConfirmation(identity, thief);
    const [text = ''] = await textsTo(database, NEW_PHONE());
    const fresh = /\b(\d{4} \d{4})\b/.exec(text)?.[1] ?? '';
    await confirmPhone(identity, thief, { code: fresh, currentPassword: NEW });
    expect(await obstacle(someone, NEW_PHONE())).toBe('payout_held');
  });

  test('that is judged while the password is being reset does not take the place of the other', async () => {
    const someone = await signUp(identity, personNumber(n));
    await change(someone, { phone: NEW_PHONE() });
    const code = await askForPhoneCode(someone, NEW_PHONE());
    const verify: typeof identity.passwords.verify = async (typed, encoded) => {
      const isRight = await identity.passwords.verify(typed, encoded);
      if (typed !== PASSWORD) await resetByCode(someone);
      return isRight;
    };
    const slow = { ...identity, passwords: { ...identity.passwords, verify } };
    const confirming = confirmPhone(slow, someone.actor, { code, currentPassword: PASSWORD });
    expect((await refusalOf(confirming)).code).toBe('account_held');
    expect(await resetCode(someone, someone.person.phone_number)).not.toBeNull();
  });

  test('of the registration can be confirmed for the first time while withdrawals rest', async () => {
    const someone = await signUp(identity, personNumber(n));
    const tomorrow = new Date(database.now().getTime() + DAY);
    await database.sql`update users set payout_held_until = ${tomorrow} where id = ${someone.user.id}`;
    const code = await askForPhoneCode(someone, someone.person.phone_number);
    await expect(confirmPhone(identity, someone.actor, { code })).resolves.toBeUndefined();
  });

  test('that a stolen session wrote into the profile gets no reset code', async () => {
    const someone = await signUp(identity, personNumber(n));
    await change(someone, { phone: NEW_PHONE() });
    await database.transaction((tx) =>
      forgotPassword(tx, { idNumber: someone.person.id_number, phone: NEW_PHONE() }, HOME),
    );
    const [request] = await database.sql<{ id: string }[]>`select id from reset_requests`;
    await sendResetCode(identity, request);
    const sent = await database.sql`
      select 1 from sms_messages where user_id = ${someone.user.id} and template = 'reset_code'`;
    expect(sent).toHaveLength(0);
  });

  test('code works once, for ten minutes, and not after five wrong tries', async () => {
    const someone = await signUp(identity, personNumber(n));
    const phone = someone.person.phone_number;
    const confirm = (code: string) => refusalOf(confirmPhone(identity, someone.actor, { code }));
    const late = await askForPhoneCode(someone, phone);
    database.world.advance(10 * MINUTE);
    expect((await confirm(late)).body()).toMatchObject({
      code: 'phone_code_invalid',
      errors: { code: ['That code is not valid or has expired.'] },
    });
    const code = await askForPhoneCode(someone, phone);
    for (let time = 0; time < 5; time += 1) await confirm('0000 0000');
    expect((await confirm(code)).code).toBe('phone_code_invalid');
    expect((await confirm(late)).code).toBe('phone_code_invalid');
  });

  test('code is sent at most three times an hour and ten times a day', async () => {
    const someone = await signUp(identity, personNumber(n));
    const ask = () => requestPhoneConfirmation(identity, someone.actor);
    for (let hour = 0; hour < 3; hour += 1) {
      for (let time = 0; time < 3; time += 1) await ask();
      expect((await refusalOf(ask())).details.retryAfterSeconds).toBe(3_600);
      database.world.advance(60 * MINUTE);
    }
    await ask();
    const refused = await refusalOf(ask());
    expect(refused).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect(refused.details.retryAfterSeconds).toBe(86_400 - 3 * 3_600);
  });

  test('code is sent to one phone at most four times an hour and ten times a day, whoever asks, also at once', async () => {
    const phone = NEW_PHONE();
    const crowd: SignedUp[] = [];
    for (let k = 0; k < 4; k += 1) {
      const someone = await signUp(identity, personNumber(n + 3000 + 100 * k));
      await change(someone, { phone });
      crowd.push(someone);
    }
    const ask = async ({ actor }: SignedUp) =>
      requestPhoneConfirmation(identity, actor).then(
        () => true,
        () => false,
      );
    const atOnce = () => Promise.all(crowd.flatMap((someone) => [1, 2, 3, 4].map(() => ask(someone))));
    for (const sent of [4, 4, 2, 0]) {
      expect((await atOnce()).filter(Boolean).length).toBe(sent);
      database.world.advance(60 * MINUTE);
    }
    expect(await textsTo(database, phone)).toHaveLength(10);
  });
});
