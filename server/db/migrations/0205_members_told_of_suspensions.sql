-- Members are told that their sacco is suspended, and of its end, in chunks (domain: saccos; docs/decisions/200): the last membership that
-- was told of a change, in the order of their ids. A change without a row waits to be told.
create table suspension_tellings (
  change_id uuid primary key references sacco_state_changes (id),
  after_id uuid,
  is_done boolean not null default false
);
create index sacco_state_changes_of_suspensions on sacco_state_changes (changed_at, id)
  where from_state = 'suspended' or to_state = 'suspended';

revoke delete, truncate on suspension_tellings from ushirika_app;
select close_table('suspension_tellings');
