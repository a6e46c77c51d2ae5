import type { VotingProposalDetail } from '@ushirika/contract/voting';
import { expect, test } from 'vitest';
import { readReceiptFile, receiptFile } from './receipt-file.ts';

const vote = {
  id: 'the-vote',
  title: 'Elect a treasurer',
  sacco: { id: 's', name: 'Mwangaza' },
  closes_at: '2026-11-20T05:00:00.000Z',
  election: { candidates: [{ id: 'c-1', name: 'Chebet Kiprono', number: '84821031' }] },
} as unknown as VotingProposalDetail;
const receipt = { proposal: 'the-vote', round: 1, serial: 'a', choice: 'c-1', salt: 'b', commit: 'c' };

test('the file of a secret receipt says what it is, of which vote, and names the candidate; another device reads it', () => {
  const file = receiptFile(vote, receipt);
  expect(JSON.parse(file)).toMatchObject({
    what: expect.stringContaining('receipt of a secret ballot'),
    vote: 'Elect a treasurer',
    voting_ends: 'Friday, November 20, 2026',
    in_words: 'Chebet Kiprono · 8482 1031',
  });
  expect(readReceiptFile(file, 'the-vote')).toEqual(receipt);
});

test('a file of another vote, or of something else, is no receipt', () => {
  expect(readReceiptFile(receiptFile(vote, receipt), 'another-vote')).toBeNull();
  expect(readReceiptFile('no file', 'the-vote')).toBeNull();
  expect(readReceiptFile('{"proposal":"the-vote","round":1}', 'the-vote')).toBeNull();
});
