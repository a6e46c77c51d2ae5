-- Check-off: an employer pays one sum for many members, by a list that two officials have seen (domain: loans; docs/decisions/185).

create table check_offs (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  -- Whose wallet pays the sum, and the employer as members know it.
  payer_id uuid not null references users (id),
  employer text not null check (length(employer) between 3 and 60),
  amount_cents bigint not null check (amount_cents > 0),
  lines integer not null check (lines > 0),
  state text collate "C" not null check (state in ('listed', 'checked', 'refused', 'running', 'done')),
  listed_by uuid not null references users (id),
  listed_at timestamptz not null,
  checked_by uuid references users (id),
  checked_at timestamptz,
  -- The sum is the sacco's from then on, and is shared out by a job.
  received_at timestamptz,
  finished_at timestamptz,
  unique (id, sacco_id),
  check (checked_by <> listed_by),
  check ((checked_by is null) = (state = 'listed')),
  check ((checked_at is null) = (checked_by is null)),
  check ((received_at is not null) = (state in ('running', 'done'))),
  check ((finished_at is not null) = (state = 'done'))
);
create index check_offs_by_sacco on check_offs (sacco_id, id desc);
create index check_offs_running on check_offs (id) where state = 'running';

-- One line for each member.
create table check_off_lines (
  check_off_id uuid not null references check_offs (id),
  line integer not null check (line > 0),
  member_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (check_off_id, line),
  unique (check_off_id, member_id)
);

-- What one transaction shares out. It commits with its mark, so a chunk is paid once whatever is cut off, and two that run at once
-- take different chunks.
create table check_off_chunks (
  check_off_id uuid not null references check_offs (id),
  first_line integer not null,
  last_line integer not null check (last_line >= first_line),
  state text collate "C" not null check (state in ('waiting', 'paid', 'told')),
  -- Of its lines' sum: what paid loans, and what went to the members' wallets.
  repayments integer not null default 0 check (repayments >= 0),
  repaid_cents bigint not null default 0 check (repaid_cents >= 0),
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  paid_at timestamptz,
  primary key (check_off_id, first_line),
  check ((paid_at is null) = (state = 'waiting')),
  check (state <> 'waiting' or repaid_cents + returned_cents = 0)
);
create index check_off_chunks_open on check_off_chunks (check_off_id, state, first_line) where state <> 'told';

create function check_off_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state <> new.state and (old.state || ' ' || new.state)
      not in ('listed checked', 'listed refused', 'checked running', 'running done')
    or (new.id, new.sacco_id, new.payer_id, new.employer, new.amount_cents, new.lines, new.listed_by)
      is distinct from (old.id, old.sacco_id, old.payer_id, old.employer, old.amount_cents, old.lines, old.listed_by)
  then
    raise exception 'a check-off does not go from % to %, and its list stays', old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger check_off_moves_on before update on check_offs for each row execute function check_off_moves_on();

revoke delete, truncate on check_offs, check_off_chunks from ushirika_app;
revoke update, delete, truncate on check_off_lines from ushirika_app;

select close_table('check_offs'), close_table('check_off_lines'), close_table('check_off_chunks');
grant select on check_offs, check_off_lines, check_off_chunks to ushirika_member;
create policy sides on check_offs for select to ushirika_member
  using (payer_id = (select person_id()) or sacco_id = any ((select my_offices())::uuid[]));
create policy sides on check_off_lines for select to ushirika_member
  using (member_id = (select person_id()) or exists (select from check_offs c where c.id = check_off_id));
create policy sides on check_off_chunks for select to ushirika_member
  using (exists (select from check_offs c where c.id = check_off_id));
