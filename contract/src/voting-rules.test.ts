import { describe, expect, test } from 'vitest';
import {
  endAfterQuorum,
  outcomeOf,
  type ProposalFacts,
  quorumOf,
  RULES_OF_CLASS,
  secondWindowOf,
  signaturesOfMembers,
  stateOf,
  windowOf,
} from './voting-rules.ts';

const { ordinary, special, three_quarters } = RULES_OF_CLASS;
const tally = (yes: number, no: number, abstain: number) => ({ for: yes, against: no, abstain });

describe('the worked examples of the design', () => {
  test('of 240 members, 31 for, 18 against and 4 who abstain are a quorum of 50, and it passes', () => {
    expect(quorumOf(ordinary, 240, 1)).toBe(50);
    expect(outcomeOf(ordinary, 240, 1, tally(31, 18, 4))).toBe('passed');
  });
  test('35 votes of 240 are no quorum; the same counts pass in the second round', () => {
    expect(outcomeOf(ordinary, 240, 1, tally(20, 10, 5))).toBe('no_quorum');
    expect(outcomeOf(ordinary, 240, 2, tally(20, 10, 5))).toBe('passed');
  });
  test('a special vote passes with exactly two thirds, and fails with one vote less', () => {
    expect(outcomeOf(special, 240, 1, tally(60, 30, 2))).toBe('passed');
    expect(outcomeOf(special, 240, 1, tally(59, 30, 2))).toBe('rejected');
  });
  test('of three quarters, 60 for and 20 against pass, and 59 for do not; half of the roll must vote', () => {
    expect(outcomeOf(three_quarters, 160, 1, tally(60, 20, 0))).toBe('passed');
    expect(outcomeOf(three_quarters, 160, 1, tally(59, 20, 1))).toBe('rejected');
    expect(outcomeOf(three_quarters, 161, 1, tally(60, 20, 0))).toBe('no_quorum');
  });
  test('a tie is rejected', () => {
    expect(outcomeOf(ordinary, 40, 1, tally(6, 6, 0))).toBe('rejected');
  });
});

test('a quorum is rounded up: 12 of 40, 13 of 41, a third of 240 and of 241', () => {
  expect([quorumOf(ordinary, 40, 1), quorumOf(ordinary, 41, 1)]).toEqual([12, 13]);
  expect([quorumOf(special, 240, 1), quorumOf(special, 241, 1)]).toEqual([80, 81]);
});

test('a second round needs three votes, and never more than the first; one that was published before this rule needs three', () => {
  expect([1, 3, 4, 6, 7, 240].map((roll) => quorumOf(ordinary, roll, 2))).toEqual([1, 1, 2, 2, 3, 3]);
  expect(outcomeOf(ordinary, 6, 2, tally(2, 0, 0))).toBe('passed');
  const { second_needs_no_more: _, ...before } = ordinary;
  expect(outcomeOf(before, 6, 2, tally(2, 0, 0))).toBe('no_quorum');
});

test('abstentions alone pass nothing', () => {
  expect(outcomeOf(special, 3, 1, tally(0, 0, 3))).toBe('rejected');
  expect(outcomeOf(ordinary, 3, 1, tally(0, 0, 3))).toBe('rejected');
});

test('members who draft need one signature in twenty, and three at least', () => {
  expect([1, 60, 61, 2_000].map(signaturesOfMembers)).toEqual([3, 3, 4, 100]);
});

test('voting begins at eight in the morning after whole days of notice, whatever the hour of publication', () => {
  for (const publishedAt of ['2026-03-01T21:00:00Z', '2026-03-02T20:59:59Z'].map((at) => new Date(at))) {
    const window = windowOf(publishedAt, ordinary);
    expect(window.opensAt.toISOString()).toBe('2026-03-10T05:00:00.000Z');
    expect(window.closesAt.toISOString()).toBe('2026-03-13T05:00:00.000Z');
  }
  expect(windowOf(new Date('2026-03-02T10:00:00Z'), special).opensAt.toISOString()).toBe('2026-03-18T05:00:00.000Z');
});

test('the second round begins fourteen days after the first has ended', () => {
  expect(secondWindowOf(new Date('2026-03-13T05:00:00Z'), ordinary).opensAt.toISOString()).toBe(
    '2026-03-27T05:00:00.000Z',
  );
});

test('a quorum that comes in the last day moves the end to 24 hours after it; an earlier one does not', () => {
  const end = new Date('2026-03-13T05:00:00Z');
  expect(endAfterQuorum(end, new Date('2026-03-12T05:00:00Z'))).toEqual(end);
  expect(endAfterQuorum(end, new Date('2026-03-12T06:00:00Z')).toISOString()).toBe('2026-03-13T06:00:00.000Z');
  // The minute would tell whose vote it was.
  expect(endAfterQuorum(end, new Date('2026-03-12T06:17:00Z')).toISOString()).toBe('2026-03-13T07:00:00.000Z');
});

describe('the state of a proposal follows from what is known and the time', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 2, day));
  const draft: ProposalFacts = {
    complete_at: null,
    ...{ drafted_at: at(1), published_at: null, cancelled_at: null, opens_at: null, closes_at: null },
    ...{ counted_at: null, outcome: null, is_executable: true, eta: null, held_until: null, released_at: null },
    ...{ voided_at: null, executed_at: null, failed_at: null, given_up_at: null },
  };
  const published = { ...draft, published_at: at(2), opens_at: at(10), closes_at: at(13) };
  const passed = { ...published, counted_at: at(13), outcome: 'passed' as const, eta: at(15) };
  const failed = { ...passed, failed_at: at(15) };
  test.each([
    ['a draft', draft, 14, 'draft'],
    ['a draft that nobody signed for 14 days', draft, 15, 'lapsed'],
    ['published', published, 9, 'published'],
    ['on the first day', published, 10, 'open'],
    ['at the end', published, 13, 'closed'],
    ['taken back', { ...published, cancelled_at: at(3) }, 20, 'cancelled'],
    ['without a quorum', { ...passed, outcome: 'no_quorum' as const }, 20, 'no_quorum'],
    ['voted down', { ...passed, outcome: 'rejected' as const }, 20, 'rejected'],
    ['passed with nothing to carry out', { ...passed, is_executable: false }, 13, 'recorded'],
    ['passed', passed, 14, 'queued'],
    ['held', { ...passed, held_until: at(20) }, 19, 'held'],
    ['held for too long', { ...passed, held_until: at(20) }, 20, 'queued'],
    ['released', { ...passed, held_until: at(20), released_at: at(16) }, 17, 'queued'],
    ['voided', { ...passed, held_until: at(20), voided_at: at(16) }, 30, 'voided'],
    ['carried out', { ...passed, executed_at: at(15) }, 16, 'executed'],
    ['that could not be carried out', failed, 16, 'execution_failed'],
    ['that could not be for 30 days', failed, 45, 'expired'],
    ['that nobody carried out for 30 days', passed, 45, 'expired'],
    ['that is about what has changed', { ...failed, given_up_at: at(15) }, 60, 'given_up'],
  ] as const)('%s', (_, facts, day, state) => {
    expect(stateOf(facts, at(day))).toBe(state);
  });
});
