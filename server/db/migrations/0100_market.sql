-- The share market (domain: market). The database is the book: open orders are rows, and no process remembers any.
-- Whoever changes a market holds the sacco's lock (sacco_figures) and then the market's row; several: in the order of
-- their ids (docs/decisions/130).

create table markets (
  sacco_id uuid primary key references saccos (id),
  -- The terms.
  price_mode text not null default 'band' check (price_mode in ('band', 'par')),
  floor_percentage smallint not null default 90 check (floor_percentage between 50 and 100),
  ceiling_percentage smallint not null default 110 check (ceiling_percentage between 100 and 200),
  tick_cents bigint not null default 100 check (tick_cents between 1 and 100000),
  lot integer not null default 1 check (lot between 1 and 10000),
  fee_basis_points integer not null default 50 check (fee_basis_points between 0 and 500),
  fee_min_cents bigint not null default 1000 check (fee_min_cents between 0 and 100000),
  order_days_max smallint not null default 90 check (order_days_max between 1 and 90),
  terms_by uuid references users (id),
  terms_at timestamptz,
  -- Grows with every change of the book; the live stream counts by it.
  sequence bigint not null default 0 check (sequence >= 0),
  -- The latest place handed out in the queues: time priority, whatever the clocks say.
  last_place bigint not null default 0,
  best_bid_cents bigint,
  best_ask_cents bigint,
  last_price_cents bigint,
  last_traded_at timestamptz,
  -- Of all time.
  trades bigint not null default 0,
  shares_traded bigint not null default 0,
  turnover_cents bigint not null default 0,
  -- Minutes from placing to the last share, of the latest 100 orders to sell that were filled, newest last.
  sale_minutes integer[] not null default '{}' check (cardinality(sale_minutes) <= 100),
  -- Up to which trade the parties were told, and at which sequence the price alerts were looked at.
  told_trade_place bigint not null default 0,
  alerted_sequence bigint not null default 0,
  check ((terms_by is null) = (terms_at is null))
) with (fillfactor = 50);

-- Every sacco has its market from its registration on.
insert into markets (sacco_id) select id from saccos;
create function open_market() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into markets (sacco_id) values (new.id);
  return null;
end
$$;
revoke execute on function open_market from public;
create trigger saccos_have_a_market after insert on saccos for each row execute function open_market();

create table share_orders (
  id uuid primary key,
  -- The order in the queue of its price.
  place bigint not null,
  -- Best first, on both sides, by the smallest rank.
  rank bigint not null generated always as (case side when 'sell' then price_cents else -price_cents end) stored,
  price_cents bigint not null check (price_cents > 0),
  shares bigint not null check (shares > 0),
  filled bigint not null default 0 check (filled between 0 and shares),
  -- Traded so far, and the fee paid of it.
  value_cents bigint not null default 0 check (value_cents >= 0),
  fee_cents bigint not null default 0 check (fee_cents >= 0),
  -- The fee's terms as they were shown when it was placed.
  fee_min_cents bigint not null,
  fee_basis_points integer not null,
  placed_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  sacco_id uuid not null,
  user_id uuid not null,
  side text collate "C" not null check (side in ('buy', 'sell')),
  state text collate "C" not null check (state in ('open', 'filled', 'cancelled', 'expired')),
  cancel_reason text collate "C"
    check (cancel_reason in ('by_member', 'terms_changed', 'one_fifth', 'minimum_holding', 'left', 'blocked')),
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'cancelled') = (cancel_reason is not null)),
  check ((state = 'filled') = (filled = shares)),
  check (state <> 'open' or filled < shares)
) with (fillfactor = 80);
-- The book itself.
create unique index share_orders_book on share_orders (sacco_id, side, rank, place) where state = 'open';
create index share_orders_by_member on share_orders (user_id, sacco_id, state, id);
create index share_orders_expiring on share_orders (expires_at) where state = 'open';
comment on table share_orders is 'Limit orders. Users and saccos are checked by the audit, not by foreign keys: this is the hot path.';

-- Each trade is the entry of both its sides in the members' register: the legal act (view share_register).
create table share_trades (
  id uuid primary key,
  -- Among all entries of the register.
  place bigint not null default nextval(pg_get_serial_sequence('share_movements', 'place')),
  price_cents bigint not null check (price_cents > 0),
  shares bigint not null check (shares > 0),
  buyer_fee_cents bigint not null check (buyer_fee_cents >= 0),
  seller_fee_cents bigint not null check (seller_fee_cents >= 0),
  buyer_shares_after bigint not null check (buyer_shares_after > 0),
  seller_shares_after bigint not null check (seller_shares_after >= 0),
  journal_id bigint not null,
  traded_at timestamptz not null,
  sacco_id uuid not null,
  buyer_id uuid not null,
  seller_id uuid not null,
  buy_order_id uuid not null,
  sell_order_id uuid not null,
  -- Who came to the other, and the limit of their order: the price is that of the order that waited, and no worse.
  taker text collate "C" not null check (taker in ('buy', 'sell')),
  taker_limit_cents bigint not null,
  check (case taker when 'buy' then price_cents <= taker_limit_cents else price_cents >= taker_limit_cents end),
  check (buyer_id <> seller_id),
  check (seller_fee_cents <= price_cents * shares)
);
create index share_trades_by_sacco on share_trades (sacco_id, place);
create index share_trades_by_buyer on share_trades (buyer_id, sacco_id, place);
create index share_trades_by_seller on share_trades (seller_id, sacco_id, place);
revoke update, delete on share_trades from ushirika_app;
do $$
begin
  execute format('grant usage on sequence %s to ushirika_app', pg_get_serial_sequence('share_movements', 'place'));
end
$$;

-- Open shares and orders by price, kept in the transaction of what changes them; a price that is empty keeps its row.
create table market_levels (
  sacco_id uuid not null references markets (sacco_id),
  side text collate "C" not null check (side in ('buy', 'sell')),
  price_cents bigint not null,
  shares bigint not null check (shares >= 0),
  orders bigint not null check (orders >= 0 and (orders = 0) = (shares = 0)),
  primary key (sacco_id, side, price_cents)
) with (fillfactor = 50);

-- Quarters of an hour and days (of Nairobi), from which every range is drawn.
create table market_candles (
  sacco_id uuid not null references markets (sacco_id),
  unit text collate "C" not null check (unit in ('quarter', 'day')),
  starts_at timestamptz not null,
  open_cents bigint not null,
  high_cents bigint not null,
  low_cents bigint not null,
  close_cents bigint not null,
  volume bigint not null check (volume > 0),
  turnover_cents bigint not null,
  trades bigint not null check (trades > 0),
  primary key (sacco_id, unit, starts_at),
  check (low_cents <= least(open_cents, close_cents) and high_cents >= greatest(open_cents, close_cents))
) with (fillfactor = 50);

-- What the live stream tells, for a while: one row for each change of a book.
create table market_events (
  sacco_id uuid not null references markets (sacco_id),
  sequence bigint not null,
  at timestamptz not null,
  -- {"levels": [["sell", cents, shares, orders], …], "trades": [[id, shares, cents, taker], …]}
  change jsonb not null,
  primary key (sacco_id, sequence)
);
create index market_events_by_time on market_events (at);

create table price_alerts (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  user_id uuid not null references users (id),
  price_cents bigint not null check (price_cents > 0),
  state text not null check (state in ('waiting', 'told', 'cancelled')),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (ended_at is null))
);
create unique index price_alerts_once on price_alerts (sacco_id, user_id, price_cents) where state = 'waiting';
create index price_alerts_waiting on price_alerts (sacco_id, price_cents) where state = 'waiting';
create index price_alerts_by_member on price_alerts (user_id, sacco_id) where state = 'waiting';

select close_table(name::regclass) from unnest(array['markets', 'share_orders', 'share_trades', 'market_levels',
  'market_candles', 'market_events', 'price_alerts']) as name;

-- Prices are published (they name nobody); the book is for the sacco's members; orders and trades are their parties'.
grant select on markets, market_levels, market_candles, market_events, share_orders, share_trades to ushirika_member;
create policy everybody on markets for select to ushirika_member using (true);
create policy everybody on market_candles for select to ushirika_member using (true);
create policy members on market_levels for select to ushirika_member
  using (sacco_id = any ((select my_saccos())::uuid[]));
create policy members on market_events for select to ushirika_member
  using (sacco_id = any ((select my_saccos())::uuid[]));
create policy person on share_orders for select to ushirika_member using (user_id = (select person_id()));
-- Not `buyer or seller`: PostgreSQL would look both up and sort all trades of the person for one page of them. As a case it
-- is asked of the rows that a query finds by its own condition, and a page of the register is read from the index's end.
create policy parties on share_trades for select to ushirika_member
  using (case when buyer_id = (select person_id()) then true else seller_id = (select person_id()) end);
grant select, insert, update on price_alerts to ushirika_member;
create policy person on price_alerts for select to ushirika_member using (user_id = (select person_id()));
create policy member_asks on price_alerts for insert to ushirika_member
  with check (user_id = (select person_id()) and sacco_id = any ((select my_saccos())::uuid[]));
create policy person_ends on price_alerts for update to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

-- The members' register as one list: what was bought from the sacco, and both sides of every trade.
create view share_register with (security_invoker = true) as
  select id, place, sacco_id, user_id, reason, shares, shares_after, amount_cents, counterparty, journal_id, moved_at
  from share_movements
  union all
  select id, place, sacco_id, buyer_id, 'bought_from_member', shares, buyer_shares_after,
    price_cents * shares, seller_id, journal_id, traded_at
  from share_trades
  union all
  select id, place, sacco_id, seller_id, 'sold_to_member', -shares, seller_shares_after,
    price_cents * shares, buyer_id, journal_id, traded_at
  from share_trades;
grant select on share_register to ushirika_app, ushirika_member;
