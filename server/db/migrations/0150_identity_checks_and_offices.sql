-- Who somebody is (domain: identity; docs/decisions/180), and offices that are taken up in an active sacco (domain: saccos;
-- docs/decisions/181).

-- Somebody's ID card was seen: by an official of one of their saccos, or by an operator; never by themselves.
create table identity_checks (
  id uuid primary key,
  user_id uuid not null references users (id),
  seen_by uuid not null references users (id),
  -- The sacco and the office in which the official saw it; null where an operator did.
  sacco_id uuid references saccos (id),
  office text collate "C" check (office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'manager')),
  document text collate "C" not null check (document in ('national_id', 'passport', 'alien_id')),
  seen_at timestamptz not null,
  -- It counts no more: it was a mistake, or the person has another name than was read then.
  ended_at timestamptz check (ended_at >= seen_at),
  end_kind text collate "C" check (end_kind in ('withdrawn', 'renamed')),
  ended_by uuid references users (id),
  end_reason text check (length(end_reason) between 5 and 500),
  constraint identity_checks_by_another check (seen_by <> user_id),
  check (ended_by <> user_id),
  check ((sacco_id is null) = (office is null)),
  check ((ended_at is null) = (end_kind is null)),
  check (num_nonnulls(ended_by, end_reason) = case when end_kind = 'withdrawn' then 2 else 0 end)
);
-- One for each sacco, and one of the operators.
create unique index identity_checks_standing on identity_checks (user_id, sacco_id) nulls not distinct
  where ended_at is null;
create index identity_checks_by_official on identity_checks (seen_by, seen_at);
create index identity_checks_by_sacco on identity_checks (sacco_id, id);
-- What was seen is not written anew; it only ends.
revoke update, delete, truncate on identity_checks from ushirika_app;
grant update (ended_at, end_kind, ended_by, end_reason) on identity_checks to ushirika_app;

-- What M-Pesa says of the name behind a confirmed phone, from its answer about the latest payment: weaker than a card.
create table mpesa_names (
  user_id uuid primary key references users (id),
  -- The phone that paid: of another one it says nothing.
  phone text not null check (phone ~ '^[1-9][0-9]{5,14}$'),
  state text collate "C" not null check (state in ('agrees', 'differs')),
  -- Of the payment.
  at timestamptz not null
);

-- Another name has to be read anew on the card and at M-Pesa, whoever changes it.
create function end_identity_of_renamed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update identity_checks set ended_at = greatest(new.updated_at, seen_at), end_kind = 'renamed'
  where user_id = new.id and ended_at is null;
  delete from mpesa_names where user_id = new.id;
  return new;
end
$$;
revoke execute on function end_identity_of_renamed from public;
create trigger end_identity_of_renamed after update of first_name, last_name on users
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function end_identity_of_renamed();
alter table users drop column id_verified_at;

select close_table('identity_checks');
select close_table('mpesa_names');
-- A person sees their own, officials what was recorded in their sacco. Only the platform writes: the person is told.
grant select on identity_checks, mpesa_names to ushirika_member;
create policy sides on identity_checks for select to ushirika_member
  using (user_id = (select person_id()) or sacco_id = any ((select my_offices())::uuid[]) or (select is_operator()));
create policy person on mpesa_names for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));

-- Two more offices. Each is held by one person, but for the committees.
alter table offices drop constraint offices_office_check;
alter table offices add constraint offices_office_check check (office in (
  'chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'supervisory_committee', 'manager'));
drop index offices_one_holder;
create unique index offices_one_holder on offices (sacco_id, office)
  where ended_at is null and office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'manager');

-- In an active sacco the chair invites, and another official confirms before anybody is looked up or sent a code.
alter table office_invitations drop constraint office_invitations_office_check;
alter table office_invitations
  add constraint office_invitations_office_check check (office in (
    'chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'supervisory_committee', 'manager')),
  add column state text collate "C" not null default 'asked'
    check (state in ('waiting', 'asked', 'refused', 'withdrawn')),
  add column confirmed_by uuid references users (id),
  add column confirmed_at timestamptz check (confirmed_at >= created_at),
  add column ended_by uuid references users (id),
  add column ended_at timestamptz check (ended_at >= created_at),
  add constraint office_invitations_by_another check (confirmed_by <> invited_by),
  add check ((confirmed_by is null) = (confirmed_at is null)),
  add check ((ended_by is null) = (ended_at is null)),
  add check ((state in ('refused', 'withdrawn')) = (ended_at is not null)),
  add check (state <> 'waiting' or confirmed_by is null and code_hash is null and accepted_at is null),
  add check (state = 'asked' or accepted_at is null);

-- Officials see whom their sacco invites, and the person sees it once it was confirmed.
drop policy person_reads on office_invitations;
create policy person_reads on office_invitations for select to ushirika_member
  using (invited_by = (select person_id()) or (select is_operator()) or sacco_id = any ((select my_offices())::uuid[])
    or state = 'asked' and id_number = (select u.id_number from users u where u.id = (select person_id())));
drop policy person_names on office_invitations;
create policy person_names on office_invitations for insert to ushirika_member
  with check (invited_by = (select person_id()) and accepted_at is null and code_hash is null and confirmed_by is null
    and ((select is_operator())
      or exists (select from saccos s
                 where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending')));
