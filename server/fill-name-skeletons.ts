import type { Database } from './db/tx.ts';
import { skeletonOfGroup } from './domains/identity/name-skeleton.rules.ts';
import { texts } from './ledger/sql-arrays.ts';

const AT_ONCE = 500;

/**
 * Writes the skeletons of names that were given before there were any; at each start, and mostly there is nothing to do.
 * Where two names look alike, the older row has the skeleton, and the other one stays without.
 * @returns names that look like an older one's
 */
export async function fillNameSkeletons({ sql }: Pick<Database, 'sql'>): Promise<string[]> {
  const left: string[] = [];
  for (const table of ['saccos', 'pools'] as const) {
    for (let after: string | null = null; ; ) {
      // Ids begin with their time: the oldest come first.
      const rows: { id: string; name: string }[] = await sql`
        select id, name from ${sql(table)} where name_skeleton is null and (${after}::uuid is null or id > ${after})
        order by id limit ${AT_ONCE}`;
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      left.push(...(await fill(sql, table, rows)));
    }
  }
  return left;
}

type Row = { readonly id: string; readonly name: string };

/** All in one statement; one by one where that meets a skeleton that another row has. */
async function fill(sql: Database['sql'], table: 'saccos' | 'pools', rows: readonly Row[]): Promise<string[]> {
  const write = (some: readonly Row[]) => sql`
    update ${sql(table)} as named set name_skeleton = made.skeleton
    from unnest(${texts(some.map(({ id }) => id))}::uuid[], ${texts(some.map(({ name }) => skeletonOfGroup(name)))}::text[])
      as made (id, skeleton)
    where named.id = made.id and made.skeleton <> '' and named.name_skeleton is null`;
  const isTaken = (error: unknown) => (error as { code?: unknown }).code === '23505';
  try {
    await write(rows);
    return [];
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
  const left: string[] = [];
  for (const row of rows) {
    await write([row]).catch((error: unknown) => {
      if (!isTaken(error)) throw error;
      left.push(row.name);
    });
  }
  return left;
}
