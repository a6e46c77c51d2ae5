-- Whom members vote to expel takes on nothing new (domains: membership, loans, pools; docs/decisions/195): from the publication of the vote until
-- it is over, they stand as somebody who has given notice. Without a sacco: in any one, for a pool of all saccos.
create function stands_to_be_expelled(sacco uuid, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from memberships m join proposals p on p.sacco_id = m.sacco_id and p.about_id = m.user_id
    where m.user_id = person and (sacco is null or m.sacco_id = sacco) and p.change_kind = 'expulsion'
      and p.published_at is not null and p.cancelled_at is null and p.voided_at is null and p.executed_at is null
      and p.given_up_at is null and p.expired_at is null and (p.counted_at is null or p.outcome = 'passed'))
$$;
revoke execute on function stands_to_be_expelled from public;
grant execute on function stands_to_be_expelled to ushirika_app;

create function nothing_new_binds() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  sacco uuid;
  person uuid;
begin
  if tg_table_name = 'loans' then
    sacco := new.sacco_id;
    person := new.borrower_id;
  elsif tg_table_name = 'loan_guarantees' then
    select l.sacco_id into sacco from loans l where l.id = new.loan_id;
    person := new.guarantor_id;
  else
    select p.sacco_id into sacco from pools p where p.id = new.pool_id;
    person := new.user_id;
  end if;
  if stands_to_be_expelled(sacco, person) then
    raise exception 'Members vote on whether this person leaves: meanwhile nothing new binds them.';
  end if;
  return new;
end
$$;
revoke execute on function nothing_new_binds from public;
create trigger nothing_new_binds before insert on loans for each row execute function nothing_new_binds();
create trigger no_new_loan_is_paid_out before update on loans
  for each row when (old.disbursed_at is null and new.disbursed_at is not null) execute function nothing_new_binds();
create trigger nothing_new_binds before update on loan_guarantees
  for each row when (new.state = 'accepted' and old.state <> 'accepted' and new.kind = 'member') execute function nothing_new_binds();
create trigger nothing_new_binds before insert or update of joined_at on pool_members for each row execute function nothing_new_binds();
