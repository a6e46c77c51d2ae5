-- Officials of an active sacco read whom an operator names, and may refuse it until it is taken up (domain: saccos; docs/decisions/181).

-- What whoever names somebody is at that moment.
alter table office_invitations add column named_as text collate "C" not null default 'founder'
  check (named_as in ('founder', 'chair', 'operator'));
update office_invitations set named_as = case
  when confirmed_by is not null or state = 'waiting' or state <> 'asked' and code_hash is null then 'chair' else 'operator' end
where confirmed_by is not null or state = 'waiting' or state <> 'asked' and code_hash is null
  or invited_by in (select user_id from operators);
alter table office_invitations add check (named_as = 'chair' or confirmed_by is null and state <> 'waiting');

drop policy person_names on office_invitations;
create policy person_names on office_invitations for insert to ushirika_member
  with check (invited_by = (select person_id()) and accepted_at is null and code_hash is null
    and case named_as
      when 'operator' then (select is_operator())
      when 'founder' then exists (select from saccos s
                                  where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending')
      else false end);
