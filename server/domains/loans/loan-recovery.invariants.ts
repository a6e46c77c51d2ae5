import { breachesShown, type Invariant } from '../../ledger/invariants.ts';

/** What is always true of the days of saccos and of recoveries, besides what the tables themselves hold. */
export const loanRecoveryInvariants: readonly Invariant[] = [
  {
    name: 'The days of a sacco that lends follow one another, and only the last one is not done',
    find: (sql) => sql`
      select * from (
        select sacco_id, day, state, lag(day) over w as before, lead(day) over w as after from loan_days
        window w as (partition by sacco_id order by day)
      ) days
      where before is not null and before <> day - 1 or after is not null and state <> 'done'
      limit ${breachesShown}`,
  },
  {
    name: 'What a day accrued is what its journals say',
    find: (sql) => sql`
      with posted as (
        select j.about_id as id, coalesce(sum(t.amount) filter (where j.kind = 'interest_accrued'), 0) as interest,
          coalesce(sum(t.amount) filter (where j.kind = 'penalty_accrued'), 0) as penalty,
          coalesce(sum(case when a.kind = 'provision_expense' then t.amount else -t.amount end)
            filter (where j.kind = 'provision_changed'), 0) as provision
        from journals j join transfers t on t.journal_id = j.id join accounts a on a.id = t.debit_account_id
        where j.about_type = 'loan_day' group by j.about_id
      )
      select d.sacco_id, d.day, d.interest_cents, d.penalty_cents, d.provision_cents, p.interest, p.penalty, p.provision
      from loan_days d full join posted p using (id)
      where (d.interest_cents, d.penalty_cents, d.provision_cents)
        is distinct from (coalesce(p.interest, 0), coalesce(p.penalty, 0), coalesce(p.provision, 0))
      limit ${breachesShown}`,
  },
  {
    name: 'Nothing is taken for a loan before its final notice is 14 days old and everybody before has paid',
    find: (sql) => sql`
      select s.loan_id, s.step, s.at from loan_recovery_steps s
      left join loan_recovery_steps f
        on f.loan_id = s.loan_id and f.arrears_since = s.arrears_since and f.step = 'final_notice'
      left join loan_recovery_steps o
        on o.loan_id = s.loan_id and o.arrears_since = s.arrears_since and o.step = 'own_deposits'
      where s.step in ('own_deposits', 'pool', 'guarantors', 'write_off')
        and (f.at is null or s.at < f.at + interval '14 days' or s.step <> 'own_deposits' and (o.at is null or o.at > s.at))
      limit ${breachesShown}`,
  },
  {
    name: 'A guarantor from whom savings were taken had a final notice 14 days before',
    find: (sql) => sql`
      select g.id, g.loan_id, g.guarantor_id, g.called_at from loan_guarantees g
      where g.kind = 'member' and g.called_cents > 0 and not exists (
        select from loan_notices n
        where n.loan_id = g.loan_id and n.user_id = g.guarantor_id and n.kind = 'final'
          and n.at <= g.called_at - interval '14 days')
      limit ${breachesShown}`,
  },
  {
    name: 'What guarantors paid for a loan is what its journals took from them',
    find: (sql) => sql`
      with taken as (
        select j.about_id as loan_id, a.owner_id as guarantor_id, sum(t.amount) as cents
        from journals j join transfers t on t.journal_id = j.id
        join accounts a on a.id = t.debit_account_id join accounts c on c.id = t.credit_account_id
        where j.kind = 'guarantor_called' and c.kind = 'loan_principal'
        group by 1, 2
      ), noted as (
        select loan_id, guarantor_id, sum(called_cents) as cents from loan_guarantees
        where kind = 'member' and called_cents > 0 group by 1, 2
      )
      select loan_id, guarantor_id, coalesce(t.cents, 0) as taken, coalesce(n.cents, 0) as noted
      from taken t full join noted n using (loan_id, guarantor_id)
      where t.cents is distinct from n.cents
      limit ${breachesShown}`,
  },
];
