-- Dividends of whoever has left a sacco, or owes it a loan in recovery (domain: dividends; docs/decisions/194).

-- Of the net amount, what guarantors and pools got back who had paid for the member's loans. `arrears_cents` is what paid those loans.
alter table dividend_receipts add column refunded_cents bigint not null default 0 check (refunded_cents >= 0);
alter table dividend_receipts add constraint dividend_receipts_parts check (arrears_cents + refunded_cents <= net_cents);

create index year_members_of_person on year_members (member_id);

-- What one person gets of the declared dividends of any sacco. Whoever has left sees no row of `closed_years` or `dividends`, which have the figures of
-- the whole sacco: this has the rates and the person's own figures, and nothing that is about others.
create function dividends_of(person uuid)
  returns table (sacco_id uuid, sacco text, reg_no text, is_member boolean, dividend_id uuid, year smallint, share_value_cents bigint,
    share_rate integer, savings_rate integer, savings_method text, share_tax integer, savings_tax integer, record_on date,
    declared_at timestamptz, state text, share_days bigint, month_after bigint, month_of bigint, lowest_balance bigint)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.name, s.reg_no,
    exists (select from memberships m where m.sacco_id = s.id and m.user_id = person and m.state <> 'exited'),
    d.id, d.year, c.share_value_cents, d.share_rate, d.savings_rate, d.savings_method, d.share_tax, d.savings_tax, d.record_on,
    d.declared_at, d.state, y.share_days, y.month_after, y.month_of, y.lowest_balance
  from year_members y
  join dividends d on d.sacco_id = y.sacco_id and d.year = y.year
  join closed_years c on c.sacco_id = y.sacco_id and c.year = y.year
  join saccos s on s.id = y.sacco_id
  where y.member_id = person and may_act_for(person)
$$;
revoke execute on function dividends_of from public;
grant execute on function dividends_of to ushirika_app, ushirika_member;
