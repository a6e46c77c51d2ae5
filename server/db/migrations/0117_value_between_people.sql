-- What moves between people (docs/decisions/151, 152). Two sums a person, kept so that they are read by key.

-- What somebody moved to others in a day of Nairobi without having entered the password in the last 15 minutes (domain:
-- identity). It only grows.
create table unproven_days (
  user_id uuid not null references users,
  day date not null,
  moved_cents bigint not null check (moved_cents > 0),
  primary key (user_id, day)
);
select close_table('unproven_days');
grant select, insert, update on unproven_days to ushirika_app, ushirika_member;
create policy person on unproven_days to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

-- What shares that were sold to other members brought into a wallet, by the quarter of an hour (domain: wallet). It only
-- grows. No foreign key: each trade writes one, and the audit asks instead, as of the trades themselves.
create table sale_proceeds (
  user_id uuid not null,
  starts_at timestamptz not null,
  cents bigint not null check (cents > 0),
  primary key (user_id, starts_at)
);
select close_table('sale_proceeds');
grant select, insert, update on sale_proceeds to ushirika_app;
grant select on sale_proceeds to ushirika_member;
create policy person on sale_proceeds for select to ushirika_member using (user_id = (select person_id()));

create function only_grows() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name;
end $$;
create trigger only_grows before update on unproven_days
  for each row when (new.moved_cents <= old.moved_cents or new.user_id <> old.user_id or new.day <> old.day)
  execute function only_grows();
create trigger only_grows before update on sale_proceeds
  for each row when (new.cents <= old.cents or new.user_id <> old.user_id or new.starts_at <> old.starts_at)
  execute function only_grows();

insert into sale_proceeds (user_id, starts_at, cents)
select seller_id, date_bin('15 minutes', traded_at, 'epoch'), sum(shares * price_cents - seller_fee_cents)
from share_trades group by 1, 2
having sum(shares * price_cents - seller_fee_cents) > 0;
