-- When the newest code by SMS that somebody asked for lately was refused for good; null where it went, or is on its way.
create function own_code_refused_at(asked uuid, since timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
as $$
  select case when m.state = 'failed' then m.settled_at end from (
    select state, settled_at from sms_messages
    where may_act_for(asked) and user_id = asked and is_secret and created_at > since
    order by id desc limit 1) m
$$;
revoke execute on function own_code_refused_at from public;
grant execute on function own_code_refused_at to ushirika_app, ushirika_member;

-- Operators count what providers refused lately.
create index sms_messages_refused on sms_messages (settled_at) where state in ('failed', 'unknown');
grant select (settled_at) on sms_messages to ushirika_member;
