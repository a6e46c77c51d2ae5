import { passwordSatisfies } from '@ushirika/contract/constants';
import { expect, test } from 'vitest';
import { passwordRules, referralCodeIn } from './password-rules.ts';

const open = (password: string) => passwordRules(password).flatMap(({ words, met }) => (met ? [] : [words]));

test('the checklist shows which rules a password meets', () => {
  expect(open('')).toHaveLength(5);
  expect(open('abcdefgh')).toEqual([
    'At least one uppercase letter',
    'At least one digit',
    'At least one special character',
  ]);
  expect(open('Ushirika#2026')).toEqual([]);
});

test('an uppercase letter is listed and not enforced', () => {
  expect(open('ushirika#2026')).toEqual(['At least one uppercase letter']);
  expect(passwordSatisfies('ushirika#2026')).toBe(true);
});

test('the referral code is the text after the equals sign', () => {
  expect(referralCodeIn('?ref=WANJ01')).toBe('WANJ01');
  expect(referralCodeIn('?referal_code=WANJ%2001&utm=x')).toBe('WANJ 01');
  expect(referralCodeIn('?ref=%E0%A4%A')).toBe('%E0%A4%A');
  expect(referralCodeIn('?ref')).toBe('');
  expect(referralCodeIn('')).toBe('');
});
