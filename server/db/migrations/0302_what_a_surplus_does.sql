-- What becomes of a payment that no instalment needs yet, as the borrower of a loan has chosen it for every way of paying (domain: loans; field
-- case M14; docs/decisions/220).
alter table loans
  add column surplus text collate "C" not null default 'shorten',
  add constraint loans_surplus check (surplus in ('shorten', 'lower_instalment', 'excuse'));
