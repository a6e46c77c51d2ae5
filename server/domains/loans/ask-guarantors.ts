import { GUARANTEE_ANSWER_DAYS, GUARANTORS_PER_LOAN_MAX } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { guarantorFacts, type RelatedPairs } from './loan-facts.ts';
import { addLoanEvents, type GuaranteeRow, type LoanRow, lockGuarantees } from './loan-rows.ts';
import { reasonAgainstGuarantor } from './loans.rules.ts';
import { expiryFrom, lockOwnLoan, refuseState } from './own-loan.ts';
import { voidGuarantees } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

const DAY_MS = 86_400_000;

/** A member by their id in the list of members, or a person whom an earlier guarantee names. */
export type Guarantor = { readonly amount: Cents } & ({ readonly member: string } | { readonly userId: string });

export const answerBy = (now: Date): Date => new Date(now.getTime() + GUARANTEE_ANSWER_DAYS * DAY_MS);

/** The person whom the list of members names. @throws Refusal `guarantor_not_accepted` */
export async function personOfMember(tx: Tx, saccoId: string, guarantor: Guarantor): Promise<string> {
  if ('userId' in guarantor) return guarantor.userId;
  const [member] = await tx.sql<{ user_id: string }[]>`
    select user_id from memberships where id = ${guarantor.member} and sacco_id = ${saccoId} and state <> 'exited'`;
  if (!member) throw new Refusal('guarantor_not_accepted');
  return member.user_id;
}

/**
 * Whether somebody may be asked at all. Their savings are not looked at: the borrower could find out by asking for one amount
 * after the other. The borrower reads the same sentence whatever stands against it.
 * @throws Refusal `guarantor_not_accepted`
 */
export async function refuseGuarantor(
  tx: Tx,
  loan: Pick<LoanRow, 'sacco_id' | 'borrower_id' | 'refinances_id'>,
  guarantorId: string,
  relatedPairs: RelatedPairs,
): Promise<void> {
  const about = { saccoId: loan.sacco_id, borrowerId: loan.borrower_id, guarantorId, refinancesId: loan.refinances_id };
  const facts = await guarantorFacts(tx, about, relatedPairs);
  const reason = reasonAgainstGuarantor(facts, 0, tx.now);
  if (reason !== null && isGuarded('loans.guarantors')) throw new Refusal('guarantor_not_accepted');
}

/**
 * Asks members to guarantee parts of a loan, in the order given; the sacco and the loan are locked. One who has not answered yet
 * is asked for the other amount; one who has signed stays as they signed.
 * @throws Refusal `guarantor_not_accepted`, `loan_conflict` for too many
 */
export async function askGuarantors(
  tx: Tx,
  loan: LoanRow,
  guarantors: readonly Guarantor[],
  relatedPairs: RelatedPairs,
): Promise<void> {
  for (const guarantor of guarantors) await askOne(tx, loan, guarantor, relatedPairs);
}

async function askOne(tx: Tx, loan: LoanRow, guarantor: Guarantor, relatedPairs: RelatedPairs): Promise<void> {
  const guarantorId = await personOfMember(tx, loan.sacco_id, guarantor);
  await refuseGuarantor(tx, loan, guarantorId, relatedPairs);
  const open = (await lockGuarantees(tx, [loan.id])).filter(({ state }) => state === 'asked' || state === 'accepted');
  const before = open.find((row) => row.guarantor_id === guarantorId && row.kind === 'member');
  if (before?.state === 'accepted') {
    throw new Refusal('loan_conflict', { message: sentence('That member has signed already.') });
  }
  if (before) await voidGuarantees(tx, [loan], ({ id }) => id === before.id);
  else if (open.length >= GUARANTORS_PER_LOAN_MAX) {
    throw new Refusal('loan_conflict', {
      message: sentence('A loan has {n} guarantors at most.', { n: GUARANTORS_PER_LOAN_MAX }),
    });
  }
  await insertAsked(tx, loan, { guarantorId, amount: guarantor.amount, replacesId: null });
}

/** A request to a guarantor, of which they are told. */
export async function insertAsked(
  tx: Tx,
  loan: LoanRow,
  asked: { readonly guarantorId: string; readonly amount: Cents; readonly replacesId: string | null },
): Promise<void> {
  const id = tx.newId();
  await tx.sql`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, asked_at, answer_by, replaces_id)
    values (${id}, ${loan.id}, 'member', ${asked.guarantorId}, ${asked.amount}, 'asked', ${tx.now}, ${tx.now},
      ${answerBy(tx.now)}, ${asked.replacesId})`;
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'guarantor_asked', byId: loan.borrower_id, guaranteeId: id, amountCents: asked.amount },
  ]);
  const guarantee = { id, guarantor_id: asked.guarantorId, amount_cents: asked.amount };
  await tellOfLoans(tx, [{ loan, event: 'guarantor_asked', guarantee }]);
}

/**
 * The borrower asks a member, before the loan is submitted.
 * @throws Refusal `guarantor_not_accepted`, `loan_conflict`
 */
export async function askGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly loanId: string; readonly member: string; readonly amount: Cents },
  relatedPairs: RelatedPairs,
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  refuseState(loan, 'guarantors_pending', 'returned');
  await askGuarantors(tx, loan, [{ member: input.member, amount: input.amount }], relatedPairs);
  await tx.sql`update loans set expires_at = ${expiryFrom(tx.now)} where id = ${loan.id}`;
}

/**
 * The borrower takes a request back, or a signature that they do not need any more.
 * @throws Refusal `loan_conflict`
 */
export async function dropGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly loanId: string; readonly guaranteeId: string },
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  const isReplacing = (row: GuaranteeRow) => row.replaces_id !== null;
  const isApplied = loan.state === 'guarantors_pending' || loan.state === 'returned';
  const ended = await voidGuarantees(
    tx,
    [loan],
    (row) => row.id === input.guaranteeId && row.kind === 'member' && (isApplied || isReplacing(row)),
  );
  if (ended.length === 0) throw new Refusal('loan_conflict');
  await tellOfLoans(
    tx,
    ended.map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  );
}
