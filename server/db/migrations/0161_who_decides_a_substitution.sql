-- Who decided that a guarantor stands in for another, or does not (domain: loans; docs/decisions/187).

alter table loan_guarantees
  -- Of one that is to stand in for another: who confirmed or refused it. Null where nobody had to decide.
  add column decided_by uuid references users (id);
update loan_guarantees g set decided_by = e.by_id
from loan_events e where e.guarantee_id = g.id and e.kind = 'guarantor_replaced' and g.replaces_id is not null;

-- Nobody decides about a loan in which they have an interest; a decision is about one that was signed, and stays.
create function substitution_decided_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state = 'accepted' and new.state = 'live' and new.decided_by is null then
    raise exception 'nobody has decided that this guarantor stands in for another' using errcode = 'check_violation';
  end if;
  if new.decided_by is not distinct from old.decided_by then return new; end if;
  if old.decided_by is not null or old.state <> 'accepted' or new.state not in ('live', 'voided') then
    raise exception 'a substitution is decided once, when it is signed' using errcode = 'check_violation';
  end if;
  -- Asked of the row as it was: whoever is to stand in has an interest too.
  if has_interest(new.loan_id, new.decided_by) then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
-- The other updates of guarantees, thousands in a day of loans, do not come here.
create trigger substitution_decided_by_others before update of state, decided_by on loan_guarantees
  for each row when (new.replaces_id is not null) execute function substitution_decided_by_others();
-- One that stands in for nobody is not decided, and nothing is decided as it is asked.
alter table loan_guarantees add constraint loan_guarantees_decided_by check (decided_by is null or replaces_id is not null);
