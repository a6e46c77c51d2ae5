import { hash } from 'node:crypto';
import { plainCode } from '@ushirika/contract/typed';

/** Crockford's base32: no I, L, O or U, so that a code can be read aloud and typed back. */
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random symbols of Crockford's base32, five bits each. */
export function crockfordCode(length: number, randomBytes: (length: number) => Buffer): string {
  return [...randomBytes(length)].map((byte) => CROCKFORD[byte & 31]).join('');
}

/** `ABCD1234` as `ABCD-1234`. */
export function inGroups(code: string, size = 4): string {
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join('-') ?? code;
}

/**
 * What a person typed, as the code that was meant: any case, with or without dashes and blanks, O for 0 and I or L
 * for 1. Null when it cannot be a code of that length.
 */
export function readCrockford(typed: string, length: number): string | null {
  const code = plainCode(typed).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return code.length === length && [...code].every((symbol) => CROCKFORD.includes(symbol)) ? code : null;
}

/** Random decimal digits, each as likely as the next. */
export function digitCode(length: number, randomBytes: (length: number) => Buffer): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length)) {
      // 250 is the largest multiple of ten below 256: the rest would favour the low digits.
      if (byte < 250 && digits.length < length) digits += String(byte % 10);
    }
  }
  return digits;
}

/** SHA-256 in base64url: right for what has 80 random bits or more, never for a password. */
export function fastHash(text: string): string {
  return hash('sha256', text, 'base64url');
}
