import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { stepsSince } from './check-off.rules.ts';
import { lockCheckOff } from './check-off-rows.ts';
import { tellOfficials, tellPayer } from './tell-of-check-offs.ts';

/** Lists of which nobody has done the next step in 30 days are over. */
export async function expireCheckOffs(database: Database): Promise<void> {
  const overdue = await database.sql<{ id: string }[]>`
    select id from check_offs
    where state in ('listed', 'checked') and coalesce(checked_at, listed_at) <= ${stepsSince(database.now())}
    order by id`;
  await eachPart(
    overdue.map(
      ({ id }) =>
        () =>
          database.transaction((tx) => expire(tx, id)),
    ),
  );
}

async function expire(tx: Tx, id: string): Promise<void> {
  const row = await lockCheckOff(tx, id);
  const ended = await tx.sql`
    update check_offs set state = 'expired', ended_at = ${tx.now}
    where id = ${id} and state in ('listed', 'checked')
      and coalesce(checked_at, listed_at) <= ${stepsSince(tx.now)}`;
  if (ended.count === 0) return;
  await tellOfficials(tx, null, row, 'expired');
  if (row.state === 'checked') await tellPayer(tx, null, row, 'expired');
}
