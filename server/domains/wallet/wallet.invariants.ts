import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** Invariants of M-Pesa's money: what operators are shown agrees with the ledger. */
export const walletInvariants: readonly Invariant[] = [
  {
    name: 'Money in suspense is shown to operators as it was booked, receipt by receipt',
    find: (sql) => sql`
      select e.id, e.receipt, e.amount_cents as shown, coalesce(r.held_cents, r.amount_cents) as booked, r.credited_to
      from money_exceptions e left join mpesa_receipts r on r.receipt = e.receipt
      where e.held_in = 'suspense' and e.resolved_at is null
        and (r.receipt is null or r.credited_to <> 'suspense' or coalesce(r.held_cents, r.amount_cents) <> e.amount_cents)
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
  {
    name: 'No receipt of M-Pesa is booked twice',
    find: (sql) => sql`
      with booked as (
        select r.receipt, 'wallet_topped_up' as kind, j.id as journal from mpesa_receipts r
          join journals j on j.about_id = r.deposit_id and j.kind = 'wallet_topped_up'
        union all
        select p.receipt, j.kind, j.id from paybill_payments p
          join journals j on j.about_id = p.id and j.kind = 'paybill_received'
        union all
        select c.receipt, j.kind, j.id from receipt_claims c
          join journals j on j.about_id = c.id and j.kind = 'receipt_claimed'
        union all
        select e.receipt, j.kind, j.id from money_exceptions e
          join journals j on j.about_id = e.id and j.kind = 'money_unmatched'
      )
      select receipt, count(*)::int as times, string_agg(kind || ' ' || journal, ', ' order by journal) as journals
      from booked group by receipt having count(*) > 1
      limit ${breachesShown}`,
  },
  {
    name: 'No receipt of M-Pesa is booked beside a top-up that was credited without one, and that it fits',
    find: (sql) => sql`
      select r.receipt, r.amount_cents, d.id as deposit, d.reference
      from deposits d
      join mpesa_receipts r on r.deposit_id is null and r.credited_to <> 'returned' and r.amount_cents = d.amount_cents
        and coalesce(r.paid_at, r.credited_at) between d.sending_at - interval '1 minute' and d.sending_at + interval '10 minutes'
        -- The payer is the same, or M-Pesa does not say another.
        and d.phone like coalesce(regexp_replace(r.phone, '[*]+', '%', 'g'), '%')
      where d.state = 'paid' and not exists (select from mpesa_receipts o where o.deposit_id = d.id)
        and not exists (
          select from paybill_payments p
          where p.receipt = r.receipt and p.listed_at is not null and p.account_reference not in ('', d.reference))
      limit ${breachesShown}`,
  },
];
