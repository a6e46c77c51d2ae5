import { z } from 'zod';
import { check } from './checks.ts';
import { nameOf } from './names.ts';
import { isPassportOfCountry } from './passport-countries.ts';
import { type PhoneProblem, readPhone } from './phone.ts';
import { isPlain, NOT_PLAIN } from './plain-text.ts';
import { acted, listOf, OFFICES, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { sentence } from './sentence.ts';
import { withoutUnseen } from './signs.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX, foldId, plainId } from './typed.ts';

export { foldId, plainId };

/**
 * Numbers of the documents that people here sign up with. A word is none: others might type it for something else.
 * None is as long as an account number, nine digits.
 */
const DOCUMENTS = [
  // The Kenyan national ID; the IDs of foreigners and refugees, which may have six digits.
  /^\d{6,8}$/,
  // Passports without a country: Kenyan ones such as A1234567 and AK123456, and numbers that are sent without one (decision 213).
  /^[A-Z]{1,2}\d{6,8}$/,
  /^T[A-Z]E\d{6}$/,
];
const UNKNOWN_DOCUMENT = check(
  'Enter the number of your national ID (7 or 8 digits), alien ID or passport, such as 12345678 or AK123456. With a passport of another country, choose the country.',
);

const LETTER_FOR_DIGIT = check('Letters in it: is that a zero or a one? A national ID has digits only.');

const isDocument = (text: string): boolean =>
  DOCUMENTS.some((format) => format.test(text)) || isPassportOfCountry(text);

/**
 * The number of an identity document at sign-up; blanks, hyphens, lower case and words before it are left out. A foreign passport has its
 * country’s three letters before its number, GBR123456789: two countries may give out one number.
 */
export const documentNumber = z
  .string()
  .max(64, UNKNOWN_DOCUMENT)
  .transform(plainId)
  .refine((text) => (isDocument(text) || isDocument(foldId(text))) && /[1-9]/.test(text), UNKNOWN_DOCUMENT)
  // A letter that looks like a digit stands first, and the whole is as long as a national ID.
  .refine((text) => !/^[OILS]\d{6,7}$/.test(text), LETTER_FOR_DIGIT)
  .transform(foldId);

const ENTER_A_PHONE = check('Enter a valid phone number, such as 254712345678 or 0712345678.');
const NOT_A_PHONE: Readonly<Record<PhoneProblem, string>> = {
  none: ENTER_A_PHONE,
  kenyan_length: check('A Kenyan number has ten digits, such as 0712345678.'),
  kenyan_start: check('A Kenyan mobile number begins with 07 or 01, such as 0712345678.'),
  no_country: check('That is no Kenyan number. Write it with the code of its country, such as +256 772 123456.'),
};

/** A phone number in any usual form; parsed to E.164 digits without the plus. */
export const phoneNumber = z
  .string()
  .max(60, ENTER_A_PHONE)
  .transform((text, context): string => {
    const read = readPhone(text);
    if ('digits' in read) return read.digits;
    context.addIssue({ code: 'custom', message: NOT_A_PHONE[read.problem] });
    return z.NEVER;
  });

/** An e-mail address as it is typed or pasted, folded to lower case: two that differ only in case are one. */
export const emailAddress = z
  .string()
  .max(254, check('Enter a valid email address.'))
  .transform((text) =>
    withoutUnseen(text)
      .trim()
      .replace(/^mailto:|^<|>$/gi, '')
      .toLowerCase(),
  )
  .refine((text) => z.email().safeParse(text).success, check('Enter a valid email address.'));

const personName = (label: 'First name' | 'Last name') =>
  nameOf({ kind: 'person', least: 1, most: 80, label: sentence(label) });

/** A password as it was typed. Its strength is judged by the server's verbs, whose refusal is the spec's sentence. */
const typedPassword = z.string().min(1, check('Password is required.')).max(1000, check('That password is too long.'));

/**
 * An ID number as typed at sign-in: never judged, so that a malformed one is answered like a wrong one. Its zeros stay: an account
 * of before they were folded may still have them (`whoseId` in server/domains/identity).
 */
const typedIdNumber = z
  .string()
  .min(1, check('ID number is required.'))
  .max(64, check('That ID number is too long.'))
  .transform(plainId);

/** A six-digit code from the app (blanks forgiven), or a recovery code. */
const otp = z
  .string()
  .min(1, check('Enter the code from your authenticator app.'))
  .max(40, check('That code is too long.'));

const userType = z.string().max(40);

/** Documents that are shown as proof of who somebody is. */
export const IDENTITY_DOCUMENTS = ['national_id', 'passport', 'alien_id'] as const;
export type IdentityDocument = (typeof IDENTITY_DOCUMENTS)[number];

const ID_HAS_DIGITS = check('An ID has digits only. With a passport, choose “Passport”.');
const PASSPORT_HAS_LETTERS = check('A passport has letters before its digits, such as AK123456.');

/** Cards that one official or operator records in 24 hours. */
export const IDENTITY_CHECKS_PER_DAY = 100;
/** So many records of ID cards one person takes back in a day. */
export const IDENTITY_WITHDRAWALS_PER_DAY = 5;

/**
 * M-Pesa's answer on the name behind a confirmed phone; null while no payment from it named anybody. Weaker than a card:
 * the person with the phone need not be the one of the account.
 */
export const mpesaName = z.enum(['agrees', 'differs']).nullable();

/** A record that somebody's ID card was seen (docs/decisions/180). */
export const identityCheck = z.object({
  id: z.uuid(),
  person: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  document: z.enum(IDENTITY_DOCUMENTS),
  seen_at: instant,
  seen_by: z.object({ id: z.uuid(), name: z.string() }),
  /** The sacco and the office in which an official saw it; null where an operator did. */
  sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  office: z.enum(OFFICES).nullable(),
  /** The two accounts may belong together: one brought the other, or they registered from one place. */
  looks_related: z.boolean(),
  /** It counts no more: it was a mistake, or the person has changed the name since. */
  ended: z
    .object({
      at: instant,
      kind: z.enum(['withdrawn', 'renamed']),
      by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
  /** Whether whoever asks may withdraw it now. */
  may_withdraw: z.boolean(),
});
export type IdentityCheck = z.infer<typeof identityCheck>;

/** The card that an official or an operator records: the kind of card, and the number on it, which has to be the account's. */
export const seenCard = z.object({ document: z.enum(IDENTITY_DOCUMENTS), number: typedIdNumber });

/** The reason for which a record is withdrawn; the person and the readers of the list read it. */
export const withdrawnBecause = z.object({
  reason: z
    .string()
    .trim()
    .min(5, check('Say why, in at least 5 characters.'))
    .max(500, check('Keep the reason within 500 characters.'))
    .refine(isPlain, NOT_PLAIN),
});

export const identityChecksQuery = z.object({
  status: z.enum(['standing', 'ended', 'all']).default('all'),
  ...pageQuery,
});

/** The person as the spec's profile names them. */
export const user = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  id_number: z.string(),
  /** E.164 digits without the plus. */
  phone_number: z.string(),
  email: z.string(),
});
export type User = z.infer<typeof user>;

/** A suspended account: since when, and the number to call. It reads, votes, complains and pays what is owed. */
const suspension = z.object({ since: instant, support_phone: z.string().nullable() });
export type Suspension = z.infer<typeof suspension>;

/** The answer to sign-up and sign-in; the web keeps the whole of it as the stored session. */
export const signedIn = acted({
  token: z.string(),
  expires_at: instant,
  user,
  /** True when this person holds an office and must set up an authenticator app before acting in it. */
  second_factor_enrolment_required: z.boolean(),
  suspended: suspension.nullable(),
});
export type SignedIn = z.infer<typeof signedIn>;

const done = acted({});

/** The fields of a sign-up, each by itself. */
export const signUp = z.object({
  phone_number: phoneNumber,
  id_number: documentNumber,
  /** The document that bears the number. The number is held to it where it is said. */
  document: z.enum(IDENTITY_DOCUMENTS).optional(),
  first_name: personName('First name'),
  last_name: personName('Last name'),
  email: emailAddress,
  password: typedPassword,
  referal_code: z.string().max(100, check('That referral code is too long.')).nullish(),
  user_type: userType,
});

export const register = route({
  name: 'register',
  method: 'POST',
  path: '/auth/register/',
  summary: 'Sign up. Duplicates and bad fields are answered by `errors`; an unknown referral code never blocks.',
  caller: 'anyone',
  repetition: 'natural',
  body: signUp
    // A number with letters would else be kept as a passport's.
    .refine(({ document, id_number }) => !document || document === 'passport' || !/[A-Z]/.test(id_number), {
      path: ['id_number'],
      error: ID_HAS_DIGITS,
    })
    .refine(({ document, id_number }) => document !== 'passport' || /[A-Z]/.test(id_number), {
      path: ['id_number'],
      error: PASSPORT_HAS_LETTERS,
    }),
  status: 201,
  reply: signedIn,
  refusals: ['user_type_not_allowed', 'password_too_weak'],
});

export const login = route({
  name: 'login',
  method: 'POST',
  path: '/auth/login/',
  summary: 'Sign in. With a second factor on, the same call is repeated with `otp`: an app code or a recovery code.',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({ id_number: typedIdNumber, password: typedPassword, user_type: userType, otp: otp.optional() }),
  reply: signedIn,
  refusals: [
    'invalid_credentials',
    'new_password_required',
    'second_factor_required',
    'second_factor_invalid',
    'user_type_not_allowed',
  ],
});

export const logout = route({
  name: 'logout',
  method: 'POST',
  path: '/auth/logout/',
  summary: 'End this session.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'natural',
  body: z.object({}),
  reply: done,
});

export const logoutAll = route({
  name: 'logoutAll',
  method: 'POST',
  path: '/auth/logoutall/',
  summary: 'End every session of the person whose ID number and password these are. It needs no token.',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({ id_number: typedIdNumber, password: typedPassword }),
  reply: done,
  refusals: ['invalid_credentials'],
});

export const forgotPassword = route({
  name: 'forgotPassword',
  method: 'POST',
  path: '/auth/forgot-password/',
  summary: 'Ask for a reset code by SMS. The answer is the same whether or not the pair belongs to anybody.',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({ id_number: typedIdNumber, phone_number: phoneNumber }),
  reply: done,
});

export const resetPassword = route({
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/reset-password/',
  summary: 'Set a new password with the code from the SMS. Ends every session and holds withdrawals for 24 hours.',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({
    reset_code: z.string().min(1, check('Reset code is required.')).max(CODE_TYPED_MAX),
    password: typedPassword,
  }),
  reply: done,
  refusals: ['reset_code_invalid', 'password_too_weak'],
});

/** `client` is everyone; `official` comes with its sacco and office; `operator` is of the platform. */
export const role = z.object({
  role: z.enum(['client', 'official', 'operator']),
  sacco: z.uuid().nullable(),
  office: z.enum(OFFICES).nullable(),
});

export const clientProfile = z.object({
  user,
  phone_number: z.string(),
  email: z.string(),
  /** Shillings. `amount` = `held` + `available`. */
  wallet: z.object({ amount: z.number(), held: z.number(), available: z.number() }),
  referal_code: z.string(),
  referal_link: z.string(),
  referal_count: z.number().int(),
  referal_amount: z.number(),
  registered_saccos: z.number().int(),
  roles: z.array(role),
  verified: z.object({
    /** Whether an official of one of their saccos, or an operator, has seen the ID card. */
    id: z.boolean(),
    /** The person who last recorded it; null while nobody has. The names are null where an operator did, who speaks as Ushirika. */
    card: z
      .object({
        document: z.enum(IDENTITY_DOCUMENTS),
        seen_at: instant,
        by: z.string().nullable(),
        office: z.enum(OFFICES).nullable(),
        sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      })
      .nullable(),
    mpesa_name: mpesaName,
    phone: z.boolean(),
    email: z.boolean(),
  }),
  second_factor: z.object({
    state: z.enum(['off', 'on']),
    required: z.boolean(),
    recovery_codes_left: z.number().int(),
  }),
  suspended: suspension.nullable(),
  /** Withdrawals are held until then, or null. */
  payout_held_until: instant.nullable(),
  /**
   * Money from shares that were sold, which cannot be withdrawn from the wallet yet, in shillings, and from when on all of
   * it can; null where nothing is kept back.
   */
  proceeds_held: z.object({ amount: z.number(), until: instant }).nullable(),
  /** The time at which the provider refused the person’s newest SMS code for good, to their own phone or another. Null where no code of the last 15 minutes was refused. */
  code_refused_at: instant.nullable(),
  /**
   * An official's new name that another official has not confirmed: until then `user` has the one before. `change` is the
   * id by which it is taken back (withdrawSaccoChange); at `lapses_at` it comes to nothing. Null where none waits.
   */
  waiting_name: z
    .object({ change: z.uuid(), first_name: z.string(), last_name: z.string(), lapses_at: instant })
    .nullable(),
});
export type ClientProfile = z.infer<typeof clientProfile>;

export const getProfile = route({
  name: 'getProfile',
  method: 'GET',
  path: '/client/',
  summary: 'The profile of the person who asks.',
  caller: 'signed_in',
  repetition: 'read',
  reply: clientProfile,
});

export const changeProfile = route({
  name: 'changeProfile',
  method: 'PATCH',
  path: '/client/',
  summary:
    'Change names, email or phone. A changed phone must be confirmed by SMS before it can receive money. The new name of an official of an active or suspended sacco waits for another official; the rest holds at once. The password was entered in this session in the last 15 minutes.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({
    phone_number: phoneNumber,
    first_name: personName('First name'),
    last_name: personName('Last name'),
    email: emailAddress,
  }),
  reply: acted({
    user,
    phone_confirmation_required: z.boolean(),
    /** True when the name that was asked for waits for another official: `user` has the one before. */
    name_waits: z.boolean(),
  }),
  refusals: ['proof_required', 'changes_limit_reached', 'second_official_required'],
});

export const changePassword = route({
  name: 'changePassword',
  method: 'POST',
  path: '/client/password',
  summary: 'Change the password. Every other session ends.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ current_password: typedPassword, password: typedPassword }),
  reply: done,
  refusals: ['current_password_wrong', 'password_too_weak'],
});

export const provePassword = route({
  name: 'provePassword',
  method: 'POST',
  path: '/client/password-proof',
  summary: 'Enter the password once more: what a stolen session must not do is then allowed for 15 minutes.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'natural',
  body: z.object({ current_password: typedPassword }),
  reply: acted({ proven_until: instant }),
  refusals: ['current_password_wrong'],
});

export const requestPhoneConfirmation = route({
  name: 'requestPhoneConfirmation',
  method: 'POST',
  path: '/client/phone-confirmation',
  summary: 'Send a code by SMS to the phone of the profile.',
  caller: 'signed_in',
  repetition: 'natural',
  reply: acted({
    expires_at: instant,
    /** True when the phone replaces an earlier one: then the password is asked for with the code. */
    password_required: z.boolean(),
  }),
  refusals: ['phone_already_confirmed', 'phone_taken', 'account_held'],
});

export const confirmPhone = route({
  name: 'confirmPhone',
  method: 'POST',
  path: '/client/phone-confirmation/code',
  summary: 'Confirm the phone of the profile with the code from the SMS.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({
    code: z.string().min(1, check('Enter the code from the SMS.')).max(CODE_TYPED_MAX),
    current_password: typedPassword.optional(),
  }),
  reply: done,
  refusals: ['phone_already_confirmed', 'phone_taken', 'account_held', 'current_password_wrong', 'phone_code_invalid'],
});

export const session = z.object({
  id: z.uuid(),
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
  /** Browser and system in a few words, such as `Chrome on Android`. */
  device: said,
  address: z.string(),
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const listSessions = route({
  name: 'listSessions',
  method: 'GET',
  path: '/client/sessions',
  summary: 'The devices that are signed in, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  reply: listOf(session),
});

export const endSession = route({
  name: 'endSession',
  method: 'DELETE',
  path: '/client/sessions/{id}',
  summary: 'Sign one device out.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: done,
});

export const enrolSecondFactor = route({
  name: 'enrolSecondFactor',
  method: 'POST',
  path: '/client/second-factor',
  summary: 'Begin to set up an authenticator app (TOTP, RFC 6238). It is on only once a code has been confirmed.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ current_password: typedPassword }),
  /** `secret` is base32; `uri` is what a QR code holds. */
  reply: acted({ secret: z.string(), uri: z.string() }),
  refusals: ['account_held', 'current_password_wrong', 'second_factor_conflict'],
});

export const confirmSecondFactor = route({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/client/second-factor/confirmation',
  summary:
    'Turn the authenticator app on with a code from it. Ends every other session; gives ten recovery codes, once.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ otp }),
  reply: acted({ recovery_codes: z.array(z.string()) }),
  refusals: ['account_held', 'second_factor_conflict', 'otp_not_accepted'],
});

export const renewRecoveryCodes = route({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/client/second-factor/recovery-codes',
  summary: 'Ten new recovery codes; the old ones stop working.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ current_password: typedPassword, otp }),
  reply: acted({ recovery_codes: z.array(z.string()) }),
  refusals: ['current_password_wrong', 'second_factor_conflict', 'otp_not_accepted'],
});

export const removeSecondFactor = route({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/client/second-factor/removal',
  summary: 'Turn the authenticator app off.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ current_password: typedPassword, otp }),
  reply: done,
  refusals: ['current_password_wrong', 'second_factor_conflict', 'otp_not_accepted'],
});

export const identityContract = [
  register,
  login,
  logout,
  logoutAll,
  forgotPassword,
  resetPassword,
  getProfile,
  changeProfile,
  changePassword,
  provePassword,
  requestPhoneConfirmation,
  confirmPhone,
  listSessions,
  endSession,
  enrolSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
] as const;
