-- A vote keeps the names that its subject and its drafter had as it was drafted (domain: voting; docs/decisions/232). Candidates have theirs.
alter table proposals add column about_name text, add column drafter_name text;
alter table proposals disable trigger user;
update proposals p set about_name = (
    select coalesce((
      select f.first_name || ' ' || f.last_name from former_names f where f.user_id = u.id and f.until > p.drafted_at order by f.until limit 1),
      u.first_name || ' ' || u.last_name) from users u where u.id = p.about_id),
  drafter_name = (
    select coalesce((
      select f.first_name || ' ' || f.last_name from former_names f where f.user_id = u.id and f.until > p.drafted_at order by f.until limit 1),
      u.first_name || ' ' || u.last_name) from users u where u.id = p.drafted_by);
alter table proposals enable trigger user;

create function vote_keeps_names() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    new.about_name := old.about_name;
    new.drafter_name := old.drafter_name;
  else
    new.about_name := (select first_name || ' ' || last_name from users where id = new.about_id);
    new.drafter_name := (select first_name || ' ' || last_name from users where id = new.drafted_by);
  end if;
  return new;
end
$$;
create trigger vote_keeps_names before insert or update on proposals for each row execute function vote_keeps_names();

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
  p.number,
  case when t.is_told then p.about_name end as about_name,
  case when t.is_told then p.drafter_name end as drafter_name
from proposals p cross join lateral (select p.pool_id is null or reads_words_of(p) as is_told offset 0) t
where not (select is_person()) or p.sacco_id = any ((select my_saccos())::uuid[]);
