-- What M-Pesa charges for a withdrawal, where the member bears it: set aside with it, and returned with it.
alter table withdrawals add column charge_cents bigint not null default 0 check (charge_cents between 0 and 100000);
-- A person's withdrawals of a day are counted before each (docs/decisions/148).
create index withdrawals_by_day on withdrawals (user_id, created_at);
