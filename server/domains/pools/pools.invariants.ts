import { breachesShown, type Invariant } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';

/** What is always true of guarantor pools (pools-voting-anchoring.md A10), besides what the tables themselves hold. */
export const poolsInvariants: readonly Invariant[] = [
  {
    name: 'The books hold each member’s position in a pool',
    find: (sql) => sql`
      select coalesce(m.id, a.owner_id) as member, m.position_cents, a.balance
      from pool_members m
      full join (select owner_id, balance from accounts where book_id = ${PLATFORM_BOOK} and kind = 'pool_position') a
        on a.owner_id = m.id
      where coalesce(m.position_cents, 0) <> coalesce(a.balance, 0) limit ${breachesShown}`,
  },
  {
    name: 'The books hold each pool’s reserve and unearned fees',
    find: (sql) => sql`
      select p.id, p.reserve_cents, p.unearned_cents, coalesce(r.balance, 0) as reserve, coalesce(u.balance, 0) as unearned
      from pools p
      left join accounts r on r.owner_id = p.id and r.kind = 'pool_reserve' and r.book_id = ${PLATFORM_BOOK}
      left join accounts u on u.owner_id = p.id and u.kind = 'pool_fees_unearned' and u.book_id = ${PLATFORM_BOOK}
      where p.reserve_cents <> coalesce(r.balance, 0) or p.unearned_cents <> coalesce(u.balance, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'The sums of a pool are those of its members',
    find: (sql) => sql`
      select p.id, p.positions_cents, p.locked_cents, p.notice_cents + p.queued_cents as notice, p.members_count, m.*
      from pools p
      cross join lateral (
        select coalesce(sum(position_cents), 0) as positions, coalesce(sum(locked_cents), 0) as locked,
          coalesce(sum(notice_cents), 0) as noticed, count(*) filter (where position_cents > 0) as members
        from pool_members where pool_id = p.id
      ) m
      where p.positions_cents <> m.positions or p.locked_cents <> m.locked or p.notice_cents + p.queued_cents <> m.noticed
        or p.members_count <> m.members
      limit ${breachesShown}`,
  },
  {
    name: 'The sums of a pool are those of its guarantees',
    find: (sql) => sql`
      select p.id, p.guaranteed_cents, p.weighted_cents, p.guarantees_count, p.unearned_cents, c.*
      from pools p
      cross join lateral (
        select coalesce(sum(outstanding_cents), 0) as guaranteed, coalesce(sum(weighted_cents), 0) as weighted,
          count(*) filter (where outstanding_cents > 0) as guarantees,
          coalesce(sum(fee_cents - fee_earned_cents - fee_refunded_cents - fee_to_reserve_cents)
            filter (where activated_at is not null), 0) as unearned
        from pool_contracts where pool_id = p.id
      ) c
      where p.guaranteed_cents <> c.guaranteed or p.weighted_cents <> c.weighted or p.guarantees_count <> c.guarantees
        or p.unearned_cents <> c.unearned
      limit ${breachesShown}`,
  },
  {
    name: 'The days of a pool add up to the fees that its guarantees have earned and the notices that were paid',
    find: (sql) => sql`
      select p.id, d.earned, d.withdrawn, c.earned as of_guarantees, w.withdrawn as of_notices
      from pools p
      cross join lateral (
        select coalesce(sum(earned_cents), 0) as earned, coalesce(sum(withdrawn_cents), 0) as withdrawn
        from pool_days where pool_id = p.id) d
      cross join lateral (
        select coalesce(sum(fee_earned_cents), 0) as earned from pool_contracts where pool_id = p.id) c
      cross join lateral (
        select coalesce(sum(amount_cents), 0) as withdrawn from pool_withdrawals where pool_id = p.id and state = 'paid') w
      where d.earned <> c.earned or d.withdrawn <> w.withdrawn limit ${breachesShown}`,
  },
  {
    name: 'The locks of a guarantee are what is guaranteed, and those of a member what is locked',
    find: (sql) => sql`
      (select c.id, c.outstanding_cents as of_row, coalesce(sum(l.current_cents), 0) as of_locks
       from pool_contracts c left join pool_locks l on l.contract_id = c.id
       group by c.id having c.outstanding_cents <> coalesce(sum(l.current_cents), 0) limit ${breachesShown})
      union all
      (select m.id, m.locked_cents, coalesce(sum(l.current_cents), 0)
       from pool_members m left join pool_locks l on l.member_id = m.id
       group by m.id, m.locked_cents having m.locked_cents <> coalesce(sum(l.current_cents), 0) limit ${breachesShown})`,
  },
  {
    name: 'A pool guarantees no more than its capacity',
    find: (sql) => sql`
      select p.id, p.weighted_cents, p.positions_cents - p.notice_cents as equity, t.exposure_multiple
      from pools p
      cross join lateral (
        select exposure_multiple from pool_parameters where pool_id = p.id order by valid_from desc limit 1
      ) t
      where p.weighted_cents * 100 > (p.positions_cents - p.notice_cents) * t.exposure_multiple
      limit ${breachesShown}`,
  },
  {
    name: 'Nobody lost more to a guarantee than was locked, and what a pool paid is what was lost',
    find: (sql) => sql`
      select c.id, c.claim_cents, c.reserve_paid_cents, sum(l.lost_cents) as lost, sum(l.recovered_cents) as recovered
      from pool_contracts c join pool_locks l on l.contract_id = c.id
      group by c.id
      having bool_or(l.lost_cents > l.initial_cents) or c.claim_cents <> c.reserve_paid_cents + sum(l.lost_cents)
        or c.recovered_cents <> c.reserve_recovered_cents + sum(l.recovered_cents)
      limit ${breachesShown}`,
  },
  {
    name: 'The notices of a member are what is under notice',
    find: (sql) => sql`
      select m.id, m.notice_cents, coalesce(sum(w.amount_cents), 0) as notices
      from pool_members m
      left join pool_withdrawals w on w.member_id = m.id and w.state in ('queued', 'given')
      group by m.id, m.notice_cents having m.notice_cents <> coalesce(sum(w.amount_cents), 0)
      limit ${breachesShown}`,
  },
];
