-- The saccos about which an operator decides nothing: those that they founded, are a member of, or hold an office in, also
-- one whose term is over and that nobody has ended (server/domains/saccos/refuse-own-sacco.ts says the same).
create function saccos_of_mine() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(array_agg(sacco_id), '{}') from (
    select sacco_id from memberships where user_id = person_id() and state <> 'exited'
    union
    select sacco_id from offices where user_id = person_id() and ended_at is null
    union
    select id from saccos where created_by = person_id()
  ) own
$$;
revoke execute on function saccos_of_mine from public;
grant execute on function saccos_of_mine to ushirika_app, ushirika_member;

-- An operator read complaints about a sacco that they had founded without being a member of it.
drop policy sides on complaints;
create policy sides on complaints for select to ushirika_member
  using (complainer_id = (select person_id())
    or sacco_id = any ((select my_offices())::uuid[]) and about_id is distinct from (select person_id())
    or escalated_at is not null and (select is_operator()) and about_id is distinct from (select person_id())
      and sacco_id <> all ((select saccos_of_mine())::uuid[]));

-- Whether the public figures count a complaint (server/domains/complaints/make-complaint.ts). It is said once, as it is made.
alter table complaints add column is_counted boolean not null default true;
alter table complaints alter column is_counted drop default;

-- The same words about another official are another complaint: whom it names decides who may read it.
drop index complaints_said_once;
create unique index complaints_said_once
  on complaints (complainer_id, sacco_id, kind, md5(text), coalesce(about_id, complainer_id)) where ended_at is null;
