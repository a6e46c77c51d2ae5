-- outside a transaction
create unique index concurrently if not exists log_entries_event on log_entries (event_id) where event_id is not null;
