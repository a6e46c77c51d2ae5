import { ROLL_LEAST, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { after, DAY_MS } from './pool-rows.ts';

/*
 * Pools of which three members could vote, once (docs/decisions/198). It is kept: else whoever is left when others give notice would give
 * claims up alone.
 */

const CHUNK = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Who joined a pool later, or its sacco, is new to a roll of it that is made now. */
export const poolRollSince = (now: Date): Date =>
  isGuarded('voting.days_in_the_pool') ? after(now, -ROLL_MEMBER_DAYS * DAY_MS) : now;

/** Whether members of a pool of a sacco could vote, now or once. Asked of the platform. */
export async function membersCanVote({ sql, now }: Pick<Tx, 'sql' | 'now'>, poolId: string): Promise<boolean> {
  const [found] = await sql<{ can: boolean }[]>`
    select exists (select from pools_that_vote where pool_id = ${poolId}) or (
      select count(*) from (
        select from pool_roll_standing(${poolId}, ${poolRollSince(now)}) where reason is null limit ${ROLL_LEAST}) able
      ) >= ${ROLL_LEAST} as can`;
  return found?.can === true;
}

/** How many members of a pool could vote now. Asked of the platform. */
export async function ableInPool({ sql, now }: Pick<Tx, 'sql' | 'now'>, poolId: string): Promise<number> {
  const [found] = await sql<{ able: number }[]>`
    select count(*)::int as able from pool_roll_standing(${poolId}, ${poolRollSince(now)}) where reason is null`;
  return found?.able ?? 0;
}

/** Keeps that members of a pool could vote. */
export async function notePool(tx: Pick<Tx, 'sql' | 'now'>, poolId: string): Promise<void> {
  await tx.sql`insert into pools_that_vote (pool_id, since) values (${poolId}, ${tx.now}) on conflict do nothing`;
}

/** Keeps for each pool of a sacco that its members can vote, as soon as they can; also where nobody has published a vote yet. */
export async function notePoolsThatVote(database: Database): Promise<void> {
  for (let last: string | undefined = FIRST; last !== undefined; ) {
    const pools: { id: string }[] = await database.sql<{ id: string }[]>`
      select id from pools p
      where id > ${last} and sacco_id is not null and state <> 'CLOSED'
        and not exists (select from pools_that_vote v where v.pool_id = p.id)
      order by id limit ${CHUNK}`;
    await database.transaction(async (tx) => {
      for (const { id } of pools) if (await membersCanVote(tx, id)) await notePool(tx, id);
    });
    last = pools.at(-1)?.id;
  }
}
