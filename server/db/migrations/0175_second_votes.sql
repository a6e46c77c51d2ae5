-- Two accounts of one person have one vote, for what two officials decide besides a default and a write-off (domain: loans, saccos;
-- docs/decisions/189). Each trigger looks at the row that completes the pair, and never again: a pair that comes about later changes nothing.

-- Two accounts of one person approve one round once. A no is taken from either.
create function review_by_another_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
      select from loan_reviews r
      where r.loan_id = new.loan_id and r.round = new.round and r.decision = 'approve' and share_identity(r.reviewer_id, new.reviewer_id))
  then
    raise exception 'another account of that person has approved this loan' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger review_by_another_person before insert on loan_reviews
  for each row when (new.decision = 'approve') execute function review_by_another_person();

-- Who lets a payout go has approved and ordered it with no other account. Either account may stop it.
create function payout_by_another_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if share_identity(new.ordered_by, new.decided_by) or exists (
      select from loan_reviews r join loans l on l.id = r.loan_id and l.round = r.round
      where r.loan_id = new.loan_id and r.decision = 'approve' and share_identity(r.reviewer_id, new.decided_by))
  then
    raise exception 'another account of that person has approved this loan or ordered its payout' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger payout_by_another_person before update on loan_disbursements
  for each row when (new.state = 'paid' and (old.state, old.ordered_by, old.decided_by) is distinct from (new.state, new.ordered_by, new.decided_by))
  execute function payout_by_another_person();
create trigger payout_inserted_by_another_person before insert on loan_disbursements
  for each row when (new.state = 'paid') execute function payout_by_another_person();

-- The columns that hold the two are its arguments.
create function second_is_another_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if share_identity((to_jsonb(new) ->> tg_argv[0])::uuid, (to_jsonb(new) ->> tg_argv[1])::uuid) then
    raise exception 'the two officials look like one person' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger second_is_another_person before update on sacco_changes
  for each row when (new.confirmed_by is not null and (old.proposed_by, old.confirmed_by) is distinct from (new.proposed_by, new.confirmed_by))
  execute function second_is_another_person('proposed_by', 'confirmed_by');
create trigger inserted_second_is_another_person before insert on sacco_changes
  for each row when (new.confirmed_by is not null) execute function second_is_another_person('proposed_by', 'confirmed_by');
create trigger second_is_another_person before update on office_invitations
  for each row when (new.confirmed_by is not null and (old.invited_by, old.confirmed_by) is distinct from (new.invited_by, new.confirmed_by))
  execute function second_is_another_person('invited_by', 'confirmed_by');
create trigger inserted_second_is_another_person before insert on office_invitations
  for each row when (new.confirmed_by is not null) execute function second_is_another_person('invited_by', 'confirmed_by');
-- A list that is refused has its second official too, who may be anybody but the first.
create trigger second_is_another_person before update on check_offs
  for each row when (new.checked_by is not null and new.state <> 'refused'
    and (old.listed_by, old.checked_by) is distinct from (new.listed_by, new.checked_by))
  execute function second_is_another_person('listed_by', 'checked_by');
create trigger inserted_second_is_another_person before insert on check_offs
  for each row when (new.checked_by is not null and new.state <> 'refused')
  execute function second_is_another_person('listed_by', 'checked_by');

-- Operators list saccos whose officials are too few, and those who are suspended do not count. To others the function says nothing: no
-- suspension is theirs to read.
grant execute on function suspended_since to ushirika_member;
