import type { LoanEventKind } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import type { LockedAccounts } from '../../ledger/locked-accounts.ts';
import { errorOf, post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { refusalOfHold } from '../identity/account-hold.rules.ts';
import { closeGuarantee } from '../pools/guarantee-life.ts';
import { addLoanEvents, type GuaranteeRow, type LoanRow, lockGuarantees, savingsAccounts } from './loan-rows.ts';

type Held = Pick<GuaranteeRow, 'id' | 'guarantor_id' | 'pledged_cents' | 'amount_cents'>;

/**
 * Savings are held for a guarantee: all of it as it is signed, or what was not held yet as the loan is paid out. Each of these moments
 * has a key of its own: both may hold the same amount.
 */
export const pledgeJournal = (
  loan: Pick<LoanRow, 'id' | 'sacco_id'>,
  guarantee: Pick<Held, 'id' | 'guarantor_id'>,
  { cents, moment }: { readonly cents: Cents; readonly moment: 'signed' | 'paid_out' },
): JournalInput => {
  const { free, pledged } = savingsAccounts(loan.sacco_id, guarantee.guarantor_id);
  return {
    kind: 'savings_pledged',
    idempotencyKey: `savings_pledged:${guarantee.id}:${moment}`,
    causedBy: guarantee.guarantor_id,
    about: { type: 'loan', id: loan.id },
    transfers: [{ debit: free, credit: pledged, amount: cents }],
  };
};

/**
 * What is held for a guarantee is free again: all of it at its end, or the surplus of one that stands in for another. A guarantee may
 * see both, so each has a key of its own.
 */
export const releaseJournal = (
  loan: Pick<LoanRow, 'id' | 'sacco_id'>,
  guarantee: Held,
  moment: 'surplus' | 'end' = 'end',
): JournalInput => {
  const { free, pledged } = savingsAccounts(loan.sacco_id, guarantee.guarantor_id);
  return {
    kind: 'pledge_released',
    idempotencyKey: `pledge_released:${guarantee.id}:${moment}`,
    causedBy: null,
    about: { type: 'loan', id: loan.id },
    transfers: [{ debit: pledged, credit: free, amount: guarantee.pledged_cents }],
  };
};

/** What somebody has pledged for the loan that another one pays off: it stands for the new one as soon as the old one is paid. */
export async function heldForRefinanced(tx: Tx, loan: Pick<LoanRow, 'refinances_id'>, userId: string): Promise<Cents> {
  if (loan.refinances_id === null) return 0;
  const [row] = await tx.sql<{ cents: Cents }[]>`
    select coalesce(sum(pledged_cents), 0)::bigint as cents from loan_guarantees
    where loan_id = ${loan.refinances_id} and guarantor_id = ${userId} and state = 'live'`;
  return row?.cents ?? 0;
}

/** Posts journals that nothing but a mistake could refuse, each for the first time: the caller's rows change with it. */
export async function postAll(
  tx: Tx,
  journals: readonly JournalInput[],
  locked: LockedAccounts | null = null,
): Promise<string[]> {
  if (journals.length === 0) return [];
  const results = await post(tx, journals, locked);
  return results.map((result, index) => {
    const journal = journals[index] as JournalInput;
    if (result.status === 'refused') throw errorOf(result.reason, journal);
    if (result.status === 'exists') throw new Error(`The journal ${journal.idempotencyKey} was posted before.`);
    return result.journalId;
  });
}

/**
 * Ends guarantees of loans that were not paid out: `voided` where the loan came to nothing or its terms changed. What was held
 * is free again. A constant number of statements.
 */
export async function voidGuarantees(
  tx: Tx,
  loans: readonly Pick<LoanRow, 'id' | 'sacco_id'>[],
  which: (guarantee: GuaranteeRow) => boolean = () => true,
): Promise<GuaranteeRow[]> {
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  const rows = await lockGuarantees(tx, [...loanOf.keys()]);
  const ended = rows.filter((row) => (row.state === 'asked' || row.state === 'accepted') && which(row));
  if (ended.length === 0) return [];
  await tx.sql`
    update loan_guarantees set state = 'voided', state_at = ${tx.now}, pledged_cents = 0
    where id = any (${texts(ended.map(({ id }) => id))}::uuid[])`;
  const held = ended.filter(({ pledged_cents }) => pledged_cents > 0);
  await postAll(
    tx,
    held.map((row) => releaseJournal(loanOf.get(row.loan_id) as LoanRow, row)),
  );
  return ended;
}

/** A loan that was not paid out comes to nothing: its pledges are free again. */
export async function endApplications(
  tx: Tx,
  loans: readonly LoanRow[],
  end: {
    readonly state: 'rejected' | 'withdrawn' | 'expired';
    readonly byId: string | null;
    readonly reason?: string;
  },
): Promise<GuaranteeRow[]> {
  if (loans.length === 0) return [];
  const ids = texts(loans.map(({ id }) => id));
  // Pools are locked before accounts of the ledger.
  for (const { id } of loans) await postAll(tx, await closeGuarantee(tx, { loanId: id }));
  const ended = await voidGuarantees(tx, loans);
  await tx.sql`
    update loans set state = ${end.state}, state_at = ${tx.now}, state_reason = ${end.reason ?? null}, expires_at = null,
      decided_at = coalesce(decided_at, ${end.state === 'rejected' ? tx.now : null}::timestamptz)
    where id = any (${ids}::uuid[])`;
  await tx.sql`
    update loan_disbursements set state = 'void', decided_at = ${tx.now}
    where loan_id = any (${ids}::uuid[]) and state = 'ordered'`;
  const kind: LoanEventKind = end.state;
  await addLoanEvents(
    tx,
    loans.map(({ id }) => ({ loanId: id, kind, byId: end.byId, text: end.reason ?? null })),
  );
  return ended;
}

/** While a person's money is held after a new password or phone, they pledge and accept nothing. @throws `payout_held` */
export async function refuseHeldPerson(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.sql<{ payout_held_until: Date | null }[]>`
    select payout_held_until from users where id = ${userId}`;
  if (!user) throw new Refusal('session_ended');
  const refusal = refusalOfHold('payout_held', user.payout_held_until, tx.now);
  if (refusal && isGuarded('loans.held_account')) throw refusal;
}
