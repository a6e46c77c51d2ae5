-- What is overdue on a loan counts as nothing while it is no more than a tolerance (domain: loans; field cases M3 and M4;
-- docs/decisions/221).

-- The tolerance, by the day from which it holds for what is paid.
create table loan_tolerances (
  valid_from date primary key,
  cents bigint not null check (cents between 0 and 1000)
);
insert into loan_tolerances (valid_from, cents) values ('2000-01-01', 1000);
revoke insert, update, delete, truncate on loan_tolerances from ushirika_app;
select close_table('loan_tolerances');
grant select on loan_tolerances to ushirika_member;
create policy everybody on loan_tolerances for select to ushirika_member using (true);

-- `due_number`, `due_on` and `due_cents` are of the instalment with which more than the tolerance is asked for; the cents are its own and
-- the rests before it. `rest_number` is the oldest instalment with such a rest.
alter table loans
  add column rest_number smallint,
  add constraint loans_rest_before_due check (rest_number < due_number);

-- The day on which no more than the tolerance was left of an instalment and of those before it, where that is not the day on which it was
-- paid in full: how punctual a borrower is goes by this day.
alter table loan_instalments add column met_on date;

-- With which instalment of a loan more than the tolerance is asked for. `askedOf` in arrears.rules.ts is the same.
create function asked_of_loan(
  loan uuid, day date, out rest_number smallint, out number smallint, out due_on date, out cents bigint
) language sql stable set search_path = public, pg_temp
as $$
  with unpaid as (
    select i.number, i.due_on, sum(i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents)
      over (order by i.number)::bigint as cents
    from loan_instalments i where i.loan_id = asked_of_loan.loan and i.paid_on is null
  ), asked as (
    select u.* from unpaid u join loans l on l.id = asked_of_loan.loan
    where l.penalty_cents + u.cents > (
      select t.cents from loan_tolerances t where t.valid_from <= asked_of_loan.day order by t.valid_from desc limit 1)
    order by u.number limit 1
  )
  select nullif((select min(u.number) from unpaid u), a.number), a.number, a.due_on, a.cents from (select 1) one left join asked a on true
$$;
revoke execute on function asked_of_loan from public;
grant execute on function asked_of_loan to ushirika_app;

-- Loans that are late by no more: the next day's run ends their arrears.
update loans l set rest_number = a.rest_number, due_number = a.number, due_on = a.due_on, due_cents = a.cents
from (
  select o.id, asked.* from loans o cross join lateral asked_of_loan(o.id, current_date) asked
  where o.state in ('active', 'in_arrears', 'defaulted', 'recovering') and o.due_cents <= 1000
) a where l.id = a.id;

-- As in 0180; a loan is late once more than the tolerance is overdue. Its rests from before that count with the instalment that is late.
-- Interest, arrears, penalty, class and provision of a day, for the loans of a sacco behind `after` in the order of their ids:
-- `size` of them at most. Each row is written once. The rules are those of arrears.rules.ts, and the tests hold both against each
-- other. Says what the day added, the last loan, and which borrowers are to be reminded.
create or replace function pass_loans(
  sacco uuid, day date, after uuid, size integer, at timestamptz, remind_days integer,
  out loans integer, out last uuid, out interest bigint, out penalty bigint, out provision bigint, out to_remind uuid[],
  out stopped uuid[]
) language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare locked loan_of_day[];
begin
  -- Locked by a statement of its own: the next one sees what whoever held a lock has changed. A locked row stays as it is and where it is.
  select count(*)::integer, (array_agg((each.loan).id order by (each.loan).id desc))[1], array_agg(each.loan) into loans, last, locked
  from (
    select row(l.ctid, l.id, l.state, l.principal_cents, l.accrued_through, l.period_number, l.period_starts_on, l.period_ends_on,
      l.period_interest_cents, l.period_accrued_cents, coalesce(l.rest_number, l.due_number), l.due_on, l.penalty_rate, l.provision_cents,
      l.duplum_cents - l.charged_since_default_cents, l.arrears_since, l.notices_given, l.interest_cents,
      case when l.kept_class_until > pass_loans.day then case l.kept_class
        when 'watch' then 500 when 'substandard' then 2500 when 'doubtful' then 5000 else 10000 end end)::loan_of_day as loan
    from loans l
    where l.sacco_id = pass_loans.sacco and l.id > pass_loans.after
      and l.state in ('active', 'in_arrears', 'defaulted', 'recovering')
    order by l.id limit size for no key update) each;

  with input as materialized (
    select l.*, case when l.due_on < pass_loans.day then pass_loans.day - l.due_on else 0 end as days_past_due,
      l.accrued_through < pass_loans.day and l.period_ends_on < pass_loans.day as is_over
    from unnest(locked) l
  ), late as (
    -- Instalments whose day has passed, of those who are behind.
    select l.id, sum(u.unpaid)::bigint as overdue,
      sum(case when u.days > 0 then u.unpaid * l.penalty_rate * 12 * u.days / 3650000
        - u.unpaid * l.penalty_rate * 12 * (u.days - 1) / 3650000 else 0 end)::bigint as penalty
    from input l
    cross join lateral (
      select i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents as unpaid,
        pass_loans.day - i.due_on - 5 as days
      from loan_instalments i
      where i.loan_id = l.id and i.number >= l.due_number and i.paid_on is null
        and i.due_on < greatest(pass_loans.day, l.accrued_through)) u
    where l.due_on < greatest(pass_loans.day, l.accrued_through)
    group by l.id
  ), following as (
    -- The period that begins, where one has ended.
    select l.id, i.number, i.starts_on, i.due_on, i.interest_cents,
      i.interest_cents * (pass_loans.day - i.starts_on) / (i.due_on - i.starts_on) as accrued
    from input l join loan_instalments i on i.loan_id = l.id and i.number = l.period_number + 1
    where l.is_over
  ), wanted as (
    select l.*, f.number as next_number, f.starts_on as next_starts_on, f.due_on as next_due_on,
      f.interest_cents as next_interest_cents, coalesce(t.overdue, 0) as overdue, coalesce(t.penalty, 0) as wanted_penalty,
      case when l.accrued_through >= pass_loans.day then 0
        when l.is_over then l.period_interest_cents - l.period_accrued_cents
        else greatest(0, l.period_interest_cents * (pass_loans.day - l.period_starts_on)
          / (l.period_ends_on - l.period_starts_on) - l.period_accrued_cents) end as of_period,
      coalesce(least(f.accrued, f.interest_cents), 0) as of_next
    from input l left join late t on t.id = l.id left join following f on f.id = l.id
  ), charged as (
    -- In duplum: interest first, then penalty, up to what is left.
    select w.*, c.interest, least(w.wanted_penalty, coalesce(w.duplum_left - c.interest, w.wanted_penalty)) as penalty,
      case p.rate when 100 then 'performing' when 500 then 'watch' when 2500 then 'substandard' when 5000 then 'doubtful'
        else 'loss' end as class, p.rate as provision_rate
    from wanted w
    cross join lateral (
      select greatest(w.kept_rate, case when w.days_past_due = 0 then 100 when w.days_past_due <= 30 then 500
        when w.days_past_due <= 180 then 2500 when w.days_past_due <= 360 then 5000 else 10000 end) as rate) p
    cross join lateral (
      select least(w.of_period + w.of_next, coalesce(w.duplum_left, w.of_period + w.of_next)) as interest) c
  ), result as materialized (
    -- A default of which nothing was taken ends with the arrears; a recovery does not.
    select c.*, (c.principal_cents * c.provision_rate + 9999) / 10000 as provision,
      c.state in ('in_arrears', 'defaulted') and c.days_past_due = 0 as is_cured,
      case when c.state = 'recovering' then c.arrears_since
        when c.days_past_due > 0 then coalesce(c.arrears_since, c.due_on) end as since
    from charged c
  ), written as (
    update loans l set
      state = case when r.state = 'active' and r.days_past_due > 0 then 'in_arrears'
        when r.is_cured then 'active' else l.state end,
      state_at = case when r.state = 'active' and r.days_past_due > 0 or r.is_cured then at else l.state_at end,
      interest_cents = l.interest_cents + r.interest,
      penalty_cents = l.penalty_cents + r.penalty,
      accrued_through = greatest(l.accrued_through, pass_loans.day),
      period_number = coalesce(r.next_number, l.period_number),
      period_starts_on = coalesce(r.next_starts_on, l.period_starts_on),
      period_ends_on = coalesce(r.next_due_on, l.period_ends_on),
      period_interest_cents = coalesce(r.next_interest_cents, l.period_interest_cents),
      period_accrued_cents = case when r.next_number is null then l.period_accrued_cents + r.interest
        else greatest(0, r.interest - r.of_period) end,
      overdue_cents = r.overdue,
      days_past_due = r.days_past_due,
      class = r.class,
      provision_cents = r.provision,
      charged_since_default_cents = case when l.duplum_cents is null or r.is_cured then 0
        else l.charged_since_default_cents + r.interest + r.penalty end,
      duplum_cents = case when r.is_cured then null else l.duplum_cents end,
      defaulted_at = case when r.is_cured then null else l.defaulted_at end,
      last_default_at = case when r.days_past_due > 90 or r.state in ('defaulted', 'recovering') then at
        else l.last_default_at end,
      arrears_since = r.since,
      notices_given = case when r.since is null then 0 else l.notices_given end
    from result r where l.ctid = r.place
    returning l.id
  )
  select coalesce(sum(r.interest), 0)::bigint, coalesce(sum(r.penalty), 0)::bigint,
    coalesce(sum(r.provision - r.provision_cents), 0)::bigint,
    coalesce(array_agg(r.id order by r.id) filter (
      where r.due_on = pass_loans.day + remind_days and r.state in ('active', 'in_arrears')), '{}'),
    coalesce(array_agg(r.id) filter (where case when r.interest + r.penalty = r.duplum_left then r.booked + r.interest < (
      select sum(i.interest_cents - i.paid_interest_cents) from loan_instalments i where i.loan_id = r.id) end), '{}')
  into interest, penalty, provision, to_remind, stopped
  from result r;

  -- Interest past the in-duplum stop is never owed: the instalments keep what the books have, the oldest first.
  if stopped <> '{}' then
    with unpaid as (
      select i.loan_id, i.number, i.interest_cents - i.paid_interest_cents as interest, l.interest_cents
          - sum(i.interest_cents - i.paid_interest_cents) over (partition by i.loan_id order by i.number rows unbounded preceding)
          as left_behind
      from loan_instalments i join loans l on l.id = i.loan_id
      where i.loan_id = any (stopped) and i.paid_on is null)
    update loan_instalments i
    set interest_cents = i.interest_cents - least(u.interest, -u.left_behind),
      paid_on = case when i.paid_principal_cents = i.principal_cents
        and i.paid_interest_cents = i.interest_cents - least(u.interest, -u.left_behind) then pass_loans.day end
    from unpaid u
    where i.loan_id = u.loan_id and i.number = u.number and u.left_behind < 0 and u.interest > 0;
    update loans l
    set period_interest_cents = l.period_accrued_cents, rest_number = a.rest_number, due_number = a.number, due_on = a.due_on,
      due_cents = a.cents, overdue_cents = coalesce(case when a.due_on < pass_loans.day then (
        select sum(i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents) from loan_instalments i
        where i.loan_id = l.id and i.paid_on is null and i.due_on < pass_loans.day) end, 0),
      days_past_due = case when a.due_on < pass_loans.day then pass_loans.day - a.due_on else 0 end
    from unnest(stopped) each (id) cross join lateral asked_of_loan(each.id, pass_loans.day) a
    where l.id = each.id;
  end if;
end $$;
