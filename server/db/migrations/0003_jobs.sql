-- Jobs live in graphile_worker's own schema, which only the owner may touch. The application adds jobs through these.
create function enqueue_job(
  task text, payload json, run_at timestamptz, job_key text, max_attempts integer
) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job(
    identifier => task, payload => payload, run_at => run_at, max_attempts => max_attempts, job_key => job_key
  );
end
$$;

-- When each repeated task was last begun, so that of many processes one begins it.
create table job_schedules (
  task text primary key,
  begun_at timestamptz not null
);
