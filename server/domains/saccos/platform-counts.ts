import type { SaccoState } from '@ushirika/contract/saccos';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';

const SHARDS = 32;

/** What is counted: saccos by state, and memberships in active saccos. */
type CountName = `saccos:${SaccoState}` | 'members';

/**
 * Changes counts of the whole platform in the transaction of what they count. Called last in a verb: the rows are
 * shared by everybody. Sorted, so that no two transactions wait in a ring.
 * @param spreadBy any id; members are spread over shards by it
 */
export async function addToCounts(
  tx: Tx,
  changes: Partial<Record<CountName, number>>,
  spreadBy: string,
): Promise<void> {
  const rows = Object.entries(changes)
    .filter(([, change]) => change !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (rows.length === 0) return;
  const memberShard = Number.parseInt(spreadBy.slice(-4), 16) % SHARDS;
  const names = rows.map(([name]) => name);
  const shards = names.map((name) => (name === 'members' ? memberShard : 0));
  await tx.sql`
    select from platform_counts
    where (name, shard) in (select * from unnest(${texts(names)}::text[], ${integers(shards)}::smallint[]))
    order by name, shard for no key update`;
  await tx.sql`
    update platform_counts c set value = c.value + change.value
    from unnest(${texts(names)}::text[], ${integers(shards)}::smallint[],
                ${integers(rows.map(([, change]) => change ?? 0))}::bigint[]) as change (name, shard, value)
    where c.name = change.name and c.shard = change.shard`;
}
