-- Guarantor pools: their terms, their stewards, what they hold (domain: pools; pools-voting-anchoring.md A2).

create table pools (
  id uuid primary key,
  -- The sacco whose members it is for; null for an open pool.
  sacco_id uuid references saccos (id),
  name text not null check (length(name) between 3 and 80),
  name_folded text collate "C" not null generated always as (lower(name)) stored,
  state text not null check (state in ('FORMING', 'OPEN', 'SUSPENDED', 'CLOSING', 'CLOSED')),
  state_at timestamptz not null,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  -- Running sums, changed with the pool's row locked and in the transaction of what they sum up. The row is the pool's
  -- lock: whoever changes a position, a lock or a guarantee takes it first.
  members_count integer not null default 0 check (members_count >= 0),
  positions_cents bigint not null default 0 check (positions_cents >= 0),
  notice_cents bigint not null default 0 check (notice_cents >= 0),
  locked_cents bigint not null default 0 check (locked_cents >= 0),
  reserve_cents bigint not null default 0 check (reserve_cents >= 0),
  guaranteed_cents bigint not null default 0 check (guaranteed_cents >= 0),
  -- Guarantees times their risk weights.
  weighted_cents bigint not null default 0 check (weighted_cents >= guaranteed_cents),
  guarantees_count integer not null default 0 check (guarantees_count >= 0),
  constraint pools_name_once unique nulls not distinct (sacco_id, name_folded),
  check (locked_cents + notice_cents <= positions_cents),
  check (state <> 'FORMING' or guarantees_count = 0),
  check (state <> 'CLOSED' or (positions_cents = 0 and guarantees_count = 0))
);
create index pools_of_sacco on pools (sacco_id, id desc);
create index pools_forming_by_creator on pools (created_by) where state = 'FORMING';
create index pools_name_search on pools using gin (name_folded gin_trgm_ops);

-- The terms and settings, from when on. The latest row that has begun holds; nothing is ever edited.
create table pool_parameters (
  pool_id uuid not null references pools (id),
  valid_from timestamptz not null,
  min_contribution_cents bigint not null check (min_contribution_cents between 100 and 1000000000),
  -- Hundredths of a percent.
  min_contribution_perc integer not null check (min_contribution_perc between 0 and 10000),
  min_member_period_days integer not null check (min_member_period_days between 0 and 1095),
  base_risk integer not null check (base_risk between 0 and 2000),
  -- Hundredths.
  risk_weight_factor integer not null check (risk_weight_factor between 0 and 300),
  min_trust_score integer not null check (min_trust_score between 0 and 100),
  exposure_multiple integer not null check (exposure_multiple between 50 and 100),
  -- Ten-thousandths.
  kink integer not null check (kink between 0 and 9999),
  max_borrower_share integer not null check (max_borrower_share between 1 and 10000),
  max_cover integer not null check (max_cover between 1 and 10000),
  max_active_per_borrower integer not null check (max_active_per_borrower between 1 and 100),
  fee_members integer not null check (fee_members between 0 and 100),
  fee_reserve integer not null check (fee_reserve between 0 and 100),
  fee_sacco integer not null check (fee_sacco between 0 and 100),
  reserve_draw integer not null check (reserve_draw between 0 and 10000),
  notice_days integer not null check (notice_days between 0 and 365),
  auto_limit_cents bigint not null check (auto_limit_cents >= 0),
  auto_limit_share integer not null check (auto_limit_share between 0 and 10000),
  rate_cap integer not null check (rate_cap between 0 and 10000),
  -- The person who created the pool, or whose vote decided.
  changed_by uuid not null references users (id),
  primary key (pool_id, valid_from),
  check (fee_members + fee_reserve + fee_sacco = 100)
);
revoke update, delete on pool_parameters from ushirika_app;

create table pool_stewards (
  pool_id uuid not null references pools (id),
  user_id uuid not null references users (id),
  since timestamptz not null,
  until timestamptz check (until > since),
  primary key (pool_id, user_id, since)
);
create unique index pool_stewards_once on pool_stewards (pool_id, user_id) where until is null;

create table pool_members (
  pool_id uuid not null references pools (id),
  user_id uuid not null references users (id),
  -- The order of joining: who gets the cent that cannot be divided, and how the member is named to others.
  sequence integer not null check (sequence >= 1),
  joined_at timestamptz not null,
  position_cents bigint not null default 0 check (position_cents >= 0),
  locked_cents bigint not null default 0 check (locked_cents >= 0),
  notice_cents bigint not null default 0 check (notice_cents >= 0),
  primary key (pool_id, user_id),
  unique (pool_id, sequence),
  check (locked_cents + notice_cents <= position_cents)
);
create index pool_members_by_user on pool_members (user_id);

create table pool_events (
  id uuid primary key,
  pool_id uuid not null references pools (id),
  kind text not null check (kind in ('created', 'state_changed', 'terms_changed', 'settings_changed')),
  from_state text check (from_state in ('FORMING', 'OPEN', 'SUSPENDED', 'CLOSING', 'CLOSED')),
  to_state text check (to_state in ('FORMING', 'OPEN', 'SUSPENDED', 'CLOSING', 'CLOSED')),
  caused_by uuid references users (id),
  at timestamptz not null,
  check ((kind in ('created', 'state_changed')) = (to_state is not null)),
  check ((kind = 'state_changed') = (from_state is not null))
);
create index pool_events_by_pool on pool_events (pool_id, id desc);
revoke update, delete on pool_events from ushirika_app;
