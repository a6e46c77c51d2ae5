import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { closeIfEmpty } from './close-pool.ts';
import { addVoice } from './decide-request.ts';
import { placesOfPools, thoseWhoDecide } from './pool-access.ts';
import { lockPool, moveState, type PoolLocked } from './pool-rows.ts';
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
 * A steward suspends a pool at once: it issues nothing then. Two of them, where there are two or more, reopen it or begin to close it.
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
    await moveState(tx, pool, 'SUSPENDED', by);
    return sentence('The pool is suspended: it issues no guarantees.');
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
    await endWaitingRequests(tx, pool, {
      reason: 'pool_not_open',
      template: 'pool_closing',
      text: sentence('{pool} is closing. Your request for a guarantee has ended. Ask another pool, or members.', {
        pool: pool.name,
      }),
    });
    await closeIfEmpty(tx, pool.id);
  }
  return act === 'reopen'
    ? sentence('The pool issues guarantees again.')
    : sentence('The pool is closing: it issues no more guarantees and pays everybody out.');
}
