import type { Sacco } from './naive-books.ts';
import { type Order, queueOf, type Trade } from './naive-market.ts';
import type { Simulation } from './simulation.ts';

/** Orders, queues, trades, alerts and figures of every market, as far as they have changed since the last time. */
export async function compareMarkets(simulation: Simulation): Promise<string | undefined> {
  for (const sacco of simulation.books.saccos.filter(({ id }) => id !== '')) {
    const wrong =
      (await compareOrders(simulation, sacco)) ??
      (await compareQueues(simulation, sacco)) ??
      (await compareTrades(simulation, sacco)) ??
      (await compareFigures(simulation, sacco)) ??
      (await compareAlerts(simulation, sacco));
    if (wrong) return wrong;
  }
  return;
}

const faceOf = ({ id, person, isSale, price, shares, filled, value, fee, state, why }: Order) =>
  `${id} ${person.id} ${isSale ? 'sell' : 'buy'} ${filled}/${shares} at ${price}, ${value} and ${fee}, ${state} ${why ?? ''}`;

async function compareOrders({ house }: Simulation, { number, market }: Sacco): Promise<string | undefined> {
  const touched = [...market.touched];
  market.touched.clear();
  if (touched.length === 0) return;
  const rows = await house.database.owner<{ id: string; face: string }[]>`
    select id, concat(id, ' ', user_id, ' ', side, ' ', filled, '/', shares, ' at ', price_cents, ', ', value_cents, ' and ',
                      fee_cents, ', ', state, ' ', cancel_reason) as face
    from share_orders where id = any (${touched.map(({ id }) => id)}::uuid[])`;
  const found = new Map(rows.map(({ id, face }) => [id, face]));
  const wrong = touched.find((order) => found.get(order.id) !== faceOf(order));
  return wrong && `an order in sacco ${number} is ${found.get(wrong.id)}; in the naive books ${faceOf(wrong)}`;
}

/** The open orders of both sides, best first and then first come. */
async function compareQueues({ house }: Simulation, sacco: Sacco): Promise<string | undefined> {
  const rows = await house.database.owner<{ id: string }[]>`
    select id from share_orders where sacco_id = ${sacco.id} and state = 'open' order by side, rank, place`;
  const said = [...queueOf(sacco, false), ...queueOf(sacco, true)].map(({ id }) => id);
  const is = rows.map(({ id }) => id);
  return said.join() === is.join()
    ? undefined
    : `the queues of sacco ${sacco.number} are ${is}; in the naive books ${said}`;
}

const wordsOf = ({ buy, sell, shares, price, buyerFee, sellerFee, buyerAfter, sellerAfter }: Trade) =>
  `${buy.id} ${sell.id} ${shares} at ${price}, fees ${buyerFee} ${sellerFee}, after ${buyerAfter} ${sellerAfter}`;

/** The trades, which are the entries of both sides in the members' register. */
async function compareTrades({ house }: Simulation, { id, number, market }: Sacco): Promise<string | undefined> {
  const expected = market.newTrades.map(wordsOf);
  market.newTrades = [];
  const rows = await house.database.owner<{ words: string; entries: number }[]>`
    select concat(buy_order_id, ' ', sell_order_id, ' ', shares, ' at ', price_cents, ', fees ', buyer_fee_cents, ' ',
                  seller_fee_cents, ', after ', buyer_shares_after, ' ', seller_shares_after) as words,
      (select count(*)::int from share_register r where r.sacco_id = t.sacco_id and r.journal_id = t.journal_id) as entries
    from share_trades t where sacco_id = ${id} order by place desc limit ${expected.length}`;
  const found = rows.reverse();
  const at = expected.findIndex((words, index) => found[index]?.words !== words);
  if (at >= 0) return `trade ${at} in sacco ${number} is ${found[at]?.words}; in the naive books ${expected[at]}`;
  const odd = found.find(({ entries }) => entries !== 2);
  return odd && `a trade in sacco ${number} has ${odd.entries} entries in the register`;
}

async function compareFigures({ house }: Simulation, sacco: Sacco): Promise<string | undefined> {
  const { market } = sacco;
  const [row] = await house.database.owner`
    select concat_ws(' ', trades, shares_traded, turnover_cents, coalesce(last_price_cents, 0), coalesce(best_bid_cents, 0),
                     coalesce(best_ask_cents, 0)) as figures from markets where sacco_id = ${sacco.id}`;
  const best = (isSale: boolean) => queueOf(sacco, isSale)[0]?.price ?? 0;
  const { trades, sharesTraded, turnover, last } = market;
  const said = [trades, sharesTraded, turnover, last ?? 0, best(false), best(true)].join(' ');
  return row?.figures === said
    ? undefined
    : `the market of sacco ${sacco.number} is at ${row?.figures}; in the naive books ${said}`;
}

async function compareAlerts({ house }: Simulation, { id, number, market }: Sacco): Promise<string | undefined> {
  const rows = await house.database.owner<{ id: string }[]>`
    select id from price_alerts where sacco_id = ${id} and state = 'waiting' order by id`;
  const is = rows.map((row) => row.id).join();
  const said = market.alerts
    .map((alert) => alert.id)
    .sort()
    .join();
  return is === said
    ? undefined
    : `in sacco ${number} ${is || 'nobody'} waits for a price; in the naive books ${said || 'nobody'}`;
}
