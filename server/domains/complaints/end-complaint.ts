import type { ComplaintOutcome } from '@ushirika/contract/complaints';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { refuseOwnSacco } from '../saccos/refuse-own-sacco.ts';
import {
  addSteps,
  type ComplaintRow,
  countComplaints,
  isSaidAlready,
  lockComplaint,
  momentOf,
  noSuchComplaint,
} from './complaint-rows.ts';
import { daysBetween, mayStep } from './complaints.rules.ts';
import { mayAnswer, tellOfComplaints } from './tell-of-complaints.ts';

/**
 * Whoever complained closes it. Closed already is closed.
 * @throws Refusal `not_found` where it is not one's own, `complaint_conflict` once an operator has decided
 */
export async function closeComplaint(
  tx: Tx,
  actor: { readonly userId: string },
  { complaintId }: { readonly complaintId: string },
): Promise<void> {
  const complaint = await lockOwn(tx, actor, complaintId);
  if (complaint.state === 'closed') return;
  if (!mayStep('member', 'closed', complaint, tx.now)) throw new Refusal('complaint_conflict');
  const at = momentOf(tx, complaint);
  await tx.sql`update complaints set state = 'closed', state_at = ${at}, ended_at = ${at} where id = ${complaintId}`;
  await addSteps(tx, [{ complaintId, kind: 'closed', side: 'member', byId: actor.userId, toState: 'closed', at }]);
  await countEnd(tx, complaint, at);
  await tellOfComplaints(tx, actor.userId, [{ complaint, event: 'closed' }]);
}

/**
 * Whoever complained does not accept the final answer: an operator decides. Once; the same words once more are the same appeal.
 * @throws Refusal `not_found`, `complaint_conflict`
 */
export async function appealComplaint(
  tx: Tx,
  actor: { readonly userId: string },
  { complaintId, text }: { readonly complaintId: string; readonly text: string },
): Promise<void> {
  const complaint = await lockOwn(tx, actor, complaintId);
  if (await isSaidAlready(tx, complaint, { userId: actor.userId, kind: 'appealed', text })) return;
  if (!mayStep('member', 'appealed', complaint, tx.now)) throw new Refusal('complaint_conflict');
  const at = momentOf(tx, complaint);
  await tx.sql`
    update complaints set state = 'with_operator', state_at = ${at}, escalated_at = ${at},
      escalated_because = 'appealed'
    where id = ${complaintId}`;
  const toState = 'with_operator';
  await addSteps(tx, [{ complaintId, kind: 'appealed', side: 'member', byId: actor.userId, text, toState, at }]);
  await countComplaints(tx, [{ complaint, measure: 'escalated', days: 0 }]);
  await tellOfComplaints(tx, actor.userId, [{ complaint, event: 'appealed' }]);
}

/**
 * An operator decides, with reasons. Not about a sacco of their own, nor about a complaint that they made or that names
 * them.
 * @throws Refusal `not_found`, `not_allowed`, `complaint_conflict`
 */
export async function resolveComplaint(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly complaintId: string; readonly outcome: ComplaintOutcome; readonly reason: string },
): Promise<void> {
  const { complaintId, outcome, reason } = input;
  const complaint = await lockComplaint(tx, complaintId);
  if (complaint.escalated_at === null || !mayAnswer(complaint, actor.userId)) throw noSuchComplaint();
  const [sacco] = await tx.sql<{ id: string; created_by: string }[]>`
    select id, created_by from saccos where id = ${complaint.sacco_id}`;
  if (sacco) await refuseOwnSacco(tx, actor, sacco);
  if (!mayStep('operator', 'resolved', complaint, tx.now)) throw new Refusal('complaint_conflict');
  const at = momentOf(tx, complaint);
  await tx.sql`
    update complaints set state = 'resolved', state_at = ${at}, ended_at = ${at}, outcome = ${outcome}
    where id = ${complaintId}`;
  const toState = 'resolved';
  await addSteps(tx, [
    { complaintId, kind: 'resolved', side: 'operator', byId: actor.userId, text: reason, toState, at },
  ]);
  await countEnd(tx, complaint, at);
  await tellOfComplaints(tx, actor.userId, [{ complaint, event: 'resolved' }]);
}

async function lockOwn(tx: Tx, { userId }: { readonly userId: string }, complaintId: string): Promise<ComplaintRow> {
  const complaint = await lockComplaint(tx, complaintId);
  if (complaint.complainer_id !== userId) throw noSuchComplaint();
  return complaint;
}

async function countEnd(tx: Tx, complaint: ComplaintRow, at: Date): Promise<void> {
  await countComplaints(tx, [{ complaint, measure: 'ended', days: daysBetween(complaint.made_at, at) }]);
}
