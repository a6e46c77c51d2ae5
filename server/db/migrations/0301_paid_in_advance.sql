-- What is paid in advance pays interest up to its day and then principal (domain: loans; field cases M2 and M14; docs/decisions/220).

-- Interest of an instalment's period that is due with later instalments; below 0 where interest of earlier periods is due with it. It stands
-- in `paid_interest_cents` too, so that principal and interest less what is paid of them is what is still due with it.
alter table loan_instalments
  add column moved_interest_cents bigint not null default 0,
  drop constraint loan_instalments_check2,
  add constraint loan_instalments_interest_paid
    check (paid_interest_cents <= interest_cents and paid_interest_cents >= moved_interest_cents);
