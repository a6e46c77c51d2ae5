import { expect, test } from 'vitest';
import { smsPartsOf, toGsmLetters } from './gsm-letters.ts';
import { BOUNDS } from './sms.rules.ts';
import { amountValue, codeValue, personValue, saccoValue } from './sms-values.ts';
import type { Sms } from './sms-words.ts';

/** Values to try a domain's SMS with: the longest names that are let in, with letters that SMS lack, and a large amount. */
export const sample = {
  person: personValue({ first_name: 'Wanjikũ', last_name: 'Mũthoni-Ng’ĩ' }),
  sacco: saccoValue({ name: 'Mũrang’a-Nyeri Wakulima na Wafanyabiashara Sacco Limited, ũĩ', state: 'active' }),
  amount: amountValue(1_234_567_800),
  code: codeValue('ABCD-2345'),
};

/** Tests a domain's SMS: each text by its name, with every value and with those left out that may be. */
export function testSms(all: Readonly<Record<string, readonly Sms[]>>): void {
  test.each(Object.entries(all))(
    'the SMS %s says who we are, fits two messages, and links to nobody else',
    (_name, variants) => {
      expect(variants).not.toEqual([]);
      for (const { template, kind, words } of variants) {
        expect(template).toMatch(/^[a-z_]+$/);
        expect(Object.keys(BOUNDS)).toContain(kind);
        for (const written of Object.values(words)) {
          const text = toGsmLetters(written);
          expect(text).toContain('Ushirika');
          expect(smsPartsOf(text), text).toBeLessThanOrEqual(2);
          // The GSM alphabet: one other letter halves what a message holds.
          expect(text).toMatch(/^[A-Za-z0-9 .,:;?!&'()*/=_-]+$/);
          expect(text.match(/\w+\.[a-z]{2,}/g) ?? []).toEqual(text.includes('http') ? ['ushirika.test'] : []);
          expect(text).not.toMatch(/undefined|null| {2}/);
        }
      }
    },
  );
}
