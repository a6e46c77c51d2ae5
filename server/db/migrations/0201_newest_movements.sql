-- A loan shows its newest payments first and older ones by pages (domains: loans): they are read in the order in which they were posted.
create index loan_repayments_by_day on loan_repayments (loan_id, paid_at, journal_id);
drop index loan_repayments_by_loan;
create index loan_events_refunds on loan_events (loan_id, at, place) where kind = 'guarantor_refunded';
