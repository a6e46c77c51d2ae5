import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { retriedFrom } from '@ushirika/contract/voting-rules';
import type { Fragment } from 'postgres';
import type { Database, Tx } from '../../db/tx.ts';

/** Changes of which there may be several at once, each about another person. */
export const isAboutPerson = (kind: ChangeKind): boolean =>
  kind === 'official_removal' || kind === 'expulsion' || kind === 'admission';

/** What a change is about: a kind of terms of a sacco, one loan product of it, or one person. */
export interface Subject {
  readonly saccoId: string | null;
  readonly kind: ChangeKind;
  readonly payload: ChangedValues;
}

/** Of published votes `p`: what is not over yet. Members vote on it, or it has passed and may still be carried out. */
export const isNotOver = (sql: Tx['sql'] | Database['sql'], now: Date): Fragment => (sql as Tx['sql'])`
  (p.published_at is not null and p.cancelled_at is null and p.voided_at is null and p.executed_at is null and p.given_up_at is null
    and (p.counted_at is null or p.outcome = 'passed' and p.eta > ${retriedFrom(now)}))`;

/** Whether members vote on what a change is about, or have decided it and it is not carried out yet. */
export async function isUnderway(tx: Tx, { saccoId, kind, payload }: Subject): Promise<boolean> {
  const { sql } = tx;
  const product = payload.product ?? null;
  const one = product === null ? sql`lower(p.payload->>'name') = ${String(payload.name).toLowerCase()}` : sql`true`;
  const same = sql`p.payload->>'product' is not distinct from ${product}::text and ${one}`;
  const [found] = await sql`
    select from proposals p
    where p.sacco_id = ${saccoId}::uuid and p.change_kind = ${kind} and ${isNotOver(sql, tx.now)}
      and ${kind === 'loan_product' ? same : isAboutPerson(kind) ? sql`p.payload = ${JSON.stringify(payload)}::text::jsonb` : sql`true`}
    limit 1`;
  return found !== undefined;
}
