-- What a sacco pays in rewards in a calendar month of Nairobi is at most its earned fees of the month before (decision 143).

-- Credits minus debits of the sacco's fees in the calendar month before the one given, in cents, never below 0. Each balance
-- is read off the account's last transfer before an instant: two index scans backwards, which pass two months at most.
create function fees_earned_before(sacco uuid, month text) returns bigint language sql stable as $$
  with instants (at, sign) as (
    values
      ((month || '-01')::timestamp at time zone interval '3 hours', 1),
      (((month || '-01')::timestamp - interval '1 month') at time zone interval '3 hours', -1)
  )
  select greatest(0, coalesce(sum(sign * before.balance), 0))::bigint
  from accounts a
  cross join instants
  cross join lateral (
    select last.balance from (
      (select t.id, t.credit_balance_after as balance from transfers t join journals j on j.id = t.journal_id
       where t.credit_account_id = a.id and j.posted_at < at order by t.id desc limit 1)
      union all
      (select t.id, t.debit_balance_after from transfers t join journals j on j.id = t.journal_id
       where t.debit_account_id = a.id and j.posted_at < at order by t.id desc limit 1)
    ) last order by last.id desc limit 1
  ) before
  where a.book_id = sacco and a.kind = 'fee_income' and a.owner_id is null
$$;

-- One row for each sacco and month in which a reward was due. Rewards of before this table are not in it.
create table referral_reward_months (
  sacco_id uuid not null references saccos (id),
  month text collate "C" not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- Earned in the month before; that month is over.
  earned_cents bigint not null check (earned_cents >= 0),
  paid_cents bigint not null default 0,
  -- Since when `paid_cents` counts.
  since timestamptz not null,
  primary key (sacco_id, month),
  constraint rewards_within_fees_of_month_before check (paid_cents between 0 and earned_cents)
);
select close_table('referral_reward_months');
revoke update, delete, truncate on referral_reward_months from ushirika_app;
grant update (paid_cents) on referral_reward_months to ushirika_app;
