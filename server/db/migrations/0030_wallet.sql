-- Money in and out by M-Pesa (domain: wallet). A row stands for each intent before M-Pesa hears of it; what M-Pesa says
-- is a hint until it was asked for; the ledger moves in the transaction that writes the receipt.

create table deposits (
  id uuid primary key,
  user_id uuid not null references users (id),
  phone text not null check (phone ~ '^254[17][0-9]{8}$'),
  amount_cents bigint not null check (amount_cents between 100 and 25000000 and amount_cents % 100 = 0),
  -- The payer reads it in the prompt; a paybill notice of the same money carries it too.
  reference text not null unique check (reference ~ '^[A-Z0-9]{6,12}$'),
  -- created: not sent yet. sending: the push may or may not have reached M-Pesa; it is never made again. sent: M-Pesa
  -- took it. review: money came that does not match.
  state text not null check (
    state in ('created', 'sending', 'sent', 'paid', 'failed', 'cancelled', 'expired', 'review')
  ),
  -- How it stands, as a sentence for the person.
  explanation text check (length(explanation) between 1 and 300),
  result_code text check (length(result_code) <= 40),
  merchant_request_id text check (length(merchant_request_id) <= 100),
  checkout_request_id text unique check (length(checkout_request_id) <= 100),
  created_at timestamptz not null,
  sending_at timestamptz,
  sent_at timestamptz,
  settled_at timestamptz,
  credited_at timestamptz,
  -- What it had been taken for when the money turned out to have come.
  late_after text check (late_after in ('failed', 'cancelled', 'expired', 'review')),
  queries integer not null default 0 check (queries >= 0),
  -- When M-Pesa is asked again; null when it is not.
  next_query_at timestamptz,
  check ((state = 'paid') = (credited_at is not null)),
  check (state in ('created', 'sending', 'sent') or settled_at is not null),
  check (state = 'created' or state = 'failed' or sending_at is not null)
);
create index deposits_by_user on deposits (user_id, id desc);
create index deposits_to_query on deposits (next_query_at) where next_query_at is not null;
create index deposits_by_payment on deposits (phone, amount_cents, id desc);
create index deposits_pending on deposits (created_at) where state in ('created', 'sending', 'sent');

-- One open prompt on one phone: the row is taken over once the prompt cannot be open any more.
create table open_prompts (
  phone text primary key,
  deposit_id uuid not null references deposits (id),
  opened_at timestamptz not null
);

create table withdrawals (
  -- Also the OriginatorConversationID: the same one never pays twice.
  id uuid primary key,
  user_id uuid not null references users (id),
  phone text not null check (phone ~ '^254[17][0-9]{8}$'),
  amount_cents bigint not null check (amount_cents between 1000 and 25000000 and amount_cents % 100 = 0),
  -- created, sending, sent: the money is reserved. It stays so until M-Pesa says what became of it.
  state text not null check (state in ('created', 'sending', 'sent', 'paid', 'returned')),
  explanation text check (length(explanation) between 1 and 300),
  result_code text check (length(result_code) <= 40),
  conversation_id text unique check (length(conversation_id) <= 100),
  receipt text unique check (receipt ~ '^[A-Z0-9]{10}$'),
  receiver_name text check (length(receiver_name) <= 200),
  created_at timestamptz not null,
  sending_at timestamptz,
  sent_at timestamptz,
  settled_at timestamptz,
  next_query_at timestamptz,
  check ((state in ('paid', 'returned')) = (settled_at is not null)),
  check (state <> 'paid' or sending_at is not null)
);
create index withdrawals_by_user on withdrawals (user_id, id desc);
create index withdrawals_to_query on withdrawals (next_query_at) where next_query_at is not null;

create table receipt_claims (
  id uuid primary key,
  user_id uuid not null references users (id),
  receipt text not null check (receipt ~ '^[A-Z0-9]{10}$'),
  phone text not null check (phone ~ '^254[17][0-9]{8}$'),
  state text not null check (state in ('pending', 'credited', 'failed', 'review')),
  explanation text check (length(explanation) between 1 and 300),
  amount_cents bigint check (amount_cents > 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'pending') = (settled_at is null))
);
create index receipt_claims_by_user on receipt_claims (user_id, id desc);
-- Asking twice about the same receipt is asking once.
create unique index receipt_claims_pending on receipt_claims (user_id, receipt) where state = 'pending';

-- What somebody paid to the paybill by hand, as M-Pesa told it: verified before it is credited.
create table paybill_payments (
  id uuid primary key,
  receipt text not null unique check (receipt ~ '^[A-Z0-9]{10}$'),
  amount_cents bigint not null check (amount_cents > 0),
  -- What the payer typed.
  account_reference text not null check (length(account_reference) <= 40),
  payer_name text not null check (length(payer_name) <= 200),
  paid_at timestamptz,
  -- reported: M-Pesa is being asked. suspense: the money is real and nobody could be credited with it.
  state text not null check (state in ('reported', 'credited', 'suspense', 'unverified')),
  received_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'reported') = (settled_at is null))
);

-- Each payment in is in the books once, by whichever way it was heard of.
create table mpesa_receipts (
  receipt text primary key check (receipt ~ '^[A-Z0-9]{10}$'),
  amount_cents bigint not null check (amount_cents > 0),
  source text not null check (source in ('deposit', 'claim', 'paybill', 'stray')),
  credited_to text not null check (credited_to in ('wallet', 'suspense')),
  user_id uuid references users (id),
  deposit_id uuid unique references deposits (id),
  claim_id uuid references receipt_claims (id),
  paid_at timestamptz,
  phone text,
  credited_at timestamptz not null,
  check ((credited_to = 'wallet') = (user_id is not null))
);
create index mpesa_receipts_unattached on mpesa_receipts (phone, amount_cents) where deposit_id is null;
revoke delete on mpesa_receipts from ushirika_app;

-- What we ask M-Pesa's transaction status, which answers to a callback of its own.
create table status_queries (
  id uuid primary key,
  purpose text not null check (purpose in ('claim', 'paybill', 'deposit', 'stray', 'withdrawal')),
  -- The claim, paybill payment, deposit or withdrawal; none for money that nobody asked for.
  about_id uuid,
  receipt text check (receipt ~ '^[A-Z0-9]{10}$'),
  original_conversation_id text check (length(original_conversation_id) <= 100),
  state text not null check (state in ('waiting', 'asked', 'answered', 'given_up')),
  asks integer not null default 0 check (asks >= 0),
  next_ask_at timestamptz,
  answer jsonb,
  created_at timestamptz not null,
  asked_at timestamptz,
  answered_at timestamptz,
  check (receipt is not null or original_conversation_id is not null),
  check ((state in ('waiting', 'asked')) = (next_ask_at is not null)),
  check (about_id is not null or purpose = 'stray')
);
create unique index status_queries_open on status_queries (purpose, about_id, receipt) nulls not distinct
  where state in ('waiting', 'asked');
create index status_queries_to_ask on status_queries (next_ask_at) where next_ask_at is not null;

-- Money matters that no rule can settle, for an operator.
create table money_exceptions (
  id uuid primary key,
  kind text not null check (length(kind) between 1 and 60),
  receipt text check (receipt ~ '^[A-Z0-9]{10}$'),
  phone text,
  amount_cents bigint check (amount_cents <> 0),
  about_type text,
  about_id uuid,
  -- Where the money of it stands: nowhere in the books, in suspense, or in a member's reserve.
  held_in text not null check (held_in in ('nowhere', 'suspense', 'reserve')),
  detail jsonb not null,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  -- Null with a resolution: the platform itself found out.
  resolved_by uuid references users (id),
  resolution text check (resolution in ('credit', 'return_note', 'dismiss', 'matched')),
  reason text check (length(reason) <= 500),
  credited_user_id uuid references users (id),
  check ((resolved_at is null) = (resolution is null)),
  check (resolved_by is null or resolved_at is not null),
  check (held_in <> 'suspense' or (receipt is not null and amount_cents > 0)),
  check (held_in <> 'reserve' or about_id is not null)
);
create unique index money_exceptions_open on money_exceptions (kind, receipt, about_id) nulls not distinct
  where resolved_at is null;
create unique index money_exceptions_suspense on money_exceptions (receipt) where held_in = 'suspense';
create index money_exceptions_by_age on money_exceptions (opened_at) where resolved_at is null;
create index money_exceptions_resolved on money_exceptions (resolved_at desc) where resolved_at is not null;
revoke delete on money_exceptions from ushirika_app;

-- What M-Pesa sent, without secrets, names and whole phone numbers; kept 90 days.
create table callback_log (
  id uuid primary key,
  kind text not null check (
    kind in ('stk', 'payout_result', 'payout_timeout', 'status_result', 'status_timeout', 'c2b_confirmation', 'c2b_validation')
  ),
  -- The deposit, withdrawal or status query that the address named, whether or not there is one.
  about_id uuid,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  body jsonb not null check (length(body::text) <= 20000),
  -- What our parser made of it; null when it made nothing.
  parsed jsonb,
  deliveries integer not null default 1 check (deliveries > 0),
  received_at timestamptz not null,
  last_received_at timestamptz not null,
  unique nulls not distinct (kind, about_id, content_hash)
);
create index callback_log_by_age on callback_log (received_at);
create index callback_log_by_kind on callback_log (kind, last_received_at desc);
