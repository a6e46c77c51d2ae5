-- A password's hash is read by the platform alone (domain: identity; docs/decisions/110). Operators are given the rows of all
-- people, and so were given the hashes. A column that users gets later is granted by the migration that adds it.
revoke select on users from ushirika_member;
do $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
  where attrelid = 'users'::regclass and attnum > 0 and not attisdropped and attname <> 'password_hash';
  execute format('grant select (%s) on users to ushirika_member', columns);
end
$$;

-- One's own, to compare with what was typed; the platform asks for anybody's.
create function password_hash_of(asked uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
as $$ select password_hash from users where id = asked and may_act_for(asked) $$;
revoke execute on function password_hash_of from public;
grant execute on function password_hash_of to ushirika_app, ushirika_member;
