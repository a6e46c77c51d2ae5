-- Questions about payments by hand are forgotten by their age, as those about top-ups and strays are.
drop index status_queries_over;
create index status_queries_over on status_queries (answered_at)
  where purpose in ('deposit', 'stray', 'paybill') and state in ('answered', 'given_up');
