-- The entry of an election's counted round has the votes of each candidate (domain: proofs; docs/decisions/240): their sum alone would let
-- other files show another winner. They are written before the round, whose trigger writes the entry.
alter table election_votes alter constraint election_votes_proposal_id_round_fkey deferrable initially deferred;

create or replace function log_round(r proposal_rounds) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  select p.sacco_id, 'votes', jsonb_build_object('event', 'vote_counted', 'at', log_time(r.counted_at), 'proposal', r.proposal_id,
    'round', r.round, 'for', r.votes_for, 'against', r.votes_against, 'abstained', r.abstentions, 'left_out', r.left_out,
    'outcome', r.outcome, 'asked', vote_asked(p, r.round))
    || case when p.kind = 'election' then jsonb_build_object('votes', (
      select coalesce(jsonb_agg(jsonb_build_object('candidate', v.candidate_id, 'votes', v.votes) order by v.candidate_id), '[]')
      from election_votes v where v.proposal_id = r.proposal_id and v.round = r.round)) else '{}' end, '[]'
  from proposals p where p.id = r.proposal_id
$$;
