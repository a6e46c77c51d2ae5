-- What a person sees and changes of pools, referrals and the operator's desk. As 0090_persons.sql says.

-- That a pool is there, its terms and its history are for everybody (docs/decisions/073); who is in it is for those in it.
grant select, insert on pools, pool_parameters, pool_stewards, pool_events to ushirika_member;
create policy everybody on pools for select to ushirika_member using (true);
create policy person_creates on pools for insert to ushirika_member
  with check (created_by = (select person_id()) and state = 'FORMING'
    and (sacco_id is null or sacco_id = any ((select my_saccos())::uuid[])));
create policy everybody on pool_parameters for select to ushirika_member using (true);
create policy person_creates on pool_parameters for insert to ushirika_member
  with check (changed_by = (select person_id())
    and exists (select from pools p where p.id = pool_id and p.created_by = (select person_id()) and p.state = 'FORMING'));
create policy everybody on pool_stewards for select to ushirika_member using (true);
create policy person_creates on pool_stewards for insert to ushirika_member
  with check (user_id = (select person_id())
    and exists (select from pools p where p.id = pool_id and p.created_by = (select person_id()) and p.state = 'FORMING'));
create policy everybody on pool_events for select to ushirika_member using (true);
create policy person_creates on pool_events for insert to ushirika_member
  with check (caused_by = (select person_id())
    and exists (select from pools p where p.id = pool_id and p.created_by = (select person_id()) and p.state = 'FORMING'));
grant select on pool_members to ushirika_member;
create policy person on pool_members for select to ushirika_member
  using (user_id = (select person_id()) or pool_id = any ((select my_pools())::uuid[]) or (select is_operator()));

grant select, insert, update on referral_codes to ushirika_member;
create policy person on referral_codes to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

-- Who brought whom: for both. To join a sacco moves on the referral by which one came; operators review.
grant select, update on referrals to ushirika_member;
create policy person_reads on referrals for select to ushirika_member
  using (referrer_id = (select person_id()) or referred_id = (select person_id()) or (select is_operator()));
create policy person_joins on referrals for update to ushirika_member
  using (referred_id = (select person_id()) and status = 'lead' or (select is_operator()))
  with check (referred_id = (select person_id()) and status = 'joined' or (select is_operator()));

grant select on referral_rewards to ushirika_member;
create policy person on referral_rewards for select to ushirika_member
  using (referrer_id = (select person_id()) or (select is_operator()));

grant select, insert on referral_terms to ushirika_member;
create policy person_reads on referral_terms for select to ushirika_member
  using (sacco_id = any ((select my_saccos())::uuid[]) or (select is_operator()));
create policy official_sets on referral_terms for insert to ushirika_member
  with check (changed_by = (select person_id()) and sacco_id = any ((select my_offices())::uuid[]));

grant select, insert on invitations to ushirika_member;
create policy person on invitations to ushirika_member
  using (inviter_id = (select person_id())) with check (inviter_id = (select person_id()));
-- Nobody's phone gets too many, whoever sends them: how many, not from whom.
create function invitations_to(asked_phone text, since timestamptz) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$ select count(*)::integer from invitations where phone = asked_phone and created_at > since $$;
revoke execute on function invitations_to from public;
grant execute on function invitations_to to ushirika_app, ushirika_member;

grant select, insert on operator_actions to ushirika_member;
create policy operator on operator_actions for select to ushirika_member using ((select is_operator()));
create policy operator_acts on operator_actions for insert to ushirika_member
  with check (operator_id = (select person_id()) and (select is_operator()));

create or replace function job_figures() returns table (
  task text, waiting integer, failing integer, oldest_due_at timestamptz, last_error text
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if public.is_person() and not public.is_operator() then return; end if;
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
grant execute on function job_figures to ushirika_member;
