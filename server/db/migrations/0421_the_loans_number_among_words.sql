-- The same for a payer who typed words beside the loan's number, such as LOAN 712345678: operators have said whose money it is, and the
-- number is one of that person's loans.
create or replace function receipt_is_for_loan() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into loan_paybills (receipt, loan_id, amount_cents)
  select new.receipt, l.id, new.amount_cents
  from paybill_payments p
  join loans l on l.borrower_id = new.user_id and position(l.number in regexp_replace(p.account_reference, '[^0-9]', '', 'g')) > 0
  where p.receipt = new.receipt and p.amount_cents = new.amount_cents and l.disbursed_at is not null
  on conflict do nothing;
  return null;
end
$$;
