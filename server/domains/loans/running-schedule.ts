import type * as shapes from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { type InstalmentRow, type LoanRow, owedInstalment, type Reader } from './loan-rows.ts';
import { costOf } from './loan-terms.ts';
import { dueInterest, type OwedInstalment, unpaidOf } from './repayment.rules.ts';

type Shown = Pick<shapes.LoanDetail, 'schedule' | 'early' | 'agreed'>;

/**
 * Principal that was paid outside of the instalments behind one of them: all of a kind together. In recovery a dividend is taken; outside it pays
 * what is due, and no more.
 */
interface EarlyRow {
  /** The instalment whose period it was; null after the last. */
  readonly after: number | null;
  readonly is_recovered: boolean;
  readonly paid_on: string;
  readonly payments: number;
  readonly cents: Cents;
}

const shown = shillingsFromCents;

/**
 * The instalments of a loan that was paid out, with the principal that was paid outside of them: together they are its amount. Of any
 * other loan as it would be if it were paid out today.
 */
export async function runningSchedule({ sql, now }: Reader, row: LoanRow): Promise<Shown> {
  const today = nairobiDay(now);
  if (row.disbursed_at === null) {
    const coming = plain(row, today).map((each) => ({ ...each, paid: 0, state: 'coming' as const, paid_on: null }));
    return { schedule: coming, early: [], agreed: null };
  }
  const [rows, early] = await Promise.all([
    (sql as Tx['sql'])<InstalmentRow[]>`
      select * from loan_instalments where loan_id = ${row.id} order by number`,
    (sql as Tx['sql'])<EarlyRow[]>`
      select i.number as after, r.channel in ('recovery', 'dividend') as is_recovered,
        (max(r.paid_at) at time zone 'Africa/Nairobi')::date as paid_on, count(*)::int as payments, sum(r.prepaid_cents)::bigint as cents
      from loan_repayments r
      left join lateral (
        select number from loan_instalments i
        where i.loan_id = r.loan_id and i.due_on >= (r.paid_at at time zone 'Africa/Nairobi')::date
        order by number limit 1
      ) i on true
      where r.loan_id = ${row.id} and r.prepaid_cents > 0
      -- What paid the loan off stands alone.
      group by 1, 2, ${row.principal_cents === 0}::boolean and r.channel not in ('recovery', 'dividend') and r.journal_id = (
        select journal_id from loan_repayments where loan_id = ${row.id} order by paid_at desc, journal_id desc limit 1)
      order by max(r.paid_at), max(r.journal_id)`,
  ]);
  const agreed = plain(row, row.disbursed_on ?? today);
  const isAgreed =
    agreed.length === rows.length &&
    rows.every(({ principal_cents }, index) => shown(principal_cents) === agreed[index]?.principal);
  return { ...inOrder(row, { rows, early, today }), agreed: isAgreed ? null : agreed };
}

/** The schedule by the terms of a loan that is paid out on a day. */
function plain(row: LoanRow, from: string): shapes.Instalment[] {
  let balance = row.amount_cents;
  return costOf(row, { from }).schedule.instalments.map((each) => {
    balance -= each.principal;
    return shownInstalment(each, balance);
  });
}

/** Goes through instalments and early payments in their order, and takes each from the balance. */
function inOrder(
  loan: LoanRow,
  {
    rows,
    early,
    today,
  }: { readonly rows: readonly InstalmentRow[]; readonly early: readonly EarlyRow[]; readonly today: string },
): Pick<Shown, 'schedule' | 'early'> {
  const schedule: Shown['schedule'] = [];
  const shownEarly: Shown['early'] = [];
  const last = rows.at(-1)?.number ?? 0;
  const isLate = loan.due_on !== null && loan.due_on < today;
  let balance = loan.amount_cents;
  for (const row of rows) {
    balance -= row.principal_cents;
    schedule.push(shownRow(row, balance, { today, isLate }));
    for (const each of early) {
      if ((each.after ?? last) !== row.number) continue;
      balance -= each.cents;
      shownEarly.push({
        on: each.paid_on,
        payments: each.payments,
        kind: each.is_recovered ? 'recovered' : balance === 0 ? 'paid_off' : 'prepaid',
        after: row.number,
        principal: shown(each.cents),
        balance_after: shown(balance),
      });
    }
  }
  return { schedule, early: shownEarly };
}

interface Moment {
  readonly today: string;
  /** More than the tolerance is overdue of the loan. */
  readonly isLate: boolean;
}

function shownRow(row: InstalmentRow, balance: Cents, moment: Moment): Shown['schedule'][number] {
  const owed = owedInstalment(row);
  return {
    ...shownInstalment({ ...owed, interest: dueInterest(owed) }, balance),
    paid: shown(owed.paidPrincipal + owed.paidInterest),
    state: stateOf(row, owed, moment),
    paid_on: row.paid_on,
  };
}

function stateOf(
  { paid_on }: InstalmentRow,
  owed: OwedInstalment,
  { today, isLate }: Moment,
): Shown['schedule'][number]['state'] {
  if (paid_on !== null || unpaidOf(owed) === 0) return 'paid';
  // A rest within the tolerance is asked for with the next instalment.
  if (owed.dueOn < today) return isLate ? 'overdue' : 'due';
  return owed.startsOn < today ? 'due' : 'coming';
}

export function shownInstalment(
  each: { readonly number: number; readonly dueOn: string; readonly principal: Cents; readonly interest: Cents },
  balance: Cents,
): shapes.Instalment {
  return {
    number: each.number,
    due_on: each.dueOn,
    principal: shown(each.principal),
    interest: shown(each.interest),
    total: shown(each.principal + each.interest),
    balance_after: shown(balance),
  };
}
