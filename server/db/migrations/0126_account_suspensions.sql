-- Accounts that an operator has suspended (domain: identity; docs/decisions/161).

create table account_suspensions (
  id uuid primary key,
  user_id uuid not null references users (id),
  suspended_by uuid not null references users (id) check (suspended_by <> user_id),
  suspended_at timestamptz not null,
  reason text not null check (length(reason) between 5 and 500),
  -- One operator alone suspends until then, and no longer.
  lapses_at timestamptz not null check (lapses_at > suspended_at and lapses_at <= suspended_at + interval '14 days'),
  -- A second operator upholds it: then it stands until it is lifted.
  upheld_by uuid references users (id) check (upheld_by not in (suspended_by, user_id)),
  upheld_at timestamptz check (upheld_at between suspended_at and lapses_at),
  upheld_reason text check (length(upheld_reason) between 5 and 500),
  ended_at timestamptz check (ended_at >= suspended_at),
  end_kind text check (end_kind in ('lifted', 'lapsed')),
  lifted_by uuid references users (id) check (lifted_by <> user_id),
  lifted_reason text check (length(lifted_reason) between 5 and 500),
  check (num_nonnulls(upheld_by, upheld_at, upheld_reason) in (0, 3)),
  check ((ended_at is null) = (end_kind is null)),
  check (num_nonnulls(lifted_by, lifted_reason) = case when end_kind = 'lifted' then 2 else 0 end),
  check (end_kind is distinct from 'lapsed' or upheld_by is null and ended_at >= lapses_at)
);
create unique index account_suspensions_open on account_suspensions (user_id) where ended_at is null;
create index account_suspensions_by_user on account_suspensions (user_id, suspended_at desc);
create index account_suspensions_by_operator on account_suspensions (suspended_by, suspended_at desc);
revoke delete, truncate on account_suspensions from ushirika_app;
select close_table('account_suspensions');

grant select, insert, update (upheld_by, upheld_at, upheld_reason, ended_at, end_kind, lifted_by, lifted_reason)
  on account_suspensions to ushirika_member;
create policy operator_reads on account_suspensions for select to ushirika_member using ((select is_operator()));
create policy operator_suspends on account_suspensions for insert to ushirika_member
  with check ((select is_operator()) and suspended_by = (select person_id()) and ended_at is null and upheld_by is null);
create policy operator_decides on account_suspensions for update to ushirika_member
  using ((select is_operator()) and ended_at is null)
  with check (case
    when ended_at is null then upheld_by = (select person_id())
    else lifted_by = (select person_id()) or end_kind = 'lapsed' end);

-- Who is suspended is signed out everywhere, whoever wrote the row. A sign-in that is under way is awaited: it locks the
-- same row, and looks for a suspension under it.
alter table sessions drop constraint sessions_end_reason_check;
alter table sessions add constraint sessions_end_reason_check check (
  end_reason in ('logout', 'logout_everywhere', 'ended_by_owner', 'password_reset', 'password_changed',
                 'second_factor_changed', 'operator_revoked', 'suspended')
);
create function sign_out_suspended() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform from users where id = new.user_id for no key update;
  if exists (select from operators where user_id = new.user_id and revoked_at is null) then
    raise exception 'an operator is not suspended: the office is revoked first' using errcode = 'check_violation';
  end if;
  update sessions set ended_at = greatest(new.suspended_at, created_at), end_reason = 'suspended'
  where user_id = new.user_id and ended_at is null;
  return new;
end
$$;
revoke execute on function sign_out_suspended from public;
create trigger sign_out_suspended before insert on account_suspensions
  for each row execute function sign_out_suspended();

-- Since when somebody is suspended at a moment; null for whom nobody has suspended.
create function suspended_since(asked_user uuid, at timestamptz) returns timestamptz
  language sql stable
as $$
  select suspended_at from account_suspensions
  where user_id = asked_user and ended_at is null and (upheld_by is not null or lapses_at > at)
$$;
revoke execute on function suspended_since from public;
grant execute on function suspended_since to ushirika_app;
