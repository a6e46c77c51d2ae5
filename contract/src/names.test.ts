import { describe, expect, test } from 'vitest';
import { inWords } from './in-words.ts';
import { type NameRule, nameProblem, tidyName } from './names.ts';
import { type Sentence, sentence } from './sentence.ts';

const inEnglish = (said: Sentence | null) => said && inWords(said, 'en');

const GROUP: NameRule = { kind: 'group', least: 3, most: 120, label: sentence('A name') };
const PERSON: NameRule = { kind: 'person', least: 1, most: 80, label: sentence('First name') };

describe('names that people and saccos really have are taken', () => {
  test.each([
    'Mwangaza Traders Sacco',
    'Wang’ombe & Sons Investment Club',
    "St. Mary's Parents Chama (2019)",
    'P.C.E.A. Kikuyu Sacco',
    'A.I.C Women',
    'Boda-Boda Riders + Mechanics, Gikomba',
    'Kikundi No.5',
    'Kikundi Na. 12 / 2024',
    'Gĩkũyũ Farmers',
    'Société Générale des Pêcheurs',
    'ማህበር ቁጠባ',
    'جمعية التوفير',
    'बचत समूह',
    '東京さくらグループ',
    'Кооператив Заря',
  ])('%s', (name) => {
    expect(nameProblem(name, GROUP)).toBeNull();
  });

  test.each([
    "O'Brien",
    'Ng’ang’a',
    'Wang`ombe',
    'Njoroge-Otieno',
    'Wanjirũ',
    'M.',
    'wa Thiong’o',
    'አበበ',
    'محمد',
    'Øyvind',
    'Ɓala',
  ])('person %s', (name) => {
    expect(nameProblem(name, PERSON)).toBeNull();
  });
});

describe('a name that hides or leads somewhere is refused', () => {
  test.each([
    ['Mwangaza \u202ecoccaS', /cannot be seen/],
    ['Mwangaza\u3164Traders', /cannot be seen/],
    ['Mwangaza\u{e0041} Traders', /cannot be seen/],
    ['Mwangaza\u0000Traders', /cannot be seen/],
    ['Mwangaza\ud800 Traders', /cannot be seen/],
    ['Mwаngаzа Traders', /two alphabets/],
    ['Mwangaza Τraders', /two alphabets/],
    ['ᴍᴡᴀɴɢᴀᴢᴀ', /two alphabets/],
    ['Mwɑngɑzɑ', /two alphabets/],
    ['Mwangaza Trɑders ǃ', /two alphabets/],
    ['Mwanga\u0301\u0302\u0303\u0304za', /too many accents/],
    ['Free loan https://evil.example', /web address/],
    ['Free loan evil.example', /web address/],
    ['Free loan evil。example', /cannot have|web address/],
    ['Free loan evil．example', /web address/],
    ['Free loan t.co/x', /web address/],
    ['www evil example', /web address/],
    ['Loans 41.90.12.7', /web address/],
    ['Loans //evil', /web address/],
    ['Ask admin@evil', /cannot have/],
    ['Call 0712 345 678', /6 digits/],
    ['Call ０７１２３４５', /6 digits/],
    ['Moneyː now', /cannot have/],
    ['Free 🎁 loan', /cannot have/],
    ['<b>Loan</b>', /cannot have/],
    ['2024', /letters/],
    ['ab', /at least 3/],
    ['a'.repeat(121), /at most 120/],
  ])('%j', (name, sentence) => {
    expect(inEnglish(nameProblem(name, GROUP))).toMatch(sentence);
  });

  test.each([
    ['', /required/],
    ['Juma2', /no digits/],
    ['Call 0712345678', /no digits/],
    ['Juma (admin)', /cannot have/],
    ['Halimа', /two alphabets/],
    ['Hali\u3164ma', /cannot be seen/],
    ['evil.example', /web address/],
    ['x'.repeat(81), /at most 80/],
  ])('person %j', (name, sentence) => {
    expect(inEnglish(nameProblem(name, PERSON))).toMatch(sentence);
  });
});

test.each(['\u200b', '\u00ad', '\u2066', '\ufe0f', '\u200d'])(
  'a name is kept without the mark %j that a paste brings',
  (mark) => {
    expect(tidyName(`Mwan${mark}gaza${mark} Traders`)).toBe('Mwangaza Traders');
  },
);

test('a name is kept in one form: wide letters, curly apostrophes, long dashes and blanks are made ordinary', () => {
  expect(tidyName(' Ｍwangaza \n Ng’ang’a\u00a0–\u3000Sacco\ufeff')).toBe("Mwangaza Ng'ang'a - Sacco");
});
