import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import { notifyAll } from '../notifications/notify.ts';
import type { RecoveringActor } from './decide-default.ts';
import { loansToTell } from './loan-notices.ts';
import { lockLoanOfSacco, officesHeld, refuseInterested, refuseOffice } from './loan-officials.ts';
import type { LateLoan } from './recovery-facts.ts';
import { completingOfficeAmong, type Voter, WRITE_OFF_OFFICES, writeOffVoters } from './write-off-sides.ts';

/**
 * One official's no to a write-off that somebody of the other side proposes: of the supervisory committee where the board does, of the
 * board where the committee does. It is kept with its reason, once for each during these arrears, and ends nothing: another of that side
 * may agree, and so may whoever declined. Those who voted for it are told the reason.
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `loan_conflict` where nobody proposes it or it was declined by them before
 */
export async function declineWriteOff(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string },
): Promise<void> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  const { userId } = actor;
  const { saccoId } = input;
  await refuseOffice(tx, { userId, saccoId }, WRITE_OFF_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  const voters = await writeOffVoters(tx, loan);
  if (loan.state !== 'recovering' || voters.length === 0) throw new Refusal('loan_conflict');
  if (voters.some(({ id }) => id === userId)) throw new Refusal('not_allowed', { message: SPOKEN });
  const office = completingOfficeAmong({ id: userId, offices: await officesHeld(tx, { userId, saccoId }) }, voters);
  if (!office) throw new Refusal('not_allowed');
  const kept = await tx.sql`
    insert into loan_write_off_declines (loan_id, arrears_since, by_id, office, reason, at)
    values (${loan.id}, ${loan.arrears_since}, ${userId}, ${office}, ${input.reason}, ${tx.now})
    on conflict do nothing`;
  if (kept.count === 0) throw new Refusal('loan_conflict', { message: DECLINED });
  await tellProposers(tx, loan, voters, { byId: userId, reason: input.reason });
}

const SPOKEN = sentence('You have voted for it. Another official must agree or decline.');
const DECLINED = sentence('You have declined it already. You may still agree.');

/** Those who proposed it and still hold an office of either side. */
async function tellProposers(
  tx: Tx,
  { id }: LateLoan,
  voters: readonly Voter[],
  { byId, reason }: { readonly byId: string; readonly reason: string },
): Promise<void> {
  const { loans } = await loansToTell(tx, [id]);
  const [loan] = loans;
  const [by] = await tx.sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from people where id = ${byId}`;
  if (!loan || !by) throw new Error('The loan of a write-off is not there.');
  const text = sentence('{sacco}: {name} does not agree to write the loan {number} off. The reason: {reason}', {
    sacco: loan.sacco_name,
    name: by.name,
    number: loan.number,
    reason,
  });
  await notifyAll(
    tx,
    voters.map(({ id: userId }) => ({
      userId,
      topic: 'saccos' as const,
      template: 'write_off_declined',
      text,
      causedBy: byId,
    })),
  );
}
