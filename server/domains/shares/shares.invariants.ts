import { HOLDING_LIMIT_FROM } from '@ushirika/contract/shares';
import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of saccos, memberships, savings and shares: registers, counts and orders agree with the ledger. */
export const sharesInvariants: readonly Invariant[] = [
  {
    name: 'Every holding is the sum of its entries in the register',
    find: (sql) => sql`
      select coalesce(held.sacco_id, entered.sacco_id) as sacco_id, coalesce(held.user_id, entered.user_id) as user_id,
        held.shares as holding, entered.shares as register
      from (
        select book_id as sacco_id, owner_id as user_id, sum(balance) as shares
        from accounts a join saccos s on s.id = a.book_id
        where a.kind in ('holding', 'holding_hold') group by book_id, owner_id
      ) held
      full join (
        select sacco_id, user_id, sum(shares) as shares from share_register group by sacco_id, user_id
      ) entered on entered.sacco_id = held.sacco_id and entered.user_id = held.user_id
      where coalesce(held.shares, 0) <> coalesce(entered.shares, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'The share capital of a sacco is its shares at their value',
    find: (sql) => sql`
      select s.id as sacco_id, i.balance as shares, s.share_value_cents, c.balance as share_capital
      from saccos s
      join accounts i on i.book_id = s.id and i.kind = 'shares_issued'
      left join accounts c on c.book_id = s.id and c.kind = 'share_capital'
      where i.balance * s.share_value_cents <> coalesce(c.balance, 0)
        and (select count(distinct share_value_cents) from sacco_terms t where t.sacco_id = s.id) = 1
      limit ${breachesShown}`,
  },
  {
    name: 'Every entry of the register names the shares held after it',
    find: (sql) => sql`
      select id, sacco_id, user_id, shares_after, should_be from (
        select id, sacco_id, user_id, shares_after,
          sum(shares) over (partition by sacco_id, user_id order by place) as should_be
        from share_register
      ) entries
      where shares_after <> should_be
      limit ${breachesShown}`,
  },
  {
    name: 'Every purchase in the register is as its journal has it: when, by whom, for how much',
    find: (sql) => sql`
      select m.id as movement_id, m.journal_id
      from share_movements m join journals j on j.id = m.journal_id
      left join lateral (
        select sum(t.amount) as cents from transfers t join accounts a on a.id = t.debit_account_id
        where t.journal_id = j.id and a.kind = 'wallet' and a.owner_id = m.user_id) paid on true
      where m.moved_at <> j.posted_at or m.caused_by is distinct from j.caused_by or m.amount_cents <> coalesce(paid.cents, 0)
        or m.reason = 'bought_from_sacco' and m.counterparty is not null
      limit ${breachesShown}`,
  },
  {
    name: 'A sacco’s figures are those of its members, holdings and ratings',
    find: (sql) => sql`
      select f.sacco_id, f.members, m.members as members_found, f.share_holders, h.holders as holders_found, f.ratings,
        r.ratings as ratings_found, f.stars, r.stars as stars_found
      from sacco_figures f
      left join (
        select sacco_id, count(*) as members from memberships where state <> 'exited' group by sacco_id
      ) m on m.sacco_id = f.sacco_id
      left join (
        select book_id, count(distinct owner_id) as holders
        from accounts where kind in ('holding', 'holding_hold') and balance > 0 group by book_id
      ) h on h.book_id = f.sacco_id
      left join (
        select sacco_id, count(*) as ratings, sum(stars) as stars from sacco_ratings group by sacco_id
      ) r on r.sacco_id = f.sacco_id
      where f.members <> coalesce(m.members, 0) or f.share_holders <> coalesce(h.holders, 0)
        or f.ratings <> coalesce(r.ratings, 0) or f.stars <> coalesce(r.stars, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'A sacco counts its holders with the minimum shares, and dates the limit of one fifth by the first ten',
    find: (sql) => sql`
      with terms as (
        select sacco_id, number, valid_from, after_place, greatest(min_shares, 1) as least,
          greatest(lag(min_shares) over versions, 1) as least_before, lead(after_place) over versions as last_place
        from sacco_terms window versions as (partition by sacco_id order by number)
      ), moves as (
        select r.sacco_id, r.place, 0 as step, r.moved_at as at,
          (r.shares_after >= t.least)::int - (r.shares_after - r.shares >= t.least)::int as gained
        from share_register r
        join terms t on t.sacco_id = r.sacco_id and r.place > t.after_place and r.place <= coalesce(t.last_place, r.place)
        union all
        -- With another minimum all are counted anew.
        select t.sacco_id, t.after_place, t.number, t.valid_from, (
            select count(*) filter (where held.shares >= t.least) - count(*) filter (where held.shares >= t.least_before)
            from (select distinct on (r.user_id) r.shares_after as shares from share_register r
                  where r.sacco_id = t.sacco_id and r.place <= t.after_place order by r.user_id, r.place desc) held)
        from terms t where t.number > 1 and t.least <> t.least_before
      ), counted as (
        -- Both sides of a trade have one place: they count at once.
        select sacco_id, at, sum(gained) over (partition by sacco_id order by place, step) as holders from moves
      )
      select f.sacco_id, f.qualified_holders, coalesce(h.holders, 0) as holders_found, f.holding_limit_since,
        reached.at as reached_at
      from sacco_figures f
      left join (
        select held.book_id, count(*) as holders
        from (
          select book_id, owner_id, sum(balance) as shares from accounts where kind in ('holding', 'holding_hold')
          group by book_id, owner_id
        ) held join saccos s on s.id = held.book_id
        where held.shares >= greatest(s.min_shares, 1) group by held.book_id
      ) h on h.book_id = f.sacco_id
      left join (
        select sacco_id, min(at) as at from counted where holders >= ${HOLDING_LIMIT_FROM} group by sacco_id
      ) reached on reached.sacco_id = f.sacco_id
      where f.qualified_holders <> coalesce(h.holders, 0)
        or f.holding_limit_since is distinct from reached.at
      limit ${breachesShown}`,
  },
  {
    name: 'The terms of a sacco are those of its last version',
    find: (sql) => sql`
      select s.id, t.number from saccos s
      left join lateral (select * from sacco_terms t where t.sacco_id = s.id order by number desc limit 1) t on true
      where (s.reg_fee_cents, s.min_shares, s.share_value_cents)
        is distinct from (t.reg_fee_cents, t.min_shares, t.share_value_cents)
      limit ${breachesShown}`,
  },
  {
    name: 'The platform’s counts are those of its saccos and memberships',
    find: (sql) => sql`
      select coalesce(kept.name, found.name) as name, kept.value as kept, found.value as found
      from (select name, sum(value) as value from platform_counts group by name) kept
      full join (
        select 'saccos:' || state as name, count(*) as value from saccos group by state
        union all
        select 'members', count(*) from memberships m join saccos s on s.id = m.sacco_id
        where m.state <> 'exited' and s.state = 'active'
      ) found on found.name = kept.name
      where coalesce(kept.value, 0) <> coalesce(found.value, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'Who has left a sacco has neither savings nor shares there',
    find: (sql) => sql`
      select m.sacco_id, m.user_id, a.kind, a.balance
      from memberships m join accounts a on a.book_id = m.sacco_id and a.owner_id = m.user_id
      where m.state = 'exited' and a.kind in ('deposits', 'deposits_hold', 'holding', 'holding_hold') and a.balance <> 0
      limit ${breachesShown}`,
  },
  {
    name: 'A month of a standing order is paid exactly when its journal is posted',
    find: (sql) => sql`
      select r.order_id, r.month, r.state, j.id as journal_id
      from standing_order_runs r
      left join journals j on j.idempotency_key = 'savings_deposited:' || r.month || ':' || r.order_id
      where (r.state = 'paid') <> (j.id is not null)
      limit ${breachesShown}`,
  },
];
