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
];
