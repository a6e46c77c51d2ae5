-- A draft with all its signatures that waits for another vote on the same matter does not lapse (domain: voting; docs/decisions/190).
alter table proposals
  add column complete_at timestamptz,
  -- Who took a published vote back after somebody else had asked for it.
  add column cancelled_by uuid references users (id),
  add constraint complete_after_the_draft check (complete_at >= drafted_at);
create index proposals_complete on proposals (complete_at) where complete_at is not null and published_at is null and cancelled_at is null;
-- Votes that were taken back: who did so is barred from their matter.
create index proposals_taken_back on proposals (sacco_id, cancelled_at) where published_at is not null and cancelled_at is not null;

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
  p.complete_at
from proposals p cross join lateral (select p.pool_id is null or reads_words_of(p) as is_told offset 0) t
where not (select is_person()) or p.sacco_id = any ((select my_saccos())::uuid[]);

-- As before, but what a draft finds is read again as it is published: it may have waited for a vote that changed it.
create or replace function proposal_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.id, new.sacco_id, new.kind, new.class, new.title, new.text, new.change_kind, new.payload, new.drafted_by,
      new.drafted_at) is distinct from (old.id, old.sacco_id, old.kind, old.class, old.title, old.text, old.change_kind,
      old.payload, old.drafted_by, old.drafted_at)
    or old.published_at is not null and (new.published_at, new.rules, new.roll_size, new.expected)
      is distinct from (old.published_at, old.rules, old.roll_size, old.expected)
    or old.counted_at is not null and (new.counted_at, new.outcome, new.round, new.turnout, new.closes_at)
      is distinct from (old.counted_at, old.outcome, old.round, old.turnout, old.closes_at)
    or old.cancelled_at is not null and new is distinct from old
    or old.executed_at is not null and new is distinct from old
    or old.voided_at is not null and new is distinct from old
    or old.published_at is null and new.published_at is not null and new.signatures_needed > (
      select count(*) from proposal_signatures s where s.proposal_id = new.id)
  then
    raise exception 'a proposal does not change like that' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
