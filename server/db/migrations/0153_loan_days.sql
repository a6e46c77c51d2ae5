-- What time does to loans: the day's run, arrears and their notices, recovery, new schedules (domain: loans; docs/decisions/182).

-- Since when the borrower is behind without a break, and how many of the notices of arrears were given since then.
alter table loans
  add column arrears_since date,
  add column notices_given smallint not null default 0 check (notices_given between 0 and 5),
  -- Of the new schedule that is in force: the principal that it began with, and its months.
  add column restructured_cents bigint check (restructured_cents > 0),
  add column restructured_months smallint check (restructured_months between 1 and 120),
  add check ((restructured_cents is null) = (restructured_months is null)),
  add check ((arrears_since is not null) or state not in ('in_arrears', 'defaulted', 'recovering')),
  add check (arrears_since is not null or notices_given = 0);
create index loans_in_arrears on loans (sacco_id, id) where arrears_since is not null;
-- The day's run changes every row of a page once. With room for that none of them moves to another page, and no index is written.
alter table loans set (fillfactor = 45);

-- One row for each sacco and Nairobi day: what keeps a day from being run twice, and where a run goes on that was cut off.
create table loan_days (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  day date not null,
  state text collate "C" not null check (state in ('running', 'done')),
  -- The step that is under way.
  step text collate "C" check (step in ('loans', 'notices', 'expiries')),
  -- Of the step `loans`: the last loan that is done, in the order of ids, and how many chunks that took.
  after_loan uuid,
  chunks integer not null default 0 check (chunks >= 0),
  loans integer not null default 0 check (loans >= 0),
  interest_cents bigint not null default 0 check (interest_cents >= 0),
  penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  provision_cents bigint not null default 0,
  reminders integer not null default 0 check (reminders >= 0),
  notices integer not null default 0 check (notices >= 0),
  expired integer not null default 0 check (expired >= 0),
  started_at timestamptz not null,
  finished_at timestamptz,
  unique (sacco_id, day),
  check ((state = 'done') = (finished_at is not null)),
  check ((state = 'running') = (step is not null))
);
-- One day after the other: the next begins when the one before is done.
create unique index loan_days_running on loan_days (sacco_id) where state = 'running';
revoke delete, truncate on loan_days from ushirika_app;

create function loan_day_follows() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from loan_days d where d.sacco_id = new.sacco_id
             and (d.day >= new.day or d.day = new.day - 1 and d.state <> 'done'))
    or exists (select from loan_days d where d.sacco_id = new.sacco_id)
      and not exists (select from loan_days d where d.sacco_id = new.sacco_id and d.day = new.day - 1)
  then
    raise exception 'the days of a sacco follow one another' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_day_follows before insert on loan_days for each row execute function loan_day_follows();

-- Interest, arrears, penalty, class and provision of a day, for the loans of a sacco behind `after` in the order of their ids:
-- `size` of them at most. Each row is written once. The rules are those of arrears.rules.ts, and the tests hold both against each
-- other. Says what the day added, the last loan, and which borrowers are to be reminded.
create function pass_loans(
  sacco uuid, day date, after uuid, size integer, at timestamptz, remind_days integer,
  out loans integer, out last uuid, out interest bigint, out penalty bigint, out provision bigint, out to_remind uuid[],
  out stopped uuid[]
) language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- Locked by a statement of its own: the next one sees what whoever held a lock has changed.
  select count(*)::integer, (array_agg(each.id order by each.id desc))[1] into loans, last from (
    select l.id from loans l
    where l.sacco_id = pass_loans.sacco and l.id > pass_loans.after
      and l.state in ('active', 'in_arrears', 'defaulted', 'recovering')
    order by l.id limit size for no key update) each;

  with input as materialized (
    select l.id, l.state, l.principal_cents, l.accrued_through, l.period_number, l.period_starts_on, l.period_ends_on,
      l.period_interest_cents, l.period_accrued_cents, l.due_number, l.due_on, l.penalty_rate, l.provision_cents,
      l.duplum_cents - l.charged_since_default_cents as duplum_left, l.arrears_since, l.notices_given,
      l.interest_cents as booked,
      case when l.due_on < pass_loans.day then pass_loans.day - l.due_on else 0 end as days_past_due,
      l.accrued_through < pass_loans.day and l.period_ends_on < pass_loans.day as is_over
    from loans l
    where l.sacco_id = pass_loans.sacco and l.id > pass_loans.after and l.id <= pass_loans.last
      and l.state in ('active', 'in_arrears', 'defaulted', 'recovering')
  ), late as (
    -- Instalments whose day has passed, of those who are behind.
    select l.id, sum(u.unpaid)::bigint as overdue,
      sum(case when u.days > 0 then u.unpaid * l.penalty_rate * 12 * u.days / 3650000
        - u.unpaid * l.penalty_rate * 12 * (u.days - 1) / 3650000 else 0 end)::bigint as penalty
    from input l
    cross join lateral (
      select i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents as unpaid,
        pass_loans.day - i.due_on - 5 as days
      from loan_instalments i
      where i.loan_id = l.id and i.number >= l.due_number and i.paid_on is null
        and i.due_on < greatest(pass_loans.day, l.accrued_through)) u
    where l.due_on < greatest(pass_loans.day, l.accrued_through)
    group by l.id
  ), following as (
    -- The period that begins, where one has ended.
    select l.id, i.number, i.starts_on, i.due_on, i.interest_cents,
      i.interest_cents * (pass_loans.day - i.starts_on) / (i.due_on - i.starts_on) as accrued
    from input l join loan_instalments i on i.loan_id = l.id and i.number = l.period_number + 1
    where l.is_over
  ), wanted as (
    select l.*, f.number as next_number, f.starts_on as next_starts_on, f.due_on as next_due_on,
      f.interest_cents as next_interest_cents, coalesce(t.overdue, 0) as overdue, coalesce(t.penalty, 0) as wanted_penalty,
      case when l.accrued_through >= pass_loans.day then 0
        when l.is_over then l.period_interest_cents - l.period_accrued_cents
        else greatest(0, l.period_interest_cents * (pass_loans.day - l.period_starts_on)
          / (l.period_ends_on - l.period_starts_on) - l.period_accrued_cents) end as of_period,
      coalesce(least(f.accrued, f.interest_cents), 0) as of_next
    from input l left join late t on t.id = l.id left join following f on f.id = l.id
  ), charged as (
    -- In duplum: interest first, then penalty, up to what is left.
    select w.*, c.interest, least(w.wanted_penalty, coalesce(w.duplum_left - c.interest, w.wanted_penalty)) as penalty,
      case when w.days_past_due = 0 then 'performing' when w.days_past_due <= 30 then 'watch'
        when w.days_past_due <= 180 then 'substandard' when w.days_past_due <= 360 then 'doubtful' else 'loss' end as class,
      case when w.days_past_due = 0 then 100 when w.days_past_due <= 30 then 500
        when w.days_past_due <= 180 then 2500 when w.days_past_due <= 360 then 5000 else 10000 end as provision_rate
    from wanted w
    cross join lateral (
      select least(w.of_period + w.of_next, coalesce(w.duplum_left, w.of_period + w.of_next)) as interest) c
  ), result as materialized (
    -- A default of which nothing was taken ends with the arrears; a recovery does not.
    select c.*, (c.principal_cents * c.provision_rate + 9999) / 10000 as provision,
      c.state in ('in_arrears', 'defaulted') and c.days_past_due = 0 as is_cured,
      case when c.state = 'recovering' then c.arrears_since
        when c.days_past_due > 0 then coalesce(c.arrears_since, c.due_on) end as since
    from charged c
  ), written as (
    update loans l set
      state = case when r.state = 'active' and r.days_past_due > 0 then 'in_arrears'
        when r.is_cured then 'active' else l.state end,
      state_at = case when r.state = 'active' and r.days_past_due > 0 or r.is_cured then at else l.state_at end,
      interest_cents = l.interest_cents + r.interest,
      penalty_cents = l.penalty_cents + r.penalty,
      accrued_through = greatest(l.accrued_through, pass_loans.day),
      period_number = coalesce(r.next_number, l.period_number),
      period_starts_on = coalesce(r.next_starts_on, l.period_starts_on),
      period_ends_on = coalesce(r.next_due_on, l.period_ends_on),
      period_interest_cents = coalesce(r.next_interest_cents, l.period_interest_cents),
      period_accrued_cents = case when r.next_number is null then l.period_accrued_cents + r.interest
        else greatest(0, r.interest - r.of_period) end,
      overdue_cents = r.overdue,
      days_past_due = r.days_past_due,
      class = r.class,
      provision_cents = r.provision,
      charged_since_default_cents = case when l.duplum_cents is null or r.is_cured then 0
        else l.charged_since_default_cents + r.interest + r.penalty end,
      duplum_cents = case when r.is_cured then null else l.duplum_cents end,
      defaulted_at = case when r.is_cured then null else l.defaulted_at end,
      last_default_at = case when r.days_past_due > 90 or r.state in ('defaulted', 'recovering') then at
        else l.last_default_at end,
      arrears_since = r.since,
      notices_given = case when r.since is null then 0 else l.notices_given end
    from result r where l.id = r.id
    returning l.id
  )
  select coalesce(sum(r.interest), 0)::bigint, coalesce(sum(r.penalty), 0)::bigint,
    coalesce(sum(r.provision - r.provision_cents), 0)::bigint,
    coalesce(array_agg(r.id order by r.id) filter (
      where r.due_on = pass_loans.day + remind_days and r.state in ('active', 'in_arrears')), '{}'),
    coalesce(array_agg(r.id) filter (where case when r.interest + r.penalty = r.duplum_left then r.booked + r.interest < (
      select sum(i.interest_cents - i.paid_interest_cents) from loan_instalments i where i.loan_id = r.id) end), '{}')
  into interest, penalty, provision, to_remind, stopped
  from result r;

  -- Interest past the in-duplum stop is never owed: the instalments keep what the books have, the oldest first.
  if stopped <> '{}' then
    with unpaid as (
      select i.loan_id, i.number, i.interest_cents - i.paid_interest_cents as interest, l.interest_cents
          - sum(i.interest_cents - i.paid_interest_cents) over (partition by i.loan_id order by i.number rows unbounded preceding)
          as left_behind
      from loan_instalments i join loans l on l.id = i.loan_id
      where i.loan_id = any (stopped) and i.paid_on is null)
    update loan_instalments i
    set interest_cents = i.interest_cents - least(u.interest, -u.left_behind),
      paid_on = case when i.paid_principal_cents = i.principal_cents
        and i.paid_interest_cents = i.interest_cents - least(u.interest, -u.left_behind) then pass_loans.day end
    from unpaid u
    where i.loan_id = u.loan_id and i.number = u.number and u.left_behind < 0 and u.interest > 0;
    with unpaid as (
      select i.loan_id, i.number, i.due_on,
        i.principal_cents - i.paid_principal_cents + i.interest_cents - i.paid_interest_cents as cents
      from loan_instalments i where i.loan_id = any (stopped) and i.paid_on is null)
    update loans l
    set period_interest_cents = l.period_accrued_cents, due_number = o.number, due_on = o.due_on, due_cents = o.cents,
      overdue_cents = coalesce((select sum(u.cents) from unpaid u where u.loan_id = l.id and u.due_on < pass_loans.day), 0),
      days_past_due = case when o.due_on < pass_loans.day then pass_loans.day - o.due_on else 0 end
    from unnest(stopped) each (id) left join lateral (
      select * from unpaid u where u.loan_id = each.id order by u.number limit 1) o on true
    where l.id = each.id;
  end if;
end $$;
revoke execute on function pass_loans from public;
grant execute on function pass_loans to ushirika_app;

-- What people were told about a loan, with the rows that delivered it: `notifications` in the app, `sms_messages` by SMS.
create table loan_notices (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  kind text collate "C" not null check (kind in ('reminder', 'missed', 'first', 'formal', 'second', 'default_due',
    'defaulted', 'final', 'taken', 'restructure', 'written_off')),
  user_id uuid not null references users (id),
  -- Of a guarantor: their guarantee.
  guarantee_id uuid references loan_guarantees (id),
  -- The arrears that it is about, by the day on which they began; null for a reminder.
  arrears_since date,
  days_past_due integer not null check (days_past_due >= 0),
  amount_cents bigint not null check (amount_cents >= 0),
  at timestamptz not null,
  notification_id uuid references notifications (id),
  sms_id uuid references sms_messages (id)
);
create index loan_notices_by_loan on loan_notices (loan_id, id);
create unique index loan_notices_once on loan_notices (loan_id, kind, user_id, arrears_since)
  where kind in ('missed', 'first', 'formal', 'second', 'default_due', 'final');
revoke update, delete, truncate on loan_notices from ushirika_app;

-- Voices of officials for a default and for a write-off, about the arrears that began on a day.
create table loan_recovery_voices (
  loan_id uuid not null references loans (id),
  kind text collate "C" not null check (kind in ('default', 'write_off')),
  arrears_since date not null,
  by_id uuid not null references users (id),
  office text collate "C" not null check (case kind
    when 'default' then office = 'credit_committee'
    else office in ('chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee') end),
  reason text not null check (length(reason) between 3 and 500),
  at timestamptz not null,
  primary key (loan_id, kind, arrears_since, by_id)
);

-- The steps of a recovery that were taken, each once.
create table loan_recovery_steps (
  loan_id uuid not null references loans (id),
  arrears_since date not null,
  step text collate "C" not null
    check (step in ('default', 'final_notice', 'own_deposits', 'pool', 'guarantors', 'write_off')),
  at timestamptz not null,
  by_id uuid not null references users (id),
  amount_cents bigint not null default 0 check (amount_cents >= 0),
  journal_id bigint,
  primary key (loan_id, arrears_since, step)
);
revoke update, delete, truncate on loan_recovery_voices, loan_recovery_steps from ushirika_app;

-- Nobody decides about a loan of their own or one that they guarantee.
create function loan_recovered_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from loans l where l.id = new.loan_id and l.borrower_id = new.by_id)
    or exists (select from loan_guarantees g where g.loan_id = new.loan_id and g.kind = 'member' and g.guarantor_id = new.by_id
                 and g.state in ('asked', 'accepted', 'live', 'called'))
  then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_recovered_by_others before insert on loan_recovery_voices
  for each row execute function loan_recovered_by_others();
create trigger loan_recovered_by_others before insert on loan_recovery_steps
  for each row execute function loan_recovered_by_others();

-- Whether a default may be decided: from day 90 on, the borrower has the second notice, and each guarantor had the formal one for 30 days.
create function loan_may_default(loan uuid, since date, at timestamptz) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select l.days_past_due >= 90
    and exists (select from loan_notices n where n.loan_id = l.id and n.kind = 'second' and n.user_id = l.borrower_id
                  and n.arrears_since = since)
    and not exists (
      select from loan_guarantees g
      where g.loan_id = l.id and g.kind = 'member' and g.state = 'live' and g.pledged_cents > 0 and not exists (
        select from loan_notices n where n.loan_id = l.id and n.kind = 'formal' and n.user_id = g.guarantor_id
          and n.arrears_since = since and n.at <= loan_may_default.at - interval '30 days'))
  from loans l where l.id = loan
$$;
revoke execute on function loan_may_default from public;
grant execute on function loan_may_default to ushirika_app;

-- Whether what a step has taken is in the books: the journal is of that kind, and about that loan or the pool's guarantee for it.
create function loan_step_is_posted(loan uuid, step text, journal bigint) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select from journals j
    where j.id = journal and j.kind = case step when 'own_deposits' then 'deposits_recovered' when 'pool' then 'pool_called'
        when 'guarantors' then 'guarantor_called' else 'loan_written_off' end
      and (j.about_id = loan or step = 'pool' and exists (
        select from pool_contracts c where c.id = j.about_id and c.loan_id = loan)))
$$;
revoke execute on function loan_step_is_posted from public;
grant execute on function loan_step_is_posted to ushirika_app;

-- The order of a recovery, held by the database too: a step follows the ones before it, and nothing is taken before the 14 days
-- after the final notice are over, nor of guarantors while a pool still guarantees the loan. A default needs two voices besides the
-- notices, a write-off one of the board and one of the supervisory committee. What was taken has its journal.
create function loan_recovery_in_order() returns trigger
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
      select from loan_recovery_voices b join loan_recovery_voices c using (loan_id, kind, arrears_since)
      where b.loan_id = new.loan_id and b.kind = 'write_off' and b.arrears_since = new.arrears_since
        and b.office <> 'supervisory_committee' and c.office = 'supervisory_committee' and b.by_id <> c.by_id)
  then
    raise exception 'that step of a recovery comes later' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_recovery_in_order before insert on loan_recovery_steps
  for each row execute function loan_recovery_in_order();

-- A new schedule for the principal that is owed; in force once the borrower and every guarantor have agreed.
create table loan_restructures (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  months smallint not null check (months between 1 and 120),
  -- What it was reckoned for. A loan whose principal has changed since needs another offer.
  principal_cents bigint not null check (principal_cents > 0),
  reason text not null check (length(reason) between 3 and 500),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null,
  answer_by timestamptz not null check (answer_by > proposed_at),
  state text collate "C" not null check (state in ('proposed', 'in_force', 'refused', 'withdrawn', 'lapsed')),
  state_at timestamptz not null,
  check (state <> 'proposed' or state_at = proposed_at)
);
create unique index loan_restructures_open on loan_restructures (loan_id) where state = 'proposed';
create index loan_restructures_by_loan on loan_restructures (loan_id, id);
create index loan_restructures_lapsing on loan_restructures (answer_by, id) where state = 'proposed';
revoke delete, truncate on loan_restructures from ushirika_app;

create table loan_restructure_answers (
  restructure_id uuid not null references loan_restructures (id),
  user_id uuid not null references users (id),
  agrees boolean not null,
  at timestamptz not null,
  primary key (restructure_id, user_id)
);
revoke update, delete, truncate on loan_restructure_answers from ushirika_app;

select close_table('loan_days'), close_table('loan_notices'), close_table('loan_recovery_voices'),
  close_table('loan_recovery_steps'), close_table('loan_restructures'), close_table('loan_restructure_answers');
grant select on loan_days, loan_notices, loan_recovery_voices, loan_recovery_steps, loan_restructures,
  loan_restructure_answers to ushirika_member;
create policy officials on loan_days for select to ushirika_member
  using (sacco_id = any ((select my_offices())::uuid[]));
create policy sides on loan_notices for select to ushirika_member
  using (user_id = (select person_id())
    or exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
create policy officials on loan_recovery_voices for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
create policy sides on loan_recovery_steps for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id));
create policy sides on loan_restructures for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id)
    or exists (select from loan_guarantees g where g.loan_id = loan_restructures.loan_id));
create policy sides on loan_restructure_answers for select to ushirika_member
  using (user_id = (select person_id())
    or exists (select from loan_restructures r join loans l on l.id = r.loan_id where r.id = restructure_id));
