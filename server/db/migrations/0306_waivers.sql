-- Two officials waive penalty or interest of a loan (domain: loans; docs/decisions/221): a change by two officials that holds at once.

create or replace function pg_temp.one_more(of_table regclass, of_constraint text, kind text) returns void language plpgsql as $$
declare as_it_was text;
begin
  select pg_get_constraintdef(oid) into strict as_it_was from pg_constraint
  where conrelid = of_table and conname = of_constraint;
  execute format('alter table %s drop constraint %I', of_table, of_constraint);
  execute format('alter table %s add constraint %I %s', of_table, of_constraint,
    replace(as_it_was, 'ARRAY[', format('ARRAY[%L::text, ', kind)));
end
$$;
select pg_temp.one_more('sacco_changes', 'sacco_changes_kind_check', 'loan_waiver');
alter table sacco_changes
  drop constraint sacco_changes_wait_a_day,
  add constraint sacco_changes_wait_a_day check (kind in ('official_name', 'loan_waiver') or undo_at is not null
    or effective_at >= confirmed_at + interval '24 hours');

-- What somebody owes is no other member's to read.
drop policy insiders on sacco_changes;
create policy insiders on sacco_changes for select to ushirika_member
  using (proposed_by = (select person_id())
    or sacco_id = any ((select my_offices())::uuid[])
    or state in ('confirmed', 'in_force') and kind <> 'loan_waiver' and sacco_id = any ((select my_saccos())::uuid[])
    or sacco_id is null and exists (
      select from offices o
      where o.user_id = proposed_by and o.ended_at is null and o.sacco_id = any ((select my_offices())::uuid[])));

-- Nobody waives what they owe themselves, guarantee, or have money behind.
create function waived_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from loan_interests i
             where i.loan_id = (new.payload ->> 'loan')::uuid and i.user_id in (new.proposed_by, new.confirmed_by))
  then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger waived_by_others before update on sacco_changes
  for each row when (new.kind = 'loan_waiver' and new.confirmed_by is not null and old.confirmed_by is null)
  execute function waived_by_others();
