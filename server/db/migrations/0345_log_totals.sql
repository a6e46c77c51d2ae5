-- Sums of all members' balances, once a day (domain: proofs; docs/decisions/240): a Merkle sum tree, whose root and total are in the log.

create table log_totals (
  id bigint generated always as identity primary key,
  -- Null: the platform.
  sacco_id uuid,
  what text collate "C" not null check (what in ('wallets', 'shares', 'savings')),
  -- In Nairobi.
  day date not null,
  -- The entry with root and total: see `log_facts`.
  log_id bigint not null,
  i bigint not null,
  -- The salts of all leaves come from it. Null once members' proofs are no longer kept.
  secret bytea check (length(secret) = 32),
  unique nulls not distinct (sacco_id, what, day),
  check ((what = 'wallets') = (sacco_id is null))
);
create index log_totals_kept on log_totals (day) where secret is not null;
comment on table log_totals is 'The sums of all members’ balances, once a day.';

-- The leaves of a tree in pieces of 256, by their accounts' ids. The tree above is made of the pieces' nodes when it is asked for.
create table log_total_pieces (
  total_id bigint not null references log_totals (id),
  first_account bigint not null,
  -- Of each leaf the account and the amount, 8 bytes each; in whole cents or whole shares.
  leaves bytea not null check (length(leaves) between 16 and 4096 and length(leaves) % 16 = 0),
  sum bigint not null check (sum >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (total_id, first_account)
);
alter table log_total_pieces alter column leaves set storage external;
comment on table log_total_pieces is 'What the members’ proofs of the last 30 days are made of.';
select close_table('log_totals'), close_table('log_total_pieces');
revoke delete, truncate on log_totals from ushirika_app;
revoke update on log_totals, log_total_pieces from ushirika_app;
revoke truncate on log_total_pieces from ushirika_app;
grant update (secret) on log_totals to ushirika_app;

create function total_only_closed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.secret is not null or (to_jsonb(new) - 'secret') <> (to_jsonb(old) - 'secret') then
    raise exception 'a total is never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger total_only_closed before update on log_totals for each row execute function total_only_closed();
create trigger only_added before delete or truncate on log_totals for each statement execute function only_added();
create trigger only_added before update or truncate on log_total_pieces for each statement execute function only_added();
