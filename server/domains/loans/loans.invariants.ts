import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of loans (domain.md 4.1), whoever reads it; `npm run audit` does. */
export const loansInvariants: readonly Invariant[] = [
  {
    name: 'The instalments of a loan and what was prepaid are its amount, and what is unpaid of them is owed',
    find: (sql) => sql`
      select l.id as loan_id, l.amount_cents, l.prepaid_cents, l.principal_cents, i.principal, i.unpaid
      from loans l join lateral (
        select coalesce(sum(principal_cents), 0) as principal, coalesce(sum(principal_cents - paid_principal_cents), 0) as unpaid
        from loan_instalments where loan_id = l.id
      ) i on true
      where l.disbursed_at is not null and l.written_off_at is null
        and (i.principal + l.prepaid_cents <> l.amount_cents or i.unpaid <> l.principal_cents)
      limit ${breachesShown}`,
  },
  {
    name: 'What a loan owes is what the book of its sacco has of it',
    find: (sql) => sql`
      select l.id as loan_id, l.principal_cents, a.balance from loans l
      left join accounts a on a.book_id = l.sacco_id and a.kind = 'loan_principal' and a.owner_id = l.id
      where coalesce(a.balance, 0) <> case when l.state = 'written_off' then 0 else l.principal_cents end
      limit ${breachesShown}`,
  },
  {
    name: 'The control accounts of a sacco are the sums of its loans',
    find: (sql) => sql`
      select * from (
        select s.id as sacco_id, k.kind, coalesce(a.balance, 0) as booked, coalesce(case k.kind
          when 'interest_receivable' then l.interest when 'penalty_receivable' then l.penalty else l.provision end, 0) as of_loans
        from saccos s
        cross join (values ('interest_receivable'), ('penalty_receivable'), ('loan_loss_provision')) k (kind)
        left join accounts a on a.book_id = s.id and a.kind = k.kind and a.owner_id is null
        left join (
          select sacco_id, sum(interest_cents) as interest, sum(penalty_cents) as penalty, sum(provision_cents) as provision
          from loans where state <> 'written_off' group by sacco_id
        ) l on l.sacco_id = s.id
      ) sums where booked <> of_loans
      limit ${breachesShown}`,
  },
  {
    name: 'What is held of somebody’s savings is what they have pledged',
    find: (sql) => sql`
      select coalesce(h.book_id, p.sacco_id) as sacco_id, coalesce(h.owner_id, p.guarantor_id) as owner_id,
        coalesce(h.balance, 0) as held, coalesce(p.pledged, 0) as pledged
      from (select book_id, owner_id, balance from accounts where kind = 'deposits_hold') h
      full join (
        select l.sacco_id, g.guarantor_id, sum(g.pledged_cents) as pledged
        from loan_guarantees g join loans l on l.id = g.loan_id group by l.sacco_id, g.guarantor_id
      ) p on p.sacco_id = h.book_id and p.guarantor_id = h.owner_id
      where coalesce(h.balance, 0) <> coalesce(p.pledged, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'A loan that is over holds no pledge, and one that is owed was paid out by two officials who have no part in it',
    find: (sql) => sql`
      select l.id as loan_id, l.state from loans l
      where l.state in ('closed', 'rejected', 'withdrawn', 'expired')
          and exists (select from loan_guarantees g where g.loan_id = l.id and g.pledged_cents > 0)
        or l.disbursed_at is not null and not exists (
          select from loan_disbursements d where d.loan_id = l.id and d.state = 'paid' and d.ordered_by <> d.decided_by
            and l.borrower_id not in (d.ordered_by, d.decided_by))
      limit ${breachesShown}`,
  },
  {
    name: 'A loan that was approved had the voices that its round needed',
    find: (sql) => sql`
      select l.id as loan_id, l.state, l.judged_cents, v.* from loans l cross join lateral (
        select count(*) filter (where office = 'credit_committee' and decision = 'approve') as committee,
          count(*) filter (where office in ('treasurer', 'chair') and decision = 'approve') as second,
          count(*) filter (where office = 'manager' and decision = 'approve') as manager
        from loan_reviews where loan_id = l.id and round = l.round
      ) v
      where (l.state in ('approved', 'accepted', 'disbursing') or l.disbursed_at is not null) and l.judged_cents is not null
        and not (v.committee >= 2 and (l.judged_cents <= l.committee_alone_cents or v.second > 0)
          or v.manager > 0 and l.judged_cents <= l.manager_alone_cents)
      limit ${breachesShown}`,
  },
  {
    name: 'After a default a loan is charged no more interest and penalty than it then owed principal',
    find: (sql) => sql`
      select id as loan_id, charged_since_default_cents, duplum_cents from loans
      where charged_since_default_cents > coalesce(duplum_cents, 0) limit ${breachesShown}`,
  },
  {
    name: 'What an employer paid for many is what paid loans, what went to wallets, and what is not shared out yet',
    find: (sql) => sql`
      select c.id as check_off_id, c.amount_cents, k.shared, coalesce(a.balance, 0) as balance from check_offs c
      left join accounts a on a.book_id = c.sacco_id and a.kind = 'check_off' and a.owner_id = c.id
      cross join lateral (select coalesce(sum(repaid_cents + returned_cents), 0) as shared from check_off_chunks
                          where check_off_id = c.id) k
      where (case when c.received_at is null then 0 else c.amount_cents end) <> k.shared + coalesce(a.balance, 0)
        or c.state = 'done' and coalesce(a.balance, 0) <> 0
        or c.amount_cents <> (select sum(amount_cents) from check_off_lines where check_off_id = c.id)
      limit ${breachesShown}`,
  },
  {
    name: 'What is kept of held proceeds is what trades and check-offs brought into wallets, quarter by quarter',
    find: (sql) => sql`
      select coalesce(p.user_id, f.user_id) as user_id, coalesce(p.starts_at, f.starts_at) as starts_at, p.cents, f.cents as cents_found
      from sale_proceeds p
      full join (
        select user_id, date_bin('15 minutes', at, 'epoch') as starts_at, sum(cents) as cents
        from (
          select seller_id as user_id, traded_at as at, shares * price_cents - seller_fee_cents as cents from share_trades
          union all
          select l.member_id, k.paid_at, o.returned_cents
          from check_off_outcomes o
          join check_off_lines l on l.check_off_id = o.check_off_id and l.line = o.line
          join check_off_chunks k on k.check_off_id = o.check_off_id and o.line between k.first_line and k.last_line
        ) brought group by 1, 2 having sum(cents) > 0
      ) f on f.user_id = p.user_id and f.starts_at = p.starts_at
      where p.cents is distinct from f.cents
      limit ${breachesShown}`,
  },
  {
    name: 'Each line of a check-off that is shared out went to the member’s loans and wallet, to the cent, and no other line did',
    find: (sql) => sql`
      select coalesce(l.check_off_id, o.check_off_id) as check_off_id, coalesce(l.line, o.line) as line, l.amount_cents,
        o.repaid_cents, o.returned_cents
      from (
        select l.* from check_off_lines l join check_off_chunks k
          on k.check_off_id = l.check_off_id and l.line between k.first_line and k.last_line and k.state <> 'waiting'
      ) l
      full join check_off_outcomes o on o.check_off_id = l.check_off_id and o.line = l.line
      where l.amount_cents is distinct from o.repaid_cents + o.returned_cents
      limit ${breachesShown}`,
  },
];
