-- What a person sees and changes in saccos (domains: saccos, membership, shares, savings). As 0090_persons.sql says.

grant select, insert, update on saccos to ushirika_member;
create policy person_reads on saccos for select to ushirika_member
  using (state <> 'rejected' or created_by = (select person_id()) or (select is_operator()));
create policy person_registers on saccos for insert to ushirika_member
  with check (created_by = (select person_id()) and state = 'pending');
create policy person_mends on saccos for update to ushirika_member
  using (created_by = (select person_id()) and state in ('pending', 'rejected') or (select is_operator()))
  with check (created_by = (select person_id()) and state in ('pending', 'rejected') or (select is_operator()));

-- Published. Anybody who is signed in may take the row's lock (it is the sacco's lock, and to join is to take it); it
-- changes only in the hands of somebody who by then belongs to the sacco.
grant select, insert, update on sacco_figures to ushirika_member;
create policy everybody on sacco_figures for select to ushirika_member using (true);
create policy person_registers on sacco_figures for insert to ushirika_member
  with check (exists (select from saccos s where s.id = sacco_id and s.created_by = (select person_id())));
create policy person_locks on sacco_figures for update to ushirika_member
  using (true) with check (sacco_id = any ((select my_saccos())::uuid[]) or (select is_operator()));

grant select, insert on sacco_logos to ushirika_member;
create policy everybody on sacco_logos for select to ushirika_member using (true);
create policy person_registers on sacco_logos for insert to ushirika_member
  with check (exists (select from saccos s where s.id = sacco_id and s.created_by = (select person_id())));

-- Officials are published. Founders name the first ones, operators the others.
grant select, insert, update on offices to ushirika_member;
create policy everybody on offices for select to ushirika_member using (true);
create policy person_records on offices for insert to ushirika_member
  with check (recorded_by = (select person_id()) and ((select is_operator())
    or exists (select from saccos s
               where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending')));
create policy person_ends on offices for update to ushirika_member
  using ((select is_operator())
    or exists (select from saccos s
               where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending'))
  with check ((select is_operator())
    or exists (select from saccos s
               where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'pending'));

-- How many refunds of a sacco are overdue is published; whose they are is not.
create function overdue_refunds(asked_sacco_id uuid, at timestamptz) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*)::integer from exit_requests e
  where e.sacco_id = asked_sacco_id and e.state = 'requested' and e.due_at < at
$$;

-- Where an application stands and why, for its founder, its officials and operators.
create function application_reason(asked_sacco_id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.state_reason from saccos s
  where s.id = asked_sacco_id
    and (not is_person() or s.created_by = person_id() or s.id = any (my_offices()) or is_operator())
$$;
revoke execute on function overdue_refunds, application_reason from public;
grant execute on function overdue_refunds, application_reason to ushirika_app, ushirika_member;

grant select, insert on sacco_state_changes to ushirika_member;
create policy operator on sacco_state_changes for select to ushirika_member using ((select is_operator()));
create policy person_changes on sacco_state_changes for insert to ushirika_member
  with check (changed_by = (select person_id()) and ((select is_operator())
    or to_state = 'pending'
       and exists (select from saccos s where s.id = sacco_id and s.created_by = (select person_id()))));

grant select, insert, update, delete on sacco_checks to ushirika_member;
create policy insiders on sacco_checks for select to ushirika_member
  using ((select is_operator()) or sacco_id = any ((select my_offices())::uuid[])
    or exists (select from saccos s where s.id = sacco_id and s.created_by = (select person_id())));
create policy operator_notes on sacco_checks for insert to ushirika_member
  with check ((select is_operator()) and checked_by = (select person_id()));
create policy operator_notes_again on sacco_checks for update to ushirika_member
  using ((select is_operator())) with check ((select is_operator()) and checked_by = (select person_id()));
create policy founder_begins_anew on sacco_checks for delete to ushirika_member
  using (exists (select from saccos s
                 where s.id = sacco_id and s.created_by = (select person_id()) and s.state = 'rejected'));

-- Sums of the whole platform, which everybody sees and every joining moves.
grant select, update on platform_counts to ushirika_member;
create policy everybody on platform_counts for select to ushirika_member using (true);
create policy everybody_counts on platform_counts for update to ushirika_member using (true) with check (true);

grant select, insert, update on memberships to ushirika_member;
create policy person_reads on memberships for select to ushirika_member
  using (user_id = (select person_id()) or sacco_id = any ((select my_saccos())::uuid[]) or (select is_operator()));
create policy person_joins on memberships for insert to ushirika_member
  with check (user_id = (select person_id()) and state = 'provisional');
create policy person_leaves on memberships for update to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, insert, update on exit_requests to ushirika_member;
create policy person on exit_requests to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant select, insert, update on sacco_ratings to ushirika_member;
create policy person on sacco_ratings to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));

grant insert on member_record_readings to ushirika_member;
create policy official_reads on member_record_readings for insert to ushirika_member
  with check (read_by = (select person_id()) and sacco_id = any ((select my_offices())::uuid[]));

grant select on share_movements to ushirika_member;
create policy person on share_movements for select to ushirika_member
  using (user_id = (select person_id()) or sacco_id = any ((select my_offices())::uuid[]) or (select is_operator()));

grant select, insert, update on standing_orders to ushirika_member;
create policy person on standing_orders to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));
grant select on standing_order_runs to ushirika_member;
create policy person on standing_order_runs for select to ushirika_member
  using (exists (select from standing_orders o where o.id = order_id));
