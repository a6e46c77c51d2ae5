import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of the records of ID cards, besides what their table itself holds. */
export const identityInvariants: readonly Invariant[] = [
  {
    name: 'Who recorded that an ID card was seen held that office at that moment, or was an operator',
    find: (sql) => sql`
      select c.id, c.user_id, c.seen_by, c.sacco_id, c.office, c.seen_at
      from identity_checks c
      where case
        -- Since when, a new grant would have overwritten.
        when c.sacco_id is null then not exists (select from operators o where o.user_id = c.seen_by)
        else not exists (
          select from offices o
          where o.sacco_id = c.sacco_id and o.user_id = c.seen_by and o.office = c.office and o.since <= c.seen_at
            and o.until >= c.seen_at and coalesce(o.ended_at >= c.seen_at, true)) end
      limit ${breachesShown}`,
  },
  {
    name: 'Nobody holds an office by an invitation that no second official and no operator stands behind',
    find: (sql) => sql`
      select i.id, i.sacco_id, i.office, i.invited_by
      from office_invitations i join saccos s on s.id = i.sacco_id
      where i.accepted_at is not null and i.confirmed_by is null and i.invited_by <> s.created_by
        and not exists (select from operators o where o.user_id = i.invited_by)
      limit ${breachesShown}`,
  },
];
