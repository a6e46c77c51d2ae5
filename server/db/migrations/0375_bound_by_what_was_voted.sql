-- Nothing new binds a member once members have voted that they leave, and not while they vote (domains: membership, loans, pools;
-- docs/decisions/195). Three members kept another from loans, guarantees and pools without end, by one draft after another.
create or replace function stands_to_be_expelled(sacco uuid, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from memberships m join proposals p on p.sacco_id = m.sacco_id and p.about_id = m.user_id
    where m.user_id = person and (sacco is null or m.sacco_id = sacco) and p.change_kind = 'expulsion'
      and p.counted_at is not null and p.outcome = 'passed' and p.cancelled_at is null and p.voided_at is null
      and p.executed_at is null and p.given_up_at is null and p.expired_at is null)
$$;

create or replace function nothing_new_binds() returns trigger
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
    raise exception 'Members have voted that this person leaves: nothing new binds them.';
  end if;
  return new;
end
$$;

-- An expulsion is about the person, however often they have joined.
alter table proposals disable trigger proposal_moves_on;
update proposals set expected = expected - 'joinings' || '{"expelled": "no"}'
where change_kind = 'expulsion' and expected ? 'joinings' and executed_at is null and voided_at is null and cancelled_at is null;
alter table proposals enable trigger proposal_moves_on;
