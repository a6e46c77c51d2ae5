-- A loan shows its newest payments first and older ones by pages (domains: loans): they are read in that order.
create index loan_repayments_by_day on loan_repayments (loan_id, paid_at, id);
drop index loan_repayments_by_loan;
