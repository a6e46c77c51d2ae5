-- Money that names a loan goes to that loan at once, and to no other person's (domain: loans; docs/decisions/146 and 210).

-- Numbers of loans begin with a 6 from now on. Nine digits that begin with a 7 are also a Kenyan phone without its 0.
create or replace function new_loan_number() returns text
  language plpgsql volatile set search_path = public, pg_temp
as $$
declare
  body text := '6' || lpad(((nextval('loan_number_counter') * 6291469 + 3141593) % 10000000)::text, 7, '0');
begin
  return body || damm_digit(body);
end
$$;
create or replace function loan_is_named() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.number !~ '^[67][0-9]{8}$' or damm_digit(new.number) <> '0' or new.terms_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'a loan has a number with its check digit, and the hash of its terms' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- The one open loan of a borrower whose number is in a payer's words, with blanks or hyphens between its digits or without: LOAN 612 345 678.
-- Null where the words name none, or several.
create function loan_named(borrower uuid, words text) returns uuid
  language sql stable set search_path = public, pg_temp
as $$
  select case when count(*) = 1 then (array_agg(id))[1] end from loans
  where borrower_id = borrower and disbursed_at is not null and closed_at is null
    and number = any (
      regexp_split_to_array(words, '\D+') || regexp_split_to_array(regexp_replace(words, '(\d)[ -]+(?=\d)', '\1', 'g'), '\D+'))
$$;
revoke execute on function loan_named from public;
grant execute on function loan_named to ushirika_app;

-- As a payment is credited to the person who borrowed, it is noted for the loan that it names.
create or replace function paybill_is_for_loan() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into loan_paybills (receipt, loan_id, amount_cents)
  select new.receipt, named.id, new.amount_cents
  from mpesa_receipts m, loan_named(m.user_id, new.account_reference) as named (id)
  where m.receipt = new.receipt and m.credited_to = 'wallet' and m.deposit_id is null and m.amount_cents = new.amount_cents
    and named.id is not null
  on conflict do nothing;
  return null;
end
$$;
create or replace function receipt_is_for_loan() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into loan_paybills (receipt, loan_id, amount_cents)
  select new.receipt, named.id, new.amount_cents
  from paybill_payments p, loan_named(new.user_id, p.account_reference) as named (id)
  where p.receipt = new.receipt and p.amount_cents = new.amount_cents and named.id is not null
  on conflict do nothing;
  return null;
end
$$;

-- Such money is in the wallet until the loan has it: a job fetches it as soon as it is there, before its owner could take it away.
create function money_for_loans_came() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform enqueue_jobs('repay_by_mpesa', array['{}'::json], now(), null, null, false);
  return null;
end
$$;
create trigger money_for_loans_came after insert on loan_paybills
  for each row execute function money_for_loans_came();
