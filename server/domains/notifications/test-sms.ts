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

/**
 * Tests a domain's SMS: each text by its name, with all values and without the optional ones. A phone company charges each part. A text
 * that takes two parts with the longest values stands in `twoParts`; all others take one.
 */
export function testSms<Name extends string>(
  all: Readonly<Record<Name, readonly Sms[]>>,
  twoParts: readonly NoInfer<Name>[] = [],
): void {
  test.each(Object.entries<readonly Sms[]>(all))(
    'the SMS %s says who we are, takes the parts that are allowed to it, and links to nobody else',
    (name, variants) => {
      expect(variants).not.toEqual([]);
      const texts = variants.flatMap(({ words }) => Object.values(words).map(toGsmLetters));
      const longest = Math.max(...texts.map(smsPartsOf));
      expect([name, longest]).toEqual([name, (twoParts as readonly string[]).includes(name) ? 2 : 1]);
      for (const { template, kind, words } of variants) {
        expect(template).toMatch(/^[a-z_]+$/);
        expect(Object.keys(BOUNDS)).toContain(kind);
        for (const written of Object.values(words)) {
          const text = toGsmLetters(written);
          expect(text).toContain('Ushirika');
          // The GSM alphabet: one other letter halves what a message holds.
          expect(text).toMatch(/^[A-Za-z0-9 .,:;?!&'()*/=_-]+$/);
          expect(text.match(/\w+\.[a-z]{2,}/g) ?? []).toEqual(text.includes('http') ? ['ushirika.test'] : []);
          expect(text).not.toMatch(/undefined|null| {2}/);
        }
      }
    },
  );
}
