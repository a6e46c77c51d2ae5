-- Who decides for a pool has money in it that is not under notice, and two decide above the automatic limit (domain: pools; docs/decisions/198).

-- Whoever created a pool closes it while nobody has money in it.
create function steward_has_money() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if not exists (
      select from pool_members m
      where m.pool_id = new.pool_id and m.user_id = new.steward_id and m.position_cents > m.notice_cents)
    and not (new.matter = 'close' and exists (select from pools p where p.id = new.pool_id and p.positions_cents = 0)) then
    raise exception 'Who decides for a pool has money in it that is not under notice.';
  end if;
  return new;
end
$$;
revoke execute on function steward_has_money from public;
create trigger steward_has_money before insert on pool_voices for each row execute function steward_has_money();

-- A guarantee is approved by two stewards, or by nobody where its quote said so.
create function two_stewards_agreed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if (select case when new.approved_by is null then not r.is_automatic
             else (select count(*) < 2 from pool_voices v
                   where v.about_id = r.id and v.matter = 'request' and v.voice = 'approve' and v.since = r.state_at) end
      from pool_requests r where r.id = new.request_id) then
    raise exception 'Two stewards approve a guarantee above the automatic limit.';
  end if;
  return new;
end
$$;
revoke execute on function two_stewards_agreed from public;
create trigger two_stewards_agreed before insert on pool_contracts for each row execute function two_stewards_agreed();

-- A borrower's own part and trust have floors. Pools below them get a version with them; versions of before stay as they were.
insert into pool_parameters
select t.pool_id, greatest(now(), t.valid_from + interval '1 millisecond'), t.min_contribution_cents, greatest(t.min_contribution_perc, 1000),
  t.min_member_period_days, t.base_risk, t.risk_weight_factor, greatest(t.min_trust_score, 40), t.exposure_multiple, t.kink,
  t.max_borrower_share, t.max_cover, t.max_active_per_borrower, t.fee_members, t.fee_reserve, t.fee_sacco, t.reserve_draw, t.notice_days,
  t.auto_limit_cents, t.auto_limit_share, t.rate_cap, t.changed_by
from pools p
cross join lateral (select * from pool_parameters t where t.pool_id = p.id order by t.valid_from desc limit 1) t
where p.state <> 'CLOSED' and (t.min_contribution_perc < 1000 or t.min_trust_score < 40);
alter table pool_parameters
  add constraint pool_parameters_own_part_floor check (min_contribution_perc >= 1000) not valid,
  add constraint pool_parameters_trust_floor check (min_trust_score >= 40) not valid;
