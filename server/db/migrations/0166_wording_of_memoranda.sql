-- Which words a memorandum is written in: what was signed is read as it was signed (domain: pools). 1 says that the fee is on what is
-- guaranteed, 2 that it is on what is still guaranteed.
alter table pool_requests add column wording smallint not null default 1 check (wording in (1, 2));
