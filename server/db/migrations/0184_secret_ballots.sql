-- Secret ballots (domain: voting; docs/decisions/192). A member gets one blind signature; the ballot that it signs comes later, from nobody.

alter table proposals
  add column ballot text collate "C" not null default 'open' check (ballot in ('open', 'secret')),
  -- Members of the roll who asked for a secret ballot.
  add column secret_demands integer not null default 0 check (secret_demands between 0 and roll_size);

-- One key for each round. The private one is destroyed by the count.
create table proposal_keys (
  proposal_id uuid not null references proposals (id),
  round smallint not null check (round in (1, 2)),
  public_key bytea not null,
  private_key bytea,
  primary key (proposal_id, round)
);
revoke delete, truncate on proposal_keys from ushirika_app;

-- Who asked for a secret ballot.
create table secret_demands (
  proposal_id uuid not null,
  handle bytea not null,
  primary key (proposal_id, handle),
  foreign key (proposal_id, handle) references proposal_roll (proposal_id, handle)
);

-- Who was given a signature: once in a round, for one blinded value. No time stands here.
create table ballot_tokens (
  proposal_id uuid not null,
  round smallint not null,
  handle bytea not null,
  blinded bytea not null check (length(blinded) = 256),
  blind_signature bytea not null check (length(blind_signature) = 256),
  primary key (proposal_id, round, handle),
  foreign key (proposal_id, round) references proposal_keys (proposal_id, round),
  foreign key (proposal_id, handle) references proposal_roll (proposal_id, handle)
);
revoke update, delete, truncate on secret_demands, ballot_tokens from ushirika_app;

-- The ballots. Nothing here names a person, a handle, a time or an order. The application adds ballots, and reads them by the
-- functions below alone: an unordered read of the table, and its system columns, would show in which order they came.
create table secret_ballots (
  proposal_id uuid not null,
  round smallint not null,
  serial bytea not null check (length(serial) = 32),
  prefix bytea not null check (length(prefix) = 32),
  signature bytea not null check (length(signature) = 256),
  choice text collate "C" not null check (choice ~ '^[a-z0-9-]{1,36}$'),
  salt bytea not null check (length(salt) = 32),
  commit_hash bytea not null check (length(commit_hash) = 32),
  primary key (proposal_id, round, serial),
  foreign key (proposal_id, round) references proposal_keys (proposal_id, round)
);

select close_table('proposal_keys'), close_table('secret_demands'), close_table('ballot_tokens'), close_table('secret_ballots');
revoke all on secret_ballots from ushirika_app;
grant insert on secret_ballots to ushirika_app;

-- Members read public keys, and whether they asked and were given a signature themselves.
grant select (proposal_id, round, public_key) on proposal_keys to ushirika_member;
grant select on secret_demands, ballot_tokens to ushirika_member;
create policy members on proposal_keys for select to ushirika_member using (exists (select from proposals p where p.id = proposal_id));
create policy own on secret_demands for select to ushirika_member
  using (exists (select from proposal_roll r where r.proposal_id = secret_demands.proposal_id and r.handle = secret_demands.handle));
create policy own on ballot_tokens for select to ushirika_member
  using (exists (select from proposal_roll r where r.proposal_id = ballot_tokens.proposal_id and r.handle = ballot_tokens.handle));

-- A ballot that was cast under one of these serials.
create function known_secret_ballots(proposals uuid[], rounds integer[], serials bytea[])
  returns table (proposal_id uuid, round smallint, serial bytea, commit_hash bytea)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select b.proposal_id, b.round, b.serial, b.commit_hash
  from unnest(proposals, rounds, serials) as asked (proposal_id, round, serial)
  join secret_ballots b on b.proposal_id = asked.proposal_id and b.round = asked.round and b.serial = asked.serial
  order by b.proposal_id, b.round, b.serial
$$;

-- How many ballots of a round there are.
create function secret_turnout(proposal uuid, of_round integer) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$ select count(*)::integer from secret_ballots where proposal_id = proposal and round = of_round $$;

-- The ballots of the rounds that were counted, by their serials.
create function published_secret_ballots(proposal uuid)
  returns table (round smallint, serial bytea, prefix bytea, signature bytea, choice text, salt bytea)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select b.round, b.serial, b.prefix, b.signature, b.choice, b.salt from secret_ballots b
  where b.proposal_id = proposal
    and exists (select from proposal_rounds n where n.proposal_id = b.proposal_id and n.round = b.round)
  order by b.round, b.serial
$$;

-- Counts a round whose time is over. Ballots and signatures are written anew, by serial and by handle: from then on their places in
-- the files of the database do not show either in which order they came.
create function count_secret_ballots(proposal uuid, of_round integer, at timestamptz) returns table (choice text, votes integer)
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if not exists (
    select from proposals p where p.id = proposal and p.ballot = 'secret' and p.round = of_round and p.closes_at <= count_secret_ballots.at
      and p.counted_at is null and p.cancelled_at is null)
  then
    raise exception 'a round is counted once, when it is over' using errcode = 'check_violation';
  end if;
  with taken as (delete from secret_ballots b where b.proposal_id = proposal and b.round = of_round returning b.*)
  insert into secret_ballots select * from taken order by serial;
  with taken as (delete from ballot_tokens t where t.proposal_id = proposal and t.round = of_round returning t.*)
  insert into ballot_tokens select * from taken order by handle;
  return query select b.choice, count(*)::integer from secret_ballots b
    where b.proposal_id = proposal and b.round = of_round group by b.choice order by b.choice;
end
$$;
revoke execute on function known_secret_ballots, secret_turnout, published_secret_ballots, count_secret_ballots from public;
grant execute on function known_secret_ballots, secret_turnout, published_secret_ballots, count_secret_ballots to ushirika_app;

-- A ballot comes while its round is not counted, and as the vote takes it.
create function secret_ballot_in_time() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added b join proposals p on p.id = b.proposal_id
    where p.round <> b.round or p.ballot <> 'secret' or p.counted_at is not null or p.cancelled_at is not null)
  then
    raise exception 'a secret ballot comes while its round is open' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger secret_ballot_in_time after insert on secret_ballots referencing new table as added
  for each statement execute function secret_ballot_in_time();

create or replace function ballot_in_time() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (
    select from added b join proposals p on p.id = b.proposal_id
    where p.round <> b.round or p.counted_at is not null or p.cancelled_at is not null or b.at < p.opens_at
      or b.at >= p.closes_at or p.ballot <> 'open')
  then
    raise exception 'a ballot comes while its round is open' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- A key stays until its round is counted or its vote is taken back. Then the private one is destroyed, and never comes back.
create function key_is_destroyed() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.proposal_id, new.round, new.public_key) is distinct from (old.proposal_id, old.round, old.public_key)
    or new.private_key is not null and new.private_key is distinct from old.private_key
    or new.private_key is null and old.private_key is not null
      and not exists (select from proposal_rounds n where n.proposal_id = old.proposal_id and n.round = old.round)
      and not exists (select from proposals p where p.id = old.proposal_id and p.cancelled_at is not null)
  then
    raise exception 'the key of a vote does not change like that' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger key_is_destroyed before update on proposal_keys for each row execute function key_is_destroyed();

-- No count is committed while a signature could still be made.
create function counted_without_key() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if exists (select from proposal_keys k
             where k.proposal_id = new.proposal_id and k.round = new.round and k.private_key is not null) then
    raise exception 'the count destroys the key' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger counted_without_key after insert on proposal_rounds
  deferrable initially deferred for each row execute function counted_without_key();

-- An open vote may become a secret one before anybody has voted; never the other way.
create function ballot_turns_secret() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.ballot is distinct from new.ballot
    and (old.ballot = 'secret' or old.turnout > 0 or old.round > 1 or old.counted_at is not null)
    or new.office is distinct from old.office
    or old.nominations_end is not null and new.nominations_end is distinct from old.nominations_end
    or old.elected is not null and new.elected is distinct from old.elected
  then
    raise exception 'a vote does not change like that' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger ballot_turns_secret before update on proposals for each row execute function ballot_turns_secret();

-- Elections (docs/decisions/193): who stands, who has how many votes, and who is elected.
create table election_candidates (
  id uuid primary key,
  proposal_id uuid not null references proposals (id),
  member_id uuid not null references users (id),
  words text not null check (length(words) between 20 and 600),
  nominated_at timestamptz not null,
  unique (proposal_id, member_id)
);
create table election_votes (
  proposal_id uuid not null,
  round smallint not null,
  candidate_id uuid not null references election_candidates (id),
  votes integer not null check (votes >= 0),
  primary key (proposal_id, round, candidate_id),
  foreign key (proposal_id, round) references proposal_rounds (proposal_id, round)
);
revoke delete, truncate on election_candidates from ushirika_app;
revoke update, delete, truncate on election_votes from ushirika_app;
select close_table('election_candidates'), close_table('election_votes');
grant select on election_candidates, election_votes to ushirika_member;
create policy members on election_candidates for select to ushirika_member using (exists (select from proposals p where p.id = proposal_id));
create policy members on election_votes for select to ushirika_member using (exists (select from proposals p where p.id = proposal_id));

alter table proposals
  add column office text collate "C" check (office in (
    'chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'supervisory_committee', 'manager')),
  add column nominations_end timestamptz,
  add column elected uuid references election_candidates (id),
  drop constraint proposals_kind_check, add constraint proposals_kind_check check (kind in ('resolution', 'change', 'election')),
  drop constraint proposals_class_check, add constraint proposals_class_check check (class in ('ordinary', 'special', 'election')),
  drop constraint proposals_outcome_check,
  add constraint proposals_outcome_check check (outcome in ('passed', 'rejected', 'no_quorum', 'no_candidates')),
  drop constraint proposals_check3, drop constraint proposals_check11,
  add constraint proposals_counted_after_end check (counted_at >= closes_at or outcome = 'no_candidates'),
  add constraint proposals_eta_of_passed
    check ((eta is not null) = (outcome = 'passed' and kind <> 'resolution') or outcome is null and eta is null),
  add constraint proposals_elections check (
    (kind = 'election') = (office is not null) and (kind = 'election') = (class = 'election') and (kind <> 'election' or ballot = 'secret')
    and (nominations_end is not null) = (kind = 'election' and published_at is not null)
    and (elected is not null) = (kind = 'election' and outcome is not distinct from 'passed'));

alter table proposal_rounds drop constraint proposal_rounds_outcome_check,
  add constraint proposal_rounds_outcome_check check (outcome in ('passed', 'rejected', 'no_quorum', 'no_candidates'));

-- Who stands is known before voting begins, and stays.
create function candidates_stand() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if (new.id, new.proposal_id, new.member_id) is distinct from (old.id, old.proposal_id, old.member_id) and tg_op = 'UPDATE'
    or not exists (select from proposals p where p.id = new.proposal_id and p.kind = 'election' and p.counted_at is null
      and p.cancelled_at is null and new.nominated_at < p.nominations_end)
  then
    raise exception 'members stand while nominations are open' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger candidates_stand before insert or update on election_candidates for each row execute function candidates_stand();

alter table proposal_events drop constraint proposal_events_kind_check,
  add constraint proposal_events_kind_check check (kind in ('drafted', 'signed', 'published', 'made_secret', 'nominated', 'extended', 'second_round',
    'counted', 'held', 'released', 'voided', 'executed', 'failed', 'cancelled'));
