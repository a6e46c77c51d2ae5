-- What a reader found in votes (domain: voting; docs/decisions/190).

alter table proposals
  -- A vote is taken back before anybody has voted: never between its two rounds.
  add constraint proposals_cancelled_before_voting check (cancelled_at is null or round = 1) not valid,
  -- What was refused is tried again from then on.
  add column next_try_at timestamptz check (next_try_at is null or failed_at is not null),
  -- Refused for 30 days: from then on it is never carried out, and those who were told that it comes are told that it does not.
  add column expired_at timestamptz check (expired_at is null or executed_at is null and voided_at is null and given_up_at is null),
  add constraint proposals_expire_after_eta check (expired_at > eta);
drop index proposals_to_carry_out;
create index proposals_to_carry_out on proposals (eta, id)
  where eta is not null and executed_at is null and voided_at is null and given_up_at is null and expired_at is null;

-- As before, and of what expired too.
create or replace function given_up_stays() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (old.given_up_at is not null or old.expired_at is not null) and new is distinct from old then
    raise exception 'a proposal that was given up stays as it is' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- One more kind of event, beside those that are there.
do $$
declare as_it_was text;
begin
  select pg_get_constraintdef(oid) into strict as_it_was from pg_constraint
  where conrelid = 'proposal_events'::regclass and conname = 'proposal_events_kind_check';
  alter table proposal_events drop constraint proposal_events_kind_check;
  execute 'alter table proposal_events add constraint proposal_events_kind_check '
    || replace(as_it_was, 'ARRAY[', 'ARRAY[''expired''::text, ');
end
$$;

-- Nobody calls it since 0186: rolls are made by roll_standing.
drop function roll_of(uuid, timestamptz);
