-- The name before is read of whom one may know, and of nobody else (domain: identity; docs/decisions/232). `former_name` looked past the policies
-- of its reader; now it runs as them.
create policy known on former_names for select to ushirika_member
  using (until > person_now() - interval '90 days' and exists (select from people p where p.id = user_id));
grant select on former_names to ushirika_member;
create or replace function former_name(person uuid, at timestamptz) returns jsonb
  language sql stable set search_path = public, pg_temp
as $$
  select jsonb_build_object('name', f.first_name || ' ' || f.last_name, 'until', to_char(f.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from former_names f join people u on u.id = f.user_id
  where f.user_id = person and f.until > at - interval '90 days'
    and (f.first_name, f.last_name) is distinct from (u.first_name, u.last_name)
  order by f.until limit 1
$$;
