-- When the person of a session last entered their password (domain: identity): to sign up and to sign in is to enter it.
-- Money leaves only soon after; null has never entered it.
alter table sessions add column proven_at timestamptz;
update sessions set proven_at = created_at;
