-- A payment of a loan counts on the day it was made, wherever it was held up (domain: loans; field cases M5 and M6; docs/decisions/210).

-- The day on which it counts, where that is before the day on which it was booked.
alter table loan_repayments
  add column counts_on date,
  add constraint loan_repayments_counted check (counts_on < (paid_at at time zone 'Africa/Nairobi')::date);

-- Days after the due day in which an employer remits by law, by the day from which that holds. In them a check-off costs its members no
-- penalty.
create table employer_days (
  valid_from date primary key,
  days integer not null check (days between 0 and 60)
);
insert into employer_days (valid_from, days) values ('2000-01-01', 7);
revoke insert, update, delete, truncate on employer_days from ushirika_app;
select close_table('employer_days');

-- What stood in suspense and is credited to the borrower of the loan that its payer named goes on to that loan, as what was credited at once.
create function receipt_is_for_loan() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into loan_paybills (receipt, loan_id, amount_cents)
  select new.receipt, l.id, new.amount_cents
  from paybill_payments p join loans l on l.number = regexp_replace(p.account_reference, '[^A-Za-z0-9]', '', 'g')
  where p.receipt = new.receipt and p.amount_cents = new.amount_cents and l.borrower_id = new.user_id and l.disbursed_at is not null
  on conflict do nothing;
  return null;
end
$$;
create trigger receipt_is_for_loan after update of credited_to on mpesa_receipts for each row
  when (new.credited_to = 'wallet' and old.credited_to = 'suspense' and new.deposit_id is null) execute function receipt_is_for_loan();
