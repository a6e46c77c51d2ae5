import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { integers, integersOrNulls, texts } from '../../ledger/sql-arrays.ts';
import { askedOf, overdueOf } from './arrears.rules.ts';
import { type Forgiven, sumForgiven } from './closing.rules.ts';
import { sumBack, type TakenBack } from './counted-day.rules.ts';
import { addLoanEvents, type InstalmentRow, type LoanEventInput, owedInstalment } from './loan-rows.ts';
import { type Following, owedWith, type PayableLoan, unpaidOfLoan } from './payable-loans.ts';
import type { Repayment } from './repay-loans.ts';
import { type Allocation, type OwedInstalment, unpaidOf } from './repayment.rules.ts';
import { daysBetween } from './schedule.rules.ts';

/** A payment that is made, before it is written. */
export interface Applied {
  readonly payable: PayableLoan;
  readonly repayment: Pick<Repayment, 'key'> & {
    /** `none` where a rest is forgiven without a payment. */
    readonly channel: Repayment['channel'] | 'none';
    /** Null where a list of many has the payer. */
    readonly payerId: string | null;
  };
  readonly allocation: Allocation;
  readonly releases: readonly Cents[];
  readonly journal: JournalInput;
  /** The day on which it counts, where that is before today; and what of the charges since is taken back. */
  readonly countsOn: string | null;
  readonly back: TakenBack;
  /** The parts of the loan that are forgiven where the payment closes it. */
  readonly forgiven: Forgiven;
  /** All that is owed of the loan after it. */
  readonly owedAfter: Cents;
  /** Where instalments are paid in advance: the day until which nothing is due. */
  readonly excusedUntil: string | null;
}

interface Written {
  readonly day: string;
  readonly following: Following;
  readonly applied: readonly Applied[];
}

/**
 * Writes what a batch of payments did to loans: they, their instalments, pledges and events, in a constant number of statements.
 * It comes before `post`, which locks accounts of the sacco that other batches wait for.
 */
export async function writeRepaid(tx: Tx, written: Written): Promise<void> {
  const { applied } = written;
  if (applied.length === 0) return;
  const payables = [...new Set(applied.map(({ payable }) => payable))];
  await writeInstalments(tx, written, payables);
  await writeRest(tx, written);
  await writeLoans(tx, written, payables);
  await writePledges(tx, payables);
  await addLoanEvents(tx, applied.flatMap(eventsOf));
}

async function writeInstalments(
  tx: Tx,
  { day, following, applied }: Written,
  payables: readonly PayableLoan[],
): Promise<void> {
  const paid = new Map(payables.map((payable) => [payable, new Map<number, string>()]));
  const lastOn = new Map(applied.map(({ payable, countsOn }) => [payable, countsOn ?? day]));
  for (const { payable, allocation, countsOn } of applied) {
    for (const { number } of allocation.payments) paid.get(payable)?.set(number, countsOn ?? day);
  }
  const isAnew = new Set(applied.filter(({ allocation }) => allocation.rest !== null).map(({ payable }) => payable));
  const rows = payables.flatMap((payable) => {
    const behind = isAnew.has(payable) ? (following.get(payable.loan.id) ?? []) : [];
    const met = metOf(payable, behind);
    return [...payable.owed.instalments, ...behind]
      .map((each, index) => ({
        loanId: payable.loan.id,
        each,
        isMet: index < met,
        isPaid: paid.get(payable)?.has(each.number) ?? false,
        isAnew: isAnew.has(payable) && each.dueOn > day,
        on: paid.get(payable)?.get(each.number) ?? lastOn.get(payable) ?? day,
      }))
      .filter((each) => each.isMet || each.isPaid || each.isAnew);
  });
  await tx.sql`
    update loan_instalments i
    set principal_cents = w.principal, interest_cents = w.interest, moved_interest_cents = w.moved,
      paid_principal_cents = w.paid_principal, paid_interest_cents = w.paid_interest + w.moved,
      paid_on = case when w.unpaid = 0 then coalesce(i.paid_on, w.happened_on) end,
      met_on = case when w.unpaid > 0 and w.is_met then coalesce(i.met_on, w.happened_on) else i.met_on end
    from unnest(${texts(rows.map(({ loanId }) => loanId))}::uuid[], ${integers(rows.map(({ each }) => each.number))}::smallint[],
      ${integers(rows.map(({ each }) => each.principal))}::bigint[], ${integers(rows.map(({ each }) => each.moved))}::bigint[],
      ${integers(rows.map(({ each }) => each.paidPrincipal))}::bigint[],
      ${integers(rows.map(({ each }) => each.paidInterest))}::bigint[],
      ${integers(rows.map(({ each }) => each.interest))}::bigint[], ${integers(rows.map(({ each }) => unpaidOf(each)))}::bigint[],
      ${texts(rows.map(({ on }) => on))}::date[], ${texts(rows.map(({ isMet }) => String(isMet)))}::boolean[]
    ) as w (loan_id, number, principal, moved, paid_principal, paid_interest, interest, unpaid, happened_on, is_met)
    where i.loan_id = w.loan_id and i.number = w.number`;
}

/** How many of its instalments are met, the oldest first: no more than the tolerance is unpaid of them. */
function metOf(payable: PayableLoan, behind: readonly OwedInstalment[]): number {
  const instalments = payable.owed.instalments.length + behind.length;
  return askedOf(unpaidOfLoan(payable, behind))?.index ?? instalments;
}

/** Where something was paid in advance, the last instalments may not be needed any more. */
async function writeRest(tx: Tx, { applied, following }: Written): Promise<void> {
  const payables = [
    ...new Set(applied.filter(({ allocation }) => allocation.rest !== null).map(({ payable }) => payable)),
  ];
  if (payables.length === 0) return;
  await tx.sql`
    delete from loan_instalments i
    using unnest(${texts(payables.map(({ loan }) => loan.id))}::uuid[],
      ${integers(payables.map((payable) => owedWith(payable, following).instalments.at(-1)?.number ?? 0))}::smallint[])
      as w (loan_id, last)
    where i.loan_id = w.loan_id and i.number > w.last`;
}

interface Due {
  /** The instalment with which more than the tolerance is asked for; null where none is. */
  readonly next: OwedInstalment | null;
  /** The sum that is asked for with it, the rests before it included. */
  readonly cents: Cents;
  /** The oldest instalment with an unpaid rest below the tolerance. */
  readonly rest: number | null;
  readonly overdue: Cents;
  readonly days: number;
}

/** The sum of a loan that is asked for next, and the sum that is overdue. */
export function dueOf(payable: PayableLoan, following: readonly OwedInstalment[], day: string): Due {
  if (payable.owed.principal === 0) return { next: null, cents: 0, rest: null, overdue: 0, days: 0 };
  const instalments = [...payable.owed.instalments, ...following];
  const unpaid = unpaidOfLoan(payable, following);
  const asked = askedOf(unpaid);
  const next = (asked && instalments[asked.index]) ?? null;
  const oldest = instalments.find((each) => unpaidOf(each) > 0) ?? null;
  return {
    next,
    cents: asked?.cents ?? 0,
    rest: oldest === next ? null : (oldest?.number ?? null),
    overdue: overdueOf(unpaid, day),
    days: next === null ? 0 : Math.max(0, daysBetween(next.dueOn, day)),
  };
}

async function writeLoans(
  tx: Tx,
  { day, following, applied }: Written,
  payables: readonly PayableLoan[],
): Promise<void> {
  const nextOf = await comingOf(tx, payables, following);
  const channelOf = new Map(applied.map(({ payable, repayment }) => [payable, repayment.channel]));
  const rows = payables.map((payable) => {
    const due = dueOf(payable, nextOf.get(payable.loan.id) ?? [], day);
    const isOver = payable.owed.principal === 0;
    // A default of which nothing was taken ends with the arrears; a recovery does not.
    const isLate = payable.loan.state === 'in_arrears' || payable.loan.state === 'defaulted';
    const isCured = isLate && due.overdue === 0;
    const because = channelOf.get(payable) === 'refinance' ? 'refinanced' : 'paid';
    return {
      payable,
      due,
      state: isOver ? 'closed' : isCured ? 'active' : payable.loan.state,
      because: isOver ? because : null,
    };
  });
  await tx.sql`
    update loans l
    set state = w.state, state_at = case when w.state = l.state then l.state_at else ${tx.now}::timestamptz end,
      closed_because = w.because, closed_at = case when w.because is not null then ${tx.now}::timestamptz end,
      class = case when w.because is null then l.class end,
      provision_cents = case when w.because is null then l.provision_cents else 0 end,
      standing_since = case when w.because is null then l.standing_since end,
      principal_cents = w.principal, interest_cents = w.interest, penalty_cents = w.penalty,
      prepaid_cents = l.prepaid_cents + w.prepaid, accrued_through = greatest(l.accrued_through, ${day}::date),
      charged_since_default_cents = case when w.state = 'active' or l.duplum_cents is null then 0
        else l.charged_since_default_cents + w.accrued end,
      duplum_cents = case when w.state = 'active' then null else l.duplum_cents end,
      defaulted_at = case when w.state = 'active' then null else l.defaulted_at end,
      arrears_since = case when w.state = 'active' then null else l.arrears_since end,
      notices_given = case when w.state = 'active' then 0 else l.notices_given end,
      period_number = w.period, period_starts_on = w.starts_on, period_ends_on = w.ends_on,
      period_interest_cents = w.period_interest, period_accrued_cents = w.period_accrued,
      rest_number = w.rest_number, due_number = w.due_number, due_on = w.due_on, due_cents = w.due_cents, overdue_cents = w.overdue, days_past_due = w.days
    from unnest(${texts(rows.map(({ payable }) => payable.loan.id))}::uuid[], ${texts(rows.map(({ state }) => state))}::text[],
      ${texts(rows.map(({ because }) => because))}::text[], ${integers(rows.map(({ payable }) => payable.owed.principal))}::bigint[],
      ${integers(rows.map(({ payable }) => payable.owed.interest))}::bigint[],
      ${integers(rows.map(({ payable }) => payable.owed.penalty))}::bigint[], ${integers(rows.map(({ payable }) => payable.prepaid))}::bigint[],
      ${integers(rows.map(({ payable }) => payable.accrued))}::bigint[],
      ${integers(rows.map(({ payable }) => payable.accrual.period.number))}::smallint[],
      ${texts(rows.map(({ payable }) => payable.accrual.period.startsOn))}::date[],
      ${texts(rows.map(({ payable }) => payable.accrual.period.dueOn))}::date[],
      ${integers(rows.map(({ payable }) => Math.max(payable.accrual.period.interest, payable.accrual.accrued)))}::bigint[],
      ${integers(rows.map(({ payable }) => payable.accrual.accrued))}::bigint[],
      ${integersOrNulls(rows.map(({ due }) => due.rest))}::smallint[],
      ${integersOrNulls(rows.map(({ due }) => due.next?.number ?? null))}::smallint[],
      ${texts(rows.map(({ due }) => due.next?.dueOn ?? null))}::date[],
      ${integersOrNulls(rows.map(({ due }) => (due.next ? due.cents : null)))}::bigint[],
      ${integers(rows.map(({ due }) => due.overdue))}::bigint[], ${integers(rows.map(({ due }) => due.days))}::integer[]
    ) as w (id, state, because, principal, interest, penalty, prepaid, accrued, period, starts_on, ends_on, period_interest,
      period_accrued, rest_number, due_number, due_on, due_cents, overdue, days)
    where l.id = w.id`;
}

/** Instalments that are more than the highest tolerance (Ksh. 10) together: a shilling each at least, but for the last. */
const COMING = 12;

/** The next instalments behind those that were read, where they were not needed to share the payment out. */
async function comingOf(tx: Tx, payables: readonly PayableLoan[], following: Following): Promise<Following> {
  const missing = payables.filter(
    (payable) =>
      !following.has(payable.loan.id) && payable.owed.principal > 0 && askedOf(unpaidOfLoan(payable)) === null,
  );
  if (missing.length === 0) return following;
  const rows = await tx.sql<InstalmentRow[]>`
    select i.* from unnest(${texts(missing.map(({ loan }) => loan.id))}::uuid[],
      ${integers(missing.map(({ owed }) => owed.instalments.at(-1)?.number ?? 0))}::smallint[]) as w (loan_id, last)
    cross join lateral (select * from loan_instalments i where i.loan_id = w.loan_id and i.number > w.last
                          and i.paid_on is null
                        order by number limit ${COMING}) i`;
  const byLoan = Map.groupBy(rows, ({ loan_id }) => loan_id);
  return new Map([...following, ...[...byLoan].map(([id, own]) => [id, own.map(owedInstalment)] as const)]);
}

async function writePledges(tx: Tx, payables: readonly PayableLoan[]): Promise<void> {
  const rows = payables.flatMap(({ guarantees, owed }) =>
    guarantees.map((row) => ({
      row,
      state: owed.principal > 0 ? row.state : row.state === 'asked' ? 'voided' : 'released',
    })),
  );
  if (rows.length === 0) return;
  await tx.sql`
    update loan_guarantees g
    set pledged_cents = w.pledged, state = w.state,
      state_at = case when w.state = g.state then g.state_at else ${tx.now}::timestamptz end
    from unnest(${texts(rows.map(({ row }) => row.id))}::uuid[], ${integers(rows.map(({ row }) => row.pledged_cents))}::bigint[],
      ${texts(rows.map(({ state }) => state))}::text[]) as w (id, pledged, state)
    where g.id = w.id and (g.pledged_cents, g.state) is distinct from (w.pledged, w.state)`;
}

/** The payments themselves, with the journals that they are, in their order. */
export async function insertRepayments(
  tx: Tx,
  applied: readonly Applied[],
  journalIds: readonly string[],
): Promise<void> {
  if (applied.length === 0) return;
  const released = ({ releases }: Applied) => releases.reduce((total, each) => total + each, 0);
  await tx.sql`
    insert into loan_repayments (id, loan_id, idempotency_key, paid_by, channel, paid_at, amount_cents, penalty_cents,
      interest_cents, principal_cents, prepaid_cents, released_cents, journal_id, counts_on)
    select id, loan_id, key, paid_by, channel, ${tx.now}, amount, penalty, interest, principal, prepaid, released, journal_id, counts_on
    from unnest(${texts(applied.map(({ journal }) => journal.idempotencyKey.slice(-36)))}::uuid[],
      ${texts(applied.map(({ payable }) => payable.loan.id))}::uuid[], ${texts(applied.map(({ repayment }) => repayment.key))}::text[],
      ${texts(applied.map(({ repayment }) => repayment.payerId))}::uuid[],
      ${texts(applied.map(({ repayment }) => repayment.channel))}::text[],
      ${integers(applied.map(({ allocation }) => allocation.amount))}::bigint[],
      ${integers(applied.map(({ allocation }) => allocation.penalty))}::bigint[],
      ${integers(applied.map(({ allocation }) => allocation.interest))}::bigint[],
      ${integers(applied.map(({ allocation }) => allocation.principal))}::bigint[],
      ${integers(applied.map(({ allocation }) => allocation.prepaid))}::bigint[], ${integers(applied.map(released))}::bigint[],
      ${integers(journalIds.map(Number))}::bigint[], ${texts(applied.map(({ countsOn }) => countsOn))}::date[]
    ) as w (id, loan_id, key, paid_by, channel, amount, penalty, interest, principal, prepaid, released, journal_id, counts_on)`;
}

/** What a payment ended. That it was paid is a row of `loan_repayments`, which the timeline reads. */
function eventsOf({ payable, repayment, allocation, journal, back, forgiven }: Applied): LoanEventInput[] {
  const cents = sumBack(back);
  const taken = { loanId: payable.loan.id, kind: 'charges_taken_back', amountCents: cents } as const;
  const rest = sumForgiven(forgiven);
  const left = { loanId: payable.loan.id, kind: 'rest_forgiven', amountCents: rest } as const;
  const backs: LoanEventInput[] = [...(cents > 0 ? [taken] : []), ...(rest > 0 ? [left] : [])];
  if (repayment.channel === 'none') return [...backs, { loanId: payable.loan.id, kind: 'closed' }];
  const kind = repayment.channel === 'refinance' ? 'refinanced' : allocation.isPaidOff ? 'paid_off' : null;
  if (kind === null) return backs;
  const { id: loanId } = payable.loan;
  const paid: LoanEventInput = {
    loanId,
    byId: repayment.payerId,
    kind,
    amountCents: allocation.amount,
    repaymentId: journal.idempotencyKey.slice(-36),
  };
  return allocation.isPaidOff ? [...backs, paid, { loanId, kind: 'closed' }] : [...backs, paid];
}
