import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { SummaryPart } from '../wallet/summary-part.ts';

/** One's savings in each sacco, with what is pledged of them. */
export const savingsSummary: SummaryPart = {
  ofSacco: {
    json: (sql) => sql`
      'savings_cents', coalesce(deposits.balance, 0) + coalesce(pledged.balance, 0),
      'held_savings_cents', coalesce(pledged.balance, 0)`,
    joins: (sql) => sql`
      left join accounts deposits
        on deposits.book_id = s.id and deposits.kind = 'deposits' and deposits.owner_id = m.user_id
      left join accounts pledged
        on pledged.book_id = s.id and pledged.kind = 'deposits_hold' and pledged.owner_id = m.user_id`,
    fields: (row: { readonly savings_cents: Cents; readonly held_savings_cents: Cents }) => ({
      savings: shillingsFromCents(row.savings_cents),
      held_savings: shillingsFromCents(row.held_savings_cents),
    }),
  },
};
