import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { SummaryPart } from '../wallet/summary-part.ts';

interface Found {
  readonly share_value_cents: Cents;
  readonly shares: number;
  readonly held_shares: number;
}

/** One's shares in each sacco, those that open orders hold among them, and what they are worth at the sacco's own price. */
export const sharesSummary: SummaryPart = {
  ofSacco: {
    json: (sql) => sql`
      'share_value_cents', s.share_value_cents,
      'shares', coalesce(holding.balance, 0) + coalesce(holding_hold.balance, 0),
      'held_shares', coalesce(holding_hold.balance, 0)`,
    joins: (sql) => sql`
      left join accounts holding
        on holding.book_id = s.id and holding.kind = 'holding' and holding.owner_id = m.user_id
      left join accounts holding_hold
        on holding_hold.book_id = s.id and holding_hold.kind = 'holding_hold' and holding_hold.owner_id = m.user_id`,
    fields: ({ share_value_cents, shares, held_shares }: Found) => ({
      shares,
      held_shares,
      share_value: shillingsFromCents(share_value_cents),
      value: shillingsFromCents(shares * share_value_cents),
    }),
  },
};
