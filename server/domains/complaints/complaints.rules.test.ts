import { COMPLAINT_STATES, type ComplaintState } from '@ushirika/contract/complaints';
import { describe, expect, test } from 'vitest';
import {
  type ComplaintFacts,
  type ComplaintSide,
  clockOf,
  clockStepOf,
  daysBetween,
  daysLeft,
  dueAfter,
  figuresOf,
  mayOf,
  mayStep,
  medianDays,
  monthOf,
} from './complaints.rules.ts';

const at = (text: string) => new Date(text);
/** Made in Nairobi on the morning of 2 November 2026, due on the 16th and on 2 December. */
const complaint = (state: ComplaintState): ComplaintFacts => ({
  state,
  answer_due_at: at('2026-11-16T21:00:00Z'),
  resolve_due_at: at('2026-12-02T21:00:00Z'),
  react_by: state === 'answered' ? at('2026-11-24T21:00:00Z') : null,
});
const during = at('2026-11-10T12:00:00Z');

describe('due dates', () => {
  test('a limit of 14 days ends with the 14th day in Nairobi, whatever the hour at which it began', () => {
    expect(dueAfter(at('2026-11-02T06:00:00Z'), 14)).toEqual(at('2026-11-16T21:00:00Z'));
    expect(dueAfter(at('2026-11-02T20:59:59Z'), 14)).toEqual(at('2026-11-16T21:00:00Z'));
    expect(dueAfter(at('2026-11-02T21:00:00Z'), 14)).toEqual(at('2026-11-17T21:00:00Z'));
  });

  test('the days that are left are days of the calendar: 0 all through the last one', () => {
    const due = at('2026-11-16T21:00:00Z');
    expect(daysLeft(at('2026-11-02T06:00:00Z'), due)).toBe(14);
    expect(daysLeft(at('2026-11-15T20:59:59Z'), due)).toBe(1);
    expect(daysLeft(at('2026-11-15T21:00:00Z'), due)).toBe(0);
    expect(daysLeft(at('2026-11-16T20:59:59Z'), due)).toBe(0);
    expect(daysLeft(at('2026-11-16T21:00:00Z'), due)).toBe(-1);
  });

  test('an answer is due first, then the resolution, then the reaction of the member; an operator has no limit', () => {
    const due = (state: ComplaintState) => clockOf(complaint(state), during)?.due ?? null;
    expect(COMPLAINT_STATES.map(due)).toEqual(['answer', 'resolution', 'reaction', null, null, null]);
    expect(clockOf(complaint('open'), during)).toEqual({
      due: 'answer',
      due_at: '2026-11-16T21:00:00.000Z',
      days_left: 6,
    });
  });
});

describe('the clock', () => {
  test('takes what is unanswered or unresolved to the operators, and closes what the member left alone', () => {
    const late = at('2026-12-03T00:00:00Z');
    const steps = COMPLAINT_STATES.map((state) => clockStepOf(complaint(state), late));
    expect(steps).toEqual([
      { kind: 'escalated', because: 'unanswered' },
      { kind: 'escalated', because: 'unresolved' },
      { kind: 'lapsed' },
      null,
      null,
      null,
    ]);
  });

  test('does nothing a millisecond before a limit, and acts on it', () => {
    const { answer_due_at: due } = complaint('open');
    expect(clockStepOf(complaint('open'), new Date(due.getTime() - 1))).toBeNull();
    expect(clockStepOf(complaint('open'), due)).not.toBeNull();
  });
});

describe('who may do what', () => {
  const buttons = (side: ComplaintSide, now = during) =>
    Object.fromEntries(COMPLAINT_STATES.map((state) => [state, mayOf(side, complaint(state), now)]));

  test('the member closes until an operator has decided, and appeals a final answer', () => {
    expect(buttons('member')).toEqual({
      open: ['close'],
      in_hand: ['close'],
      answered: ['close', 'appeal'],
      with_operator: ['close'],
      closed: [],
      resolved: [],
    });
  });

  test('officials answer while it is with them, operators decide what came to them', () => {
    expect(buttons('sacco')).toMatchObject({ open: ['answer'], in_hand: ['answer'], answered: [], with_operator: [] });
    expect(buttons('operator')).toMatchObject({ open: [], answered: [], with_operator: ['resolve'], resolved: [] });
  });

  test('once a limit has passed nobody answers or appeals any more, though the job has not been there', () => {
    const late = at('2026-12-03T00:00:00Z');
    expect(buttons('sacco', late)).toMatchObject({ open: [], in_hand: [] });
    expect(buttons('member', late).answered).toEqual(['close']);
  });

  test('no side takes a step of another', () => {
    for (const state of COMPLAINT_STATES) {
      expect(mayStep('sacco', 'closed', complaint(state), during)).toBe(false);
      expect(mayStep('member', 'answered', complaint(state), during)).toBe(false);
      expect(mayStep('operator', 'closed', complaint(state), during)).toBe(false);
      expect(mayStep('sacco', 'resolved', complaint(state), during)).toBe(false);
    }
  });
});

describe('figures', () => {
  test('the median of days, of an even number the mean of the two in the middle', () => {
    expect(medianDays([])).toBeNull();
    expect(medianDays([{ days: 4, complaints: 1 }])).toBe(4);
    expect(
      medianDays([
        { days: 9, complaints: 1 },
        { days: 2, complaints: 2 },
      ]),
    ).toBe(2);
    expect(
      medianDays([
        { days: 1, complaints: 1 },
        { days: 4, complaints: 1 },
      ]),
    ).toBe(2.5);
  });

  test('are not shown of four complaints, and are of five', () => {
    const received = (complaints: number) => [{ measure: 'received', days: 0, complaints }] as const;
    expect(figuresOf(received(4))).toBeNull();
    expect(figuresOf([...received(5), { measure: 'answered', days: 3, complaints: 4 }])).toEqual({
      received: 5,
      answered_in_time: 4,
      escalated: 0,
      median_answer_days: 3,
      median_resolve_days: null,
    });
  });

  test('are counted by the month in Nairobi', () => {
    expect(monthOf(at('2026-10-31T21:00:00Z'))).toBe('2026-11-01');
    expect(monthOf(at('2026-11-23T09:00:00Z'), 11)).toBe('2025-12-01');
    expect(monthOf(at('2026-01-15T09:00:00Z'), 1)).toBe('2025-12-01');
    expect(daysBetween(at('2026-11-01T09:00:00Z'), at('2026-11-03T08:59:59Z'))).toBe(1);
    expect(daysBetween(at('2020-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z'))).toBe(366);
  });
});
