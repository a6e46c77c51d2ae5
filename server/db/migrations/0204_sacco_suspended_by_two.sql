-- What one operator alone may not suspend two operators do: one proposes, another confirms (domains: saccos, operator;
-- docs/decisions/200). It is upheld as it begins.
alter table operator_proposals drop constraint operator_proposals_kind_check;
alter table operator_proposals add constraint operator_proposals_kind_check check (
  kind in ('money_exception_credit', 'money_exception_return', 'sacco_reinstatement', 'sacco_suspension', 'suspended_payout'));
-- Only operators see proposals: for anybody else there is none.
create policy operators_suspend_together on sacco_suspensions for insert to ushirika_member
  with check (lapses_at is not null and ended_at is null and upheld_by = (select person_id()) and exists (
    select from operator_proposals p
    where p.kind = 'sacco_suspension' and p.about_id = sacco_id and p.state = 'proposed' and p.proposed_by = suspended_by
      and p.confirmed_by = upheld_by));
