import type { Office } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import { joinedLookup } from '../../db/joined-lookup.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/** What somebody is in a sacco. */
export interface Standing {
  /** Null for one who never joined or has left. */
  readonly member: Exclude<MembershipState, 'exited'> | null;
  readonly isMember: boolean;
  readonly offices: readonly Office[];
}

interface Asked {
  readonly userId: string;
  readonly saccoId: string;
}

/** Makes the look-up that the HTTP layer asks before every call of a member or an official. */
export function standings(database: Database): (userId: string, saccoId: string) => Promise<Standing> {
  const lookUp = joinedLookup((asked: readonly Asked[]) => standingsOf(database, asked));
  return (userId, saccoId) => lookUp({ userId, saccoId });
}

/** The standings of many people in one statement, in the order asked. */
export async function standingsOf(
  database: Pick<Database, 'sql' | 'now'>,
  asked: readonly Asked[],
): Promise<Standing[]> {
  const rows = await database.sql<{ state: MembershipState | null; offices: Office[] }[]>`
    select m.state, coalesce(o.offices, '{}') as offices
    from unnest(${texts(asked.map(({ userId }) => userId))}::uuid[], ${texts(asked.map(({ saccoId }) => saccoId))}::uuid[])
      with ordinality as asked (user_id, sacco_id, place)
    left join memberships m on m.sacco_id = asked.sacco_id and m.user_id = asked.user_id
    left join lateral (
      select array_agg(office order by office) as offices from offices
      where user_id = asked.user_id and sacco_id = asked.sacco_id and ended_at is null and until > ${database.now()}
    ) o on true
    order by asked.place`;
  return rows.map(({ state, offices }) => {
    const member = state === null || state === 'exited' ? null : state;
    return { member, isMember: member !== null, offices };
  });
}
