-- What members are to be told of their trades, by order and quarter of an hour (decision 157). Once the quarter is over one
-- message tells a member of all of them, and the same transaction deletes the rows.
create table trades_to_tell (
  order_id uuid not null references share_orders (id),
  quarter_at timestamptz not null,
  user_id uuid not null references users (id),
  sacco_id uuid not null references saccos (id),
  side text not null check (side in ('buy', 'sell')),
  shares bigint not null check (shares > 0),
  -- At the prices that were paid, without fees.
  amount_cents bigint not null check (amount_cents > 0),
  -- Whose order was the first to meet it.
  caused_by uuid not null references users (id),
  primary key (order_id, quarter_at)
);
create index trades_to_tell_by_quarter on trades_to_tell (quarter_at, user_id);
select close_table('trades_to_tell');
