-- What was recorded of where members live before the vote on a dividend was published counts for it (domain: dividends; docs/decisions/211). One
-- official tripled members' tax by a record of the last second before it was declared.
alter table dividends add column residence_at timestamptz;
alter table dividends disable trigger dividend_stays;
update dividends set residence_at = declared_at;
alter table dividends enable trigger dividend_stays;
alter table dividends alter column residence_at set not null, add check (residence_at <= declared_at);

-- As in 0232, but by the moment of the publication.
create or replace function dividends_of(person uuid)
  returns table (sacco_id uuid, sacco text, reg_no text, is_member boolean, dividend_id uuid, year smallint, share_value_cents bigint,
    share_rate integer, savings_rate integer, savings_method text, share_tax integer, savings_tax integer, record_on date,
    declared_at timestamptz, state text, share_days bigint, month_after bigint, month_of bigint, lowest_balance bigint)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.name, s.reg_no,
    exists (select from memberships m where m.sacco_id = s.id and m.user_id = person and m.state <> 'exited'),
    d.id, d.year, c.share_value_cents, d.share_rate, d.savings_rate, d.savings_method,
    case when lived_abroad(s.id, person, d.residence_at) then d.share_tax_abroad else d.share_tax end,
    case when lived_abroad(s.id, person, d.residence_at) then d.savings_tax_abroad else d.savings_tax end,
    d.record_on, d.declared_at, d.state, y.share_days, y.month_after, y.month_of, y.lowest_balance
  from year_members y
  join dividends d on d.sacco_id = y.sacco_id and d.year = y.year
  join closed_years c on c.sacco_id = y.sacco_id and c.year = y.year
  join saccos s on s.id = y.sacco_id
  where y.member_id = person and may_act_for(person)
$$;
