-- What a thief found in votes (domain: voting; docs/decisions/190).

-- Ended checks of a person are looked for too.
create index identity_checks_by_person on identity_checks (user_id, ended_at);

-- What decides whether an active member stands on a roll, but for other accounts of theirs.
create view roll_facts as
select m.sacco_id, m.user_id, m.joined_at,
  exists (select from operators o where o.user_id = m.user_id and o.revoked_at is null) as is_operator,
  -- Until when the ID card counts as seen.
  (select max(coalesce(c.ended_at, 'infinity')) from identity_checks c where c.user_id = m.user_id) as seen_until,
  u.phone_confirmed_at is not null as has_phone,
  -- One operator alone takes nobody off a roll.
  exists (select from account_suspensions s
          where s.user_id = m.user_id and s.ended_at is null and s.upheld_at is not null) as is_suspended
from memberships m join users u on u.id = m.user_id
where m.state = 'active';
revoke all on roll_facts from public;
grant select on roll_facts to ushirika_app;

-- Of each active member of a sacco why they are not on a roll that is made now; null for those who are on it. `since` is 30 days ago. A
-- check of an ID card that ended later than that still counts: else whoever ends checks would choose who votes. Of accounts that look
-- like one person's the one that joined first has the vote. A phone that somebody gave up says nothing.
create function roll_standing(sacco uuid, since timestamptz) returns table (member_id uuid, reason text)
  language sql stable set search_path = public, pg_temp
as $$
  with judged as materialized (
    select f.user_id, f.joined_at,
      case when f.is_operator then 'operator' when f.joined_at > since then 'new'
           when f.seen_until is null or f.seen_until <= since then 'card' when not f.has_phone then 'phone'
           when f.is_suspended then 'suspended' end as reason
    from roll_facts f where f.sacco_id = roll_standing.sacco
  ), marks as (
    select j.user_id, j.joined_at, 'phone' as kind, p.phone as mark
    from judged j join users u on u.id = j.user_id cross join lateral (
      values (u.phone, u.phone_confirmed_at), (u.recovery_phone, u.recovery_phone_confirmed_at)) p (phone, confirmed_at)
    where j.reason is null and p.confirmed_at is not null
    union
    select j.user_id, j.joined_at, 'id', t.value
    from judged j join referral_traces t on t.user_id = j.user_id and t.kind = 'id' where j.reason is null
  ), later as (
    select user_id from (
      select user_id, row_number() over (partition by kind, mark order by joined_at, user_id) as place from marks) ranked
    where place > 1
  )
  select user_id, case when reason is null and user_id in (select user_id from later) then 'second_account' else reason end from judged
$$;

create or replace function roll_of(sacco uuid, since timestamptz) returns setof uuid
  language sql stable set search_path = public, pg_temp
as $$ select member_id from roll_standing(roll_of.sacco, roll_of.since) where reason is null $$;

-- Whether one person would be on the roll, by the same rules and without making it.
create or replace function would_vote(sacco uuid, since timestamptz, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  with marks as (
    select 'phone' as kind, p.phone as mark
    from users u cross join lateral (
      values (u.phone, u.phone_confirmed_at), (u.recovery_phone, u.recovery_phone_confirmed_at)) p (phone, confirmed_at)
    where u.id = person and p.confirmed_at is not null
    union
    select 'id', t.value from referral_traces t where t.user_id = person and t.kind = 'id'
  ), others as (
    select u.id from marks join users u on u.phone = marks.mark and u.phone_confirmed_at is not null where marks.kind = 'phone'
    union
    select u.id from marks join users u on u.recovery_phone = marks.mark and u.recovery_phone_confirmed_at is not null
    where marks.kind = 'phone'
    union
    select t.user_id from marks join referral_traces t on t.kind = 'id' and t.value = marks.mark where marks.kind = 'id'
  ), able as (
    select f.user_id, f.joined_at from roll_facts f
    where f.sacco_id = would_vote.sacco and f.user_id in (select id from others union select person)
      and f.joined_at <= since and f.seen_until > since and f.has_phone and not f.is_operator and not f.is_suspended
  )
  select exists (
    select from able own
    where own.user_id = person
      and not exists (select from able other where (other.joined_at, other.user_id) < (own.joined_at, own.user_id)))
$$;
revoke execute on function roll_standing, would_vote from public;
grant execute on function roll_standing, would_vote to ushirika_app;

-- Members who were active when a vote was published and are not on its roll, and why.
create table proposal_off_roll (
  proposal_id uuid not null references proposals (id),
  member_id uuid not null references users (id),
  reason text collate "C" not null check (reason in ('operator', 'new', 'card', 'phone', 'suspended', 'second_account')),
  primary key (proposal_id, member_id)
);
revoke update, delete, truncate on proposal_off_roll from ushirika_app;
select close_table('proposal_off_roll');
grant select on proposal_off_roll to ushirika_member;
create policy own on proposal_off_roll for select to ushirika_member using (member_id = (select person_id()));

-- A second round has handles of its own, and nobody can tell by the roll who had which in the first.
alter table proposal_roll
  add column round smallint not null default 1 check (round in (1, 2)),
  alter column member_id drop not null,
  add check (round = 1 or member_id is not null);

create function make_second_roll(proposal uuid, seed bytea) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare members uuid[];
begin
  select array_agg(member_id order by member_id) into members from proposal_roll where proposal_id = proposal and round = 1;
  update proposal_roll set member_id = null where proposal_id = proposal and round = 1;
  insert into proposal_roll (proposal_id, handle, member_id, round)
  select proposal, substr(sha256(seed || uuid_send(member)), 1, 16), member, 2 from unnest(members) member;
end
$$;
revoke execute on function make_second_roll from public;
grant execute on function make_second_roll to ushirika_app;

-- As before, but for the roll of a second round: made between the count of the first and the second.
create or replace function roll_is_fixed() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added r join proposals p on p.id = r.proposal_id
    where p.published_at is not null and (
      r.round = 1 or p.round <> 1 or p.counted_at is not null or p.cancelled_at is not null or not exists (
        select from proposal_rounds n where n.proposal_id = p.id and n.round = 1 and n.outcome = 'no_quorum')))
    or exists (select from added r join proposals p on p.id = r.proposal_id where p.published_at is null and r.round <> 1)
  then
    raise exception 'the roll of a published proposal is fixed' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- Signatures of those who might not sign any more do not count.
alter table proposals
  drop constraint proposals_signatures_check,
  add constraint proposals_signatures_check check (signatures >= 0);

-- What members voted on had changed meanwhile: it is never tried again.
alter table proposals add column given_up_at timestamptz
  check (given_up_at is null or failed_at is not null and executed_at is null and voided_at is null);
drop index proposals_to_carry_out;
create index proposals_to_carry_out on proposals (eta, id)
  where eta is not null and executed_at is null and voided_at is null and given_up_at is null;
create index proposals_cancelled on proposals (sacco_id, cancelled_at) where cancelled_at is not null;

create function given_up_stays() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.given_up_at is not null and new is distinct from old then
    raise exception 'a proposal that was given up stays as it is' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger given_up_stays before update on proposals for each row execute function given_up_stays();

-- Members of the roll who could not vote, since one operator had suspended them: the quorum is reckoned without them.
alter table proposal_rounds add column left_out integer not null default 0 check (left_out >= 0);

alter table proposal_tellings
  drop constraint proposal_tellings_what_check,
  add constraint proposal_tellings_what_check check (what in ('published', 'opened', 'second_round', 'result', 'cancelled'));
