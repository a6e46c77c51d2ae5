import {
  DEFAULT_VOTE_WAITS_DAYS,
  RESTRUCTURE_ANSWER_DAYS,
  RESTRUCTURE_ENDINGS_MAX,
  RESTRUCTURE_OFFERS_DAYS,
  RESTRUCTURE_OFFERS_MAX,
  RESTRUCTURES_MAX,
} from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import { poolCoversOf } from '../pools/guarantee-cover.ts';
import { dayOf } from './loan-notices.ts';
import { defaultOffices, defaultVoters, officesHeld } from './loan-officials.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { productsOf } from './loan-terms.ts';
import type { LateLoan } from './recovery-facts.ts';
import { monthsAfter } from './schedule.rules.ts';

/* What limits the new schedules of a loan, besides the agreement of all (docs/decisions/183). */

const DAY_MS = 86_400_000;

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

/**
 * Until when borrower and guarantors answer a new schedule that is confirmed now: for 14 days, and no longer than the month of the loan
 * lasts. Its dates move then, and nobody can agree any more.
 * @throws Refusal `loan_conflict` where that month is over, and the day's run has not begun the next one
 */
export async function answerUntil(
  tx: Tx,
  { id, period_number, period_ends_on }: Pick<LoanRow, 'id' | 'period_number' | 'period_ends_on'>,
): Promise<Date> {
  const latest = new Date(tx.now.getTime() + RESTRUCTURE_ANSWER_DAYS * DAY_MS);
  const [next] = await tx.sql`
    select from loan_instalments where loan_id = ${id} and number = ${period_number}::int + 1`;
  if (!next || period_ends_on === null) return latest;
  const monthEnds = new Date(`${period_ends_on}T23:59:59+03:00`);
  if (monthEnds <= tx.now) {
    throw new Refusal('loan_conflict', {
      message: sentence('A month of the loan has just ended. Confirm the new schedule after the run of today.'),
    });
  }
  return monthEnds < latest ? monthEnds : latest;
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
export async function refuseTooLong(tx: Reader, loan: Limited, months: number): Promise<void> {
  const most = await longestMonths(tx, loan);
  if (months <= most.months) return;
  throw new Refusal('loan_terms_not_met', {
    message:
      most.until === null
        ? sentence('This loan is given for {n, plural, one {# month} other {# months}} at most.', { n: most.months })
        : endsWithPool(most.until),
  });
}

export const endsWithPool = (until: string): Sentence =>
  sentence('A pool guarantees this loan until {day}. A new schedule must end by then.', { day: dayOf(until) });

/**
 * Why a loan gets no new schedule now, whoever proposes it: it and those that it paid off have had as many as it may, or a vote for its default waits. A bad loan is not
 * renewed for ever, and a new schedule would end the arrears, and the vote with them.
 */
export async function whyNoSchedule(
  reader: Reader,
  loan: Pick<LateLoan, 'id' | 'sacco_id' | 'state' | 'arrears_since' | 'refinances_id'>,
): Promise<Sentence | null> {
  const [had] = await (reader.sql as Tx['sql'])<{ schedules: number }[]>`
    select new_schedules_had(${loan.id}) as schedules`;
  if ((had?.schedules ?? 0) >= RESTRUCTURES_MAX) {
    return loan.refinances_id === null
      ? sentence('This loan has had {n} new schedules. It gets no other one.', { n: RESTRUCTURES_MAX })
      : sentence('This loan and those that it paid off have had {n} new schedules. It gets no other one.', {
          n: RESTRUCTURES_MAX,
        });
  }
  if (!(await hasOpenVote(reader, loan))) return null;
  return sentence(
    'An official has voted that this loan is in default. A new schedule waits until a second one has voted, for {n} days at most.',
    { n: DEFAULT_VOTE_WAITS_DAYS },
  );
}

/** Whether a vote for the default waits for a second one: for 14 days, so that one official alone does not stop a new schedule for ever. */
async function hasOpenVote(
  reader: Reader,
  { id, sacco_id, state, arrears_since }: Pick<LateLoan, 'id' | 'sacco_id' | 'state' | 'arrears_since'>,
): Promise<boolean> {
  if (state !== 'in_arrears') return false;
  const deciding = await defaultOffices(reader, sacco_id, [id]);
  const voters = (await defaultVoters(reader, sacco_id, deciding)).get(id) ?? [];
  const lately = await (reader.sql as Tx['sql'])`
    select from loan_recovery_voices
    where loan_id = ${id} and kind = 'default' and arrears_since = ${arrears_since}
      and by_id = any (${texts(voters)}::uuid[])
      and at > ${new Date(reader.now.getTime() - DEFAULT_VOTE_WAITS_DAYS * DAY_MS)}`;
  return lately.length > 0;
}

const lately = (at: Pick<Reader, 'now'>): Date => new Date(at.now.getTime() - RESTRUCTURE_OFFERS_DAYS * DAY_MS);

/**
 * The borrower and the guarantors are told of each offer that is confirmed, whatever becomes of it. One that its proposer took back before counts
 * against them alone. One that another official ended before counts against nobody but that official (`hasEndedMany`).
 * @throws Refusal `loan_conflict`
 */
export async function refuseManyOffers(tx: Tx, loanId: string, userId: string): Promise<void> {
  const [had] = await tx.sql<{ offers: number }[]>`
    select count(*)::int as offers from loan_restructures
    where loan_id = ${loanId} and proposed_at > ${lately(tx)}
      and (confirmed_by is not null or state in ('in_force', 'refused')
           or state = 'withdrawn' and proposed_by = ${userId} and withdrawn_by = ${userId})`;
  if ((had?.offers ?? 0) < RESTRUCTURE_OFFERS_MAX) return;
  throw new Refusal('loan_conflict', {
    message: sentence('A new schedule was offered {n} times in {days} days. Wait before you offer another one.', {
      n: RESTRUCTURE_OFFERS_MAX,
      days: RESTRUCTURE_OFFERS_DAYS,
    }),
  });
}

/** Whether an official has ended as many offers of others for a loan as they may, with all accounts that look like theirs. Asked of the platform. */
export async function hasEndedMany(reader: Reader, loanId: string, userId: string): Promise<boolean> {
  const sql = reader.sql as Tx['sql'];
  const ended = await sql<{ by: string }[]>`
    select withdrawn_by as by from loan_restructures
    where loan_id = ${loanId} and state = 'withdrawn' and withdrawn_by <> proposed_by and state_at > ${lately(reader)}`;
  if (ended.length < RESTRUCTURE_ENDINGS_MAX) return false;
  const theirs = await otherAccountsAmong(
    { sql },
    userId,
    ended.map(({ by }) => by),
  );
  return ended.filter(({ by }) => by === userId || theirs.has(by)).length >= RESTRUCTURE_ENDINGS_MAX;
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
