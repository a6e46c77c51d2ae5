-- An operator names officials with a second operator (domains: saccos, operator; docs/decisions/181). One operator suspended all officials
-- of a sacco and seated friends.

-- A naming of one operator that nobody has taken up yet lapses.
update office_invitations set expires_at = greatest(now(), created_at + interval '1 second')
where named_as = 'operator' and state = 'asked' and accepted_at is null and expires_at > now();

do $$
declare old text;
begin
  select conname into strict old from pg_constraint
  where conrelid = 'office_invitations'::regclass and pg_get_constraintdef(oid) like '%named_as = ''chair''%confirmed_by IS NULL%';
  execute format('alter table office_invitations drop constraint %I', old);
end $$;
alter table office_invitations add check (named_as <> 'founder' or confirmed_by is null and state <> 'waiting');
-- Those of one operator from before stay as they were.
alter table office_invitations add constraint office_invitations_by_two_operators
  check (named_as <> 'operator' or state <> 'asked' or confirmed_by is not null) not valid;

alter table operator_proposals drop constraint operator_proposals_kind_check;
alter table operator_proposals add constraint operator_proposals_kind_check check (
  kind in ('money_exception_credit', 'money_exception_return', 'official_naming', 'sacco_reinstatement', 'sacco_suspension',
           'suspended_payout'));

-- Whether an operator has suspended somebody who was an official of a sacco meanwhile, now or in the last 90 days.
create function has_suspended_official(asked_sacco uuid, operator uuid, at timestamptz) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from account_suspensions a
    join offices o on o.user_id = a.user_id and o.sacco_id = asked_sacco
      and coalesce(o.ended_at, o.until) >= a.suspended_at and o.since <= coalesce(a.ended_at, at)
    where a.suspended_by = operator
      and coalesce(a.ended_at, case when a.upheld_by is null then a.lapses_at end, at) > at - interval '90 days')
$$;
revoke execute on function has_suspended_official from public;
grant execute on function has_suspended_official to ushirika_app, ushirika_member;

create function named_by_operators_apart() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if has_suspended_official(new.sacco_id, new.invited_by, new.confirmed_at)
    or has_suspended_official(new.sacco_id, new.confirmed_by, new.confirmed_at)
  then
    raise exception 'an operator who suspended an official names nobody there' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger named_by_operators_apart before update on office_invitations
  for each row when (new.named_as = 'operator' and old.state = 'waiting' and new.state = 'asked')
  execute function named_by_operators_apart();

alter policy person_names on office_invitations
  with check (invited_by = (select person_id()) and accepted_at is null and code_hash is null
    and case named_as
      when 'operator' then state = 'waiting' and (select is_operator())
      when 'founder' then exists (select from saccos s
                                  where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending')
      else false end);
