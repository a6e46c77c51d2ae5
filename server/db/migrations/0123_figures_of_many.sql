-- Figures that people read come from trades of several pairs of unrelated members (decision 156).

-- Why a trade moves no figure; null for one that does. Those of before are taken to count.
alter table share_trades add column uncounted text collate "C"
  check (uncounted in ('back_and_forth', 'related', 'small'));
-- Whether the same two have traded the other way lately.
create index share_trades_by_pair on share_trades (sacco_id, buyer_id, seller_id, traded_at);

-- What the latest five pairs traded at, oldest first: [["<id> <id>", cents, shares], …]. It names people: nobody's to read.
create table market_points (
  sacco_id uuid primary key references markets (sacco_id),
  points jsonb not null
) with (fillfactor = 50);
select close_table('market_points');

-- The middle price of the latest five pairs whose trades count, weighed by shares, as price.rules.ts has it.
create function middle_price(asked uuid) returns bigint language sql stable set search_path = public, pg_temp as $$
  with latest as (
    select place, price_cents, shares from (
      select distinct on (least(buyer_id, seller_id), greatest(buyer_id, seller_id)) place, price_cents, shares
      from share_trades where sacco_id = asked and uncounted is null
      order by least(buyer_id, seller_id), greatest(buyer_id, seller_id), place desc
    ) pairs order by place desc limit 5
  ), weighed as (
    select place, price_cents, count(*) over () as pairs,
      least(shares, (select percentile_disc(0.5) within group (order by shares) from latest)) as weight
    from latest
  )
  select w.price_cents from weighed w
  where w.pairs >= 3
    and 2 * (select coalesce(sum(weight), 0) from weighed where price_cents < w.price_cents)
      <= (select sum(weight) from weighed)
    and 2 * (select coalesce(sum(weight), 0) from weighed where price_cents > w.price_cents)
      <= (select sum(weight) from weighed)
  order by w.place limit 1
$$;
revoke execute on function middle_price from public;

insert into market_points (sacco_id, points)
select sacco_id, jsonb_agg(jsonb_build_array(pair, price_cents, shares) order by place)
from (
  select *, row_number() over (partition by sacco_id order by place desc) as age from (
    select distinct on (sacco_id, least(buyer_id, seller_id), greatest(buyer_id, seller_id))
      sacco_id, least(buyer_id, seller_id) || ' ' || greatest(buyer_id, seller_id) as pair, price_cents, shares, place
    from share_trades order by sacco_id, least(buyer_id, seller_id), greatest(buyer_id, seller_id), place desc
  ) pairs
) aged where age <= 5 group by sacco_id;
update markets set last_price_cents = middle_price(sacco_id) where trades > 0;

-- A candle has shares from its first trade that counts on, and prices once there is a last price.
alter table market_candles alter column open_cents drop not null, alter column high_cents drop not null,
  alter column low_cents drop not null, alter column close_cents drop not null;

-- Two members who traded to and fro on a day of Nairobi: for their officials.
create table marked_pairs (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  day date not null,
  one_id uuid not null references users (id),
  other_id uuid not null references users (id),
  -- Of those trades of the day that went back.
  trades integer not null check (trades > 0),
  shares bigint not null check (shares > 0),
  value_cents bigint not null check (value_cents > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  told_at timestamptz,
  unique (sacco_id, day, one_id, other_id),
  check (one_id < other_id)
);
create index marked_pairs_by_sacco on marked_pairs (sacco_id, id);
create index marked_pairs_untold on marked_pairs (sacco_id) where told_at is null;
select close_table('marked_pairs');
grant select on marked_pairs to ushirika_member;
create policy officials on marked_pairs for select to ushirika_member
  using (sacco_id = any ((select my_offices())::uuid[]));
revoke delete on marked_pairs from ushirika_app;

drop function market_write(timestamptz, uuid[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], text[], jsonb[],
  integer, uuid[], text[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], timestamptz, timestamptz);

-- Writes what a batch did to books: levels, what the live stream tells, figures, candles. Whoever calls holds the markets'
-- rows. Its plans do not hang on how many markets a batch has: without the setting the figures' would be made anew for
-- each order that comes alone, which takes longer than writing them.
create function market_write(
  at timestamptz, sacco_ids uuid[], sequences bigint[], last_places bigint[], last_prices bigint[], trade_counts bigint[],
  traded_shares bigint[], turnovers bigint[], minutes text[], told jsonb[], minutes_kept integer,
  level_saccos uuid[], level_sides text[], level_prices bigint[], level_shares bigint[], level_orders bigint[],
  opens bigint[], highs bigint[], lows bigint[], counted_trades bigint[], counted_shares bigint[],
  counted_turnovers bigint[], all_points text[], quarter timestamptz, day timestamptz
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

  -- Of the trades that count alone.
  insert into market_candles as c (sacco_id, unit, starts_at, open_cents, high_cents, low_cents, close_cents, volume,
                                   turnover_cents, trades)
  select now.sacco_id, u.unit, u.starts_at, now.open, now.high, now.low, now.close, now.volume, now.turnover, now.trades
  from unnest(sacco_ids, opens, highs, lows, last_prices, counted_shares, counted_turnovers, counted_trades)
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
