import { describe, expect, test } from 'vitest';
import { acceptedStep, base32, hotp, otpauthUri, stepOf } from './totp.rules.ts';

/** RFC 6238, appendix B: the SHA-1 secret and its eight-digit codes. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: readonly [number, string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
];

describe('codes of an authenticator app', () => {
  test.each(VECTORS)('at second %i of the epoch the code is %s, as RFC 6238 says', (second, code) => {
    expect(hotp(SECRET, stepOf(new Date(second * 1000)), 8)).toBe(code);
  });

  test('the first ten counters give the codes of RFC 4226', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => hotp(SECRET, counter));
    expect(codes).toEqual('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '));
  });

  test('a clock may be half a minute off either way, and no more', () => {
    const at = (second: number) => new Date(second * 1000);
    const code = hotp(SECRET, 100);
    expect([2969, 2970, 3000, 3059, 3060].map((second) => acceptedStep(SECRET, code, at(second), null))).toEqual([
      null,
      100,
      100,
      100,
      null,
    ]);
  });

  test('a code that was accepted once is not accepted again, nor one from before it', () => {
    const at = new Date(3_000_000);
    expect(acceptedStep(SECRET, hotp(SECRET, 100), at, 100)).toBeNull();
    expect(acceptedStep(SECRET, hotp(SECRET, 99), at, 100)).toBeNull();
    expect(acceptedStep(SECRET, hotp(SECRET, 101), at, 100)).toBe(101);
  });

  test('blanks are forgiven, anything else than six digits is not', () => {
    const at = new Date(3_000_000);
    const code = hotp(SECRET, 100);
    expect(acceptedStep(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, at, null)).toBe(100);
    for (const typed of ['', '12345', `${code}0`, 'abcdef', '１２３４５６']) {
      expect(acceptedStep(SECRET, typed, at, null)).toBeNull();
    }
  });

  test('the secret is shown in the base32 that apps read (RFC 4648)', () => {
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(otpauthUri(SECRET, '12345678')).toBe(
      'otpauth://totp/Ushirika:12345678?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ushirika&algorithm=SHA1&digits=6&period=30',
    );
  });
});
