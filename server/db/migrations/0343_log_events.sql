-- Entries of the logs that are about no journal (domain: proofs; docs/decisions/240): votes, ballots, what was signed, terms and officials.

alter table log_entries drop constraint log_entries_kind_check,
  add constraint log_entries_kind_check
    check (kind in ('books', 'shares', 'loans', 'pools', 'votes', 'saccos', 'totals', 'log')),
  add column event_id bigint,
  add constraint log_entries_about_one check (num_nonnulls(journal_id, event_id) <= 1);

-- What happened, until it is logged: then its payload is in `log_facts` alone.
create table log_events (
  id bigint generated always as identity primary key,
  -- Null: of the platform's log.
  sacco_id uuid,
  kind text collate "C" not null check (kind in ('loans', 'pools', 'votes', 'saccos', 'log')),
  -- The member who is given its receipt; null where nobody is.
  subject_id uuid,
  head jsonb,
  parts jsonb check (jsonb_typeof(parts) = 'array'),
  logged_at timestamptz,
  -- When payload and secret were destroyed.
  erased_at timestamptz check (erased_at >= logged_at),
  check ((logged_at is null) = (head is not null) and (head is null) = (parts is null)),
  check (erased_at is null or subject_id is null)
);
create index log_events_of_member on log_events (subject_id, id) where subject_id is not null;
comment on table log_events is 'What is logged and is about no journal. Append-only, until it is erased.';
select close_table('log_events');
revoke insert, delete, truncate on log_events from ushirika_app;
revoke update on log_events from ushirika_app;
grant update (head, parts, logged_at) on log_events to ushirika_app;
grant select on sequence log_events_id_seq to ushirika_app;
create trigger writing_is_seen before insert on log_events for each statement execute function writing_is_seen();
create trigger only_added before delete or truncate on log_events for each statement execute function only_added();

-- An event changes twice at most: when it is logged, and when it is erased.
create function event_moves_on() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.id, new.sacco_id, new.kind) is distinct from (old.id, old.sacco_id, old.kind) or new.logged_at is null or old.erased_at is not null
    or old.logged_at is not null and (new.erased_at is null or new.logged_at <> old.logged_at)
    or new.erased_at is null and new.subject_id is distinct from old.subject_id
  then
    raise exception 'an event of a log is never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger event_moves_on before update on log_events for each row execute function event_moves_on();

alter table log_cursors drop constraint log_cursors_source_check,
  add constraint log_cursors_source_check check (source in ('journals', 'events'));
insert into log_cursors (source, upto) values ('events', 0);

-- The time of an event as payloads have it.
create function log_time(at timestamptz) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select to_char(log_time.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- One function for each table writes its event.
create function log_round(r proposal_rounds) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  select p.sacco_id, 'votes', jsonb_build_object('event', 'vote_counted', 'at', log_time(r.counted_at), 'proposal', r.proposal_id,
    'round', r.round, 'for', r.votes_for, 'against', r.votes_against, 'abstained', r.abstentions, 'left_out', r.left_out,
    'outcome', r.outcome), '[]'
  from proposals p where p.id = r.proposal_id
$$;

create function log_ballot(b proposal_ballots) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, subject_id, head, parts)
  select p.sacco_id, 'votes', r.member_id, jsonb_build_object('event', 'open_ballot', 'at', log_time(b.at), 'proposal', b.proposal_id,
    'round', b.round, 'revision', b.revision), jsonb_build_array(jsonb_build_object('owner', r.member_id, 'choice', b.choice))
  from proposals p join proposal_roll r on r.proposal_id = p.id and r.handle = b.handle where p.id = b.proposal_id
$$;

create function log_guarantee(g loan_guarantees) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, subject_id, head, parts)
  select l.sacco_id, 'loans', g.guarantor_id, jsonb_build_object('event', 'guarantee_signed', 'at', log_time(g.signed_at), 'guarantee', g.id,
    'loan', g.loan_id, 'amount_cents', g.amount_cents, 'terms_sha256', g.terms_hash),
    jsonb_build_array(jsonb_build_object('owner', g.guarantor_id))
  from loans l where l.id = g.loan_id and g.signed_at is not null
$$;

create function log_pool_contract(c pool_contracts) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, subject_id, head, parts)
  values (c.sacco_id, 'pools', c.user_id, jsonb_build_object('event', 'pool_contract_signed', 'at', log_time(c.approved_at), 'contract', c.id,
    'pool', c.pool_id, 'amount_cents', c.amount_cents, 'months', c.months, 'rate', c.rate, 'fee_cents', c.fee_cents),
    jsonb_build_array(jsonb_build_object('owner', c.user_id)))
$$;

create function log_terms(t sacco_terms) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  values (t.sacco_id, 'saccos', jsonb_build_object('event', 'terms_in_force', 'at', log_time(t.valid_from), 'number', t.number,
    'reg_fee_cents', t.reg_fee_cents, 'min_shares', t.min_shares, 'share_value_cents', t.share_value_cents, 'proposal', t.proposal_id), '[]')
$$;

create function log_bylaws(b bylaws) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  select b.sacco_id, 'saccos', jsonb_build_object('event', 'bylaws_in_force', 'at', log_time(b.in_force_at), 'number', b.number,
    'text_sha256', encode(sha256(convert_to(b.text, 'UTF8')), 'hex'), 'registration_no', b.registration_no, 'proposal', b.proposal_id), '[]'
  where b.in_force_at is not null
$$;

create function log_office(o offices) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, subject_id, head, parts)
  values (o.sacco_id, 'saccos', o.user_id, jsonb_build_object('event', case when o.ended_at is null then 'office_taken' else 'office_ended' end,
    'at', log_time(coalesce(o.ended_at, o.since)), 'office', o.office, 'since', log_time(o.since), 'until', log_time(o.until)),
    jsonb_build_array(jsonb_build_object('owner', o.user_id)))
$$;

create function log_state(c sacco_state_changes) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  values (c.sacco_id, 'saccos', jsonb_build_object('event', 'state_changed', 'at', log_time(c.changed_at), 'from', c.from_state,
    'to', c.to_state), '[]')
$$;

-- What is older than the log is logged too, with its own time.
do $$
begin
  perform log_state(c) from (select * from sacco_state_changes order by changed_at, id) c;
  perform log_terms(t) from (select * from sacco_terms order by valid_from, sacco_id) t;
  perform log_bylaws(b) from (select * from bylaws order by voted_at) b;
  perform log_office(o) from (select * from offices order by since, id) o;
  perform log_ballot(b) from (select * from proposal_ballots order by at, proposal_id, handle) b;
  perform log_round(r) from (select * from proposal_rounds order by counted_at, proposal_id) r;
  perform log_guarantee(g) from (select * from loan_guarantees order by signed_at, id) g;
  perform log_pool_contract(c) from (select * from pool_contracts order by approved_at, id) c;
end
$$;

-- As the owner: members write these rows, and no event.
create function to_log() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  case tg_table_name
    when 'proposal_rounds' then perform log_round(new);
    when 'proposal_ballots' then perform log_ballot(new);
    when 'loan_guarantees' then perform log_guarantee(new);
    when 'pool_contracts' then perform log_pool_contract(new);
    when 'sacco_terms' then perform log_terms(new);
    when 'bylaws' then perform log_bylaws(new);
    when 'offices' then perform log_office(new);
    when 'sacco_state_changes' then perform log_state(new);
  end case;
  return null;
end
$$;
revoke execute on function to_log from public;
create trigger to_log after insert on proposal_rounds for each row execute function to_log();
create trigger to_log after insert on proposal_ballots for each row execute function to_log();
create trigger to_log after insert on pool_contracts for each row execute function to_log();
create trigger to_log after insert on sacco_terms for each row execute function to_log();
create trigger to_log after insert on sacco_state_changes for each row execute function to_log();
create trigger to_log after insert on offices for each row execute function to_log();
create trigger to_log_signed after insert on loan_guarantees for each row when (new.signed_at is not null) execute function to_log();
create trigger to_log after update of signed_at on loan_guarantees for each row
  when (new.signed_at is distinct from old.signed_at and new.signed_at is not null) execute function to_log();
create trigger to_log after update of in_force_at on bylaws for each row
  when (old.in_force_at is null and new.in_force_at is not null) execute function to_log();
create trigger to_log_ended after update of ended_at on offices for each row
  when (old.ended_at is null and new.ended_at is not null) execute function to_log();
