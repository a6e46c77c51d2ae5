-- What one official alone cannot change (domain: saccos; docs/decisions/153): proposed by one, confirmed by another, and in
-- force a day later.
create table sacco_changes (
  id uuid primary key,
  kind text collate "C" not null check (kind in ('market_terms', 'referral_terms', 'official_name')),
  -- Null for a name: an official of any sacco in which its bearer holds an office confirms it.
  sacco_id uuid references saccos (id),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null,
  -- What is to hold, and what held when it was proposed: where that is another by then, nothing is done.
  payload jsonb not null,
  expected jsonb not null,
  state text collate "C" not null
    check (state in ('proposed', 'confirmed', 'in_force', 'withdrawn', 'refused', 'lapsed', 'outdated')),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  effective_at timestamptz,
  -- Null where nobody ended it: it took effect, or came to nothing by itself.
  ended_by uuid references users (id),
  ended_at timestamptz,
  check ((kind = 'official_name') = (sacco_id is null)),
  constraint sacco_changes_by_another check (confirmed_by <> proposed_by),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check ((confirmed_by is null) = (effective_at is null)),
  constraint sacco_changes_wait_a_day
    check (kind = 'official_name' or effective_at >= confirmed_at + interval '24 hours'),
  check ((state in ('proposed', 'confirmed')) = (ended_at is null)),
  check (state <> 'proposed' or confirmed_by is null),
  constraint sacco_changes_by_two check (state not in ('confirmed', 'in_force') or confirmed_by is not null),
  check (state <> 'in_force' or ended_at >= effective_at),
  check ((state in ('withdrawn', 'refused')) = (ended_by is not null))
);
create unique index sacco_changes_one_open on sacco_changes (sacco_id, kind)
  where state in ('proposed', 'confirmed') and sacco_id is not null;
create unique index sacco_changes_one_name on sacco_changes (proposed_by)
  where state in ('proposed', 'confirmed') and sacco_id is null;
create index sacco_changes_by_sacco on sacco_changes (sacco_id, id);
create index sacco_changes_by_person on sacco_changes (proposed_by, kind, proposed_at);
create index sacco_changes_due on sacco_changes (effective_at) where state = 'confirmed';
create index sacco_changes_lapsing on sacco_changes (proposed_at) where state = 'proposed';
revoke delete on sacco_changes from ushirika_app;

-- Officials see what waits; members what is confirmed. Nobody but the platform writes.
select close_table('sacco_changes');
grant select on sacco_changes to ushirika_member;
create policy insiders on sacco_changes for select to ushirika_member
  using (proposed_by = (select person_id())
    or sacco_id = any ((select my_offices())::uuid[])
    or state in ('confirmed', 'in_force') and sacco_id = any ((select my_saccos())::uuid[])
    or sacco_id is null and exists (
      select from offices o
      where o.user_id = proposed_by and o.ended_at is null and o.sacco_id = any ((select my_offices())::uuid[])));

-- Terms of referrals are no longer one official's to write.
drop policy official_sets on referral_terms;
revoke insert on referral_terms from ushirika_member;
