import { expect, test } from 'vitest';
import { CallFailure } from '../api/failure.ts';
import { wayToWhatWaits } from './explain-vote.ts';

test('what is asked for too early leads to the vote, or to the change of two officials, that has to be decided first', () => {
  const refused = (body: object) => CallFailure.fromAnswer(409, { code: 'change_conflict', ...body });
  expect(wayToWhatWaits(refused({ vote: '7' }), '/client/desk')).toBe('/client/voting-proposals/7');
  expect(wayToWhatWaits(refused({ waits: true }), '/client/desk')).toBe('/client/desk');
  expect(wayToWhatWaits(refused({}), '/client/desk')).toBeNull();
  expect(wayToWhatWaits(new Error('offline'), '/client/desk')).toBeNull();
});
