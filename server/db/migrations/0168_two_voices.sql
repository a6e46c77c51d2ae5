-- Where two officials must agree, two accounts of one person are one voice (domain: loans; docs/decisions/189).

-- What anybody writes into a profile or a registration ties nobody to anybody: several may write one number down. A number is an account's
-- once a code has confirmed it. A confirmed number that an account gives up is kept for a year, as the other traces are.
alter table referral_traces drop constraint referral_traces_kind_check;
alter table referral_traces add constraint referral_traces_kind_check check (kind in ('phone', 'id', 'address', 'confirmed_phone'));
-- An account gives up one number after another.
alter table referral_traces drop constraint referral_traces_pkey;
alter table referral_traces add primary key (user_id, kind, value);

-- As the owner: a person changes their own phones, and traces are nobody's to read.
create function keep_given_up_phones() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into referral_traces (user_id, kind, value, created_at)
  select distinct old.id, 'confirmed_phone', had.phone, new.updated_at
  from (values (old.phone, old.phone_confirmed_at), (old.recovery_phone, old.recovery_phone_confirmed_at)) had (phone, confirmed_at)
  where had.confirmed_at is not null
    and not (new.phone = had.phone and new.phone_confirmed_at is not null)
    and not (new.recovery_phone = had.phone and new.recovery_phone_confirmed_at is not null)
  on conflict (user_id, kind, value) do update set created_at = excluded.created_at;
  return null;
end
$$;
revoke execute on function keep_given_up_phones from public;
create trigger keep_given_up_phones
  after update of phone, phone_confirmed_at, recovery_phone, recovery_phone_confirmed_at on users for each row
  execute function keep_given_up_phones();

-- Whether two accounts look like one person's: both registered with one ID number, or both have confirmed one phone, now or before. One
-- public address and a referral say nothing here: founders register together, and officials bring members.
create function share_identity(one uuid, other uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  with phones as (
    select u.id, p.phone
    from users u cross join lateral (
      values (u.phone, u.phone_confirmed_at), (u.recovery_phone, u.recovery_phone_confirmed_at)) p (phone, confirmed_at)
    where u.id in (one, other) and p.confirmed_at is not null
    union all
    select user_id, value from referral_traces where user_id in (one, other) and kind = 'confirmed_phone')
  select one <> other and (
    exists (select from phones a join phones b using (phone) where a.id = one and b.id = other)
    or exists (
      select from referral_traces a join referral_traces b using (kind, value)
      where a.user_id = one and b.user_id = other and a.kind = 'id'))
$$;
revoke execute on function share_identity from public;
grant execute on function share_identity to ushirika_app;

-- Whether somebody holds an office of the board, or one of the supervisory committee, in the sacco of a loan at a moment.
create function is_of_write_off_side(loan uuid, person uuid, of_committee boolean, at timestamptz) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from loans l join offices o on o.sacco_id = l.sacco_id
    where l.id = loan and o.user_id = person and o.ended_at is null and o.until > is_of_write_off_side.at
      and case when of_committee then o.office = 'supervisory_committee'
          else o.office in ('chair', 'vice_chair', 'secretary', 'treasurer') end)
$$;
revoke execute on function is_of_write_off_side from public;
grant execute on function is_of_write_off_side to ushirika_app;

-- As before. A default takes two votes that are not one person's. A write-off takes two people who voted for it. One holds an office of
-- the board now, the other one of the supervisory committee. In which office each voted does not matter.
create or replace function loan_recovery_in_order() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare final timestamptz;
begin
  select s.at into final from loan_recovery_steps s
  where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'final_notice';
  if not (case new.step
    when 'default' then exists (
      select from loan_recovery_voices a join loan_recovery_voices b using (loan_id, kind, arrears_since)
      where a.loan_id = new.loan_id and a.kind = 'default' and a.arrears_since = new.arrears_since
        and a.by_id < b.by_id and not share_identity(a.by_id, b.by_id))
      and loan_may_default(new.loan_id, new.arrears_since, new.at)
    when 'final_notice' then exists (
      select from loan_recovery_steps s
      where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'default')
    else final is not null and new.at >= final + interval '14 days' end)
    or new.step in ('pool', 'guarantors', 'write_off') and not exists (
      select from loan_recovery_steps s
      where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'own_deposits')
    or new.step in ('guarantors', 'write_off') and exists (
      select from pool_contracts c where c.loan_id = new.loan_id and c.outstanding_cents > 0)
    or new.step = 'write_off' and exists (
      select from loan_guarantees g
      where g.loan_id = new.loan_id and g.kind = 'member' and g.state = 'live' and g.pledged_cents > 0)
    or new.step not in ('default', 'final_notice') and new.amount_cents > 0
      and not loan_step_is_posted(new.loan_id, new.step, new.journal_id)
    or new.step = 'write_off' and not exists (
      select from loan_recovery_voices b join loan_recovery_voices c using (loan_id, kind, arrears_since)
      where b.loan_id = new.loan_id and b.kind = 'write_off' and b.arrears_since = new.arrears_since and b.by_id <> c.by_id
        and is_of_write_off_side(new.loan_id, b.by_id, false, new.at) and is_of_write_off_side(new.loan_id, c.by_id, true, new.at)
        and not share_identity(b.by_id, c.by_id))
  then
    raise exception 'that step of a recovery comes later' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- Whoever declines has not voted for it, and somebody who holds an office of the other side has.
create or replace function write_off_declined_by_the_other_side() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since and v.by_id = new.by_id)
    or not exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since
        and is_of_write_off_side(new.loan_id, v.by_id, new.office <> 'supervisory_committee', new.at))
    or exists (
      select from loan_recovery_steps s
      where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'write_off')
  then
    raise exception 'that person does not decline this write-off' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
