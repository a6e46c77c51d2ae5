-- What a batch writes, in fewer statements: an order alone waits for each of them (docs/decisions/136).

-- `ledger_claim` and then, where every key was free, `ledger_write`: the transfers name their journals by the places of
-- their keys, from 1 on. Where a key was taken (keys are then named) nothing is written yet, and the caller decides.
create function ledger_post(
  keys text[], kinds text[], causers uuid[], about_types text[], about_ids uuid[], reversed bigint[], at timestamptz,
  key_places integer[], positions smallint[], debits bigint[], credits bigint[], amounts bigint[],
  debit_afters bigint[], credit_afters bigint[], places tid[], befores bigint[], afters bigint[],
  out claimed_ids bigint[], out claimed_keys text[]
) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select c.claimed_ids, c.claimed_keys into claimed_ids, claimed_keys
  from ledger_claim(keys, kinds, causers, about_types, about_ids, reversed, at) c;
  if claimed_keys is null then
    perform ledger_write(array(select claimed_ids[place] from unnest(key_places) as place), positions, debits, credits,
      amounts, debit_afters, credit_afters, places, befores, afters);
  end if;
end $$;
revoke execute on function ledger_post from public;
grant execute on function ledger_post to ushirika_app, ushirika_member;

-- Writes what a batch did to books: levels, what the live stream tells, figures, candles. Whoever calls holds the markets'
-- rows. Its plans do not hang on how many markets a batch has: without the setting the figures' would be made anew for
-- each order that comes alone, which takes longer than writing them.
create function market_write(
  at timestamptz, sacco_ids uuid[], sequences bigint[], last_places bigint[], last_prices bigint[], trade_counts bigint[],
  traded_shares bigint[], turnovers bigint[], minutes text[], told jsonb[], minutes_kept integer,
  level_saccos uuid[], level_sides text[], level_prices bigint[], level_shares bigint[], level_orders bigint[],
  opens bigint[], highs bigint[], lows bigint[], quarter timestamptz, day timestamptz
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
        select jsonb_agg(jsonb_build_array(m.side, m.price_cents, m.shares, m.orders))
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
    last_traded_at = case when now.last_price is null then m.last_traded_at else market_write.at end,
    trades = m.trades + now.trades, shares_traded = m.shares_traded + now.shares,
    turnover_cents = m.turnover_cents + now.turnover,
    sale_minutes = case when now.minutes = '{}' then m.sale_minutes
      else (m.sale_minutes || now.minutes::integer[])[
        greatest(1, cardinality(m.sale_minutes) + cardinality(now.minutes::integer[]) - minutes_kept + 1):] end
  from unnest(sacco_ids, sequences, last_places, last_prices, trade_counts, traded_shares, turnovers, minutes)
    as now (sacco_id, sequence, last_place, last_price, trades, shares, turnover, minutes)
  where m.sacco_id = now.sacco_id;

  insert into market_candles as c (sacco_id, unit, starts_at, open_cents, high_cents, low_cents, close_cents, volume,
                                   turnover_cents, trades)
  select now.sacco_id, u.unit, u.starts_at, now.open, now.high, now.low, now.close, now.volume, now.turnover, now.trades
  from unnest(sacco_ids, opens, highs, lows, last_prices, traded_shares, turnovers, trade_counts)
    as now (sacco_id, open, high, low, close, volume, turnover, trades)
  cross join (values ('quarter', quarter), ('day', day)) as u (unit, starts_at)
  where now.trades > 0
  on conflict (sacco_id, unit, starts_at) do update
  set high_cents = greatest(c.high_cents, excluded.high_cents), low_cents = least(c.low_cents, excluded.low_cents),
    close_cents = excluded.close_cents, volume = c.volume + excluded.volume,
    turnover_cents = c.turnover_cents + excluded.turnover_cents, trades = c.trades + excluded.trades;
end $$;
revoke execute on function market_write from public;
grant execute on function market_write to ushirika_app;
