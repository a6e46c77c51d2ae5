-- How many open exceptions there are about one thing is asked before another is opened.
create index money_exceptions_open_about on money_exceptions (about_id) where resolved_at is null and about_id is not null;
