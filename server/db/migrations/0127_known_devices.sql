-- A device is known by a random token in a cookie, and no longer by its network: behind one address of a mobile network stand
-- thousands (domain: identity; docs/decisions/160). Whoever signs in once more has one.

drop table known_addresses;
create table known_devices (
  -- SHA-256 of the token in base64url. The token itself is nowhere.
  token_hash text primary key check (length(token_hash) = 43),
  user_id uuid not null references users (id),
  signed_in_at timestamptz not null
);
create index known_devices_by_user on known_devices (user_id, signed_in_at desc);
create index known_devices_by_age on known_devices (signed_in_at);
select close_table('known_devices');

-- The devices whose cookie came with a request for a code, hashed; which of them are the owner's, the job finds out.
alter table reset_requests drop column network;
alter table reset_requests add column devices text[] not null default '{}' check (cardinality(devices) <= 5);

alter table reset_codes drop constraint reset_codes_asked_from_check;
update reset_codes set asked_from = 'known_device' where asked_from = 'known_network';
alter table reset_codes add constraint reset_codes_asked_from_check check (asked_from in ('known_device', 'elsewhere'));
