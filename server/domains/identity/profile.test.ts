import { clientProfile } from '@ushirika/contract/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { changeProfile, type ProfileChange } from './change-profile.ts';
import { confirmPhone, requestPhoneConfirmation } from './confirm-phone.ts';
import { forgotPassword } from './forgot-password.ts';
import { profileOf } from './identity.queries.ts';
import { grantOperator } from './operators.ts';
import { sendResetCode } from './send-reset-code.ts';
import {
  PASSWORD,
  payoutObstacle,
  personNumber,
  refusalOf,
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
const NEW_PHONE = () => `2541100${String(n).padStart(5, '0')}`;

type SignedUp = Awaited<ReturnType<typeof signUp>>;
const change = ({ person, actor }: SignedUp, over: Partial<ProfileChange> = {}) => {
  const { first_name: firstName, last_name: lastName, phone_number: phone, email } = person;
  return changeProfile(database, actor, { firstName, lastName, phone, email, ...over });
};
const obstacle = ({ user }: SignedUp, phone: string) => payoutObstacle(identity, user.id, phone);

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
      verified: { id: false, phone: false, email: false },
      second_factor: { state: 'off', required: false, recovery_codes_left: 0 },
      payout_held_until: null,
    });
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

  test("is refused for another account's phone or e-mail, naming each, and changes nothing", async () => {
    const someone = await signUp(identity, personNumber(n));
    const other = personNumber(n + 1000);
    await signUp(identity, other);
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

  test('two people who take one phone at once: one has it, one is told', async () => {
    const [one, two] = [await signUp(identity, personNumber(n)), await signUp(identity, personNumber(n + 1000))];
    const phone = NEW_PHONE();
    const outcomes = await Promise.allSettled([change(one, { phone }), change(two, { phone })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason.code).toBe('validation_failed');
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

  test('that a stolen session wrote into the profile gets no reset code', async () => {
    const someone = await signUp(identity, personNumber(n));
    await change(someone, { phone: NEW_PHONE() });
    await database.transaction((tx) => forgotPassword(tx, { idNumber: someone.person.id_number, phone: NEW_PHONE() }));
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

  test('code is sent at most ten times a day', async () => {
    const someone = await signUp(identity, personNumber(n));
    for (let time = 0; time < 10; time += 1) await requestPhoneConfirmation(identity, someone.actor);
    const refused = await refusalOf(requestPhoneConfirmation(identity, someone.actor));
    expect(refused).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect(refused.details.retryAfterSeconds).toBe(86_400);
  });
});
