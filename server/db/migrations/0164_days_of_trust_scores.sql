-- Which days' trust scores are reckoned (domain: pools).

-- One row for each Nairobi day: what keeps a day from being reckoned twice, and where a run goes on that was cut off.
create table trust_days (
  day date primary key,
  -- The last person who is done, in the order of ids, and how many are.
  after_user uuid,
  people integer not null default 0 check (people >= 0),
  started_at timestamptz not null,
  finished_at timestamptz
);
revoke delete, truncate on trust_days from ushirika_app;
select close_table('trust_days');
