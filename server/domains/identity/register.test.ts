import { login as loginRoute, register as registerRoute } from '@ushirika/contract/identity';
import { replyInWords } from '@ushirika/contract/in-words';
import { passportNumber } from '@ushirika/contract/passport-countries';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { register } from './register.ts';
import {
  confirmByHand,
  HOME,
  personNumber,
  sessionReader,
  signIn,
  signUp,
  type TestIdentity,
  testIdentity,
  WANJIRU,
} from './test-identity.ts';

const database: TestDatabase = await testDatabase();
let identity: TestIdentity;
let n = 0;
beforeEach(() => {
  identity = testIdentity(database);
  n += 1;
});
afterAll(() => database.close());

const sentences = (input: object) => {
  const parsed = registerRoute.body.safeParse(input);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

describe('signing up', () => {
  test('gives an account, a session of twelve hours and the words of the spec', async () => {
    const person = personNumber(n);
    const reply = await register(identity, person, HOME);
    expect(replyInWords(reply, 'en')).toEqual({
      success: true,
      suspended: null,
      message: 'Registration Successfull',
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_at: new Date(database.now().getTime() + 12 * 3_600_000).toISOString(),
      user: {
        id: expect.any(String),
        first_name: 'Wanjiru',
        last_name: 'Kamau',
        id_number: person.id_number,
        phone_number: person.phone_number,
        email: person.email,
      },
      second_factor_enrolment_required: false,
    });
    expect(await sessionReader(identity)(reply.token)).toMatchObject({ userId: reply.user.id, isOperator: false });
  });

  test('in Swahili welcomes in Swahili, and so are all later notices', async () => {
    const { user } = await register(identity, personNumber(n), HOME, 'sw');
    const [notice] = await database.sql<{ text: string }[]>`select text from notifications where user_id = ${user.id}`;
    expect(notice?.text).toMatch(/^Karibu Ushirika, Wanjiru/);
    const [kept] = await database.sql<{ language: string }[]>`
      select language from notification_preferences where user_id = ${user.id}`;
    expect(kept?.language).toBe('sw');
  });

  test('keeps neither the password nor the token', async () => {
    const person = { ...personNumber(n), password: 'Very#secret1' };
    const { token } = await signUp(identity, person);
    const rows = await database.owner`
      select to_jsonb(u)::text || to_jsonb(s)::text as text
      from users u join sessions s on s.user_id = u.id where u.id_number = ${person.id_number}`;
    expect(rows[0]?.text).not.toContain('Very#secret1');
    expect(rows[0]?.text).not.toContain(token);
  });

  test('hands the referral code on, and an unknown one never blocks', async () => {
    await register(identity, { ...personNumber(n), referal_code: '  NOBODY-HAS-IT ' }, HOME);
    expect(identity.registered[0]).toMatchObject({ referralCode: 'NOBODY-HAS-IT', address: HOME.address });
    await register(identity, { ...personNumber(n + 1000), referal_code: '' }, HOME);
    expect(identity.registered[1]?.referralCode).toBeNull();
  });

  test('when what follows it fails, there is no account', async () => {
    const person = personNumber(n);
    const failing = { ...identity, afterRegistration: () => Promise.reject(new Error('no referrals today')) };
    await expect(register(failing, person, HOME)).rejects.toThrow('no referrals today');
    expect(await database.sql`select 1 from users where id_number = ${person.id_number}`).toHaveLength(0);
  });
});

describe('signing up is refused', () => {
  test('with a password that is guessed first, and it is said why', async () => {
    const sentence = 'That password is among those that are guessed first. Choose another one.';
    const refused = await register(identity, { ...personNumber(n), password: 'Password@123' }, HOME).catch(
      (error) => error,
    );
    expect(refused.body()).toMatchObject({
      code: 'password_too_weak',
      message: sentence,
      errors: { password: [sentence] },
    });
  });

  test('for another kind of user than a client', async () => {
    await expect(register(identity, { ...personNumber(n), user_type: 'operator' }, HOME)).rejects.toMatchObject({
      code: 'user_type_not_allowed',
      status: 400,
    });
  });

  test.each(['Abc#123', 'Ushirika#', 'Ushirika2026', '1234567#', `Aa1#${'x'.repeat(125)}`])(
    'for the password %s, before anything is hashed',
    async (password) => {
      const refusal = await register(identity, { ...personNumber(n), password }, HOME).catch((error) => error);
      expect(refusal.body()).toEqual({
        success: false,
        code: 'password_too_weak',
        message: 'Password has not satisfied the required specs',
        detail: 'Password has not satisfied the required specs',
        errors: { password: ['Password has not satisfied the required specs'] },
      });
      expect(identity.passwords.begun()).toBe(0);
    },
  );

  test('a password without an uppercase letter is none of these: it is listed but not enforced', async () => {
    await expect(register(identity, { ...personNumber(n), password: 'ushirika#2026' }, HOME)).resolves.toBeTruthy();
  });

  test('for an ID number, phone or e-mail that another account has, naming each', async () => {
    const person = personNumber(n);
    const first = await signUp(identity, person);
    const other = personNumber(n + 1000);
    const errorsOf = async (input: typeof WANJIRU) =>
      (await register(identity, input, HOME).catch((error) => error)).body().errors;
    expect(await errorsOf({ ...other, id_number: person.id_number })).toEqual({
      id_number: ['An account with this ID number already exists.'],
    });
    // What somebody has only written down blocks nobody: it is theirs once an SMS code has confirmed it.
    expect(Object.keys(await errorsOf(person))).toEqual(['id_number', 'email']);
    await confirmByHand(identity, first);
    expect(await errorsOf(person)).toEqual({
      id_number: ['An account with this ID number already exists.'],
      phone_number: ['An account with this phone number already exists.'],
      email: ['An account with this email already exists.'],
    });
  });

  test('two at once with the same ID number give one account and one refusal', async () => {
    const one = personNumber(n);
    const two = { ...personNumber(n + 1000), id_number: one.id_number };
    const outcomes = await Promise.allSettled([register(identity, one, HOME), register(identity, two, HOME)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason.body().errors).toEqual({ id_number: ['An account with this ID number already exists.'] });
    expect(await database.sql`select 1 from users where id_number = ${one.id_number}`).toHaveLength(1);
  });

  test('for fields that are not what they should be, with a sentence for each', () => {
    expect(sentences(WANJIRU)).toEqual([]);
    const words =
      'Enter the number of your national ID (7 or 8 digits), alien ID or passport, such as 12345678 or AK123456. With a passport of another country, choose the country.';
    expect(sentences({ ...WANJIRU, id_number: '1234' })).toEqual([`id_number: ${words}`]);
    expect(sentences({ ...WANJIRU, id_number: '12345_678' })).toHaveLength(1);
    expect(sentences({ ...WANJIRU, phone_number: '12' })).toEqual([
      'phone_number: Enter a valid phone number, such as 254712345678 or 0712345678.',
    ]);
    expect(sentences({ ...WANJIRU, email: 'wanjiru' })).toEqual(['email: Enter a valid email address.']);
    expect(sentences({ ...WANJIRU, first_name: '  ' })).toEqual(['first_name: First name is required.']);
    expect(sentences({ ...WANJIRU, last_name: '<b>' })).toEqual([
      "last_name: Last name cannot have “<” in it. Use letters, ' - . and /.",
    ]);
  });

  test.each(['SAVINGS', 'JOHNKAMAU', 'SHOP7', 'A123456B', '00000000', '0712345678', '848210317', 'ABC1234567'])(
    'for %s, which is on no document',
    (text) => expect(sentences({ ...WANJIRU, id_number: text })).toHaveLength(1),
  );

  test.each(['1234567', '12345678', '123456', 'A1234567', 'AK123456', 'B12345678', 'PC123456', 'TAE123456'])(
    'and takes %s, as documents have it',
    (text) => expect(sentences({ ...WANJIRU, id_number: text })).toEqual([]),
  );

  test('what people type is put into one form: ID in capitals, e-mail in small letters, phone in digits', () => {
    const parsed = registerRoute.body.parse({
      ...WANJIRU,
      id_number: ' ak123456 ',
      email: ' Wanjiru@Example.CO.KE ',
      phone_number: '0712 345 678',
      first_name: '  Wanjiru   wa ',
    });
    expect(parsed).toMatchObject({
      id_number: 'AK123456',
      email: 'wanjiru@example.co.ke',
      phone_number: '254712345678',
      first_name: 'Wanjiru wa',
    });
  });
});

describe('an ID number as it is pasted (field case P2)', () => {
  test.each([
    '{a} {b}',
    '{a}-{b}',
    '{a}\u200b{b}',
    '\u200e{a}\u00a0{b}\u202c',
    "'{a}.{b}",
    'ID No. {a} {b}',
    'KE{a}{b}',
  ])('signs up and signs in: %j', async (form) => {
    const person = personNumber(n);
    const pasted = form.replace('{a}', person.id_number.slice(0, 3)).replace('{b}', person.id_number.slice(3));
    const body = registerRoute.body.parse({ ...person, id_number: pasted });
    const { user } = await register(identity, body, HOME);
    expect(user.id_number).toBe(person.id_number);
    const typed = loginRoute.body.parse({ id_number: pasted, password: person.password, user_type: 'client' });
    expect((await signIn(identity, typed.id_number)).user.id).toBe(user.id);
  });

  test.each([
    ['UG', 'B', 1_000_000],
    ['RW', 'PC', 100_000],
    ['BI', 'OP', 1_000_000],
  ])(
    'a passport of %s and a Kenyan one of the same number are two accounts, each with its own sign-in',
    async (country, letters, from) => {
      const number = `${letters}${from + n}`;
      const [kenyan, foreign] = [number, passportNumber(country, number)].map((id_number, index) =>
        registerRoute.body.parse({ ...personNumber(n + 300 * (index + 1)), id_number }),
      );
      for (const body of [kenyan, foreign]) {
        const { user } = await register(identity, body as NonNullable<typeof body>, HOME);
        expect((await signIn(identity, user.id_number)).user.id).toBe(user.id);
      }
      await expect(register(identity, { ...personNumber(n + 900), id_number: number }, HOME)).rejects.toThrow();
    },
  );

  test('and a passport of another country under its three letters (field case P3)', async () => {
    const number = `gbr 1234 ${String(10_000 + n)}`;
    const body = registerRoute.body.parse({ ...personNumber(n), id_number: number });
    const { user } = await register(identity, body, HOME);
    expect(user.id_number).toBe(`GBR1234${10_000 + n}`);
    const typed = loginRoute.body.parse({ id_number: number, password: body.password, user_type: 'client' });
    expect((await signIn(identity, typed.id_number)).user.id).toBe(user.id);
  });
});
