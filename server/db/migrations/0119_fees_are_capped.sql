-- No official can set a fee that takes a trade, or terms that keep everybody from selling (docs/decisions/153).
update markets m
set fee_basis_points = least(m.fee_basis_points, 300), fee_min_cents = least(m.fee_min_cents, 5000),
  order_days_max = greatest(m.order_days_max, 7), lot = least(m.lot, greatest(1, s.min_shares))
from saccos s
where s.id = m.sacco_id
  and (m.fee_basis_points > 300 or m.fee_min_cents > 5000 or m.order_days_max < 7 or m.lot > greatest(1, s.min_shares));
alter table markets
  drop constraint markets_fee_basis_points_check,
  drop constraint markets_fee_min_cents_check,
  drop constraint markets_order_days_max_check,
  add constraint markets_fee_basis_points_check check (fee_basis_points between 0 and 300),
  add constraint markets_fee_min_cents_check check (fee_min_cents between 0 and 5000),
  add constraint markets_order_days_max_check check (order_days_max between 7 and 90);

-- The most that an order pays of what it has traded. Orders from before are as they were shown: 10000 is their whole
-- value. Those of them that are open and would pay more than the caps once they have traded, a job closes
-- (market: close-unfit.ts), since what they hold moves by the ledger alone.
alter table share_orders add column fee_max_basis_points smallint not null default 10000;
alter table share_orders alter column fee_max_basis_points set default 300;
alter table share_orders
  add constraint share_orders_fee_max_basis_points_check check (fee_max_basis_points in (300, 10000)),
  add constraint share_orders_fee_is_capped check (fee_max_basis_points = 10000
    or fee_basis_points <= 300 and fee_min_cents <= 5000 and fee_cents * 100 <= value_cents * 3);
create index share_orders_over_the_caps on share_orders (id)
  where state = 'open' and fee_max_basis_points > 300 and (fee_basis_points > 300 or fee_min_cents > 5000
    or fee_min_cents * 100 > 3 * (value_cents + price_cents * (shares - filled)));
