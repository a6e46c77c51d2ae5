-- Who is paid a dividend is checked for all rows of a statement at once: a foreign key looks up each row by a query of its own, and four of
-- them took a third of the time of a payout (domain: dividends; docs/decisions/203). What is checked is more than they did: a payment is
-- of somebody who is in the year that the dividend is of, and a receipt of somebody with a payment. Rows of `dividends` and
-- `year_members` are never deleted or renamed.
alter table dividend_payments
  drop constraint dividend_payments_dividend_id_fkey,
  drop constraint dividend_payments_member_id_fkey;
alter table dividend_receipts
  drop constraint dividend_receipts_dividend_id_fkey,
  drop constraint dividend_receipts_member_id_fkey;

-- A scalar subquery is run for each row and uses the index. The planner may turn `not exists` into a join that reads a whole year.
create function dividend_paid_to_member() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added a
    where (
      select y.member_id from dividends d join year_members y on y.sacco_id = d.sacco_id and y.year = d.year and y.member_id = a.member_id
      where d.id = a.dividend_id) is null)
  then
    raise exception 'a dividend is paid to those of its year' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger dividend_paid_to_member after insert on dividend_payments referencing new table as added
  for each statement execute function dividend_paid_to_member();

create function dividend_receipt_of_payment() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added a
    where (
      select p.member_id from dividend_payments p where p.dividend_id = a.dividend_id and p.member_id = a.member_id limit 1) is null)
  then
    raise exception 'a receipt is of a payment' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger dividend_receipt_of_payment after insert on dividend_receipts referencing new table as added
  for each statement execute function dividend_receipt_of_payment();

create function dividends_are_kept() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'what was declared, and for whom, is kept' using errcode = 'foreign_key_violation';
end
$$;
create trigger dividends_are_kept before delete or update of id on dividends
  for each statement execute function dividends_are_kept();
create trigger dividends_are_kept before delete or update of sacco_id, year, member_id on year_members
  for each statement execute function dividends_are_kept();
create trigger dividends_are_kept before delete or update of dividend_id, member_id on dividend_payments
  for each statement execute function dividends_are_kept();
create trigger dividends_are_kept before delete or update of dividend_id, member_id on dividend_receipts
  for each statement execute function dividends_are_kept();

-- The same for messages: two foreign keys, both of them to `users`, took half of the time in which many are written. Whoever writes one may
-- not see the account that it is for, so the rows are looked up as the owner.
alter table sms_messages
  drop constraint sms_messages_user_id_fkey,
  drop constraint sms_messages_caused_by_fkey;

create function sms_is_of_accounts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added a
    where a.user_id is not null and (select u.id from users u where u.id = a.user_id) is null
      or a.caused_by is not null and (select u.id from users u where u.id = a.caused_by) is null)
  then
    raise exception 'a message is for an account, and caused by one' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
revoke execute on function sms_is_of_accounts from public;
create trigger sms_is_of_accounts after insert on sms_messages referencing new table as added
  for each statement execute function sms_is_of_accounts();

create function sms_keeps_its_accounts() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'whom a message is for, and who caused it, stays' using errcode = 'foreign_key_violation';
end
$$;
create trigger sms_keeps_its_accounts before update of user_id, caused_by on sms_messages
  for each statement execute function sms_keeps_its_accounts();

create function accounts_are_kept() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'an account is kept, with its id' using errcode = 'foreign_key_violation';
end
$$;
create trigger accounts_are_kept before delete or update of id on users
  for each statement execute function accounts_are_kept();

-- Members are told that a result is held, and that it is voided (domain: voting).
alter table proposal_tellings
  drop constraint proposal_tellings_what_check,
  add constraint proposal_tellings_what_check
    check (what in ('published', 'opened', 'second_round', 'result', 'cancelled', 'held', 'voided'));
