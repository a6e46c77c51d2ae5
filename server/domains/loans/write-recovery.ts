import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { type InstalmentRow, type LoanRow, owedInstalment } from './loan-rows.ts';
import { accrualOf } from './payable-loans.ts';
import { allocateRecovery } from './recovery.rules.ts';
import type { Allocation } from './repayment.rules.ts';
import { termsOf } from './schedule.rules.ts';

type Taken = Parameters<typeof allocateRecovery>[1];

/** Shares out over the instalments of a locked loan what was taken for it. */
export async function allocateTaken(tx: Tx, loan: LoanRow, taken: Taken): Promise<Allocation> {
  const rows = await tx.sql<InstalmentRow[]>`
    select * from loan_instalments
    where loan_id = ${loan.id} and (paid_on is null or number >= ${loan.period_number}) order by number`;
  const owed = {
    ...termsOf(loan),
    principal: loan.principal_cents,
    interest: loan.interest_cents,
    penalty: loan.penalty_cents,
    accrual: accrualOf(loan),
    instalments: rows.map(owedInstalment),
  };
  return allocateRecovery(owed, taken, nairobiDay(tx.now));
}

/**
 * Writes what was taken for a locked loan: its instalments, its figures and the entry in its repayments. Where no principal is left,
 * no more interest accrues.
 */
export async function writeTaken(
  tx: Tx,
  loan: LoanRow,
  allocation: Allocation,
  by: {
    readonly journalId: string;
    /** Null where nobody asked for it. */
    readonly byId: string | null;
    readonly released: number;
    /** What pays; left out where it is a step of the recovery. Its key is unique for ever. */
    readonly paid?: { readonly channel: 'dividend'; readonly key: string };
  },
): Promise<void> {
  const { journalId, byId, released, paid = { channel: 'recovery', key: `recovery:${journalId}` } } = by;
  const { payments, rest } = allocation;
  await tx.sql`
    update loan_instalments i
    set paid_principal_cents = i.paid_principal_cents + p.principal, paid_interest_cents = i.paid_interest_cents + p.interest
    from unnest(${integers(payments.map(({ number }) => number))}::smallint[],
      ${integers(payments.map(({ principal }) => principal))}::bigint[],
      ${integers(payments.map(({ interest }) => interest))}::bigint[]) as p (number, principal, interest)
    where i.loan_id = ${loan.id} and i.number = p.number`;
  if (rest !== null) await replaceRest(tx, loan, rest);
  const principal = allocation.principal + allocation.prepaid;
  const isPrincipalPaid = principal === loan.principal_cents;
  await tx.sql`
    update loans set principal_cents = principal_cents - ${principal}, interest_cents = interest_cents - ${allocation.interest},
      penalty_cents = penalty_cents - ${allocation.penalty}, prepaid_cents = prepaid_cents + ${allocation.prepaid}
    where id = ${loan.id}`;
  if (isPrincipalPaid) await endInterest(tx, loan);
  await refreshDue(tx, loan.id);
  if (allocation.amount === 0) return;
  await tx.sql`
    insert into loan_repayments (id, loan_id, idempotency_key, paid_by, channel, paid_at, amount_cents, penalty_cents, interest_cents,
      principal_cents, prepaid_cents, released_cents, journal_id)
    values (${tx.newId()}, ${loan.id}, ${paid.key}, ${byId}, ${paid.channel}, ${tx.now}, ${allocation.amount},
      ${allocation.penalty}, ${allocation.interest}, ${allocation.principal}, ${allocation.prepaid}, ${released}, ${journalId})`;
}

/** Replaces the instalments to come, and deletes the ones that are not needed any more. */
async function replaceRest(tx: Tx, loan: LoanRow, rest: NonNullable<Allocation['rest']>): Promise<void> {
  const last = rest.at(-1)?.number ?? loan.period_number;
  await tx.sql`
    delete from loan_instalments where loan_id = ${loan.id} and number > ${last}
      and starts_on >= ${loan.period_ends_on} and due_on > ${nairobiDay(tx.now)} and paid_principal_cents = 0`;
  await tx.sql`
    update loan_instalments i
    set principal_cents = w.principal, interest_cents = w.interest, moved_interest_cents = w.moved,
      paid_interest_cents = i.paid_interest_cents - i.moved_interest_cents + w.moved
    from unnest(${integers(rest.map(({ number }) => number))}::smallint[], ${integers(rest.map(({ principal }) => principal))}::bigint[],
      ${integers(rest.map(({ interest }) => interest))}::bigint[], ${integers(rest.map(({ moved }) => moved))}::bigint[])
      as w (number, principal, interest, moved)
    where i.loan_id = ${loan.id} and i.number = w.number`;
}

/** Without principal nothing more accrues: the period under way ends with what has, and none follows. */
async function endInterest(tx: Tx, loan: LoanRow): Promise<void> {
  await tx.sql`
    update loan_instalments
    set interest_cents = case when number = ${loan.period_number}
      then interest_cents - ${(loan.period_interest_cents ?? 0) - (loan.period_accrued_cents ?? 0)}::bigint
      else greatest(0, paid_interest_cents) end
    where loan_id = ${loan.id} and number >= ${loan.period_number} and paid_on is null`;
  await tx.sql`
    update loans set period_interest_cents = period_accrued_cents where id = ${loan.id}`;
}

/** Marks instalments that are paid in full, and finds the one with which more than the tolerance is asked for. */
export async function refreshDue(tx: Tx, loanId: string): Promise<void> {
  const today = nairobiDay(tx.now);
  await tx.sql`
    update loan_instalments set paid_on = ${today}
    where loan_id = ${loanId} and paid_on is null and paid_principal_cents = principal_cents
      and paid_interest_cents = interest_cents`;
  await tx.sql`
    update loans l set rest_number = a.rest_number, due_number = a.number, due_on = a.due_on, due_cents = a.cents,
      overdue_cents = coalesce(case when a.due_on < l.accrued_through then (
        select sum(i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents) from loan_instalments i
        where i.loan_id = l.id and i.paid_on is null and i.due_on < l.accrued_through) end, 0),
      days_past_due = case when a.due_on < l.accrued_through then l.accrued_through - a.due_on else 0 end
    from asked_of_loan(${loanId}, ${today}) a
    where l.id = ${loanId}`;
}
