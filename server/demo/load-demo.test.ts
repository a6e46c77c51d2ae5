import { expect, test } from 'vitest';
import { audit } from '../audit.ts';
import { type TestDatabase, testDatabase } from '../db/test-database.ts';
import { loadDemo } from './load-demo.ts';
import { demoParts } from './story.ts';
import { wronglyCaused } from './test-causes.ts';

/** Any day will do: the turn of the year, of a month and of the day in Nairobi, and the last day on which another year was the first. */
const DAYS = [
  '2026-11-21T09:00:00.000Z',
  '2026-03-03T06:30:00.000Z',
  '2026-01-01T05:10:00.000Z',
  '2026-02-28T20:55:00.000Z',
  '2026-03-31T20:58:00.000Z',
  '2026-06-30T04:00:00.000Z',
  '2026-09-15T21:30:00.000Z',
  '2026-11-26T20:59:00.000Z',
  '2026-12-31T20:50:00.000Z',
  '2026-12-31T05:00:00.000Z',
  '2027-01-25T09:00:00.000Z',
  '2028-02-29T00:05:00.000Z',
];
/** `npm test` takes the one whose turn it is (decision 176). */
const turn = process.env.PROVE_CONTROLS;
const days = turn === undefined ? DAYS : DAYS.filter((_day, index) => index === Number(turn));

test.each(days)(
  'the demonstration loads into an empty database on %s, once, and its books hold',
  async (day) => {
    const now = new Date(day);
    const database = await testDatabase();
    const told = await loadDemo(database.url, now);
    expect(told.join('\n')).toMatch(/12345678.*\n.*23456789.*\n.*34567890.*\n.*45678901.*\n.*99999999.*\n.*88888888/);
    const [figures] = await database.owner`
    select (select count(*) from saccos)::int as saccos, (select count(*) from sacco_logos)::int as logos,
      (select count(*) from memberships)::int > 40 as has_members,
      (select count(*) from share_movements)::int > 40 as has_shares,
      (select count(*) from offices where ended_at is null)::int as offices`;
    expect(figures).toEqual({ saccos: 4, logos: 2, has_members: true, has_shares: true, offices: expect.any(Number) });
    expect(figures?.offices).toBeGreaterThan(2);
    expect(await marketFigures(database, now)).toEqual({
      has_many_trades: true,
      has_trades_in_nearly_every_week: true,
      prices_are_plausible: true,
      trades_of_the_last_day: true,
      // A live book, an offer at par of who leaves, and the sacco that is not active.
      saccos_with_open_orders: 3,
      bid_prices: true,
      ask_prices: true,
      sellers_and_buyers: true,
      wanjirus_open_orders: ['buy', 'sell'],
      wanjirus_notes: ['bought', 'sold'],
      alerts_waiting: 1,
      untold: 0,
    });
    const [compared] = await database.owner`
    select c.state, c.compared_at, o.balance_cents = 1000000000 + a.balance - reversed.cents as is_filled
    from float_comparisons c, simulator.organisation_account o, accounts a,
      (select sum(amount_cents) as cents from money_exceptions where kind = 'payment_reversed') reversed
    where o.name = 'utility' and a.kind = 'mpesa_float'`;
    const atThree = new Date(`${day.slice(0, 10)}T00:02:00.000Z`);
    expect(compared).toEqual({ state: 'agrees', compared_at: atThree, is_filled: true });
    const asked = await database.owner`select from mpesa_receipts where ask_again_at is not null`;
    expect(asked, 'the simulator would be asked about payments that it does not know').toHaveLength(0);
    for (const { missing } of demoParts) expect((await missing?.(database.sql)) ?? []).toEqual([]);
    expect(await wronglyCaused(database), 'messages are counted for the account whose act they tell of').toEqual([]);
    expect((await audit(database.url)).filter(({ breach }) => breach !== null)).toEqual([]);
    expect(await loadDemo(database.url, now)).toEqual([]);
    await database.close();
  },
  300_000,
);

/** What somebody sees who comes to the share market of the demonstration. */
async function marketFigures(database: TestDatabase, now: Date): Promise<Record<string, unknown>> {
  const [figures] = await database.owner`
    with busy as (select id from saccos where name = 'Mwangaza Traders Sacco'),
      wanjiru as (select id from users where id_number = '12345678'),
      weeks as (
        select date_bin('7 days', starts_at, '2001-01-01 00:00+03') as week from market_candles
        where unit = 'day' and sacco_id = (select id from busy) group by 1
      )
    select (select count(*) between 200 and 400 from share_trades where sacco_id = (select id from busy)) as has_many_trades,
      (select count(*) < 5 from generate_series((select min(week) from weeks), (select max(week) from weeks), '7 days') as week
        where week not in (select week from weeks)) as has_trades_in_nearly_every_week,
      (select bool_and(price_cents between 9100 and 10200) from share_trades
        where sacco_id = (select id from busy)) as prices_are_plausible,
      (select count(*) > 10 from share_trades
        where sacco_id = (select id from busy) and traded_at > ${now}::timestamptz - interval '1 day') as trades_of_the_last_day,
      (select count(distinct sacco_id)::int from share_orders where state = 'open') as saccos_with_open_orders,
      (select count(*) >= 6 from market_levels
        where sacco_id = (select id from busy) and side = 'buy' and shares > 0) as bid_prices,
      (select count(*) >= 6 from market_levels
        where sacco_id = (select id from busy) and side = 'sell' and shares > 0) as ask_prices,
      (select count(distinct user_id) > 5 from share_orders
        where sacco_id = (select id from busy) and state = 'open') as sellers_and_buyers,
      (select array_agg(side order by side) from share_orders
        where state = 'open' and user_id = (select id from wanjiru)) as wanjirus_open_orders,
      array_remove(array[
        (select 'bought' from share_trades where buyer_id = (select id from wanjiru) limit 1),
        (select 'sold' from share_trades where seller_id = (select id from wanjiru) limit 1)
      ], null) as wanjirus_notes,
      (select count(*)::int from price_alerts where state = 'waiting') as alerts_waiting,
      (select count(*)::int from markets where alerted_sequence < sequence) as untold`;
  return figures ?? {};
}
