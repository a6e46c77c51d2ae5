-- Two accounts of one person are one person also where members have expelled somebody, and where operators decide about a sacco (domains:
-- membership, saccos; docs/decisions/189, 195).

-- The other accounts that look like a person's. Phones and ID numbers lead to a few, through an index each; `share_identity` decides. Phones of
-- users and of traces are collated otherwise.
create function other_accounts_of(person uuid) returns setof uuid
  language sql stable set search_path = public, pg_temp
as $$
  with phones as materialized (
    select p.phone from users u cross join lateral (values (u.phone), (u.recovery_phone)) p (phone) where u.id = person and p.phone is not null
    union
    select value collate "default" from referral_traces where user_id = person and kind = 'confirmed_phone'),
  candidates as (
    select u.id from phones p join users u on u.phone = p.phone
    union
    select u.id from phones p join users u on u.recovery_phone = p.phone
    union
    select t.user_id from phones p join referral_traces t on t.kind = 'confirmed_phone' and t.value = p.phone collate "C"
    union
    select t.user_id from referral_traces m join referral_traces t on t.kind = m.kind and t.value = m.value
    where m.user_id = person and m.kind = 'id')
  select c.id from candidates c where share_identity(person, c.id)
$$;
revoke execute on function other_accounts_of from public;

-- As the owner, since accounts of others are nobody's to read: of oneself, or asked by the platform. Whether members have expelled another
-- account of a person and have not admitted it again.
create function expelled_as_another_account(sacco uuid, person uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select (not is_person() or person = person_id()) and exists (
    select from expulsions e
    where e.sacco_id = sacco and e.admitted_at is null and e.user_id in (select other_accounts_of(person)))
$$;

-- Whether another account of a person founded a sacco, is a member of it or holds an office in it.
create function belongs_as_another_account(sacco uuid, person uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select (not is_person() or person = person_id()) and exists (
    select from other_accounts_of(person) a (id)
    where exists (select from saccos s where s.id = sacco and s.created_by = a.id)
      or exists (select from offices o where o.sacco_id = sacco and o.user_id = a.id and o.ended_at is null)
      or exists (select from memberships m where m.sacco_id = sacco and m.user_id = a.id and m.state <> 'exited'))
$$;
revoke execute on function expelled_as_another_account, belongs_as_another_account from public;
grant execute on function expelled_as_another_account, belongs_as_another_account to ushirika_app, ushirika_member;
