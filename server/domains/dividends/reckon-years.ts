import type { Database, Tx } from '../../db/tx.ts';
import { startOfYear } from './year-figures.ts';

/** Members in one transaction. */
const CHUNK = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Reckons what each member's shares and savings of the closed years count for. The past does not change, so it is reckoned once, and
 * any rate is then a multiplication. Each chunk commits with its mark, so this goes on where it was cut off.
 */
export async function reckonYears(database: Database, chunk = CHUNK): Promise<void> {
  const open = await database.sql<{ sacco_id: string; year: number }[]>`
    select sacco_id, year from closed_years where reckoned_at is null order by closed_at, sacco_id`;
  for (const { sacco_id: saccoId, year } of open) {
    while (await database.transaction((tx) => reckonChunk(tx, { saccoId, year, chunk })));
  }
}

interface Reckoning {
  readonly saccoId: string;
  readonly year: number;
  readonly chunk: number;
}

/** False where nobody is left, or another process has it. */
async function reckonChunk(tx: Tx, { saccoId, year, chunk }: Reckoning): Promise<boolean> {
  const [taken] = await tx.sql<{ reckoned_to: string | null }[]>`
    select reckoned_to from closed_years where sacco_id = ${saccoId} and year = ${year} and reckoned_at is null
    for update skip locked`;
  if (!taken) return false;
  const [last] = await tx.sql<{ user_id: string; count: number }[]>`
    select user_id, count(*) over ()::int as count from (
      select user_id from memberships where sacco_id = ${saccoId} and user_id > ${taken.reckoned_to ?? FIRST}
      order by user_id limit ${chunk}) next_ones
    order by user_id desc limit 1`;
  if (last) await insertMembers(tx, { saccoId, year, after: taken.reckoned_to ?? FIRST, until: last.user_id });
  const isOver = !last || last.count < chunk;
  await tx.sql`
    update closed_years set reckoned_to = ${last?.user_id ?? taken.reckoned_to},
      reckoned_at = ${isOver ? tx.now : null},
      members = (select count(*) from year_members y where y.sacco_id = ${saccoId} and y.year = ${year})
    where sacco_id = ${saccoId} and year = ${year}`;
  return !isOver;
}

/** The rules of contract/src/dividend-rules.ts, for many members at once. */
async function insertMembers(
  tx: Tx,
  of: { readonly saccoId: string; readonly year: number; readonly after: string; readonly until: string },
): Promise<void> {
  const { saccoId, year } = of;
  const members = tx.sql`
    select user_id from memberships
    where sacco_id = ${saccoId} and user_id > ${of.after} and user_id <= ${of.until}`;
  await tx.sql`
    with asked as materialized (${members}), held as (
      select r.user_id, sum(r.shares * (make_date(${year + 1}, 1, 1)
          - greatest((r.moved_at at time zone 'Africa/Nairobi')::date, make_date(${year}, 1, 1))))::bigint as share_days
      from asked a join share_register r on r.sacco_id = ${saccoId} and r.user_id = a.user_id
      where r.moved_at < ${startOfYear(year + 1)}
      group by r.user_id
    ), ${savedIn(tx, { saccoId, year })}, saved as (
      select user_id, sum(case when month = 0 then 12 * net else (12 - month) * net end)::bigint as month_after,
        sum(case when month = 0 then 12 * net else (13 - month) * net end)::bigint as month_of,
        sum(case when month = 0 then 0 else lowest end)::bigint as lowest_balance
      from by_month group by user_id
    )
    insert into year_members (sacco_id, year, member_id, share_days, month_after, month_of, lowest_balance)
    select ${saccoId}, ${year}, a.user_id, coalesce(h.share_days, 0), coalesce(s.month_after, 0), coalesce(s.month_of, 0),
      coalesce(s.lowest_balance, 0)
    from asked a left join held h on h.user_id = a.user_id left join saved s on s.user_id = a.user_id
    where h.share_days > 0 or s.month_of > 0 or s.month_after > 0
    order by a.user_id`;
}

/**
 * In SQL, of the members in `asked`: `by_month` with what came into their savings and went out, and the lowest balance of each month;
 * month 0 is all that was before the year. Pledged savings are savings too.
 */
export const savedIn = (
  { sql }: Pick<Tx, 'sql'>,
  { saccoId, year }: { readonly saccoId: string; readonly year: number },
) => sql`
  own as (
    select a.user_id, c.id from asked a
    join accounts c on c.book_id = ${saccoId} and c.owner_id = a.user_id and c.kind in ('deposits', 'deposits_hold')
  ), moved as (
    select o.user_id, t.id, t.journal_id, t.amount as change from own o join transfers t on t.credit_account_id = o.id
    union all
    select o.user_id, t.id, t.journal_id, -t.amount from own o join transfers t on t.debit_account_id = o.id
  ), dated as (
    select m.user_id, case when j.posted_at < ${startOfYear(year)} then 0
        else extract(month from j.posted_at at time zone 'Africa/Nairobi') end::int as month,
      m.change, sum(m.change) over (partition by m.user_id order by m.id) as balance
    from moved m join journals j on j.id = m.journal_id where j.posted_at < ${startOfYear(year + 1)}
  ), months as (
    select user_id, month, sum(change) as net, min(balance) as lowest from dated group by user_id, month
  ), by_month as (
    select a.user_id, g.month, coalesce(m.net, 0) as net,
      least(m.lowest, coalesce(sum(m.net) over (
        partition by a.user_id order by g.month rows between unbounded preceding and 1 preceding), 0)) as lowest
    from (select distinct user_id from months) a cross join generate_series(0, 12) g (month)
    left join months m on m.user_id = a.user_id and m.month = g.month
  )`;
