-- ID numbers of digits are kept without zeros before them (domains: identity): with them one card stood for several accounts. Where
-- somebody has the number without zeros already, the account keeps its own, with its invitations: whoseId finds it by what is typed.
create function pg_temp.folded(id_number text) returns text language sql immutable as $$
  select regexp_replace(id_number, '^0+(?=[0-9]{5,}$)', '')
$$;
update users u set id_number = pg_temp.folded(u.id_number)
where u.id_number ~ '^0+[0-9]{5,}$' and not exists (
  select from users o where o.id <> u.id and pg_temp.folded(o.id_number) = pg_temp.folded(u.id_number));
update office_invitations i set id_number = pg_temp.folded(i.id_number)
where i.id_number ~ '^0+[0-9]{5,}$' and not exists (select from users u where u.id_number = i.id_number);
insert into referral_traces (user_id, kind, value, created_at)
select user_id, kind, pg_temp.folded(value), created_at from referral_traces where kind = 'id' and value ~ '^0+[0-9]{5,}$'
on conflict do nothing;
