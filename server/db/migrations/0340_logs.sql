-- The log of the books (domain: proofs; docs/decisions/240). One log for each sacco and one for the platform: a Merkle tree of RFC 9162
-- over entries that commit to journals. Entries, tiles, checkpoints are only ever added.

create table logs (
  id bigint generated always as identity primary key,
  -- Null: the log of the platform's book.
  sacco_id uuid references saccos (id),
  -- The log's name for the world: host and path, never changed.
  origin text collate "C" not null unique check (origin ~ '^[^\s+]{1,255}$'),
  started_at timestamptz not null,
  size bigint not null default 0 check (size >= 0),
  root bytea not null check (length(root) = 32),
  last_leaf bytea not null check (length(last_leaf) = 32),
  -- The hashes of the full subtrees at the right edge, the largest first: 32 bytes for each binary one of `size`.
  edge bytea not null check (length(edge) % 32 = 0),
  -- The log that this one goes on after, where that one was broken off; why and by whom an operator decided so.
  follows bigint unique references logs (id),
  ended_at timestamptz
) with (fillfactor = 50);
create unique index logs_current on logs (sacco_id) nulls not distinct where ended_at is null;
comment on table logs is 'The logs of the books, and how far each has grown.';

-- No foreign key to logs and journals: 20,000 rows a second are written, and `npm run audit` compares both.
create table log_entries (
  log_id bigint not null,
  i bigint not null check (i >= 0),
  hour timestamptz not null check (date_trunc('hour', hour, 'UTC') = hour),
  kind text collate "C" not null
    check (kind in ('books', 'shares', 'loans', 'pools', 'votes', 'totals', 'log')),
  commitment bytea not null check (length(commitment) = 32),
  leaf bytea not null check (length(leaf) = 32),
  -- All salts of the entry come from it. Null once it was erased: nobody can read the commitment any more.
  secret bytea check (length(secret) = 32),
  journal_id bigint,
  primary key (log_id, i)
);
create unique index log_entries_journal on log_entries (journal_id) where journal_id is not null;
comment on table log_entries is 'The entries of the logs: a commitment, a place and an hour each. Append-only.';

-- What entries say that are about no journal.
create table log_facts (
  log_id bigint not null,
  i bigint not null,
  head jsonb not null,
  parts jsonb not null check (jsonb_typeof(parts) = 'array'),
  primary key (log_id, i)
);
comment on table log_facts is 'The payloads of entries that are about no journal. Append-only, until they are erased.';

create table log_tiles (
  log_id bigint not null,
  level smallint not null check (level between 0 and 6),
  n bigint not null check (n >= 0),
  -- 256 hashes of 32 bytes, as C2SP tlog-tiles serves them; and the hash of the whole tile.
  hashes bytea not null check (length(hashes) = 8192),
  root bytea not null check (length(root) = 32),
  primary key (log_id, level, n)
);
alter table log_tiles alter column hashes set storage external;
comment on table log_tiles is 'Full tiles of the trees. Append-only.';

create table log_keys (
  id bigint generated always as identity primary key,
  public_key bytea not null unique check (length(public_key) = 32),
  -- The Ed25519 key as PKCS 8, sealed by the keyring: who reads the tables alone signs nothing.
  sealed_key bytea not null,
  sealed_by text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index log_keys_current on log_keys ((true)) where retired_at is null;
comment on table log_keys is 'The keys that sign checkpoints: one that signs, and the former ones.';

create table checkpoints (
  log_id bigint not null references logs (id),
  size bigint not null check (size > 0),
  root bytea not null check (length(root) = 32),
  note text not null,
  key_id bigint not null references log_keys (id),
  signed_at timestamptz not null,
  primary key (log_id, size)
);
comment on table checkpoints is 'The signed heads of the logs. Append-only.';

-- How far each source has been logged. Its row is the lease: who has locked it is the one process that appends.
create table log_cursors (
  source text primary key check (source in ('journals')),
  upto bigint not null check (upto >= 0)
);
insert into log_cursors (source, upto) values ('journals', 0);

select close_table(each::regclass)
from unnest(array['logs', 'log_entries', 'log_facts', 'log_tiles', 'log_keys', 'checkpoints', 'log_cursors']) as each;

-- Whoever owns the tables is stopped too; only a superuser who switches triggers off is not, and the audit finds what they did.
create function only_added() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '% is only added to', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger only_added before update or delete or truncate on log_tiles for each statement execute function only_added();
create trigger only_added before update or delete or truncate on checkpoints for each statement execute function only_added();
create trigger only_added before delete or truncate on log_entries for each statement execute function only_added();
create trigger only_added before delete or truncate on logs for each statement execute function only_added();

-- An entry changes once at most: its secret is destroyed.
create function entry_only_erased() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.secret is not null or (to_jsonb(new) - 'secret') <> (to_jsonb(old) - 'secret') then
    raise exception 'an entry of a log is never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger entry_only_erased before update on log_entries for each row execute function entry_only_erased();

-- A log grows or ends, and nothing else.
create function log_only_grows() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.id <> old.id or new.origin <> old.origin or new.sacco_id is distinct from old.sacco_id
    or new.started_at <> old.started_at or new.follows is distinct from old.follows
    or old.ended_at is not null or new.size < old.size
    or (new.size = old.size and (new.root, new.last_leaf, new.edge) is distinct from (old.root, old.last_leaf, old.edge))
  then
    raise exception 'a log only grows' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger log_only_grows before update on logs for each row execute function log_only_grows();
revoke delete, truncate on logs, log_entries, log_tiles, log_facts, checkpoints, log_keys, log_cursors from ushirika_app;
revoke update on log_entries, log_tiles, log_facts, checkpoints, log_keys from ushirika_app;

-- The sequencer reads journals in the order of their ids, up to an id below which no journal can appear any more. It waits until all
-- transactions have ended that had begun to write when that id was the last. So each one must be seen to write before it is given an id.
create function writing_is_seen() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_current_xact_id();
  return null;
end
$$;
create trigger writing_is_seen before insert on journals for each statement execute function writing_is_seen();
grant select on sequence journals_id_seq to ushirika_app;
