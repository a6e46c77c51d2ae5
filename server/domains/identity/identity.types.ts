import type { Cents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { Database, Tx } from '../../db/tx.ts';
import type { SmsCountries } from '../notifications/sms-countries.ts';
import type { Keyring } from './keyring.ts';
import type { Passwords } from './passwords.ts';

/** What another domain does with a new person, in the same transaction. Referral codes that nobody has never block. */
export interface Registered {
  readonly userId: string;
  readonly referralCode: string | null;
  readonly phone: string;
  readonly idNumber: string;
  readonly email: string;
  readonly firstName: string;
  readonly address: string;
}

export interface ReferralFigures {
  readonly code: string;
  readonly link: string;
  /** How many are Fully Paid. */
  readonly points: number;
  /** What the rewards have come to. */
  readonly rewardCents: Cents;
}

export interface PersonsName {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** How the names of officials change: another official confirms them (docs/decisions/164). `tx` is the platform's. */
export interface OfficialNames {
  /** Whether somebody holds an office in a sacco that is active or suspended. */
  isHeld(tx: Tx, userId: string): Promise<boolean>;
  /**
   * Lets an official's new name wait, in the place of one that waits already. The person's row is locked.
   * @throws Refusal `validation_failed`, `changes_limit_reached`, `second_official_required`
   */
  propose(tx: Tx, name: PersonsName): Promise<void>;
  /** Closes what waits, where the name has changed without it: its bearer holds no office any more. */
  withdraw(tx: Tx, userId: string): Promise<void>;
  /** @throws Refusal `validation_failed` where the person is an operator and an official's name looks the same */
  refuseOfficialsName(tx: Tx, name: PersonsName): Promise<void>;
  /** The name of an official that waits now, or null. */
  waitingOf(userId: string): Promise<WaitingName | null>;
}

/** Locks what somebody asked others for under their name, before their own row is locked. @returns what ends it. `tx` is the platform's. */
export type Renaming = (tx: Tx, userId: string) => Promise<() => Promise<void>>;

export interface WaitingName {
  readonly changeId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly lapsesAt: Date;
}

/** Handed in by `server/domains.ts`: identity stands above the domains that know these. */
export interface IdentityDependencies {
  readonly database: Database;
  readonly passwords: Passwords;
  /** What seals the secrets of authenticator apps. */
  readonly keyring: Keyring;
  /** REQUIRE_TOTP: officials and operators act in their office only with an authenticator app. */
  readonly requireSecondFactor: boolean;
  /** Whether the device's cookie goes over https alone. */
  readonly hasSecureCookies: boolean;
  /** Whom to call about an account; null where nobody has set it (SUPPORT_PHONE). */
  readonly supportPhone: string | null;
  /** Phones of other countries are not taken: no code would reach them. */
  readonly smsCountries: SmsCountries;
  afterRegistration(tx: Tx, registered: Registered): Promise<void>;
  readonly officialNames: OfficialNames;
  readonly renaming: Renaming;
  officesOf(userId: string): Promise<readonly { readonly saccoId: string; readonly office: Office }[]>;
  /** How many saccos the person belongs to. */
  countSaccosOf(userId: string): Promise<number>;
  /** What of somebody's wallet came from sales and may not leave yet, in cents, and until when. */
  proceedsHeldOf(userId: string): Promise<{ readonly cents: number; readonly until: Date } | null>;
  referralFiguresOf(userId: string): Promise<ReferralFigures>;
}

/** From where a request comes. */
export interface Origin {
  readonly address: string;
  /** The value of the device's cookie (known-devices.ts), if it has one. */
  readonly deviceCookie?: string | null;
  /** Gives the device a new value for its cookie. */
  readonly keepDevice?: (cookie: string) => void;
  readonly userAgent: string;
}

export interface PersonRow {
  readonly id: string;
  readonly id_number: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string;
  readonly phone_confirmed_at: Date | null;
  readonly recovery_phone: string;
  readonly email: string;
  readonly password_hash: string;
}
