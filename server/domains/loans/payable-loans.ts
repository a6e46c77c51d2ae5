import { OWED_STATES } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import type { Unpaid } from './arrears.rules.ts';
import type { Forgiven } from './closing.rules.ts';
import type { TakenBack } from './counted-day.rules.ts';
import { type GuaranteeRow, type InstalmentRow, type LoanRow, owedInstalment, type Reader } from './loan-rows.ts';
import {
  type Accrual,
  accrueTo,
  dueNow,
  endedInterest,
  type OwedInstalment,
  type OwedLoan,
  type Settled,
  unpaidOf,
} from './repayment.rules.ts';
import { termsOf } from './schedule.rules.ts';

/** Instalments whose periods have not begun, by loan. */
export type Following = Map<string, readonly OwedInstalment[]>;

/** What a payment needs of a loan's row: of the batch of a check-off no more is read. */
export type PayableRow = Pick<
  LoanRow,
  | 'id'
  | 'sacco_id'
  | 'borrower_id'
  | 'number'
  | 'method'
  | 'monthly_rate'
  | 'whole_shillings'
  | 'amount_cents'
  | 'state'
  | 'principal_cents'
  | 'interest_cents'
  | 'penalty_cents'
  | 'period_number'
  | 'period_starts_on'
  | 'period_ends_on'
  | 'period_interest_cents'
  | 'period_accrued_cents'
  | 'due_number'
  | 'rest_number'
  | 'surplus'
  | 'provision_cents'
  | 'duplum_cents'
  | 'charged_since_default_cents'
> & {
  /** The sum that may be overdue without consequence today. */
  readonly tolerance_cents: Cents;
};

/** Principal, interest up to the day and penalty. */
export const allOwed = ({ owed }: Pick<PayableLoan, 'owed'>): Cents => owed.principal + owed.interest + owed.penalty;

/**
 * A loan that is paid, with the instalments whose periods have begun, as it is on a day: interest has accrued up to it. It is
 * carried on in memory with each payment, and written once.
 */
export class PayableLoan {
  readonly loan: PayableRow;
  guarantees: readonly GuaranteeRow[];
  owed: OwedLoan;
  /** Interest that accrued by the day and is not in the books yet: the first payment of the batch posts it. */
  toAccrue: Cents;
  /** All interest that this batch accrues. */
  accrued: Cents;
  prepaid: Cents;

  constructor(
    loan: PayableRow,
    instalments: readonly OwedInstalment[],
    guarantees: readonly GuaranteeRow[],
    day: string,
  ) {
    this.loan = loan;
    this.guarantees = guarantees;
    const before = accrualOf(loan);
    const { number: current } = before.period;
    if (!instalments.some(({ number }) => number === current))
      throw new Error(`The loan ${loan.id} has no instalment ${current}.`);
    const following = instalments.filter(({ number }) => number > current);
    const { added, accrual } = accrueTo(before, following, day, roomOf(loan));
    this.toAccrue = added;
    this.accrued = added;
    this.prepaid = 0;
    this.owed = {
      ...termsOf(loan),
      principal: loan.principal_cents,
      penalty: loan.penalty_cents,
      interest: loan.interest_cents + added,
      accrual,
      instalments,
    };
  }

  get accrual(): Accrual {
    return this.owed.accrual;
  }

  /** Takes back charges of the days since a payment was made that is booked today. */
  takeBack(back: TakenBack): void {
    const { owed } = this;
    const unpaid = back.penalty + back.interest;
    this.owed = { ...owed, penalty: owed.penalty - back.penalty, interest: owed.interest - back.interest };
    if (this.loan.duplum_cents !== null) this.accrued -= unpaid;
  }

  /** Leaves off what a payment that closes the loan does not pay. */
  forgive({ penalty, interest }: Forgiven): void {
    this.owed = { ...this.owed, penalty: this.owed.penalty - penalty, interest: this.owed.interest - interest };
  }

  /** Takes over what a payment did. */
  apply(paid: Settled, releases: readonly Cents[]): void {
    const { owed } = this;
    const of = new Map(paid.payments.map((each) => [each.number, each]));
    const anew = new Map((paid.rest ?? []).map((each) => [each.number, each]));
    const last = paid.rest?.at(-1)?.number ?? Number.MAX_SAFE_INTEGER;
    this.owed = {
      ...owed,
      principal: owed.principal - paid.principal - paid.prepaid,
      penalty: owed.penalty - paid.penalty,
      interest: owed.interest - paid.interest,
      accrual: paid.accrual ?? owed.accrual,
      instalments: owed.instalments
        .filter(({ number }) => number <= last)
        .map((each) => {
          const own = of.get(each.number);
          if (anew.has(each.number) || !own) return anew.get(each.number) ?? each;
          const paidInterest = each.paidInterest + own.interest;
          // A loan that is paid off costs no more interest than what accrued.
          const atEnd = paid.isPaidOff ? endedInterest(paidInterest) : {};
          return { ...each, ...atEnd, paidPrincipal: each.paidPrincipal + own.principal, paidInterest };
        }),
    };
    this.toAccrue = 0;
    this.prepaid += paid.prepaid;
    this.guarantees = this.guarantees.map((row, index) => ({
      ...row,
      pledged_cents: row.pledged_cents - (releases[index] ?? 0),
    }));
  }
}

/** A loan as it is owed, with the instalments behind those that were read. */
export const owedWith = ({ loan, owed }: PayableLoan, following: Following): OwedLoan => ({
  ...owed,
  instalments: [...owed.instalments, ...(following.get(loan.id) ?? [])],
});

/** The unpaid parts of a loan, with instalments behind those that were read. */
export const unpaidOfLoan = (
  { loan, owed }: Pick<PayableLoan, 'loan' | 'owed'>,
  following: readonly OwedInstalment[] = [],
): Unpaid => ({
  tolerance: loan.tolerance_cents,
  instalments: [...owed.instalments, ...following].map((each) => ({ dueOn: each.dueOn, unpaid: unpaidOf(each) })),
});

/** How far the interest of a loan has accrued, as its row has it. */
export function accrualOf({
  period_number: number,
  period_starts_on: startsOn,
  period_ends_on: dueOn,
  period_interest_cents: interest,
  period_accrued_cents: accrued,
}: Pick<
  LoanRow,
  'period_number' | 'period_starts_on' | 'period_ends_on' | 'period_interest_cents' | 'period_accrued_cents'
>): Accrual {
  if (number === null || startsOn === null || dueOn === null) throw new Error('A loan that was paid out has a period.');
  return { period: { number, startsOn, dueOn, interest: interest ?? 0 }, accrued: accrued ?? 0 };
}

/** After a default: how much more interest and penalty may be charged. */
const roomOf = ({ duplum_cents, charged_since_default_cents }: PayableRow): Cents | undefined =>
  duplum_cents === null ? undefined : duplum_cents - charged_since_default_cents;

/** Loans that were paid out, in the order of their ids, with the instalments whose periods have begun by a day. */
export async function payableLoans(
  tx: Pick<Tx, 'sql'>,
  ids: readonly string[],
  day: string,
  { isLocking = false }: { readonly isLocking?: boolean } = {},
): Promise<PayableLoan[]> {
  const of = texts(ids);
  const loans = await tx.sql<PayableRow[]>`
    select id, sacco_id, borrower_id, number, method, monthly_rate, whole_shillings, amount_cents, state, principal_cents, interest_cents,
      penalty_cents, period_number, period_starts_on, period_ends_on, period_interest_cents, period_accrued_cents, due_number,
      rest_number, surplus, provision_cents, duplum_cents, charged_since_default_cents,
      (select cents from loan_tolerances where valid_from <= ${day}::date order by valid_from desc limit 1) as tolerance_cents
    from loans where id = any (${of}::uuid[]) and disbursed_at is not null
    order by id ${isLocking ? tx.sql`for update` : tx.sql``}`;
  if (loans.length === 0) return [];
  const periods = loans.map(({ period_number }) => period_number ?? 0);
  const firsts = loans.map(({ rest_number, due_number, period_number }) =>
    Math.min(rest_number ?? due_number ?? 999, period_number ?? 0),
  );
  const [instalments, guarantees] = await Promise.all([
    tx.sql<InstalmentRow[]>`
      select i.loan_id, i.number, i.starts_on, i.due_on, i.principal_cents, i.interest_cents, i.paid_principal_cents,
        i.paid_interest_cents, i.moved_interest_cents, i.paid_on
      from unnest(${texts(loans.map(({ id }) => id))}::uuid[], ${integers(firsts)}::smallint[], ${integers(periods)}::smallint[])
        as l (id, first, period)
      join loan_instalments i on i.loan_id = l.id and i.number >= l.first
      where (i.starts_on < ${day}::date or i.number <= l.period) and (i.paid_on is null or i.number >= l.period)
      order by i.loan_id, i.number`,
    tx.sql<GuaranteeRow[]>`
      select * from loan_guarantees where loan_id = any (${of}::uuid[]) and state in ('asked', 'accepted', 'live')
      order by id ${isLocking ? tx.sql`for update` : tx.sql``}`,
  ]);
  const instalmentsOf = grouped(instalments);
  const guaranteesOf = grouped(guarantees);
  return loans.map(
    (loan) =>
      new PayableLoan(
        loan,
        (instalmentsOf.get(loan.id) ?? []).map(owedInstalment),
        guaranteesOf.get(loan.id) ?? [],
        day,
      ),
  );
}

const ACCRUING: ReadonlySet<LoanRow['state']> = new Set(OWED_STATES.filter((state) => state !== 'written_off'));

/** What interest loans owe by the end of today, by id: as a repayment at this moment would find it. Only of those that accrue some. */
export async function interestToday(
  { sql, now }: Reader,
  rows: readonly Pick<LoanRow, 'id' | 'state'>[],
): Promise<ReadonlyMap<string, Cents>> {
  const accruing = rows.filter(({ state }) => ACCRUING.has(state)).map(({ id }) => id);
  if (accruing.length === 0) return new Map();
  const payables = await payableLoans({ sql: sql as Tx['sql'] }, accruing, nairobiDay(now));
  return new Map(payables.map(({ loan, owed }) => [loan.id, owed.interest]));
}

/**
 * Whether so much may pay in advance, or pay the loan off: then the instalments behind those that were read are needed. Without them, what
 * was paid of them in advance would be lost.
 */
export const needsComing = ({ loan, owed }: PayableLoan, paid: Cents, day: string): boolean =>
  paid > dueNow({ ...owed, penalty: 0 }, day) || paid + loan.tolerance_cents >= owed.principal;

/** The instalments behind those that were read with their loans; also those that were paid in advance. */
export async function followingOf(tx: Tx, payables: readonly PayableLoan[]): Promise<Following> {
  if (payables.length === 0) return new Map();
  const last = new Map(payables.map(({ loan, owed }) => [loan.id, owed.instalments.at(-1)?.number ?? 0]));
  const rows = await tx.sql<InstalmentRow[]>`
    select i.* from unnest(${texts([...last.keys()])}::uuid[], ${integers([...last.values()])}::smallint[]) as l (id, last)
    join loan_instalments i on i.loan_id = l.id and i.number > l.last
    order by i.loan_id, i.number`;
  return new Map([...grouped(rows)].map(([id, own]) => [id, own.map(owedInstalment)]));
}

function grouped<Row extends { readonly loan_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const byLoan = new Map<string, Row[]>();
  for (const row of rows) {
    const own = byLoan.get(row.loan_id);
    if (own) own.push(row);
    else byLoan.set(row.loan_id, [row]);
  }
  return byLoan;
}
