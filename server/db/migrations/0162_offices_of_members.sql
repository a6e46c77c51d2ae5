-- Whoever gives notice to a sacco holds no office there any more (domain: saccos; docs/decisions/181). Founders' officials, and those who
-- hold an office already without the minimum shares, keep it until they give notice.

-- The offices end at the moment of the notice, and so do open invitations of that person to an office, and those by them that no second
-- official has confirmed: else an old code would be good once the notice is taken back. As the owner: a person may not write into offices of a sacco that is active.
create function offices_end_with_rights() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update offices set ended_at = greatest(since, new.state_at)
  where sacco_id = new.sacco_id and user_id = new.user_id and ended_at is null;
  update office_invitations i
  set state = 'withdrawn', ended_by = new.user_id, ended_at = greatest(i.created_at, new.state_at)
  where i.sacco_id = new.sacco_id and i.accepted_at is null and i.state in ('waiting', 'asked')
    -- They are open for 14 days at most: the index finds those of that time.
    and i.created_at > new.state_at - interval '14 days' and i.expires_at > new.state_at
    and (i.state = 'waiting' and i.invited_by = new.user_id
      or i.id_number = (select u.id_number from users u where u.id = new.user_id));
  return null;
end
$$;
revoke execute on function offices_end_with_rights from public;
-- When a job told those concerned of it.
alter table offices add column end_told_at timestamptz;
update offices set end_told_at = ended_at where ended_at is not null;
create trigger offices_end_with_rights after update of state on memberships for each row
  when (old.state <> new.state and new.state in ('leaving', 'exited'))
  execute function offices_end_with_rights();

-- The same of those who have given notice before. Nobody is told of it: these offices count as told of, so that no later job tells of them.
update offices o set ended_at = greatest(o.since, m.state_at), end_told_at = greatest(o.since, m.state_at)
from memberships m where m.sacco_id = o.sacco_id and m.user_id = o.user_id and m.state in ('leaving', 'exited') and o.ended_at is null;
update office_invitations i set state = 'withdrawn', ended_by = m.user_id, ended_at = greatest(i.created_at, m.state_at)
from memberships m join users u on u.id = m.user_id
where m.sacco_id = i.sacco_id and m.state in ('leaving', 'exited') and i.accepted_at is null and i.state in ('waiting', 'asked')
  and (i.state = 'waiting' and i.invited_by = m.user_id or i.id_number = u.id_number);
