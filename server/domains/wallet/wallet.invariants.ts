import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** Invariants of M-Pesa's money: what operators are shown agrees with the ledger. */
export const walletInvariants: readonly Invariant[] = [
  {
    name: 'Money in suspense is shown to operators as it was booked, receipt by receipt',
    find: (sql) => sql`
      select e.id, e.receipt, e.amount_cents as shown, r.amount_cents as booked, r.credited_to
      from money_exceptions e left join mpesa_receipts r on r.receipt = e.receipt
      where e.held_in = 'suspense' and e.resolved_at is null
        and (r.receipt is null or r.credited_to <> 'suspense' or r.amount_cents <> e.amount_cents)
      limit ${breachesShown}`,
  },
  {
    name: 'Each payment in suspense is shown to operators',
    find: (sql) => sql`
      select r.receipt, r.amount_cents from mpesa_receipts r
      where r.credited_to = 'suspense' and not exists (
        select from money_exceptions e
        where e.receipt = r.receipt and e.held_in = 'suspense' and e.resolved_at is null)
      limit ${breachesShown}`,
  },
  {
    name: 'What operators are shown in suspense is what stands there',
    find: (sql) => sql`
      select * from (
        select
          (select coalesce(sum(amount_cents), 0) from money_exceptions
            where held_in = 'suspense' and resolved_at is null) as shown,
          (select coalesce(sum(balance), 0) from accounts where kind = 'suspense') as stands
      ) sums where shown <> stands`,
  },
  {
    name: 'Each day on which M-Pesa held something else than the books was shown to operators',
    find: (sql) => sql`
      select c.day, c.mpesa_cents, c.expected_cents from float_comparisons c
      where c.state = 'differs' and not exists (
        select from money_exceptions e
        where e.kind = 'float_variance' and e.opened_at <= c.compared_at
          and (e.resolved_at is null or e.resolved_at >= c.compared_at))
      limit ${breachesShown}`,
  },
];
