-- A loan that pays another one off takes over how many new schedules that one has had (domain: loans; docs/decisions/183): else a refinancing
-- would begin a new count.

-- Of a loan and of those that it paid off.
create function new_schedules_had(loan uuid) returns integer
  language sql stable set search_path = public, pg_temp
as $$
  with recursive paid_off as (
    select l.id, l.refinances_id from loans l where l.id = new_schedules_had.loan
    union
    select l.id, l.refinances_id from paid_off p join loans l on l.id = p.refinances_id)
  select count(*)::integer from paid_off p join loan_restructures r on r.loan_id = p.id where r.state = 'in_force'
$$;

create or replace function restructure_keeps_terms() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.starts_on, new.first_due_on, new.last_due_on) is distinct from (old.starts_on, old.first_due_on, old.last_due_on)
     and (old.confirmed_by is not null or new.confirmed_by is null)
  then
    raise exception 'the dates of a new schedule are set once, when it is confirmed' using errcode = 'check_violation';
  end if;
  if new.state = 'in_force' and old.state <> 'in_force' and new_schedules_had(new.loan_id) >= 2 then
    raise exception 'a loan has two new schedules at most' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
