-- Two people reject an application (domain: loans; docs/decisions/233): one of the second tier, or the manager, ended any alone.

-- Two accounts of one person approve one round once, and reject it once.
create or replace function review_by_another_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
      select from loan_reviews r
      where r.loan_id = new.loan_id and r.round = new.round and r.decision = new.decision
        and share_identity(r.reviewer_id, new.reviewer_id))
  then
    raise exception 'another account of that person has % this loan', case new.decision when 'approve' then 'approved' else 'rejected' end
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger rejection_by_another_person before insert on loan_reviews
  for each row when (new.decision = 'reject') execute function review_by_another_person();

create function rejected_by_two() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (select count(*) from loan_reviews r where r.loan_id = new.id and r.round = new.round and r.decision = 'reject') < 2 then
    raise exception 'loan % is rejected by two', new.id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function rejected_by_two from public;
create trigger rejected_by_two before update on loans
  for each row when (old.state = 'submitted' and new.state = 'rejected') execute function rejected_by_two();
