import type { Opening } from '@ushirika/verifier/entry';
import { expect, test } from 'vitest';
import { eventIn, hidesAll } from './event-words.ts';

const AT = '2026-11-20T06:05:00.000000Z';
const opening = (head: object, own: object | null = null): Opening => ({
  head: head as Opening['head'],
  salt: '',
  parts: own ? ['hash'] : [],
  shown: own ? [{ at: 0, salt: '', value: own as Opening['head'] }] : [],
});

test('each kind of entry that is about no movement is told in words, with what it says', () => {
  const told: [head: object, own: object | null, title: string, rows: Record<string, string>][] = [
    [
      { event: 'open_ballot', at: AT, proposal: 'p1', round: 2, revision: 1 },
      { owner: 'me', choice: 'against' },
      'A ballot in an open vote',
      { 'Number of the vote': 'p1', Round: '2', 'What was chosen': 'Against' },
    ],
    [
      {
        event: 'vote_counted',
        at: AT,
        proposal: 'p1',
        round: 1,
        for: 30,
        against: 12,
        abstained: 2,
        outcome: 'rejected',
      },
      null,
      'Votes counted',
      {
        'Number of the vote': 'p1',
        Round: '1',
        'In favour': '30',
        Against: '12',
        Abstain: '2',
        Result: 'Voted down',
      },
    ],
    [
      { event: 'guarantee_signed', at: AT, guarantee: 'g', loan: 'l', amount_cents: 5_000_00, terms_sha256: 'x' },
      { owner: 'me' },
      'Guarantee signed',
      { Amount: 'Ksh.\u00a05,000.00', Loan: 'l' },
    ],
    [
      { event: 'pool_contract_signed', at: AT, amount_cents: 100_00, months: 12, rate: 850, fee_cents: 50_00 },
      { owner: 'me' },
      'Contract with a guarantor pool',
      { Amount: 'Ksh.\u00a0100.00', 'Months it runs': '12', Interest: '8.5% a year', Fee: 'Ksh.\u00a050.00' },
    ],
    [
      { event: 'office_taken', at: AT, office: 'treasurer', since: AT, until: null },
      { owner: 'me' },
      'Office taken',
      { Office: 'Treasurer', Since: 'Friday, November 20, 2026' },
    ],
    [
      { event: 'state_changed', at: AT, from: 'pending', to: 'active' },
      null,
      'State of the sacco changed',
      { 'State before': 'Pending', 'State after': 'Active' },
    ],
    [{ event: 'something_new', at: AT }, null, 'Entry of the log', {}],
    [{ event: 'toString' }, null, 'Entry of the log', {}],
  ];
  for (const [head, own, title, rows] of told) {
    const event = eventIn(opening(head, own));
    expect(event?.title).toBe(title);
    expect(Object.fromEntries(event?.rows ?? [])).toEqual(rows);
  }
  expect(eventIn(opening({ journal: 7, kind: 'wallet_topped_up' }))).toBeNull();
});

test('a copy that shows none of the parts for members says so, and one without such parts does not', () => {
  const ballot = { event: 'open_ballot', at: AT, proposal: 'p1', round: 1 };
  expect(hidesAll({ ...opening(ballot), parts: ['hash'] })).toBe(true);
  expect(hidesAll(opening(ballot, { owner: 'me', choice: 'for' }))).toBe(false);
  expect(hidesAll(opening({ event: 'vote_counted' }))).toBe(false);
  expect(eventIn({ ...opening(ballot), parts: ['hash'] })?.rows.map(([name]) => name)).not.toContain('What was chosen');
});
