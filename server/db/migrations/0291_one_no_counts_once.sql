-- One person's no to a loan counts once (domain: loans; docs/decisions/233): an application is returned once, and its payout refused once, by one
-- person with all accounts of theirs. A trigger and no index: rows of before stay as they are.
create function one_return_each() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from loan_reviews r where r.loan_id = new.loan_id and r.decision = 'return' and r.id <> new.id
      and (r.reviewer_id = new.reviewer_id or share_identity(r.reviewer_id, new.reviewer_id))) then
    raise exception 'This person has returned the application before.';
  end if;
  return new;
end
$$;
revoke execute on function one_return_each from public;
create trigger one_return_each before insert on loan_reviews for each row when (new.decision = 'return')
  execute function one_return_each();

create function one_refusal_each() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from loan_disbursements d where d.loan_id = new.loan_id and d.state = 'refused' and d.id <> new.id
      and (d.decided_by = new.decided_by or share_identity(d.decided_by, new.decided_by))) then
    raise exception 'This person has refused the payout before.';
  end if;
  return new;
end
$$;
revoke execute on function one_refusal_each from public;
create trigger one_refusal_each before update on loan_disbursements
  for each row when (new.state = 'refused' and old.state <> 'refused') execute function one_refusal_each();
