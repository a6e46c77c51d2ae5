import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { refuseWithoutOffice } from '../saccos/propose-change.ts';
import {
  addSteps,
  countComplaints,
  isSaidAlready,
  lockComplaint,
  momentOf,
  noSuchComplaint,
} from './complaint-rows.ts';
import { daysBetween, isProgressUsedUp, mayStep, reactBy } from './complaints.rules.ts';
import { mayAnswer, tellOfComplaints } from './tell-of-complaints.ts';

interface Answer {
  readonly complaintId: string;
  readonly saccoId: string;
  readonly text: string;
  readonly isFinal: boolean;
}

/**
 * An official answers: finally, so that the member closes it or appeals; or that the sacco works on it. The same words
 * of the same official once more are the same answer.
 * @throws Refusal `not_allowed` without an office by now, `not_found` where it is another sacco's, names whoever answers
 *   or was made by them, `complaint_conflict`
 */
export async function answerComplaint(tx: Tx, actor: { readonly userId: string }, input: Answer): Promise<void> {
  const { userId } = actor;
  const { complaintId, saccoId, text, isFinal } = input;
  await refuseWithoutOffice(tx, { saccoId, userId }, { offices: OFFICES });
  const complaint = await lockComplaint(tx, complaintId);
  const isOthers = mayAnswer(complaint, userId) || !isGuarded('complaints.sides');
  if (complaint.sacco_id !== saccoId || !isOthers) throw noSuchComplaint();
  const kind = isFinal ? 'answered' : 'progress';
  if (await isSaidAlready(tx, complaint, { userId, kind, text })) return;
  if (!mayStep('sacco', kind, complaint, tx.now)) throw new Refusal('complaint_conflict');
  if (!isFinal) await refuseMoreProgress(tx, complaintId);
  const toState = isFinal ? 'answered' : 'in_hand';
  const at = momentOf(tx, complaint);
  await tx.sql`
    update complaints set state = ${toState}, state_at = ${at},
      first_answer_at = coalesce(first_answer_at, ${at}),
      answered_at = ${isFinal ? at : null}, react_by = ${isFinal ? reactBy(at) : null}
    where id = ${complaintId}`;
  await addSteps(tx, [{ complaintId, kind, side: 'sacco', byId: userId, text, toState, at }]);
  if (complaint.first_answer_at === null) {
    const days = daysBetween(complaint.made_at, at);
    await countComplaints(tx, [{ complaint, measure: 'answered', days }]);
  }
  await tellOfComplaints(tx, userId, [{ complaint, event: kind }]);
}

async function refuseMoreProgress(tx: Tx, complaintId: string): Promise<void> {
  const [row] = await tx.sql<{ told: number }[]>`
    select count(*)::int as told from complaint_steps where complaint_id = ${complaintId} and kind = 'progress'`;
  if (!isProgressUsedUp(row?.told ?? 0)) return;
  throw new Refusal('complaint_conflict', {
    message: sentence('You have said 5 times that you work on it. Give the final answer now.'),
  });
}
