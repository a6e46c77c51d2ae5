-- People, their sessions and how they prove who they are (domain: identity).

create table users (
  id uuid primary key,
  id_number text not null unique check (id_number ~ '^[A-Z0-9]{5,12}$'),
  first_name text not null check (length(first_name) between 1 and 80),
  last_name text not null check (length(last_name) between 1 and 80),
  -- E.164 digits without the plus.
  phone text not null unique check (phone ~ '^[1-9][0-9]{5,14}$'),
  phone_confirmed_at timestamptz,
  -- Where reset codes go: the phone of the registration, then each one that was confirmed. A phone that a stolen
  -- session has just written into the profile is none yet.
  recovery_phone text not null check (recovery_phone ~ '^[1-9][0-9]{5,14}$'),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  email_confirmed_at timestamptz,
  id_verified_at timestamptz,
  password_hash text not null check (password_hash like '$argon2id$%'),
  password_changed_at timestamptz not null,
  -- No money leaves before then: set by a password reset and by a confirmed change of phone.
  payout_held_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table operators (
  user_id uuid primary key references users (id),
  granted_at timestamptz not null,
  revoked_at timestamptz check (revoked_at >= granted_at)
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of the token in base64url. The token itself is nowhere.
  token_hash text not null unique check (length(token_hash) = 43),
  device text not null check (length(device) <= 100),
  address text not null check (length(address) <= 100),
  -- When this session showed a code of the authenticator app; null while it has not.
  second_factor_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  ended_at timestamptz,
  end_reason text check (
    end_reason in ('logout', 'logout_everywhere', 'ended_by_owner', 'password_reset', 'password_changed',
                   'second_factor_changed', 'operator_revoked')
  ),
  check ((ended_at is null) = (end_reason is null))
);
create index sessions_live_by_user on sessions (user_id, created_at desc) where ended_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- Addresses from which a person has signed in: failures elsewhere do not lock the owner out of these.
create table known_addresses (
  user_id uuid not null references users (id),
  address text not null check (length(address) <= 100),
  last_signed_in_at timestamptz not null,
  primary key (user_id, address)
);

-- Counted attempts, shared by all processes. An attempt is counted before it is judged and forgiven when it was right.
create table throttles (
  key text primary key check (length(key) <= 200),
  attempts integer not null check (attempts >= 0),
  window_started_at timestamptz not null,
  -- How many times in a row it has locked: each lock lasts twice as long as the one before.
  locks integer not null check (locks >= 0),
  locked_until timestamptz,
  updated_at timestamptz not null
);
create index throttles_by_age on throttles (updated_at);

-- What was typed into "forgot password". The answer does not wait for what becomes of it; a job looks, and deletes it.
create table reset_requests (
  id uuid primary key,
  id_number text not null check (length(id_number) <= 64),
  phone text not null check (phone ~ '^[1-9][0-9]{5,14}$'),
  created_at timestamptz not null
);

create table reset_codes (
  id uuid primary key,
  user_id uuid not null references users (id),
  code_hash text not null unique check (length(code_hash) = 43),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz,
  -- Burnt unused: another code of the same person was used.
  burnt_at timestamptz,
  check (used_at is null or burnt_at is null)
);
create index reset_codes_by_user on reset_codes (user_id, created_at desc);

create table phone_codes (
  id uuid primary key,
  user_id uuid not null references users (id),
  phone text not null check (phone ~ '^[1-9][0-9]{5,14}$'),
  code_hash text not null check (code_hash like '$argon2id$%'),
  tries integer not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz
);
create index phone_codes_by_user on phone_codes (user_id, created_at desc);

-- Authenticator apps (RFC 6238).
create table second_factors (
  user_id uuid primary key references users (id),
  secret bytea not null check (octet_length(secret) = 20),
  state text not null check (state in ('pending', 'on')),
  -- The time step of the last code that was accepted: the same code is not accepted twice.
  last_step bigint,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  check ((state = 'on') = (confirmed_at is not null))
);

create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash text not null check (length(code_hash) = 43),
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
