-- Money of a suspended person leaves by two operators (domain: wallet; docs/decisions/161).

-- What two operators agreed on, where the person could not ask for the withdrawal themselves.
alter table withdrawals add column proposal_id uuid references operator_proposals (id);
create unique index withdrawals_by_proposal on withdrawals (proposal_id) where proposal_id is not null;

create function refuse_payout_by_one() returns trigger language plpgsql as $$
begin
  if not exists (
    select from operator_proposals p
    where p.id = new.proposal_id and p.kind = 'suspended_payout' and p.state = 'waiting' and p.confirmed_by is not null
      and p.about_id = new.user_id and p.beneficiary_id = new.user_id and p.amount_cents = new.amount_cents)
  then raise exception 'withdrawal % was not agreed on by two operators', new.id using errcode = 'check_violation'; end if;
  return new;
end $$;
create trigger withdrawals_by_two before insert on withdrawals
  for each row when (new.proposal_id is not null) execute function refuse_payout_by_one();

-- What the wallet of a suspended person has available, for the operators who are asked to pay it out; null for anybody else.
create function suspended_wallet(asked_user uuid, at timestamptz) returns bigint
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce((select balance from accounts where owner_id = asked_user and kind = 'wallet'), 0)
  where (is_operator() or not is_person()) and suspended_since(asked_user, at) is not null
$$;
revoke execute on function suspended_wallet from public;
grant execute on function suspended_wallet to ushirika_app, ushirika_member;
