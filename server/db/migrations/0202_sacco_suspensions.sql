-- Saccos that an operator has suspended (domain: saccos; docs/decisions/200).

create table sacco_suspensions (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  suspended_by uuid not null references users (id),
  suspended_at timestamptz not null,
  reason text not null check (length(reason) between 1 and 1000),
  -- One operator alone suspends until then, and no longer. Null for those from before this table: they stand until a reinstatement.
  lapses_at timestamptz check (lapses_at > suspended_at and lapses_at <= suspended_at + interval '14 days'),
  -- A second operator upholds it: then it stands until a reinstatement.
  upheld_by uuid references users (id) check (upheld_by <> suspended_by),
  upheld_at timestamptz check (upheld_at between suspended_at and lapses_at),
  upheld_reason text check (length(upheld_reason) between 5 and 500),
  ended_at timestamptz check (ended_at >= suspended_at),
  ended_because text check (ended_because in ('lapsed', 'reinstated')),
  check (num_nonnulls(upheld_by, upheld_at, upheld_reason) in (0, 3)),
  check ((ended_at is null) = (ended_because is null)),
  check (ended_because is distinct from 'lapsed' or upheld_by is null and lapses_at is not null and ended_at >= lapses_at)
);
create unique index sacco_suspensions_open on sacco_suspensions (sacco_id) where ended_at is null;
create index sacco_suspensions_by_sacco on sacco_suspensions (sacco_id, ended_at desc);
create index sacco_suspensions_to_lapse on sacco_suspensions (lapses_at) where ended_at is null and upheld_by is null;
create index sacco_suspensions_by_operator on sacco_suspensions (suspended_by, suspended_at desc);
revoke update, delete, truncate on sacco_suspensions from ushirika_app;
grant update (upheld_by, upheld_at, upheld_reason, ended_at, ended_because) on sacco_suspensions to ushirika_app;
select close_table('sacco_suspensions');

grant select, insert, update (upheld_by, upheld_at, upheld_reason, ended_at, ended_because)
  on sacco_suspensions to ushirika_member;
create policy operator_reads on sacco_suspensions for select to ushirika_member using ((select is_operator()));
create policy operator_suspends on sacco_suspensions for insert to ushirika_member
  with check ((select is_operator()) and suspended_by = (select person_id()) and lapses_at is not null and upheld_by is null
    and ended_at is null);
create policy operator_decides on sacco_suspensions for update to ushirika_member
  using ((select is_operator()) and ended_at is null)
  with check (case when ended_at is null then upheld_by = (select person_id()) else ended_because = 'reinstated' end);

insert into sacco_suspensions (id, sacco_id, suspended_by, suspended_at, reason)
  select gen_random_uuid(), id, state_by, state_at, coalesce(nullif(state_reason, ''), 'Suspended before this was kept.')
  from saccos where state = 'suspended';

-- Null: the platform, which ends a suspension that no second operator upheld.
alter table saccos alter column state_by drop not null;
alter table sacco_state_changes alter column changed_by drop not null;
