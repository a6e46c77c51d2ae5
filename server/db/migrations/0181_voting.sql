-- Members vote, and what passes is carried out by itself (domain: voting; docs/decisions/190). The state of a proposal is stored nowhere: it
-- follows from these rows and the time (contract/src/voting-rules.ts).

create table proposals (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  kind text collate "C" not null check (kind in ('resolution', 'change')),
  class text collate "C" not null check (class in ('ordinary', 'special')),
  title text not null check (length(title) between 5 and 120),
  text text not null check (length(text) between 20 and 4000),
  -- Of a change: what it changes, how that was when it was drafted, and how it would be.
  change_kind text collate "C"
    check (change_kind in ('market_terms', 'referral_terms', 'complaint_terms', 'loan_product', 'lending_authority')),
  expected jsonb,
  payload jsonb,
  drafted_by uuid not null references users (id),
  -- Null: as a member.
  drafted_as text collate "C" check (drafted_as in ('chair', 'vice_chair', 'secretary', 'treasurer')),
  drafted_at timestamptz not null,
  signatures_needed integer not null check (signatures_needed >= 2),
  signatures integer not null default 1 check (signatures >= 1),
  -- Fixed by the last signature.
  published_at timestamptz,
  rules jsonb,
  roll_size integer check (roll_size > 0),
  -- Of the round that runs, or of the last one.
  round smallint not null default 1 check (round in (1, 2)),
  opens_at timestamptz,
  closes_at timestamptz check (closes_at > opens_at),
  is_extended boolean not null default false,
  -- Members who have voted in the round that runs. It is shown to nobody before the count.
  turnout integer not null default 0 check (turnout between 0 and roll_size),
  cancelled_at timestamptz check (cancelled_at < opens_at or opens_at is null),
  counted_at timestamptz check (counted_at >= closes_at),
  outcome text collate "C" check (outcome in ('passed', 'rejected', 'no_quorum')),
  eta timestamptz check (eta > counted_at),
  held_by uuid references users (id),
  held_until timestamptz,
  released_at timestamptz,
  voided_by uuid references users (id),
  voided_at timestamptz,
  executed_at timestamptz check (executed_at >= eta),
  failed_at timestamptz,
  check ((kind = 'change') = (num_nonnulls(change_kind, expected, payload) = 3)),
  check (num_nonnulls(change_kind, expected, payload) in (0, 3)),
  check (num_nonnulls(published_at, rules, roll_size, opens_at, closes_at) in (0, 5)),
  check (counted_at is null or published_at is not null and cancelled_at is null),
  check ((counted_at is null) = (outcome is null)),
  check ((eta is not null) = (outcome = 'passed' and kind = 'change') or outcome is null and eta is null),
  check ((held_by is null) = (held_until is null) and (held_by is null or eta is not null)),
  check (released_at is null or held_until is not null and voided_at is null),
  -- Two of the supervisory committee: one holds it, another voids it.
  check ((voided_by is null) = (voided_at is null) and (voided_by is null or held_by is not null and voided_by <> held_by)),
  check (executed_at is null or eta is not null and voided_at is null),
  check (failed_at is null or eta is not null)
);
create index proposals_by_sacco on proposals (sacco_id, id);
create index proposals_by_drafter on proposals (drafted_by, sacco_id, id);
create index proposals_published on proposals (id) where published_at is not null;
-- What the tasks look for.
create index proposals_to_count on proposals (closes_at, id)
  where published_at is not null and cancelled_at is null and counted_at is null;
create index proposals_to_carry_out on proposals (eta, id) where eta is not null and executed_at is null and voided_at is null;
revoke delete, truncate on proposals from ushirika_app;

create table proposal_signatures (
  proposal_id uuid not null references proposals (id),
  user_id uuid not null references users (id),
  at timestamptz not null,
  primary key (proposal_id, user_id)
);
create index proposal_signatures_by_person on proposal_signatures (user_id, proposal_id);

-- Who may vote, as of the publication, each under a random handle. The handles alone are public.
create table proposal_roll (
  proposal_id uuid not null references proposals (id),
  handle bytea not null check (length(handle) = 16),
  member_id uuid not null references users (id),
  primary key (proposal_id, handle),
  unique (proposal_id, member_id)
);

-- Every vote that was cast; of a handle and round the highest revision counts.
create table proposal_ballots (
  proposal_id uuid not null,
  round smallint not null check (round in (1, 2)),
  handle bytea not null,
  revision integer not null check (revision > 0),
  choice text collate "C" not null check (choice in ('for', 'against', 'abstain')),
  at timestamptz not null,
  primary key (proposal_id, round, handle, revision),
  foreign key (proposal_id, handle) references proposal_roll (proposal_id, handle)
);

create table proposal_rounds (
  proposal_id uuid not null references proposals (id),
  round smallint not null check (round in (1, 2)),
  closes_at timestamptz not null,
  votes_for integer not null check (votes_for >= 0),
  votes_against integer not null check (votes_against >= 0),
  abstentions integer not null check (abstentions >= 0),
  outcome text collate "C" not null check (outcome in ('passed', 'rejected', 'no_quorum')),
  counted_at timestamptz not null check (counted_at >= closes_at),
  primary key (proposal_id, round)
);

create table proposal_events (
  proposal_id uuid not null references proposals (id),
  number integer not null check (number > 0),
  kind text collate "C" not null check (kind in ('drafted', 'signed', 'published', 'extended', 'second_round', 'counted', 'held',
    'released', 'voided', 'executed', 'failed', 'cancelled')),
  at timestamptz not null,
  by_id uuid references users (id),
  text text check (length(text) between 1 and 1000),
  primary key (proposal_id, number)
);

-- What the members of a roll are told, in chunks: the last one who was told, in the order of their ids.
create table proposal_tellings (
  proposal_id uuid not null references proposals (id),
  what text collate "C" not null check (what in ('published', 'opened', 'second_round', 'result')),
  created_at timestamptz not null,
  after_id uuid,
  is_done boolean not null default false,
  primary key (proposal_id, what)
);
create index proposal_tellings_open on proposal_tellings (created_at, proposal_id) where not is_done;

revoke update, delete, truncate on proposal_signatures, proposal_roll, proposal_ballots, proposal_rounds, proposal_events from ushirika_app;
revoke delete, truncate on proposal_tellings from ushirika_app;

-- A published proposal keeps its text, its rules and its roll; a result that was counted stays.
create function proposal_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.id, new.sacco_id, new.kind, new.class, new.title, new.text, new.change_kind, new.expected, new.payload, new.drafted_by,
      new.drafted_at) is distinct from (old.id, old.sacco_id, old.kind, old.class, old.title, old.text, old.change_kind, old.expected,
      old.payload, old.drafted_by, old.drafted_at)
    or old.published_at is not null and (new.published_at, new.rules, new.roll_size)
      is distinct from (old.published_at, old.rules, old.roll_size)
    or old.counted_at is not null and (new.counted_at, new.outcome, new.round, new.turnout, new.closes_at)
      is distinct from (old.counted_at, old.outcome, old.round, old.turnout, old.closes_at)
    or old.cancelled_at is not null and new is distinct from old
    or old.executed_at is not null and new is distinct from old
    or old.voided_at is not null and new is distinct from old
    or old.published_at is null and new.published_at is not null and new.signatures_needed > (
      select count(*) from proposal_signatures s where s.proposal_id = new.id)
  then
    raise exception 'a proposal does not change like that' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger proposal_moves_on before update on proposals for each row execute function proposal_moves_on();

-- A ballot comes while its round is open.
create function ballot_in_time() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added b join proposals p on p.id = b.proposal_id
    where p.round <> b.round or p.counted_at is not null or p.cancelled_at is not null or b.at < p.opens_at
      or b.at >= p.closes_at)
  then
    raise exception 'a ballot comes while its round is open' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger ballot_in_time after insert on proposal_ballots referencing new table as added
  for each statement execute function ballot_in_time();

-- The roll is made in the transaction that publishes, and never after it.
create function roll_is_fixed() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from added r join proposals p on p.id = r.proposal_id where p.published_at is not null) then
    raise exception 'the roll of a published proposal is fixed' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger roll_is_fixed after insert on proposal_roll referencing new table as added
  for each statement execute function roll_is_fixed();

-- Who may vote in a sacco, of those who joined by `since`. Of accounts that look like one person's the one that joined first has the vote.
create function roll_of(sacco uuid, since timestamptz) returns setof uuid
  language sql stable set search_path = public, pg_temp
as $$
  with able as materialized (
    select m.user_id, m.joined_at from memberships m
    where m.sacco_id = roll_of.sacco and m.state = 'active' and m.joined_at <= since
      and exists (select from identity_checks c where c.user_id = m.user_id and c.ended_at is null)
      and not exists (select from operators o where o.user_id = m.user_id and o.revoked_at is null)
      -- One operator alone takes nobody off a roll.
      and not exists (select from account_suspensions s
                      where s.user_id = m.user_id and s.ended_at is null and s.upheld_at is not null)
  ), marks as (
    select a.user_id, a.joined_at, 'phone' as kind, p.phone as mark
    from able a join users u on u.id = a.user_id cross join lateral (
      values (u.phone, u.phone_confirmed_at), (u.recovery_phone, u.recovery_phone_confirmed_at)) p (phone, confirmed_at)
    where p.confirmed_at is not null
    union
    select a.user_id, a.joined_at, case t.kind when 'id' then 'id' else 'phone' end, t.value
    from able a join referral_traces t on t.user_id = a.user_id and t.kind in ('id', 'confirmed_phone')
  ), later as (
    select user_id from (
      select user_id, row_number() over (partition by kind, mark order by joined_at, user_id) as place from marks) ranked
    where place > 1
  )
  select user_id from able where user_id not in (select user_id from later)
$$;
revoke execute on function roll_of from public;
grant execute on function roll_of to ushirika_app;

select close_table('proposals'), close_table('proposal_signatures'), close_table('proposal_roll'), close_table('proposal_ballots'),
  close_table('proposal_rounds'), close_table('proposal_events'), close_table('proposal_tellings');
-- Members read the votes of their saccos. Of signatures, rolls and ballots each reads their own rows. The platform writes.
grant select on proposals, proposal_signatures, proposal_roll, proposal_ballots, proposal_rounds, proposal_events to ushirika_member;
create policy members on proposals for select to ushirika_member using (sacco_id = any ((select my_saccos())::uuid[]));
create policy own on proposal_signatures for select to ushirika_member using (user_id = (select person_id()));
create policy own on proposal_roll for select to ushirika_member using (member_id = (select person_id()));
create policy own on proposal_ballots for select to ushirika_member
  using (exists (select from proposal_roll r where r.proposal_id = proposal_ballots.proposal_id and r.handle = proposal_ballots.handle));
create policy members on proposal_rounds for select to ushirika_member
  using (exists (select from proposals p where p.id = proposal_id));
create policy members on proposal_events for select to ushirika_member
  using (exists (select from proposals p where p.id = proposal_id));
