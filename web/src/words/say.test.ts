import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compiled from 'virtual:branching-texts/en';
import { changeTexts } from '@ushirika/contract/change-kinds';
import { journalTexts } from '@ushirika/contract/journals';
import { operatorActTexts } from '@ushirika/contract/operator-acts';
import { refusals } from '@ushirika/contract/refusals';
import { argumentsOf, ENGLISH_WORDS } from '@ushirika/contract/test-texts';
import { topicTexts } from '@ushirika/contract/topics';
import { voteKindTexts } from '@ushirika/contract/vote-kinds';
import { expect, test } from 'vitest';
import { say } from './say.ts';
import { swahili } from './swahili.ts';

const source = join(import.meta.dirname, '..');

/** Every literal that is given to say('…') in the web client. */
function textsSaid(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name)) continue;
    const code = readFileSync(join(source, name), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    for (const [, single, double] of code.matchAll(/\bsay\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g)) {
      texts.set((single ?? double ?? '').replace(/\\(.)/g, '$1'), name);
    }
  }
  return texts;
}

test('every text that the web client says has its Swahili', () => {
  const missing = [...textsSaid()].filter(([text]) => !swahili[text]?.trim()).map(([text, name]) => `${name}: ${text}`);
  expect(missing).toEqual([]);
});

test('a Swahili text fills the same holes as its English', () => {
  const unequal = Object.entries(swahili).filter(
    ([english, words]) => `${argumentsOf(english)}` !== `${argumentsOf(words)}`,
  );
  expect(unequal).toEqual([]);
});

test('the Swahili of the web client has no English in it', () => {
  const found = Object.values(swahili).filter((words) => ENGLISH_WORDS.test(words.replace(/\{\w+[^{}]*\}/g, '')));
  expect(found).toEqual([]);
});

test('no text has its Swahili in two places, where one would be forgotten', () => {
  const inFiles = readdirSync(join(import.meta.dirname, 'sw')).flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(join(import.meta.dirname, 'sw', name), 'utf8'))),
  );
  const declared = new Set([
    ...[...journalTexts, ...topicTexts, ...operatorActTexts, ...changeTexts, ...voteKindTexts].map(
      ([english]) => english,
    ),
    ...Object.values(refusals).map(({ message }) => message),
  ]);
  const all = [...inFiles, ...declared];
  expect(all.filter((text, index) => all.indexOf(text) !== index)).toEqual([]);
});

test('a text without a translation is said in English, with its holes filled', () => {
  expect(say('Members of {sacco}', { sacco: 'Umoja' })).toBe('Members of Umoja');
  expect(say('{n} of {m}', { n: 1 })).toBe('1 of {m}');
});

test('one is not many', () => {
  const bought = (n: string) =>
    say('{n} {n, plural, one {share} other {shares}} of {sacco} bought', { n, sacco: 'Umoja' });
  expect(['1', '2', '1,201', '0'].map(bought)).toEqual([
    '1 share of Umoja bought',
    '2 shares of Umoja bought',
    '1,201 shares of Umoja bought',
    '0 shares of Umoja bought',
  ]);
  const fills = (n: number) =>
    say('As the book stands, {n, plural, one {your share fills} other {all {n} fill}} now, at {price} on average.', {
      n,
      price: '98.00',
    });
  expect([fills(1), fills(12)]).toEqual([
    'As the book stands, your share fills now, at 98.00 on average.',
    'As the book stands, all 12 fill now, at 98.00 on average.',
  ]);
});

test('every English text with a plural says what ICU makes of it', () => {
  const texts = Object.entries(compiled);
  expect(texts.length).toBeGreaterThan(70);
  for (const [text, icu] of texts) {
    // A count with its thousands apart is a text: ICU cannot say it where the plural does.
    for (const n of [0, 1, 2, 12, 1201, '1', '2', ...(text.includes('#') ? [] : ['1,201'])]) {
      const values = Object.fromEntries(argumentsOf(text).map((name) => [name, n]));
      expect(say(text, values)).toBe(icu(values));
    }
  }
});

test('no text can say 1 shares or 1 days', () => {
  const blind = [...textsSaid()].filter(([text]) =>
    /\{\w+\} (free )?(shares|days|months|members|codes)\b(?!\})/.test(text),
  );
  expect(blind).toEqual([]);
});
