-- The secret of an authenticator app, sealed with a key that is not in this database: 12 bytes of nonce, 20 of secret,
-- 16 of tag (AES-256-GCM). Rows from before have no key; the next start of the server seals them.
alter table second_factors add column key_id text check (key_id ~ '^[0-9a-f]{16}$');
alter table second_factors drop constraint second_factors_secret_check;
alter table second_factors add constraint second_factors_secret_check
  check (octet_length(secret) = case when key_id is null then 20 else 48 end);
