-- Anchors of the logs on a chain (domain: proofs; docs/decisions/241). Stored before the chain is called, and settled by what the chain says.
create table anchors (
  id bigint generated always as identity primary key,
  log_id bigint not null references logs (id),
  size bigint not null check (size > 0),
  root bytea not null check (length(root) = 32),
  chain_id bigint not null,
  -- The address of SaccoAnchor, in small letters.
  contract text collate "C" not null check (contract ~ '^0x[0-9a-f]{40}$'),
  -- absent: the chain does not have it, or has it no more. refused: nothing was sent, or it was taken back; `reason` says why.
  state text collate "C" not null check (state in ('pending', 'confirmed', 'absent', 'refused')),
  -- Null until it was signed.
  transaction text collate "C" check (transaction ~ '^0x[0-9a-f]{64}$'),
  reason text,
  created_at timestamptz not null,
  block bigint,
  block_at timestamptz,
  confirmed_at timestamptz,
  check ((state = 'refused') = (reason is not null)),
  check (state <> 'confirmed' or (transaction is not null and block is not null and block_at is not null and confirmed_at is not null))
);
-- Two processes never intend two anchors of one log at once.
create unique index anchors_pending on anchors (log_id) where state = 'pending';
create unique index anchors_confirmed on anchors (log_id, size, chain_id, contract) where state = 'confirmed';
create index anchors_of_log on anchors (log_id, id);
comment on table anchors is 'Where the heads of the logs stand on a chain.';
select close_table('anchors');
revoke delete, truncate on anchors from ushirika_app;

-- From then on nothing of this log is signed or anchored: the chain has another history than the database.
alter table logs add column halted_at timestamptz, add column halted_because text,
  add constraint logs_halted check ((halted_at is null) = (halted_because is null));
