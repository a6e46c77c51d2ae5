-- The simulated outside world (server/simulator): M-Pesa's truth and an SMS inbox. The platform's own code never reads it.
-- It outlives a kill of the process, as the real M-Pesa would (docs/decisions/030). Empty where a real M-Pesa is configured.
create schema simulator;
grant usage on schema simulator to ushirika_app;
alter default privileges in schema simulator grant select, insert, update, delete on tables to ushirika_app;

-- Keys and switches by name. The row 'lock' is what every act of the simulated world locks first.
create table simulator.setting (
  name text primary key,
  value text not null
);
insert into simulator.setting (name, value) values ('lock', '');

create table simulator.subscriber (
  phone text primary key check (phone ~ '^254[17][0-9]{8}$'),
  name text not null,
  balance_cents bigint not null check (balance_cents >= 0),
  -- Nairobi's day of the last pay-day: each new day brings the balance back up.
  paid_on date not null
);

-- The organisation's own accounts at M-Pesa. Charges may fall below zero, as the real one does.
create table simulator.organisation_account (
  name text primary key check (name in ('utility', 'charges')),
  balance_cents bigint not null,
  check (name = 'charges' or balance_cents >= 0)
);
insert into simulator.organisation_account (name, balance_cents) values ('utility', 1000000000), ('charges', 0);

create table simulator.payment (
  receipt text primary key check (receipt ~ '^[A-Z0-9]{10}$'),
  kind text not null check (kind in ('stk', 'c2b', 'b2c')),
  phone text not null references simulator.subscriber (phone),
  amount_cents bigint not null check (amount_cents > 0),
  shortcode text not null,
  account_reference text not null,
  originator_conversation_id text not null,
  conversation_id text not null,
  completed_at timestamptz not null
);
create index on simulator.payment (phone, completed_at);
create index on simulator.payment (originator_conversation_id);
create index on simulator.payment (conversation_id);

create table simulator.prompt (
  id uuid primary key,
  -- The order of arrival, which a clock that stands still cannot tell.
  ordinal bigint not null generated always as identity unique,
  merchant_request_id text not null,
  checkout_request_id text not null unique,
  phone text not null references simulator.subscriber (phone),
  amount_cents bigint not null check (amount_cents > 0),
  account_reference text not null,
  description text not null,
  callback_url text not null,
  status text not null check (status in ('open', 'approved', 'cancelled', 'timed_out', 'insufficient_funds', 'failed')),
  -- What the phone will do by itself, and when; nothing while a person is to answer.
  reaction text,
  react_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  result_code text,
  result_description text,
  receipt text unique references simulator.payment (receipt),
  queries integer not null default 0,
  faults text not null default '{}',
  check ((status = 'open') = (answered_at is null)),
  check ((status = 'approved') = (receipt is not null)),
  check ((status = 'open') = (result_code is null))
);
-- M-Pesa shows one prompt at a time on a phone.
create unique index prompt_one_open_per_phone on simulator.prompt (phone) where status = 'open';
create index on simulator.prompt (phone, created_at);

create table simulator.payout (
  originator_conversation_id text primary key,
  conversation_id text not null unique,
  phone text not null,
  amount_cents bigint not null,
  result_code text not null,
  receipt text unique references simulator.payment (receipt),
  created_at timestamptz not null,
  check ((result_code = '0') = (receipt is not null))
);

-- Every callback that M-Pesa owes, and the log of those that it made.
create table simulator.delivery (
  id uuid primary key,
  -- The order of arrival, which a clock that stands still cannot tell.
  ordinal bigint not null generated always as identity unique,
  kind text not null,
  url text not null,
  body text not null,
  status text not null check (status in ('waiting', 'sent', 'failed', 'dropped')),
  -- Held back until a younger one has gone, or for ten seconds.
  is_reordered boolean not null default false,
  created_at timestamptz not null,
  due_at timestamptz not null,
  claimed_until timestamptz,
  attempts integer not null default 0,
  answered_status integer,
  answered_at timestamptz,
  failure text
);
create index on simulator.delivery (due_at) where status = 'waiting';

create table simulator.c2b_registration (
  shortcode text primary key,
  response_type text not null check (response_type in ('Completed', 'Cancelled')),
  confirmation_url text not null,
  validation_url text not null,
  version text not null check (version in ('v1', 'v2'))
);

create table simulator.message (
  id uuid primary key,
  -- The order of arrival, which a clock that stands still cannot tell.
  ordinal bigint not null generated always as identity unique,
  phone text not null,
  sender text not null,
  text text not null,
  sent_at timestamptz not null
);
create index on simulator.message (phone, ordinal);

-- Bad luck to come: taken, oldest first, by the calls that it fits.
create table simulator.fault (
  id uuid primary key,
  -- The order of arrival, which a clock that stands still cannot tell.
  ordinal bigint not null generated always as identity unique,
  call text not null,
  phone text,
  faults text not null,
  times_left integer not null check (times_left >= 0)
);
