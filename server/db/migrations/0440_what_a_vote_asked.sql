-- The entry of a counted round says what was asked, by which rules, and of whom (domain: proofs; docs/decisions/240): so that the public files of
-- a vote can be compared with the log. Of title, roll, key, candidates and papers that were issued it has the digest; a title about a person or
-- of a hidden pool is left out. No entry is written when a paper is issued: its place would tell who asked for one when.
create function text_sha256(words text) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(convert_to(words, 'UTF8')), 'hex')
$$;

-- The digests of roll and papers are of their numbers in this round, and that of candidates of their ids: sorted, one a line.
create function vote_asked(p proposals, in_round integer) returns jsonb language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object('kind', p.kind, 'class', p.class, 'ballot', p.ballot, 'office', p.office, 'rules', p.rules, 'roll_size', p.roll_size,
    'title_sha256', case when p.about_id is null and not exists (select from pools g where g.id = p.pool_id and not g.is_public)
      then text_sha256(p.title) end,
    'roll_sha256', (
      select text_sha256(string_agg(encode(l.handle, 'hex') || E'\n', '' order by l.handle))
      from proposal_roll l where l.proposal_id = p.id and l.round = in_round),
    'key_sha256', (select encode(sha256(k.public_key), 'hex') from proposal_keys k where k.proposal_id = p.id and k.round = in_round),
    'issued_sha256', (
      select text_sha256(string_agg(encode(t.handle, 'hex') || E'\n', '' order by t.handle))
      from ballot_tokens t where t.proposal_id = p.id and t.round = in_round),
    'candidates_sha256', (
      select text_sha256(string_agg(c.id::text || E'\n', '' order by c.id))
      from election_candidates c where c.proposal_id = p.id and c.withdrawn_at is null))
$$;
revoke execute on function vote_asked from public;

create or replace function log_round(r proposal_rounds) returns void language sql set search_path = public, pg_temp as $$
  insert into log_events (sacco_id, kind, head, parts)
  select p.sacco_id, 'votes', jsonb_build_object('event', 'vote_counted', 'at', log_time(r.counted_at), 'proposal', r.proposal_id,
    'round', r.round, 'for', r.votes_for, 'against', r.votes_against, 'abstained', r.abstentions, 'left_out', r.left_out,
    'outcome', r.outcome, 'asked', vote_asked(p, r.round)), '[]'
  from proposals p where p.id = r.proposal_id
$$;
