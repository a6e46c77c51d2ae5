-- Who decides about how much (domain: loans; docs/decisions/184).

-- From when on: the latest row that has begun holds. Without one the committee decides a million alone, and the manager nothing.
create table lending_authority (
  sacco_id uuid not null references saccos (id),
  valid_from timestamptz not null,
  committee_cents integer not null check (committee_cents between 5000000 and 100000000),
  manager_cents integer not null check (manager_cents between 0 and 5000000),
  changed_by uuid not null references users (id),
  primary key (sacco_id, valid_from)
);
revoke update, delete, truncate on lending_authority from ushirika_app;
alter table sacco_changes drop constraint sacco_changes_kind_check;
alter table sacco_changes add constraint sacco_changes_kind_check check (kind in ('market_terms', 'referral_terms',
  'complaint_terms', 'official_name', 'loan_product', 'lending_authority'));

-- What a round is decided by: the amounts that were in force when it was submitted, and what they are compared with, which is
-- the loan and what the member owed or had asked for besides.
alter table loans
  add column committee_alone_cents integer check (committee_alone_cents between 5000000 and 100000000),
  add column manager_alone_cents integer check (manager_alone_cents between 0 and 5000000),
  add column judged_cents bigint check (judged_cents > 0);
alter table loans add constraint loans_judged_whole
  check (num_nulls(committee_alone_cents, manager_alone_cents, judged_cents) in (0, 3));
alter table loans add constraint loans_judged_once_submitted
  check (state <> 'submitted' or judged_cents is not null and judged_cents >= amount_cents);
alter table loan_reviews drop constraint loan_reviews_office_check;
alter table loan_reviews add constraint loan_reviews_office_check
  check (office in ('credit_committee', 'treasurer', 'chair', 'manager'));

-- Nobody changes what a round is decided by while it goes on, and nothing is approved without the voices that it needs.
create function loan_is_judged_as_submitted() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare
  committee integer;
  against integer;
  second integer;
  manager integer;
begin
  if (new.committee_alone_cents, new.manager_alone_cents, new.judged_cents)
      is distinct from (old.committee_alone_cents, old.manager_alone_cents, old.judged_cents)
    and not (new.state = 'submitted' and new.round = old.round + 1)
  then
    raise exception 'a round is decided by what was in force when it was submitted' using errcode = 'check_violation';
  end if;
  if old.state = 'submitted' and new.state = 'approved' then
    select count(*) filter (where office = 'credit_committee' and decision = 'approve'),
      count(*) filter (where office = 'credit_committee' and decision = 'reject'),
      count(*) filter (where office in ('treasurer', 'chair') and decision = 'approve'),
      count(*) filter (where office = 'manager' and decision = 'approve')
    into committee, against, second, manager
    from loan_reviews where loan_id = new.id and round = new.round;
    if not (committee >= 2 and (new.judged_cents <= new.committee_alone_cents or second > 0)
      or manager > 0 and against = 0 and new.judged_cents <= new.manager_alone_cents)
    then
      raise exception 'this loan has not the voices that it needs' using errcode = 'check_violation';
    end if;
  end if;
  return new;
end
$$;
create trigger loan_is_judged_as_submitted before update on loans for each row
  when (new.state = 'approved' and old.state = 'submitted'
    or (new.committee_alone_cents, new.manager_alone_cents, new.judged_cents)
      is distinct from (old.committee_alone_cents, old.manager_alone_cents, old.judged_cents))
  execute function loan_is_judged_as_submitted();

select close_table('lending_authority');
grant select on lending_authority to ushirika_member;
create policy members on lending_authority for select to ushirika_member
  using (sacco_id = any ((select my_saccos())::uuid[]) or (select is_operator()));
