-- A name that others trust (domains: identity, loans, pools; docs/decisions/232).

-- Each name that somebody had, and until when. Whoever reads a name that changed lately reads the one before with it.
create table former_names (
  user_id uuid not null references users (id),
  until timestamptz not null,
  first_name text not null,
  last_name text not null,
  primary key (user_id, until)
);
revoke update, delete, truncate on former_names from ushirika_app;
select close_table('former_names');

-- A guarantor signs the borrower's name and number with the loan. Of two names in one instant the first is kept.
alter table loans add column borrower_name text, add column borrower_number text,
  add constraint loans_borrower_named check (num_nulls(borrower_name, borrower_number) in (0, 2));
-- What was signed without a name before, and is not paid out yet, stays as it was signed.
update loans l set borrower_name = u.first_name || ' ' || u.last_name, borrower_number = u.account_number
from users u
where u.id = l.borrower_id
  and not exists (select from loan_guarantees g where g.loan_id = l.id and g.state = 'accepted');

create function name_borrower() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  select u.first_name || ' ' || u.last_name, u.account_number into new.borrower_name, new.borrower_number
  from users u where u.id = new.borrower_id;
  return new;
end
$$;
revoke execute on function name_borrower from public;
create trigger name_borrower before insert on loans for each row execute function name_borrower();

create function keep_former_name() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into former_names (user_id, until, first_name, last_name)
  values (old.id, new.updated_at, old.first_name, old.last_name) on conflict do nothing;
  update loans set borrower_name = new.first_name || ' ' || new.last_name
  where borrower_id = new.id and borrower_name is not null;
  return new;
end
$$;
revoke execute on function keep_former_name from public;
create trigger keep_former_name after update of first_name, last_name on users
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function keep_former_name();

-- The earliest other name of somebody in the last 90 days, and until when; null where there is none.
create function former_name(person uuid, at timestamptz) returns jsonb
  language sql stable security definer set search_path = public, pg_temp
as $$
  select jsonb_build_object('name', f.first_name || ' ' || f.last_name, 'until', to_char(f.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from former_names f join users u on u.id = f.user_id
  where f.user_id = person and f.until > at - interval '90 days'
    and (f.first_name, f.last_name) is distinct from (u.first_name, u.last_name)
  order by f.until limit 1
$$;
revoke execute on function former_name from public;
grant execute on function former_name to ushirika_app, ushirika_member;
