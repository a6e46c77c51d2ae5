import { OFFICES } from '@ushirika/contract/route';
import { describe, expect, test } from 'vitest';
import { BOUNDS } from './sms.rules.ts';
import { isReached, parseSmsCountries } from './sms-countries.ts';
import { type Sms, smsTexts } from './sms-texts.ts';
import {
  accountValue,
  amountValue,
  codeValue,
  countValue,
  linkValue,
  personValue,
  phoneValue,
  receiptValue,
  saccoValue,
} from './sms-values.ts';

const person = personValue({ first_name: 'Wanjiru', last_name: 'Kamau' });
const sacco = saccoValue({ name: 'Mwangaza Traders Sacco', state: 'active' });
const amount = amountValue(123_400);
const code = codeValue('ABCD-2345');
const side = { shares: countValue(120), amount };

/** Each SMS that there is, with every value and with those left out that may be. */
const all: Record<keyof typeof smsTexts, readonly Sms[]> = {
  resetCode: [smsTexts.resetCode(code)],
  phoneCode: [smsTexts.phoneCode(codeValue('1234 5678'))],
  officeCode: OFFICES.flatMap((office) => [
    smsTexts.officeCode(office, sacco, codeValue('ABCD-2345-EFGH-6789')),
    smsTexts.officeCode(office, null, codeValue('ABCD-2345-EFGH-6789')),
  ]),
  payerCode: [smsTexts.payerCode(accountValue('123 456 789'), codeValue('1234 5678'))],
  paymentDisputed: [
    smsTexts.paymentDisputed(
      amount,
      receiptValue('SGH7XK2L9P'),
      linkValue('https://ushirika.test', '/objection'),
      code,
    ),
  ],
  passwordReset: [smsTexts.passwordReset()],
  passwordChanged: [smsTexts.passwordChanged()],
  phoneChanged: [smsTexts.phoneChanged(phoneValue('254712345678'))],
  phoneConfirmed: [smsTexts.phoneConfirmed(phoneValue('254712345678'))],
  secondFactorOn: [smsTexts.secondFactorOn()],
  secondFactorOff: [smsTexts.secondFactorOff()],
  suspended: [smsTexts.suspended()],
  suspensionUpheld: [smsTexts.suspensionUpheld()],
  suspensionLifted: [smsTexts.suspensionLifted()],
  recoveryCodeUsed: [smsTexts.recoveryCodeUsed(countValue(9))],
  invitation: [person, null].map((name) =>
    smsTexts.invitation(name, linkValue('https://ushirika.test', '/auth/register?referal_code=WAN123')),
  ),
  referralRewarded: [smsTexts.referralRewarded(person, sacco, amount), smsTexts.referralRewarded(null, null, amount)],
  moneyReceived: [smsTexts.moneyReceived(amount)],
  withdrawalPaid: [smsTexts.withdrawalPaid(amount)],
  withdrawalReturned: [smsTexts.withdrawalReturned(amount)],
  paymentReturned: [smsTexts.paymentReturned(amount, receiptValue('SGH7XK2L9P'))],
  standingOrder: (['waiting', 'skipped', 'ended'] as const).flatMap((state) => [
    smsTexts.standingOrder(state, amount, sacco),
    smsTexts.standingOrder(state, amount, null),
  ]),
  saccoState: (['active', 'pending', 'rejected', 'suspended'] as const).flatMap((state) => [
    smsTexts.saccoState(state, sacco),
    smsTexts.saccoState(state, null),
  ]),
  exitRefunded: [sacco, null].map((name) => smsTexts.exitRefunded(name, amount)),
  exitCompleted: [sacco, null].map((name) => smsTexts.exitCompleted(name)),
  exitOverdue: [sacco, null].map((name) => smsTexts.exitOverdue(name)),
  sharesTraded: [
    smsTexts.sharesTraded({ orders: countValue(3), sacco, sold: side, bought: side }),
    smsTexts.sharesTraded({ orders: null, sacco: null, sold: null, bought: side }),
  ],
  priceAlert: [sacco, null].map((name) => smsTexts.priceAlert(name, amount, amount)),
};

describe('every SMS', () => {
  test.each(Object.entries(all))(
    '%s says who we are, fits two messages, and links to nobody else',
    (_name, variants) => {
      for (const { template, kind, words } of variants) {
        expect(template).toMatch(/^[a-z_]+$/);
        expect(Object.keys(BOUNDS)).toContain(kind);
        for (const text of Object.values(words)) {
          expect(text).toContain('Ushirika');
          expect(text.length, text).toBeLessThanOrEqual(306);
          // The GSM alphabet: one other letter halves what a message holds.
          expect(text).toMatch(/^[A-Za-z0-9 .,:;?!&'()*/=_-]+$/);
          expect(text.match(/\w+\.[a-z]{2,}/g) ?? []).toEqual(text.includes('http') ? ['ushirika.test'] : []);
          expect(text).not.toMatch(/undefined|null| {2}/);
        }
      }
    },
  );

  test('about trades gives the amounts as they were', () => {
    expect(all.sharesTraded[0]?.words.en).toBe(
      'Ushirika: 3 of your orders in Mwangaza Traders Sacco were filled: 120 shares sold for Ksh. 1,234.00, 120 shares bought for Ksh. 1,234.00.',
    );
  });

  test('one share is not many', () => {
    const one = { shares: countValue(1), amount };
    expect(smsTexts.sharesTraded({ orders: null, sacco, sold: one, bought: null }).words.en).toBe(
      'Ushirika: your order in Mwangaza Traders Sacco was filled: 1 share sold for Ksh. 1,234.00.',
    );
  });

  test('with a text that somebody chose does not compile', () => {
    const chosen: string = 'Unlock at https://evil.example';
    // @ts-expect-error: a text is no checked value.
    smsTexts.exitCompleted(chosen);
    // @ts-expect-error: nor is it the words of an SMS.
    const forged: Sms = { template: 'x', kind: 'news', words: { en: chosen, sw: chosen } };
    expect(forged.words.en).toBe(chosen);
  });
});

describe('a value', () => {
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
