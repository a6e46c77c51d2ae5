-- One row for each Idempotency-Key of a user: claimed in the transaction of the act itself, so that a key and its
-- effect are there together or not at all. The reply is filled in before that transaction commits.
create table idempotency_keys (
  user_id uuid not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  -- SHA-256 of the request's parameters and body: the same key with another request is refused.
  request_hash bytea not null check (length(request_hash) = 32),
  status integer check (status between 200 and 599),
  -- json, not jsonb: the first answer comes back to the letter, its fields in their order.
  reply json,
  created_at timestamptz not null,
  primary key (user_id, key)
);
comment on table idempotency_keys is 'Pruned after 24 hours; the ledger''s own keys are kept for ever.';
create index idempotency_keys_created_at on idempotency_keys (created_at);
