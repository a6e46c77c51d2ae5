-- A phone is somebody's once an SMS code has confirmed it. What anybody has merely written into a profile blocks nobody:
-- several may claim one number, and the first to confirm it has it (decision 157).

alter table users add column recovery_phone_confirmed_at timestamptz;
comment on column users.recovery_phone_confirmed_at is
  'When a code that was sent to recovery_phone came back. Null: the phone of the registration, which nobody has proven.';
-- The number that its account has been told is another's.
alter table users add column phone_lost_told text;
update users set recovery_phone_confirmed_at = phone_confirmed_at
where phone = recovery_phone and phone_confirmed_at is not null;

alter table users drop constraint users_phone_key;
create unique index users_phone_confirmed on users (phone) where phone_confirmed_at is not null;
create unique index users_recovery_phone_confirmed on users (recovery_phone) where recovery_phone_confirmed_at is not null;
create index users_by_phone on users (phone);

-- Whether another account has confirmed that number: as its phone, or as the one where its reset codes still go.
create function phone_is_anothers(wanted_phone text, own_id uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select may_act_for(own_id) and (
    exists (select from users u
            where u.phone = wanted_phone and u.phone_confirmed_at is not null and u.id is distinct from own_id)
    or exists (select from users u
               where u.recovery_phone = wanted_phone and u.recovery_phone_confirmed_at is not null
                 and u.id is distinct from own_id))
$$;
revoke execute on function phone_is_anothers from public;
grant execute on function phone_is_anothers to ushirika_app, ushirika_member;

create or replace function taken_by_others(own_id uuid, wanted_phone text, wanted_email text, out phone_number boolean, out email boolean)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select phone_is_anothers(wanted_phone, own_id),
         exists (select from users u where u.email = wanted_email and u.id <> own_id) and may_act_for(own_id)
$$;

-- Every change of a phone, counted by the account that made it.
create table phone_changes (
  id uuid primary key,
  user_id uuid not null references users (id),
  changed_at timestamptz not null
);
create index phone_changes_by_user on phone_changes (user_id, changed_at desc);
create index phone_changes_by_age on phone_changes (changed_at);
select close_table('phone_changes');
grant select, insert on phone_changes to ushirika_member;
create policy person on phone_changes to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

-- What kind of SMS it is, and whose act caused it: both are bounded before a message is put into the outbox.
alter table sms_messages
  add column kind text not null default 'news' check (
    kind in ('claim_code', 'reset_code', 'office_code', 'payer_code', 'invitation', 'payer', 'security', 'news')),
  add column caused_by uuid references users (id);
alter table sms_messages alter column kind drop default;
create index sms_messages_by_phone on sms_messages (phone, kind, created_at desc);
create index sms_messages_by_cause on sms_messages (caused_by, kind, created_at desc) where caused_by is not null;

-- When messages of the same kind were put into the outbox lately: for the same phone, for the same phone and person, and
-- by the same account. `place` is the place of the question in the arrays, from 1; at most 60 times are told of each.
create function sms_lately(phones text[], kinds text[], people uuid[], causes uuid[], since timestamptz)
  returns table (place integer, counted_by text, at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select asked.place::integer, found.counted_by, found.at
  from unnest(phones, kinds, people, causes) with ordinality as asked (phone, kind, person, cause, place)
  cross join lateral (
    (select 'phone' as counted_by, m.created_at as at from sms_messages m
     where m.phone = asked.phone and m.kind = asked.kind and m.created_at > since
     order by m.created_at desc limit 60)
    union all
    (select 'phone_and_person', m.created_at from sms_messages m
     where m.phone = asked.phone and m.kind = asked.kind and m.created_at > since and m.user_id = asked.person
     order by m.created_at desc limit 60)
    union all
    (select 'cause', m.created_at from sms_messages m
     where m.caused_by = asked.cause and m.kind = asked.kind and m.created_at > since
     order by m.created_at desc limit 60)
  ) found
$$;
revoke execute on function sms_lately from public;
grant execute on function sms_lately to ushirika_app, ushirika_member;

-- How many SMS a day has had, and since when it has had too many: news then stands in the app alone.
create table sms_days (
  day date primary key,
  sent integer not null check (sent >= 0),
  alarmed_at timestamptz
);
select close_table('sms_days');
grant select on sms_days to ushirika_member;
create policy anybody on sms_days for select to ushirika_member using (true);

-- A person's messages are caused by that person.
drop policy person_tells on sms_messages;
create policy person_tells on sms_messages for insert to ushirika_member
  with check (
    caused_by = (select person_id())
    and (user_id = (select person_id()) or (select is_operator()) or user_id is null and kind = 'invitation'));
