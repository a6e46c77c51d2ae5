import { phoneNumber } from '@ushirika/contract/identity';
import { PHONE_CASES, PHONES_OF_COUNTRIES } from '@ushirika/contract/typed-cases';
import { expect, test } from 'vitest';
import { countryTyped, hasTooManyDigits, phoneValue } from './phone-value.ts';

const sent = (value: string) => phoneNumber.safeParse(value).data ?? null;

test.each(PHONE_CASES)('where Kenya is chosen, %j is sent so that the server reads %s', (typed, read) => {
  if (read !== null) expect(phoneValue(typed, 'KE')).toBe(`+${read}`);
  expect(sent(phoneValue(typed, 'KE'))).toBe(read);
});

test.each(PHONES_OF_COUNTRIES)('where %s is chosen, %j is sent so that the server reads %s', (country, typed, read) => {
  expect(sent(phoneValue(typed, country))).toBe(read);
});

test('what is no number of the chosen country is not sent as a Kenyan one', () => {
  expect(sent(phoneValue('071234567', 'SS'))).toBeNull();
});

test('a foreign number pasted where Kenya is chosen chooses its country', () => {
  expect(countryTyped('+256 772 123456', 'KE')).toBe('UG');
  expect(countryTyped('00251 911 234 567', 'KE')).toBe('ET');
  expect(countryTyped('211912345678', 'KE')).toBe('SS');
  expect(countryTyped('+44 7400 123456', 'KE')).toBe('GB');
  expect(countryTyped('0712345678', 'UG')).toBe('UG');
  expect(countryTyped('+254 712 345 678', 'UG')).toBe('KE');
  expect(countryTyped('', 'TZ')).toBe('TZ');
});

test('the field takes 2 to 17 digits', () => {
  expect(hasTooManyDigits('12345678901234567')).toBe(false);
  expect(hasTooManyDigits('123456789012345678')).toBe(true);
});
