-- Dividends and interest on savings (domain: dividends; docs/decisions/194).

-- A kind of change is added to the list that is there: votes and changes by two officials have lists of their own.
create function pg_temp.one_more(of_table regclass, of_constraint text, kind text) returns void language plpgsql as $$
declare as_it_was text;
begin
  select pg_get_constraintdef(oid) into strict as_it_was from pg_constraint
  where conrelid = of_table and conname = of_constraint;
  execute format('alter table %s drop constraint %I', of_table, of_constraint);
  execute format('alter table %s add constraint %I %s', of_table, of_constraint,
    replace(as_it_was, 'ARRAY[', format('ARRAY[%L::text, ', kind)));
end
$$;
select pg_temp.one_more('sacco_changes', 'sacco_changes_kind_check', 'year_closing'),
  pg_temp.one_more('proposals', 'proposals_change_kind_check', 'dividend'),
  pg_temp.one_more('loan_repayments', 'loan_repayments_channel_check', 'dividend');
alter table share_movements drop constraint share_movements_reason_check;
alter table share_movements add constraint share_movements_reason_check check (reason in ('bought_from_sacco', 'dividend'));

-- What the tax law withholds, by the day from which it holds, in hundredths of a percent. Residents alone are members here.
create table withholding_rates (
  kind text collate "C" not null check (kind in ('shares', 'savings')),
  valid_from date not null,
  basis_points integer not null check (basis_points between 0 and 10000),
  primary key (kind, valid_from)
);
insert into withholding_rates (kind, valid_from, basis_points) values ('shares', '2000-01-01', 500), ('savings', '2000-01-01', 1500);

-- Below which a payout must not bring the capital of a sacco, in hundredths of a percent; where it does not bind it warns.
create table capital_minimums (
  sacco_type text collate "C" primary key check (sacco_type in ('sacco', 'chama', 'investment_club')),
  core_to_assets integer not null check (core_to_assets between 0 and 10000),
  institutional_to_assets integer not null check (institutional_to_assets between 0 and 10000),
  core_to_deposits integer not null check (core_to_deposits between 0 and 10000),
  is_binding boolean not null
);
insert into capital_minimums values ('sacco', 1000, 800, 800, true), ('chama', 1000, 800, 800, false),
  ('investment_club', 1000, 800, 800, false);

-- A year whose books are closed, once.
create table closed_years (
  sacco_id uuid not null references saccos (id),
  year smallint not null check (year between 2000 and 2199),
  closed_at timestamptz not null,
  proposed_by uuid not null references users (id),
  -- Below zero for a loss.
  surplus_cents bigint not null,
  reserve_cents bigint not null,
  distributable_cents bigint not null,
  share_value_cents bigint not null check (share_value_cents > 0),
  -- Null where nothing was moved.
  journal_id bigint references journals (id),
  -- The last member whose year is reckoned, in the order of ids; null before the first. Then what all count for together.
  reckoned_to uuid,
  reckoned_at timestamptz,
  members integer not null default 0 check (members >= 0),
  primary key (sacco_id, year),
  -- A loss that is larger than what was kept is carried into the next year.
  check (case when surplus_cents >= 0 then reserve_cents >= 0 and distributable_cents >= 0
      and surplus_cents = reserve_cents + distributable_cents
    else reserve_cents <= 0 and distributable_cents <= 0 and surplus_cents <= reserve_cents + distributable_cents end),
  check (closed_at >= make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'Africa/Nairobi'))
);
create index closed_years_to_reckon on closed_years (closed_at) where reckoned_at is null;

-- What a member's shares and savings of a closed year count for: share-days, and savings in cents × months by each way to weight them.
create table year_members (
  sacco_id uuid not null,
  year smallint not null,
  member_id uuid not null references users (id),
  share_days bigint not null check (share_days >= 0),
  month_after bigint not null check (month_after >= 0),
  month_of bigint not null check (month_of >= 0),
  lowest_balance bigint not null check (lowest_balance >= 0),
  primary key (sacco_id, year, member_id),
  foreign key (sacco_id, year) references closed_years (sacco_id, year)
);

-- What members declared of a year by vote, once. The rates are hundredths of a percent.
create table dividends (
  id uuid primary key,
  sacco_id uuid not null,
  year smallint not null,
  share_rate integer not null check (share_rate between 0 and 10000),
  savings_rate integer not null check (savings_rate between 0 and 10000),
  savings_method text collate "C" not null check (savings_method in ('month_after', 'month_of', 'lowest_balance')),
  share_tax integer not null check (share_tax between 0 and 10000),
  savings_tax integer not null check (savings_tax between 0 and 10000),
  record_on date not null,
  declared_at timestamptz not null,
  gross_cents bigint not null check (gross_cents > 0),
  tax_cents bigint not null check (tax_cents between 0 and gross_cents),
  members integer not null check (members > 0),
  journal_id bigint not null references journals (id),
  state text collate "C" not null check (state in ('declared', 'running', 'done')),
  finished_at timestamptz,
  unique (sacco_id, year),
  foreign key (sacco_id, year) references closed_years (sacco_id, year),
  check ((finished_at is not null) = (state = 'done'))
);
create index dividends_open on dividends (record_on, id) where state <> 'done';

-- What one transaction pays. It commits with its mark, so a chunk is paid once whatever is cut off, and two that run at once take
-- different chunks.
create table dividend_chunks (
  dividend_id uuid not null references dividends (id),
  first_member uuid not null,
  last_member uuid not null check (last_member >= first_member),
  state text collate "C" not null check (state in ('waiting', 'paid', 'invested', 'told')),
  paid_at timestamptz,
  primary key (dividend_id, first_member),
  check ((paid_at is null) = (state = 'waiting'))
);
create index dividend_chunks_open on dividend_chunks (dividend_id, state, first_member) where state <> 'told';

-- What a member was paid: once for each year and kind.
create table dividend_payments (
  dividend_id uuid not null references dividends (id),
  member_id uuid not null references users (id),
  kind text collate "C" not null check (kind in ('shares', 'savings')),
  gross_cents bigint not null check (gross_cents > 0),
  tax_cents bigint not null check (tax_cents between 0 and gross_cents),
  primary key (dividend_id, member_id, kind)
);

-- Where the net amounts of a member went.
create table dividend_receipts (
  dividend_id uuid not null references dividends (id),
  member_id uuid not null references users (id),
  net_cents bigint not null check (net_cents > 0),
  paid_at timestamptz not null,
  -- Of these, what paid arrears of the member's loans.
  arrears_cents bigint not null check (arrears_cents between 0 and net_cents),
  -- As it was chosen when it was paid, and how many shares that bought.
  into_shares boolean not null,
  shares integer not null default 0 check (shares >= 0 and (shares = 0 or into_shares)),
  primary key (dividend_id, member_id)
);

create table dividend_choices (
  sacco_id uuid not null references saccos (id),
  user_id uuid not null references users (id),
  into_what text collate "C" not null check (into_what in ('wallet', 'shares')),
  chosen_at timestamptz not null,
  primary key (sacco_id, user_id)
);

revoke update, delete, truncate on year_members, dividend_payments from ushirika_app;
revoke delete, truncate on closed_years, dividends, dividend_chunks, dividend_receipts, dividend_choices from ushirika_app;
revoke insert, update, delete, truncate on withholding_rates, capital_minimums from ushirika_app;

-- What was closed and declared stays; only the reckoning and the payout move on.
create function closed_year_stays() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.sacco_id, new.year, new.closed_at, new.proposed_by, new.surplus_cents, new.reserve_cents, new.distributable_cents,
      new.share_value_cents, new.journal_id)
    is distinct from (old.sacco_id, old.year, old.closed_at, old.proposed_by, old.surplus_cents, old.reserve_cents,
      old.distributable_cents, old.share_value_cents, old.journal_id)
    or old.reckoned_at is not null and new is distinct from old
  then
    raise exception 'a closed year stays as it is' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger closed_year_stays before update on closed_years for each row execute function closed_year_stays();

create function dividend_stays() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state <> new.state and (old.state || ' ' || new.state) not in ('declared running', 'running done')
    or (to_jsonb(new) - 'state' - 'finished_at') <> (to_jsonb(old) - 'state' - 'finished_at')
  then
    raise exception 'a declared dividend stays as it is' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger dividend_stays before update on dividends for each row execute function dividend_stays();

select close_table('withholding_rates'), close_table('capital_minimums'), close_table('closed_years'), close_table('year_members'),
  close_table('dividends'), close_table('dividend_chunks'), close_table('dividend_payments'), close_table('dividend_receipts'),
  close_table('dividend_choices');
-- Members read what their saccos closed and declared, and their own part of it. They choose for themselves. The platform pays.
grant select on withholding_rates, capital_minimums, closed_years, year_members, dividends, dividend_payments, dividend_receipts,
  dividend_choices to ushirika_member;
create policy all_people on withholding_rates for select to ushirika_member using (true);
create policy all_people on capital_minimums for select to ushirika_member using (true);
create policy members on closed_years for select to ushirika_member using (sacco_id = any ((select my_saccos())::uuid[]));
create policy members on dividends for select to ushirika_member using (sacco_id = any ((select my_saccos())::uuid[]));
create policy own on year_members for select to ushirika_member using (member_id = (select person_id()));
create policy own on dividend_payments for select to ushirika_member using (member_id = (select person_id()));
create policy own on dividend_receipts for select to ushirika_member using (member_id = (select person_id()));
grant insert, update on dividend_choices to ushirika_member;
create policy own on dividend_choices for select to ushirika_member using (user_id = (select person_id()));
create policy member_chooses on dividend_choices for insert to ushirika_member
  with check (user_id = (select person_id()) and sacco_id = any ((select my_saccos())::uuid[]));
create policy member_changes on dividend_choices for update to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()) and sacco_id = any ((select my_saccos())::uuid[]));
