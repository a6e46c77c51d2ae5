import type { AgreedSchedule, Restructure } from '@ushirika/contract/loan-recovery';
import type { LoanDetail } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { hashOfTerms } from '../pools/signed-terms.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { signedRounding } from './loan-terms.ts';
import { startOfSchedule } from './restructure-limits.ts';
import {
  type KeptTerms,
  type Schedule,
  type ScheduledInstalment,
  scheduleOf,
  termsOf,
  trueMonthlyRate,
} from './schedule.rules.ts';

/* What a new schedule is: its instalments, its dates, and the terms that borrower and guarantors agree to (docs/decisions/183). */

export interface RestructureRow {
  readonly id: string;
  readonly loan_id: string;
  readonly months: number;
  readonly principal_cents: Cents;
  readonly reason: string;
  readonly proposed_by: string;
  readonly proposed_at: Date;
  readonly confirmed_by: string | null;
  readonly answer_by: Date;
  readonly state: Restructure['state'];
  /** The dates that borrower and guarantors are asked about: null before it is confirmed. */
  readonly starts_on: string | null;
  readonly first_due_on: string | null;
  readonly last_due_on: string | null;
}

/**
 * The schedule of an offer: the principal that is owed, from the end of the period under way on, or from the day of the confirmation
 * where the last period is over.
 * @param day that of the confirmation; before it today
 */
export function scheduleOfOffer(
  loan: KeptTerms & Pick<LoanRow, 'period_number' | 'period_ends_on'>,
  offer: { readonly principal: Cents; readonly months: number },
  day: string,
): readonly ScheduledInstalment[] {
  return scheduleOf({
    ...termsOf(loan),
    amount: offer.principal,
    months: offer.months,
    from: startOfSchedule(loan, day),
    firstNumber: (loan.period_number ?? 0) + 1,
  }).instalments;
}

/** The dates of a schedule, as they are kept with its offer. */
export function datesOf(schedule: readonly ScheduledInstalment[]) {
  const [first, last] = [schedule[0], schedule.at(-1)];
  if (!first || !last) throw new Error('A schedule has an instalment.');
  return { starts_on: first.startsOn, first_due_on: first.dueOn, last_due_on: last.dueOn };
}

/**
 * Whether a schedule that was confirmed would begin or end on other dates now: another period has begun since. Nobody agrees to what
 * they were not asked about.
 */
export function areDatesMoved(
  loan: KeptTerms & Pick<LoanRow, 'period_number' | 'period_ends_on'>,
  offer: Pick<
    RestructureRow,
    'confirmed_by' | 'principal_cents' | 'months' | 'starts_on' | 'first_due_on' | 'last_due_on'
  >,
): boolean {
  if (offer.confirmed_by === null) return false;
  if (offer.starts_on === null) return true;
  const now = datesOf(
    scheduleOfOffer(loan, { principal: offer.principal_cents, months: offer.months }, offer.starts_on),
  );
  return now.first_due_on !== offer.first_due_on || now.last_due_on !== offer.last_due_on;
}

/** An offer that was confirmed since its dates are kept. */
export type DatedOffer = RestructureRow & {
  readonly starts_on: string;
  readonly first_due_on: string;
  readonly last_due_on: string;
};

export const isDated = (offer: RestructureRow): offer is DatedOffer =>
  offer.starts_on !== null && offer.first_due_on !== null && offer.last_due_on !== null;

/** The schedule that was offered, whatever became of the loan since. */
export function scheduleOffered(
  loan: KeptTerms,
  { principal_cents: amount, months, starts_on: from }: DatedOffer,
): Schedule {
  return scheduleOf({ ...termsOf(loan), amount, months, from });
}

type OfLoan = KeptTerms & Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id' | 'penalty_rate'>;

/** The hash over what somebody agrees to. It stays the same as long as the offer stands, and can be worked out again at any time. */
export function newScheduleHash(loan: OfLoan, offer: DatedOffer, userId: string): string {
  const { instalment, totalInterest } = scheduleOffered(loan, offer);
  return hashOfTerms({
    kind: 'new_schedule',
    offer: offer.id,
    agreed_by: userId,
    loan: loan.id,
    sacco: loan.sacco_id,
    borrower: loan.borrower_id,
    principal_cents: offer.principal_cents,
    months: offer.months,
    method: loan.method,
    monthly_rate: loan.monthly_rate,
    penalty_rate: loan.penalty_rate,
    starts_on: offer.starts_on,
    first_due_on: offer.first_due_on,
    last_due_on: offer.last_due_on,
    instalment_cents: instalment,
    total_interest_cents: totalInterest,
    ...signedRounding(loan),
  });
}

/** The new schedules of a loan that somebody agreed to, and that hold or can still come to hold; the latest first. */
export async function schedulesAgreedBy({ sql, now }: Reader, loan: OfLoan, userId: string): Promise<AgreedSchedule[]> {
  const rows = await (sql as Tx['sql'])<(DatedOffer & { readonly at: Date })[]>`
    select r.*, a.at from loan_restructures r join loan_restructure_answers a on a.restructure_id = r.id
    where r.loan_id = ${loan.id} and a.user_id = ${userId} and a.agrees and r.starts_on is not null
      and (r.state = 'in_force' or r.state = 'proposed' and r.answer_by > ${now})
    order by a.at desc`;
  const shown = shillingsFromCents;
  return rows.map((offer) => {
    const { instalment, totalInterest } = scheduleOffered(loan, offer);
    return {
      at: offer.at.toISOString(),
      is_in_force: offer.state === 'in_force' ? true : null,
      principal: shown(offer.principal_cents),
      months: offer.months,
      instalment: shown(instalment),
      total_interest: shown(totalInterest),
      first_due_on: offer.first_due_on,
      last_due_on: offer.last_due_on,
      hash: newScheduleHash(loan, offer, userId),
    };
  });
}

/** The new schedule of a loan that holds, and when it began. Null where none does. */
export async function scheduleInForce(
  { sql }: Reader,
  loan: OfLoan & Pick<LoanRow, 'restructured_cents'>,
): Promise<LoanDetail['changed']> {
  if (loan.restructured_cents === null) return null;
  const [offer] = await (sql as Tx['sql'])<(DatedOffer & { readonly state_at: Date })[]>`
    select * from loan_restructures where loan_id = ${loan.id} and state = 'in_force' and starts_on is not null
    order by state_at desc limit 1`;
  if (!offer) return null;
  const { instalments, instalment, totalInterest } = scheduleOffered(loan, offer);
  const rate = trueMonthlyRate(
    offer.principal_cents,
    instalments.map((each) => each.principal + each.interest),
  );
  const shown = shillingsFromCents;
  return {
    on: offer.state_at.toISOString(),
    principal: shown(offer.principal_cents),
    months: offer.months,
    instalment: shown(instalment),
    total_interest: shown(totalInterest),
    first_due_on: offer.first_due_on,
    last_due_on: offer.last_due_on,
    true_monthly_rate: rate,
    annual_percentage_rate: Math.round(rate * 12 * 100) / 100,
  };
}
