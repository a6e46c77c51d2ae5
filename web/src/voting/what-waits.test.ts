import { expect, test } from 'vitest';
import { CallFailure } from '../api/failure.ts';
import { wayToWhatWaits } from './explain-vote.ts';
import { checkWords } from './recount-card.tsx';
import { waitsWords } from './voting-words.ts';

test('what is asked for too early leads to the vote, or to the change of two officials, that has to be decided first', () => {
  const refused = (body: object) => CallFailure.fromAnswer(409, { code: 'change_conflict', ...body });
  expect(wayToWhatWaits(refused({ vote: '7' }), '/client/desk')).toBe('/client/voting-proposals/7');
  expect(wayToWhatWaits(refused({ waits: true }), '/client/desk')).toBe('/client/desk');
  expect(wayToWhatWaits(refused({}), '/client/desk')).toBeNull();
  expect(wayToWhatWaits(new Error('offline'), '/client/desk')).toBeNull();
});

test('before one drafts or signs, one reads which vote on the same terms has to be over, and when it is', () => {
  const vote = { number: 7, id: '7', title: 'Lower the fee', until: '2026-12-02T07:00:00Z' };
  expect(waitsWords({ ...vote, is_decided: true })).toContain(
    'in vote 7. That is carried out on Wednesday, December 2, 2026',
  );
  expect(waitsWords({ ...vote, is_decided: false })).toContain('in vote 7, until Wednesday, December 2, 2026');
});

test('a recount of two rounds says which ballots and which counts are of which', () => {
  const tally = (yes: number) => ({ for: yes, against: 0, abstain: 0 });
  const rounds = [1, 2].map((round) => ({ round, tally: tally(round === 1 ? 3 : 0), outcome: 'no_quorum' as const }));
  const found = { members: 42, ballots: 3, rounds, checks: [], own: null, isElection: false };
  const words = (name: 'readable' | 'tally', of = found) => checkWords(name, { found: of, own: null, nameOf: String });
  expect(words('readable')).toBe('3 votes can be read: 3 of the first round, 0 of the second.');
  expect(words('tally')).toBe(
    'Round 1: in favour 3, against 0, abstained 0, as announced. Round 2: in favour 0, against 0, abstained 0, as announced.',
  );
  expect(words('readable', { ...found, rounds: rounds.slice(0, 1) })).toBe('3 votes can be read.');
});
