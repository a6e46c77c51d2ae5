import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { closeIfEmpty } from './close-pool.ts';
import { addVoice } from './decide-request.ts';
import { placesOfPools, thoseWhoDecide } from './pool-access.ts';
import { after, DAY_MS, lockPool, moveState, type PoolLocked } from './pool-rows.ts';
import { endWaitingRequests } from './request-guarantee.ts';

type Act = 'suspend' | 'reopen' | 'close';

const FROM: Readonly<Record<Act, readonly PoolLocked['state'][]>> = {
  suspend: ['OPEN'],
  reopen: ['SUSPENDED'],
  close: ['FORMING', 'OPEN', 'SUSPENDED'],
};

/** An empty pool is closed by its creator, since nobody has money in it. */
const isEmpty = ({ positions_cents }: PoolLocked): boolean => positions_cents === 0;

/**
 * A steward suspends a pool at once, for 30 days at most: it issues nothing then, and pays out whoever leaves. The same steward suspends it again no
 * earlier than 90 days after. Two stewards, where there are two or more, reopen it or begin to close it.
 * @throws Refusal `not_found`, `not_allowed`, `pool_state_conflict`
 */
export async function changePoolState(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly poolId: string; readonly act: Act; readonly reason: string },
): Promise<Sentence> {
  const { act, reason } = input;
  const pool = await lockPool(tx, input.poolId);
  const places = await placesOfPools(tx, [pool.id]);
  const stewards = (isEmpty(pool) ? places : thoseWhoDecide(places)).map(({ user_id }) => user_id);
  if (!stewards.includes(actor.userId)) throw new Refusal('not_allowed');
  if (!FROM[act].includes(pool.state)) throw new Refusal('pool_state_conflict');
  const by = { userId: actor.userId, reason };
  if (act === 'suspend') {
    await refuseSuspendedLately(tx, pool.id, actor.userId);
    await moveState(tx, pool, 'SUSPENDED', by);
    return sentence('The pool is suspended: it issues no guarantees. It opens again by itself after 30 days.');
  }
  const voices = await addVoice(
    tx,
    {
      poolId: pool.id,
      matter: act,
      aboutId: pool.id,
      since: pool.state_at,
      stewardId: actor.userId,
      voice: 'approve',
      reason,
    },
    stewards,
  );
  if (voices === null)
    throw new Refusal('pool_state_conflict', {
      message: sentence('You have said so already. Another steward has to.'),
    });
  if (voices.approve < voices.needed) return sentence('Noted. Another steward has to say so too.');
  await moveState(tx, pool, act === 'reopen' ? 'OPEN' : 'CLOSING', by);
  if (act === 'close') {
    await endWaitingRequests(tx, actor.userId, pool, {
      reason: 'pool_not_open',
      template: 'pool_closing',
      text: sentence('{pool} is closing. Your request for a guarantee has ended. Ask another pool, or members.', {
        pool: pool.name,
      }),
    });
    await closeIfEmpty(tx, actor.userId, pool.id);
  }
  return act === 'reopen'
    ? sentence('The pool issues guarantees again.')
    : sentence('The pool is closing: it issues no more guarantees and pays everybody out.');
}

const SUSPENDED_DAYS = 30;
const AGAIN_DAYS = 90;

/** One steward's no has an end: whoever suspended the pool leaves the next time to another one. */
async function refuseSuspendedLately(tx: Tx, poolId: string, userId: string): Promise<void> {
  const [before] = await tx.sql`
    select from pool_events
    where pool_id = ${poolId} and kind = 'state_changed' and to_state = 'SUSPENDED' and caused_by = ${userId}
      and at > ${after(tx.now, -(SUSPENDED_DAYS + AGAIN_DAYS) * DAY_MS)}
    limit 1`;
  if (!before || !isGuarded('pools.suspension_lapses')) return;
  throw new Refusal('pool_state_conflict', {
    message: sentence(
      'You have suspended this pool in the last 120 days. Another steward may, or two of you close it.',
    ),
  });
}

/** Pools that were suspended 30 days ago are open again; at most 200 at once. */
export async function openAgain(database: Database): Promise<void> {
  if (!isGuarded('pools.suspension_lapses')) return;
  const longAgo = (now: Date) => after(now, -SUSPENDED_DAYS * DAY_MS);
  const due = await database.sql<{ id: string }[]>`
    select id from pools where state = 'SUSPENDED' and state_at <= ${longAgo(database.now())} order by id limit 200`;
  for (const { id } of due) {
    await database.transaction(async (tx) => {
      const pool = await lockPool(tx, id);
      if (pool.state === 'SUSPENDED' && pool.state_at <= longAgo(tx.now))
        await moveState(tx, pool, 'OPEN', { userId: null });
    });
  }
}
