import type { NewScheduleCost } from '@ushirika/contract/loan-recovery';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { scheduleOfOffer } from './new-schedule.ts';
import { shownInstalment } from './running-schedule.ts';
import { type KeptTerms, trueMonthlyRate } from './schedule.rules.ts';

type Late = KeptTerms & Pick<LoanRow, 'id' | 'period_number' | 'period_ends_on' | 'principal_cents' | 'penalty_cents'>;

interface Unpaid {
  /** Interest of instalments whose day has passed. */
  readonly overdue: Cents;
  /** Interest of the month that is under way, and its day. */
  readonly running: Cents;
  readonly running_on: string | null;
  /** Interest of the months to come, which a new schedule replaces. */
  readonly coming: Cents;
}

async function unpaidInterest({ sql, now }: Reader, { id, period_number }: Late): Promise<Unpaid> {
  const today = nairobiDay(now);
  const [row] = await (sql as Tx['sql'])<Unpaid[]>`
    with unpaid as (
      select due_on, interest_cents - paid_interest_cents as cents, due_on < ${today} as is_overdue,
        number > ${period_number} as is_coming
      from loan_instalments where loan_id = ${id} and paid_on is null)
    select coalesce(sum(cents) filter (where is_overdue), 0)::bigint as overdue,
      coalesce(sum(cents) filter (where not is_overdue and not is_coming), 0)::bigint as running,
      max(due_on) filter (where not is_overdue and not is_coming) as running_on,
      coalesce(sum(cents) filter (where not is_overdue and is_coming), 0)::bigint as coming
    from unpaid`;
  if (!row) throw new Error('A sum has a row.');
  return row;
}

/** Overdue interest and the penalty: the borrower pays them before a new schedule can hold. */
export async function payFirst(reader: Reader, loan: Late): Promise<Cents> {
  return (await unpaidInterest(reader, loan)).overdue + loan.penalty_cents;
}

/**
 * What a new schedule costs, beside the schedule that holds.
 * @param day that of the confirmation; before it today
 */
export async function newScheduleCost(
  reader: Reader,
  loan: Late,
  { principal, months, day }: { readonly principal: Cents; readonly months: number; readonly day: string },
): Promise<NewScheduleCost> {
  const unpaid = await unpaidInterest(reader, loan);
  const instalments = scheduleOfOffer(loan, { principal, months }, day);
  const interest = instalments.reduce((sum, each) => sum + each.interest, 0);
  const first = unpaid.overdue + loan.penalty_cents;
  const shown = shillingsFromCents;
  const rate = trueMonthlyRate(
    principal,
    instalments.map((each) => each.principal + each.interest),
  );
  let balance = principal;
  return {
    schedule: instalments.map((each) => {
      balance -= each.principal;
      return shownInstalment(each, balance);
    }),
    running:
      unpaid.running > 0 && unpaid.running_on !== null
        ? { due_on: unpaid.running_on, interest: shown(unpaid.running) }
        : null,
    pay_first: shown(first),
    interest_old: shown(unpaid.running + unpaid.coming),
    interest_new: shown(unpaid.running + interest),
    to_pay_old: shown(loan.principal_cents + first + unpaid.running + unpaid.coming),
    to_pay_new: shown(principal + first + unpaid.running + interest),
    true_monthly_rate: rate,
    annual_percentage_rate: Math.round(rate * 12 * 100) / 100,
  };
}
