-- What a person sees and changes of themselves (domains: identity, notifications, idempotency), and of other people's
-- names. As 0090_persons.sql says.

grant select, insert, update, delete on idempotency_keys to ushirika_member;
create policy person on idempotency_keys to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, update on users to ushirika_member;
create policy person_reads on users for select to ushirika_member
  using (id = (select person_id()) or (select is_operator()));
create policy person_writes on users for update to ushirika_member
  using (id = (select person_id())) with check (id = (select person_id()));

-- Other people, as far as one may know them: their names where one meets them, and what officials need of those in their
-- own sacco. Never a hash, a date of a password, or anything else of their account.
create view people as
  select u.id, u.first_name, u.last_name,
    case when known.in_full then u.id_number end as id_number,
    case when known.in_full then u.phone end as phone,
    case when known.in_full then u.email end as email,
    u.phone_confirmed_at is not null as has_confirmed_phone
  from users u
  cross join lateral (
    select (select not is_person()) or u.id = (select person_id()) or (select is_operator())
      or exists (select from memberships m
                 where m.user_id = u.id and m.sacco_id = any ((select my_offices())::uuid[])) as in_full
    offset 0 -- once for each row, not once for each column
  ) known
  where known.in_full
    -- Officials are published.
    or exists (select from offices o where o.user_id = u.id and o.ended_at is null)
    or exists (select from memberships m where m.user_id = u.id and m.sacco_id = any ((select my_saccos())::uuid[]))
    or exists (select from referrals r where r.referred_id = u.id and r.referrer_id = (select person_id()))
    or exists (select from pool_members p where p.user_id = u.id and p.pool_id = any ((select my_pools())::uuid[]))
    or exists (select from pool_stewards s where s.user_id = u.id and s.pool_id = any ((select my_pools())::uuid[]));
comment on view people is
  'Whom one may know, and what of them. The owner''s view: it looks past the policies of users. No barrier to leaky
   conditions: joins reach it by the index of users, and conditions are ours.';
create index pool_stewards_by_user on pool_stewards (user_id);
revoke insert, update, delete on people from ushirika_app;
grant select on people to ushirika_member;

-- Who speaks for the platform is no secret to those it speaks to.
create function operator_name(id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
as $$
  select u.first_name || ' ' || u.last_name from users u
  where u.id = operator_name.id and (not is_person() or exists (select from operators o where o.user_id = u.id))
$$;

-- A phone or e-mail that another account has cannot be one's own; the form says which of the two.
create function taken_by_others(own_id uuid, wanted_phone text, wanted_email text, out phone_number boolean, out email boolean)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from users u where u.phone = wanted_phone and u.id <> own_id) and may_act_for(own_id),
         exists (select from users u where u.email = wanted_email and u.id <> own_id) and may_act_for(own_id)
$$;
revoke execute on function operator_name, taken_by_others from public;
grant execute on function operator_name, taken_by_others to ushirika_app, ushirika_member;

grant select on operators to ushirika_member;
create policy person on operators for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));

grant select, update on sessions to ushirika_member;
create policy person on sessions to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, update on reset_codes to ushirika_member;
create policy person on reset_codes to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, insert, update on phone_codes to ushirika_member;
create policy person on phone_codes to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, insert, update, delete on second_factors to ushirika_member;
create policy person on second_factors to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, insert, update, delete on recovery_codes to ushirika_member;
create policy person on recovery_codes to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

-- What is counted of a signed-in person by their own id, `proof:<id>`; attempts to sign in are the platform's to count.
grant select, insert, update, delete on throttles to ushirika_member;
create policy person on throttles to ushirika_member
  using (split_part(key, ':', 2) = (select person_id())::text)
  with check (split_part(key, ':', 2) = (select person_id())::text);

grant select, insert, update on notification_preferences to ushirika_member;
create policy person on notification_preferences to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));
-- In whose language, and whether by SMS: for those whom operators have something to tell.
create policy operator_tells on notification_preferences for select to ushirika_member using ((select is_operator()));

grant select, insert, update on notifications to ushirika_member;
create policy person_reads on notifications for select to ushirika_member using (user_id = (select person_id()));
create policy person_marks on notifications for update to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));
-- An operator tells a founder or a payer what was decided.
create policy person_tells on notifications for insert to ushirika_member
  with check (user_id = (select person_id()) or (select is_operator()));

-- The outbox: what has been written into it nobody reads back but its job. Operators see how many wait.
grant insert, select (id, state) on sms_messages to ushirika_member;
create policy operator_counts on sms_messages for select to ushirika_member using ((select is_operator()));
create policy person_tells on sms_messages for insert to ushirika_member
  with check (user_id = (select person_id()) or (select is_operator()) or user_id is null and template = 'invitation');

revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to ushirika_app, ushirika_member;
