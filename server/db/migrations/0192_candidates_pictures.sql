-- The picture of a candidate, drawn by ourselves from what was sent. Members of the sacco see it beside the name; nobody else does.
create table candidate_pictures (
  candidate_id uuid primary key references election_candidates (id) on delete cascade,
  webp bytea not null check (length(webp) between 12 and 204800),
  created_at timestamptz not null
);
revoke delete, truncate on candidate_pictures from ushirika_app;

-- It changes as long as members stand: under everybody's eyes it stays what was voted on.
create function candidate_picture_stays() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from election_candidates c join proposals p on p.id = c.proposal_id
                 where c.id = new.candidate_id and p.nominations_end > new.created_at) then
    raise exception 'The nominations of candidate % are over.', new.candidate_id;
  end if;
  return new;
end
$$;
create trigger candidate_picture_stays before insert or update on candidate_pictures
  for each row execute function candidate_picture_stays();

select close_table('candidate_pictures');
grant select on candidate_pictures to ushirika_member;
create policy members on candidate_pictures for select to ushirika_member
  using (exists (select from election_candidates c where c.id = candidate_id));
