import { csvCell } from '@ushirika/contract/csv';
import { centsFromShillings, shillingsFromCents } from '@ushirika/contract/money';
import { phoneDigits } from '@ushirika/contract/phone';
import { Refusal } from '@ushirika/contract/refusal';
import { wholeNumber } from '@ushirika/contract/whole-number';
import { readCursor } from '../../server/db/page.ts';
import { redacted } from '../../server/domains/wallet/receive-callback.ts';
import {
  parseC2bPayment,
  parsePayoutResult,
  parseQueueTimeout,
  parseStatusResult,
  parseStkCallback,
} from '../../server/gateways/mobile-money/daraja.parse.ts';
import { Random } from '../random.ts';
import { randomBody } from './random-bodies.ts';
import { randomText } from './random-texts.ts';

/** What is wrong with one case of a parser, or null. */
type Property = (random: Random) => string | null;

interface Share {
  readonly name: string;
  /** Of a hundred cases. */
  readonly share: number;
  readonly property: Property;
}

const ID = '0190f5c1-8a00-7000-8000-000000000001';

/** The parsers by themselves, each held to a second reading of the same rule that shares no code with it. */
export async function parserProperties(
  seed: number,
  cases: number,
): Promise<{ violations: string[]; fired: Record<string, number> }> {
  const violations: string[] = [];
  const fired: Record<string, number> = {};
  for (const { name, share, property } of PROPERTIES) {
    const random = new Random(seed);
    const times = Math.floor((cases * share) / 100);
    let told = 0;
    for (let done = 0; done < times && told < 3; done += 1) {
      const wrong = guarded(property, random);
      if (wrong === null) continue;
      told += 1;
      violations.push(`The parser of ${name}: ${wrong} (seed ${seed}, case ${done})`);
    }
    fired[`cases for the parser of ${name}`] = times;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { violations, fired };
}

function guarded(property: Property, random: Random): string | null {
  try {
    return property(random);
  } catch (error) {
    return `throws ${(error as Error).stack?.slice(0, 300)}`;
  }
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 200);

const DIGITS = ['0０٠', '1１١', '2２٢', '3３٣', '4４٤', '5５٥', '6６٦', '7７٧', '8８٨', '9９٩'];
/** A text in plain signs: digits of all its scripts as one, and one blank where there are several. */
const inPlainSigns = (text: string): string =>
  [...text]
    .filter((sign) => !'\u200b\u200e\u200f\u202a\u202c\u202d\ufeff'.includes(sign))
    .map((sign) => {
      const digit = DIGITS.findIndex((forms) => forms.includes(sign));
      return digit >= 0 ? String(digit) : sign.trim() === '' ? ' ' : sign === '−' ? '-' : sign;
    })
    .join('')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');

/** The digits of whole shillings: together, or in threes with one sign between them. */
function ungroupedByHand(whole: string): string | null {
  for (const between of [',', ' ', "'"]) {
    const [first = '', ...rest] = whole.split(between);
    if (rest.length === 0) continue;
    if (
      rest.length > 4 ||
      first.length < 1 ||
      first.length > 3 ||
      first[0] === '0' ||
      rest.some(({ length }) => length !== 3)
    )
      return null;
    return digitsByHand([first, ...rest].join(''));
  }
  return digitsByHand(whole);
}

const digitsByHand = (text: string): string | null =>
  text !== '' && [...text].every((sign) => '0123456789'.includes(sign)) ? text : null;

const QUOTES = ['"', "'", '“', '”'];

/** Shillings as a person reads them: a sign, up to 13 digits, a point and up to two more. */
function readByHand(text: string): bigint | null {
  let bare = inPlainSigns(text);
  if (text.length > 60) return null;
  if (bare[0] === '=' && QUOTES.includes(bare[1] ?? ' ')) bare = bare.slice(1);
  while (QUOTES.includes(bare[0] ?? ' ')) bare = bare.slice(1);
  if (bare.endsWith(';')) bare = bare.slice(0, -1);
  while (QUOTES.includes(bare.at(-1) ?? ' ')) bare = bare.slice(0, -1);
  bare = bare.trim();
  const sign = bare[0] === '-' ? -1n : 1n;
  const [whole = '', cents, more] = (sign < 0n ? bare.slice(1) : bare).split('.');
  const digits = ungroupedByHand(whole);
  if (more !== undefined || digits === null || (digits.length > 13 && !whole.includes(','))) return null;
  if (cents && (cents.length > 2 || ungroupedByHand(cents) !== cents)) return null;
  if (BigInt(digits) > 1_000_000_000_000n) return null;
  return sign * (BigInt(digits) * 100n + BigInt((cents ?? '').padEnd(2, '0')));
}

function amounts(random: Random): string | null {
  if (random.chance(0.3)) {
    const value = random.chance(0.5)
      ? random.whole(-1e9, 1e9) / 100
      : (random.next() - 0.5) * 10 ** random.whole(-9, 20);
    const cents = centsFromShillings(value);
    if (cents === null) return readByHand(String(value)) === null ? null : `does not take ${value}`;
    return shillingsFromCents(cents) === value ? null : `makes ${cents} cents of ${value}`;
  }
  const text = randomText(random, 'amount');
  const [cents, expected] = [centsFromShillings(text), readByHand(text)];
  if (cents === null || expected === null)
    return (cents === null) === (expected === null) ? null : `makes ${cents} of ${shown(text)}`;
  if (!Number.isSafeInteger(cents) || Object.is(cents, -0))
    return `makes ${cents} of ${shown(text)}, which is no amount`;
  return BigInt(cents) === expected ? null : `makes ${cents} cents of ${shown(text)}`;
}

const ONE_TO_HUNDRED = wholeNumber(1, 100);
const TAKEN = new Set(Array.from({ length: 100 }, (_, index) => String(index + 1)));

function wholeNumbers(random: Random): string | null {
  const value: unknown = random.chance(0.3)
    ? (random.next() - 0.2) * 10 ** random.whole(0, 4)
    : randomText(random, 'number');
  const { success, data } = ONE_TO_HUNDRED.safeParse(value);
  const bare = typeof value === 'number' ? String(value) : inPlainSigns(value as string).replace(/^0+(?=\d)/, '');
  const expected = TAKEN.has(bare) && String(value).length <= 20;
  if (success !== expected) return `${success ? 'takes' : 'does not take'} ${shown(value)}`;
  return success && String(data) !== bare ? `makes ${data} of ${shown(value)}` : null;
}

function cursors(random: Random): string | null {
  const keys = [randomText(random, 'any'), random.whole(-(2 ** 31) + 1, 2 ** 31 - 1), ID];
  const shape = ['text', 'int4', 'uuid'] as const;
  const made = Buffer.from(JSON.stringify([random.pick(['a', 'b']), ...keys])).toString('base64url');
  const text = random.chance(0.3) ? made : random.chance(0.7) ? bitten(random, made) : randomText(random, 'any');
  try {
    const cursor = readCursor(text, shape);
    if (cursor === null) return text === '' ? null : `finds no cursor in ${shown(text)}`;
    const [first, second, third] = cursor.keys;
    const isOurs =
      typeof first === 'string' &&
      !first.includes('\0') &&
      Number.isInteger(second) &&
      Math.abs(second as number) < 2 ** 31 &&
      /^[0-9a-f-]{36}$/.test(String(third));
    return isOurs ? null : `takes ${shown(cursor.keys)}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return text === made && !String(keys[0]).includes('\0') ? `refuses its own ${shown(keys)}` : null;
  }
}

function bitten(random: Random, text: string): string {
  const at = random.whole(0, Math.max(0, text.length - 1));
  return (
    text.slice(0, at) + random.pick(['', 'A', '_', '=', '%', text.slice(0, at)]) + text.slice(at + random.whole(0, 2))
  );
}

function phones(random: Random): string | null {
  const text = randomText(random, 'phone');
  const digits = phoneDigits(text);
  if (digits === null) return null;
  if (!/^[1-9]\d{5,14}$/.test(digits)) return `makes ${shown(digits)} of ${shown(text)}`;
  const again = phoneDigits(`+${digits}`);
  return again === digits ? null : `makes ${digits} of ${shown(text)}, and ${again} of that`;
}

const PHONE = '254712345678';
const SECRET = 'hush-hush-hush';
const READERS = { parseStkCallback, parsePayoutResult, parseStatusResult, parseQueueTimeout, parseC2bPayment };

function callbacks(random: Random): string | null {
  const body = randomBody(random, { phone: PHONE, secret: SECRET });
  for (const [name, read] of Object.entries(READERS)) {
    const parsed = read(body);
    const bad = parsed.ok ? oddIn(parsed.value) : null;
    if (bad) return `${name} gives ${bad} for ${shown(body)}`;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const kept = JSON.stringify(redacted(body as Record<string, unknown>));
  if (kept.length > 20_000) return `keeps ${kept.length} characters`;
  if (kept.includes('\\u0000') || !kept.isWellFormed()) return `keeps what no table holds: ${kept.slice(0, 200)}`;
  if (kept.includes(SECRET)) return `keeps a secret: ${kept.slice(0, 200)}`;
  return kept.includes(PHONE) ? `keeps a whole phone number: ${kept.slice(0, 300)}` : null;
}

/** An amount that is none, or a time that PostgreSQL does not know, in what a reader made. */
function oddIn(value: unknown): string | null {
  if (value instanceof Date) {
    const year = value.getUTCFullYear();
    return year >= 1999 && year <= 2100 ? null : `the time ${value.toISOString()}`;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? null : `the amount ${value}`;
  if (typeof value !== 'object' || value === null || value instanceof Map) return null;
  for (const inner of Object.values(value)) {
    const bad = oddIn(inner);
    if (bad) return bad;
  }
  return null;
}

function cells(random: Random): string | null {
  const text = randomText(random, 'any');
  const cell = csvCell(text);
  const back = cellByHand(cell);
  if (back === null) return `writes ${shown(cell)} for ${shown(text)}, which is no cell`;
  if (back !== text && back !== `'${text}`) return `writes ${shown(cell)} for ${shown(text)}`;
  const isNumber = /^-\d+\.\d\d$/.test(back);
  return '=+-@\t\r\n|%'.includes(back.trimStart()[0] ?? 'a') && !isNumber
    ? `writes ${shown(back)}, which a spreadsheet runs`
    : null;
}

/** One cell as RFC 4180 has it read: bare without quotes, commas and line ends, or quoted with quotes doubled. */
function cellByHand(cell: string): string | null {
  if (!cell.startsWith('"')) return /[",\r\n]/.test(cell) ? null : cell;
  const inside = cell.slice(1, -1).split('""');
  return cell.length >= 2 && cell.endsWith('"') && inside.every((part) => !part.includes('"'))
    ? inside.join('"')
    : null;
}

const PROPERTIES: readonly Share[] = [
  { name: 'amounts', share: 40, property: amounts },
  { name: 'whole numbers', share: 20, property: wholeNumbers },
  { name: 'cursors', share: 15, property: cursors },
  { name: 'phone numbers', share: 5, property: phones },
  { name: 'callbacks', share: 5, property: callbacks },
  { name: 'cells of a statement', share: 15, property: cells },
];
