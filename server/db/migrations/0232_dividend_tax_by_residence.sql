-- What the law withholds of dividends and interest depends on where the member lives (domain: dividends; field case M8; docs/decisions/211).

alter table withholding_rates
  add column residence text collate "C" not null default 'kenya' check (residence in ('kenya', 'abroad')),
  drop constraint withholding_rates_pkey,
  add primary key (kind, residence, valid_from);
alter table withholding_rates alter column residence drop default;
insert into withholding_rates (kind, residence, valid_from, basis_points)
values ('shares', 'abroad', '2000-01-01', 1500), ('savings', 'abroad', '2000-01-01', 1500);

-- Where a member lives for the tax, as an official of the sacco saw it on a paper: the latest row holds. Without one they live in Kenya.
create table member_residences (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  user_id uuid not null references users (id),
  lives text collate "C" not null check (lives in ('kenya', 'abroad')),
  -- Which paper was seen.
  paper text not null check (length(paper) between 5 and 200),
  recorded_by uuid not null references users (id),
  recorded_at timestamptz not null,
  check (recorded_by <> user_id)
);
create unique index member_residences_latest on member_residences (sacco_id, user_id, recorded_at);
revoke update, delete, truncate on member_residences from ushirika_app;
select close_table('member_residences');
grant select on member_residences to ushirika_member;
create policy own on member_residences for select to ushirika_member using (user_id = (select person_id()));
create policy officials on member_residences for select to ushirika_member using (sacco_id = any ((select my_offices())::uuid[]));

-- As the law had it for members abroad when the dividend was declared. Of earlier ones all members lived in Kenya.
alter table dividends add column share_tax_abroad integer check (share_tax_abroad between 0 and 10000),
  add column savings_tax_abroad integer check (savings_tax_abroad between 0 and 10000);
alter table dividends disable trigger dividend_stays;
update dividends set share_tax_abroad = share_tax, savings_tax_abroad = savings_tax;
alter table dividends enable trigger dividend_stays;
alter table dividends alter column share_tax_abroad set not null, alter column savings_tax_abroad set not null;

-- Whether somebody lived abroad at a moment, for the tax.
create function lived_abroad(sacco uuid, person uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select may_act_for(person) and coalesce((
    select lives = 'abroad' from member_residences
    where sacco_id = sacco and user_id = person and recorded_at < at order by recorded_at desc limit 1), false)
$$;
revoke execute on function lived_abroad from public;
grant execute on function lived_abroad to ushirika_app, ushirika_member;

-- As in 0195; the taxes are those of the person.
create or replace function dividends_of(person uuid)
  returns table (sacco_id uuid, sacco text, reg_no text, is_member boolean, dividend_id uuid, year smallint, share_value_cents bigint,
    share_rate integer, savings_rate integer, savings_method text, share_tax integer, savings_tax integer, record_on date,
    declared_at timestamptz, state text, share_days bigint, month_after bigint, month_of bigint, lowest_balance bigint)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.name, s.reg_no,
    exists (select from memberships m where m.sacco_id = s.id and m.user_id = person and m.state <> 'exited'),
    d.id, d.year, c.share_value_cents, d.share_rate, d.savings_rate, d.savings_method,
    case when lived_abroad(s.id, person, d.declared_at) then d.share_tax_abroad else d.share_tax end,
    case when lived_abroad(s.id, person, d.declared_at) then d.savings_tax_abroad else d.savings_tax end,
    d.record_on, d.declared_at, d.state, y.share_days, y.month_after, y.month_of, y.lowest_balance
  from year_members y
  join dividends d on d.sacco_id = y.sacco_id and d.year = y.year
  join closed_years c on c.sacco_id = y.sacco_id and c.year = y.year
  join saccos s on s.id = y.sacco_id
  where y.member_id = person and may_act_for(person)
$$;
