import type { World } from '../world.ts';

/** Identifiers in the shapes of recorded traffic (payments.md 2.2, 3.2, 4). */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CAPITALS_AND_DIGITS = `${LETTERS}0123456789`;

/** A moment in Nairobi (UTC+3, no daylight saving), as parts of two digits. */
function nairobi(at: Date) {
  const [date = '', time = ''] = new Date(at.getTime() + 3 * 3_600_000).toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return { year, month, day, time: time.slice(0, 8) };
}

/** `20191219102115` */
export function compactTime(at: Date): string {
  const { year, month, day, time } = nairobi(at);
  return `${year}${month}${day}${time.replaceAll(':', '')}`;
}

/** `06.07.2024 22:48:52` */
export function dottedTime(at: Date): string {
  const { year, month, day, time } = nairobi(at);
  return `${day}.${month}.${year} ${time}`;
}

/** `UKL7RT61SV`: year (A is 2006), month and day in the first three, then chance. */
export function newReceipt(world: World): string {
  const { year, month, day } = nairobi(world.now());
  const dayCode = Number(day) < 10 ? String(Number(day)) : LETTERS[Number(day) - 10];
  const prefix = `${LETTERS[(Number(year) - 2006) % 26]}${LETTERS[Number(month) - 1]}${dayCode}`;
  return prefix + randomFrom(world, CAPITALS_AND_DIGITS, 6) + randomFrom(world, LETTERS, 1);
}

/** What stands where no money moved: `UKL0000000`. */
export function noReceipt(world: World): string {
  return `${newReceipt(world).slice(0, 3)}0000000`;
}

/** `ws_CO_27112025133814625708374149`: it ends in the payer's last nine digits. */
export function newCheckoutRequestId(at: Date, phone: string, ordinal: number): string {
  const { year, month, day, time } = nairobi(at);
  const digits = String(ordinal % 1000).padStart(3, '0');
  return `ws_CO_${day}${month}${year}${time.replaceAll(':', '')}${digits}${phone.slice(-9)}`;
}

/** `2654-4b64-97ff-b827b542881d3130` */
export function newRequestId(world: World): string {
  const hex = world.randomBytes(12).toString('hex');
  return `${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 24)}${randomFrom(world, '0123456789', 4)}`;
}

/** `AG_20240706_20106e9209f64bebd05b` */
export function newConversationId(world: World): string {
  return `AG_${compactTime(world.now()).slice(0, 8)}_${world.randomBytes(10).toString('hex')}`;
}

export function randomFrom(world: World, alphabet: string, length: number): string {
  return [...world.randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
