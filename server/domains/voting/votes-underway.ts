import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { RETRY_DAYS } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';

const DAY_MS = 86_400_000;

/** What a change is about: a kind of terms of a sacco, or one loan product of it. */
export interface Subject {
  readonly saccoId: string | null;
  readonly kind: ChangeKind;
  readonly payload: ChangedValues;
}

/** Whether members vote on what a change is about, or have decided it and it is not carried out yet. */
export async function isUnderway(tx: Tx, subject: Subject): Promise<boolean> {
  const [found] = await tx.sql`select from proposals p where ${underway(tx, subject)} limit 1`;
  return found !== undefined;
}

/**
 * Whether two officials have to leave it alone: a vote on it was published, and they had not confirmed their change before. What was
 * confirmed before comes a day after the confirmation, long before voting begins.
 */
export async function isVotedOn(tx: Tx, subject: Subject): Promise<boolean> {
  const [found] = await tx.sql`
    select from proposals p
    where ${underway(tx, subject)} and not exists (
      select from sacco_changes c
      where c.sacco_id = p.sacco_id and c.kind = p.change_kind and c.state = 'confirmed' and c.confirmed_at <= p.published_at)
    limit 1`;
  return found !== undefined;
}

/** Votes that passed are tried again if their time came after this. */
export const retriedFrom = ({ now }: Pick<Tx, 'now'>): Date => new Date(now.getTime() - RETRY_DAYS * DAY_MS);

function underway({ sql, now }: Tx, { saccoId, kind, payload }: Subject) {
  const product = payload.product ?? null;
  const one = product === null ? sql`lower(p.payload->>'name') = ${String(payload.name).toLowerCase()}` : sql`true`;
  const same = sql`p.payload->>'product' is not distinct from ${product}::text and ${one}`;
  return sql`
    p.sacco_id = ${saccoId}::uuid and p.change_kind = ${kind} and p.published_at is not null and p.cancelled_at is null
    and p.voided_at is null and p.executed_at is null and p.given_up_at is null
    and (p.counted_at is null or p.outcome = 'passed' and p.eta > ${retriedFrom({ now })})
    and ${kind === 'loan_product' ? same : sql`true`}`;
}
