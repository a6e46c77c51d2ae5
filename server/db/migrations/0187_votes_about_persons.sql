-- Votes that need three quarters, and votes about a person, who answers (domain: voting; docs/decisions/195).

alter table proposals
  drop constraint proposals_class_check,
  add constraint proposals_class_check check (class in ('ordinary', 'special', 'three_quarters', 'election')),
  -- What ends a sacco, or makes another one of it, is not carried out by itself.
  add constraint proposals_three_quarters check (class <> 'three_quarters' or kind = 'resolution'),
  drop constraint proposals_change_kind_check,
  add constraint proposals_change_kind_check check (change_kind in ('market_terms', 'referral_terms', 'complaint_terms', 'loan_product',
    'lending_authority', 'sacco_terms', 'dividend', 'official_removal')),
  -- Whom it is about.
  add column about_id uuid references users (id),
  -- About persons members vote in secret, and two thirds decide.
  add constraint proposals_about_persons check (
    (about_id is not null) = (change_kind is not null and change_kind in ('official_removal'))
    and (about_id is null or class = 'special' and ballot = 'secret'));

create function proposal_stays_about() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.about_id is distinct from old.about_id
    or new.about_id is not null and new.about_id in (new.held_by, new.voided_by)
  then
    raise exception 'a proposal does not change whom it is about, and they do not hold or void it' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger proposal_stays_about before update on proposals for each row execute function proposal_stays_about();

-- What somebody answers to a vote about them: in other words until voting begins, and then it stays.
create table proposal_answers (
  proposal_id uuid primary key references proposals (id),
  words text not null check (length(words) between 20 and 2000),
  answered_at timestamptz not null
);
create function answer_in_time() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and new.proposal_id <> old.proposal_id or not exists (
    select from proposals p where p.id = new.proposal_id and p.about_id is not null and p.cancelled_at is null
      and new.answered_at >= p.published_at and new.answered_at < p.opens_at)
  then
    raise exception 'a vote is answered until voting begins' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger answer_in_time before insert or update on proposal_answers for each row execute function answer_in_time();
revoke delete, truncate on proposal_answers from ushirika_app;
select close_table('proposal_answers');
grant select on proposal_answers to ushirika_member;
create policy members on proposal_answers for select to ushirika_member using (exists (select from proposals p where p.id = proposal_id));

-- Whoever stands for an election may stand down until voting begins, and stand again while nominations are open.
alter table election_candidates add column withdrawn_at timestamptz check (withdrawn_at >= nominated_at);
create function candidate_stands_down() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.withdrawn_at is distinct from old.withdrawn_at and not exists (
    select from proposals p where p.id = new.proposal_id and p.round = 1
      and coalesce(new.withdrawn_at, new.nominated_at) < p.opens_at)
  then
    raise exception 'candidates stand down until voting begins' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger candidate_stands_down before update on election_candidates for each row execute function candidate_stands_down();

alter table proposal_events drop constraint proposal_events_kind_check,
  add constraint proposal_events_kind_check check (kind in ('drafted', 'signed', 'published', 'made_secret', 'nominated', 'stood_down', 'answered',
    'extended', 'second_round', 'counted', 'held', 'released', 'voided', 'executed', 'failed', 'cancelled'));
