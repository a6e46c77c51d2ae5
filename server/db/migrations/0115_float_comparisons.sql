-- What M-Pesa holds for us, compared with the books once a day (docs/decisions/150). A row stands for the question before
-- M-Pesa hears of it; one a day, whichever process asks.
create table float_comparisons (
  -- Also in the address at which M-Pesa answers.
  id uuid primary key,
  day date not null unique,
  -- open: asked, or to be asked again. differs: an exception tells both figures.
  state text not null check (state in ('open', 'agrees', 'differs', 'unanswered')),
  asks integer not null default 0 check (asks >= 0),
  next_ask_at timestamptz,
  asked_at timestamptz,
  -- Under which M-Pesa took the newest question; null from the moment when its answer was used.
  conversation_id text check (length(conversation_id) <= 100),
  -- M-Pesa's figure, and what it should be by the books.
  mpesa_cents bigint,
  expected_cents bigint,
  -- What the difference may come to because of payments under way, at least and at most.
  under_way_least_cents bigint check (under_way_least_cents <= 0),
  under_way_most_cents bigint check (under_way_most_cents >= 0),
  compared_at timestamptz,
  created_at timestamptz not null,
  check ((state = 'open') = (next_ask_at is not null)),
  check (num_nonnulls(mpesa_cents, expected_cents, under_way_least_cents, under_way_most_cents, compared_at) in (0, 5)),
  check (state not in ('agrees', 'differs') or compared_at is not null),
  check (state <> 'agrees' or mpesa_cents = expected_cents),
  check (state <> 'differs' or mpesa_cents <> expected_cents)
);
revoke delete, truncate on float_comparisons from ushirika_app;
select close_table('float_comparisons');
grant select on float_comparisons to ushirika_member;
create policy operator on float_comparisons for select to ushirika_member using ((select is_operator()));

-- A difference is of no payment: there is nothing to credit or to return.
alter table money_exceptions add constraint money_exceptions_variance_nowhere
  check (kind <> 'float_variance' or (held_in = 'nowhere' and resolution is distinct from 'credit'
    and resolution is distinct from 'return_note'));

alter table callback_log drop constraint callback_log_kind_check;
alter table callback_log add constraint callback_log_kind_check check (
  kind in ('stk', 'payout_result', 'payout_timeout', 'status_result', 'status_timeout', 'balance_result',
    'balance_timeout', 'c2b_confirmation', 'c2b_validation'));
