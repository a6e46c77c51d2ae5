import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { SummaryPart } from '../wallet/summary-part.ts';

interface OfSacco {
  readonly loans_cents: Cents;
  readonly next_on: string | null;
  readonly next_cents: Cents;
  readonly given_cents: Cents;
}

/** What one owes in each sacco, the next instalment, what one has pledged for others, and the guarantees that are asked of one. */
export const loansSummary: SummaryPart = {
  ofPerson: {
    json: (sql) => sql`'open_requests', guarantees_asked.open`,
    joins: (sql) => sql`
      left join lateral (
        select count(*)::int as open from loan_guarantees g
        where g.guarantor_id = asked.user_id and g.kind = 'member' and g.state = 'asked'
      ) guarantees_asked on true`,
    fields: ({ open_requests }: { readonly open_requests: number }) => ({ open_requests }),
  },
  ofSacco: {
    json: (sql) => sql`
      'loans_cents', loans.owed, 'next_on', loans.next_on, 'next_cents', loans.next_cents, 'given_cents', given.cents`,
    joins: (sql) => sql`
      left join lateral (
        select coalesce(sum(principal_cents), 0)::bigint as owed, min(due_on) as next_on,
          coalesce((array_agg(due_cents order by due_on, id))[1], 0)::bigint as next_cents
        from loans l
        where l.borrower_id = m.user_id and l.sacco_id = s.id
          and l.state in ('active', 'in_arrears', 'defaulted', 'recovering', 'written_off')
      ) loans on true
      left join lateral (
        select coalesce(sum(g.pledged_cents), 0)::bigint as cents
        from loan_guarantees g join loans l on l.id = g.loan_id
        where g.guarantor_id = m.user_id and g.kind = 'member' and l.sacco_id = s.id and g.state in ('accepted', 'live')
      ) given on true`,
    fields: ({ loans_cents, next_on, next_cents, given_cents }: OfSacco) => ({
      loans_outstanding: shillingsFromCents(loans_cents),
      next_due: next_on === null ? null : { amount: shillingsFromCents(next_cents), date: next_on },
      guarantees_given: shillingsFromCents(given_cents),
    }),
  },
};
