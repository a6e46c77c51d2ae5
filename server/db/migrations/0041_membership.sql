-- Who belongs to which sacco, and how one leaves (domain: membership).

create table memberships (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  user_id uuid not null references users (id),
  state text not null check (state in ('provisional', 'active', 'leaving', 'exited')),
  state_at timestamptz not null,
  -- Of the latest joining; somebody who left may come back.
  joined_at timestamptz not null,
  joinings integer not null default 1 check (joinings >= 1),
  -- When the minimum shares were paid: a member's rights start then.
  paid_up_at timestamptz,
  unique (sacco_id, user_id),
  check (state <> 'active' or paid_up_at is not null),
  check (state <> 'provisional' or paid_up_at is null)
);
create index memberships_by_user on memberships (user_id);
create index memberships_by_sacco on memberships (sacco_id, id) where state <> 'exited';

create table exit_requests (
  id uuid primary key,
  sacco_id uuid not null,
  user_id uuid not null,
  state text not null check (state in ('requested', 'shares_to_sell', 'completed', 'cancelled')),
  -- What the membership returns to when the exit is cancelled.
  state_before text not null check (state_before in ('provisional', 'active')),
  reason text check (length(reason) <= 500),
  requested_at timestamptz not null,
  due_at timestamptz not null check (due_at > requested_at),
  cancelled_at timestamptz,
  refunded_at timestamptz,
  refund_cents bigint check (refund_cents >= 0),
  completed_at timestamptz,
  -- The first day on which the refund was due and could not be made.
  overdue_since timestamptz,
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((state in ('shares_to_sell', 'completed')) = (refunded_at is not null)),
  check ((refunded_at is null) = (refund_cents is null)),
  check ((state = 'completed') = (completed_at is not null))
);
create unique index exit_requests_one_open on exit_requests (sacco_id, user_id)
  where state in ('requested', 'shares_to_sell');
create index exit_requests_by_member on exit_requests (sacco_id, user_id, id);
create index exit_requests_due on exit_requests (due_at, id) where state = 'requested';
create index exit_requests_with_shares on exit_requests (id) where state = 'shares_to_sell';
create index exit_requests_by_sacco on exit_requests (sacco_id, due_at) where state = 'requested';

create table sacco_ratings (
  sacco_id uuid not null,
  user_id uuid not null,
  stars smallint not null check (stars between 1 and 5),
  comment text not null check (length(comment) <= 1000),
  rated_at timestamptz not null,
  primary key (sacco_id, user_id),
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id)
);

-- Every time an official read members' particulars, and whose.
create table member_record_readings (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  read_by uuid not null references users (id),
  read_at timestamptz not null,
  members uuid[] not null check (cardinality(members) between 1 and 100)
);
create index member_record_readings_by_sacco on member_record_readings (sacco_id, id);
revoke update, delete on member_record_readings from ushirika_app;
