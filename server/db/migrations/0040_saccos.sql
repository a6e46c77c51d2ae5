-- Saccos, what is published of them, their officials (domain: saccos).

create extension if not exists pg_trgm;

create table saccos (
  id uuid primary key,
  name text not null check (length(name) between 3 and 120),
  name_folded text collate "C" not null generated always as (lower(name)) stored,
  description text not null check (length(description) between 1 and 2000),
  reg_no text not null check (length(reg_no) between 2 and 40),
  -- Two spellings of one number are one number: `CS/1234` and `cs 1234`.
  reg_no_folded text collate "C" not null
    generated always as (regexp_replace(upper(reg_no), '[^A-Z0-9]', '', 'g')) stored
    check (length(reg_no_folded) >= 2),
  type text not null check (type in ('sacco', 'chama', 'investment_club')),
  reg_fee_cents bigint not null check (reg_fee_cents between 0 and 10000000),
  min_shares integer not null check (min_shares between 1 and 1000000),
  share_value_cents bigint not null check (share_value_cents between 1 and 100000000),
  state text not null check (state in ('pending', 'active', 'suspended', 'rejected')),
  -- What the wire says.
  status text not null generated always as (case when state = 'active' then 'active' else 'inactive' end) stored,
  state_at timestamptz not null,
  state_by uuid not null references users (id),
  state_reason text check (length(state_reason) <= 1000),
  -- Strict activation: the first operator's word; another operator's makes it active.
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  sasra_number text check (length(sasra_number) between 1 and 40),
  -- The version of the picture in sacco_logos: the start of its SHA-256.
  logo_version text check (logo_version ~ '^[0-9a-f]{16}$'),
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by is null or state = 'pending')
);
-- A rejected application holds no name and no number.
create unique index saccos_name_once on saccos (name_folded) where state <> 'rejected';
create unique index saccos_reg_no_once on saccos (reg_no_folded) where state <> 'rejected';
create index saccos_by_name on saccos (name_folded, id) where state <> 'rejected';
create index saccos_by_status_and_name on saccos (status, name_folded, id) where state <> 'rejected';
create index saccos_by_status on saccos (status, id) where state <> 'rejected';
create index saccos_by_state on saccos (state, id);
create index saccos_by_founder on saccos (created_by);
create index saccos_name_search on saccos using gin (name_folded gin_trgm_ops);

-- What changes often, kept apart so that a new member does not rewrite the sacco's indexes. Its row is the sacco's lock:
-- whoever changes a sacco's state, terms, register or membership takes it first (several: in the order of their ids).
create table sacco_figures (
  sacco_id uuid primary key references saccos (id),
  members integer not null default 0 check (members >= 0),
  share_holders integer not null default 0 check (share_holders >= 0 and share_holders <= members),
  ratings integer not null default 0 check (ratings >= 0),
  stars integer not null default 0 check (stars between ratings and 5 * ratings)
) with (fillfactor = 70);
create index sacco_figures_by_members on sacco_figures (members, sacco_id);

-- Re-encoded pictures only.
create table sacco_logos (
  sacco_id uuid primary key references saccos (id),
  webp bytea not null check (length(webp) between 12 and 1048576),
  created_at timestamptz not null
);

create table offices (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  user_id uuid not null references users (id),
  office text not null
    check (office in ('chair', 'secretary', 'treasurer', 'credit_committee', 'supervisory_committee')),
  since timestamptz not null,
  -- The term is three years; an office whose term is over is held by nobody.
  until timestamptz not null check (until > since),
  ended_at timestamptz check (ended_at >= since),
  recorded_by uuid not null references users (id)
);
create unique index offices_one_holder on offices (sacco_id, office)
  where ended_at is null and office in ('chair', 'secretary', 'treasurer');
create unique index offices_once on offices (sacco_id, user_id, office) where ended_at is null;
create index offices_by_user on offices (user_id) where ended_at is null;

-- Every change of a sacco's state, with who and why.
create table sacco_state_changes (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  -- Null for the registration itself.
  from_state text check (from_state in ('pending', 'active', 'suspended', 'rejected')),
  to_state text not null check (to_state in ('pending', 'active', 'suspended', 'rejected')),
  changed_by uuid not null references users (id),
  reason text check (length(reason) <= 1000),
  changed_at timestamptz not null
);
create index sacco_state_changes_by_sacco on sacco_state_changes (sacco_id, id);
revoke update, delete on sacco_state_changes from ushirika_app;

-- Counts of the whole platform, changed in the transaction of what they count. `members` is spread over shards, so that
-- two people who join at once seldom wait for each other; a count is the sum of its shards. A shard may pass below zero.
create table platform_counts (
  name text not null check (name in ('saccos:pending', 'saccos:active', 'saccos:suspended', 'saccos:rejected', 'members')),
  shard smallint not null check (shard between 0 and 31),
  value bigint not null,
  primary key (name, shard)
) with (fillfactor = 50);
insert into platform_counts (name, shard, value)
  select 'members', shard, 0 from generate_series(0, 31) as shard;
insert into platform_counts (name, shard, value)
  select 'saccos:' || state, 0, 0 from unnest(array['pending', 'active', 'suspended', 'rejected']) as state;

-- The points of the activation that a person looked at, with who, when and what they saw.
create table sacco_checks (
  sacco_id uuid not null references saccos (id),
  point text not null check (point in ('certificate', 'by_laws', 'kra_pin', 'authorisation', 'bank_proof',
                                       'register_check', 'founder_members', 'test_deposit')),
  note text not null check (length(note) between 1 and 500),
  checked_by uuid not null references users (id),
  checked_at timestamptz not null,
  primary key (sacco_id, point)
);
