import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import type { Tx } from '../../db/tx.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';

/** Changes of which there may be several at once, each about another person. */
export const isAboutPerson = (kind: ChangeKind): boolean =>
  kind === 'official_removal' || kind === 'expulsion' || kind === 'admission';

/** What a change is about: a kind of terms of a sacco, one loan product of it, or one person. */
export interface Subject {
  readonly saccoId: string | null;
  readonly kind: ChangeKind;
  readonly payload: ChangedValues;
}

/** The vote by which members decide on what a change is about, or have decided and it is not carried out yet; null where there is none. */
export async function voteUnderway(tx: Tx, { saccoId, kind, payload }: Subject): Promise<string | null> {
  const { sql } = tx;
  const product = payload.product ?? null;
  const one = product === null ? sql`lower(p.payload->>'name') = ${String(payload.name).toLowerCase()}` : sql`true`;
  const same = sql`p.payload->>'product' is not distinct from ${product}::text and ${one}`;
  const [found] = await sql<{ id: string }[]>`
    select p.id from proposals p
    where p.sacco_id = ${saccoId}::uuid and p.change_kind = ${kind} and ${isNotOver(sql, tx.now)}
      and ${kind === 'loan_product' ? same : isAboutPerson(kind) ? sql`p.payload = ${JSON.stringify(payload)}::text::jsonb` : sql`true`}
    limit 1`;
  return found?.id ?? null;
}
