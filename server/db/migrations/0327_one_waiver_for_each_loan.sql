-- outside a transaction
-- A waiver waits for each loan, not one for the whole sacco (domain: loans; docs/decisions/221); of other changes one of each kind, as before.
drop index concurrently if exists sacco_changes_one_waiting;
create unique index concurrently sacco_changes_one_waiting on sacco_changes (sacco_id, kind, (coalesce(payload ->> 'loan', '')))
  where state in ('proposed', 'confirmed') and sacco_id is not null;
drop index concurrently if exists sacco_changes_one_open;
