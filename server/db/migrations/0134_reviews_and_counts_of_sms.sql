-- Two walls of the database behind the application's own (docs/decisions/157, 163).

-- A pool is reviewed once: an operator's session changes no review that another operator wrote.
drop policy operator_reviews on pools;
create policy operator_reviews on pools for update to ushirika_member
  using ((select is_operator()) and review = 'waiting') with check (reviewed_by = (select person_id()));

-- The same function as before, but a person's own session counts only the messages that it may write itself (the policy
-- `person_tells`): caused by that person, and to themselves, or an invitation, or as an operator to anybody. It is told
-- nothing of what other accounts caused or were sent. It still sees when its own kinds of message went to one phone, whoever caused
-- them: the bound for a phone is counted by that.
create or replace function sms_lately(phones text[], kinds text[], people uuid[], causes uuid[], since timestamptz)
  returns table (place integer, counted_by text, at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select asked.place::integer, found.counted_by, found.at
  from unnest(phones, kinds, people, causes) with ordinality as asked (phone, kind, person, cause, place)
  cross join lateral (
    (select 'phone' as counted_by, m.created_at as at from sms_messages m
     where m.phone = asked.phone and m.kind = asked.kind and m.created_at > since
     order by m.created_at desc limit 60)
    union all
    (select 'phone_and_person', m.created_at from sms_messages m
     where m.phone = asked.phone and m.kind = asked.kind and m.created_at > since and m.user_id = asked.person
     order by m.created_at desc limit 60)
    union all
    (select 'cause', m.created_at from sms_messages m
     where m.caused_by = asked.cause and m.kind = asked.kind and m.created_at > since
     order by m.created_at desc limit 60)
  ) found
  where not is_person()
    or asked.cause = person_id()
      and (asked.person = person_id() or is_operator() or asked.person is null and asked.kind = 'invitation')
$$;
