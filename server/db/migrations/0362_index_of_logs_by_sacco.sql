-- outside a transaction
create index concurrently if not exists logs_of_sacco on logs (sacco_id, id);
