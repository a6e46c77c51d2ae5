import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import type { Tx } from '../../db/tx.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';
import type { ProposalRow } from './proposal-rows.ts';

const DAY_MS = 86_400_000;

/** Changes of which there may be several at once, each about another person. */
export const isAboutPerson = (kind: ChangeKind): boolean =>
  kind === 'official_removal' ||
  kind === 'expulsion' ||
  kind === 'admission' ||
  kind === 'pool_steward' ||
  kind === 'pool_steward_end';
/** Changes of a pool of which there is one at a time. */
const isOfPool = (kind: ChangeKind): boolean => kind === 'pool_terms' || kind === 'pool_limits';

/** What a change is about: a kind of terms of a sacco or of a pool, one loan product, one claim of a pool, or one person. */
export interface Subject {
  readonly saccoId: string | null;
  readonly kind: ChangeKind;
  readonly payload: ChangedValues;
  readonly aboutId: string | null;
}

/** A vote of a pool; without a number it is being drafted. */
type OfPool = Pick<ProposalRow, 'pool_id' | 'change_kind'> & { readonly id?: string };

/**
 * Of some people, those who have drafted another vote of the pool that is published and not counted, or have signed one on which voting has
 * not begun: so that three friends do not take all five places. One that was taken back counts for a day more. The end of a steward's place is
 * apart.
 */
export async function busyAmong(
  tx: Tx,
  { id, pool_id, change_kind }: OfPool,
  userIds: readonly string[],
): Promise<string[]> {
  if (pool_id === null || change_kind === 'pool_steward_end') return [];
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct s.user_id from proposals p join proposal_signatures s on s.proposal_id = p.id
    where p.pool_id = ${pool_id} and p.id is distinct from ${id ?? null}::uuid and p.change_kind <> 'pool_steward_end'
      and p.published_at is not null and p.counted_at is null and (p.drafted_by = s.user_id or p.opens_at > ${tx.now})
      and (p.cancelled_at is null or p.cancelled_at > ${new Date(tx.now.getTime() - DAY_MS)})
      and s.user_id = any (${[...userIds]}::uuid[])`;
  return rows.map(({ user_id }) => user_id);
}

/** @throws Refusal `vote_conflict` */
export async function refuseBusy(tx: Tx, vote: OfPool, userId: string): Promise<void> {
  if ((await busyAmong(tx, vote, [userId])).length > 0) throw new Refusal('vote_conflict', { message: BUSY });
}

const BUSY = sentence(
  'You help another vote of this pool. Draft or sign the next one once voting on it begins, or, if you drafted it, once it is counted.',
);

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

function isSame(sql: Tx['sql'], { kind, payload, aboutId }: Subject): Fragment {
  if (isOfPool(kind)) return sql`p.payload->>'pool' = ${String(payload.pool)}`;
  // It is about the person, whichever of their places it names.
  if (kind === 'pool_steward_end')
    return sql`p.payload->>'pool' = ${String(payload.pool)} and p.about_id is not distinct from ${aboutId}::uuid`;
  if (isAboutPerson(kind) || kind === 'pool_write_off')
    return sql`p.payload = ${JSON.stringify(payload)}::text::jsonb and p.about_id is not distinct from ${aboutId}::uuid`;
  if (kind !== 'loan_product') return sql`true`;
  const product = payload.product ?? null;
  const one = product === null ? sql`lower(p.payload->>'name') = ${String(payload.name).toLowerCase()}` : sql`true`;
  return sql`p.payload->>'product' is not distinct from ${product}::text and ${one}`;
}
