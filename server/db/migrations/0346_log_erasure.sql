-- Erasing what an entry of a log says of a person (domain: proofs; docs/decisions/240): payload and secret are destroyed, the entry stays.

-- A payload goes once the secret of its entry is destroyed, and never before.
create function fact_only_erased() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'DELETE' or exists (select from log_entries e where e.log_id = old.log_id and e.i = old.i and e.secret is not null) then
    raise exception 'a payload of a log is never changed' using errcode = 'insufficient_privilege';
  end if;
  return old;
end
$$;
create trigger fact_only_erased before update or delete on log_facts for each row execute function fact_only_erased();
create trigger only_added before truncate on log_facts for each statement execute function only_added();

-- Erases one entry of a log that runs. Returns null, or the reason why the entry is kept. As the owner: the application erases nothing itself.
create function erase_log_payload(sacco uuid, entry bigint, at timestamptz) returns text
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  found_entry log_entries;
  event log_events;
begin
  select e.* into found_entry from log_entries e join logs l on l.id = e.log_id
  where l.sacco_id is not distinct from sacco and l.ended_at is null and e.i = entry for update of e;
  if found_entry.log_id is null then return 'no_entry'; end if;
  if found_entry.journal_id is not null then return 'books'; end if;
  select * into event from log_events v where v.id = found_entry.event_id for update;
  if event.erased_at is not null then return 'erased'; end if;
  if event.subject_id is null then return 'nobody'; end if;
  if event.kind <> 'votes' and found_entry.hour > at - interval '7 years' then return 'not_yet_contract'; end if;
  if event.kind = 'votes' and found_entry.hour > at - interval '1 year' then return 'not_yet_ballot'; end if;
  update log_entries e set secret = null where e.log_id = found_entry.log_id and e.i = entry;
  delete from log_facts f where f.log_id = found_entry.log_id and f.i = entry;
  update log_events v set erased_at = at, subject_id = null where v.id = event.id;
  insert into log_events (sacco_id, kind, head, parts)
  values (sacco, 'log', jsonb_build_object('event', 'entry_erased', 'at', log_time(at), 'entry', entry), '[]');
  return null;
end
$$;
revoke execute on function erase_log_payload from public;
grant execute on function erase_log_payload to ushirika_app;
