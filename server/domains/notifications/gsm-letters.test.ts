import { describe, expect, test } from 'vitest';
import { smsPartsOf, toGsmLetters } from './gsm-letters.ts';

describe('A text by SMS has letters that a phone company charges once (field case M12)', () => {
  test.each([
    ['Wanjikũ Mũthoni', 'Wanjiku Muthoni'],
    ['Kĩmani Ng’ang’a', "Kimani Ng'ang'a"],
    ['“Umoja” – Nyeri…', '"Umoja" - Nyeri...'],
    ['José Müller, Ñandú', 'José Müller, Ñandu'],
    ['Łukasz Đorđe Ŋamwe', 'Lukasz Dorde Ngamwe'],
    ['Ksh.\u00a01,000', 'Ksh. 1,000'],
    ['a\u200bb\u2060c', 'abc'],
    ['e\u0301 u\u0303', 'é u'],
    ['Ａｎｎａ', 'Anna'],
    ['Саша', '????'],
    ['\u{1f600}', '?'],
  ])('%s goes as %s', (text, sent) => expect(toGsmLetters(text)).toBe(sent));

  test('Other letters cost more than twice', () => {
    const text = 'a'.repeat(160);
    expect(smsPartsOf(text)).toBe(1);
    expect(smsPartsOf(`${text}a`)).toBe(2);
    expect(smsPartsOf(`${'a'.repeat(159)}ũ`)).toBe(3);
    expect(smsPartsOf(`${'a'.repeat(159)}€`)).toBe(2);
    expect(smsPartsOf(toGsmLetters(`${'a'.repeat(159)}ũ`))).toBe(1);
  });
});
