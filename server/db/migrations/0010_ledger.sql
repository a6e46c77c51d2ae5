-- The ledger: double entry, several assets, append-only (docs/decisions/020-the-ledgers-shape.md).
-- The app's role only reads these tables. It writes through the four functions at the end, which belong to the owner:
-- whoever can speak SQL as the app can therefore neither edit history nor set a balance.

create table accounts (
  id bigint generated always as identity primary key,
  -- On the account's normal side: what a person calls the balance. Equal to the sum of its transfers, always.
  balance bigint not null default 0,
  closed_at timestamptz,
  -- The platform's book, or a sacco's, whose id it then is.
  book_id uuid not null,
  owner_id uuid,
  kind text collate "C" not null,
  asset text collate "C" not null,
  -- Of the kind, written once: the row must hold its own limit for the database to keep it.
  debit_normal boolean not null,
  may_go_negative boolean not null,
  constraint accounts_asset_known check (asset in ('KES', 'SHARE')),
  -- Numbers of the program are exact up to here.
  constraint accounts_balance_limit check (balance between -9007199254740991 and 9007199254740991),
  constraint accounts_balance_floor check (balance >= 0 or may_go_negative),
  constraint accounts_key unique nulls not distinct (book_id, kind, owner_id)
) with (fillfactor = 70);
comment on table accounts is 'A place where an amount of one asset stands, in one book.';

create table journals (
  id bigint generated always as identity primary key,
  posted_at timestamptz not null,
  -- The user who caused it; null is the platform itself.
  caused_by uuid,
  about_id uuid not null,
  reverses bigint,
  kind text collate "C" not null,
  about_type text collate "C" not null,
  -- Bytewise: keys begin with their kind and go on with a time-ordered id, so that the index grows at few places.
  idempotency_key text collate "C" not null constraint journals_idempotency_key unique
);
create unique index journals_reversed_once on journals (reverses) where reverses is not null;
comment on table journals is 'Transfers that happened together. Append-only.';

create table transfers (
  journal_id bigint not null,
  -- Grows in the order of application on each account: handed out while the accounts are locked.
  id bigint generated always as identity,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount bigint not null,
  debit_balance_after bigint not null,
  credit_balance_after bigint not null,
  position smallint not null,
  constraint transfers_amount_positive check (amount > 0),
  constraint transfers_accounts_different check (debit_account_id <> credit_account_id),
  primary key (journal_id, position)
);
create index transfers_by_debit on transfers (debit_account_id, id);
create index transfers_by_credit on transfers (credit_account_id, id);
comment on table transfers is 'One amount from one account to another, with both balances after it. Append-only.';

-- Opens accounts that are not there yet, in the order given, which the caller keeps sorted: no two callers wait in a ring.
create function ledger_open_accounts(
  books uuid[], kinds text[], owners uuid[], assets text[], debit_normals boolean[], may_go_negatives boolean[]
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (book_id, kind, owner_id, asset, debit_normal, may_go_negative)
  select * from unnest(books, kinds, owners, assets, debit_normals, may_go_negatives)
  on conflict do nothing;
end $$;

-- Claims idempotency keys by writing the journals' rows, in the order given (sorted by key). A key that another
-- transaction is claiming makes this one wait for its end. Answers the ids in the order of the keys; where a key was
-- taken, it has none, and the keys claimed are named. The plain insert is tried first: `on conflict` writes each row's
-- log twice. Columns are unnested side by side in the select list, which spares them a temporary store each.
create function ledger_claim(
  keys text[], kinds text[], causers uuid[], about_types text[], about_ids uuid[], reversed bigint[], at timestamptz,
  out claimed_ids bigint[], out claimed_keys text[]
) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  begin
    with claimed as (
      insert into journals (idempotency_key, kind, caused_by, about_type, about_id, reverses, posted_at)
      select unnest(keys), unnest(kinds), unnest(causers), unnest(about_types), unnest(about_ids), unnest(reversed), at
      returning id
    )
    select array_agg(id) into claimed_ids from claimed;
    return;
  exception when unique_violation then
    -- At least one was taken: find out which.
  end;
  with claimed as (
    insert into journals (idempotency_key, kind, caused_by, about_type, about_id, reverses, posted_at)
    select unnest(keys), unnest(kinds), unnest(causers), unnest(about_types), unnest(about_ids), unnest(reversed), at
    on conflict (idempotency_key) do nothing
    returning id, idempotency_key
  )
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(idempotency_key), '{}') into claimed_ids, claimed_keys
  from claimed;
end $$;

-- Locks accounts until the transaction ends, in the one order that everybody keeps, and says how and where they stand.
-- Always by the index: before the statistics are in, a batch of a thousand would look like a reason to read the table.
create function ledger_lock(ids bigint[], out balances bigint[], out places tid[], out closed_ids bigint[])
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  select array_agg(balance), array_agg(place), array_agg(id) filter (where closed_at is not null)
  into balances, places, closed_ids
  from (
    select a.id, a.balance, a.ctid as place, a.closed_at from accounts a
    where a.id = any (ids) order by a.id for no key update
  ) locked;
end $$;

-- Takes back claims whose journals were refused. A journal with transfers is history and cannot be named here.
create function ledger_unclaim(ids bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare removed integer;
begin
  delete from journals j where j.id = any (ids) and not exists (select from transfers t where t.journal_id = j.id);
  get diagnostics removed = row_count;
  if removed <> cardinality(ids) then raise exception 'a journal of % is history', ids; end if;
end $$;

-- Writes the transfers and moves the balances, from what they were to what they are after. An account that is not as the
-- caller read it stops everything: whoever locked it finds it by its place, where nobody else can have moved it.
create function ledger_write(
  journal_ids bigint[], positions smallint[], debits bigint[], credits bigint[], amounts bigint[],
  debit_afters bigint[], credit_afters bigint[], places tid[], befores bigint[], afters bigint[]
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare moved integer;
begin
  insert into transfers (journal_id, position, debit_account_id, credit_account_id, amount,
    debit_balance_after, credit_balance_after)
  select unnest(journal_ids), unnest(positions), unnest(debits), unnest(credits), unnest(amounts),
    unnest(debit_afters), unnest(credit_afters);
  update accounts a set balance = moves.after
  from unnest(places, befores, afters) as moves (place, before, after)
  where a.ctid = moves.place and a.balance = moves.before;
  get diagnostics moved = row_count;
  if moved <> cardinality(places) then raise exception 'an account moved while a batch was being written'; end if;
end $$;

revoke insert, update, delete, truncate on accounts, journals, transfers from ushirika_app;
revoke execute on function ledger_open_accounts, ledger_claim, ledger_lock, ledger_unclaim, ledger_write from public;
grant execute on function ledger_open_accounts, ledger_claim, ledger_lock, ledger_unclaim, ledger_write to ushirika_app;
