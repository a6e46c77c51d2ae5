-- Members expel a member by a vote, and admit them again by another one; and they set the rules of their votes, and their by-laws
-- (domains: membership, voting; docs/decisions/195, 196, 197).

alter table proposals
  drop constraint proposals_change_kind_check,
  add constraint proposals_change_kind_check check (change_kind in ('market_terms', 'referral_terms', 'complaint_terms', 'loan_product',
    'lending_authority', 'sacco_terms', 'dividend', 'official_removal', 'expulsion', 'admission', 'vote_rules', 'bylaws')),
  add constraint proposals_rules_by_two_thirds check (change_kind not in ('vote_rules', 'bylaws') or class = 'special'),
  drop constraint proposals_about_persons,
  add constraint proposals_about_persons check (
    (about_id is not null) = (change_kind is not null and change_kind in ('official_removal', 'expulsion', 'admission'))
    and (about_id is null or ballot = 'secret' and class = case change_kind when 'admission' then 'ordinary' else 'special' end));

-- Whom members have expelled, with the exit that it began, or that ran already. It stands until members admit them again.
create table expulsions (
  proposal_id uuid primary key references proposals (id),
  sacco_id uuid not null,
  user_id uuid not null,
  exit_id uuid not null references exit_requests (id),
  expelled_at timestamptz not null,
  admitted_by uuid unique references proposals (id),
  admitted_at timestamptz check (admitted_at > expelled_at),
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id),
  check ((admitted_by is null) = (admitted_at is null))
);
create unique index expulsions_that_stand on expulsions (sacco_id, user_id) where admitted_at is null;
create index expulsions_by_exit on expulsions (exit_id);
create function expulsion_stands() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.admitted_at is not null or new.admitted_at is null
    or to_jsonb(new) - 'admitted_at' - 'admitted_by' is distinct from to_jsonb(old) - 'admitted_at' - 'admitted_by'
  then
    raise exception 'an expulsion stands until members admit somebody again' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger expulsion_stands before update on expulsions for each row execute function expulsion_stands();
revoke delete, truncate on expulsions from ushirika_app;
select close_table('expulsions');
grant select on expulsions to ushirika_member;
create policy own on expulsions for select to ushirika_member using (user_id = (select person_id()));

-- Whoever was expelled takes no notice back, and joins again only once members have admitted them. As the owner: it holds for whoever writes.
create function expelled_exit_goes_on() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from expulsions e where e.exit_id = new.id) then
    raise exception 'an expulsion is not taken back' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger expelled_exit_goes_on before update on exit_requests for each row
  when (new.state = 'cancelled' and old.state <> 'cancelled') execute function expelled_exit_goes_on();
create function expelled_stay_out() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from expulsions e where e.sacco_id = new.sacco_id and e.user_id = new.user_id and e.admitted_at is null) then
    raise exception 'members admit again whom they have expelled' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger expelled_stay_out before update on memberships for each row
  when (old.state in ('leaving', 'exited') and new.state in ('provisional', 'active')) execute function expelled_stay_out();
revoke execute on function expelled_exit_goes_on, expelled_stay_out from public;

-- The rules of a sacco's votes, each version from its first moment. A vote has those that held when it was published. Without a row those of
-- the code hold (contract/src/voting-rules.ts).
create table vote_rules (
  sacco_id uuid not null references saccos (id),
  number integer not null check (number >= 1),
  valid_from timestamptz not null,
  rules jsonb not null,
  proposal_id uuid not null unique references proposals (id),
  primary key (sacco_id, number),
  unique (sacco_id, valid_from)
);
revoke update, delete, truncate on vote_rules from ushirika_app;
select close_table('vote_rules');
grant select on vote_rules to ushirika_member;
create policy members on vote_rules for select to ushirika_member using (sacco_id = any ((select my_saccos())::uuid[]));

-- By-laws as members voted for them, each version once. One is in force once two officials have recorded the same certificate of its registration
-- by the Commissioner for Co-operatives; until then the one before holds.
create table bylaws (
  sacco_id uuid not null references saccos (id),
  number integer not null check (number >= 1),
  text text not null check (length(text) between 200 and 40000),
  proposal_id uuid not null unique references proposals (id),
  voted_at timestamptz not null,
  registration_no text check (length(registration_no) between 3 and 60),
  registered_on date,
  recorded_by uuid references users (id),
  recorded_at timestamptz,
  confirmed_by uuid references users (id),
  in_force_at timestamptz check (in_force_at >= voted_at),
  primary key (sacco_id, number),
  check (num_nonnulls(registration_no, registered_on, recorded_by, recorded_at) in (0, 4)),
  check (num_nonnulls(confirmed_by, in_force_at) in (0, 2)),
  check (in_force_at is null or recorded_at is not null and confirmed_by <> recorded_by)
);
create index bylaws_in_force on bylaws (sacco_id, in_force_at) where in_force_at is not null;
create function bylaws_stay() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.in_force_at is not null
    or (new.sacco_id, new.number, new.text, new.proposal_id, new.voted_at)
      is distinct from (old.sacco_id, old.number, old.text, old.proposal_id, old.voted_at)
  then
    raise exception 'by-laws stay as members voted for them' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger bylaws_stay before update on bylaws for each row execute function bylaws_stay();
revoke delete, truncate on bylaws from ushirika_app;
select close_table('bylaws');
grant select on bylaws to ushirika_member;
create policy members on bylaws for select to ushirika_member using (sacco_id = any ((select my_saccos())::uuid[]));
