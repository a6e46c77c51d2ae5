import type { LoanMovement } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { LoanRow, Reader } from './loan-rows.ts';
import { costOf } from './loan-terms.ts';

interface MovementRow {
  readonly at: Date;
  /** The channel of a repayment, the step of a recovery, or what else it was. */
  readonly what: string;
  readonly amount_cents: Cents;
  readonly principal_cents: Cents;
  readonly interest_cents: Cents;
  readonly penalty_cents: Cents;
  readonly journal_id: string | null;
}

const words: Readonly<Record<string, Sentence>> = {
  disbursed: sentence('Paid out'),
  wallet: sentence('Repaid from the wallet'),
  payoff: sentence('Paid off from the wallet'),
  standing: sentence('Repaid by the standing repayment'),
  mpesa: sentence('Repaid by M-Pesa'),
  paybill: sentence('Repaid by M-Pesa at the paybill'),
  check_off: sentence('Repaid by check-off'),
  refinance: sentence('Paid off from a new loan'),
  recovery: sentence('Repaid after the recovery'),
  own_deposits: sentence('Taken of the borrower’s savings'),
  pool: sentence('Paid by the guarantor pool'),
  guarantors: sentence('Taken of the guarantors’ pledges'),
  write_off: sentence('Written off in the books; still owed'),
  guarantor_refunded: sentence('Paid back to a guarantor'),
};

const shown = shillingsFromCents;

/**
 * Every movement of money of a loan in its order: how it was shared out, the principal that is owed after it, and the journal that holds
 * it. What guarantors get back pays nothing of the loan.
 */
export async function movementsOf({ sql }: Reader, loan: LoanRow): Promise<Unsaid<LoanMovement>[]> {
  if (loan.disbursed_at === null) return [];
  const rows = await (sql as Tx['sql'])<MovementRow[]>`
    select paid_at as at, coalesce(s.step, r.channel) as what, r.amount_cents, r.principal_cents + r.prepaid_cents as principal_cents,
      r.interest_cents, r.penalty_cents, r.journal_id::text as journal_id, r.id
    from loan_repayments r
    left join loan_recovery_steps s on s.loan_id = r.loan_id and s.journal_id = r.journal_id
    where r.loan_id = ${loan.id}
    union all
    select at, step, amount_cents, 0, 0, 0, journal_id::text, null from loan_recovery_steps
    where loan_id = ${loan.id} and step = 'write_off'
    union all
    select at, kind, amount_cents, 0, 0, 0, null, id from loan_events
    where loan_id = ${loan.id} and kind = 'guarantor_refunded'
    order by 1, 8 nulls last`;
  const [paidOut] = await (sql as Tx['sql'])<{ id: string }[]>`
    select id::text from journals where idempotency_key = ${`loan_disbursed:${loan.id}`}`;
  let balance = loan.amount_cents;
  const first: Unsaid<LoanMovement> = {
    at: loan.disbursed_at.toISOString(),
    what: words.disbursed as Sentence,
    amount: shown(loan.amount_cents),
    principal: 0,
    interest: 0,
    penalty: 0,
    fee: shown(costOf(loan).fee),
    balance_after: shown(balance),
    entry: paidOut?.id ?? null,
  };
  const others = rows.map((row): Unsaid<LoanMovement> => {
    balance -= row.principal_cents;
    return {
      at: row.at.toISOString(),
      what: words[row.what] ?? (words.recovery as Sentence),
      amount: shown(row.amount_cents),
      principal: shown(row.principal_cents),
      interest: shown(row.interest_cents),
      penalty: shown(row.penalty_cents),
      fee: 0,
      balance_after: shown(balance),
      entry: row.journal_id,
    };
  });
  return [first, ...others];
}
