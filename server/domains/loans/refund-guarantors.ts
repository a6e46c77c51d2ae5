import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockBalances } from '../../ledger/balances.ts';
import type { AccountKey, JournalInput, TransferInput } from '../../ledger/ledger.types.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { allowanceOf } from '../identity/value-moved.ts';
import { notifyAll } from '../notifications/notify.ts';
import { lockSacco, lockSaccos } from '../saccos/lock-sacco.ts';
import { borrowerOf, loansToTell, said, smsValues } from './loan-notices.ts';
import { loanRecoverySms } from './loan-recovery.sms.ts';
import {
  addLoanEvents,
  type LoanRow,
  lockLoan,
  noSuchLoan,
  savingsAccounts,
  settlementOf,
  walletOf,
} from './loan-rows.ts';
import { postAll } from './pledges.ts';
import { guarantorsRefund } from './recovery.rules.ts';

interface Claim {
  readonly id: string;
  readonly guarantor_id: string;
  readonly owed: Cents;
  /** Saves in the sacco: a member whose savings were not paid out yet. */
  readonly is_member: boolean;
}

type Refunded = Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id'>;

/**
 * The saccos of loans for which guarantors have paid, or may be made to: locked before anything else of a payment, so that nobody whose
 * savings are paid out meanwhile gets more of them.
 */
export async function lockSaccosOfClaims(tx: Tx, loanIds: readonly string[]): Promise<void> {
  const rows = await tx.sql<{ sacco_id: string }[]>`
    select distinct l.sacco_id from loans l
    where l.id = any (${texts(loanIds)}::uuid[]) and (l.state in ('recovering', 'written_off') or exists (
      select from loan_guarantees g where g.loan_id = l.id and g.kind = 'member' and g.called_cents > g.refunded_cents))`;
  if (rows.length === 0) return;
  await lockSaccos(
    tx,
    rows.map(({ sacco_id }) => sacco_id),
  );
}

/** What guarantors have paid for a loan and have not got back. Its row is locked. */
export async function claimsOf(tx: Tx, loan: Refunded): Promise<readonly Claim[]> {
  return tx.sql<Claim[]>`
    select g.id, g.guarantor_id, g.called_cents - g.refunded_cents as owed,
      exists (select from memberships m where m.sacco_id = ${loan.sacco_id} and m.user_id = g.guarantor_id
                and m.state <> 'exited')
        and not exists (select from exit_requests e where e.sacco_id = ${loan.sacco_id} and e.user_id = g.guarantor_id
                and e.state = 'shares_to_sell') as is_member
    from loan_guarantees g
    where g.loan_id = ${loan.id} and g.kind = 'member' and g.called_cents > g.refunded_cents
    order by g.id for update of g`;
}

/**
 * What a borrower pays goes to the guarantors first, in proportion to what each is still owed: into their savings, or the wallet of
 * one whose savings were paid out to leave. The sacco, so that nobody is paid out meanwhile, and then the loan's row are locked by the
 * caller, who posts nothing before this.
 * @param causedBy the account that pays by its own act; null for the clock, M-Pesa and a dividend
 * @param key unique for ever: the same key pays once
 * @returns what of `cents` they got; the rest is the loan's
 * @throws Refusal `insufficient_funds`
 */
export async function refundGuarantors(
  tx: Tx,
  causedBy: string | null,
  loan: Refunded,
  { cents, key }: { readonly cents: Cents; readonly key: string },
): Promise<{ readonly cents: Cents; readonly journalId: string | null }> {
  const refund = await refundToPost(tx, causedBy, loan, { cents, key, from: null });
  const [journalId = null] = await postAll(tx, refund.journals);
  return { cents: refund.cents, journalId };
}

export interface Refund {
  readonly cents: Cents;
  /** Of these, what leaves the sacco's cash for wallets; nothing where the borrower's wallet pays. */
  readonly leavesCash: Cents;
  readonly journals: readonly JournalInput[];
}

/**
 * The same for whoever posts it with other journals: updates the claims, tells the guarantors, and answers the journal, which the caller posts.
 * @param from where the sacco holds the money for the borrower; null for the borrower's wallet
 */
export async function refundToPost(
  tx: Tx,
  causedBy: string | null,
  loan: Refunded,
  { cents, key, from }: { readonly cents: Cents; readonly key: string; readonly from: AccountKey | null },
): Promise<Refund> {
  const claims = await claimsOf(tx, loan);
  const shares = guarantorsRefund(
    cents,
    claims.map(({ owed }) => owed),
  );
  const each = claims.flatMap((claim, index) => {
    const share = shares[index] ?? 0;
    return share > 0 ? [{ ...claim, share }] : [];
  });
  const paid = sharesOf(each);
  if (paid === 0) return { cents: 0, leavesCash: 0, journals: [] };
  await tx.sql`
    update loan_guarantees g set refunded_cents = g.refunded_cents + p.share
    from unnest(${texts(each.map(({ id }) => id))}::uuid[], ${integers(each.map(({ share }) => share))}::bigint[]) as p (id, share)
    where g.id = p.id`;
  await addLoanEvents(
    tx,
    each.map(({ id, share }) => ({
      loanId: loan.id,
      kind: 'guarantor_refunded',
      byId: from === null ? loan.borrower_id : null,
      amountCents: share,
      guaranteeId: id,
    })),
  );
  await tell(tx, causedBy, loan, { each, isOfDividend: from !== null });
  const journal: JournalInput = {
    kind: 'guarantor_refunded',
    idempotencyKey: `guarantor_refunded:${key}`,
    causedBy: from === null ? loan.borrower_id : null,
    about: { type: 'loan', id: loan.id },
    transfers: (from === null ? fromWallet(loan, each) : fromSacco(loan, each, from)).filter(
      ({ amount }) => amount > 0,
    ),
  };
  const leavesCash = from === null ? 0 : sharesOf(each.filter(({ is_member }) => !is_member));
  return { cents: paid, leavesCash, journals: [journal] };
}

type Share = Claim & { readonly share: Cents };

const sharesOf = (each: readonly Share[]): Cents => each.reduce((sum, { share }) => sum + share, 0);

function fromWallet(loan: Refunded, each: readonly Share[]): TransferInput[] {
  const wallet = walletOf(loan.borrower_id);
  const cash = { book: loan.sacco_id, kind: 'cash', owner: null } as const;
  const toMembers = sharesOf(each.filter(({ is_member }) => is_member));
  return [
    { debit: wallet, credit: settlementOf(loan.sacco_id), amount: toMembers },
    ...each.map(({ guarantor_id, is_member, share: amount }) =>
      is_member
        ? { debit: cash, credit: savingsAccounts(loan.sacco_id, guarantor_id).free, amount }
        : { debit: wallet, credit: walletOf(guarantor_id), amount },
    ),
  ];
}

function fromSacco(loan: Refunded, each: readonly Share[], from: AccountKey): TransferInput[] {
  const cash = { book: loan.sacco_id, kind: 'cash', owner: null } as const;
  const toWallets = sharesOf(each.filter(({ is_member }) => !is_member));
  return [
    { debit: from, credit: cash, amount: toWallets },
    ...each.map(({ guarantor_id, is_member, share: amount }) =>
      is_member
        ? { debit: from, credit: savingsAccounts(loan.sacco_id, guarantor_id).free, amount }
        : { debit: settlementOf(loan.sacco_id), credit: walletOf(guarantor_id), amount },
    ),
  ];
}

async function tell(
  tx: Tx,
  causedBy: string | null,
  { id }: Refunded,
  { each, isOfDividend }: { readonly each: readonly Share[]; readonly isOfDividend: boolean },
): Promise<void> {
  const { loans } = await loansToTell(tx, [id]);
  const [loan] = loans;
  if (!loan) return;
  const text = (values: { readonly [name in 'borrower' | 'amount' | 'number' | 'sacco']: string }) =>
    isOfDividend
      ? sentence(
          '{sacco} has paid you back {amount} out of the dividend of {borrower}, for their loan {number} that you guaranteed.',
          values,
        )
      : sentence('{borrower} has paid you back {amount} for the loan {number} at {sacco} that you guaranteed.', values);
  await notifyAll(
    tx,
    each.map(({ guarantor_id, share }) => ({
      userId: guarantor_id,
      topic: 'loans' as const,
      template: 'loan_guarantor_refunded',
      text: text({
        borrower: borrowerOf(loan),
        amount: said(share),
        number: loan.number,
        sacco: loan.sacco_name,
      }),
      sms: loanRecoverySms.refunded(smsValues(loan, share)),
      causedBy,
    })),
  );
}

export interface GuarantorsPaid {
  readonly refunded: Cents;
  readonly stillOwed: Cents;
}

/**
 * A borrower pays guarantors back, also once the loan is closed. Everything is asked before anything is written.
 * @throws Refusal `not_found`, `loan_conflict` where nobody is owed anything, `loan_overpaid`, `insufficient_funds`,
 *   `proof_required`, `payout_held`
 */
export async function payGuarantors(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: { readonly loanId: string; readonly saccoId: string; readonly cents: Cents },
): Promise<GuarantorsPaid> {
  const { cents } = input;
  await lockSacco(tx, input.saccoId);
  const loan = await lockLoan(tx, input.loanId);
  if (loan.borrower_id !== actor.userId || loan.sacco_id !== input.saccoId) throw noSuchLoan();
  const owed = (await claimsOf(tx, loan)).reduce((sum, claim) => sum + claim.owed, 0);
  if (owed === 0) {
    throw new Refusal('loan_conflict', {
      message: sentence('No guarantor has paid for this loan, or all are paid back.'),
    });
  }
  if (cents > owed) throw new Refusal('loan_overpaid');
  const [wallet = 0] = await lockBalances(tx, [walletOf(actor.userId)]);
  if (wallet < cents) throw new Refusal('insufficient_funds');
  const allowance = await allowanceOf(tx, [actor]);
  const refusal = allowance.take({ ...actor, cents });
  if (refusal) throw refusal;
  const { cents: refunded } = await refundGuarantors(tx, actor.userId, loan, { cents, key: tx.newId() });
  await allowance.write();
  return { refunded, stillOwed: owed - refunded };
}
