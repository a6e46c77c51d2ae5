import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { Counted } from './counted-day.rules.ts';
import { settlementOf, walletOf } from './loan-rows.ts';
import type { Applied } from './write-repayments.ts';

/** When the payment of a loan was made. */
export interface MadeOn {
  readonly loanId: string;
  /** The Nairobi day, `2026-04-01`. */
  readonly on: string;
  readonly isOfEmployer: boolean;
}

/**
 * How payments count that were made before today, or by an employer, of loans that are late. Their rows are locked. In the order of
 * the payments; null for one that counts today.
 */
export async function countedOf(tx: Tx, made: readonly (MadeOn | null)[], today: string): Promise<(Counted | null)[]> {
  const asked = made.map((each) => (each && (each.on < today || each.isOfEmployer) ? each : null));
  const some = asked.filter((each) => each !== null);
  if (some.length === 0) return asked.map(() => null);
  const rows = await tx.sql<
    { id: string; on: string; rate: number; charged_to: string | null; days: number; paid: Cents }[]
  >`
    select l.id, w.made_on as on, l.penalty_rate as rate,
      (select max(d.day) from loan_days d where d.sacco_id = l.sacco_id
         and (d.state = 'done' or d.step <> 'loans' or d.after_loan >= l.id)) as charged_to,
      (select days from employer_days where valid_from <= w.made_on order by valid_from desc limit 1) as days,
      (select coalesce(sum(r.penalty_cents), 0)::bigint from loan_repayments r
       where r.loan_id = l.id and (r.paid_at at time zone 'Africa/Nairobi')::date > w.made_on) as paid
    from unnest(${texts(some.map(({ loanId }) => loanId))}::uuid[], ${texts(some.map(({ on }) => on))}::date[]) as w (id, made_on)
    join loans l on l.id = w.id`;
  const of = new Map(rows.map((row) => [`${row.id} ${row.on}`, row]));
  return asked.map((each) => {
    const row = each && of.get(`${each.loanId} ${each.on}`);
    if (!each || !row) return null;
    const { rate: penaltyRate, charged_to: chargedTo, days, paid: penaltyPaid } = row;
    const employerDays = each.isOfEmployer ? days : null;
    return { on: each.on, chargedTo: chargedTo ?? each.on, penaltyRate, employerDays, penaltyPaid };
  });
}

/** Takes charges back by journals of their own. Charges that were paid meanwhile go into the borrowers' wallets. */
export const journalsOfBacks = (applied: readonly Applied[]): JournalInput[] => applied.flatMap(journalsOfBack);

function journalsOfBack({ payable: { loan }, back, journal: repayment }: Applied): JournalInput[] {
  const own = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  const transfers = [
    { debit: own('penalty_income'), credit: own('penalty_receivable'), amount: back.penalty },
    { debit: own('interest_income'), credit: own('interest_receivable'), amount: back.interest },
    { debit: own('penalty_income'), credit: own('cash'), amount: back.penaltyPaid },
    { debit: settlementOf(loan.sacco_id), credit: walletOf(loan.borrower_id), amount: back.penaltyPaid },
  ].filter(({ amount }) => amount > 0);
  if (transfers.length === 0) return [];
  const idempotencyKey = repayment.idempotencyKey.replace(/^loan_repaid/, 'loan_charges_reversed');
  return [
    { kind: 'loan_charges_reversed', idempotencyKey, causedBy: null, about: { type: 'loan', id: loan.id }, transfers },
  ];
}
