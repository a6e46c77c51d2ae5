import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import type { Fragment } from 'postgres';
import type { Tx } from '../../db/tx.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';

/** Changes of which there may be several at once, each about another person. */
export const isAboutPerson = (kind: ChangeKind): boolean =>
  kind === 'official_removal' ||
  kind === 'expulsion' ||
  kind === 'admission' ||
  kind === 'pool_steward' ||
  kind === 'pool_steward_end';
/** Of one pool one at a time; of one claim of it one. */
const isOfPool = (kind: ChangeKind): boolean => kind === 'pool_terms' || kind === 'pool_limits';

/** What a change is about: a kind of terms of a sacco or of a pool, one loan product, one claim of a pool, or one person. */
export interface Subject {
  readonly saccoId: string | null;
  readonly kind: ChangeKind;
  readonly payload: ChangedValues;
  readonly aboutId?: string | null;
}

/** The vote by which members decide on what a change is about, or have decided and it is not carried out yet; null where there is none. */
export async function voteUnderway(tx: Tx, subject: Subject): Promise<string | null> {
  const { sql } = tx;
  const { saccoId, kind } = subject;
  const [found] = await sql<{ id: string }[]>`
    select p.id from proposals p
    where p.sacco_id = ${saccoId}::uuid and p.change_kind = ${kind} and ${isNotOver(sql, tx.now)}
      and ${isSame(sql, subject)}
    limit 1`;
  return found?.id ?? null;
}

function isSame(sql: Tx['sql'], { kind, payload, aboutId = null }: Subject): Fragment {
  if (isOfPool(kind)) return sql`p.payload->>'pool' = ${String(payload.pool)}`;
  if (isAboutPerson(kind) || kind === 'pool_write_off')
    return sql`p.payload = ${JSON.stringify(payload)}::text::jsonb and p.about_id is not distinct from ${aboutId}::uuid`;
  if (kind !== 'loan_product') return sql`true`;
  const product = payload.product ?? null;
  const one = product === null ? sql`lower(p.payload->>'name') = ${String(payload.name).toLowerCase()}` : sql`true`;
  return sql`p.payload->>'product' is not distinct from ${product}::text and ${one}`;
}
