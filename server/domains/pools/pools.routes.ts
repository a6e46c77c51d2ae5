import { createPool as createPoolRoute, listPoolMembers, listPools, poolDetailsOf } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler, bindVerb } from '../../http/bind.ts';
import { createPool } from './create-pool.ts';
import { detailsOfPool, listOfPools, membersOfPool, poolOf } from './pools.queries.ts';

export interface PoolsDependencies {
  readonly database: Database;
  /** The origin that links lead to, without a slash at its end. */
  readonly publicUrl: string;
}

export function poolsRoutes(deps: PoolsDependencies): Binding[] {
  const { database } = deps;
  return [
    bindVerb(createPoolRoute, async (tx, { actor, saccoId, body, headers }) => {
      // A header that cannot be read must not turn a sacco's pool into an open one.
      if (saccoId === null && headers.saccoid !== undefined) throw new Refusal('sacco_required');
      const poolId = await createPool(tx, actor, { saccoId, fields: body });
      return {
        success: true as const,
        message: sentence('Your pool has been created. Others see it after a review, or once it has five members.'),
        pool: await poolOf(tx, poolId, actor.userId),
      };
    }),
    bindHandler(listPools, ({ actor, query }) => listOfPools(deps, actor, query)),
    bindHandler(poolDetailsOf, ({ actor, params }) => detailsOfPool(database, actor, params.id)),
    bindHandler(listPoolMembers, ({ actor, query }) => membersOfPool(deps, actor, query)),
  ] as Binding[];
}
