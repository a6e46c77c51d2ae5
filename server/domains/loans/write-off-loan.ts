import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey, TransferInput } from '../../ledger/ledger.types.ts';
import { requireProof } from '../identity/prove-password.ts';
import { addRecoveryVote, type RecoveringActor } from './decide-default.ts';
import { loansToTell, said, sendNotices } from './loan-notices.ts';
import { lockLoanOfSacco, officesHeld, refuseInactiveSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { addLoanEvents, principalOf } from './loan-rows.ts';
import { postAll } from './pledges.ts';
import { type LateLoan, noteStep, refuseOutOfOrder } from './recovery-facts.ts';
import { SECOND_ACCOUNT, samePersonAmong } from './second-account.ts';
import { tellOfWriteOff } from './tell-of-votes.ts';
import {
  countsBeside,
  givenUp,
  isAgreed,
  officeToVoteIn,
  WRITE_OFF_OFFICES,
  writeOffVoters,
} from './write-off-sides.ts';

/**
 * One official's vote that a loan is given up in the books. It takes one of the board and one of the supervisory committee, two people. What was
 * not set aside for it is an expense now. The borrower still owes it, and so do the guarantors' claims stay. `shownCents` is what the official was
 * shown that is given up: nobody votes for more (docs/decisions/188).
 * @returns whether it is written off now
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `sacco_inactive`, `recovery_too_early`, `loan_conflict`, `loan_terms_changed` with the
 * amount of now
 */
export async function writeOffLoan(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string; readonly shownCents: Cents },
): Promise<boolean> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  await refuseOffice(tx, { ...actor, saccoId: input.saccoId }, WRITE_OFF_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, input.saccoId);
  if (loan.state !== 'recovering') throw new Refusal('loan_conflict');
  await refuseOutOfOrder(tx, loan, 'write_off');
  refuseMoreThanShown(loan, input.shownCents);
  if (!(await isAgreedWith(tx, actor, loan, input.reason))) return false;
  const [journalId] = await postAll(tx, [
    {
      kind: 'loan_written_off',
      idempotencyKey: `loan_written_off:${loan.id}`,
      causedBy: actor.userId,
      about: { type: 'loan', id: loan.id },
      transfers: transfersOf(loan),
    },
  ]);
  const owed = givenUp(loan);
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
  await tell(tx, actor.userId, loan.id, owed);
  return true;
}

/** A payment since makes it less, and then the less is given up. @throws Refusal `loan_terms_changed` */
function refuseMoreThanShown(loan: LateLoan, shown: Cents): void {
  const now = givenUp(loan);
  if (now <= shown) return;
  throw new Refusal('loan_terms_changed', {
    message: sentence('Your vote is not recorded: you were shown {shown}, and {now} is owed now. Look at it again.', {
      shown: said(shown),
      now: said(now),
    }),
    extra: { amount: shillingsFromCents(now) },
  });
}

/**
 * Keeps the vote, and says whether two people of both sides agree by now. Where they do not, the other side is told. Two who voted may
 * complete it by an office that one of them took up later. Nothing happens then by itself: one of them votes again.
 * @throws Refusal `not_allowed` for a second account of somebody who voted, `loan_conflict`
 */
async function isAgreedWith(
  tx: Tx,
  { userId }: { readonly userId: string },
  loan: LateLoan,
  reason: string,
): Promise<boolean> {
  const voters = await writeOffVoters(tx, loan);
  const isOnePerson = await samePersonAmong(tx, [...voters.map(({ id }) => id), userId]);
  if (voters.some(({ id }) => id === userId) && isAgreed(voters, isOnePerson)) return true;
  const by = { id: userId, offices: await officesHeld(tx, { userId, saccoId: loan.sacco_id }) };
  const office = officeToVoteIn(by, voters);
  if (!office) throw new Refusal('not_allowed');
  if (!countsBeside(by, voters, isOnePerson)) throw new Refusal('not_allowed', { message: SECOND_ACCOUNT });
  await addRecoveryVote(tx, { userId }, { loan, kind: 'write_off', office, reason });
  const all = [...voters, by];
  if (isAgreed(all, isOnePerson)) return true;
  await tellOfWriteOff(tx, loan, all);
  return false;
}

function transfersOf(loan: LateLoan): TransferInput[] {
  const account = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  const provision = account('loan_loss_provision');
  const { principal_cents, interest_cents, penalty_cents, provision_cents } = loan;
  const missing = givenUp(loan) - provision_cents;
  return [
    { debit: account('provision_expense'), credit: provision, amount: missing },
    { debit: provision, credit: account('provision_expense'), amount: -missing },
    { debit: provision, credit: principalOf(loan), amount: principal_cents },
    { debit: provision, credit: account('interest_receivable'), amount: interest_cents },
    { debit: provision, credit: account('penalty_receivable'), amount: penalty_cents },
  ].filter(({ amount }) => amount > 0);
}

async function tell(tx: Tx, causedBy: string, loanId: string, owed: number): Promise<void> {
  const { loans } = await loansToTell(tx, [loanId]);
  await sendNotices(
    tx,
    causedBy,
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
