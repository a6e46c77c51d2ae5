import { RESTRUCTURES_MAX } from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { poolCoversOf } from '../pools/guarantee-cover.ts';
import { dayOf } from './loan-notices.ts';
import { defaultOffices, officesHeld } from './loan-officials.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { productsOf } from './loan-terms.ts';
import { monthsAfter } from './schedule.rules.ts';

/* What limits the new schedules of a loan, besides the agreement of all (docs/decisions/183). */

type Limited = Pick<LoanRow, 'id' | 'sacco_id' | 'product_id' | 'period_ends_on' | 'disbursed_on'>;

/**
 * How many months a new schedule has at most: the longest term of the loan's product now, and no longer than a pool guarantees the loan.
 * @returns `until` is the day up to which a pool guarantees it, where that is the limit
 */
export async function longestMonths(
  reader: Reader,
  loan: Limited,
): Promise<{ readonly months: number; readonly until: string | null }> {
  const [[terms], until] = await Promise.all([
    productsOf(reader, loan.sacco_id, loan.product_id),
    guaranteedUntil(reader, loan),
  ]);
  if (!terms) throw new Error('A loan has a product.');
  if (until === null) return { months: terms.max_months, until };
  const months = monthsUntil(startOfSchedule(loan, nairobiDay(reader.now)), until, terms.max_months);
  return { months, until: months < terms.max_months ? until : null };
}

/** The day on which a new schedule begins: the period under way goes on to its end. */
export function startOfSchedule({ period_ends_on }: Pick<LoanRow, 'period_ends_on'>, day: string): string {
  return period_ends_on !== null && period_ends_on > day ? period_ends_on : day;
}

function monthsUntil(start: string, until: string, most: number): number {
  let months = 0;
  while (months < most && monthsAfter(start, months + 1) <= until) months += 1;
  return months;
}

/** The day up to which a pool was paid for its guarantee, while money of its members is locked for the loan. */
async function guaranteedUntil({ sql }: Reader, { id, disbursed_on }: Limited): Promise<string | null> {
  const cover = (await poolCoversOf({ sql: sql as Tx['sql'] }, [id])).get(id);
  if (!cover || cover.outstanding === 0 || disbursed_on === null) return null;
  return monthsAfter(disbursed_on, cover.months);
}

/** @throws Refusal `loan_terms_not_met` */
export async function refuseTooLong(tx: Tx, loan: Limited, months: number): Promise<void> {
  const most = await longestMonths(tx, loan);
  if (months <= most.months) return;
  throw new Refusal('loan_terms_not_met', {
    message:
      most.until === null
        ? sentence('This loan is given for {n, plural, one {# month} other {# months}} at most.', { n: most.months })
        : sentence('A pool guarantees this loan until {day}. A new schedule must end by then.', {
            day: dayOf(most.until),
          }),
  });
}

/** How many new schedules a loan may still have. */
export async function schedulesLeft({ sql }: Reader, loanId: string): Promise<number> {
  const [had] = await (sql as Tx['sql'])<{ schedules: number }[]>`
    select count(*)::int as schedules from loan_restructures where loan_id = ${loanId} and state = 'in_force'`;
  return Math.max(0, RESTRUCTURES_MAX - (had?.schedules ?? 0));
}

/** A bad loan is not renewed for ever. @throws Refusal `loan_conflict` */
export async function refuseThirdSchedule(tx: Tx, loanId: string): Promise<void> {
  if ((await schedulesLeft(tx, loanId)) > 0) return;
  throw new Refusal('loan_conflict', {
    message: sentence('This loan has had {n} new schedules. It gets no other one.', { n: RESTRUCTURES_MAX }),
  });
}

/**
 * Whether these officials may offer a new schedule together. Once a default is decided, one of them is of those who decide about it: others
 * would undo what the credit committee has decided.
 */
export async function mayOfferTogether(
  reader: Reader,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'state'>,
  userIds: readonly string[],
): Promise<boolean> {
  if (loan.state !== 'defaulted') return true;
  const deciding = (await defaultOffices(reader, loan.sacco_id, [loan.id])).get(loan.id) ?? [];
  for (const userId of userIds) {
    const held = await officesHeld(reader, { userId, saccoId: loan.sacco_id });
    if (deciding.some((office) => held.includes(office))) return true;
  }
  return false;
}

/** @throws Refusal `not_allowed` */
export async function refuseWithoutDeciders(
  tx: Tx,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'state'>,
  userIds: readonly string[],
): Promise<void> {
  if (await mayOfferTogether(tx, loan, userIds)) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'The loan is in default. One of the two officials who offer a new schedule must be of those who decide about a default.',
    ),
  });
}
