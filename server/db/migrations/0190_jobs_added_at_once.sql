-- Adds all jobs of a statement at once. graphile_worker.add_job looks through the waiting jobs each time it is called: with a call a
-- job, telling the 200,000 members of a sacco took longer the more SMS still waited.
create function enqueue_jobs(
  task text, payloads json[], run_at timestamptz, job_key text, max_attempts integer, can_wait boolean
) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_jobs(array(
    select (task, payload, null, run_at, max_attempts, job_key, case when can_wait then 10 else 0 end, null)::graphile_worker.job_spec
    from unnest(payloads) as payload
  ));
end
$$;

revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to ushirika_app, ushirika_member;
drop function enqueue_job(text, json, timestamptz, text, integer, boolean);
