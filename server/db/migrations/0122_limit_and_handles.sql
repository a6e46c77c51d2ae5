-- The limit of one fifth stays once a sacco has had ten holders (decision 155), and members have a handle in each sacco.

alter table sacco_figures
  -- Those who hold at least the minimum shares.
  add column qualified_holders integer not null default 0,
  -- When the tenth of them was there for the first time: from then on nobody comes to hold more than one fifth.
  add column holding_limit_since timestamptz;
with held as (
  select a.book_id as sacco_id, a.owner_id, sum(a.balance) as shares
  from accounts a where a.kind in ('holding', 'holding_hold') group by 1, 2
), qualified as (
  select h.sacco_id, count(*) as holders from held h join saccos s on s.id = h.sacco_id
  where h.shares >= greatest(s.min_shares, 1) group by 1
), moves as (
  select r.sacco_id, r.moved_at,
    -- Both sides of a trade have one place: they count at once.
    sum((r.shares_after >= greatest(s.min_shares, 1))::int - (r.shares_after - r.shares >= greatest(s.min_shares, 1))::int)
      over (partition by r.sacco_id order by r.place) as holders
  from share_register r join saccos s on s.id = r.sacco_id
), reached as (
  select sacco_id, min(moved_at) as at from moves where holders >= 10 group by 1
)
update sacco_figures f
set qualified_holders = coalesce(q.holders, 0),
  holding_limit_since = coalesce(r.at, case when q.holders >= 10 then now() end)
from sacco_figures own left join qualified q on q.sacco_id = own.sacco_id left join reached r on r.sacco_id = own.sacco_id
where f.sacco_id = own.sacco_id and (q.holders > 0 or r.at is not null);
alter table sacco_figures
  add constraint sacco_figures_qualified check (qualified_holders between 0 and share_holders),
  add constraint sacco_figures_limit check (qualified_holders < 10 or holding_limit_since is not null);

create function keep_holding_limit() returns trigger language plpgsql as $$
begin
  raise exception 'The limit of one fifth stays since %.', old.holding_limit_since using errcode = 'check_violation';
end
$$;
revoke execute on function keep_holding_limit from public;
create trigger holding_limit_stays before update of holding_limit_since on sacco_figures for each row
  when (old.holding_limit_since is not null and new.holding_limit_since is distinct from old.holding_limit_since)
  execute function keep_holding_limit();

-- By what members of one sacco know each other in a trade: short, random, the same for as long as somebody is its member.
-- Kept apart from the memberships, which fellow members may read.
create table member_handles (
  sacco_id uuid not null,
  user_id uuid not null,
  -- Digits and consonants: nothing is mistaken for another, and no word comes of them.
  handle text collate "C" not null check (handle ~ '^[2-9BCDFGHJKLMNPQRSTVWXYZ]{4,7}$'),
  primary key (sacco_id, user_id),
  unique (sacco_id, handle),
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id)
);
select close_table('member_handles');
grant select on member_handles to ushirika_member;
create policy person_and_officials on member_handles for select to ushirika_member
  using (user_id = (select person_id()) or sacco_id = any ((select my_offices())::uuid[]));
revoke update, delete on member_handles from ushirika_app;

create function random_handle(length integer) returns text language sql volatile set search_path = public, pg_temp as $$
  select string_agg(substr('23456789BCDFGHJKLMNPQRSTVWXYZ', 1 + get_byte(drawn, place) % 29, 1), '')
  -- The last seven bytes of such an id are random throughout.
  from (select uuid_send(gen_random_uuid()) as drawn, length) one, generate_series(9, 8 + length) as place
$$;
revoke execute on function random_handle from public;

-- Whoever joins holds the sacco's lock: two do not draw at once.
create function give_handle() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  drawn text;
begin
  for attempt in 0..40 loop
    drawn := random_handle(least(7, 4 + attempt / 5));
    insert into member_handles (sacco_id, user_id, handle) values (new.sacco_id, new.user_id, drawn)
    on conflict do nothing;
    if found then return null; end if;
  end loop;
  raise exception 'No handle is free in sacco %.', new.sacco_id;
end
$$;
revoke execute on function give_handle from public;
create trigger memberships_have_a_handle after insert on memberships for each row execute function give_handle();

do $$
declare
  each record;
  drawn text;
begin
  for each in select sacco_id, user_id from memberships loop
    for attempt in 0..40 loop
      drawn := random_handle(least(7, 4 + attempt / 5));
      insert into member_handles (sacco_id, user_id, handle) values (each.sacco_id, each.user_id, drawn)
      on conflict do nothing;
      exit when found;
    end loop;
  end loop;
end
$$;
