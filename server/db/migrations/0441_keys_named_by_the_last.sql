-- A key of the logs is signed by the one before it, so that a browser that trusts that one follows by itself (domain: proofs; docs/decisions/242).
-- Null: it was the first, or the one before it could not sign any more.
alter table log_keys add column signed_by_last bytea check (length(signed_by_last) = 64);
