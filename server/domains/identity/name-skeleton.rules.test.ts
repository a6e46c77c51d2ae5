import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameSkeleton, skeletonOfGroup } from './name-skeleton.rules.ts';

const MWANGAZA = 'Mwangaza Traders Sacco';

test.each([
  'MWANGAZA TRADERS SACCO',
  'Mwangaza Traders Sacc0',
  'Mwangaza  Traders-Sacco.',
  'Мwаngаzа Тrаdеrs Sассо',
  'Mwángàzâ Träders Saccø',
  'Ｍｗａｎｇａｚａ Ｔｒａｄｅｒｓ Ｓａｃｃｏ',
  'Mwangaza Trade\u200brs Sacco',
  'rnvvangaza Traders 5acco',
  '𝐌wangaza Traders Sacco',
])('%s is taken for Mwangaza Traders Sacco', (name) => {
  expect(nameSkeleton(name)).toBe(nameSkeleton(MWANGAZA));
});

test.each([
  ['KILIMO', 'Kilimo'],
  ['Kilimo', 'Ki1imo'],
  ['Kilimo', 'KlIimo'],
  ['Modern Sacco', 'Modem Sacco'],
  ["Ng'ang'a", 'Nganga'],
])('%s and %s are taken for each other', (one, other) => {
  expect(nameSkeleton(one)).toBe(nameSkeleton(other));
});

test.each([
  ['Mwangaza Traders Sacco', 'Mwangaza Teachers Sacco'],
  ['Umoja Sacco 1', 'Umoja Sacco 2'],
  ['Soko Pool', 'Soka Pool'],
  ['ማህበር', 'ማህበረ'],
  ['जमा', 'जमी'],
])('%s and %s are two names', (one, other) => {
  expect(nameSkeleton(one)).not.toBe(nameSkeleton(other));
});

test.each([
  'Mwangaza Saccoo',
  'Mwangaza Sacc0o',
  'MWANGAZZA SACCO',
  'Mwangaza Sacco Ltd',
  'Mwangaza Sacco Society Limited',
  'Mwangaza Co-operative',
  'Mwangaza Savings and Credit Co-operative Society Ltd.',
  'Mwangaza Savings & Credit Coop',
  'MwangazaSaccos',
  'Mwangaza',
])('a sacco called %s is taken for Mwangaza Sacco', (name) => {
  expect(skeletonOfGroup(name)).toBe(skeletonOfGroup('Mwangaza Sacco'));
});

test.each([
  ['Kilimo Sacco', 'Kimo Sacco'],
  ['Umoja Sacco 1', 'Umoja Sacco 11'],
  ['Umoja 20', 'Umoja 200'],
  ['Jua Kali Savings', 'Jua Kali Sacco'],
  ['Sacco Society', 'Sacco Limited'],
])('saccos called %s and %s are two', (one, other) => {
  expect(skeletonOfGroup(one)).not.toBe(skeletonOfGroup(other));
  expect(skeletonOfGroup(one)).not.toBe('');
});

test('a skeleton is the same whatever the case, and a skeleton of a skeleton is itself', () => {
  const names = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 éŁø'),
  });
  fc.assert(
    fc.property(names, (name) => {
      const skeleton = nameSkeleton(name);
      expect(nameSkeleton(name.toUpperCase())).toBe(skeleton);
      expect(nameSkeleton(name.toLowerCase())).toBe(skeleton);
      expect(nameSkeleton(skeleton)).toBe(skeleton);
    }),
  );
});
