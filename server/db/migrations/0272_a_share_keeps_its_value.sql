-- A share keeps its value: what members paid for one buys one (domain: saccos; docs/decisions/191). Votes of before may have changed it.
create function share_value_stays() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.proposal_id is not null and new.share_value_cents is distinct from (
    select share_value_cents from sacco_terms t where t.sacco_id = new.sacco_id and t.number < new.number order by number desc limit 1)
  then
    raise exception 'a share keeps its value' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger share_value_stays before insert on sacco_terms for each row execute function share_value_stays();
