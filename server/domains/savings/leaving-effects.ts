import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import type { LeavingEffects } from '../membership/exit.queries.ts';

/** What leaving a sacco does to savings by standing order: the next run ends an order of somebody who has given notice. */
export const savingsLeavingEffects: LeavingEffects = async ({ sql }, { userId, saccoId }) => {
  const orders = await (sql as Database['sql'])<{ cents: number }[]>`
    select amount_cents as cents from standing_orders
    where user_id = ${userId} and sacco_id = ${saccoId} and state = 'active'`;
  return orders.map(({ cents }) =>
    sentence('Your monthly saving of {amount} ends. It does not come back if you take the notice back.', {
      amount: formatShillings(shillingsFromCents(cents)),
    }),
  );
};
