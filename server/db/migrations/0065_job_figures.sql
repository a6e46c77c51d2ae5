-- How the jobs stand, for the operator's health page: the application may not look into graphile_worker's schema itself.
create function job_figures() returns table (
  task text, waiting integer, failing integer, oldest_due_at timestamptz, last_error text
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select j.task_identifier::text,
      (count(*) filter (where j.attempts < j.max_attempts))::integer,
      (count(*) filter (where j.last_error is not null))::integer,
      min(j.run_at) filter (where j.attempts < j.max_attempts and j.run_at <= now()),
      left((array_agg(j.last_error order by j.updated_at desc) filter (where j.last_error is not null))[1], 200)
    from graphile_worker.jobs j
    group by j.task_identifier
    order by j.task_identifier;
end
$$;
revoke execute on function job_figures from public;
grant execute on function job_figures to ushirika_app;
