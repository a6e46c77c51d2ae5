-- One official's no counts once in one matter (domains: saccos, loans; docs/decisions/233). Triggers and no index: rows of before stay.

-- A matter is what waits one at a time: a kind of terms of a sacco, the waiver of one loan, one person's name.
create function one_no_to_a_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from sacco_changes c where c.kind = new.kind and c.id <> new.id
      and case when new.sacco_id is null then c.proposed_by = new.proposed_by else c.sacco_id = new.sacco_id end
      and c.payload ->> 'loan' is not distinct from new.payload ->> 'loan'
      and c.state = 'refused' and c.ended_at > new.ended_at - interval '30 days'
      and (c.ended_by = new.ended_by or share_identity(c.ended_by, new.ended_by))) then
    raise exception 'This official has said no to the same within 30 days.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function one_no_to_a_change from public;
create trigger one_no_to_a_change before update on sacco_changes
  for each row when (new.state = 'refused' and old.state <> 'refused') execute function one_no_to_a_change();

create function one_no_to_substitutes() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from loan_guarantees g where g.loan_id = new.loan_id and g.id <> new.id and g.replaces_id is not null
      and g.state = 'voided' and (g.decided_by = new.decided_by or share_identity(g.decided_by, new.decided_by))) then
    raise exception 'This person has refused a substitute in this loan before.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function one_no_to_substitutes from public;
create trigger one_no_to_substitutes before update of state, decided_by on loan_guarantees
  for each row when (new.state = 'voided' and new.decided_by is not null and old.decided_by is null)
  execute function one_no_to_substitutes();

-- A list is taken back by who made it or checked it. Those of before stay as they are.
alter table check_offs add constraint check_offs_taken_back_by_makers
  check (state <> 'withdrawn' or ended_by in (listed_by, coalesce(checked_by, listed_by))) not valid;
