-- What a thief found in rolls, ballots and elections (domain: voting; docs/decisions/190, 192, 193).

-- As before, but for the cards: those count that were seen by an official of this sacco or by an operator, and of those that ended the ones
-- that had stood for 30 days.
create or replace view roll_facts as
select m.sacco_id, m.user_id, m.joined_at,
  exists (select from operators o where o.user_id = m.user_id and o.revoked_at is null) as is_operator,
  -- Until when the ID card counts as seen.
  (select max(coalesce(c.ended_at, 'infinity')) from identity_checks c
   where c.user_id = m.user_id and (c.sacco_id is null or c.sacco_id = m.sacco_id)
     and (c.ended_at is null or c.ended_at >= c.seen_at + interval '30 days')) as seen_until,
  u.phone_confirmed_at is not null as has_phone,
  -- One operator alone takes nobody off a roll.
  exists (select from account_suspensions s
          where s.user_id = m.user_id and s.ended_at is null and s.upheld_at is not null) as is_suspended
from memberships m join users u on u.id = m.user_id
where m.state = 'active';

-- Saccos whose members could vote, and how many at most could at once. Accounts that nobody has seen do not undo it.
create table saccos_that_vote (
  sacco_id uuid primary key references saccos (id),
  since timestamptz not null,
  largest_roll integer not null check (largest_roll >= 3)
);
insert into saccos_that_vote (sacco_id, since, largest_roll)
select sacco_id, min(published_at), max(roll_size) from proposals where roll_size >= 3 group by sacco_id;
create function saccos_keep_voting() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.sacco_id, new.since) is distinct from (old.sacco_id, old.since) or new.largest_roll < old.largest_roll then
    raise exception 'members who could vote can still' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger saccos_keep_voting before update on saccos_that_vote for each row execute function saccos_keep_voting();
revoke delete, truncate on saccos_that_vote from ushirika_app;
select close_table('saccos_that_vote');

-- The name under which somebody stands: members vote for it, so it stays whatever the account is called later.
alter table election_candidates add column name text;
alter table election_candidates disable trigger candidates_stand;
update election_candidates c set name = u.first_name || ' ' || u.last_name from users u where u.id = c.member_id;
alter table election_candidates enable trigger candidates_stand;
alter table election_candidates alter column name set not null;
create function candidate_has_own_name() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  select first_name || ' ' || last_name into new.name from users where id = new.member_id;
  return new;
end
$$;
create trigger candidate_has_own_name before insert or update of words on election_candidates
  for each row execute function candidate_has_own_name();

-- Whoever counts votes removes the rows that a count wrote anew: until then the files of these tables show in which order they came.
grant maintain on secret_ballots, ballot_tokens, proposal_roll to ushirika_app;
create index proposal_rounds_counted on proposal_rounds (counted_at);

-- A published vote is taken back by two of those who have signed it: one asks, another agrees.
alter table proposals
  add column take_back_by uuid references users (id),
  add column take_back_reason text check (length(take_back_reason) between 1 and 1000),
  add constraint proposals_taken_back_once_published check (
    (take_back_by is null) = (take_back_reason is null) and (take_back_by is null or published_at is not null));
-- With those of 0187 and 0191.
alter table proposal_events drop constraint proposal_events_kind_check,
  add constraint proposal_events_kind_check check (kind in ('drafted', 'signed', 'published', 'made_secret', 'nominated', 'stood_down', 'answered',
    'extended', 'second_round', 'counted', 'held', 'released', 'voided', 'executed', 'failed', 'expired', 'take_back_asked', 'cancelled'));
