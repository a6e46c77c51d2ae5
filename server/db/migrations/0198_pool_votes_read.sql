-- What a cold reader found in votes of guarantor pools (domains: pools, voting; docs/decisions/198).

-- Whether the person who asks reads words and names of a vote of a pool: whom it is about, who has money in the pool or is its steward, who may
-- vote on it still, and the supervisory committee of its sacco.
create function reads_words_of(vote proposals) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select vote.about_id = person_id()
    or exists (select from pool_members m where m.pool_id = vote.pool_id and m.user_id = person_id() and m.position_cents > 0)
    or exists (
      select from pool_stewards w
      where w.pool_id = vote.pool_id and w.user_id = person_id() and w.since <= person_now()
        and (w.until is null or w.until > person_now()))
    or vote.counted_at is null and exists (
      select from proposal_roll r where r.proposal_id = vote.id and r.member_id = person_id())
    or exists (
      select from offices o
      where o.sacco_id = vote.sacco_id and o.user_id = person_id() and o.office = 'supervisory_committee' and o.ended_at is null
        and o.until > person_now())
$$;
revoke execute on function reads_words_of from public;
grant execute on function reads_words_of to ushirika_app, ushirika_member;

-- The rows of a pool's votes, with their drafts, are for them alone; so is what follows them: events and answers.
alter policy members on proposals
  using (sacco_id = any ((select my_saccos())::uuid[]) and (pool_id is null or reads_words_of(proposals)));

-- Votes as they are shown: of a pool, members of its sacco outside it see the kind, the times and the result. The platform, which shows
-- them to strangers, is told no words of a pool either. A new column of proposals is added here or it is not shown.
create view votes_shown with (security_barrier) as
select p.id, p.sacco_id, p.pool_id, p.kind, p.class, p.ballot, p.secret_demands, p.office, p.nominations_end, p.elected, p.change_kind,
  p.drafted_as, p.drafted_at, p.signatures_needed, p.signatures, p.published_at, p.rules, p.roll_size, p.round, p.opens_at, p.closes_at,
  p.is_extended, p.turnout, p.cancelled_at, p.counted_at, p.outcome, p.eta, p.held_until, p.released_at, p.voided_at, p.executed_at,
  p.failed_at, p.given_up_at, p.expired_at, p.next_try_at, t.is_told,
  case when t.is_told then p.title else '' end as title,
  case when t.is_told then p.text else '' end as text,
  case when t.is_told then p.expected end as expected,
  case when t.is_told then p.payload end as payload,
  case when t.is_told then p.about_id end as about_id,
  case when t.is_told then p.drafted_by end as drafted_by,
  case when t.is_told then p.held_by end as held_by,
  case when t.is_told then p.voided_by end as voided_by,
  case when t.is_told then p.take_back_by end as take_back_by
from proposals p cross join lateral (select p.pool_id is null or reads_words_of(p) as is_told offset 0) t
where not (select is_person()) or p.sacco_id = any ((select my_saccos())::uuid[]);
revoke all on votes_shown from public;
grant select on votes_shown to ushirika_app, ushirika_member;

-- Its times and its result need these two.
alter policy members on proposal_rounds using (exists (select from votes_shown v where v.id = proposal_id));
alter policy members on proposal_keys using (exists (select from votes_shown v where v.id = proposal_id));

-- As before, but reckoned of the members of the pool alone. The reasons are those of `roll_standing`, in its order. Without `set search_path`, so
-- that a query which asks for three stops at the third.
create or replace function pool_roll_standing(pool uuid, since timestamptz) returns table (member_id uuid, reason text)
  language sql stable
as $$
  select m.user_id,
    case when m.joined_at > pool_roll_standing.since then 'new' when f.user_id is null then 'no_rights'
         when f.is_operator then 'operator' when f.joined_at > pool_roll_standing.since then 'new'
         when f.seen_until is null or f.seen_until <= pool_roll_standing.since then 'card' when not f.has_phone then 'phone'
         when f.is_suspended then 'suspended'
         when not would_vote(p.sacco_id, pool_roll_standing.since, m.user_id) then 'second_account' end
  from pools p join pool_members m on m.pool_id = p.id left join roll_facts f on f.sacco_id = p.sacco_id and f.user_id = m.user_id
  where p.id = pool_roll_standing.pool and has_voting_money(m)
$$;

-- Pools of which three members could vote, once: from then on they give old claims up, and no steward does.
create table pools_that_vote (
  pool_id uuid primary key references pools (id),
  since timestamptz not null
);
insert into pools_that_vote (pool_id, since)
select pool_id, min(published_at) from proposals where pool_id is not null and published_at is not null group by pool_id;
revoke update, delete, truncate on pools_that_vote from ushirika_app;
select close_table('pools_that_vote');
