-- The one live OAuth token of M-Pesa, shared by all processes: each request for a token kills the one before it.
-- A lease, not an open transaction, says who is fetching; a process that dies leaves a lease that runs out.
create table daraja_token (
  key text primary key check (length(key) = 64),
  token text check (token <> ''),
  expires_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  check ((token is null) = (expires_at is null)),
  check ((lease is null) = (leased_until is null))
);
