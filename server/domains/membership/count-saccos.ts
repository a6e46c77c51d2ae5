import type { Database } from '../../db/tx.ts';

/** How many saccos somebody belongs to now: what the profile calls the registered saccos. */
export async function countSaccosOf(database: Pick<Database, 'sql'>, userId: string): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::integer as count from memberships where user_id = ${userId} and state <> 'exited'`;
  return row?.count ?? 0;
}
