import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of complaints, besides what the tables themselves hold. */
export const complaintsInvariants: readonly Invariant[] = [
  {
    name: 'What the public pages count of complaints is what their rows say',
    find: (sql) => sql`
      with found as (
        select c.sacco_id, date_trunc('month', c.made_at at time zone 'Africa/Nairobi')::date as month, m.measure, m.days,
          count(*) as complaints
        from complaints c
        cross join lateral (values
          ('received', 0::numeric, c.made_at),
          ('escalated', 0, c.escalated_at),
          ('answered', floor(extract(epoch from c.first_answer_at - c.made_at) / 86400), c.first_answer_at),
          ('ended', floor(extract(epoch from c.ended_at - c.made_at) / 86400), c.ended_at)
        ) raw (measure, days, at)
        cross join lateral (select raw.measure, least(raw.days, 366)::smallint as days) m
        where c.is_counted and raw.at is not null
        group by 1, 2, 3, 4
      )
      select sacco_id, month, measure, days, coalesce(k.complaints, 0) as counted, coalesce(f.complaints, 0) as complaints
      from complaint_counts k full join found f using (sacco_id, month, measure, days)
      where k.complaints is distinct from f.complaints
      limit ${breachesShown}`,
  },
];
