-- What M-Pesa tells us is believed by more than the address it came to (docs/decisions/118).

-- The ConversationIDs under which M-Pesa took our question, the newest last: an answer that carries none of them is
-- nobody's answer to us.
alter table status_queries add column conversation_ids text[] not null default '{}';
-- An answer that does not fit what we know of the thing, kept until M-Pesa gives the same one again.
alter table status_queries add column doubted jsonb;

-- What M-Pesa's own result said of a payout, until transaction status has been asked.
alter table withdrawals add column told_code text check (length(told_code) <= 40);

-- When M-Pesa's list of payments named this one, with the account number that the payer typed. Before that, its account
-- number is a callback's word.
alter table paybill_payments add column listed_at timestamptz;
create index paybill_payments_reported on paybill_payments (received_at) where state = 'reported';

-- How far the list of payments has been read; and until when it is left alone, where M-Pesa refuses us the list.
create table mpesa_lists (
  shortcode text primary key,
  read_to timestamptz,
  refused_until timestamptz
);

-- By which transaction status names the prompt that a payment answered.
create index deposits_by_merchant_request on deposits (merchant_request_id) where merchant_request_id is not null;
create index status_queries_by_receipt on status_queries (receipt, created_at) where receipt is not null;
create index status_queries_by_about on status_queries (about_id) where about_id is not null;
