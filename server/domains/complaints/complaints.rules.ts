import { calendarDays } from '@ushirika/contract/calendar-days';
import {
  type Complaint,
  type ComplaintState,
  type ComplaintStepKind,
  type EscalationCause,
  FIGURES_FROM,
  PROGRESS_WORDS_MAX,
  REACTION_DAYS,
} from '@ushirika/contract/complaints';
import { nairobiDay } from '@ushirika/contract/time';

/* What may happen to a complaint, and when. Times are given; nothing here asks for the time. */

const DAY_MS = 86_400_000;
/** Longer than a year counts as this many days. */
const DAYS_COUNTED_MAX = 366;

/** What the rules look at. */
export interface ComplaintFacts {
  readonly state: ComplaintState;
  readonly answer_due_at: Date;
  readonly resolve_due_at: Date;
  readonly react_by: Date | null;
}

export type ComplaintSide = 'member' | 'sacco' | 'operator';

/** What the clock does by itself: to the operators, or to an end where the member did not react. */
export type ClockStep = { readonly kind: 'escalated'; readonly because: EscalationCause } | { readonly kind: 'lapsed' };

/** The end of the Nairobi day that comes `days` days after this one. */
export function dueAfter(now: Date, days: number): Date {
  const dayBegan = Date.parse(`${nairobiDay(now)}T00:00:00+03:00`);
  return new Date(dayBegan + (days + 1) * DAY_MS);
}

/** Days of the Nairobi calendar until the last day of a limit, which ends with that day: 0 on it, below zero after it. */
export const daysLeft = (now: Date, dueAt: Date): number => calendarDays(now, dueAt.getTime() - 1);

export const reactBy = (answeredAt: Date): Date => dueAfter(answeredAt, REACTION_DAYS);

/** The limit that runs now, if one does. */
export function clockOf(complaint: ComplaintFacts, now: Date): Complaint['clock'] {
  const running = {
    open: ['answer', complaint.answer_due_at],
    in_hand: ['resolution', complaint.resolve_due_at],
    answered: ['reaction', complaint.react_by],
    with_operator: null,
    closed: null,
    resolved: null,
  } as const;
  const [due, dueAt] = running[complaint.state] ?? [];
  if (!due || !dueAt) return null;
  return { due, due_at: dueAt.toISOString(), days_left: daysLeft(now, dueAt) };
}

/** What the clock does to a complaint at this moment, or null. */
export function clockStepOf(complaint: ComplaintFacts, now: Date): ClockStep | null {
  const isOver = (limit: Date | null) => limit !== null && limit <= now;
  if (complaint.state === 'open' && isOver(complaint.answer_due_at))
    return { kind: 'escalated', because: 'unanswered' };
  if (complaint.state === 'in_hand' && isOver(complaint.resolve_due_at)) {
    return { kind: 'escalated', because: 'unresolved' };
  }
  return complaint.state === 'answered' && isOver(complaint.react_by) ? { kind: 'lapsed' } : null;
}

const steps: Readonly<Record<ComplaintSide, Partial<Record<ComplaintStepKind, readonly ComplaintState[]>>>> = {
  member: { closed: ['open', 'in_hand', 'answered', 'with_operator'], appealed: ['answered'] },
  sacco: { progress: ['open', 'in_hand'], answered: ['open', 'in_hand'] },
  operator: { resolved: ['with_operator'] },
};

/** Whether a side may take a step now. A limit that has passed counts at once, whether the job has been there or not. */
export function mayStep(side: ComplaintSide, kind: ComplaintStepKind, complaint: ComplaintFacts, now: Date): boolean {
  if (!steps[side][kind]?.includes(complaint.state)) return false;
  return kind === 'closed' || clockStepOf(complaint, now) === null;
}

/** The same as buttons. */
export function mayOf(side: ComplaintSide, complaint: ComplaintFacts, now: Date): Complaint['may'] {
  const buttons = { answer: 'answered', close: 'closed', appeal: 'appealed', resolve: 'resolved' } as const;
  return (['answer', 'close', 'appeal', 'resolve'] as const).filter((name) =>
    mayStep(side, buttons[name], complaint, now),
  );
}

/** Whether officials have said often enough that they work on it. */
export const isProgressUsedUp = (told: number): boolean => told >= PROGRESS_WORDS_MAX;

/** Whole days between two instants, as they are counted. */
export function daysBetween(from: Date, to: Date): number {
  return Math.min(DAYS_COUNTED_MAX, Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS)));
}

/** The first day of a Nairobi month, `2026-11-01`; `back` months before the one of this instant. */
export function monthOf(at: Date, back = 0): string {
  const [year = 0, month = 1] = nairobiDay(at).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10);
}

export interface Count {
  readonly measure: 'received' | 'escalated' | 'answered' | 'ended';
  readonly days: number;
  readonly complaints: number;
}

/** What the public page shows of counts; null of so few that somebody could be recognised. */
export function figuresOf(counts: readonly Count[]) {
  const of = (measure: Count['measure']) => counts.filter((count) => count.measure === measure);
  const sum = (measure: Count['measure']) => of(measure).reduce((total, { complaints }) => total + complaints, 0);
  if (sum('received') < FIGURES_FROM) return null;
  return {
    received: sum('received'),
    answered_in_time: sum('answered'),
    escalated: sum('escalated'),
    median_answer_days: medianDays(of('answered')),
    median_resolve_days: medianDays(of('ended')),
  };
}

/** The median of days that are counted by their number; of an even number the mean of the two in the middle. */
export function medianDays(counts: readonly Pick<Count, 'days' | 'complaints'>[]): number | null {
  const sorted = [...counts].sort((one, other) => one.days - other.days);
  const total = sorted.reduce((sum, { complaints }) => sum + complaints, 0);
  if (total === 0) return null;
  const at = (place: number): number => {
    let seen = 0;
    for (const { days, complaints } of sorted) {
      seen += complaints;
      if (seen > place) return days;
    }
    return 0;
  };
  return (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2;
}
