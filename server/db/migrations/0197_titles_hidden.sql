-- Operators hide the title of a vote from strangers (domain: voting; docs/decisions/190).

do $$
declare
  as_it_was text;
begin
  select pg_get_constraintdef(oid) into as_it_was from pg_constraint
  where conrelid = 'proposal_events'::regclass and conname = 'proposal_events_kind_check';
  alter table proposal_events drop constraint proposal_events_kind_check;
  execute 'alter table proposal_events add constraint proposal_events_kind_check '
    || replace(as_it_was, 'ARRAY[', 'ARRAY[''title_hidden''::text, ''title_shown''::text, ');
end
$$;

-- Whether it is hidden now: what was done to it last.
create function title_is_hidden(proposal uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select coalesce((
    select e.kind = 'title_hidden' from proposal_events e
    where e.proposal_id = proposal and e.kind in ('title_hidden', 'title_shown') order by e.number desc limit 1), false)
$$;
