-- Every half minute it is asked which withdrawals never left: few among all that there ever were.
create index withdrawals_unsent on withdrawals (created_at, id) where state = 'created';
