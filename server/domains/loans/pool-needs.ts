import { nairobiDay } from '@ushirika/contract/time';
import { texts } from '../../ledger/sql-arrays.ts';
import type { ApplicationOf } from '../pools/request-guarantee.ts';
import type { HistoriesOf } from '../pools/trust-score.ts';
import { isClaimed } from './loan-rows.ts';

/* What guarantor pools are given of loans, which stand below them in the order of domains. Asked of the platform. */

interface Row {
  readonly borrower_id: string;
  readonly on_time: number;
  readonly late30: number;
  readonly late90: number;
  readonly worse: number;
  readonly days_past_due: number;
  readonly has_open_default: boolean;
  readonly cured: readonly number[];
}

/**
 * How people repaid the instalments that fell due in the last 24 months, of all saccos, and how they stand now (pools-voting-anchoring.md
 * A4). One that is not paid counts by the days that it is late today, as the loan's own page says them: the day's run may not have come
 * yet. One statement for many people.
 */
export const repaymentHistoriesOf: HistoriesOf = async (tx, userIds, leastCents = 0) => {
  if (userIds.length === 0) return new Map();
  const today = nairobiDay(tx.now);
  const rows = await tx.sql<Row[]>`
    select l.borrower_id,
      coalesce(sum(i.on_time), 0)::int as on_time, coalesce(sum(i.late30), 0)::int as late30,
      coalesce(sum(i.late90), 0)::int as late90, coalesce(sum(i.worse), 0)::int as worse,
      coalesce(max(now.days_late) filter (where l.state <> 'closed'), 0)::int as days_past_due,
      bool_or(l.state in ('defaulted', 'recovering', 'written_off') or l.state <> 'closed' and now.days_late > 90 or ${isClaimed(tx)})
        as has_open_default,
      coalesce(array_agg(floor(extract(epoch from ${tx.now}::timestamptz - l.last_default_at) / (30.4375 * 86400))::int)
        filter (where l.last_default_at is not null and l.state in ('active', 'in_arrears', 'closed')
          and (l.state = 'closed' or now.days_late <= 90)), '{}') as cured
    from loans l
    cross join lateral (select greatest(${today}::date - l.due_on, 0) as days_late) now
    cross join lateral (
      select count(*) filter (where late <= 0) as on_time, count(*) filter (where late between 1 and 30) as late30,
        count(*) filter (where late between 31 and 90) as late90, count(*) filter (where late > 90) as worse
      from (
        select coalesce(met_on, paid_on, ${today}::date) - due_on as late from loan_instalments
        where loan_id = l.id and due_on <= ${today}::date and due_on > ${today}::date - interval '24 months'
          and principal_cents + interest_cents >= ${leastCents}
          and (coalesce(met_on, paid_on) is not null or due_on < ${today}::date)
      ) as due
    ) i
    where l.borrower_id = any (${texts([...new Set(userIds)])}::uuid[]) and l.disbursed_at is not null
    group by l.borrower_id`;
  return new Map(
    rows.map((row) => [
      row.borrower_id,
      {
        onTime: row.on_time,
        late30: row.late30,
        late90: row.late90,
        worse: row.worse,
        daysPastDue: row.days_past_due,
        hasOpenDefault: row.has_open_default,
        curedMonthsAgo: row.cured,
      },
    ]),
  );
};

/** One's own application that is not handed in: a pool that came to it later would change who may decide about it. */
export const applicationForPool: ApplicationOf = async (tx, { loanId, userId }) => {
  const [row] = await tx.sql<{ sacco_id: string; amount_cents: number; months: number }[]>`
    select sacco_id, amount_cents, months from loans
    where id = ${loanId} and borrower_id = ${userId}
      and state in ('guarantors_pending', 'returned')`;
  return row ? { saccoId: row.sacco_id, principal: row.amount_cents, months: row.months } : null;
};
