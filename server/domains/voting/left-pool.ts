import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/*
 * The roll of a vote of a pool is fixed by its publication. Whoever has taken their money out since, or has all of it under notice, does not
 * vote on the money of those who stay (docs/decisions/198).
 */

interface InPool {
  readonly poolId: string;
  readonly userId: string;
}

const keyOf = ({ poolId, userId }: InPool) => `${poolId} ${userId}`;

/** Says of some people whether they have no money in a pool now that votes. Asked of the platform. */
export async function leftPools(tx: Tx, people: readonly InPool[]): Promise<(person: InPool) => boolean> {
  if (people.length === 0) return () => false;
  const rows = await tx.sql<InPool[]>`
    select m.pool_id as "poolId", m.user_id as "userId"
    from (select distinct * from unnest(
      ${texts(people.map(({ poolId }) => poolId))}::uuid[],
      ${texts(people.map(({ userId }) => userId))}::uuid[]) as asked (pool_id, user_id)) asked
    join pool_members m on m.pool_id = asked.pool_id and m.user_id = asked.user_id
    where has_voting_money(m)`;
  const inside = new Set(rows.map(keyOf));
  return (person) => !inside.has(keyOf(person));
}

/** What whoever left the pool reads. */
export const leftPool = () =>
  new Refusal('vote_conflict', {
    message: sentence('You have no money in the pool that is not under notice. Those whose money stays in it vote.'),
  });
