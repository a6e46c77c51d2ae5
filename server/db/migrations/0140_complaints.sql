-- Complaints of members about their saccos (domain: complaints; docs/decisions/170).

-- How long officials may take, from when on. The latest row that has begun holds; without one 14 and 30 days do.
create table complaint_terms (
  sacco_id uuid not null references saccos (id),
  valid_from timestamptz not null,
  answer_days integer not null check (answer_days between 1 and 14),
  resolve_days integer not null check (resolve_days between answer_days and 30),
  changed_by uuid not null references users (id),
  primary key (sacco_id, valid_from)
);
revoke update, delete on complaint_terms from ushirika_app;
alter table sacco_changes drop constraint sacco_changes_kind_check;
alter table sacco_changes add constraint sacco_changes_kind_check
  check (kind in ('market_terms', 'referral_terms', 'complaint_terms', 'official_name'));

create table complaints (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  complainer_id uuid not null references users (id),
  kind text collate "C" not null check (kind in ('money', 'payout', 'loan', 'shares', 'conduct', 'records', 'other')),
  -- The official whom it names, who never sees it.
  about_id uuid references users (id),
  text text not null check (length(text) between 20 and 2000),
  made_at timestamptz not null,
  -- Its own due dates: other limits of the sacco hold for complaints that come later.
  answer_due_at timestamptz not null,
  resolve_due_at timestamptz not null,
  state text collate "C" not null
    check (state in ('open', 'in_hand', 'answered', 'with_operator', 'closed', 'resolved')),
  state_at timestamptz not null,
  first_answer_at timestamptz,
  answered_at timestamptz,
  -- Until then the member may appeal; then it closes by itself.
  react_by timestamptz,
  escalated_at timestamptz,
  escalated_because text collate "C"
    check (escalated_because in ('unanswered', 'unresolved', 'appealed', 'nobody_else')),
  ended_at timestamptz,
  outcome text collate "C" check (outcome in ('upheld', 'not_upheld')),
  check (about_id is null or kind = 'conduct'),
  check (about_id <> complainer_id),
  check (answer_due_at > made_at and answer_due_at <= made_at + interval '15 days'),
  check (resolve_due_at >= answer_due_at and resolve_due_at <= made_at + interval '31 days'),
  check (state_at >= made_at),
  check (first_answer_at >= made_at and first_answer_at < answer_due_at),
  check (answered_at >= first_answer_at and answered_at < resolve_due_at),
  check (answered_at is null or first_answer_at is not null),
  check ((answered_at is null) = (react_by is null)),
  check (react_by > answered_at and react_by <= answered_at + interval '15 days'),
  check ((escalated_at is null) = (escalated_because is null)),
  check (case escalated_because
    when 'nobody_else' then escalated_at = made_at and first_answer_at is null
    when 'unanswered' then escalated_at >= answer_due_at and first_answer_at is null
    when 'unresolved' then escalated_at >= resolve_due_at and first_answer_at is not null and answered_at is null
    when 'appealed' then escalated_at >= answered_at and escalated_at < react_by
  end),
  check (escalated_because is distinct from 'appealed' or answered_at is not null),
  check ((state in ('closed', 'resolved')) = (ended_at is not null)),
  check (ended_at is null or ended_at = state_at),
  check ((state = 'resolved') = (outcome is not null)),
  check (case state
    when 'open' then first_answer_at is null and escalated_at is null
    when 'in_hand' then first_answer_at is not null and answered_at is null and escalated_at is null
    when 'answered' then answered_at is not null and escalated_at is null
    when 'closed' then true
    else escalated_at is not null
  end)
);
-- The same words once more, while the complaint is not over, are the same complaint.
create unique index complaints_said_once on complaints (complainer_id, sacco_id, kind, md5(text)) where ended_at is null;
create index complaints_by_complainer on complaints (complainer_id, id desc);
create index complaints_by_sacco on complaints (sacco_id, id desc);
create index complaints_waiting on complaints (sacco_id, id) where state in ('open', 'in_hand');
create index complaints_unanswered on complaints (answer_due_at, id) where state = 'open';
create index complaints_unresolved on complaints (resolve_due_at, id) where state = 'in_hand';
create index complaints_unreacted on complaints (react_by, id) where state = 'answered';
create index complaints_with_operator on complaints (id) where state = 'with_operator';
create index complaints_over on complaints (id desc) where escalated_at is not null and ended_at is not null;

create table complaint_steps (
  complaint_id uuid not null references complaints (id),
  number integer not null check (number between 1 and 20),
  kind text collate "C" not null
    check (kind in ('made', 'progress', 'answered', 'appealed', 'escalated', 'closed', 'lapsed', 'resolved')),
  side text collate "C" not null check (side in ('member', 'sacco', 'operator', 'clock')),
  by_id uuid references users (id),
  text text check (length(text) between 20 and 2000),
  to_state text collate "C" not null
    check (to_state in ('open', 'in_hand', 'answered', 'with_operator', 'closed', 'resolved')),
  at timestamptz not null,
  primary key (complaint_id, number),
  check ((side = 'clock') = (by_id is null)),
  check ((kind in ('progress', 'answered', 'appealed', 'resolved')) = (text is not null)),
  check (side = case
    when kind in ('made', 'appealed', 'closed') then 'member'
    when kind in ('progress', 'answered') then 'sacco'
    when kind = 'resolved' then 'operator'
    else 'clock' end),
  check (to_state = case kind
    when 'made' then 'open' when 'progress' then 'in_hand' when 'answered' then 'answered' when 'resolved' then 'resolved'
    when 'closed' then 'closed' when 'lapsed' then 'closed' else 'with_operator' end)
);

-- A picture that we drew ourselves from what was sent.
create table complaint_pictures (
  complaint_id uuid primary key references complaints (id),
  webp bytea not null check (length(webp) between 12 and 1048576),
  created_at timestamptz not null
);

-- What the public page counts, so that no page counts complaints: so many of the month in which they were made, by days.
create table complaint_counts (
  sacco_id uuid not null references saccos (id),
  -- The first day of the Nairobi month in which the complaint was made.
  month date not null check (extract(day from month) = 1),
  measure text collate "C" not null check (measure in ('received', 'escalated', 'answered', 'ended')),
  -- Whole days until the first answer, or the end; 366 stands for longer.
  days smallint not null check (days between 0 and 366),
  complaints integer not null check (complaints > 0),
  primary key (sacco_id, month, measure, days),
  check (days = 0 or measure in ('answered', 'ended'))
);

-- What was said stays: nobody rewrites a complaint, its due dates or its steps.
revoke update, delete, truncate on complaints, complaint_steps, complaint_pictures from ushirika_app;
grant update (state, state_at, first_answer_at, answered_at, react_by, escalated_at, escalated_because, ended_at, outcome)
  on complaints to ushirika_app;
revoke delete, truncate on complaint_counts from ushirika_app;

create function complaint_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (old.state || ' ' || new.state) not in (
    'open in_hand', 'open answered', 'open with_operator', 'open closed',
    'in_hand in_hand', 'in_hand answered', 'in_hand with_operator', 'in_hand closed',
    'answered with_operator', 'answered closed', 'with_operator resolved', 'with_operator closed')
  then
    raise exception 'a complaint does not go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state_at < old.state_at
    or old.first_answer_at is not null and new.first_answer_at is distinct from old.first_answer_at
    or old.answered_at is not null and (new.answered_at, new.react_by) is distinct from (old.answered_at, old.react_by)
    or old.escalated_at is not null
       and (new.escalated_at, new.escalated_because) is distinct from (old.escalated_at, old.escalated_because)
  then
    raise exception 'what happened to a complaint stays' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger complaint_moves_on before update on complaints for each row execute function complaint_moves_on();

-- Who steps: the member alone for the member, an official of the sacco who neither made it nor is named by it, an operator
-- who did not make it.
create function complaint_step_fits() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare about complaints;
begin
  select * into about from complaints where id = new.complaint_id;
  if not (case new.side
    when 'member' then new.by_id = about.complainer_id
    when 'sacco' then new.by_id <> about.complainer_id and new.by_id is distinct from about.about_id
      and exists (select from offices o where o.sacco_id = about.sacco_id and o.user_id = new.by_id
                    and o.ended_at is null and o.until > new.at)
    when 'operator' then new.by_id <> about.complainer_id and new.by_id is distinct from about.about_id
      and exists (select from operators p where p.user_id = new.by_id and p.revoked_at is null)
    else true end)
  then
    raise exception 'that person does not take this step of the complaint' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger complaint_step_fits before insert on complaint_steps
  for each row execute function complaint_step_fits();

-- Each state was reached by a step, at that moment.
create function complaint_has_step() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if not exists (select from complaint_steps s
                 where s.complaint_id = new.id and s.to_state = new.state and s.at = new.state_at)
  then
    raise exception 'a complaint changes its state by a step' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger complaint_has_step after insert or update on complaints
  deferrable initially deferred for each row execute function complaint_has_step();

-- The member reads their own; the officials of the sacco all but what names them; operators what came to them about other
-- saccos than their own. Nobody but the platform writes: each step is told to the other side, whose rows are not one's own.
select close_table('complaint_terms'), close_table('complaints'), close_table('complaint_steps'),
  close_table('complaint_pictures'), close_table('complaint_counts');
grant select on complaint_terms, complaints, complaint_steps, complaint_pictures to ushirika_member;
create policy everybody on complaint_terms for select to ushirika_member using (true);
create policy sides on complaints for select to ushirika_member
  using (complainer_id = (select person_id())
    or sacco_id = any ((select my_offices())::uuid[]) and about_id is distinct from (select person_id())
    or escalated_at is not null and (select is_operator()) and about_id is distinct from (select person_id())
      and sacco_id <> all ((select my_saccos())::uuid[]));
create policy sides on complaint_steps for select to ushirika_member
  using (exists (select from complaints c where c.id = complaint_id));
create policy sides on complaint_pictures for select to ushirika_member
  using (exists (select from complaints c where c.id = complaint_id));
