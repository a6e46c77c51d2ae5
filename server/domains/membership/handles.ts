import { memberByHandle } from '@ushirika/contract/membership';
import { isGuarded } from '#faults';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/**
 * What the other side of a trade is told of members of a sacco: `Member K7Q2`, by their ids. Read by the platform, since
 * nobody may look up whose a handle is but that member and the sacco's officials. Who has left keeps theirs.
 */
export function handlesOf(
  database: Pick<Database, 'sql'>,
  saccoId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return Promise.resolve(new Map());
  return asSystem(async () => {
    const rows = await database.sql<{ user_id: string; handle: string; name: string }[]>`
      select h.user_id, h.handle, u.first_name || ' ' || u.last_name as name
      from member_handles h join users u on u.id = h.user_id
      where h.sacco_id = ${saccoId} and h.user_id = any (${texts([...new Set(userIds)])}::uuid[])`;
    const shown = (row: (typeof rows)[number]) => (isGuarded('handles') ? memberByHandle(row.handle) : row.name);
    return new Map(rows.map((row) => [row.user_id, shown(row)]));
  });
}
