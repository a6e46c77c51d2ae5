import { describe, expect, test } from 'vitest';
import { format, inWords, replyInWords } from './in-words.ts';
import { fromStored, joined, longDate, sentence, sharesSaid } from './sentence.ts';
import { argumentsOf, ENGLISH_WORDS } from './test-texts.ts';
import { swahiliOf } from './texts.ts';

const texts = Object.entries(swahiliOf);
/** As the types read a text: what stands between `{` and the next `,` or `}`. */
const holesOf = (text: string) =>
  [...new Set([...text.matchAll(/\{([^{}, #]*)[,}]/g)].map(([, name = '']) => name))].filter(Boolean).sort();

describe('the catalogue of sentences', () => {
  test.each(texts)('%s is said in both languages with the same values', (english, swahili) => {
    const names = argumentsOf(english);
    expect(argumentsOf(swahili)).toEqual(names);
    expect(holesOf(english)).toEqual(names);
    for (const n of [1, 2]) {
      const values = Object.fromEntries(names.map((name) => [name, n]));
      for (const said of [format(english, values, 'en'), format(swahili, values, 'sw')]) {
        expect(said.trim()).not.toBe('');
        expect(said).not.toMatch(/[{}]|TODO|NaN|undefined/);
      }
    }
  });

  test.each(texts)('the Swahili of %s has no English in it', (_english, swahili) => {
    expect(swahili.replace(/\{\w+[^{}]*\}/g, '')).not.toMatch(ENGLISH_WORDS);
  });
});

test('one is not many, and a number is written as people write it', () => {
  const said = (n: number) => [inWords(sharesSaid(n), 'en'), inWords(sharesSaid(n), 'sw')];
  expect([1, 2, 1201].map(said)).toEqual([
    ['1 share', 'hisa 1'],
    ['2 shares', 'hisa 2'],
    ['1,201 shares', 'hisa 1,201'],
  ]);
});

test('a sentence within a sentence and a date are said in the same language', () => {
  const notice = sentence('You have given notice to {name}. Your savings are paid back by {at}.', {
    name: 'Umoja',
    at: longDate(new Date('2026-11-20T09:00:00Z')),
  });
  const both = joined([notice, sentence('You hold no shares.')]);
  expect(inWords(both, 'en')).toBe(
    'You have given notice to Umoja. Your savings are paid back by Friday, November 20, 2026. You hold no shares.',
  );
  expect(inWords(both, 'sw')).toBe(
    'Umetoa notisi kwa Umoja. Akiba yako itarudishwa kufikia Ijumaa, 20 Novemba 2026. Huna hisa.',
  );
});

test('what somebody wrote stays as it is, braces and all', () => {
  expect(inWords(fromStored('Look at {this}'), 'sw')).toBe('Look at {this}');
  expect(inWords(fromStored('Paid.'), 'sw')).toBe('Imelipwa.');
  const noted = 'The by-laws have been seen: Copy of May: {page}';
  expect(inWords(fromStored(noted), 'en')).toBe(noted);
  expect(inWords(fromStored(noted), 'sw')).toBe(`${swahiliOf['The by-laws have been seen']}: Copy of May: {page}`);
  const name = 'A {name} of ICU, {n, plural, one {x} other {y}}';
  expect(inWords(sentence('You have left {name}.', { name }), 'en')).toBe(`You have left ${name}.`);
});

test('a reply is said at every depth, and what has no sentence in it is the same object', () => {
  const plain = { a: [1, { b: null }], at: '2026' };
  expect(replyInWords(plain, 'sw')).toBe(plain);
  expect(replyInWords({ plain, list: [{ text: sentence('You hold no shares.') }] }, 'sw')).toEqual({
    plain,
    list: [{ text: 'Huna hisa.' }],
  });
});
