-- Standing orders for savings (domain: savings). The savings themselves are in the ledger.

create table standing_orders (
  id uuid primary key,
  sacco_id uuid not null,
  user_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  day smallint not null check (day between 1 and 28),
  -- The first month in which it is carried out, `2026-12` in Nairobi.
  first_month text not null check (first_month ~ '^\d{4}-\d{2}$'),
  state text not null check (state in ('active', 'cancelled')),
  created_at timestamptz not null,
  cancelled_at timestamptz,
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id),
  check ((state = 'cancelled') = (cancelled_at is not null))
);
create unique index standing_orders_one_active on standing_orders (sacco_id, user_id) where state = 'active';
create index standing_orders_by_day on standing_orders (day, id) where state = 'active';

-- One row for each order and month: what keeps a month from being saved twice.
create table standing_order_runs (
  order_id uuid not null references standing_orders (id),
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  -- `waiting`: funds lacked; it is tried again on the next day of the same month.
  state text not null check (state in ('waiting', 'paid', 'skipped')),
  tries smallint not null check (tries between 1 and 3),
  tried_on date not null,
  settled_at timestamptz,
  reason text check (length(reason) <= 60),
  primary key (order_id, month),
  check ((state = 'waiting') = (settled_at is null))
);
create index standing_order_runs_waiting on standing_order_runs (month) where state = 'waiting';
