-- Lateness goes by instalments alone (domain: loans; docs/decisions/221). With the penalty in the sum, a payment that was smaller than the
-- penalty moved the day since which a loan was late by a month.

create or replace function asked_of_loan(
  loan uuid, day date, out rest_number smallint, out number smallint, out due_on date, out cents bigint
) language sql stable set search_path = public, pg_temp
as $$
  with unpaid as (
    select i.number, i.due_on, sum(i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents)
      over (order by i.number)::bigint as cents
    from loan_instalments i where i.loan_id = asked_of_loan.loan and i.paid_on is null
  ), asked as (
    select u.* from unpaid u
    where u.cents > (
      select t.cents from loan_tolerances t where t.valid_from <= asked_of_loan.day order by t.valid_from desc limit 1)
    order by u.number limit 1
  )
  select nullif((select min(u.number) from unpaid u), a.number), a.number, a.due_on, a.cents from (select 1) one left join asked a on true
$$;

-- Loans with a penalty: the next day's run writes their days, class and provision.
update loans l set rest_number = a.rest_number, due_number = a.number, due_on = a.due_on, due_cents = a.cents
from (
  select o.id, asked.* from loans o cross join lateral asked_of_loan(o.id, current_date) asked
  where o.state in ('active', 'in_arrears', 'defaulted', 'recovering') and o.penalty_cents > 0 and o.principal_cents > 0
) a where l.id = a.id and (l.due_number, l.due_cents) is distinct from (a.number, a.cents);
