-- A new schedule takes two officials, and an account that looks like the borrower's has an interest in the loan (domain: loans;
-- docs/decisions/183, 187, 189).

-- One official proposes: unconfirmed. Another one confirms: proposed to the borrower and the guarantors.
alter table loan_restructures
  drop constraint loan_restructures_state_check,
  drop constraint loan_restructures_check1,
  add column confirmed_by uuid references users (id),
  add column confirmed_at timestamptz,
  add column withdrawn_by uuid references users (id),
  add check (state in ('unconfirmed', 'proposed', 'in_force', 'refused', 'withdrawn', 'lapsed')),
  add check (state <> 'unconfirmed' or state_at = proposed_at),
  add check ((confirmed_by is null) = (confirmed_at is null)),
  add check (confirmed_by <> proposed_by),
  add check (withdrawn_by is null or state = 'withdrawn');
-- What one official alone has offered waits for the second one. Who has answered already is not asked again.
update loan_restructures set state = 'unconfirmed', state_at = proposed_at where state = 'proposed';
-- Schedules that came before this rule stay as they are.
alter table loan_restructures
  add constraint restructures_confirmed check (confirmed_by is not null or state in ('unconfirmed', 'withdrawn', 'lapsed')) not valid;
drop index loan_restructures_open, loan_restructures_lapsing;
create unique index loan_restructures_open on loan_restructures (loan_id) where state in ('unconfirmed', 'proposed');
create index loan_restructures_lapsing on loan_restructures (answer_by, id) where state in ('unconfirmed', 'proposed');

-- As before, and whoever looks like the borrower: a second account of theirs does not decide about their loan. Each branch finds a few
-- candidates through one pair of indexes, from the loan and from the person; `share_identity` decides. Phones of
-- users and of traces are collated otherwise: each is asked both ways, so that the index of either is used.
create or replace view loan_interests (loan_id, user_id) with (security_invoker = true) as
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
  where c.loan_id is not null
  union all
  select l.id, o.id from loans l join users b on b.id = l.borrower_id join users o on o.phone = b.phone and o.id <> b.id
  where share_identity(b.id, o.id)
  union all
  select l.id, o.id from loans l join users b on b.id = l.borrower_id join users o on o.recovery_phone = b.phone and o.id <> b.id
  where share_identity(b.id, o.id)
  union all
  select l.id, o.id from loans l join users b on b.id = l.borrower_id join users o on o.phone = b.recovery_phone and o.id <> b.id
  where share_identity(b.id, o.id)
  union all
  select l.id, o.id from loans l join users b on b.id = l.borrower_id join users o on o.recovery_phone = b.recovery_phone and o.id <> b.id
  where share_identity(b.id, o.id)
  union all
  select l.id, t.user_id from loans l join users b on b.id = l.borrower_id join referral_traces t on t.value = b.phone collate "C"
  where b.phone = t.value collate "default" and t.kind = 'confirmed_phone' and t.user_id <> b.id and share_identity(b.id, t.user_id)
  union all
  select l.id, o.id from loans l join referral_traces t on t.user_id = l.borrower_id join users o on o.phone = t.value collate "default"
  where t.value = o.phone collate "C" and t.kind = 'confirmed_phone' and o.id <> t.user_id and share_identity(t.user_id, o.id)
  union all
  select l.id, t.user_id from loans l join users b on b.id = l.borrower_id join referral_traces t on t.value = b.recovery_phone collate "C"
  where b.recovery_phone = t.value collate "default" and t.kind = 'confirmed_phone' and t.user_id <> b.id and share_identity(b.id, t.user_id)
  union all
  select l.id, o.id from loans l join referral_traces t on t.user_id = l.borrower_id join users o on o.recovery_phone = t.value collate "default"
  where t.value = o.recovery_phone collate "C" and t.kind = 'confirmed_phone' and o.id <> t.user_id and share_identity(t.user_id, o.id)
  union all
  select l.id, t.user_id from loans l join referral_traces b on b.user_id = l.borrower_id join referral_traces t on t.value = b.value
  where b.kind = 'confirmed_phone' and t.kind = 'confirmed_phone' and t.user_id <> b.user_id and share_identity(b.user_id, t.user_id)
  union all
  select l.id, t.user_id from loans l join referral_traces b on b.user_id = l.borrower_id join referral_traces t on t.value = b.value
  where b.kind = 'id' and t.kind = 'id' and t.user_id <> b.user_id and share_identity(b.user_id, t.user_id);

-- Nobody confirms what they propose, nor with a second account, nor for a loan in which they have an interest. What was proposed stays.
create function restructure_takes_two() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'unconfirmed' or new.confirmed_by is not null then
      raise exception 'a new schedule waits for a second official first' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.loan_id, new.months, new.principal_cents, new.proposed_by) is distinct from
     (old.loan_id, old.months, old.principal_cents, old.proposed_by)
  then
    raise exception 'an offer of a new schedule stays as it was proposed' using errcode = 'check_violation';
  end if;
  if new.confirmed_by is distinct from old.confirmed_by and (
      old.confirmed_by is not null or old.state <> 'unconfirmed' or new.state <> 'proposed'
      or has_interest(new.loan_id, new.confirmed_by) or share_identity(new.proposed_by, new.confirmed_by))
  then
    raise exception 'another official confirms a new schedule' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger restructure_takes_two before insert or update on loan_restructures
  for each row execute function restructure_takes_two();
