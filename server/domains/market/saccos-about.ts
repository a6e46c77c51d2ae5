import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/**
 * The saccos of orders and trades, by their ids. A wallet's history shows them; a journal has only the id of its order
 * or trade. When it runs for a person, it finds only that person's.
 */
export async function saccosAbout(
  database: Pick<Database, 'sql'>,
  things: readonly { readonly type: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: string) =>
    texts([...new Set(things.flatMap((thing) => (thing.type === type ? [thing.id] : [])))]);
  const rows = await database.sql<{ id: string; sacco_id: string }[]>`
    select id, sacco_id from share_orders where id = any (${idsOf('share_order')}::uuid[])
    union all
    select id, sacco_id from share_trades where id = any (${idsOf('share_trade')}::uuid[])`;
  return new Map(rows.map(({ id, sacco_id }) => [id, sacco_id]));
}
