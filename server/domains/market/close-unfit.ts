import type { Database, Tx } from '../../db/tx.ts';
import type { MarketDependencies } from './market.types.ts';
import { bandOf, type TermsRow } from './terms.rules.ts';
import { trade } from './trade.ts';

/** The most orders closed in one batch. */
const CHUNK = 500;
const DAY_MS = 86_400_000;

interface NewTerms {
  readonly saccoId: string;
  readonly before: TermsRow;
  readonly after: TermsRow;
  readonly shareValueCents: number;
}

/**
 * Closes open orders that do not fit new terms, in the transaction of the change. What they held becomes free, and
 * their members are told. A constant number of statements for each five hundred orders. Returns how many were closed.
 */
export async function closeUnfit(tx: Tx, terms: NewTerms, dependencies: MarketDependencies): Promise<number> {
  const unfit = await unfitOrders(tx, terms);
  await closeAll(tx, unfit, dependencies);
  return unfit.length;
}

/** Closes orders from before the caps on fees (migration 0119) that would pay more than the caps. */
export async function closeOverTheCaps(database: Database, dependencies: MarketDependencies): Promise<void> {
  for (;;) {
    // The condition of the index share_orders_over_the_caps.
    const due = await database.sql<{ id: string }[]>`
      select id from share_orders
      where state = 'open' and fee_max_basis_points > 300 and (fee_basis_points > 300 or fee_min_cents > 5000
        or fee_min_cents * 100 > 3 * (value_cents + price_cents * (shares - filled)))
      order by id limit ${CHUNK}`;
    const ids = due.map(({ id }) => id);
    await database.transaction((tx) => closeAll(tx, ids, dependencies));
    if (due.length < CHUNK) return;
  }
}

async function closeAll(tx: Tx, ids: readonly string[], dependencies: MarketDependencies): Promise<void> {
  for (let start = 0; start < ids.length; start += CHUNK) {
    const closing = ids.slice(start, start + CHUNK);
    await trade(
      tx,
      closing.map((orderId) => ({ kind: 'close', orderId, reason: 'terms_changed' })),
      dependencies,
    );
  }
}

/**
 * Finds orders at a price that is no longer allowed. Where the lot changes, those that are not whole lots any more,
 * except sales of a leaving member. Where the longest wait becomes shorter, those that would wait longer.
 */
async function unfitOrders(tx: Tx, { saccoId, before, after, shareValueCents }: NewTerms): Promise<string[]> {
  const { floorCents, ceilingCents } = bandOf(after, shareValueCents);
  const lastDay = new Date(tx.now.getTime() + after.order_days_max * DAY_MS);
  const rows = await tx.sql<{ id: string }[]>`
    select o.id from share_orders o
    where o.sacco_id = ${saccoId} and o.state = 'open' and (
      o.price_cents <> ${shareValueCents}
        and (${after.price_mode === 'par'} or o.price_cents < ${floorCents} or o.price_cents > ${ceilingCents}
             or o.price_cents % ${after.tick_cents} <> 0)
      or ${after.lot !== before.lot} and (o.shares - o.filled) % ${after.lot} <> 0
        and not (o.side = 'sell' and exists (
          select from memberships m
          where m.sacco_id = o.sacco_id and m.user_id = o.user_id and m.state = 'leaving'))
      or ${after.order_days_max < before.order_days_max} and o.expires_at > ${lastDay})
    order by o.place`;
  return rows.map(({ id }) => id);
}
