-- Strangers who know an ID number and its phone used up the ten reset codes of a day, and the owner had none. From where a
-- code was asked for is kept, so that some are left for the networks where the owner has signed in before.
alter table reset_requests add column network text check (length(network) <= 100);
alter table reset_codes add column asked_from text not null default 'elsewhere'
  check (asked_from in ('known_network', 'elsewhere'));
