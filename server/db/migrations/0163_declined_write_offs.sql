-- One official proposes that a loan be given up in the books; one of the other side who does not agree may say so, with a reason that
-- is kept. It is one person's no, once during these arrears, and ends nothing: others of that side may agree, and so may whoever declined.
create table loan_write_off_declines (
  loan_id uuid not null references loans (id),
  arrears_since date not null,
  by_id uuid not null references users (id),
  office text collate "C" not null check (office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee')),
  reason text not null check (length(reason) between 10 and 300),
  at timestamptz not null,
  primary key (loan_id, arrears_since, by_id)
);
revoke update, delete, truncate on loan_write_off_declines from ushirika_app;
create trigger loan_recovered_by_others before insert on loan_write_off_declines
  for each row execute function loan_recovered_by_others();

-- Whoever declines has not voted for it, and somebody of the other side has.
create function write_off_declined_by_the_other_side() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since and v.by_id = new.by_id)
    or not exists (
      select from loan_recovery_voices v
      where v.loan_id = new.loan_id and v.kind = 'write_off' and v.arrears_since = new.arrears_since
        and (v.office = 'supervisory_committee') <> (new.office = 'supervisory_committee'))
    or exists (
      select from loan_recovery_steps s
      where s.loan_id = new.loan_id and s.arrears_since = new.arrears_since and s.step = 'write_off')
  then
    raise exception 'that person does not decline this write-off' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger write_off_declined_by_the_other_side before insert on loan_write_off_declines
  for each row execute function write_off_declined_by_the_other_side();

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

select close_table('loan_write_off_declines');
grant select on loan_write_off_declines to ushirika_member;
create policy officials on loan_write_off_declines for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
