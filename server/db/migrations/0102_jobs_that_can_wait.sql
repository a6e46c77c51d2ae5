-- A lively market tells thousands, and a prompt on a phone or a code by SMS waited behind all of them.
drop function enqueue_job(text, json, timestamptz, text, integer);

create function enqueue_job(
  task text, payload json, run_at timestamptz, job_key text, max_attempts integer, can_wait boolean default false
) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform graphile_worker.add_job(
    identifier => task, payload => payload, run_at => run_at, max_attempts => max_attempts, job_key => job_key,
    priority => case when can_wait then 10 else 0 end
  );
end
$$;

revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to ushirika_app, ushirika_member;
