-- Who brought whom, and what it earned (domain: referrals; domain.md 4.7).

create table referral_codes (
  user_id uuid primary key references users (id),
  -- Eight characters of Crockford's base32. The row is also the lock of a referrer: whoever pays rewards takes it first.
  code text collate "C" not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  created_at timestamptz not null
);

-- What a person showed at registration, kept for a year to find one person behind two accounts. Never for anything else.
create table referral_traces (
  user_id uuid not null references users (id),
  kind text not null check (kind in ('phone', 'id', 'address')),
  value text collate "C" not null check (length(value) between 1 and 100),
  created_at timestamptz not null,
  primary key (user_id, kind)
);
create index referral_traces_by_age on referral_traces (created_at);

create table referrals (
  id uuid primary key,
  referrer_id uuid not null references users (id),
  -- Each person was brought by one other at most.
  referred_id uuid not null unique references users (id),
  created_at timestamptz not null,
  -- On the wire 'Lead', 'Joined', 'Fully Paid'.
  status text not null check (status in ('lead', 'joined', 'fully_paid')),
  joined_at timestamptz,
  fully_paid_at timestamptz,
  -- The sacco in which the person became fully paid: its marketing budget pays.
  sacco_id uuid references saccos (id),
  reward_state text not null check (reward_state in ('not_yet', 'waiting', 'paid', 'none')),
  reward_cents bigint check (reward_cents > 0),
  -- Why there is none.
  no_reward_because text check (no_reward_because in ('rewards_off', 'referrer_is_official', 'denied')),
  review text not null check (review in ('none', 'held', 'released', 'denied')),
  held_at timestamptz,
  held_because text[] not null default '{}'
    check (held_because <@ array['same_phone', 'same_id', 'same_address', 'many_from_one_address']),
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  review_reason text check (length(review_reason) between 1 and 500),
  check (referrer_id <> referred_id),
  check (status = 'lead' or joined_at is not null),
  check ((status = 'fully_paid') = (fully_paid_at is not null)),
  check ((status = 'fully_paid') = (sacco_id is not null)),
  check ((reward_state in ('waiting', 'paid')) <= (status = 'fully_paid')),
  check ((reward_state in ('waiting', 'paid')) <= (reward_cents is not null)),
  check ((reward_state = 'none') = (no_reward_because is not null)),
  check (reward_state <> 'paid' or review in ('none', 'released')),
  check ((review = 'none') = (held_at is null)),
  check ((review = 'held') <= (cardinality(held_because) > 0)),
  check ((review in ('released', 'denied')) = (reviewed_at is not null)),
  check ((reviewed_at is null) = (reviewed_by is null)),
  check ((reviewed_at is null) = (review_reason is null))
);
create index referrals_by_referrer on referrals (referrer_id, id desc);
create index referrals_under_way on referrals (id) where status <> 'fully_paid';
create index referrals_to_pay on referrals (id) where reward_state = 'waiting' and review in ('none', 'released');
create index referrals_held on referrals (id) where review = 'held';

-- Each reward that was paid: one row for each referral, for ever.
create table referral_rewards (
  referral_id uuid primary key references referrals (id),
  journal_id bigint not null unique,
  referrer_id uuid not null references users (id),
  sacco_id uuid not null references saccos (id),
  amount_cents bigint not null check (amount_cents > 0),
  -- The calendar month of Nairobi, `2026-11`: what the monthly cap counts by.
  month text collate "C" not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  paid_at timestamptz not null
);
create index referral_rewards_by_referrer on referral_rewards (referrer_id, sacco_id, month);
revoke update, delete on referral_rewards from ushirika_app;

-- What a sacco pays, from when on; without a row the defaults of referrals.rules.ts. A reward of 0 turns rewards off.
create table referral_terms (
  sacco_id uuid not null references saccos (id),
  valid_from timestamptz not null,
  reward_cents bigint not null check (reward_cents between 0 and 1000000),
  monthly_rewards_max integer not null check (monthly_rewards_max between 1 and 1000),
  changed_by uuid not null references users (id),
  primary key (sacco_id, valid_from)
);
revoke update, delete on referral_terms from ushirika_app;

-- Codes that were typed at registration and belong to nobody: noted, never in the way.
create table unknown_referral_codes (
  user_id uuid primary key references users (id),
  code text not null check (length(code) between 1 and 100),
  created_at timestamptz not null
);

-- Invitations by SMS. The sequence numbers of a day are unique and end at five, so that a sixth has no row to be.
create table invitations (
  id uuid primary key,
  inviter_id uuid not null references users (id),
  -- The calendar day of Nairobi.
  day date not null,
  number_of_day smallint not null check (number_of_day between 1 and 5),
  phone text collate "C" not null check (phone ~ '^254[17][0-9]{8}$'),
  created_at timestamptz not null,
  unique (inviter_id, day, number_of_day),
  unique (inviter_id, day, phone)
);
create index invitations_by_phone on invitations (phone, created_at);
