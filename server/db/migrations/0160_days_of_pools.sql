-- What a day brought to pools, for the desk's account of that day (domains: pools, loans; docs/decisions/188).

-- Written in the transaction that earns or pays. A Nairobi day on which nothing moved has no row.
create table pool_days (
  pool_id uuid not null references pools (id),
  day date not null,
  -- Months of fees that were earned, and what they came to.
  earnings integer not null default 0 check (earnings >= 0),
  earned_cents bigint not null default 0 check (earned_cents >= 0),
  -- Notices of withdrawal that were paid.
  withdrawals integer not null default 0 check (withdrawals >= 0),
  withdrawn_cents bigint not null default 0 check (withdrawn_cents >= 0),
  primary key (pool_id, day)
);
revoke delete, truncate on pool_days from ushirika_app;
insert into pool_days (pool_id, day, earnings, earned_cents)
select c.pool_id, (j.posted_at at time zone 'Africa/Nairobi')::date, count(distinct j.id), sum(t.amount)
from journals j
join pool_contracts c on c.id = j.about_id
join transfers t on t.journal_id = j.id
join accounts a on a.id = t.debit_account_id and a.kind = 'pool_fees_unearned'
where j.kind = 'pool_fee_earned'
group by 1, 2;
insert into pool_days (pool_id, day, withdrawals, withdrawn_cents)
select pool_id, (ended_at at time zone 'Africa/Nairobi')::date, count(*), sum(amount_cents)
from pool_withdrawals where state = 'paid'
group by 1, 2
on conflict (pool_id, day) do update set withdrawals = excluded.withdrawals, withdrawn_cents = excluded.withdrawn_cents;
select close_table('pool_days');

-- Of which day's run a notice is; null for those that no run gave, and for those from before. Several days may be made up at one moment.
alter table loan_notices add column run_of date;
create index loan_notices_of_runs on loan_notices (run_of) where run_of is not null;
