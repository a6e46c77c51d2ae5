-- A log is halted by what knows another history than the database (domain: proofs; docs/decisions/249).

-- database: its tree does not continue what it signed. file: a machine has signed otherwise. chain: the anchors are of another tree.
alter table logs add column halted_by text collate "C" check (halted_by in ('database', 'file', 'chain'));
update logs set halted_by = 'chain' where halted_at is not null;
alter table logs drop constraint logs_halted,
  add constraint logs_halted check ((halted_at is null) = (halted_because is null) and (halted_at is null) = (halted_by is null));

-- What the publisher last saw of each chain.
create table chain_looks (
  chain_id bigint not null,
  -- The address of SaccoAnchor, in small letters.
  contract text collate "C" not null check (contract ~ '^0x[0-9a-f]{40}$'),
  looked_at timestamptz not null,
  -- short: less than twenty anchors cost.
  funds text collate "C" not null check (funds in ('enough', 'short')),
  primary key (chain_id, contract)
);
comment on table chain_looks is 'When each chain last answered, and whether the key has money there.';
select close_table('chain_looks');
revoke delete, truncate on chain_looks from ushirika_app;

-- A key of the logs is retired once, and stays. Its row is locked by whoever signs.
grant update (retired_at) on log_keys to ushirika_app;
create function key_only_retired() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.retired_at is not null or (to_jsonb(new) - 'retired_at') <> (to_jsonb(old) - 'retired_at') then
    raise exception 'a key of the logs is retired once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger key_only_retired before update on log_keys for each row execute function key_only_retired();
create trigger only_added before delete or truncate on log_keys for each statement execute function only_added();
