-- Members vote on the terms of their sacco, and each version of them has its day (domains: saccos, market, voting; docs/decisions/191).

-- What joining costs, how many shares a member holds at least, and what a share costs: each version from `valid_from` until the next.
create table sacco_terms (
  sacco_id uuid not null references saccos (id),
  number integer not null check (number >= 1),
  valid_from timestamptz not null,
  reg_fee_cents bigint not null check (reg_fee_cents between 0 and 10000000),
  min_shares integer not null check (min_shares between 1 and 1000000),
  share_value_cents bigint not null check (share_value_cents between 1 and 100000000),
  -- A higher minimum leaves members their full rights with so many shares, until then.
  kept_shares integer check (kept_shares < min_shares),
  kept_until timestamptz check (kept_until > valid_from),
  -- When that time was over, and those who still held too few had become provisional members.
  kept_ended_at timestamptz check (kept_ended_at >= kept_until),
  -- The last entry of the register that was made under the version before.
  after_place bigint not null check (after_place >= 0),
  -- The vote that it came by; null for the terms of an application.
  proposal_id uuid unique references proposals (id),
  primary key (sacco_id, number),
  unique (sacco_id, valid_from),
  check ((kept_shares is null) = (kept_until is null)),
  check (kept_ended_at is null or kept_until is not null)
);
create index sacco_terms_kept on sacco_terms (kept_until) where kept_until is not null and kept_ended_at is null;
insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, after_place)
select id, 1, created_at, reg_fee_cents, min_shares, share_value_cents, 0 from saccos;

-- A sacco that is registered begins with a first version. As the owner: its founder writes no terms but those of the application.
create function begin_sacco_terms() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, after_place)
  values (new.id, 1, new.created_at, new.reg_fee_cents, new.min_shares, new.share_value_cents, 0);
  return null;
end
$$;
revoke execute on function begin_sacco_terms from public;
create trigger begin_sacco_terms after insert on saccos for each row execute function begin_sacco_terms();

-- An application that was rejected is submitted again with other terms.
create function mend_sacco_terms() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, after_place)
  select new.id, max(number) + 1, greatest(new.state_at, max(valid_from) + interval '1 millisecond'), new.reg_fee_cents,
    new.min_shares, new.share_value_cents, 0
  from sacco_terms where sacco_id = new.id;
  return null;
end
$$;
revoke execute on function mend_sacco_terms from public;
create trigger mend_sacco_terms after update on saccos for each row
  when (old.state = 'rejected' and (old.reg_fee_cents, old.min_shares, old.share_value_cents)
    is distinct from (new.reg_fee_cents, new.min_shares, new.share_value_cents))
  execute function mend_sacco_terms();

-- A version stays as it is; it is only noted that the time for members with too few shares is over.
create function sacco_terms_stay() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.kept_ended_at is not null or new.kept_ended_at is null
    or to_jsonb(new) - 'kept_ended_at' is distinct from to_jsonb(old) - 'kept_ended_at'
  then
    raise exception 'terms that held stay as they were' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger sacco_terms_stay before update on sacco_terms for each row execute function sacco_terms_stay();
revoke delete, truncate on sacco_terms from ushirika_app;
select close_table('sacco_terms');
grant select on sacco_terms to ushirika_member;
create policy everybody on sacco_terms for select to ushirika_member using (true);

alter table proposals drop constraint proposals_change_kind_check;
alter table proposals add constraint proposals_change_kind_check check (change_kind in ('market_terms', 'referral_terms', 'complaint_terms',
  'loan_product', 'lending_authority', 'sacco_terms'));
alter table proposals add constraint proposals_terms_by_two_thirds check (change_kind <> 'sacco_terms' or class = 'special');
create index proposals_by_change on proposals (sacco_id, change_kind, published_at) where change_kind is not null;

-- A market that is closed takes no orders. What is open may be cancelled.
alter table markets add column trading text collate "C" not null default 'open' check (trading in ('open', 'closed'));

update sacco_changes set payload = payload || '{"trading": "open"}', expected = expected || '{"trading": "open"}'
where kind = 'market_terms' and state in ('proposed', 'confirmed');
alter table proposals disable trigger proposal_moves_on;
update proposals set payload = payload || '{"trading": "open"}', expected = expected || '{"trading": "open"}'
where change_kind = 'market_terms' and executed_at is null;
alter table proposals enable trigger proposal_moves_on;

-- What two officials close at once goes back to what it was, unless members decide on it.
alter table sacco_changes
  -- Whether it does nothing but close what is open, and so holds as soon as it is confirmed.
  add column closes_at_once boolean not null default false,
  add column undo_payload jsonb,
  add column undo_at timestamptz,
  add column settled_at timestamptz,
  add column settled text collate "C" check (settled in ('decided', 'lapsed', 'taken_back')),
  add constraint sacco_changes_undo check (num_nonnulls(undo_payload, undo_at) in (0, 2)),
  add constraint sacco_changes_closing check (undo_at is null
    or kind in ('market_terms', 'loan_product') and state in ('confirmed', 'in_force') and undo_at = effective_at + interval '14 days'),
  add constraint sacco_changes_settled check ((settled_at is null) = (settled is null) and (settled_at is null or undo_at is not null)),
  drop constraint sacco_changes_wait_a_day,
  add constraint sacco_changes_wait_a_day
    check (kind = 'official_name' or undo_at is not null or effective_at >= confirmed_at + interval '24 hours');
create index sacco_changes_to_settle on sacco_changes (undo_at) where undo_at is not null and settled_at is null;

-- Whether one person would be on the roll, by the rules of roll_of and without making it: whoever signs a draft of members could vote.
create function would_vote(sacco uuid, since timestamptz, person uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  with able as (
    select m.user_id, m.joined_at from memberships m
    where m.sacco_id = would_vote.sacco and m.state = 'active' and m.joined_at <= since
      and exists (select from identity_checks c where c.user_id = m.user_id and c.ended_at is null)
      and not exists (select from operators o where o.user_id = m.user_id and o.revoked_at is null)
      and not exists (select from account_suspensions s
                      where s.user_id = m.user_id and s.ended_at is null and s.upheld_at is not null)
  ), marks as (
    select 'phone' as kind, p.phone as mark
    from users u cross join lateral (
      values (u.phone, u.phone_confirmed_at), (u.recovery_phone, u.recovery_phone_confirmed_at)) p (phone, confirmed_at)
    where u.id = person and p.confirmed_at is not null
    union
    select case t.kind when 'id' then 'id' else 'phone' end, t.value
    from referral_traces t where t.user_id = person and t.kind in ('id', 'confirmed_phone')
  ), others as (
    select u.id from marks join users u on u.phone = marks.mark and u.phone_confirmed_at is not null where marks.kind = 'phone'
    union
    select u.id from marks join users u on u.recovery_phone = marks.mark and u.recovery_phone_confirmed_at is not null
    where marks.kind = 'phone'
    union
    select t.user_id from marks join referral_traces t on t.value = marks.mark
      and t.kind = case marks.kind when 'id' then 'id' else 'confirmed_phone' end
  )
  select exists (
    select from able own
    where own.user_id = person and not exists (
      select from others join able other on other.user_id = others.id
      where (other.joined_at, other.user_id) < (own.joined_at, own.user_id)))
$$;
revoke execute on function would_vote from public;
grant execute on function would_vote to ushirika_app;
