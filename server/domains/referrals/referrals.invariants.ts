import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of referrals: what members saved and paid for shares is never spent on them. */
export const referralsInvariants: readonly Invariant[] = [
  {
    name: 'No sacco has spent more on rewards than it earned in fees',
    find: (sql) => sql`
      select spent.book_id as sacco_id, spent.balance as spent, coalesce(earned.balance, 0) as earned
      from accounts spent
      left join accounts earned on earned.book_id = spent.book_id and earned.kind = 'fee_income'
      where spent.kind = 'marketing_expense' and spent.balance > coalesce(earned.balance, 0)
      limit ${breachesShown}`,
  },
  {
    // That `paid_cents` is at most `earned_cents` is a constraint. Older months are not read again: it would cost a walk
    // through all fees since.
    name: 'No sacco has paid more in rewards in a month than it earned in fees in the month before',
    find: (sql) => sql`
      select m.sacco_id, m.month, m.earned_cents, m.paid_cents from referral_reward_months m
      left join (
        select m.sacco_id, m.month, sum(r.amount_cents) as cents from referral_rewards r
        join referral_reward_months m on m.sacco_id = r.sacco_id and m.month = r.month and m.since <= r.paid_at
        group by m.sacco_id, m.month
      ) paid on paid.sacco_id = m.sacco_id and paid.month = m.month
      where m.paid_cents <> coalesce(paid.cents, 0) or m.paid_cents > m.earned_cents
        or m.month = (select max(month) from referral_reward_months)
          and m.earned_cents > fees_earned_before(m.sacco_id, m.month)
      limit ${breachesShown}`,
  },
];
