-- The former name is shown for 90 days, and as long as anything is owed that was signed or lent while it was shown (domain: identity;
-- docs/decisions/232). A thief waited 91 days under a friend's name, and nobody read the real one any more.

-- From when on a name that somebody gave up is shown: 90 days before now, or before the oldest of their loans and signatures that is not over.
create function names_shown_since(person uuid, at timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp
as $$
  select least(at,
    (select min(l.applied_at) from loans l
     where l.borrower_id = person and l.state in ('active', 'in_arrears', 'defaulted', 'recovering', 'written_off')),
    (select min(g.asked_at) from loans l join loan_guarantees g on g.loan_id = l.id
     where l.borrower_id = person and g.state in ('accepted', 'live')),
    (select min(g.asked_at) from loan_guarantees g where g.guarantor_id = person and g.state in ('accepted', 'live')),
    (select min(c.approved_at) from pool_contracts c where c.user_id = person and c.ended_at is null)) - interval '90 days'
$$;
revoke execute on function names_shown_since from public;
grant execute on function names_shown_since to ushirika_app, ushirika_member;

drop policy known on former_names;
create policy known on former_names for select to ushirika_member
  using (until > names_shown_since(user_id, person_now()) and exists (select from people p where p.id = user_id));
create or replace function former_name(person uuid, at timestamptz) returns jsonb
  language sql stable set search_path = public, pg_temp
as $$
  select jsonb_build_object('name', f.first_name || ' ' || f.last_name, 'until', to_char(f.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from former_names f join people u on u.id = f.user_id
  where f.user_id = person and f.until > names_shown_since(person, at)
    and (f.first_name, f.last_name) is distinct from (u.first_name, u.last_name)
  order by f.until limit 1
$$;
