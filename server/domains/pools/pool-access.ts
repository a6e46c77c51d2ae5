import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
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
  const [row] = await tx.sql<{ is_member: boolean }[]>`
    select exists (
      select from memberships m join saccos s on s.id = m.sacco_id
      where m.user_id = ${userId} and m.state in ('provisional', 'active') and s.state = 'active'
        and (${pool.sacco_id}::uuid is null or m.sacco_id = ${pool.sacco_id}::uuid)) as is_member`;
  const isMember = row?.is_member === true;
  const isHidden = !pool.is_public && isGuarded('pools_are_reviewed');
  if (isHidden && !isInside && (pool.sacco_id === null || !isMember)) throw new Refusal('not_found');
  if (isMember) return;
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

/** The stewards of a pool now: those elected, or its creator. */
export async function stewardsOfPool(tx: Pick<Tx, 'sql' | 'now'>, poolId: string): Promise<string[]> {
  return (await stewardsOfPools(tx, [poolId])).get(poolId) ?? [];
}

/** The same of several pools, by the pool's id. */
export async function stewardsOfPools(
  tx: Pick<Tx, 'sql' | 'now'>,
  poolIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await tx.sql<{ pool_id: string; user_id: string }[]>`
    select pool_id, user_id from pool_stewards
    where pool_id = any (${texts(poolIds)}::uuid[]) and since <= ${tx.now} and (until is null or until > ${tx.now})
    order by since, user_id`;
  const found = new Map<string, string[]>(poolIds.map((id) => [id, []]));
  for (const { pool_id, user_id } of rows) found.get(pool_id)?.push(user_id);
  return found;
}

/** How many voices decide: two of three; while there are not three, one. */
export const voicesNeeded = (stewards: number): number => (stewards >= 3 ? 2 : 1);

/**
 * Whoever asks for a guarantee and everybody related to them: none of them decides about the request. Related is who relates, so of a steward
 * it is also those about whose requests they do not decide. Asked of the platform.
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
