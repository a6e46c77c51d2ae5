-- The dates of a new schedule stay as they were when borrower and guarantors were asked (domain: loans; docs/decisions/183).

-- From the confirmation on: the day on which the new schedule begins, and its first and last instalments. An offer that was confirmed
-- before has none: nobody can say yes to it any more.
alter table loan_restructures
  add column starts_on date,
  add column first_due_on date,
  add column last_due_on date,
  add check (starts_on < first_due_on and first_due_on <= last_due_on),
  add check (num_nulls(starts_on, first_due_on, last_due_on) in (0, 3)),
  add constraint restructures_dated check (starts_on is not null or confirmed_by is null) not valid;

create function restructure_keeps_dates() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.starts_on, new.first_due_on, new.last_due_on) is distinct from (old.starts_on, old.first_due_on, old.last_due_on)
     and (old.confirmed_by is not null or new.confirmed_by is null)
  then
    raise exception 'the dates of a new schedule are set once, when it is confirmed' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger restructure_keeps_dates before update on loan_restructures
  for each row execute function restructure_keeps_dates();
