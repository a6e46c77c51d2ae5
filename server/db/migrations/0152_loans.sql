-- Loans of saccos to their members, and the guarantees for them (domain: loans; domain.md 4.1).

-- The number under which the paybill takes repayments: nine digits, the first a 7, the last a check digit (0110).
create sequence loan_number_counter minvalue 0 maxvalue 9999999 start with 0 no cycle;
create function new_loan_number() returns text
  language plpgsql volatile set search_path = public, pg_temp
as $$
declare
  body text := '7' || lpad(((nextval('loan_number_counter') * 6291469 + 3141593) % 10000000)::text, 7, '0');
begin
  return body || damm_digit(body);
end
$$;
revoke execute on function new_loan_number from public;
grant execute on function new_loan_number to ushirika_app;
grant usage on sequence loan_number_counter to ushirika_app;

create table loan_products (
  id uuid primary key,
  sacco_id uuid not null references saccos (id),
  created_at timestamptz not null,
  unique (id, sacco_id)
);
create index loan_products_by_sacco on loan_products (sacco_id, id);

-- The terms of a product, from when on: the latest row that has begun holds for loans that are applied for from then on.
create table loan_product_terms (
  product_id uuid not null references loan_products (id),
  valid_from timestamptz not null,
  name text not null check (length(name) between 3 and 60),
  method text collate "C" not null check (method in ('annuity', 'equal_principal', 'flat')),
  -- Rates are in hundredths of a percent: a month, of the amount, and a month of an overdue instalment.
  monthly_rate integer not null check (monthly_rate between 0 and 500),
  fee_rate integer not null check (fee_rate between 0 and 500),
  penalty_rate integer not null check (penalty_rate between 0 and 500),
  min_amount_cents bigint not null check (min_amount_cents > 0),
  max_amount_cents bigint not null check (max_amount_cents between min_amount_cents and 10000000000),
  min_months smallint not null check (min_months between 1 and 120),
  max_months smallint not null check (max_months between min_months and 120),
  -- Hundredths: 300 is three times the savings.
  multiplier integer not null check (multiplier between 50 and 600),
  min_member_days smallint not null check (min_member_days between 0 and 1095),
  min_guarantors smallint not null check (min_guarantors between 0 and 10),
  is_offered boolean not null,
  changed_by uuid not null references users (id),
  primary key (product_id, valid_from)
);
revoke update, delete, truncate on loan_products, loan_product_terms from ushirika_app;

alter table sacco_changes drop constraint sacco_changes_kind_check;
alter table sacco_changes add constraint sacco_changes_kind_check
  check (kind in ('market_terms', 'referral_terms', 'complaint_terms', 'official_name', 'loan_product'));

create table loans (
  id uuid primary key,
  number text not null unique default new_loan_number(),
  sacco_id uuid not null,
  borrower_id uuid not null,
  foreign key (sacco_id, borrower_id) references memberships (sacco_id, user_id),
  product_id uuid not null,
  foreign key (product_id, sacco_id) references loan_products (id, sacco_id),
  -- The terms when it was applied for. They stay, whatever becomes of the product.
  terms_from timestamptz not null,
  foreign key (product_id, terms_from) references loan_product_terms (product_id, valid_from),
  method text collate "C" not null check (method in ('annuity', 'equal_principal', 'flat')),
  monthly_rate integer not null check (monthly_rate between 0 and 500),
  fee_rate integer not null check (fee_rate between 0 and 500),
  penalty_rate integer not null check (penalty_rate between 0 and 500),
  min_guarantors smallint not null check (min_guarantors between 0 and 10),
  amount_cents bigint not null check (amount_cents between 1 and 10000000000),
  months smallint not null check (months between 1 and 120),
  purpose text not null check (length(purpose) between 3 and 500),
  net_income_cents bigint not null check (net_income_cents > 0),
  refinances_id uuid references loans (id),
  state text collate "C" not null check (state in ('guarantors_pending', 'submitted', 'returned', 'approved', 'accepted',
    'disbursing', 'active', 'in_arrears', 'defaulted', 'recovering', 'written_off', 'rejected', 'withdrawn', 'expired',
    'closed')),
  state_at timestamptz not null,
  closed_because text collate "C" check (closed_because in ('paid', 'refinanced', 'recovered')),
  -- Why it was returned, rejected or not paid out, for the borrower.
  state_reason text check (length(state_reason) <= 500),
  applied_at timestamptz not null,
  -- Without a step of the borrower or the sacco by then it expires; null once it is paid out.
  expires_at timestamptz,
  -- How often it was submitted; reviews are of one round.
  round smallint not null default 0 check (round between 0 and 100),
  submitted_at timestamptz,
  decided_at timestamptz,
  -- SHA-256 over the key facts: of this state of the application, and as the borrower accepted them.
  terms_hash text not null,
  accepted_at timestamptz,
  accepted_hash text check (accepted_hash = terms_hash),
  pay_to text collate "C" check (pay_to in ('wallet', 'mpesa')),
  -- Of a loan that goes on to the borrower's phone: whether a withdrawal was made of it, or it stayed in the wallet.
  to_phone text collate "C" check (to_phone in ('waiting', 'sent', 'kept')),
  -- What of it was in the wallet once the fees and an old loan were paid.
  to_phone_cents bigint check (to_phone_cents >= 0),
  standing_since timestamptz,

  -- What follows is of a loan that was paid out: figures that every repayment and every day's run carries on under this row's
  -- lock. The audit compares them with instalments and books.
  disbursed_at timestamptz,
  disbursed_on date,
  principal_cents bigint not null default 0 check (principal_cents between 0 and amount_cents),
  -- Accrued and not paid; what the book's interest_receivable has of it.
  interest_cents bigint not null default 0 check (interest_cents >= 0),
  penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  -- Principal that was paid before it was due; with the instalments' principal it is the amount.
  prepaid_cents bigint not null default 0 check (prepaid_cents >= 0),
  -- The last day up to whose end interest has accrued, and the instalment whose period it is in. Behind the last instalment
  -- the period stays the last one. Interest of a day: floor(interest x days gone / days of the period) less what accrued.
  accrued_through date,
  period_number smallint,
  period_starts_on date,
  period_ends_on date,
  period_interest_cents bigint check (period_interest_cents >= 0),
  period_accrued_cents bigint check (period_accrued_cents between 0 and period_interest_cents),
  -- The oldest instalment that is not paid in full, and what of it is unpaid. Late from the day after on.
  due_number smallint,
  due_on date,
  due_cents bigint check (due_cents > 0),
  -- Principal and interest of instalments that were due before `accrued_through` and are unpaid.
  overdue_cents bigint not null default 0 check (overdue_cents >= 0),
  days_past_due integer not null default 0 check (days_past_due >= 0),
  class text collate "C" check (class in ('performing', 'watch', 'substandard', 'doubtful', 'loss')),
  provision_cents bigint not null default 0 check (provision_cents >= 0),
  -- In duplum: at the default, the principal that interest and penalty charged from then on may reach.
  defaulted_at timestamptz,
  duplum_cents bigint check (duplum_cents >= 0),
  charged_since_default_cents bigint not null default 0
    check (charged_since_default_cents between 0 and coalesce(duplum_cents, 0)),
  -- When it was last in default or more than 90 days late. It stays once that is over: trust scores count it.
  last_default_at timestamptz,
  written_off_at timestamptz,
  closed_at timestamptz,

  unique (id, sacco_id),
  check (refinances_id <> id),
  check (state_at >= applied_at),
  check ((state in ('guarantors_pending', 'submitted', 'returned', 'approved', 'accepted', 'disbursing'))
    = (expires_at is not null)),
  check (submitted_at is not null or state in ('guarantors_pending', 'withdrawn', 'expired')),
  check ((accepted_at is null) = (accepted_hash is null)),
  check ((accepted_at is null) = (pay_to is null)),
  check ((to_phone is null) = (to_phone_cents is null)),
  check (state not in ('accepted', 'disbursing') or accepted_at is not null),
  check ((disbursed_at is null) = (state in ('guarantors_pending', 'submitted', 'returned', 'approved', 'accepted',
    'disbursing', 'rejected', 'withdrawn', 'expired'))),
  check (num_nulls(disbursed_at, disbursed_on, accrued_through, period_number, period_starts_on, period_ends_on,
    period_interest_cents, period_accrued_cents) in (0, 8)),
  check (disbursed_at is null or accepted_at is not null),
  check (disbursed_at is not null or principal_cents + interest_cents + penalty_cents + prepaid_cents = 0),
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (closed_because is not null)),
  check (state <> 'closed' or principal_cents + interest_cents + penalty_cents = 0),
  check (num_nulls(due_number, due_on, due_cents) in (0, 3)),
  check ((state in ('active', 'in_arrears', 'defaulted', 'recovering', 'written_off')) or due_on is null),
  check (state not in ('active', 'in_arrears') or principal_cents > 0),
  check ((class is null) = (state not in ('active', 'in_arrears', 'defaulted', 'recovering'))),
  check (class is not null or provision_cents = 0),
  check ((defaulted_at is null) = (duplum_cents is null)),
  check (state <> 'written_off' or written_off_at is not null)
);
create index loans_by_borrower on loans (borrower_id, id desc);
create index loans_by_sacco on loans (sacco_id, state, id desc);
create index loans_expiring on loans (expires_at, id) where expires_at is not null;
-- A loan is refinanced by one application at a time.
create unique index loans_refinanced_once on loans (refinances_id)
  where state not in ('rejected', 'withdrawn', 'expired');
-- What the day's run reads, sacco by sacco in the order of ids.
create index loans_owed on loans (sacco_id, id)
  where state in ('active', 'in_arrears', 'defaulted', 'recovering', 'written_off');
create index loans_to_phone on loans (id) where to_phone = 'waiting';
create index loans_standing on loans (id) where standing_since is not null;
-- No index has a column that an ordinary repayment changes, such as `due_on`: the new row stays on its page, and no index is
-- written, which is half of what a repayment costs (bench B16).
alter table loans set (fillfactor = 80);

-- Instalments of a loan that was paid out. The sum of their principal and of what was prepaid is the amount.
create table loan_instalments (
  loan_id uuid not null references loans (id),
  number smallint not null check (number between 1 and 500),
  -- The period whose interest it is: after `starts_on`, up to `due_on`.
  starts_on date not null,
  due_on date not null check (due_on > starts_on),
  principal_cents bigint not null check (principal_cents >= 0),
  interest_cents bigint not null check (interest_cents >= 0),
  paid_principal_cents bigint not null default 0 check (paid_principal_cents between 0 and principal_cents),
  paid_interest_cents bigint not null default 0 check (paid_interest_cents between 0 and interest_cents),
  -- The day on which it was paid in full.
  paid_on date,
  primary key (loan_id, number),
  check (paid_on is null or (paid_principal_cents = principal_cents and paid_interest_cents = interest_cents))
);
create index loan_instalments_unpaid on loan_instalments (due_on, loan_id) where paid_on is null;
alter table loan_instalments set (fillfactor = 90);

create table loan_guarantees (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  kind text collate "C" not null check (kind in ('member', 'self')),
  -- The member who guarantees; the borrower for their own savings.
  guarantor_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  state text collate "C" not null
    check (state in ('asked', 'accepted', 'live', 'refused', 'lapsed', 'voided', 'released', 'called')),
  state_at timestamptz not null,
  -- Held in the guarantor's deposits_hold for it. Of a loan that pays another one off, what the guarantor has pledged for that
  -- one is held only as it is paid off.
  pledged_cents bigint not null default 0 check (pledged_cents between 0 and amount_cents),
  -- What was pledged when the loan was paid out: pledges shrink in proportion to it.
  start_cents bigint check (start_cents >= pledged_cents),
  asked_at timestamptz not null,
  answer_by timestamptz,
  -- The exact terms as they are asked, and as they were signed, with the SHA-256 of these: the guarantor goes on reading them,
  -- whatever becomes of the loan.
  terms jsonb,
  terms_hash text check (terms_hash ~ '^[0-9a-f]{64}$'),
  signed_at timestamptz,
  -- The guarantee in whose place this one is to stand; swapped when the committee confirms.
  replaces_id uuid references loan_guarantees (id),
  release_asked_at timestamptz,
  -- Paid for the borrower, and what of it came back.
  called_cents bigint not null default 0 check (called_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and called_cents),
  called_at timestamptz,
  check ((kind = 'self') = (answer_by is null)),
  check (num_nulls(terms_hash, signed_at) in (0, 2)),
  check (terms_hash is null or terms is not null),
  check (state in ('asked', 'refused', 'lapsed', 'voided') or signed_at is not null),
  check (state in ('accepted', 'live') or pledged_cents = 0),
  check (state not in ('live', 'called') or start_cents is not null),
  check (called_cents = 0 or called_at is not null),
  check (replaces_id is null or kind = 'member')
);
-- One guarantee of a member for a loan at a time.
create unique index loan_guarantees_once on loan_guarantees (loan_id, guarantor_id)
  where state in ('asked', 'accepted', 'live');
create unique index loan_guarantees_replaced_once on loan_guarantees (replaces_id) where state in ('asked', 'accepted');
create index loan_guarantees_by_loan on loan_guarantees (loan_id, id);
create index loan_guarantees_by_guarantor on loan_guarantees (guarantor_id, id desc);
create index loan_guarantees_lapsing on loan_guarantees (answer_by, id) where state = 'asked';

create table loan_guarantee_codes (
  id uuid primary key,
  guarantee_id uuid not null references loan_guarantees (id),
  -- SHA-256 of this row's id and the eight digits of the SMS.
  code_hash text not null check (length(code_hash) = 43),
  terms_hash text not null check (terms_hash ~ '^[0-9a-f]{64}$'),
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz check (used_at < expires_at)
);
create index loan_guarantee_codes_by_guarantee on loan_guarantee_codes (guarantee_id, created_at);

create table loan_reviews (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  round smallint not null check (round > 0),
  reviewer_id uuid not null references users (id),
  -- The office in which the voice was given.
  office text collate "C" not null check (office in ('credit_committee', 'treasurer', 'chair')),
  decision text collate "C" not null check (decision in ('approve', 'reject', 'return')),
  reason text not null check (length(reason) between 3 and 500),
  terms_hash text not null check (terms_hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null,
  unique (loan_id, round, reviewer_id)
);

-- An order to pay out, and what another official made of it.
create table loan_disbursements (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  terms_hash text not null check (terms_hash ~ '^[0-9a-f]{64}$'),
  ordered_by uuid not null references users (id),
  ordered_at timestamptz not null,
  state text collate "C" not null check (state in ('ordered', 'paid', 'refused', 'void')),
  decided_by uuid references users (id),
  decided_at timestamptz,
  reason text check (length(reason) <= 500),
  check (decided_by <> ordered_by),
  check ((state = 'ordered') = (decided_at is null)),
  check ((state in ('paid', 'refused')) = (decided_by is not null))
);
create unique index loan_disbursements_once on loan_disbursements (loan_id) where state in ('ordered', 'paid');

create table loan_events (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  kind text collate "C" not null check (length(kind) between 3 and 40),
  at timestamptz not null,
  -- Null for the clock.
  by_id uuid references users (id),
  amount_cents bigint check (amount_cents >= 0),
  -- Whose guarantee, where it is about one.
  guarantee_id uuid references loan_guarantees (id),
  number integer,
  -- The payment, where it is about one.
  repayment_id uuid,
  text text check (length(text) <= 500),
  -- The order in which they happened: several have one moment.
  place bigint generated by default as identity
);
create index loan_events_by_loan on loan_events (loan_id, place);

-- Each repayment and how it was shared out: amount = penalty + interest + principal + prepaid.
create table loan_repayments (
  id uuid primary key,
  loan_id uuid not null references loans (id),
  -- Unique for ever: the same key pays once.
  idempotency_key text collate "C" not null unique check (length(idempotency_key) between 1 and 200),
  paid_by uuid references users (id),
  channel text collate "C" not null check (channel in ('wallet', 'payoff', 'standing', 'mpesa', 'paybill', 'check_off',
    'refinance', 'recovery')),
  paid_at timestamptz not null,
  amount_cents bigint not null check (amount_cents > 0),
  penalty_cents bigint not null check (penalty_cents >= 0),
  interest_cents bigint not null check (interest_cents >= 0),
  principal_cents bigint not null check (principal_cents >= 0),
  prepaid_cents bigint not null check (prepaid_cents >= 0),
  released_cents bigint not null check (released_cents >= 0),
  journal_id bigint not null,
  check (amount_cents = penalty_cents + interest_cents + principal_cents + prepaid_cents)
);
create index loan_repayments_by_loan on loan_repayments (loan_id, id);

-- M-Pesa prompts whose money goes to a loan once it has come.
create table loan_prompts (
  deposit_id uuid primary key references deposits (id),
  loan_id uuid not null references loans (id),
  -- Not tried again before then: something went wrong that stops this one alone.
  retry_at timestamptz,
  settled_at timestamptz
);
create index loan_prompts_waiting on loan_prompts (deposit_id) where settled_at is null;

-- Payments to the paybill under a loan's number: credited to the borrower's wallet, and paid to the loan from there.
create table loan_paybills (
  receipt text primary key,
  loan_id uuid not null references loans (id),
  amount_cents bigint not null check (amount_cents > 0),
  retry_at timestamptz,
  settled_at timestamptz
);
create index loan_paybills_waiting on loan_paybills (receipt) where settled_at is null;

-- Whose loan a number is, for the paybill (domain: wallet).
create function loan_borrower(asked_number text) returns uuid
  language sql stable set search_path = public, pg_temp
as $$ select borrower_id from loans where number = asked_number and disbursed_at is not null $$;
revoke execute on function loan_borrower from public;
grant execute on function loan_borrower to ushirika_app;

-- As such a payment is credited to the borrower's wallet, it is noted for the loan.
create function paybill_is_for_loan() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into loan_paybills (receipt, loan_id, amount_cents)
  select new.receipt, id, new.amount_cents from loans
  where number = regexp_replace(new.account_reference, '[^A-Za-z0-9]', '', 'g') and disbursed_at is not null
  on conflict do nothing;
  return null;
end
$$;
create trigger paybill_is_for_loan after update of state on paybill_payments for each row
  when (new.state = 'credited' and old.state <> 'credited') execute function paybill_is_for_loan();

-- One row for each instalment that a standing repayment is to pay: what keeps it from being paid twice.
create table loan_standing_runs (
  loan_id uuid not null references loans (id),
  number smallint not null,
  state text collate "C" not null check (state in ('waiting', 'paid', 'skipped')),
  tries smallint not null check (tries between 1 and 3),
  tried_on date not null,
  primary key (loan_id, number)
);

-- What was said and paid stays.
revoke delete, truncate on loans, loan_guarantees, loan_disbursements, loan_prompts, loan_paybills,
  loan_guarantee_codes from ushirika_app;
revoke update, delete, truncate on loan_reviews, loan_events, loan_repayments from ushirika_app;
revoke truncate on loan_instalments, loan_standing_runs from ushirika_app;

create function loan_moves_on() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if old.state <> new.state and (old.state || ' ' || new.state) not in (
    'guarantors_pending submitted', 'guarantors_pending withdrawn', 'guarantors_pending expired',
    'submitted approved', 'submitted rejected', 'submitted returned', 'submitted withdrawn', 'submitted expired',
    'submitted guarantors_pending',
    'returned guarantors_pending', 'returned submitted', 'returned withdrawn', 'returned expired',
    'approved accepted', 'approved withdrawn', 'approved expired', 'approved guarantors_pending',
    'accepted disbursing', 'accepted withdrawn', 'accepted expired', 'accepted guarantors_pending',
    'disbursing active', 'disbursing accepted', 'disbursing withdrawn', 'disbursing expired',
    'active in_arrears', 'active closed', 'in_arrears active', 'in_arrears closed', 'in_arrears defaulted',
    'defaulted active', 'defaulted in_arrears', 'defaulted recovering', 'defaulted written_off', 'defaulted closed',
    'recovering active', 'recovering in_arrears', 'recovering written_off', 'recovering closed', 'written_off closed')
  then
    raise exception 'a loan does not go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if (new.number, new.sacco_id, new.borrower_id, new.product_id, new.applied_at)
    is distinct from (old.number, old.sacco_id, old.borrower_id, old.product_id, old.applied_at)
    or old.disbursed_at is not null and (new.amount_cents, new.disbursed_at, new.accepted_hash)
      is distinct from (old.amount_cents, old.disbursed_at, old.accepted_hash)
  then
    raise exception 'what a loan began with stays' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
-- Looked at where they are written, and not by each repayment and each day's run: PostgreSQL evaluates every check of a row that
-- changes, and these two take longer than writing it.
create function loan_is_named() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.number !~ '^7[0-9]{8}$' or damm_digit(new.number) <> '0' or new.terms_hash !~ '^[0-9a-f]{64}$' then
    raise exception 'a loan has a number with its check digit, and the hash of its terms' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_is_named before insert or update of number, terms_hash on loans for each row execute function loan_is_named();

create trigger loan_moves_on before update on loans for each row
  when (old.state is distinct from new.state
    or (new.number, new.sacco_id, new.borrower_id, new.product_id, new.applied_at, new.amount_cents, new.disbursed_at,
        new.accepted_hash)
      is distinct from (old.number, old.sacco_id, old.borrower_id, old.product_id, old.applied_at, old.amount_cents,
        old.disbursed_at, old.accepted_hash))
  execute function loan_moves_on();

-- Nobody decides about a loan of their own or one that they guarantee; two people pay it out, neither of them the borrower, and who
-- checks it gave no voice about the application.
create function loan_decided_by_others() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare who uuid[] := case tg_table_name
  when 'loan_reviews' then array[(to_jsonb(new) ->> 'reviewer_id')::uuid]
  else array[(to_jsonb(new) ->> 'ordered_by')::uuid, (to_jsonb(new) ->> 'decided_by')::uuid] end;
begin
  if exists (select from loans l where l.id = new.loan_id and l.borrower_id = any (who))
    or exists (select from loan_guarantees g where g.loan_id = new.loan_id and g.kind = 'member'
                 and g.guarantor_id = any (who) and g.state in ('asked', 'accepted', 'live', 'called'))
  then
    raise exception 'that person does not decide about this loan' using errcode = 'check_violation';
  end if;
  if tg_table_name = 'loan_disbursements' and exists (
    select from loan_reviews r join loans l on l.id = r.loan_id and l.round = r.round
    where r.loan_id = new.loan_id and r.reviewer_id = (to_jsonb(new) ->> 'decided_by')::uuid)
  then
    raise exception 'who reviewed a loan does not check its payout' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger loan_decided_by_others before insert on loan_reviews
  for each row execute function loan_decided_by_others();
create trigger loan_decided_by_others before insert or update on loan_disbursements
  for each row execute function loan_decided_by_others();

-- The borrower reads their own; officials those of their sacco; a guarantor their own guarantees, and what they may know of
-- the loan through the platform alone, which leaves the borrower's savings and income out. Nobody but the platform writes.
select close_table('loan_products'), close_table('loan_product_terms'), close_table('loans'),
  close_table('loan_instalments'), close_table('loan_guarantees'), close_table('loan_guarantee_codes'),
  close_table('loan_reviews'), close_table('loan_disbursements'), close_table('loan_events'),
  close_table('loan_repayments'), close_table('loan_prompts'), close_table('loan_paybills'), close_table('loan_standing_runs');
grant select on loan_products, loan_product_terms, loans, loan_instalments, loan_guarantees, loan_reviews,
  loan_disbursements, loan_events, loan_repayments, loan_prompts, loan_standing_runs to ushirika_member;
create policy members on loan_products for select to ushirika_member
  using (sacco_id = any ((select my_saccos())::uuid[]) or (select is_operator()));
create policy members on loan_product_terms for select to ushirika_member
  using (exists (select from loan_products p where p.id = product_id));
create policy sides on loans for select to ushirika_member
  using (borrower_id = (select person_id()) or sacco_id = any ((select my_offices())::uuid[]));
create policy sides on loan_instalments for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id));
create policy sides on loan_guarantees for select to ushirika_member
  using (guarantor_id = (select person_id()) or exists (select from loans l where l.id = loan_id));
create policy officials on loan_reviews for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
create policy officials on loan_disbursements for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id <> (select person_id())));
create policy sides on loan_events for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id));
create policy sides on loan_repayments for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id));
create policy borrower on loan_prompts for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id = (select person_id())));
create policy borrower on loan_standing_runs for select to ushirika_member
  using (exists (select from loans l where l.id = loan_id and l.borrower_id = (select person_id())));

-- What another member asks of somebody is counted apart from all other SMS.
alter table sms_messages drop constraint sms_messages_kind_check, add constraint sms_messages_kind_check check (
  kind in ('claim_code', 'reset_code', 'office_code', 'payer_code', 'invitation', 'payer', 'security', 'request', 'news'));
