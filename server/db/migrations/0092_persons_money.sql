-- What a person sees and changes of money (the ledger; domain: wallet). As 0090_persons.sql says. The ledger is written
-- by its own functions alone, as before.

grant select on accounts, journals, transfers to ushirika_member;
grant execute on function ledger_open_accounts, ledger_claim, ledger_lock, ledger_unclaim, ledger_write to ushirika_member;

-- One's own; those of the platform and of saccos that are nobody's (the other side of one's own entries, and what is
-- published of each sacco); all of a sacco in which one holds an office.
create policy person on accounts for select to ushirika_member
  using (owner_id = (select person_id())
    or owner_id is null and (kind in ('shares_issued', 'share_capital', 'cash', 'mpesa_float', 'suspense')
                             or book_id = any ((select my_saccos())::uuid[]))
    or kind = 'settlement'
    or book_id = any ((select my_offices())::uuid[])
    or (select is_operator()));
create policy person on transfers for select to ushirika_member
  using (debit_account_id = any ((select my_accounts())::bigint[])
    or credit_account_id = any ((select my_accounts())::bigint[])
    or (select is_operator()));
create policy person on journals for select to ushirika_member
  using (caused_by = (select person_id())
    or exists (select from transfers t where t.journal_id = journals.id)
    or (select is_operator()));

grant select, insert on deposits to ushirika_member;
create policy person_reads on deposits for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));
create policy person_asks on deposits for insert to ushirika_member
  with check (user_id = (select person_id()) and state = 'created');

-- One open prompt on one phone, whoever asked for it: who has one open is not shown.
create function take_prompt(wanted_phone text, asked_deposit_id uuid, at timestamptz, open_since timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if not exists (select from deposits d where d.id = asked_deposit_id and d.phone = wanted_phone and may_act_for(d.user_id))
  then
    return false;
  end if;
  insert into open_prompts as p (phone, deposit_id, opened_at) values (wanted_phone, asked_deposit_id, at)
  on conflict (phone) do update set deposit_id = excluded.deposit_id, opened_at = excluded.opened_at
    where p.opened_at <= open_since;
  return found;
end
$$;

grant select, insert, update on withdrawals to ushirika_member;
create policy person_reads on withdrawals for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));
create policy person_asks on withdrawals for insert to ushirika_member
  with check (user_id = (select person_id()) and state = 'created');
create policy operator_settles on withdrawals for update to ushirika_member
  using ((select is_operator())) with check ((select is_operator()));

grant select, insert, update on receipt_claims to ushirika_member;
create policy person_reads on receipt_claims for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));
create policy person_asks on receipt_claims for insert to ushirika_member
  with check (user_id = (select person_id()) and state = 'pending');
create policy person_asks_again on receipt_claims for update to ushirika_member
  using (user_id = (select person_id()) and state = 'pending')
  with check (user_id = (select person_id()) and state = 'pending');

grant select, update on mpesa_receipts to ushirika_member;
create policy person_reads on mpesa_receipts for select to ushirika_member
  using (user_id = (select person_id()) or (select is_operator()));
create policy operator_credits on mpesa_receipts for update to ushirika_member
  using ((select is_operator())) with check ((select is_operator()));

-- Whether a receipt is in somebody's wallet, not in whose.
create function is_receipt_credited(asked_receipt text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from mpesa_receipts where receipt = asked_receipt and credited_to = 'wallet') $$;

revoke execute on function take_prompt, is_receipt_credited from public;
grant execute on function take_prompt, is_receipt_credited to ushirika_app, ushirika_member;

grant select on paybill_payments to ushirika_member;
create policy person on paybill_payments for select to ushirika_member
  using ((select is_operator()) or exists (select from mpesa_receipts r where r.receipt = paybill_payments.receipt));

grant select, insert, update on status_queries to ushirika_member;
create policy person_asks on status_queries for insert to ushirika_member
  with check (purpose = 'claim' and state = 'waiting'
    and exists (select from receipt_claims c where c.id = about_id and c.receipt = status_queries.receipt));
create policy person_reads on status_queries for select to ushirika_member
  using ((select is_operator()) or purpose = 'claim' and exists (select from receipt_claims c where c.id = about_id));
create policy operator_settles on status_queries for update to ushirika_member
  using ((select is_operator())) with check ((select is_operator()));

grant select, update on money_exceptions to ushirika_member;
create policy person_reads on money_exceptions for select to ushirika_member
  using (credited_user_id = (select person_id()) or (select is_operator()));
create policy operator_resolves on money_exceptions for update to ushirika_member
  using ((select is_operator())) with check ((select is_operator()));

grant select on callback_log, audit_runs to ushirika_member;
create policy operator on callback_log for select to ushirika_member using ((select is_operator()));
create policy operator on audit_runs for select to ushirika_member using ((select is_operator()));

-- Append-only in every hand but the owner's.
revoke update, delete, truncate on audit_runs, operator_actions, share_movements, pool_events, pool_parameters,
  sacco_state_changes, member_record_readings, referral_rewards, referral_terms from ushirika_app;
