-- Members of a guarantor pool vote on its terms, its settings, its stewards and its old claims (domains: pools, voting; docs/decisions/198).

alter table pools add constraint pools_of_one_sacco unique (id, sacco_id);

alter table proposals
  -- The pool whose members vote; null where the members of the sacco do.
  add column pool_id uuid,
  add constraint proposals_pool_of_sacco foreign key (pool_id, sacco_id) references pools (id, sacco_id),
  drop constraint proposals_change_kind_check,
  add constraint proposals_change_kind_check check (change_kind in ('market_terms', 'referral_terms', 'complaint_terms', 'loan_product',
    'lending_authority', 'sacco_terms', 'dividend', 'official_removal', 'expulsion', 'admission', 'vote_rules', 'bylaws', 'pool_terms',
    'pool_limits', 'pool_steward', 'pool_steward_end', 'pool_write_off')),
  drop constraint proposals_rules_by_two_thirds,
  add constraint proposals_rules_by_two_thirds check (change_kind not in ('vote_rules', 'bylaws', 'pool_limits') or class = 'special'),
  -- A vote of a pool is drafted as a member, on what its members decide: by more for than against, on its settings by two thirds.
  add constraint proposals_of_pools check (
    (pool_id is not null)
      = (change_kind is not null and change_kind in ('pool_terms', 'pool_limits', 'pool_steward', 'pool_steward_end', 'pool_write_off'))
    and (pool_id is null or drafted_as is null and payload->>'pool' = pool_id::text
      and class = case change_kind when 'pool_limits' then 'special' else 'ordinary' end)),
  drop constraint proposals_about_persons,
  add constraint proposals_about_persons check (
    (about_id is not null) = (change_kind is not null
      and change_kind in ('official_removal', 'expulsion', 'admission', 'pool_steward', 'pool_steward_end'))
    and (about_id is null or ballot = 'secret'
      and class = case when change_kind in ('official_removal', 'expulsion') then 'special' else 'ordinary' end)
    -- Whoever offers to be a steward drafts it.
    and (change_kind is distinct from 'pool_steward' or about_id = drafted_by));
create index proposals_by_pool on proposals (pool_id, published_at) where pool_id is not null;

-- As before, and the pool stays too.
create or replace function proposal_stays_about() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.about_id, new.pool_id) is distinct from (old.about_id, old.pool_id)
    or new.about_id is not null and new.about_id in (new.held_by, new.voided_by)
  then
    raise exception 'a proposal does not change whom it is about, and they do not hold or void it' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

alter table proposal_off_roll
  drop constraint proposal_off_roll_reason_check,
  add constraint proposal_off_roll_reason_check
    check (reason in ('operator', 'new', 'card', 'phone', 'suspended', 'second_account', 'no_rights'));

-- Whether somebody has money in a pool by which they vote: what is under a notice that was given backs nothing new, and does not count. A
-- notice that waits in the queue backs guarantees still.
create function has_voting_money(member pool_members) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select member.position_cents > 0 and (member.notice_cents = 0 or member.position_cents > coalesce((
    select sum(w.amount_cents) from pool_withdrawals w
    where w.user_id = member.user_id and w.member_id = member.id and w.state = 'given'), 0))
$$;

-- Of each person with such money in a pool of a sacco why they are not on a roll of it that is made now; null for those who are on it. Who
-- joined it after `since` is new, whatever else they are; then who could not vote in the sacco does not in the pool.
create function pool_roll_standing(pool uuid, since timestamptz) returns table (member_id uuid, reason text)
  language sql stable set search_path = public, pg_temp
as $$
  with standing as materialized (
    select s.* from pools p cross join lateral roll_standing(p.sacco_id, pool_roll_standing.since) s where p.id = pool_roll_standing.pool)
  select m.user_id, case when m.joined_at > pool_roll_standing.since then 'new' when s.member_id is null then 'no_rights' else s.reason end
  from pool_members m left join standing s on s.member_id = m.user_id
  where m.pool_id = pool_roll_standing.pool and has_voting_money(m)
$$;

-- Whether one person would be on it, by the same rules and without making it.
create function would_vote_in_pool(pool uuid, since timestamptz, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from pool_members m join pools p on p.id = m.pool_id
    where m.pool_id = would_vote_in_pool.pool and m.user_id = person and m.joined_at <= would_vote_in_pool.since and has_voting_money(m)
      and would_vote(p.sacco_id, would_vote_in_pool.since, person))
$$;
revoke execute on function has_voting_money, pool_roll_standing, would_vote_in_pool from public;
grant execute on function has_voting_money, pool_roll_standing, would_vote_in_pool to ushirika_app;

-- Which vote made a version; null for the one that a pool began with.
alter table pool_parameters add column proposal_id uuid unique references proposals (id);
alter policy person_creates on pool_parameters
  with check (changed_by = (select person_id()) and proposal_id is null
    and exists (select from pools p where p.id = pool_id and p.created_by = (select person_id()) and p.state = 'FORMING'));

-- A steward's place: of whoever created the pool, or by a vote; ended by a vote.
alter table pool_stewards
  add column id uuid not null unique default gen_random_uuid(),
  add column elected_by uuid unique references proposals (id),
  add column ended_by uuid references proposals (id),
  add check (ended_by is null or until is not null);
alter policy person_creates on pool_stewards
  with check (user_id = (select person_id()) and elected_by is null
    and exists (select from pools p where p.id = pool_id and p.created_by = (select person_id()) and p.state = 'FORMING'));

-- A place ends, and nothing else of it changes.
revoke update, delete, truncate on pool_stewards from ushirika_app;
grant update (until, ended_by) on pool_stewards to ushirika_app;
