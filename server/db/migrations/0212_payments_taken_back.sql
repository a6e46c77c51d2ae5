-- M-Pesa may take a payment back after it was credited, and says so only when it is asked. Each receipt is asked about
-- again a few times; money that M-Pesa took back stands in suspense, as far as the wallet reaches.
alter table mpesa_receipts add column ask_again_at timestamptz;
alter table mpesa_receipts add column times_asked_again smallint not null default 0 check (times_asked_again between 0 and 9);
-- What of it stands in suspense, where that is less than was paid: the wallet held no more.
alter table mpesa_receipts add column held_cents bigint check (held_cents between 1 and amount_cents - 1);
alter table mpesa_receipts add constraint mpesa_receipts_held_out_of_wallet check (held_cents is null or credited_to <> 'wallet');
create index mpesa_receipts_to_ask_again on mpesa_receipts (ask_again_at) where ask_again_at is not null;

alter table status_queries drop constraint status_queries_purpose_check;
alter table status_queries add constraint status_queries_purpose_check
  check (purpose in ('claim', 'paybill', 'deposit', 'stray', 'withdrawal', 'reversal'));
alter table status_queries drop constraint status_queries_check2;
alter table status_queries add constraint status_queries_about
  check (about_id is not null or purpose in ('stray', 'reversal'));
drop index status_queries_over;
create index status_queries_over on status_queries (answered_at)
  where purpose in ('deposit', 'stray', 'paybill', 'reversal') and state in ('answered', 'given_up');

-- A payment may come into suspense again after it was given to somebody.
drop index money_exceptions_suspense;
create unique index money_exceptions_suspense on money_exceptions (receipt) where held_in = 'suspense' and resolved_at is null;
