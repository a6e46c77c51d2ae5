-- Each balance is two leaves of a total, with a random part each, in the order of their salts (domain: proofs; docs/decisions/240).

-- Older trees showed each member the balance beside theirs: what their proofs were made of is destroyed. Root and total stay.
update log_totals set secret = null where secret is not null;
delete from log_total_pieces;

alter table log_total_pieces drop constraint log_total_pieces_pkey;
alter table log_total_pieces drop column first_account;
-- The salts of a piece begin here. Of each leaf are kept, in 8 bytes each: twice the account, and one more for its second leaf; and the amount.
alter table log_total_pieces add column first_salt bytea not null check (length(first_salt) = 32),
  add primary key (total_id, first_salt);
