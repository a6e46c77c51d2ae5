import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, TransferInput } from '../../ledger/ledger.types.ts';
import { requireProof } from '../identity/prove-password.ts';
import { addRecoveryVoice, type RecoveringActor, recoveryVoices } from './decide-default.ts';
import { loansToTell, said, sendNotices } from './loan-notices.ts';
import { lockLoanOfSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { addLoanEvents, principalOf } from './loan-rows.ts';
import { postAll } from './pledges.ts';
import { type LateLoan, noteStep, refuseOutOfOrder } from './recovery-facts.ts';
import { tellOfWriteOff } from './tell-of-votes.ts';
import { haveBothSpoken, writeOffOffices } from './write-off-sides.ts';

/**
 * One voice for giving a loan up in the books; it takes one of the board and one of the supervisory committee, two people. What was not set
 * aside for it is an expense now. The borrower still owes it, and so do the guarantors' claims stay.
 * @returns whether it is written off now
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `recovery_too_early`, `loan_conflict`
 */
export async function writeOffLoan(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string },
): Promise<boolean> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  const of = { ...actor, saccoId: input.saccoId };
  const office = await refuseOffice(tx, of, writeOffOffices(await recoveryVoices(tx, loan, 'write_off')));
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  if (loan.state !== 'recovering') throw new Refusal('loan_conflict');
  await refuseOutOfOrder(tx, loan, 'write_off');
  const voices = await addRecoveryVoice(tx, actor, { loan, kind: 'write_off', office, reason: input.reason });
  if (!haveBothSpoken(voices)) {
    await tellOfWriteOff(tx, loan, voices);
    return false;
  }
  const [journalId] = await postAll(tx, [
    {
      kind: 'loan_written_off',
      idempotencyKey: `loan_written_off:${loan.id}`,
      causedBy: actor.userId,
      about: { type: 'loan', id: loan.id },
      transfers: transfersOf(loan),
    },
  ]);
  const owed = loan.principal_cents + loan.interest_cents + loan.penalty_cents;
  await noteStep(tx, loan, {
    kind: 'write_off',
    byId: actor.userId,
    amount: owed,
    ...(journalId ? { journalId } : {}),
  });
  await tx.sql`
    update loans set state = 'written_off', state_at = ${tx.now}, written_off_at = ${tx.now}, class = null, provision_cents = 0,
      standing_since = null
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'written_off', byId: actor.userId, amountCents: owed }]);
  await tell(tx, loan.id, owed);
  return true;
}

function transfersOf(loan: LateLoan): TransferInput[] {
  const account = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  const provision = account('loan_loss_provision');
  const { principal_cents, interest_cents, penalty_cents, provision_cents } = loan;
  const missing = principal_cents + interest_cents + penalty_cents - provision_cents;
  return [
    { debit: account('provision_expense'), credit: provision, amount: missing },
    { debit: provision, credit: account('provision_expense'), amount: -missing },
    { debit: provision, credit: principalOf(loan), amount: principal_cents },
    { debit: provision, credit: account('interest_receivable'), amount: interest_cents },
    { debit: provision, credit: account('penalty_receivable'), amount: penalty_cents },
  ].filter(({ amount }) => amount > 0);
}

async function tell(tx: Tx, loanId: string, owed: number): Promise<void> {
  const { loans } = await loansToTell(tx, [loanId]);
  await sendNotices(
    tx,
    loans.map((loan) => ({
      loan,
      kind: 'written_off' as const,
      to: loan.borrower_id,
      amount: owed,
      text: sentence('{sacco} has written your loan {number} off in its books. You still owe {amount}.', {
        sacco: loan.sacco_name,
        number: loan.number,
        amount: said(owed),
      }),
    })),
  );
}
