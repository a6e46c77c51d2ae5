import { expect, test } from 'vitest';
import { titleOfVote } from './voting-words.ts';

test('a vote whose title one does not read is about a person only where it is, also if members made its ballot secret', () => {
  const vote = { title: '', title_hidden: false, pool: { id: 'p', name: 'Umoja pool' } };
  expect(titleOfVote({ ...vote, is_about_person: true })).toBe('A vote about a person');
  expect(titleOfVote({ ...vote, is_about_person: false })).toBe('A vote of the pool Umoja pool');
});
