-- What each official has recorded of the registration of by-laws (domain: voting; docs/decisions/197): they hold once any two have recorded
-- the same. `bylaws` has the last one recorded, and once they hold that of the two.
create table bylaw_records (
  proposal_id uuid not null references bylaws (proposal_id),
  recorded_by uuid not null references users (id),
  registration_no text not null check (length(registration_no) between 3 and 60),
  registered_on date not null,
  recorded_at timestamptz not null,
  primary key (proposal_id, recorded_by)
);
insert into bylaw_records (proposal_id, recorded_by, registration_no, registered_on, recorded_at)
select proposal_id, recorded_by, registration_no, registered_on, recorded_at from bylaws where recorded_by is not null;
revoke delete, truncate on bylaw_records from ushirika_app;
select close_table('bylaw_records');
