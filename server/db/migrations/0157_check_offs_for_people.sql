-- Check-offs that people make, check, pay and decline over HTTP (domain: loans; docs/decisions/185).

alter table check_offs
  -- Of the employer and the lines: the same list once more, while it is open, is the same check-off.
  add column list_hash text check (list_hash ~ '^[0-9a-f]{64}$'),
  -- When it came to nothing, and who took it back or declined it; nobody where time did.
  add column ended_at timestamptz,
  add column ended_by uuid references users (id),
  -- Of a refusal or of declining.
  add column reason text check (length(reason) between 3 and 500),
  -- When an SMS asked the payer. Of one sacco one goes within 24 hours, so most lists have none.
  add column payer_sms_at timestamptz,
  drop constraint check_offs_state_check,
  drop constraint check_offs_check1;
alter table check_offs
  add constraint check_offs_state_check
    check (state in ('listed', 'checked', 'refused', 'withdrawn', 'declined', 'expired', 'running', 'done')),
  add constraint check_offs_checked check (
    case when state = 'listed' then checked_by is null
         when state in ('withdrawn', 'expired') then true
         else checked_by is not null end),
  -- Who pays is not the second one of two who have seen the list.
  add constraint check_offs_checked_by check (checked_by <> payer_id),
  add constraint check_offs_ended check ((ended_at is not null) = (state in ('withdrawn', 'declined', 'expired'))),
  add constraint check_offs_ended_by check ((ended_by is not null) = (state in ('withdrawn', 'declined'))),
  add constraint check_offs_declined_by check (state <> 'declined' or ended_by = payer_id),
  add constraint check_offs_reason check (reason is null or state in ('refused', 'declined'));
create unique index check_offs_same_list on check_offs (sacco_id, payer_id, list_hash) where state in ('listed', 'checked');
create index check_offs_by_payer on check_offs (payer_id, id desc);
create index check_offs_open on check_offs (coalesce(checked_at, listed_at)) where state in ('listed', 'checked');
create index check_offs_open_by_sacco on check_offs (sacco_id, id) where state in ('listed', 'checked');
create index check_offs_by_day on check_offs (sacco_id, listed_at);
create index check_off_lines_largest on check_off_lines (check_off_id, amount_cents desc, line);

-- What became of each line: written with its chunk, in one statement. No foreign key, which would be looked up line by line: the
-- audit compares the lines and their outcomes.
create table check_off_outcomes (
  check_off_id uuid not null,
  line integer not null,
  repaid_cents bigint not null check (repaid_cents >= 0),
  returned_cents bigint not null check (returned_cents >= 0),
  primary key (check_off_id, line),
  check (repaid_cents + returned_cents > 0)
);
revoke update, delete, truncate on check_off_outcomes from ushirika_app;

create or replace function check_off_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state <> new.state and (old.state || ' ' || new.state) not in (
      'listed checked', 'listed refused', 'listed withdrawn', 'listed expired',
      'checked running', 'checked withdrawn', 'checked declined', 'checked expired', 'running done')
    or (new.id, new.sacco_id, new.payer_id, new.employer, new.amount_cents, new.lines, new.listed_by, new.listed_at, new.list_hash)
      is distinct from (old.id, old.sacco_id, old.payer_id, old.employer, old.amount_cents, old.lines, old.listed_by, old.listed_at,
        old.list_hash)
    or old.checked_by is not null and (new.checked_by, new.checked_at) is distinct from (old.checked_by, old.checked_at)
  then
    raise exception 'a check-off does not go from % to %, and its list stays', old.state, new.state
      using errcode = 'check_violation';
  end if;
  if old.state <> new.state and new.state in ('refused', 'declined') and new.reason is null then
    raise exception 'whoever says no to a check-off says why' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

select close_table('check_off_outcomes');
grant select on check_off_outcomes to ushirika_member;
-- A payer hears of a list once a second official has checked it.
drop policy sides on check_offs;
create policy sides on check_offs for select to ushirika_member
  using (payer_id = (select person_id()) and checked_by is not null and state <> 'refused'
    or sacco_id = any ((select my_offices())::uuid[]));
-- What loans took is for officials: it would tell an employer who of their people borrows.
create policy officials on check_off_outcomes for select to ushirika_member
  using (exists (select from check_offs c where c.id = check_off_id and c.sacco_id = any ((select my_offices())::uuid[])));
drop policy sides on check_off_chunks;
create policy officials on check_off_chunks for select to ushirika_member
  using (exists (select from check_offs c where c.id = check_off_id and c.sacco_id = any ((select my_offices())::uuid[])));
