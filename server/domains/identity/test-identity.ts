import type { TestDatabase } from '../../db/test-database.ts';
import { DEFAULT_SMS_COUNTRIES } from '../notifications/sms-countries.ts';
import { profileOf } from './identity.queries.ts';
import type { IdentityDependencies, Origin, Registered } from './identity.types.ts';
import { createKeyring } from './keyring.ts';
import { logIn } from './log-in.ts';
import type { Passwords } from './passwords.ts';
import { createSessionReader } from './read-sessions.ts';
import { register } from './register.ts';
import { createQuickPasswords } from './test-passwords.ts';

export const PASSWORD = 'Ushirika#2026';

export const WANJIRU = {
  phone_number: '254712345678',
  id_number: '12345678',
  first_name: 'Wanjiru',
  last_name: 'Kamau',
  email: 'wanjiru@example.co.ke',
  password: PASSWORD,
  user_type: 'client',
};

/** A browser that keeps its cookie. */
export function device(address = '41.90.1.2'): Origin {
  let cookie: string | null = null;
  return {
    address,
    userAgent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    get deviceCookie() {
      return cookie;
    },
    keepDevice(value) {
      cookie = value;
    },
  };
}

export const HOME: Origin = device();
export const ELSEWHERE: Origin = { address: '196.201.214.9', userAgent: 'curl/8.5.0' };

export const TEST_KEYRING = createKeyring([Buffer.alloc(32, 7)]);

export interface TestIdentity extends IdentityDependencies {
  readonly database: TestDatabase;
  readonly passwords: Passwords;
  /** What registration handed on. */
  readonly registered: Registered[];
  /** People who hold an office in some sacco. */
  readonly officials: Set<string>;
}

/** Identity on a real database, with hashes that cost nothing; the domains below it answer plainly. */
export function testIdentity(database: TestDatabase, options: { requireSecondFactor?: boolean } = {}): TestIdentity {
  const registered: Registered[] = [];
  const officials = new Set<string>();
  const saccoId = '00000000-0000-7000-8000-00000000aaaa';
  return {
    database,
    passwords: createQuickPasswords(),
    keyring: TEST_KEYRING,
    requireSecondFactor: options.requireSecondFactor ?? false,
    hasSecureCookies: false,
    supportPhone: '254700000001',
    smsCountries: DEFAULT_SMS_COUNTRIES,
    registered,
    officials,
    afterRegistration: async (_tx, person) => void registered.push(person),
    renaming: async () => async () => {},
    officialNames: {
      isHeld: async () => false,
      propose: async () => {},
      withdraw: async () => {},
      refuseOfficialsName: async () => {},
      waitingOf: async () => null,
    },
    officesOf: async (userId) => (officials.has(userId) ? [{ saccoId, office: 'treasurer' as const }] : []),
    countSaccosOf: async () => 2,
    proceedsHeldOf: async () => null,
    referralFiguresOf: async () => ({
      code: 'WAN123',
      link: 'http://x/auth/register?ref=WAN123',
      points: 1,
      rewardCents: 50_000,
    }),
  };
}

export function sessionReader(deps: TestIdentity) {
  const { database, requireSecondFactor } = deps;
  return createSessionReader({ database, requireSecondFactor });
}

/** Another person for the same test: the same but for what must be one's own. */
export function personNumber(n: number): typeof WANJIRU {
  return {
    ...WANJIRU,
    id_number: `9${String(n).padStart(7, '0')}`,
    phone_number: `2547900${String(n).padStart(5, '0')}`,
    email: `person${n}@example.co.ke`,
  };
}

export async function signUp(deps: TestIdentity, person: typeof WANJIRU, origin = HOME) {
  const { token, user } = await register(deps, person, origin);
  const session = await sessionReader(deps)(token);
  if (!session) throw new Error('the session of a registration is not live');
  return { token, user, actor: session, person };
}

export function signIn(deps: TestIdentity, idNumber: string, password = PASSWORD, origin = HOME, otp?: string) {
  return logIn(deps, { id_number: idNumber, password, user_type: 'client', otp }, origin);
}

/** As the code of an SMS would. */
export async function confirmByHand({ database }: TestIdentity, { user }: { user: { id: string } }): Promise<void> {
  await database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${user.id}`;
}

/** What some work is refused with; that it is refused at all is part of the test. */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('it was not refused');
    },
    (error) => error,
  );

/** The texts in the outbox to a phone, newest first. */
export async function textsTo(database: TestDatabase, phone: string): Promise<string[]> {
  const rows = await database.sql<{ text: string }[]>`
    select text from sms_messages where phone = ${phone} order by created_at desc, id desc`;
  return rows.map((row) => row.text);
}

/** Why no money could go to this phone for this person, by what the profile says; null when it could. */
export async function payoutObstacle(deps: TestIdentity, userId: string, phone: string): Promise<string | null> {
  const profile = await profileOf(deps, userId);
  if (profile.phone_number !== phone) return 'phone_not_yours';
  if (!profile.verified.phone) return 'phone_unconfirmed';
  return profile.payout_held_until === null ? null : 'payout_held';
}
