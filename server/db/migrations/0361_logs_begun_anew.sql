-- A halted log may be ended, and another begins that names its last head (domain: proofs; docs/decisions/249).

-- The head that the database does not continue: what a halted log must have again, or what the next log begins with.
alter table logs add column halted_size bigint, add column halted_root bytea check (length(halted_root) = 32),
  add constraint logs_halted_head check ((halted_size is null) = (halted_root is null) and (halted_at is not null or halted_size is null));

-- Entries that were never signed leave their journals and events to the next log, once theirs is ended. Otherwise an entry is only erased.
create or replace function entry_only_erased() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  has_left boolean := new.journal_id is null and new.event_id is null
    and exists (select from logs l where l.id = old.log_id and l.ended_at is not null)
    and not exists (select from checkpoints c where c.log_id = old.log_id and c.size > old.i);
  kept text[] := case when has_left then array['secret', 'journal_id', 'event_id'] else array['secret'] end;
begin
  if new.secret is not null or (to_jsonb(new) - kept) <> (to_jsonb(old) - kept) then
    raise exception 'an entry of a log is never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;

-- Takes journals and events out of entries of an ended log that were never signed. As the owner: the application changes no entry itself.
create function leave_unsigned_entries(log bigint, entries bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update log_entries e set secret = null, journal_id = null, event_id = null
  where e.log_id = log and e.i = any(entries) and e.secret is not null and num_nonnulls(e.journal_id, e.event_id) = 1;
  delete from log_facts f where f.log_id = log and f.i = any(entries);
end
$$;
revoke execute on function leave_unsigned_entries from public;
grant execute on function leave_unsigned_entries to ushirika_app;

-- What the operators' command does to logs and keys is logged, in the platform's log.
create function log_platform_event(event text, at timestamptz, facts jsonb) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  insert into log_events (sacco_id, kind, head, parts)
  values (null, 'log', jsonb_build_object('event', event, 'at', log_time(at)) || facts, '[]')
$$;
revoke execute on function log_platform_event from public;
grant execute on function log_platform_event to ushirika_app;

-- Entries are erased in logs that have ended too.
drop function erase_log_payload(uuid, bigint, timestamptz);
create function erase_log_payload(log bigint, entry bigint, at timestamptz) returns text
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  found_entry log_entries;
  event log_events;
  named jsonb;
begin
  select e.* into found_entry from log_entries e where e.log_id = log and e.i = entry for update of e;
  if found_entry.log_id is null then return 'no_entry'; end if;
  if found_entry.journal_id is not null then return 'books'; end if;
  select * into event from log_events v where v.id = found_entry.event_id for update;
  if event.erased_at is not null then return 'erased'; end if;
  if event.subject_id is null then return 'nobody'; end if;
  if event.kind <> 'votes' and found_entry.hour > at - interval '7 years' then return 'not_yet_contract'; end if;
  if event.kind = 'votes' and found_entry.hour > at - interval '1 year' then return 'not_yet_ballot'; end if;
  update log_entries e set secret = null where e.log_id = log and e.i = entry;
  delete from log_facts f where f.log_id = log and f.i = entry;
  update log_events v set erased_at = at, subject_id = null where v.id = event.id;
  select case when l.ended_at is null then '{}' else jsonb_build_object('log', l.origin) end into named from logs l where l.id = log;
  insert into log_events (sacco_id, kind, head, parts)
  select l.sacco_id, 'log', jsonb_build_object('event', 'entry_erased', 'at', log_time(at), 'entry', entry) || named, '[]' from logs l where l.id = log;
  return null;
end
$$;
revoke execute on function erase_log_payload from public;
grant execute on function erase_log_payload to ushirika_app;
