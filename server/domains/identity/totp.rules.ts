import { createHmac, timingSafeEqual } from 'node:crypto';
import { plainCode } from '@ushirika/contract/typed';

/** RFC 6238 as every authenticator app speaks it: SHA-1, 30 seconds, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps that a phone's clock may be off, either way. */
const DRIFT_STEPS = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** HOTP (RFC 4226) for a counter. */
export function hotp(secret: Buffer, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / STEP_SECONDS);
}

/**
 * The time step whose code was typed, or null. A step at or before the last accepted one is not accepted: a code that
 * was seen over a shoulder is worth nothing.
 */
export function acceptedStep(secret: Buffer, typed: string, at: Date, lastStep: number | null): number | null {
  const code = plainCode(typed);
  if (!/^\d{6}$/.test(code)) return null;
  const now = stepOf(at);
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step += 1) {
    if (step < 0 || (lastStep !== null && step <= lastStep)) continue;
    if (timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}

/** RFC 4648 base32 without padding: how apps take a secret by hand. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** What the QR code holds (Key Uri Format of Google Authenticator). */
export function otpauthUri(secret: Buffer, account: string, issuer = 'Ushirika'): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}
