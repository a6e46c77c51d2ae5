-- One official proposes that a loan be given up in the books; the one who would have to agree may decline, and says why. What was
-- declined may be proposed again: voices of another round count for nothing then.
alter table loan_recovery_voices add column round smallint not null default 1 check (round between 1 and 1000);
alter table loan_recovery_voices drop constraint loan_recovery_voices_pkey,
  add primary key (loan_id, kind, arrears_since, round, by_id);

create table loan_write_off_refusals (
  loan_id uuid not null references loans (id),
  arrears_since date not null,
  round smallint not null check (round between 1 and 1000),
  by_id uuid not null references users (id),
  office text collate "C" not null check (office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee')),
  reason text not null check (length(reason) between 10 and 300),
  at timestamptz not null,
  primary key (loan_id, arrears_since, round)
);
revoke update, delete, truncate on loan_write_off_refusals from ushirika_app;
create trigger loan_recovered_by_others before insert on loan_write_off_refusals
  for each row execute function loan_recovered_by_others();

-- Whoever declines is the one who would have to agree: of the other side than all who have spoken for it.
create function write_off_refused_by_the_other_side() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if not exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since and v.round = new.round)
    or exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since and v.round = new.round
        and (v.by_id = new.by_id or (v.office = 'supervisory_committee') = (new.office = 'supervisory_committee')))
    or exists (
      select from loan_recovery_steps s
      where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'write_off')
  then
    raise exception 'that person does not decline this write-off' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger write_off_refused_by_the_other_side before insert on loan_write_off_refusals
  for each row execute function write_off_refused_by_the_other_side();

-- As before; but the two voices for a write-off are of one round, and nobody has declined that round.
create or replace function loan_recovery_in_order() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare final timestamptz;
begin
  select s.at into final from loan_recovery_steps s
  where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'final_notice';
  if not (case new.step
    when 'default' then 2 <= (
      select count(distinct v.by_id) from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'default' and v.arrears_since = new.arrears_since)
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
      select from loan_recovery_voices b join loan_recovery_voices c using (loan_id, kind, arrears_since, round)
      where b.loan_id = new.loan_id and b.kind = 'write_off' and b.arrears_since = new.arrears_since
        and b.office <> 'supervisory_committee' and c.office = 'supervisory_committee' and b.by_id <> c.by_id
        and not exists (
          select from loan_write_off_refusals r
          where r.loan_id = b.loan_id and r.arrears_since = b.arrears_since and r.round = b.round))
  then
    raise exception 'that step of a recovery comes later' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- An official who takes a check-off back says why: its payer reads it.
alter table check_offs drop constraint check_offs_reason,
  add constraint check_offs_reason check (reason is null or state in ('refused', 'declined', 'withdrawn'));
create function check_off_taken_back_with_reason() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state <> 'withdrawn' and new.state = 'withdrawn' and coalesce(length(new.reason), 0) not between 10 and 300 then
    raise exception 'whoever takes a check-off back says why' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger check_off_taken_back_with_reason before update on check_offs
  for each row execute function check_off_taken_back_with_reason();

select close_table('loan_write_off_refusals');
grant select on loan_write_off_refusals to ushirika_member;
create policy officials on loan_write_off_refusals for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
