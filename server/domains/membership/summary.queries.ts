import type { ReplyOf } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { readSummary } from '@ushirika/contract/summary';
import type { Fragment } from 'postgres';
import { joinedLookup } from '../../db/joined-lookup.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { SummaryPart } from '../wallet/summary-part.ts';

type Summary = ReplyOf<typeof readSummary>;

interface SummaryRow {
  readonly person: object;
  readonly saccos: readonly { id: string; name: string; state: MembershipState }[];
}

/** Makes the reader of `GET /client/summary`: always from the database, one statement for all who ask in one turn. */
export function summaries(database: Database, parts: readonly SummaryPart[]): (userId: string) => Promise<Summary> {
  return joinedLookup((userIds: readonly string[]) => summariesOf(database, parts, userIds), 64);
}

/** The summaries of many people in one statement: the saccos of each, and to them and to the person what the parts add. */
export async function summariesOf(
  { sql, now }: Pick<Database, 'sql' | 'now'>,
  parts: readonly SummaryPart[],
  userIds: readonly string[],
): Promise<Summary[]> {
  const { ofPerson, ofSacco } = piecesOf(parts);
  const rows = await sql<SummaryRow[]>`
    select json_build_object(${pieced(
      sql,
      ofPerson.map(({ json }, index) => (index === 0 ? json(sql) : sql`, ${json(sql)}`)),
    )}) as person, coalesce(saccos.list, '[]') as saccos
    from unnest(${texts(userIds)}::uuid[]) with ordinality as asked (user_id, place)
    ${pieced(
      sql,
      ofPerson.map(({ joins }) => joins(sql, now())),
    )}
    left join lateral (
      select json_agg(json_build_object(
        'id', s.id, 'name', s.name, 'state', m.state ${pieced(
          sql,
          ofSacco.map(({ json }) => sql`, ${json(sql)}`),
        )}) order by s.name_folded) as list
      from memberships m
      join saccos s on s.id = m.sacco_id
      ${pieced(
        sql,
        ofSacco.map(({ joins }) => joins(sql, now())),
      )}
      where m.user_id = asked.user_id and m.state <> 'exited'
    ) saccos on true
    order by asked.place`;
  return rows.map((row) => summaryOf(row, parts));
}

function piecesOf(parts: readonly SummaryPart[]) {
  return {
    ofPerson: parts.flatMap(({ ofPerson }) => ofPerson ?? []),
    ofSacco: parts.flatMap(({ ofSacco }) => ofSacco ?? []),
  };
}

/** Pieces of a statement one after the other; none of them is nothing. */
function pieced(sql: Database['sql'], fragments: readonly Fragment[]) {
  return fragments.length > 0 ? [...fragments] : sql``;
}

/** What a person has of whose domain there is no part. */
const NOTHING = {
  wallet: { amount: 0, held: 0, available: 0 },
  open_votes: 0,
  open_requests: 0,
  activity: [],
} as const satisfies Omit<Summary, 'saccos'>;

const NOTHING_IN_A_SACCO = {
  shares: 0,
  held_shares: 0,
  share_value: 0,
  value: 0,
  savings: 0,
  held_savings: 0,
  loans_outstanding: 0,
  next_due: null,
  guarantees_given: 0,
};

function summaryOf({ person, saccos }: SummaryRow, parts: readonly SummaryPart[]): Summary {
  const own: Omit<Summary, 'saccos'> = Object.assign(
    { ...NOTHING, activity: [] },
    ...parts.map(({ ofPerson }) => ofPerson?.fields(person)),
  );
  return {
    wallet: own.wallet,
    saccos: saccos.map((sacco) =>
      Object.assign(
        { id: sacco.id, name: sacco.name, membership: sacco.state, ...NOTHING_IN_A_SACCO },
        ...parts.map(({ ofSacco }) => ofSacco?.fields(sacco)),
      ),
    ),
    open_votes: own.open_votes,
    open_requests: own.open_requests,
    activity: own.activity,
  };
}
