import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { SummaryPart } from '../wallet/summary-part.ts';

/** One's savings in each sacco. */
export const savingsSummary: SummaryPart = {
  ofSacco: {
    json: (sql) => sql`'savings_cents', coalesce(deposits.balance, 0)`,
    joins: (sql) => sql`
      left join accounts deposits
        on deposits.book_id = s.id and deposits.kind = 'deposits' and deposits.owner_id = m.user_id`,
    fields: ({ savings_cents }: { readonly savings_cents: Cents }) => ({ savings: shillingsFromCents(savings_cents) }),
  },
};
