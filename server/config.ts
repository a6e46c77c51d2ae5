import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { phoneDigits } from '@ushirika/contract/phone';
import { z } from 'zod';
import { parseKeys } from './domains/identity/keyring.ts';
import { DEFAULT_SMS_COUNTRIES, parseSmsCountries, type SmsCountries } from './domains/notifications/sms-countries.ts';
import type { ChainSettings } from './gateways/chain/chain.types.ts';
import type { DarajaConfig } from './gateways/mobile-money/daraja.types.ts';
import type { SmsConfig } from './gateways/sms/africas-talking.ts';
import { shownOrigin } from './own-address.ts';

/** All settings, parsed once at start; README lists them with their defaults. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** The owner's connection; null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** Where people reach us, without a slash at its end. */
  readonly publicUrl: string;
  /** Load the demonstration data into an empty database. */
  readonly demo: boolean;
  /** Null: the simulator stands in for M-Pesa. */
  readonly mpesa: DarajaConfig | null;
  /** What of the money on the paybill is the platform's own, and in no book, in cents. */
  readonly mpesaOwnFundsCents: number;
  /** The secret part of our callbacks' address; null: made by ourselves and kept in the database. */
  readonly mpesaCallbackSecret: string | null;
  /** The secret of the SMS provider's delivery reports; null: it follows from M-Pesa's. */
  readonly smsCallbackSecret: string | null;
  /** Null: the simulator's inbox receives our messages. */
  readonly sms: SmsConfig | null;
  /** Where SMS go: phones of other countries are not taken at sign-up. */
  readonly smsCountries: SmsCountries;
  /** From so many SMS a day on operators are told, and news stays in the app. */
  readonly smsDailyAlarm: number;
  /** Whether the simulator's routes exist. */
  readonly simulator: boolean;
  /** Every prompt is approved by itself, or answered by the last digits of its phone; null: as it was before. */
  readonly simulatorAuto: 'off' | 'approve' | 'endings' | null;
  /** Officials and operators need a second factor. */
  readonly requireTotp: boolean;
  /** Seal secrets in the database, the first the new ones; null: the file in the data folder. */
  readonly secretKeys: readonly Buffer[] | null;
  /** Every point and a second operator are needed to activate a sacco. */
  readonly strictActivation: boolean;
  /** Who bears what M-Pesa charges for a withdrawal. */
  readonly withdrawalCharges: 'platform' | 'member';
  /** Added to the number of active members that is shown (domain.md 4.12). */
  readonly displayedMemberOffset: number;
  /** False switches the limits of requests per minute off: for load measurements and browser journeys. */
  readonly rateLimits: boolean;
  /** As Fastify's trustProxy: how the caller's address is found behind a proxy. */
  readonly trustProxy: boolean | number | string;
  /** A request is answered within this, come what may. */
  readonly requestDeadlineMs: number;
  /** Requests under way at once; one more is refused. */
  readonly requestsMax: number;
  /** From SIGTERM on the process is not ready, and serves for so long yet: until the balancer has noticed. */
  readonly drainGraceMs: number;
  /** Whom members call about their account, as digits; null: nobody is named. */
  readonly supportPhone: string | null;
  /** Who shows it may read /metrics; null: callers on this machine alone. */
  readonly metricsToken: string | null;
  /** Where the heads of the logs are anchored; null: nowhere, or on the demonstration's own chain. */
  readonly chain: ChainSettings | null;
  readonly chainEverySeconds: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** A setting that cannot be right; the message names it and is all that a person needs. */
export class BadSetting extends Error {}

/** Reads the environment; throws `BadSetting` with one line for each setting that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new BadSetting(`These settings cannot be right:\n  ${lines.join('\n  ')}`);
  }
  return assemble(parsed.data);
}

const flag = z.enum(['0', '1'], 'write 0 or 1').transform((value) => value === '1');
const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `write a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `write a whole number from ${least} to ${most}`);
const webAddress = z
  .string()
  .regex(/^https?:\/\/[^\s/]+/, 'write an address that begins with http:// or https://')
  .transform((url) => url.replace(/\/+$/, ''));
const text = z.string().min(1);

/** What Fastify takes for proxies. `true`, or `10` for ten, is none: it would end the start, or trust nobody in silence. */
function isProxies(value: string): boolean {
  return /^\d$/.test(value) || value.split(',').every((part) => isNetwork(part.trim()));
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', mask, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (mask === undefined || (family === 4 && isIP(mask) === 4)) return true;
  return /^\d{1,3}$/.test(mask) && Number(mask) > 0 && Number(mask) <= (family === 4 ? 32 : 128);
}

const settings = z
  .object({
    NODE_ENV: z.enum(['production', 'development', 'test'], 'write production, development or test').optional(),
    PORT: integer(0, 65_535).default(3000),
    HOST: text.default('127.0.0.1'),
    DATA_DIR: text.default('.data'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'write an address that begins with postgres://')
      .optional(),
    DATABASE_POOL_SIZE: integer(2, 200).default(12),
    STATEMENT_TIMEOUT_MS: integer(100, 600_000).default(15_000),
    LOCK_TIMEOUT_MS: integer(100, 600_000).default(10_000),
    PUBLIC_URL: webAddress.optional(),
    DEMO: flag.optional(),
    MPESA_BASE_URL: webAddress.optional(),
    MPESA_CONSUMER_KEY: text.optional(),
    MPESA_CONSUMER_SECRET: text.optional(),
    MPESA_SHORTCODE: z
      .string()
      .regex(/^\d{5,7}$/, 'write the five to seven digits of the shortcode')
      .optional(),
    MPESA_PASSKEY: text.optional(),
    MPESA_CALLBACK_SECRET: z
      .string()
      .regex(/^[A-Za-z0-9_-]{32,}$/, 'write at least 32 letters and digits that nobody can guess')
      .optional(),
    SMS_CALLBACK_SECRET: z
      .string()
      .regex(/^[A-Za-z0-9_-]{32,}$/, 'write at least 32 letters and digits that nobody can guess')
      .optional(),
    MPESA_PAYOUT_SHORTCODE: z
      .string()
      .regex(/^\d{5,7}$/, 'write the five to seven digits of the shortcode')
      .optional(),
    MPESA_OWN_FUNDS: integer(0, 10_000_000_000).default(0),
    MPESA_INITIATOR_NAME: text.optional(),
    MPESA_INITIATOR_PASSWORD: text.optional(),
    MPESA_CERTIFICATE_FILE: text.optional(),
    SMS_BASE_URL: webAddress.default('https://api.africastalking.com'),
    SMS_USERNAME: text.optional(),
    SMS_API_KEY: text.optional(),
    SMS_SENDER_ID: text.optional(),
    SMS_COUNTRIES: text
      .refine((value) => parseSmsCountries(value) !== null, 'write countries by their two letters and commas: KE,UG')
      .optional(),
    SMS_DAILY_ALARM: integer(10, 10_000_000).default(2_000),
    SIMULATOR: flag.optional(),
    SIMULATOR_AUTO: z.enum(['off', 'approve', 'endings'], 'write off, approve or endings').optional(),
    REQUIRE_TOTP: flag.optional(),
    SECRETS_KEY: z
      .string()
      .refine((value) => parseKeys(value) !== null, 'write 64 hexadecimal digits, or several such keys and commas')
      .optional(),
    STRICT_ACTIVATION: flag.optional(),
    WITHDRAWAL_CHARGES: z.enum(['platform', 'member'], 'write platform or member').default('platform'),
    DISPLAYED_MEMBER_OFFSET: integer(0, 1_000_000).default(178),
    RATE_LIMITS: flag.default(true),
    TRUST_PROXY: text
      .refine(isProxies, 'write how many proxies stand in front, 0 to 9, or their addresses and commas')
      .optional(),
    REQUEST_DEADLINE_MS: integer(500, 60_000).default(10_000),
    REQUESTS_MAX: integer(10, 100_000).default(2_000),
    DRAIN_GRACE_MS: integer(0, 60_000).default(0),
    SUPPORT_PHONE: z
      .string()
      .refine((value) => phoneDigits(value) !== null, 'write a phone number, such as 254712345678')
      .optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{24,}$/, 'write at least 24 letters and digits that nobody can guess')
      .optional(),
    CHAIN_RPC_URL: webAddress.optional(),
    CHAIN_PRIVATE_KEY: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'write 0x and the 64 hexadecimal digits of the key')
      .optional(),
    CHAIN_ID: integer(1, 2_147_483_647).optional(),
    CHAIN_CONTRACT: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'write 0x and the 40 hexadecimal digits of the contract')
      .optional(),
    CHAIN_EVERY_SECONDS: integer(10, 604_800).default(3_600),
    CHAIN_PUBLIC_RPC_URL: webAddress.optional(),
    LOG_LEVEL: z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'write fatal, error, warn, info, debug, trace or silent',
      )
      .default('warn'),
  })
  .superRefine((given, context) => {
    const together = (names: readonly (keyof typeof given)[]) => {
      const set = names.filter((name) => given[name] !== undefined);
      if (set.length === 0) return;
      for (const name of names.filter((each) => given[each] === undefined)) {
        context.addIssue({ code: 'custom', path: [name], message: `is missing; ${set.join(', ')} needs it` });
      }
    };
    together([
      'MPESA_BASE_URL',
      'MPESA_CONSUMER_KEY',
      'MPESA_CONSUMER_SECRET',
      'MPESA_SHORTCODE',
      'MPESA_PASSKEY',
      ...(given.MPESA_BASE_URL ? (['MPESA_CALLBACK_SECRET'] as const) : []),
    ]);
    together(['MPESA_INITIATOR_NAME', 'MPESA_INITIATOR_PASSWORD', 'MPESA_CERTIFICATE_FILE']);
    together(['SMS_USERNAME', 'SMS_API_KEY']);
    together(['CHAIN_RPC_URL', 'CHAIN_PRIVATE_KEY', 'CHAIN_ID', 'CHAIN_CONTRACT']);
    // Several servers may share that database, and their data folders may be as short-lived as they are.
    if (given.NODE_ENV === 'production' && given.DATABASE_URL && !given.SECRETS_KEY) {
      const message =
        'is missing; in production DATABASE_URL needs it: 64 hexadecimal digits, kept apart from the database';
      context.addIssue({ code: 'custom', path: ['SECRETS_KEY'], message });
    }
    if (given.SIMULATOR && given.MPESA_BASE_URL) {
      context.addIssue({ code: 'custom', path: ['SIMULATOR'], message: 'cannot be 1 with a real M-Pesa' });
    }
    if (given.MPESA_CERTIFICATE_FILE) {
      try {
        readFileSync(given.MPESA_CERTIFICATE_FILE);
      } catch {
        context.addIssue({ code: 'custom', path: ['MPESA_CERTIFICATE_FILE'], message: 'that file cannot be read' });
      }
    }
  });

function assemble(given: z.infer<typeof settings>): Config {
  const production = given.NODE_ENV === 'production';
  const mpesa = mpesaOf(given);
  return {
    production,
    port: given.PORT,
    host: given.HOST,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL ?? null,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    statementTimeoutMs: given.STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: given.LOCK_TIMEOUT_MS,
    publicUrl: given.PUBLIC_URL ?? shownOrigin(given.HOST, given.PORT),
    demo: given.DEMO ?? !production,
    mpesa,
    mpesaOwnFundsCents: given.MPESA_OWN_FUNDS * 100,
    mpesaCallbackSecret: given.MPESA_CALLBACK_SECRET ?? null,
    smsCallbackSecret: given.SMS_CALLBACK_SECRET ?? null,
    sms: smsOf(given),
    smsCountries: (given.SMS_COUNTRIES && parseSmsCountries(given.SMS_COUNTRIES)) || DEFAULT_SMS_COUNTRIES,
    smsDailyAlarm: given.SMS_DAILY_ALARM,
    simulator: mpesa === null && (given.SIMULATOR ?? !production),
    simulatorAuto: given.SIMULATOR_AUTO ?? null,
    requireTotp: given.REQUIRE_TOTP ?? production,
    secretKeys: given.SECRETS_KEY === undefined ? null : parseKeys(given.SECRETS_KEY),
    strictActivation: given.STRICT_ACTIVATION ?? production,
    withdrawalCharges: given.WITHDRAWAL_CHARGES,
    displayedMemberOffset: given.DISPLAYED_MEMBER_OFFSET,
    rateLimits: given.RATE_LIMITS,
    trustProxy: trustOf(given.TRUST_PROXY),
    requestDeadlineMs: given.REQUEST_DEADLINE_MS,
    requestsMax: given.REQUESTS_MAX,
    drainGraceMs: given.DRAIN_GRACE_MS,
    supportPhone: given.SUPPORT_PHONE === undefined ? null : phoneDigits(given.SUPPORT_PHONE),
    metricsToken: given.METRICS_TOKEN ?? null,
    chain: chainOf(given),
    chainEverySeconds: given.CHAIN_EVERY_SECONDS,
    logLevel: given.LOG_LEVEL,
  };
}

function mpesaOf(given: z.infer<typeof settings>): DarajaConfig | null {
  const { MPESA_BASE_URL, MPESA_CONSUMER_KEY, MPESA_CONSUMER_SECRET, MPESA_SHORTCODE, MPESA_PASSKEY } = given;
  if (!MPESA_BASE_URL || !MPESA_CONSUMER_KEY || !MPESA_CONSUMER_SECRET || !MPESA_SHORTCODE || !MPESA_PASSKEY) {
    return null;
  }
  const { MPESA_INITIATOR_NAME, MPESA_INITIATOR_PASSWORD, MPESA_CERTIFICATE_FILE } = given;
  return {
    baseUrl: MPESA_BASE_URL,
    consumerKey: MPESA_CONSUMER_KEY,
    consumerSecret: MPESA_CONSUMER_SECRET,
    shortcode: MPESA_SHORTCODE,
    passkey: MPESA_PASSKEY,
    ...(given.MPESA_PAYOUT_SHORTCODE ? { payoutShortcode: given.MPESA_PAYOUT_SHORTCODE } : {}),
    ...(MPESA_INITIATOR_NAME && MPESA_INITIATOR_PASSWORD && MPESA_CERTIFICATE_FILE
      ? {
          initiator: {
            name: MPESA_INITIATOR_NAME,
            password: MPESA_INITIATOR_PASSWORD,
            certificatePem: readFileSync(MPESA_CERTIFICATE_FILE, 'utf8'),
          },
        }
      : {}),
  };
}

function smsOf(given: z.infer<typeof settings>): SmsConfig | null {
  if (!given.SMS_USERNAME || !given.SMS_API_KEY) return null;
  return {
    baseUrl: given.SMS_BASE_URL,
    username: given.SMS_USERNAME,
    apiKey: given.SMS_API_KEY,
    ...(given.SMS_SENDER_ID ? { senderId: given.SMS_SENDER_ID } : {}),
  };
}

function chainOf(given: z.infer<typeof settings>): ChainSettings | null {
  const { CHAIN_RPC_URL, CHAIN_PRIVATE_KEY, CHAIN_ID, CHAIN_CONTRACT } = given;
  if (!CHAIN_RPC_URL || !CHAIN_PRIVATE_KEY || !CHAIN_ID || !CHAIN_CONTRACT) return null;
  return {
    rpcUrl: CHAIN_RPC_URL,
    privateKey: CHAIN_PRIVATE_KEY as `0x${string}`,
    chainId: CHAIN_ID,
    contract: CHAIN_CONTRACT as `0x${string}`,
    publicRpcUrl: given.CHAIN_PUBLIC_RPC_URL ?? null,
  };
}

/**
 * A number is how many proxies of ours stand in front: only what they added to X-Forwarded-For is believed. Believing
 * all of it would let everybody write their own address, and pass every limit that counts by it.
 */
function trustOf(value: string | undefined): boolean | number | string {
  if (value === undefined || value === '0') return false;
  return /^\d$/.test(value) ? Number(value) : value;
}
