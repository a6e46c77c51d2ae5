import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockBalances } from '../../ledger/balances.ts';
import type { AccountKey, JournalInput, TransferInput } from '../../ledger/ledger.types.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { allowanceOf } from '../identity/value-moved.ts';
import { poolCoverOf } from '../pools/guarantee-cover.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { recoverForPool } from '../pools/recover-for-pool.ts';
import { isClaimed, type LoanRow, lockLoan, settlementOf, walletOf } from './loan-rows.ts';
import { postAll } from './pledges.ts';
import { closeWhenPaid } from './recover-loan.ts';
import { lockSaccosOfClaims, refundGuarantors } from './refund-guarantors.ts';
import { payoffOfLoan, type Repaid, type Repayment, repayLoans } from './repay-loans.ts';
import { payerOf } from './tell-of-loans.ts';
import { allocateTaken, writeTaken } from './write-recovery.ts';

/**
 * Repays loans, each as if alone: those that guarantors have paid for, that were written off, or that owe no principal any more are paid
 * as a recovery demands (guarantors first, then the pool); all others as `repayLoans` does, in one batch.
 */
export async function repayAny(tx: Tx, repayments: readonly Repayment[]): Promise<(Repaid | Refusal)[]> {
  const loanIds = [...new Set(repayments.map(({ loanId }) => loanId))];
  await lockSaccosOfClaims(tx, loanIds);
  await lockAll(tx, loanIds);
  const late = await lateOnes(tx, repayments);
  const ordinary = repayments.filter(({ loanId }) => !late.has(loanId));
  const answers = new Map<Repayment, Repaid | Refusal>();
  const repaid = await repayLoans(tx, ordinary);
  for (const [index, each] of ordinary.entries()) answers.set(each, repaid[index] as Repaid | Refusal);
  for (const each of repayments) if (late.has(each.loanId)) answers.set(each, await repayLate(tx, each));
  return repayments.map((each) => answers.get(each) as Repaid | Refusal);
}

/** What a recovery does meanwhile decides who is paid first: it is over, or has not begun, once these locks are held. */
async function lockAll(tx: Tx, loanIds: readonly string[]): Promise<void> {
  if (loanIds.length === 0) return;
  await lockPoolsOf(tx, { loanIds });
  await tx.sql`select from loans where id = any (${texts(loanIds)}::uuid[]) order by id for update`;
}

async function lateOnes(tx: Tx, repayments: readonly Repayment[]): Promise<ReadonlySet<string>> {
  if (repayments.length === 0) return new Set();
  const rows = await tx.sql<{ id: string }[]>`
    select l.id from loans l
    where l.id = any (${texts([...new Set(repayments.map(({ loanId }) => loanId))])}::uuid[])
      and (l.state = 'written_off' or l.state = 'recovering' and (l.principal_cents = 0 or ${isClaimed(tx)}))`;
  return new Set(rows.map(({ id }) => id));
}

/** One payment: everything is asked before anything is written. */
async function repayLate(tx: Tx, repayment: Repayment): Promise<Repaid | Refusal> {
  const { payerId, key, sessionId } = repayment;
  const loan = await lockLoan(tx, repayment.loanId);
  const { total: owed } = await owedOf(tx, loan);
  if (owed === 0 || (await isPaid(tx, key))) return new Refusal('loan_conflict');
  if (repayment.isExact && repayment.amountCents > owed) {
    return new Refusal('loan_overpaid', { extra: { owed: shillingsFromCents(owed) } });
  }
  const cents = Math.min(repayment.amountCents, owed);
  const [wallet = 0] = await lockBalances(tx, [walletOf(payerId)]);
  if (wallet < cents) {
    return new Refusal('insufficient_funds', {
      message: sentence('Not enough money in your wallet to pay {amount}.', {
        amount: formatShillings(shillingsFromCents(cents)),
      }),
    });
  }
  const allowance = sessionId === undefined ? null : await allowanceOf(tx, [{ userId: payerId, sessionId }]);
  const refusal = allowance?.take({ userId: payerId, sessionId: sessionId ?? '', cents });
  if (refusal) return refusal;
  const refunded = await refundGuarantors(tx, payerOf(repayment), loan, { cents, key });
  const pool = await recoverForPool(tx, { loanId: loan.id, cents: cents - refunded.cents, causedBy: payerId });
  const [poolJournal = null] = await postAll(tx, pool.journals);
  const rest = cents - refunded.cents - pool.taken;
  const paid = rest > 0 ? await payRest(tx, loan, { ...repayment, amountCents: rest }) : null;
  await allowance?.write();
  return repaidOf(tx, loan, {
    cents,
    journalId: paid ?? refunded.journalId ?? poolJournal ?? '',
    isPaidOff: cents === owed,
  });
}

function repaidOf(
  tx: Tx,
  loan: LoanRow,
  paid: { readonly cents: Cents; readonly journalId: string; readonly isPaidOff: boolean },
): Repaid {
  return {
    loanId: loan.id,
    amountCents: paid.cents,
    isPaidOff: paid.isPaidOff,
    excusedUntil: null,
    receipt: {
      id: tx.newId(),
      what: sentence('Repayment of loan {number}', { number: loan.number }),
      amount: shillingsFromCents(paid.cents),
      at: tx.now.toISOString(),
      journal: paid.journalId,
    },
  };
}

/** What pays a loan off today. */
export interface Owed {
  readonly principal: Cents;
  /** Accrued up to today. */
  readonly interest: Cents;
  readonly penalty: Cents;
  readonly saved: Cents;
  /** What guarantors and a pool have paid for it and have not got back: it is paid first. */
  readonly claims: Cents;
  readonly total: Cents;
}

/** @throws Refusal `loan_conflict` where it was not paid out */
export async function owedOf(tx: Tx, loan: LoanRow): Promise<Owed> {
  if (loan.disbursed_at === null) throw new Refusal('loan_conflict');
  const [row] = await tx.sql<{ claims: Cents }[]>`
    select coalesce(sum(called_cents - refunded_cents), 0)::bigint as claims
    from loan_guarantees where loan_id = ${loan.id} and kind = 'member'`;
  const claims = (row?.claims ?? 0) + ((await poolCoverOf(tx, loan.id))?.claim ?? 0);
  // Without principal, or out of the books, nothing more accrues.
  const isRunning = loan.principal_cents > 0 && loan.state !== 'written_off';
  const own = isRunning
    ? (await payoffOfLoan(tx, loan)).payoff
    : { principal: loan.principal_cents, interest: loan.interest_cents, penalty: loan.penalty_cents, saved: 0 };
  const { principal, interest, penalty, saved } = own;
  return { principal, interest, penalty, saved, claims, total: claims + principal + interest + penalty };
}

async function isPaid(tx: Tx, key: string): Promise<boolean> {
  const [before] = await tx.sql`
    select from journals where idempotency_key = any (${texts(KINDS.map((kind) => `${kind}:${key}`))}::text[])
    union all select from loan_repayments where idempotency_key = ${key}`;
  return before !== undefined;
}
const KINDS = ['guarantor_refunded', 'recovered_after_write_off', 'loan_repaid'] as const;

/** What the guarantors leave of a payment is the loan's. Returns its journal. */
async function payRest(tx: Tx, loan: LoanRow, repayment: Repayment): Promise<string> {
  if (loan.state === 'recovering' && loan.principal_cents > 0) {
    const { sessionId: _, isExact: __, ...rest } = repayment;
    const [answer] = await repayLoans(tx, [rest]);
    if (!answer || answer instanceof Refusal) throw answer ?? new Error('A payment came back without an answer.');
    return answer.receipt.journal ?? '';
  }
  let left = repayment.amountCents;
  const take = (most: Cents) => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const taken = {
    penalty: take(loan.penalty_cents),
    interest: take(loan.interest_cents),
    principal: take(loan.principal_cents),
  };
  const [journalId = ''] = await postAll(tx, [journalOf(loan, repayment, taken)]);
  const allocation = await allocateTaken(tx, loan, taken);
  await writeTaken(tx, loan, allocation, { journalId, byId: repayment.payerId, released: 0 });
  await closeWhenPaid(tx, payerOf(repayment), loan);
  return journalId;
}

function journalOf(
  loan: LoanRow,
  { payerId, key, amountCents }: Repayment,
  taken: { readonly penalty: Cents; readonly interest: Cents },
): JournalInput {
  const own = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  const isWrittenOff = loan.state === 'written_off';
  const transfers: TransferInput[] = [
    { debit: walletOf(payerId), credit: settlementOf(loan.sacco_id), amount: amountCents },
    ...(isWrittenOff
      ? [{ debit: own('cash'), credit: own('recovery_income'), amount: amountCents }]
      : [
          { debit: own('cash'), credit: own('penalty_receivable'), amount: taken.penalty },
          { debit: own('cash'), credit: own('interest_receivable'), amount: taken.interest },
        ]),
  ];
  const kind = isWrittenOff ? 'recovered_after_write_off' : 'loan_repaid';
  return {
    kind,
    idempotencyKey: `${kind}:${key}`,
    causedBy: payerId,
    about: { type: 'loan', id: loan.id },
    transfers: transfers.filter(({ amount }) => amount > 0),
  };
}
