-- Shares that were traded are all shares that were traded. Small trades, and those to and fro, do not move the price (decision
-- 156); their shares were left out of the candles, and so of "Shares traded".
insert into market_candles as c (sacco_id, unit, starts_at, volume, turnover_cents, trades)
select t.sacco_id, u.unit, u.starts_at, sum(t.shares), sum(t.price_cents * t.shares), count(*)
from share_trades t
cross join lateral (values
  ('day', date_trunc('day', t.traded_at, 'Africa/Nairobi')),
  ('quarter', date_bin('15 minutes', t.traded_at, '2001-01-01 00:00+03'))
) as u (unit, starts_at)
where t.uncounted is not null and (u.unit = 'day' or t.traded_at > now() - interval '14 days')
group by t.sacco_id, u.unit, u.starts_at
on conflict (sacco_id, unit, starts_at) do update
set volume = c.volume + excluded.volume, turnover_cents = c.turnover_cents + excluded.turnover_cents,
  trades = c.trades + excluded.trades;

drop function market_write(timestamptz, uuid[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], text[], jsonb[],
  integer, uuid[], text[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], text[],
  timestamptz, timestamptz);

-- Writes what a batch did to books: levels, what the live stream tells, figures, candles. Whoever calls holds the markets'
-- rows. Its plans do not hang on how many markets a batch has: without the setting the figures' would be made anew for
-- each order that comes alone, which takes longer than writing them.
create function market_write(
  at timestamptz, sacco_ids uuid[], sequences bigint[], last_places bigint[], last_prices bigint[], trade_counts bigint[],
  traded_shares bigint[], turnovers bigint[], minutes text[], told jsonb[], minutes_kept integer,
  level_saccos uuid[], level_sides text[], level_prices bigint[], level_shares bigint[], level_orders bigint[],
  opens bigint[], highs bigint[], lows bigint[], all_points text[], quarter timestamptz, day timestamptz
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  -- A price that was never used gets its row; what is taken off a level has one.
  insert into market_levels (sacco_id, side, price_cents, shares, orders)
  select l.sacco_id, l.side, l.price_cents, 0, 0
  from unnest(level_saccos, level_sides, level_prices, level_orders) as l (sacco_id, side, price_cents, orders)
  where l.orders > 0
  on conflict do nothing;

  with moved as (
    update market_levels l set shares = l.shares + change.shares, orders = l.orders + change.orders
    from unnest(level_saccos, level_sides, level_prices, level_shares, level_orders)
      as change (sacco_id, side, price_cents, shares, orders)
    where l.sacco_id = change.sacco_id and l.side = change.side and l.price_cents = change.price_cents
    returning l.sacco_id, l.side, l.price_cents, l.shares, l.orders
  )
  insert into market_events (sacco_id, sequence, at, change)
  select event.sacco_id, event.sequence, market_write.at, jsonb_build_object(
      'levels', coalesce((
        select jsonb_agg(jsonb_build_array(m.side, m.price_cents, m.shares, m.orders) order by m.side, m.price_cents)
        from moved m where m.sacco_id = event.sacco_id), '[]'::jsonb),
      'trades', event.trades)
  from unnest(sacco_ids, sequences, told) as event (sacco_id, sequence, trades);

  -- After the levels: the figures are read off them.
  update markets m
  set sequence = now.sequence, last_place = now.last_place,
    best_bid_cents = (
      select max(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'buy' and l.shares > 0),
    best_ask_cents = (
      select min(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'sell' and l.shares > 0),
    last_price_cents = coalesce(now.last_price, m.last_price_cents),
    last_traded_at = case when now.trades = 0 then m.last_traded_at else market_write.at end,
    trades = m.trades + now.trades, shares_traded = m.shares_traded + now.shares,
    turnover_cents = m.turnover_cents + now.turnover,
    sale_minutes = case when now.minutes = '{}' then m.sale_minutes
      else (m.sale_minutes || now.minutes::integer[])[
        greatest(1, cardinality(m.sale_minutes) + cardinality(now.minutes::integer[]) - minutes_kept + 1):] end
  from unnest(sacco_ids, sequences, last_places, last_prices, trade_counts, traded_shares, turnovers, minutes)
    as now (sacco_id, sequence, last_place, last_price, trades, shares, turnover, minutes)
  where m.sacco_id = now.sacco_id;

  insert into market_points as p (sacco_id, points)
  select now.sacco_id, now.points::jsonb from unnest(sacco_ids, all_points) as now (sacco_id, points)
  where now.points is not null
  on conflict (sacco_id) do update set points = excluded.points;

  -- Shares are those of all trades, prices of those that count alone.
  insert into market_candles as c (sacco_id, unit, starts_at, open_cents, high_cents, low_cents, close_cents, volume,
                                   turnover_cents, trades)
  select now.sacco_id, u.unit, u.starts_at, now.open, now.high, now.low, now.close, now.volume, now.turnover, now.trades
  from unnest(sacco_ids, opens, highs, lows, last_prices, traded_shares, turnovers, trade_counts)
    as now (sacco_id, open, high, low, close, volume, turnover, trades)
  cross join (values ('quarter', quarter), ('day', day)) as u (unit, starts_at)
  where now.trades > 0
  on conflict (sacco_id, unit, starts_at) do update
  set open_cents = coalesce(c.open_cents, excluded.open_cents),
    high_cents = greatest(c.high_cents, excluded.high_cents), low_cents = least(c.low_cents, excluded.low_cents),
    close_cents = coalesce(excluded.close_cents, c.close_cents), volume = c.volume + excluded.volume,
    turnover_cents = c.turnover_cents + excluded.turnover_cents, trades = c.trades + excluded.trades;
end $$;
revoke execute on function market_write from public;
grant execute on function market_write to ushirika_app;
