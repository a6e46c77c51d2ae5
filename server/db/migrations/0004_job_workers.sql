-- Which workers belong to which living process: its advisory lock (7241, process_lock) is held as long as it lives, so
-- that jobs of a killed process go back at once and not after graphile_worker's four hours.
create table job_workers (
  worker_id text primary key,
  process_lock integer not null
);
revoke all on job_workers, job_schedules from ushirika_app;
