import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What holds between closed years, dividends, what was paid, and the books. */
export const dividendsInvariants: readonly Invariant[] = [
  {
    name: 'What a sacco kept of its surplus is what its closed years say, less what was declared',
    find: (sql) => sql`
      select s.id::text as detail
      from (select sacco_id as id, sum(reserve_cents) as reserve, sum(distributable_cents) as distributable
            from closed_years group by sacco_id) s
      left join (select sacco_id, sum(gross_cents) as gross, sum(tax_cents) as tax from dividends group by sacco_id) d
        on d.sacco_id = s.id
      where s.reserve <> coalesce((select balance from accounts a where a.book_id = s.id and a.kind = 'statutory_reserve'), 0)
        or s.distributable - coalesce(d.gross, 0)
          <> coalesce((select balance from accounts a where a.book_id = s.id and a.kind = 'retained_surplus'), 0)
        or s.reserve + s.distributable
          <> coalesce((select balance from accounts a where a.book_id = s.id and a.kind = 'surplus_appropriated'), 0)
        or coalesce(d.tax, 0) <> coalesce((select balance from accounts a where a.book_id = s.id and a.kind = 'tax_payable'), 0)
      limit ${breachesShown}`,
  },
  {
    name: 'A dividend owes what was not paid of it yet, and once it is paid every member has it, to the cent',
    find: (sql) => sql`
      select d.id::text as detail
      from dividends d
      left join (select dividend_id, sum(gross_cents) as gross, sum(tax_cents) as tax, count(distinct member_id) as members
                 from dividend_payments group by dividend_id) p on p.dividend_id = d.id
      left join (select dividend_id, sum(net_cents) as net from dividend_receipts group by dividend_id) r on r.dividend_id = d.id
      left join accounts a on a.book_id = d.sacco_id and a.kind = 'dividends_payable' and a.owner_id = d.id
      where coalesce(a.balance, 0) <> d.gross_cents - d.tax_cents - coalesce(r.net, 0)
        or coalesce(r.net, 0) <> coalesce(p.gross, 0) - coalesce(p.tax, 0)
        or d.state = 'done' and (p.gross, p.tax, p.members) is distinct from (d.gross_cents::numeric, d.tax_cents::numeric, d.members::bigint)
      limit ${breachesShown}`,
  },
  {
    name: 'What receipts of a dividend say went to loans, and to guarantors and pools, is what its journals moved there',
    find: (sql) => sql`
      select r.dividend_id::text as detail
      from (select dividend_id, sum(arrears_cents) as arrears, sum(refunded_cents) as refunded
            from dividend_receipts group by dividend_id) r
      join dividends d on d.id = r.dividend_id
      left join lateral (
        select sum(t.amount) filter (where j.kind in ('loan_repaid', 'recovered_after_write_off')) as arrears,
          -- What a pool got passed through the borrower's wallet, by a journal that names the loan too.
          sum(t.amount) filter (where j.kind = 'guarantor_refunded' or j.idempotency_key like 'dividend_paid:dividend:%') as refunded
        from accounts a join transfers t on t.debit_account_id = a.id join journals j on j.id = t.journal_id
        where a.book_id = d.sacco_id and a.kind = 'dividends_payable' and a.owner_id = d.id
      ) moved on true
      where (r.arrears, r.refunded) <> (coalesce(moved.arrears, 0), coalesce(moved.refunded, 0))
      limit ${breachesShown}`,
  },
];
