-- Who has an interest in a loan, and how often a pool is asked (domains: loans, pools; docs/decisions/187).

-- Who has an interest in a loan: its borrower, its guarantors, and the members of a pool whose money is locked for it, also once it is
-- lost or taken out. While the pool's stewards look at a signed request nothing is locked yet: all members with money are meant. Whoever
-- puts money into the pool later loses nothing with this loan. A quote that nobody signed locks nothing and gives no interest.
create view loan_interests (loan_id, user_id) with (security_invoker = true) as
  select id, borrower_id from loans
  union all
  select loan_id, guarantor_id from loan_guarantees
  where kind = 'member' and state in ('asked', 'accepted', 'live', 'called')
  union all
  select r.loan_id, m.user_id from pool_requests r join pool_members m on m.pool_id = r.pool_id
  where r.loan_id is not null and r.state = 'IN_REVIEW' and m.position_cents > 0
  union all
  select c.loan_id, m.user_id from pool_contracts c
  join pool_locks l on l.contract_id = c.id
  join pool_members m on m.id = l.member_id
  where c.loan_id is not null;
grant select on loan_interests to ushirika_app;

create function has_interest(loan uuid, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$ select exists (select from loan_interests i where i.loan_id = loan and i.user_id = person) $$;
revoke execute on function has_interest from public;
grant execute on function has_interest to ushirika_app;

-- Nobody decides about a loan in which they have an interest; two people pay it out, and who checks it gave no voice about the
-- application.
create or replace function loan_decided_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare who uuid[] := case tg_table_name
  when 'loan_reviews' then array[(to_jsonb(new) ->> 'reviewer_id')::uuid]
  else array[(to_jsonb(new) ->> 'ordered_by')::uuid, (to_jsonb(new) ->> 'decided_by')::uuid] end;
begin
  -- An order stands as it was given, whatever its treasurer has put into the pool since.
  if tg_op = 'UPDATE' and to_jsonb(new) ->> 'ordered_by' = to_jsonb(old) ->> 'ordered_by' then
    who := array[(to_jsonb(new) ->> 'decided_by')::uuid];
  end if;
  if exists (select from loan_interests i where i.loan_id = new.loan_id and i.user_id = any (who)) then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  if tg_table_name = 'loan_disbursements' and exists (
    select from loan_reviews r join loans l on l.id = r.loan_id and l.round = r.round
    where r.loan_id = new.loan_id and r.reviewer_id = (to_jsonb(new) ->> 'decided_by')::uuid)
  then
    raise exception 'who reviewed a loan does not check its payout' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace function loan_recovered_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if has_interest(new.loan_id, case tg_table_name
    when 'loan_restructures' then (to_jsonb(new) ->> 'proposed_by')::uuid else (to_jsonb(new) ->> 'by_id')::uuid end)
  then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_recovered_by_others before insert on loan_restructures
  for each row execute function loan_recovered_by_others();

-- Where fewer than two of the credit committee have no interest in a loan, others decide about its default.
alter table loan_recovery_voices drop constraint loan_recovery_voices_check, add constraint voices_by_office check (case kind
  when 'default' then office in ('credit_committee', 'chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee')
  else office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee') end);

-- From when on whoever was declined may ask the pool again, where a reason has a day.
alter table pool_requests add column ask_again_at timestamptz;
-- Guarantees that no loan has used: each keeps the borrower from asking as long as the money was locked for it.
create index pool_contracts_never_used on pool_contracts (pool_id, ended_at) where state = 'RELEASED' and activated_at is null;
