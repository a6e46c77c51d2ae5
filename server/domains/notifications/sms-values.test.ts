import { describe, expect, test } from 'vitest';
import { isReached, parseSmsCountries } from './sms-countries.ts';
import { codeValue, countValue, linkValue, personValue, saccoValue } from './sms-values.ts';
import { fixed, type Sms } from './sms-words.ts';

describe('a value', () => {
  test('that somebody chose does not compile', () => {
    const chosen: string = 'Unlock at https://evil.example';
    // @ts-expect-error: a text is no checked value.
    fixed`Ushirika: ${chosen}`;
    // @ts-expect-error: nor is it the words of an SMS.
    const forged: Sms = { template: 'x', kind: 'news', words: { en: chosen, sw: chosen } };
    expect(forged.words.en).toBe(chosen);
  });

  test.each([
    ['Wanjiru', 'Kamau'],
    ["Ng'ang'a", 'Otieno'],
    ['José', 'Nyong’o'],
    ['Anne-Marie', 'Were'],
  ])('is the name of %s %s', (first_name, last_name) => {
    expect(personValue({ first_name, last_name })).toBe(`${first_name} ${last_name}`);
  });

  test.each([
    ['Safaricom', 'Fuliza'],
    ['Ushirika', 'Otieno'],
    ['Customer', 'Care'],
    ['M', 'Pesa'],
    ['Sup-port', 'Otieno'],
    ['Séçurity', 'Otieno'],
    ['Tuma', 'Pin'],
    ['KCB', 'Otieno'],
    ['evil.example', 'Otieno'],
    ['Wanjiru\u200b', 'Kamau'],
    ['Wаnjiru', 'Kamau'],
    ['ＡＢＣ．', 'Kamau'],
    ['Call', '0712'],
    ['Wanjiru Njeri', 'Kamau'],
    ['Wanjirunjerikamau', 'Otieno'],
  ])('is not the name of %s %s: it is left out', (first_name, last_name) => {
    expect(personValue({ first_name, last_name })).toBeNull();
  });

  test('is the name of a sacco once an operator has activated it, and looks like no link', () => {
    const name = 'Ushirika Security. Your account is LOCKED';
    expect(saccoValue({ name, state: 'pending' })).toBeNull();
    expect(saccoValue({ name, state: 'rejected' })).toBeNull();
    expect(saccoValue({ name: 'Umoja https://evil.example', state: 'active' })).toBeNull();
    expect(saccoValue({ name: 'Umoja.co.ke', state: 'active' })).toBeNull();
    expect(saccoValue({ name: 'Umoja Sacco', state: 'suspended' })).toBe('Umoja Sacco');
  });

  test('is nothing else than what its function says', () => {
    expect(() => codeValue('go to evil')).toThrow();
    expect(() => countValue(1.5)).toThrow();
    expect(() => linkValue('https://ushirika.test', '//evil.example')).toThrow();
    expect(() => linkValue('https://ushirika.test', '@evil.example')).toThrow();
  });
});

describe('the countries', () => {
  const ours = parseSmsCountries('KE,UG') ?? [];
  test.each([
    ['254712345678', true],
    ['256772123456', true],
    ['254203000000', false],
    ['254900123456', false],
    ['252612345678', false],
    ['9607712345', false],
    ['88213300655', false],
    ['870773111632', false],
    ['14155552671', false],
  ])('a text to %s goes: %s', (digits, goes) => expect(isReached(digits, ours)).toBe(goes));

  test('are two letters each, or the setting is refused', () => {
    expect(parseSmsCountries('ke, tz')).toEqual(['KE', 'TZ']);
    expect(parseSmsCountries('KE,XX')).toBeNull();
  });
});
