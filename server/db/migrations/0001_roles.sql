-- The application's role: owns nothing, logs in by nothing. The owner's connections take it on by `role=ushirika_app`.
-- Roles belong to the whole server, so it may exist already through another database.
do $$
begin
  if not exists (select from pg_roles where rolname = 'ushirika_app') then
    create role ushirika_app nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another database of this server was migrated at once
end
$$;

revoke all on schema public from public;
grant usage on schema public to ushirika_app;

alter default privileges in schema public grant select, insert, update, delete on tables to ushirika_app;
alter default privileges in schema public grant usage, select on sequences to ushirika_app;
-- Functions run with their caller's rights unless they say otherwise, and nobody else calls them.
alter default privileges in schema public grant execute on functions to ushirika_app;

do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
