import { passwordSatisfies } from '@ushirika/contract/constants';
import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.rules.ts';

test.each([
  'P@ssw0rd',
  'pa$$w0rd',
  'Password1!',
  'password@123',
  'Passw0rd!',
  'Qwerty123!',
  'Dragon#1',
  'Monkey!!12',
  '1qaz@WSX',
  'abc-12345',
  'Iloveyou#1234',
  'Karibu@2026',
  'Safaricom#26',
  'M-Pesa2025!',
  'Sunshine*7777',
])('%s is refused, though it has the letter, the digit and the sign', (password) => {
  expect(passwordSatisfies(password)).toBe(true);
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  'Ushirika#2026',
  'Umoja#2027',
  'Attack#2026',
  'Mpya#2027',
  'x7!kLm20p',
  'mlima wa 5 kenya!',
  '密碼密碼密碼1!',
])('%s is nobody’s first guess', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('more than three thousand passwords that the rules would let pass are refused (ASVS 6.2.4)', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const words = dictionary['passwords-common'].slice(0, 3_000).filter((word) => /^[a-z]{6,}$/.test(word));
  const passing = words.flatMap((word) => [`${word}1!`, `${word}@123`, `${word}#12`]).filter(passwordSatisfies);
  expect(passing.length).toBeGreaterThan(3_000);
  expect(passing.filter((password) => !isCommonPassword(password))).toEqual([]);
});
