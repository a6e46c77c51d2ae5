-- A vote has a number in its sacco: what the platform tells of it names its kind and its number, never words of its drafter.
-- Drafting holds the lock of the sacco, so that two drafts never take one number.
alter table proposals add column number integer check (number > 0);
alter table proposals disable trigger user;
update proposals p set number = n.number
from (select id, row_number() over (partition by sacco_id order by id) as number from proposals) n where n.id = p.id;
alter table proposals enable trigger user;
alter table proposals alter column number set not null;
alter table proposals add constraint proposals_number unique (sacco_id, number);

create function proposal_gets_number() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.number := (select coalesce(max(p.number), 0) + 1 from proposals p where p.sacco_id = new.sacco_id);
  return new;
end
$$;
create trigger proposal_gets_number before insert on proposals for each row execute function proposal_gets_number();

create function proposal_keeps_number() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'the number of a vote stays' using errcode = 'check_violation';
end
$$;
create trigger proposal_keeps_number before update of number on proposals
  for each row when (new.number is distinct from old.number) execute function proposal_keeps_number();

create or replace view votes_shown with (security_barrier) as
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
  case when t.is_told then p.take_back_by end as take_back_by,
  p.complete_at,
  p.number
from proposals p cross join lateral (select p.pool_id is null or reads_words_of(p) as is_told offset 0) t
where not (select is_person()) or p.sacco_id = any ((select my_saccos())::uuid[]);
