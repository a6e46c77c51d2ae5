import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { addSteps, type ComplaintCount, type ComplaintRow, countComplaints, momentOf } from './complaint-rows.ts';
import { type ClockStep, clockStepOf, daysBetween } from './complaints.rules.ts';
import { tellOfComplaints } from './tell-of-complaints.ts';

const BATCH = 100;

/**
 * What is due goes to the operators, and what the member left alone after a final answer closes. Batches of a constant
 * number of statements, each a transaction; it may run twice at once, or again after it was cut off.
 */
export async function carryClocks(database: Database): Promise<void> {
  for (;;) {
    const moved = await database.transaction(carryBatch);
    if (moved < BATCH) return;
  }
}

async function carryBatch(tx: Tx): Promise<number> {
  const due = await tx.sql<ComplaintRow[]>`
    select * from complaints
    where id in (
      (select id from complaints where state = 'open' and answer_due_at <= ${tx.now} order by answer_due_at, id limit ${BATCH})
      union all
      (select id from complaints where state = 'in_hand' and resolve_due_at <= ${tx.now} order by resolve_due_at, id limit ${BATCH})
      union all
      (select id from complaints where state = 'answered' and react_by <= ${tx.now} order by react_by, id limit ${BATCH}))
    order by id limit ${BATCH} for update skip locked`;
  const moves = due.flatMap((complaint) => {
    const step = clockStepOf(complaint, tx.now);
    return step ? [{ complaint, step, at: momentOf(tx, complaint) }] : [];
  });
  if (moves.length === 0) return 0;
  await tx.sql`
    update complaints c set state = m.state, state_at = m.at,
      escalated_at = case when m.because is not null then m.at else c.escalated_at end,
      escalated_because = coalesce(m.because, c.escalated_because),
      ended_at = case when m.because is null then m.at end
    from unnest(
      ${texts(moves.map(({ complaint }) => complaint.id))}::uuid[],
      ${texts(moves.map(({ step }) => stateAfter(step)))}::text[],
      ${texts(moves.map(({ step }) => (step.kind === 'escalated' ? step.because : null)))}::text[],
      ${texts(moves.map(({ at }) => at.toISOString()))}::timestamptz[]
    ) as m (id, state, because, at)
    where c.id = m.id`;
  await addSteps(
    tx,
    moves.map(({ complaint, step, at }) => ({
      at,
      complaintId: complaint.id,
      kind: step.kind,
      side: 'clock',
      toState: stateAfter(step),
    })),
  );
  await countComplaints(
    tx,
    moves.map(({ complaint, step, at }) => countOf(complaint, step, at)),
  );
  await tellOfComplaints(
    tx,
    null,
    moves.map(({ complaint, step }) => ({
      complaint,
      event: step.kind === 'escalated' ? step.because : step.kind,
    })),
  );
  return due.length;
}

const stateAfter = (step: ClockStep) => (step.kind === 'escalated' ? 'with_operator' : 'closed');

function countOf(complaint: ComplaintRow, step: ClockStep, at: Date): ComplaintCount {
  if (step.kind === 'escalated') return { complaint, measure: 'escalated', days: 0 };
  return { complaint, measure: 'ended', days: daysBetween(complaint.made_at, at) };
}
