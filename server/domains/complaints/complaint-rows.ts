import type {
  ComplaintKind,
  ComplaintOutcome,
  ComplaintState,
  ComplaintStepKind,
  EscalationCause,
} from '@ushirika/contract/complaints';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { type ComplaintSide, type Count, monthOf } from './complaints.rules.ts';

export interface ComplaintRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly complainer_id: string;
  readonly kind: ComplaintKind;
  readonly about_id: string | null;
  readonly text: string;
  readonly made_at: Date;
  readonly answer_due_at: Date;
  readonly resolve_due_at: Date;
  readonly state: ComplaintState;
  readonly state_at: Date;
  readonly first_answer_at: Date | null;
  readonly answered_at: Date | null;
  readonly react_by: Date | null;
  readonly escalated_at: Date | null;
  readonly escalated_because: EscalationCause | null;
  readonly ended_at: Date | null;
  readonly outcome: ComplaintOutcome | null;
  /** Whether the public figures count it. */
  readonly is_counted: boolean;
}

export const noSuchComplaint = () => new Refusal('not_found', { message: sentence('There is no such complaint.') });

/** Locks a complaint until the transaction ends, and reads it. Who may know of it, the verb says. */
export async function lockComplaint(tx: Tx, complaintId: string): Promise<ComplaintRow> {
  const [row] = await tx.sql<ComplaintRow[]>`select * from complaints where id = ${complaintId} for update`;
  if (!row) throw noSuchComplaint();
  return row;
}

/** Whether the last step of a complaint is this one, of the same person in the same words: it was sent twice. */
export async function isSaidAlready(
  tx: Tx,
  { id }: ComplaintRow,
  said: { readonly userId: string; readonly kind: string; readonly text: string },
): Promise<boolean> {
  const [last] = await tx.sql<{ is_same: boolean }[]>`
    select coalesce(by_id = ${said.userId} and kind = ${said.kind} and text = ${said.text}, false) as is_same
    from complaint_steps where complaint_id = ${id} order by number desc limit 1`;
  return last?.is_same === true;
}

/**
 * The moment of the next step of a locked complaint: now, or its last step where that came while this transaction waited for
 * the lock.
 */
export function momentOf(tx: Tx, { state_at }: Pick<ComplaintRow, 'state_at'>): Date {
  return state_at > tx.now ? state_at : tx.now;
}

export interface NewStep {
  readonly complaintId: string;
  readonly kind: ComplaintStepKind;
  readonly side: ComplaintSide | 'clock';
  readonly byId?: string;
  readonly text?: string;
  readonly toState: ComplaintState;
  readonly at: Date;
}

/** Adds steps, each after the last one of its complaint, whose lock is held. One statement. At most one a complaint. */
export async function addSteps(tx: Tx, steps: readonly NewStep[]): Promise<void> {
  await tx.sql`
    insert into complaint_steps (complaint_id, number, kind, side, by_id, text, to_state, at)
    select s.complaint_id, 1 + coalesce((select max(number) from complaint_steps o where o.complaint_id = s.complaint_id), 0),
      s.kind, s.side, s.by_id, s.text, s.to_state, s.at
    from unnest(
      ${texts(steps.map(({ complaintId }) => complaintId))}::uuid[], ${texts(steps.map(({ kind }) => kind))}::text[],
      ${texts(steps.map(({ side }) => side))}::text[], ${texts(steps.map(({ byId }) => byId ?? null))}::uuid[],
      ${texts(steps.map(({ text }) => text ?? null))}::text[], ${texts(steps.map(({ toState }) => toState))}::text[],
      ${texts(steps.map(({ at }) => at.toISOString()))}::timestamptz[]
    ) as s (complaint_id, kind, side, by_id, text, to_state, at)`;
}

export interface ComplaintCount {
  readonly complaint: Pick<ComplaintRow, 'sacco_id' | 'made_at' | 'is_counted'>;
  readonly measure: Count['measure'];
  readonly days: number;
}

/** Counts for the public page, in one statement; rows are taken in one order, so that two batches do not block each other. */
export async function countComplaints(tx: Tx, counts: readonly ComplaintCount[]): Promise<void> {
  const counted = counts.filter(({ complaint }) => complaint.is_counted);
  if (counted.length === 0) return;
  await tx.sql`
    insert into complaint_counts (sacco_id, month, measure, days, complaints)
    select sacco_id, month, measure, days, count(*)
    from unnest(
      ${texts(counted.map(({ complaint }) => complaint.sacco_id))}::uuid[], ${texts(counted.map(({ complaint }) => monthOf(complaint.made_at)))}::date[],
      ${texts(counted.map(({ measure }) => measure))}::text[], ${integers(counted.map(({ days }) => days))}::smallint[]
    ) as c (sacco_id, month, measure, days)
    group by sacco_id, month, measure, days
    order by sacco_id, month, measure, days
    on conflict (sacco_id, month, measure, days)
      do update set complaints = complaint_counts.complaints + excluded.complaints`;
}
