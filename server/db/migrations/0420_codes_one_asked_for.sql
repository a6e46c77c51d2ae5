-- The same of a code that somebody asked for, to their own phone or to that of another person. A code that others ask for to
-- one's own phone is not among them.
create or replace function own_code_refused_at(asked uuid, since timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
as $$
  select case when m.state = 'failed' then m.settled_at end from (
    select state, settled_at from sms_messages
    where may_act_for(asked) and caused_by = asked and kind in ('claim_code', 'payer_code') and created_at > since
    order by id desc limit 1) m
$$;
