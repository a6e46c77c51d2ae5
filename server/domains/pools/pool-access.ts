import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { refusalOfHold } from '../identity/account-hold.rules.ts';
import type { RelativesOf } from '../identity/related-pairs.types.ts';
import type { PoolLocked } from './pool-rows.ts';

/**
 * Who may put money into a pool: a member of its sacco, or of any active sacco where it is open. The pool has to be one that they see.
 * @throws Refusal `not_found`, `not_a_member`
 */
export async function requireMemberFor(
  tx: Pick<Tx, 'sql'>,
  pool: PoolLocked,
  userId: string,
  isInside = pool.created_by === userId,
): Promise<void> {
  const [row] = await tx.sql<{ is_member: boolean; of_suspended: boolean; stands_to_go: boolean }[]>`
    select coalesce(bool_or(s.state = 'active'), false) as is_member, coalesce(bool_or(s.state = 'suspended'), false) as of_suspended,
      stands_to_be_expelled(${pool.sacco_id}::uuid, ${userId}) as stands_to_go
    from memberships m join saccos s on s.id = m.sacco_id
    where m.user_id = ${userId} and m.state in ('provisional', 'active')
      and (${pool.sacco_id}::uuid is null or m.sacco_id = ${pool.sacco_id}::uuid)`;
  const isMember = row?.is_member === true;
  const isHidden = !pool.is_public && isGuarded('pools_are_reviewed');
  if (isHidden && !isInside && (pool.sacco_id === null || !isMember)) throw new Refusal('not_found');
  if (row?.stands_to_go) {
    throw new Refusal('not_a_member', {
      message: sentence('Members have voted that you leave: you put nothing into a pool any more.'),
    });
  }
  if (isMember) return;
  if (row?.of_suspended && (isInside || !isHidden)) {
    throw new Refusal('not_a_member', {
      message: sentence('Your sacco is suspended: nobody puts money into a pool as its member meanwhile.'),
    });
  }
  throw new Refusal('not_a_member', {
    message:
      pool.sacco_id === null
        ? sentence('Join a sacco first: this pool takes members of any active sacco.')
        : sentence('This pool takes members of its sacco only.'),
  });
}

/**
 * While money is held, after a reset or a new phone, nobody signs and no pool money moves.
 * @throws Refusal `payout_held` with Retry-After
 */
export async function refuseWhileMoneyIsHeld(tx: Pick<Tx, 'sql' | 'now'>, userId: string): Promise<void> {
  const [row] = await tx.sql<{ payout_held_until: Date | null }[]>`
    select payout_held_until from users where id = ${userId}`;
  const refusal = refusalOfHold('payout_held', row?.payout_held_until ?? null, tx.now);
  if (refusal) throw refusal;
}

/** In SQL: whether a place `w` of `pool_stewards` has begun and has not ended. */
export const isPlaceNow = (sql: Tx['sql'] | Database['sql'], now: Date): Fragment =>
  (sql as Tx['sql'])`(w.since <= ${now} and (w.until is null or w.until > ${now}))`;

/** In SQL: whether the steward of a place `w` has money in the pool that is not under notice. Only such stewards decide. */
export const decides = (sql: Tx['sql'] | Database['sql']): Fragment =>
  isGuarded('pools.own_money_decides')
    ? (sql as Tx['sql'])`exists (
        select from pool_members m
        where m.pool_id = w.pool_id and m.user_id = w.user_id and m.position_cents > m.notice_cents)`
    : (sql as Tx['sql'])`true`;

/** The place of a steward, that nobody has ended. */
export interface Place {
  readonly id: string;
  readonly pool_id: string;
  readonly user_id: string;
  readonly elected_by: string | null;
  /** A steward who decides has money in the pool that is not under notice. */
  readonly decides: boolean;
}

/** Stewards' places of several pools, the oldest first. */
export async function placesOfPools(tx: Pick<Tx, 'sql' | 'now'>, poolIds: readonly string[]): Promise<Place[]> {
  return tx.sql<Place[]>`
    select w.id, w.pool_id, w.user_id, w.elected_by, ${decides(tx.sql)} as decides
    from pool_stewards w
    where w.pool_id = any (${texts(poolIds)}::uuid[]) and ${isPlaceNow(tx.sql, tx.now)} order by w.since, w.user_id`;
}

/** The ids of the stewards of a pool who decide now, with money in it that is not under notice. */
export async function stewardsOfPool(tx: Pick<Tx, 'sql' | 'now'>, poolId: string): Promise<string[]> {
  return (await stewardsOfPools(tx, [poolId])).get(poolId) ?? [];
}

/** The same of several pools, by the pool's id. */
export async function stewardsOfPools(
  tx: Pick<Tx, 'sql' | 'now'>,
  poolIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const byPool = Map.groupBy(await placesOfPools(tx, poolIds), ({ pool_id }) => pool_id);
  return new Map(poolIds.map((id) => [id, thoseWhoDecide(byPool.get(id) ?? []).map(({ user_id }) => user_id)]));
}

export const thoseWhoDecide = <One extends { readonly decides: boolean }>(stewards: readonly One[]): readonly One[] =>
  stewards.filter((each) => each.decides);

/** How many decide about a guarantee above the automatic limit: always two. */
export const voicesForRequest = (stewards: number): number =>
  isGuarded('pools.own_money_decides') ? 2 : voicesNeeded(stewards);

/** How many voices decide about the pool itself: two, where there are two stewards or more. */
export const voicesNeeded = (stewards: number): number => (stewards >= 2 ? 2 : 1);

/**
 * The ids of the person who asks for a guarantee and of everybody related to them. None of them decides about the request. The relation
 * holds both ways.
 */
export async function interestedIn(
  tx: Pick<Tx, 'sql'>,
  userId: string,
  { relativesOf }: { readonly relativesOf: RelativesOf },
): Promise<string[]> {
  return [userId, ...(await relativesOf(tx, userId)).map(({ id }) => id)];
}

/** How many stewards may decide about a request. Nobody decides about their own, nor about one of an account that is related to theirs. */
export const stewardsLeft = (stewards: readonly string[], interested: readonly string[]): number =>
  stewards.filter((steward) => !interested.includes(steward)).length;
