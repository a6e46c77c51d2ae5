import { describe, expect, test } from 'vitest';
import { dividendTerms } from './dividends.ts';
import {
  documentNumber,
  emailAddress,
  forgotPassword,
  login,
  logoutAll,
  phoneNumber,
  register,
  seenCard,
} from './identity.ts';
import { centsFromShillings, positiveAmount } from './money.ts';
import { nameOf } from './names.ts';
import { passportNumber } from './passport-countries.ts';
import { phoneDigits, readPhone } from './phone.ts';
import { poolFields } from './pools.ts';
import { inviteToOffice, recordOfficial } from './saccos.ts';
import { sentence } from './sentence.ts';
import { foldId, percentHundredths, plainAmount, plainCode, plainPercent } from './typed.ts';
import {
  AMOUNT_CASES,
  CODE_CASES,
  ID_CASES,
  NAME_CASES,
  PASSPORT_CASES,
  PERCENT_CASES,
  PHONE_CASES,
  PHONES_OF_COUNTRIES,
  RECEIPT_CASES,
  WRONG_LENGTHS,
} from './typed-cases.ts';
import { receiptNumber } from './wallet.ts';

const SHOWN = /[^ -~]/g;
const shown = (text: string) => JSON.stringify(text).replace(SHOWN, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);

describe('a phone number is read in every form in which it is pasted, or refused', () => {
  test.each(PHONE_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(phoneDigits(typed)).toBe(read);
    expect(phoneNumber.safeParse(typed).data ?? null).toBe(read);
  });

  test.each(PHONES_OF_COUNTRIES)('of %s: %s', (country, typed, read) => {
    expect(phoneDigits(typed, country)).toBe(read);
  });

  test.each(WRONG_LENGTHS)('%s: a Kenyan number has ten digits (field case P5)', (typed) => {
    expect(readPhone(typed)).toEqual({ problem: 'kenyan_length' });
    expect(phoneNumber.safeParse(typed).error?.issues[0]?.message).toMatch(/^A Kenyan number has ten digits/);
  });

  test('a number of another country without its code is not taken for a Kenyan one', () => {
    expect(phoneNumber.safeParse('0911 234 567').error?.issues[0]?.message).toMatch(/with the code of its country/);
  });
});

describe('an ID number is read with blanks, hyphens and unseen letters in it (field case P2)', () => {
  test.each(ID_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(documentNumber.safeParse(typed).data ?? null).toBe(read);
    for (const { body } of [recordOfficial, inviteToOffice])
      expect(body.safeParse({ id_number: typed, office: 'secretary' }).data?.id_number ?? null).toBe(read);
  });

  const people = { password: 'Ushirika#2026', user_type: 'client', phone_number: '0712345678' };
  test.each(ID_CASES.flatMap(([typed, read]) => (read === null ? [] : [[shown(typed), typed, read] as const])))(
    'at sign-in, for a forgotten password, and where a card is seen, %s',
    (_, typed, read) => {
      for (const { body } of [login, logoutAll, forgotPassword])
        expect(foldId(body.parse({ ...people, id_number: typed }).id_number)).toBe(read);
      expect(foldId(seenCard.parse({ document: 'national_id', number: typed }).number)).toBe(read);
    },
  );
});

describe('an amount is read as people and spreadsheets write it, or refused where it could be two (field case M11)', () => {
  test.each(AMOUNT_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(plainAmount(typed)).toBe(read);
    const cents = read === null ? null : Math.round(Number(read) * 100);
    expect(centsFromShillings(typed)).toBe(cents);
    expect(positiveAmount.safeParse(typed).data ?? null).toBe(cents);
  });
});

describe('a percentage is read alike for a fee, a dividend and a pool, or refused where it could be two', () => {
  test.each(PERCENT_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(plainPercent(typed)).toBe(read);
    const hundredths = read === null ? null : Math.round(Number(read) * 100);
    expect(percentHundredths(typed)).toBe(hundredths);
    expect(dividendTerms.shape.share_rate.safeParse(typed).data ?? null).toBe(read === null ? null : Number(read));
    expect(poolFields.shape.base_risk_percentage.safeParse(typed).data ?? null).toBe(hundredths);
  });

  test('a rate of a loan has four decimals at most, all others two', () => {
    expect([plainPercent('1.2345 %'), percentHundredths('1.2345')]).toEqual(['1.2345', null]);
    expect(plainPercent('1.23456')).toBeNull();
  });
});

describe('a name with an initial, a suffix or two surnames has a way in (field case P4)', () => {
  const name = nameOf({ kind: 'person', least: 1, most: 80, label: sentence('First name') });
  test.each(NAME_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(name.safeParse(typed).data ?? null).toBe(read);
  });
});

describe('a passport is kept with its country, so that two of one number are two people’s (field case P3)', () => {
  test.each(PASSPORT_CASES)('of %s: %s', (country, typed, read) => {
    expect(documentNumber.safeParse(passportNumber(country, typed)).data ?? null).toBe(read);
  });

  test('without its country a number of nine digits is refused, and what to do is said', () => {
    expect(documentNumber.safeParse('123456789').error?.issues[0]?.message).toMatch(/choose the country/);
  });

  test('a Kenyan one has one form: with its country’s letters it would be a second account', () => {
    expect(documentNumber.safeParse('KENAK123456').success).toBe(false);
  });
});

describe('at sign-up the number has to be of the document that was chosen', () => {
  const body = { first_name: 'Amina', last_name: 'Said', phone_number: '0712345678', email: 'amina@example.com' };
  const kept = (document: string | undefined, id_number: string) =>
    register.body.safeParse({ ...body, password: 'Ushirika#2026', user_type: 'client', document, id_number });
  test.each(['Sn 23456701', 'PP 23456701', 'Jr 23456701', 'MR 23456701', 'AK123456', 'GBR123456789'])(
    '%s is no national ID and no alien ID',
    (typed) => {
      for (const document of ['national_id', 'alien_id'])
        expect(kept(document, typed).error?.issues).toMatchObject([
          { path: ['id_number'], message: 'An ID has digits only. With a passport, choose “Passport”.' },
        ]);
    },
  );

  test('an ID has digits, a passport has letters too, and without a document both are taken', () => {
    for (const document of ['national_id', 'alien_id', undefined])
      expect(kept(document, 'Na. 23456701').data?.id_number).toBe('23456701');
    for (const document of ['passport', undefined])
      expect(kept(document, 'AK 123456').data?.id_number).toBe('AK123456');
    expect(kept('passport', '23456701').error?.issues).toMatchObject([
      { path: ['id_number'], message: 'A passport has letters before its digits, such as AK123456.' },
    ]);
  });
});

describe('a code is read alone, and in the SMS that brought it', () => {
  test.each(CODE_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(plainCode(typed)).toBe(read);
  });

  test('with two codes in it no code is taken', () => {
    expect(plainCode('Ushirika: 8195 1832 or 8195-1833')).not.toMatch(/^\d+$/);
  });
});

describe('a receipt of M-Pesa is read alone and in its SMS; a phone, a word and two receipts are refused', () => {
  test.each(RECEIPT_CASES.map(([typed, read]) => [shown(typed), typed, read] as const))('%s', (_, typed, read) => {
    expect(receiptNumber.safeParse(typed).data ?? null).toBe(read);
  });

  test('two receipts have their own sentence', () => {
    expect(receiptNumber.safeParse('SKT4AB12CD SGH7XK2L9P').error?.issues[0]?.message).toBe(
      'There are two receipts. Paste one.',
    );
  });
});

test('each fault of a phone or ID number has its own sentence', () => {
  for (const typed of ['+254812345678', '254912345678'])
    expect(phoneNumber.safeParse(typed).error?.issues[0]?.message, typed).toMatch(/^A Kenyan mobile number begins/);
  expect(documentNumber.safeParse('O2312312').error?.issues[0]?.message).toMatch(/^Letters in it/);
});

test('an email address is read without the marks that a paste brings', () => {
  for (const typed of [
    ' Wanjiru@Example.com ',
    '\u200ewanjiru@example.com',
    'mailto:wanjiru@example.com',
    '<wanjiru@example.com>',
  ])
    expect(emailAddress.parse(typed), typed).toBe('wanjiru@example.com');
});
