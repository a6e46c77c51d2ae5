-- Members' money in guarantor pools, and the guarantees that it backs (domain: pools; pools-voting-anchoring.md A2-A10).

-- A row of its own id owns the member's account in the ledger: an account has one owner.
alter table pool_members add column id uuid;
update pool_members set id = gen_random_uuid();
alter table pool_members alter column id set not null;
create unique index pool_members_by_id on pool_members (id);
alter table pool_members add constraint pool_members_in_pool unique (pool_id, id);
alter table pool_members add column terms_hash text check (terms_hash ~ '^[0-9a-f]{64}$');
create index pool_members_free on pool_members (pool_id, sequence) where position_cents > 0;

alter table pools add column queued_cents bigint not null default 0 check (queued_cents >= 0);
-- Fees that were paid and are not earned yet.
alter table pools add column unearned_cents bigint not null default 0 check (unearned_cents >= 0);
alter table pools add constraint pools_notice_within check (locked_cents + notice_cents + queued_cents <= positions_cents);
alter table pools add constraint pools_locks_are_guarantees check (locked_cents = guaranteed_cents);
-- Why stewards suspended or close it.
alter table pool_events add column reason text check (length(reason) <= 300);

-- Notices of withdrawal, in the order of their ids. A notice is `queued` while paying it would take the pool below what its
-- guarantees need; then `given`: it counts no longer for new guarantees, and is paid when it is due.
create table pool_withdrawals (
  id uuid primary key,
  pool_id uuid not null,
  member_id uuid not null,
  user_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  is_all boolean not null,
  state text collate "C" not null check (state in ('queued', 'given', 'paid', 'cancelled')),
  given_at timestamptz not null,
  due_at timestamptz not null check (due_at >= given_at),
  ended_at timestamptz,
  -- The platform took what was needed for a call; the member's own act otherwise.
  is_taken boolean not null default false,
  foreign key (pool_id, member_id) references pool_members (pool_id, id),
  check ((state in ('paid', 'cancelled')) = (ended_at is not null))
);
create index pool_withdrawals_waiting on pool_withdrawals (pool_id, id) where state in ('queued', 'given');
create index pool_withdrawals_due on pool_withdrawals (due_at, id) where state in ('queued', 'given');
create index pool_withdrawals_by_user on pool_withdrawals (user_id, id desc);

-- Every trust score that was reckoned, with its parts in hundredths of a point: what a request was judged by stays.
create table trust_snapshots (
  id uuid primary key,
  user_id uuid not null references users (id),
  at timestamptz not null,
  score integer not null check (score between 0 and 100),
  age integer not null check (age between 0 and 1500),
  kyc integer not null check (kyc between 0 and 1500),
  contributions integer not null check (contributions between 0 and 2500),
  repayment integer not null check (repayment between 0 and 3500),
  standing integer not null check (standing between 0 and 1000),
  defaults integer not null check (defaults between -6000 and 0),
  is_frozen boolean not null,
  has_open_default boolean not null,
  -- What it was reckoned from.
  inputs jsonb not null
);
create index trust_snapshots_by_user on trust_snapshots (user_id, at desc);
revoke update, delete on trust_snapshots from ushirika_app;

create table pool_requests (
  id uuid primary key,
  pool_id uuid not null,
  member_id uuid not null,
  user_id uuid not null references users (id),
  -- The application that it is for, and its sacco.
  loan_id uuid,
  sacco_id uuid references saccos (id),
  amount_cents bigint not null check (amount_cents > 0),
  months integer not null check (months between 1 and 120),
  purpose text not null check (length(purpose) between 3 and 200),
  state text collate "C" not null
    check (state in ('QUOTED', 'DECLINED', 'CANCELLED', 'EXPIRED', 'IN_REVIEW', 'APPROVED')),
  state_at timestamptz not null,
  requested_at timestamptz not null,
  expires_at timestamptz,
  snapshot_id uuid not null references trust_snapshots (id),
  -- Ten-thousandths; the rate in hundredths of a percent a year.
  risk_weight integer not null check (risk_weight between 10000 and 40000),
  utilisation_after integer not null check (utilisation_after >= 0),
  crowding integer not null check (crowding between 0 and 10000),
  rate integer not null check (rate between 0 and 10000),
  fee_cents bigint not null check (fee_cents >= 0),
  own_lock_cents bigint not null check (own_lock_cents between 0 and amount_cents),
  is_automatic boolean not null,
  reasons text[] not null,
  quote_hash text not null check (quote_hash ~ '^[0-9a-f]{64}$'),
  signed_name text check (length(signed_name) between 1 and 200),
  signed_at timestamptz,
  memorandum_hash text check (memorandum_hash ~ '^[0-9a-f]{64}$'),
  foreign key (pool_id, member_id) references pool_members (pool_id, id),
  check ((state in ('QUOTED', 'IN_REVIEW')) = (expires_at is not null)),
  check ((signed_name is null) = (signed_at is null) and (signed_at is null) = (memorandum_hash is null)),
  check (state not in ('IN_REVIEW', 'APPROVED') or signed_at is not null),
  check (state <> 'QUOTED' or signed_at is null),
  check ((loan_id is null) = (sacco_id is null))
);
create index pool_requests_by_user on pool_requests (user_id, id desc);
create index pool_requests_in_review on pool_requests (pool_id, id) where state = 'IN_REVIEW';
create index pool_requests_open on pool_requests (expires_at, id) where state in ('QUOTED', 'IN_REVIEW');
create unique index pool_requests_of_loan on pool_requests (loan_id)
  where loan_id is not null and state in ('QUOTED', 'IN_REVIEW', 'APPROVED');

-- Codes by SMS that sign: ten minutes, five tries, the newest alone. Kept as hashes over the request's id.
create table pool_codes (
  id uuid primary key,
  request_id uuid not null references pool_requests (id),
  user_id uuid not null references users (id),
  code_hash text not null check (length(code_hash) = 43),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  tries integer not null default 0 check (tries between 0 and 5),
  used_at timestamptz
);
create index pool_codes_by_request on pool_codes (request_id, id desc);

create table pool_contracts (
  id uuid primary key,
  request_id uuid not null unique references pool_requests (id),
  pool_id uuid not null,
  member_id uuid not null,
  user_id uuid not null references users (id),
  loan_id uuid,
  -- The sacco whose loan it is: of the pool, or of the loan in an open pool.
  sacco_id uuid references saccos (id),
  amount_cents bigint not null check (amount_cents > 0),
  outstanding_cents bigint not null check (outstanding_cents between 0 and amount_cents),
  weighted_cents bigint not null check (weighted_cents >= outstanding_cents),
  months integer not null check (months between 1 and 120),
  risk_weight integer not null check (risk_weight between 10000 and 40000),
  rate integer not null check (rate between 0 and 10000),
  fee_cents bigint not null check (fee_cents >= 0),
  -- Shares of the fee that were in force when it was signed.
  fee_members integer not null,
  fee_reserve integer not null,
  fee_sacco integer not null,
  reserve_draw integer not null check (reserve_draw between 0 and 10000),
  fee_earned_cents bigint not null default 0 check (fee_earned_cents >= 0),
  fee_refunded_cents bigint not null default 0 check (fee_refunded_cents >= 0),
  fee_to_reserve_cents bigint not null default 0 check (fee_to_reserve_cents >= 0),
  months_earned integer not null default 0 check (months_earned between 0 and months),
  -- When the next month is over; null before it is active and once the fee is used up.
  earns_at timestamptz,
  state text collate "C" not null check (state in ('PENDING_LOAN', 'ACTIVE', 'RELEASING', 'DEMAND', 'DISPUTED', 'CALLED',
    'SETTLED', 'RECOVERING', 'RECOVERED', 'WRITTEN_OFF', 'RELEASED')),
  state_at timestamptz not null,
  approved_at timestamptz not null,
  approved_by uuid references users (id),
  use_by timestamptz,
  activated_at timestamptz,
  principal_at_start_cents bigint check (principal_at_start_cents > 0),
  demanded_at timestamptz,
  reminded_day integer not null default 0 check (reminded_day in (0, 30, 60, 76)),
  -- A demand that the supervisory committee took back is not made again before then.
  demand_not_before timestamptz,
  settled_at timestamptz,
  paid_cents bigint not null default 0 check (paid_cents between 0 and amount_cents),
  -- What the borrower's own position paid, and what the reserve and others paid: the pool's claim.
  own_paid_cents bigint not null default 0 check (own_paid_cents between 0 and paid_cents),
  reserve_paid_cents bigint not null default 0 check (reserve_paid_cents >= 0),
  claim_cents bigint not null default 0 check (claim_cents = paid_cents - own_paid_cents),
  recovered_cents bigint not null default 0 check (recovered_cents between 0 and claim_cents),
  reserve_recovered_cents bigint not null default 0 check (reserve_recovered_cents between 0 and reserve_paid_cents),
  ended_at timestamptz,
  foreign key (pool_id, member_id) references pool_members (pool_id, id),
  check (fee_members + fee_reserve + fee_sacco = 100),
  check (fee_earned_cents + fee_refunded_cents + fee_to_reserve_cents <= fee_cents),
  check ((state = 'PENDING_LOAN') = (use_by is not null)),
  check ((activated_at is null) = (principal_at_start_cents is null)),
  check (activated_at is not null or state in ('PENDING_LOAN', 'RELEASED')),
  check (activated_at is null or loan_id is not null and sacco_id is not null),
  check (state not in ('RELEASED', 'SETTLED', 'RECOVERING', 'RECOVERED', 'WRITTEN_OFF') or outstanding_cents = 0),
  check (state in ('RELEASED', 'SETTLED', 'RECOVERING', 'RECOVERED', 'WRITTEN_OFF') or outstanding_cents > 0),
  check ((state in ('SETTLED', 'RECOVERING', 'RECOVERED', 'WRITTEN_OFF')) = (settled_at is not null)),
  check (settled_at is not null or paid_cents = 0),
  check ((state in ('SETTLED', 'RECOVERED', 'WRITTEN_OFF', 'RELEASED')) = (ended_at is not null)),
  check (state <> 'RECOVERED' or recovered_cents = claim_cents)
);
create unique index pool_contracts_of_loan on pool_contracts (loan_id)
  where loan_id is not null and (state <> 'RELEASED' or activated_at is not null);
create index pool_contracts_by_pool on pool_contracts (pool_id, id desc);
create index pool_contracts_live on pool_contracts (pool_id, user_id) where outstanding_cents > 0;
create index pool_contracts_by_user on pool_contracts (user_id, id desc);
create index pool_contracts_unused on pool_contracts (use_by, id) where state = 'PENDING_LOAN';
create index pool_contracts_earning on pool_contracts (earns_at, id) where earns_at is not null;
create index pool_contracts_disputed on pool_contracts (sacco_id, id) where state = 'DISPUTED';

-- Whose money backs a guarantee, to the cent. No lock ever rises.
create table pool_locks (
  contract_id uuid not null references pool_contracts (id),
  member_id uuid not null references pool_members (id),
  initial_cents bigint not null check (initial_cents > 0),
  current_cents bigint not null check (current_cents between 0 and initial_cents),
  lost_cents bigint not null default 0 check (lost_cents >= 0),
  recovered_cents bigint not null default 0 check (recovered_cents between 0 and lost_cents),
  primary key (contract_id, member_id)
);
create index pool_locks_by_member on pool_locks (member_id, contract_id);

create function pool_lock_falls() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.current_cents > old.current_cents or new.initial_cents <> old.initial_cents then
    raise exception 'a lock does not rise' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger pool_lock_falls before update on pool_locks for each row execute function pool_lock_falls();

create table pool_contract_events (
  id uuid primary key,
  contract_id uuid not null references pool_contracts (id),
  event text collate "C" not null,
  amount_cents bigint check (amount_cents >= 0),
  caused_by uuid references users (id),
  reason text check (length(reason) <= 500),
  at timestamptz not null
);
create index pool_contract_events_by_contract on pool_contract_events (contract_id, id);
revoke update, delete on pool_contract_events from ushirika_app;

create table pool_disputes (
  id uuid primary key,
  contract_id uuid not null references pool_contracts (id),
  disputed_by uuid not null references users (id),
  reason text not null check (length(reason) between 3 and 500),
  disputed_at timestamptz not null,
  decision text collate "C" check (decision in ('stands', 'taken_back')),
  decided_by uuid references users (id),
  decided_reason text check (length(decided_reason) between 3 and 500),
  decided_at timestamptz,
  -- Nobody where the committee was silent: the demand stands then.
  check ((decision is null) = (decided_at is null)),
  check (decided_by is not null or decision is distinct from 'taken_back'),
  check (decided_by is null or decision is not null),
  check (decided_by <> disputed_by)
);
create unique index pool_disputes_one_open on pool_disputes (contract_id) where decision is null;
create index pool_disputes_silent on pool_disputes (disputed_at, id) where decision is null;

-- What stewards say about one matter since it stands as it does.
create table pool_voices (
  pool_id uuid not null references pools (id),
  matter text collate "C" not null check (matter in ('request', 'reopen', 'close', 'write_off')),
  about_id uuid not null,
  since timestamptz not null,
  steward_id uuid not null references users (id),
  voice text collate "C" not null check (voice in ('approve', 'decline')),
  reason text not null check (length(reason) between 3 and 300),
  at timestamptz not null,
  primary key (about_id, matter, since, steward_id)
);
revoke update, delete on pool_voices from ushirika_app;

-- What came back from borrowers after calls.
create table pool_recoveries (
  id uuid primary key,
  contract_id uuid not null references pool_contracts (id),
  amount_cents bigint not null check (amount_cents > 0),
  to_members_cents bigint not null check (to_members_cents >= 0),
  to_reserve_cents bigint not null check (to_reserve_cents >= 0),
  at timestamptz not null,
  check (amount_cents = to_members_cents + to_reserve_cents)
);
create index pool_recoveries_by_contract on pool_recoveries (contract_id, id);
revoke update, delete on pool_recoveries from ushirika_app;

-- The pools whose steward one is.
create function pools_i_steward() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(array_agg(pool_id), '{}') from pool_stewards
  where user_id = person_id() and (until is null or until > person_now())
$$;
revoke execute on function pools_i_steward from public;
grant execute on function pools_i_steward to ushirika_app, ushirika_member;

create function my_places_in_pools() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$ select coalesce(array_agg(id), '{}') from pool_members where user_id = person_id() $$;
revoke execute on function my_places_in_pools from public;
grant execute on function my_places_in_pools to ushirika_app, ushirika_member;

-- People read what is theirs and what they decide about. Nobody but the platform writes: each act changes rows of others.
select close_table(each::regclass) from unnest(array['pool_withdrawals', 'trust_snapshots', 'pool_requests', 'pool_codes',
  'pool_contracts', 'pool_locks', 'pool_contract_events', 'pool_disputes', 'pool_voices', 'pool_recoveries']) as each;
grant select on pool_withdrawals, trust_snapshots, pool_requests, pool_contracts, pool_locks, pool_contract_events,
  pool_disputes, pool_voices, pool_recoveries to ushirika_member;
create policy person on pool_withdrawals for select to ushirika_member using (user_id = (select person_id()));
create policy person on trust_snapshots for select to ushirika_member using (user_id = (select person_id()));
create policy person on pool_locks for select to ushirika_member
  using (member_id = any ((select my_places_in_pools())::uuid[]));
create policy sides on pool_requests for select to ushirika_member
  using (user_id = (select person_id()) or state = 'IN_REVIEW' and pool_id = any ((select pools_i_steward())::uuid[]));
create policy sides on pool_contracts for select to ushirika_member
  using (user_id = (select person_id()) or pool_id = any ((select pools_i_steward())::uuid[])
    or exists (select from pool_locks l where l.contract_id = id)
    or state = 'DISPUTED' and sacco_id = any ((select my_offices())::uuid[]));
create policy sides on pool_contract_events for select to ushirika_member
  using (exists (select from pool_contracts c where c.id = contract_id));
create policy sides on pool_disputes for select to ushirika_member
  using (exists (select from pool_contracts c where c.id = contract_id));
create policy sides on pool_recoveries for select to ushirika_member
  using (exists (select from pool_contracts c where c.id = contract_id));
create policy stewards on pool_voices for select to ushirika_member
  using (pool_id = any ((select pools_i_steward())::uuid[]));
