import { BOARD_OFFICES } from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES, type Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import { notifyAll } from '../notifications/notify.ts';
import type { RecoveringActor, RecoveryVoice } from './decide-default.ts';
import { loansToTell } from './loan-notices.ts';
import { lockLoanOfSacco, officialsWith, refuseInterested, refuseOffice } from './loan-officials.ts';
import type { LateLoan } from './recovery-facts.ts';

/**
 * Whoever would have to agree to a write-off declines it: one of the supervisory committee where the board proposes it, one of the board
 * where the committee does. The voices for it count no more. Those who gave them are told, with the reason.
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `loan_conflict` where nobody proposes it now
 */
export async function declineWriteOff(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string },
): Promise<void> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  const of = { ...actor, saccoId: input.saccoId };
  await refuseOffice(tx, of, [...BOARD_OFFICES, 'supervisory_committee']);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  if (loan.state !== 'recovering') throw new Refusal('loan_conflict');
  const { round, voices } = await openRound(tx, loan);
  if (voices.length === 0) throw new Refusal('loan_conflict');
  if (voices.some(({ by_id }) => by_id === actor.userId)) throw new Refusal('not_allowed', { message: SPOKEN });
  const office = await refuseOffice(tx, of, otherSideOf(voices));
  await tx.sql`
    insert into loan_write_off_refusals (loan_id, arrears_since, round, by_id, office, reason, at)
    values (${loan.id}, ${loan.arrears_since}, ${round}, ${actor.userId}, ${office}, ${input.reason}, ${tx.now})`;
  await tellProposers(tx, loan, voices, { byId: actor.userId, reason: input.reason });
}

const SPOKEN = sentence('You have voted for it. Another official must agree or decline.');

/** The offices that have not spoken: voices that wait are all of one side. */
const otherSideOf = (voices: readonly RecoveryVoice[]): readonly Office[] =>
  voices.some(({ office }) => office === 'supervisory_committee') ? BOARD_OFFICES : ['supervisory_committee'];

/** The round that nobody has declined, with the voices for it. */
async function openRound(
  tx: Tx,
  { id, arrears_since }: LateLoan,
): Promise<{ round: number; voices: readonly RecoveryVoice[] }> {
  const [refused] = await tx.sql<{ rounds: number }[]>`
    select count(*)::int as rounds from loan_write_off_refusals where loan_id = ${id} and arrears_since = ${arrears_since}`;
  const round = (refused?.rounds ?? 0) + 1;
  const voices = await tx.sql<RecoveryVoice[]>`
    select by_id, office from loan_recovery_voices
    where loan_id = ${id} and kind = 'write_off' and arrears_since = ${arrears_since} and round = ${round}`;
  return { round, voices };
}

/** Those who proposed it, if they still hold an office there. */
async function tellProposers(
  tx: Tx,
  { id, sacco_id }: LateLoan,
  voices: readonly RecoveryVoice[],
  { byId, reason }: { readonly byId: string; readonly reason: string },
): Promise<void> {
  const officials = await officialsWith(tx, sacco_id, OFFICES);
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
  const told = voices.filter(({ by_id }) => officials.includes(by_id));
  await notifyAll(
    tx,
    told.map(({ by_id: userId }) => ({ userId, topic: 'saccos' as const, template: 'write_off_declined', text })),
  );
}
