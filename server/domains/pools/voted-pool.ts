import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { lockPools, type PoolLocked } from './pool-rows.ts';

/* What the executors of votes of a pool have in common (docs/decisions/198). The sacco's lock is held, and comes before the pool's. */

/** The pool that a vote is about, locked; null where it is none of this sacco, or closed. */
export async function votedPool(tx: Tx, { saccoId }: About, { pool }: ChangedValues): Promise<PoolLocked | null> {
  const found = (await lockPools(tx, [String(pool)])).get(String(pool));
  return found && found.sacco_id === saccoId && found.state !== 'CLOSED' ? found : null;
}

/**
 * Whether members of a sacco could vote on a pool.
 * @throws Refusal `change_conflict` for a pool of another sacco, for one of members of all saccos, and for a closed one
 */
export async function refuseUnvoted(
  tx: Pick<Tx, 'sql'>,
  { saccoId, poolId }: { readonly saccoId: string; readonly poolId: string },
): Promise<void> {
  const [pool] = await tx.sql<{ sacco_id: string | null; state: string; is_public: boolean }[]>`
    select sacco_id, state, is_public from pools where id = ${poolId}`;
  if (!pool || (pool.sacco_id !== saccoId && (pool.sacco_id !== null || !pool.is_public)))
    throw new Refusal('change_conflict', { message: NONE });
  if (pool.sacco_id === null) throw new Refusal('change_conflict', { message: OPEN_POOL });
  if (pool.state === 'CLOSED') throw new Refusal('change_conflict', { message: CLOSED });
}

const NONE = sentence('This sacco has no such pool.');
const OPEN_POOL = sentence('A pool for members of all saccos has no votes. Its terms stand as it was created.');
const CLOSED = sentence('This pool is closed.');
export const refusalOfClosed = () => new Refusal('change_conflict', { message: CLOSED });

/** Terms change while the sacco is active; else it is tried again. */
export async function refusalOfSacco(tx: Tx, { saccoId }: About): Promise<Refusal | null> {
  const { state } = await lockSacco(tx, saccoId ?? '');
  return state === 'active' ? null : new Refusal('sacco_inactive');
}

/** Whether somebody has money in a pool that is not all under notice. */
export async function hasMoneyIn(tx: Pick<Tx, 'sql'>, poolId: string, userId: string): Promise<boolean> {
  const [member] = await tx.sql`
    select from pool_members m where m.pool_id = ${poolId} and m.user_id = ${userId} and has_voting_money(m)`;
  return member !== undefined;
}
