-- outside a transaction
create index concurrently if not exists log_events_of_votes on log_events (sacco_id, id) where kind = 'votes' and subject_id is null;
