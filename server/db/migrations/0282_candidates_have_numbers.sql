-- Who stands for an election stands with the number of their account: two who have one name both stand, and members know them apart.
alter table election_candidates add column number text;
alter table election_candidates disable trigger user;
update election_candidates c set number = u.account_number from users u where u.id = c.member_id;
alter table election_candidates enable trigger user;
alter table election_candidates alter column number set not null;

create or replace function candidate_has_own_name() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  select first_name || ' ' || last_name, account_number into new.name, new.number from users where id = new.member_id;
  return new;
end
$$;
