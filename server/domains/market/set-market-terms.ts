import { type MarketTerms, setMarketTerms as route } from '@ushirika/contract/market';
import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import type { MarketDependencies } from './market.types.ts';
import { bandOf, refusalOfState, type TermsRow, termsOnWire } from './terms.rules.ts';
import { trade } from './trade.ts';

/** Orders closed in one go. */
const CHUNK = 500;

/**
 * Sets how a sacco's shares are traded. Open orders at prices that are no longer allowed are cancelled in the same
 * transaction, and whose they are is told. Orders keep the fees that were shown when they were placed.
 */
export async function setMarketTerms(
  tx: Tx,
  actor: { readonly userId: string },
  { saccoId, terms }: { readonly saccoId: string; readonly terms: TermsRow },
  dependencies: MarketDependencies = {},
): Promise<{ terms: MarketTerms; cancelled: number }> {
  const sacco = await lockSacco(tx, saccoId);
  // The platform writes, since the orders to close are other members': PostgreSQL does not ask whose office it is, so we do.
  const [held] = await tx.sql`
    select from offices
    where sacco_id = ${saccoId} and user_id = ${actor.userId} and ended_at is null and until > ${tx.now}
      and office = any (${texts(route.offices ?? [])}::text[])`;
  if (!held) throw new Refusal('not_allowed');
  const closed = refusalOfState(sacco);
  if (closed) throw closed;
  await tx.sql`
    update markets
    set price_mode = ${terms.price_mode}, floor_percentage = ${terms.floor_percentage},
      ceiling_percentage = ${terms.ceiling_percentage}, tick_cents = ${terms.tick_cents}, lot = ${terms.lot},
      fee_basis_points = ${terms.fee_basis_points}, fee_min_cents = ${terms.fee_min_cents},
      order_days_max = ${terms.order_days_max}, terms_by = ${actor.userId}, terms_at = ${tx.now}
    where sacco_id = ${saccoId}`;
  const unfit = await ordersOutside(tx, saccoId, terms, sacco.share_value_cents);
  for (let start = 0; start < unfit.length; start += CHUNK) {
    const closing = unfit.slice(start, start + CHUNK);
    await trade(
      tx,
      closing.map((orderId) => ({ kind: 'close', orderId, reason: 'terms_changed' })),
      dependencies,
    );
  }
  return { terms: termsOnWire(terms, sacco.share_value_cents), cancelled: unfit.length };
}

async function ordersOutside(tx: Tx, saccoId: string, terms: TermsRow, shareValueCents: number): Promise<string[]> {
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  const rows = await tx.sql<{ id: string }[]>`
    select id from share_orders
    where sacco_id = ${saccoId} and state = 'open' and price_cents <> ${shareValueCents}
      and (${terms.price_mode === 'par'} or price_cents < ${floorCents} or price_cents > ${ceilingCents}
           or price_cents % ${terms.tick_cents} <> 0)
    order by place`;
  return rows.map(({ id }) => id);
}
