-- Acts of two operators (domain: operator): one proposes, another confirms. One row for each, whatever it is about.
create table operator_proposals (
  id uuid primary key,
  kind text not null check (
    kind in ('money_exception_credit', 'money_exception_return', 'sacco_reinstatement', 'suspended_payout')
  ),
  -- The money exception, the sacco, or the person whose account is suspended.
  about_id uuid not null,
  -- Whose wallet or phone the money goes to; null where no money goes to a person.
  beneficiary_id uuid references users (id),
  amount_cents bigint check (amount_cents > 0),
  reason text not null check (length(reason) between 5 and 500),
  -- proposed: a second operator is awaited. waiting: confirmed, and the payer may object until due_at. done: carried out.
  -- withdrawn: by who proposed it. refused: by another operator. objected: by the payer. lapsed: nobody confirmed it in
  -- time, or what it is about was settled otherwise.
  state text not null check (state in ('proposed', 'waiting', 'done', 'withdrawn', 'refused', 'objected', 'lapsed')),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null,
  lapses_at timestamptz not null check (lapses_at > proposed_at),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  confirmation text check (length(confirmation) between 5 and 500),
  due_at timestamptz check (due_at > confirmed_at),
  closed_at timestamptz,
  -- Who withdrew or refused it; null where the platform or the payer did.
  closed_by uuid references users (id),
  closing text check (length(closing) between 1 and 500),
  check ((confirmed_by is null) = (confirmed_at is null) and (confirmed_by is null) = (confirmation is null)),
  constraint two_operators check (confirmed_by <> proposed_by),
  constraint neither_gains check (beneficiary_id <> proposed_by and (confirmed_by is null or beneficiary_id <> confirmed_by)),
  check (state not in ('waiting', 'done', 'objected') or confirmed_by is not null),
  check (state <> 'waiting' or due_at is not null),
  check ((state in ('proposed', 'waiting')) = (closed_at is null))
);
-- One at a time about one thing.
create unique index operator_proposals_open on operator_proposals (about_id) where state in ('proposed', 'waiting');
create index operator_proposals_by_about on operator_proposals (about_id, proposed_at);
create index operator_proposals_by_age on operator_proposals (proposed_at, id) where state in ('proposed', 'waiting');
create index operator_proposals_closed on operator_proposals (closed_at desc, id desc) where closed_at is not null;
create index operator_proposals_by_confirmer on operator_proposals (confirmed_by) where confirmed_by is not null;
create index operator_proposals_by_proposer on operator_proposals (proposed_by);
create index operator_proposals_by_beneficiary on operator_proposals (beneficiary_id) where beneficiary_id is not null;
select close_table('operator_proposals');
revoke delete, truncate on operator_proposals from ushirika_app;
grant select, insert, update on operator_proposals to ushirika_member;
create policy operator on operator_proposals for select to ushirika_member using ((select is_operator()));
create policy operator_proposes on operator_proposals for insert to ushirika_member
  with check ((select is_operator()) and proposed_by = (select person_id()) and state = 'proposed' and confirmed_by is null);
create policy operator_decides on operator_proposals for update to ushirika_member
  using ((select is_operator()))
  with check (confirmed_by is null or confirmed_by = (select person_id()) or closed_by = (select person_id()));

-- What was agreed on stays as it was agreed on, and what is closed stays closed.
create function refuse_other_proposal() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null then raise exception 'proposal % is closed', old.id; end if;
  if (new.kind, new.about_id, new.beneficiary_id, new.amount_cents, new.reason, new.proposed_by, new.proposed_at)
    is distinct from
    (old.kind, old.about_id, old.beneficiary_id, old.amount_cents, old.reason, old.proposed_by, old.proposed_at)
    or (old.confirmed_by is not null and (new.confirmed_by, new.confirmed_at, new.due_at)
      is distinct from (old.confirmed_by, old.confirmed_at, old.due_at))
  then raise exception 'proposal % is not changed', old.id; end if;
  return new;
end $$;
create trigger operator_proposals_stay before update on operator_proposals
  for each row execute function refuse_other_proposal();

-- The payer was told where money that came from their phone is to go, and may object with the code of the SMS.
create table payer_notices (
  proposal_id uuid primary key references operator_proposals (id),
  phone text not null check (phone ~ '^254[17][0-9]{8}$'),
  -- SHA-256 of 80 random bits.
  code_hash text not null unique check (length(code_hash) = 43),
  told_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > told_at),
  objected_at timestamptz,
  -- Signed in with that phone; null where it was the code of the SMS.
  objected_by uuid references users (id),
  check (objected_by is null or objected_at is not null)
);
create index payer_notices_by_phone on payer_notices (phone, expires_at);
create index payer_notices_by_objector on payer_notices (objected_by) where objected_by is not null;
select close_table('payer_notices');
-- Operators see that the payer was told and objected, and neither the phone nor the code.
create view payer_notice_times with (security_barrier) as
  select proposal_id, told_at, expires_at, objected_at from payer_notices where (select is_operator()) or not is_person();
grant select on payer_notice_times to ushirika_app, ushirika_member;
revoke delete, truncate on payer_notices from ushirika_app;

-- Money of exceptions leaves suspense and reserves by two operators alone. Those resolved before this are as they were.
alter table money_exceptions add column proposal_id uuid references operator_proposals (id);
create unique index money_exceptions_by_proposal on money_exceptions (proposal_id) where proposal_id is not null;
alter table money_exceptions add constraint money_exceptions_by_two
  check (resolution is null or resolution in ('dismiss', 'matched') or proposal_id is not null) not valid;
create function refuse_resolution_by_one() returns trigger language plpgsql as $$
begin
  if not exists (
    select from operator_proposals p
    where p.id = new.proposal_id and p.about_id = new.id and p.confirmed_by is not null and p.state in ('proposed', 'waiting')
      and p.kind = case new.resolution when 'credit' then 'money_exception_credit' else 'money_exception_return' end
      and (new.resolution <> 'credit' or p.beneficiary_id = new.credited_user_id)
      and (p.due_at is null or p.due_at <= new.resolved_at))
  then raise exception 'money of exception % leaves by two operators', new.id; end if;
  return new;
end $$;
create trigger money_exceptions_by_two before update on money_exceptions
  for each row when (old.resolved_at is null and new.resolution in ('credit', 'return_note'))
  execute function refuse_resolution_by_one();
