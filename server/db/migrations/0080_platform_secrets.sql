-- Secrets that the platform makes for itself once and every process shares, such as the part of the call-back address
-- that nobody can guess.
create table platform_secrets (
  name text primary key,
  value text not null check (length(value) >= 32),
  created_at timestamptz not null
);
revoke update, delete on platform_secrets from ushirika_app;
