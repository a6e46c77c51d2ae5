import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { NOT_IN } from './deposit-to-pool.ts';
import { refuseWhileMoneyIsHeld } from './pool-access.ts';
import { after, changeMembers, changePools, DAY_MS, lockPool, memberOf, type PoolLocked } from './pool-rows.ts';
import { capacityOf } from './pools.rules.ts';

/**
 * Gives notice to withdraw a free part of a position (A8), which leaves nothing, what is locked, or the smallest contribution since they joined. From then on no new
 * guarantee is locked on it. Where the guarantees that are out need it still, the notice waits in the queue.
 * @throws Refusal `not_found`, `not_a_pool_member`, `payout_held`, `pool_amount_not_allowed`
 */
export async function withdrawFromPool(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly poolId: string; readonly amount: Cents },
): Promise<string> {
  const pool = await lockPool(tx, input.poolId);
  const member = await memberOf(tx, pool.id, actor.userId);
  if (!member || member.position_cents === 0) throw new Refusal('not_a_pool_member', { message: NOT_IN });
  await refuseWhileMoneyIsHeld(tx, actor.userId);
  const left = member.position_cents - member.notice_cents - input.amount;
  const free = member.position_cents - member.notice_cents - member.locked_cents;
  refuseAmount(await leastOf(tx, pool, member.joined_at), left, free, input.amount);
  const isQueued = !fitsWithout(pool, input.amount);
  const id = tx.newId();
  await tx.sql`
    insert into pool_withdrawals (id, pool_id, member_id, user_id, amount_cents, is_all, state, given_at, due_at)
    values (${id}, ${pool.id}, ${member.id}, ${actor.userId}, ${input.amount}, ${left === 0}, ${isQueued ? 'queued' : 'given'},
      ${tx.now}, ${after(tx.now, pool.notice_days * DAY_MS)})`;
  await changeMembers(tx, [{ memberId: member.id, notice: input.amount }]);
  await changePools(tx, [{ poolId: pool.id, [isQueued ? 'queued' : 'notice']: input.amount }]);
  return id;
}

/**
 * The least that somebody leaves in: the smallest minimum since they joined. Else a vote on a higher one would shut in what is free of a
 * position of which a part is locked (docs/decisions/198).
 */
export async function leastOf(
  { sql }: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  pool: Pick<PoolLocked, 'id' | 'min_contribution_cents'>,
  joinedAt: Date,
): Promise<Cents> {
  const [found] = await (sql as Tx['sql'])<{ least: Cents | null }[]>`
    select min(min_contribution_cents) as least from pool_parameters
    where pool_id = ${pool.id} and valid_from >= coalesce((
      select max(valid_from) from pool_parameters where pool_id = ${pool.id} and valid_from <= ${joinedAt}), '-infinity')`;
  return found?.least ?? pool.min_contribution_cents;
}

function refuseAmount(least: Cents, left: Cents, free: Cents, amount: Cents): void {
  if (amount > free) {
    throw new Refusal('pool_amount_not_allowed', {
      message: sentence('Only {free} of your position is free: the rest backs guarantees or is under notice.', {
        free: formatShillings(shillingsFromCents(free)),
      }),
    });
  }
  if (left === 0 || left >= least || amount === free) return;
  throw new Refusal('pool_amount_not_allowed', {
    message: sentence('Leave at least {least} in the pool, or withdraw everything.', {
      least: formatShillings(shillingsFromCents(least)),
    }),
  });
}

/** RWE <= M × (E − amount). */
export function fitsWithout(
  pool: Pick<PoolLocked, 'positions_cents' | 'notice_cents' | 'weighted_cents' | 'exposure_multiple'>,
  amount: Cents,
): boolean {
  const equity = pool.positions_cents - pool.notice_cents - amount;
  return pool.weighted_cents <= capacityOf(Math.max(0, equity), { exposureMultiple: pool.exposure_multiple });
}

/**
 * Takes a notice back.
 * @throws Refusal `not_found`, `pool_withdrawal_conflict`
 */
export async function cancelPoolWithdrawal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly withdrawalId: string },
): Promise<string> {
  const [found] = await tx.sql<{ pool_id: string }[]>`
    select pool_id from pool_withdrawals where id = ${input.withdrawalId} and user_id = ${actor.userId}`;
  if (!found) throw new Refusal('not_found');
  const pool = await lockPool(tx, found.pool_id);
  const [row] = await tx.sql<{ member_id: string; amount_cents: Cents; state: string }[]>`
    select member_id, amount_cents, state from pool_withdrawals where id = ${input.withdrawalId}`;
  if (row?.state !== 'queued' && row?.state !== 'given') throw new Refusal('pool_withdrawal_conflict');
  if (pool.state === 'CLOSING') {
    throw new Refusal('pool_withdrawal_conflict', { message: sentence('The pool is closing and pays everybody out.') });
  }
  await tx.sql`
    update pool_withdrawals set state = 'cancelled', ended_at = ${tx.now} where id = ${input.withdrawalId}`;
  await changeMembers(tx, [{ memberId: row.member_id, notice: -row.amount_cents }]);
  await changePools(tx, [{ poolId: pool.id, [row.state === 'queued' ? 'queued' : 'notice']: -row.amount_cents }]);
  return pool.id;
}
