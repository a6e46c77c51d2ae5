-- An office is taken up by the person's own hand (domain.md 4.9): the founder, or an operator, names somebody by ID number,
-- and who has that number accepts with the code of an SMS. Whether anybody has it is not looked up when it is named.
create table office_invitations (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  office text not null
    check (office in ('chair', 'secretary', 'treasurer', 'credit_committee', 'supervisory_committee')),
  -- As it was typed.
  id_number text not null check (id_number ~ '^[A-Z0-9]{5,12}$'),
  invited_by uuid not null references users (id),
  -- SHA-256 of 80 random bits; null until a job has found somebody to send them to.
  code_hash text check (length(code_hash) = 43),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  accepted_at timestamptz
);
create index office_invitations_by_id_number on office_invitations (id_number) where accepted_at is null;
create index office_invitations_by_sacco on office_invitations (sacco_id, created_at);
select close_table('office_invitations');
revoke delete on office_invitations from ushirika_app;

-- For who is asked, who asked, and operators. Accepting is the platform's act, on the strength of the code.
grant select, insert on office_invitations to ushirika_member;
create policy person_reads on office_invitations for select to ushirika_member
  using (invited_by = (select person_id()) or (select is_operator())
    or id_number = (select u.id_number from users u where u.id = (select person_id())));
create policy person_names on office_invitations for insert to ushirika_member
  with check (invited_by = (select person_id()) and accepted_at is null and code_hash is null
    and ((select is_operator())
      or exists (select from saccos s
                 where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending')));

-- A founder may still take an office up in person; nobody is put into one.
drop policy person_records on offices;
create policy person_records on offices for insert to ushirika_member
  with check (recorded_by = (select person_id()) and user_id = (select person_id())
    and exists (select from saccos s
                where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending'));
