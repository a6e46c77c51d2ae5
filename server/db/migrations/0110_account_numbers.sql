-- What a person types as the account where they pay the paybill by hand: nine digits that we issue, the first an 8, the
-- last a check digit (docs/decisions/146). No phone number begins so, and no ID number that we take is as long.
create sequence account_number_counter minvalue 0 maxvalue 9999999 start with 0 no cycle;

-- Damm's check digit (H. M. Damm, 2004): one wrong digit and two neighbours exchanged are always found. Of a number with its
-- check digit it is 0.
create function damm_digit(digits text) returns text
  language plpgsql immutable strict parallel safe set search_path = public, pg_temp
as $$
declare
  quasigroup constant text[] := array['0317598642', '7092154863', '4206871359', '1750983426', '6123045978',
                                      '3674209581', '5869720134', '8945362017', '9438617205', '2581436790'];
  interim integer := 0;
begin
  for place in 1 .. length(digits) loop
    interim := substr(quasigroup[interim + 1], substr(digits, place, 1)::integer + 1, 1)::integer;
  end loop;
  return interim::text;
end
$$;

-- Each number once: the counter is multiplied by a prime modulo its range, so that neighbours in time are none in number.
create function new_account_number() returns text
  language plpgsql volatile set search_path = public, pg_temp
as $$
declare
  body text := '8' || lpad(((nextval('account_number_counter') * 7368787 + 4821031) % 10000000)::text, 7, '0');
begin
  return body || damm_digit(body);
end
$$;
revoke execute on function new_account_number from public;
grant execute on function new_account_number to ushirika_app;
grant usage on sequence account_number_counter to ushirika_app;

alter table users add column account_number text not null unique default new_account_number()
  check (account_number ~ '^8[0-9]{8}$' and damm_digit(account_number) = '0');

-- People have it in their phones and on their walls: it is theirs for ever.
create function account_number_stays() returns trigger language plpgsql as $$
begin
  raise exception 'An account number is not changed.';
end
$$;
create trigger account_number_stays before update of account_number on users
  for each row when (old.account_number is distinct from new.account_number) execute function account_number_stays();
