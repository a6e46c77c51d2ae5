-- Two roles (docs/decisions/110). `ushirika_app` is the platform itself: jobs, callbacks, batches, what anybody may read.
-- `ushirika_member` is whoever is signed in: a request takes it on in its transaction, and says who by the setting
-- `ushirika.user_id`. PostgreSQL then shows that person's rows and no others. Without the setting it shows no private row.
do $$
begin
  if not exists (select from pg_roles where rolname = 'ushirika_member') then
    create role ushirika_member nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another database of this server was migrated at once
end
$$;
-- An owner that is no superuser made the roles and may not yet take them on.
do $$
begin
  if not pg_has_role(current_user, 'ushirika_app', 'set') then grant ushirika_app to current_user; end if;
  if not pg_has_role(current_user, 'ushirika_member', 'set') then grant ushirika_member to current_user; end if;
end
$$;
grant usage on schema public to ushirika_member;

create function person_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('ushirika.user_id', true), '')::uuid $$;

-- The application's clock: what is over by it is over here too.
create function person_now() returns timestamptz language sql stable parallel safe
  as $$ select coalesce(nullif(current_setting('ushirika.now', true), '')::timestamptz, now()) $$;

-- Whether somebody's own act runs, rather than the platform's.
create function is_person() returns boolean language sql stable parallel safe
  as $$ select current_setting('role', true) is not distinct from 'ushirika_member' $$;

-- In functions that belong to the owner: only for oneself, or the platform for anybody.
create function may_act_for(id uuid) returns boolean language sql stable parallel safe
  as $$ select not is_person() or id is not distinct from person_id() and id is not null $$;

-- What follows looks at the rows themselves, never at a word of the application. Policies ask once for each statement:
-- `(select my_saccos())`.
create function my_saccos() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(array_agg(sacco_id), '{}') from (
    select sacco_id from memberships where user_id = person_id() and state <> 'exited'
    union
    select sacco_id from offices where user_id = person_id() and ended_at is null and until > person_now()
  ) own
$$;

create function my_offices() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(array_agg(distinct sacco_id), '{}') from offices
  where user_id = person_id() and ended_at is null and until > person_now()
$$;

create function is_operator() returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from operators where user_id = person_id() and revoked_at is null) $$;

create function my_accounts() returns bigint[]
  language sql stable security definer set search_path = public, pg_temp
as $$ select coalesce(array_agg(id), '{}') from accounts where owner_id = person_id() $$;
create index accounts_by_owner on accounts (owner_id) where owner_id is not null;

create function my_pools() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(array_agg(pool_id), '{}') from (
    select pool_id from pool_members where user_id = person_id()
    union
    select pool_id from pool_stewards where user_id = person_id() and (until is null or until > person_now())
  ) own
$$;

revoke execute on function my_saccos, my_offices, is_operator, my_accounts, my_pools from public;
grant execute on function my_saccos, my_offices, is_operator, my_accounts, my_pools to ushirika_app, ushirika_member;

-- Closes a table: nobody reads or changes a row that no policy gives them. The platform's own role is given all rows; what
-- it may do to them is a matter of its grants. Every migration that makes a table calls this, and a test looks.
create function close_table(closed regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', closed);
  execute format('create policy platform on %s to ushirika_app using (true) with check (true)', closed);
end
$$;
revoke execute on function close_table from public, ushirika_app;

do $$
declare each regclass;
begin
  for each in
    select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
  loop
    perform close_table(each);
  end loop;
end
$$;
