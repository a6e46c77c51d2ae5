-- One operator's no (domains: operator, saccos; docs/decisions/149, 233). A proposal is closed by who made it, or lapses.

create function refused_by_nobody() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from operators o where o.user_id = new.proposed_by and o.revoked_at is null) then
    raise exception 'proposal % is closed by who made it', new.id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function refused_by_nobody from public;
create trigger refused_by_nobody before update on operator_proposals
  for each row when (new.state = 'refused' and old.state <> 'refused') execute function refused_by_nobody();

-- Each operator rejects a sacco once.
create function rejected_once() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from sacco_state_changes c
             where c.sacco_id = new.sacco_id and c.to_state = 'rejected' and c.changed_by = new.changed_by) then
    raise exception 'that operator has rejected the sacco before' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function rejected_once from public;
create trigger rejected_once before insert on sacco_state_changes
  for each row when (new.to_state = 'rejected') execute function rejected_once();
