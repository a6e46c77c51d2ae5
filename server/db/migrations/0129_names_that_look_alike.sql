-- What is left of a name without all by which two names that look alike can differ (decision 162).
-- PostgreSQL cannot work it out: verbs write it, and each start does for rows without one (server/fill-name-skeletons.ts).
-- It stays null where an older row had a name that looks the same.
alter table saccos add column name_skeleton text collate "C" check (name_skeleton <> '');
alter table pools add column name_skeleton text collate "C" check (name_skeleton <> '');
-- A rejected application holds no name.
create unique index saccos_name_looks_once on saccos (name_skeleton) where state <> 'rejected';
create unique index pools_name_looks_once on pools (sacco_id, name_skeleton) nulls not distinct
  where name_skeleton is not null;
create index saccos_without_skeleton on saccos (id) where name_skeleton is null;
create index pools_without_skeleton on pools (id) where name_skeleton is null;

-- The names that no official may have. Whoever takes one of them or an office is compared with all: operators are few.
create function operators_names(out user_id uuid, out name text) returns setof record
  language sql stable security definer set search_path = public, pg_temp
as $$
  select o.user_id, u.first_name || ' ' || u.last_name
  from operators o join users u on u.id = o.user_id where o.revoked_at is null
$$;
revoke execute on function operators_names from public;
grant execute on function operators_names to ushirika_app, ushirika_member;
