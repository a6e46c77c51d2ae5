-- Whose phone a prompt may be sent to (docs/decisions/147): one's own, once it is confirmed, and one whose holder gave the
-- payer a code that came to it by SMS. How many prompts a phone gets from others is counted, whoever they are.

create table prompt_consents (
  id uuid primary key,
  -- Who may have prompts sent, and to which phone.
  user_id uuid not null references users (id),
  phone text not null check (phone ~ '^254[17][0-9]{8}$'),
  -- SHA-256 of the consent's id and the eight digits of the SMS, which are good for ten minutes and five tries.
  code_hash text not null check (length(code_hash) = 43),
  tries integer not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  given_at timestamptz check (given_at < expires_at),
  ended_at timestamptz check (ended_at >= given_at),
  -- The payer, or whose phone it is.
  ended_by uuid references users (id),
  check ((ended_at is null) = (ended_by is null))
);
create unique index prompt_consents_live on prompt_consents (phone, user_id) where given_at is not null and ended_at is null;
create index prompt_consents_by_phone on prompt_consents (phone, created_at);
create index prompt_consents_by_user on prompt_consents (user_id, created_at);
select close_table('prompt_consents');
revoke delete on prompt_consents from ushirika_app;

-- A person's own phone, once it is confirmed.
create function my_phone() returns text
  language sql stable security definer set search_path = public, pg_temp
as $$ select phone from users where id = person_id() and phone_confirmed_at is not null $$;

-- Seen by both sides; the code's hash by nobody who is signed in. Both may end it. Asked for and given by the platform.
grant select (id, user_id, phone, created_at, expires_at, given_at, ended_at, ended_by) on prompt_consents to ushirika_member;
grant update (ended_at, ended_by) on prompt_consents to ushirika_member;
create policy person_reads on prompt_consents for select to ushirika_member
  using (user_id = (select person_id()) or phone = (select my_phone()) and given_at is not null);
create policy person_ends on prompt_consents for update to ushirika_member
  using (ended_at is null and given_at is not null
    and (user_id = (select person_id()) or phone = (select my_phone())))
  with check (ended_by = (select person_id()));

-- Whether somebody may have prompts sent to a phone.
create function may_prompt(payer uuid, wanted_phone text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select may_act_for(payer) and (
    exists (select from users u where u.id = payer and u.phone = wanted_phone and u.phone_confirmed_at is not null)
    or exists (select from prompt_consents c
               where c.phone = wanted_phone and c.user_id = payer and c.given_at is not null and c.ended_at is null))
$$;

drop policy person_asks on deposits;
create policy person_asks on deposits for insert to ushirika_member
  with check (user_id = (select person_id()) and state = 'created' and may_prompt((select person_id()), phone));

-- One prompt of one payer on one phone; others' do not stand in each other's way here.
alter table open_prompts add column user_id uuid references users (id);
update open_prompts p set user_id = d.user_id from deposits d where d.id = p.deposit_id;
alter table open_prompts alter column user_id set not null;
alter table open_prompts drop constraint open_prompts_pkey, add primary key (phone, user_id);

-- A row that whoever asks for a prompt on a phone locks, so that those of others are counted one after another.
create table prompted_phones (
  phone text primary key check (phone ~ '^254[17][0-9]{8}$'),
  last_at timestamptz not null
);
select close_table('prompted_phones');
create index deposits_by_phone on deposits (phone, created_at);

-- Takes the place for a prompt: `taken`, `in_progress` (of one's own), or `too_many` with when the next may be, of all who
-- are not the phone's owner. Bounds are the application's.
drop function take_prompt;
create function take_prompt(
  asked_deposit_id uuid, at timestamptz, open_since timestamptz, bounds_max integer[], bounds_seconds integer[],
  out outcome text, out free_at timestamptz
)
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  asked deposits;
  owner_id uuid;
  bound integer;
  nth_at timestamptz;
begin
  select * into asked from deposits d where d.id = asked_deposit_id and may_act_for(d.user_id);
  if not found then
    raise exception 'There is no such deposit of the person who asks.';
  end if;
  insert into open_prompts as p (phone, user_id, deposit_id, opened_at)
  values (asked.phone, asked.user_id, asked.id, at)
  on conflict (phone, user_id) do update set deposit_id = excluded.deposit_id, opened_at = excluded.opened_at
    where p.opened_at <= open_since;
  if not found then
    outcome := 'in_progress';
    return;
  end if;
  outcome := 'taken';
  select u.id into owner_id from users u where u.phone = asked.phone and u.phone_confirmed_at is not null;
  if owner_id = asked.user_id then
    return;
  end if;
  insert into prompted_phones as p (phone, last_at) values (asked.phone, at)
  on conflict (phone) do update set last_at = excluded.last_at;
  for bound in 1 .. cardinality(bounds_max) loop
    -- The oldest of as many as are allowed, without the one that is asked for: if it is young, this is one too many.
    select d.created_at into nth_at from deposits d
    where d.phone = asked.phone and d.user_id is distinct from owner_id and d.id <> asked.id
      and d.created_at > at - make_interval(secs => bounds_seconds[bound])
    order by d.created_at desc offset bounds_max[bound] - 1 limit 1;
    if found then
      outcome := 'too_many';
      free_at := greatest(free_at, nth_at + make_interval(secs => bounds_seconds[bound]));
    end if;
  end loop;
end
$$;
revoke execute on function my_phone, may_prompt, take_prompt from public;
grant execute on function my_phone, may_prompt, take_prompt to ushirika_app, ushirika_member;
