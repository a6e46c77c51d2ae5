-- The register of shares (domain: shares). How many somebody holds is in the ledger; why and from whom is here, because
-- the entry in the register is the legal act.

create table share_movements (
  id uuid primary key,
  -- In the order of entry: two purchases of one instant have an order too.
  place bigint not null generated always as identity,
  sacco_id uuid not null,
  user_id uuid not null,
  reason text not null check (reason in ('bought_from_sacco')),
  shares bigint not null check (shares <> 0),
  shares_after bigint not null check (shares_after >= 0),
  amount_cents bigint not null check (amount_cents >= 0),
  -- The member on the other side; null is the sacco itself.
  counterparty uuid references users (id),
  journal_id bigint not null references journals (id),
  caused_by uuid not null references users (id),
  moved_at timestamptz not null,
  foreign key (sacco_id, user_id) references memberships (sacco_id, user_id),
  unique (journal_id, user_id)
);
create index share_movements_by_member on share_movements (sacco_id, user_id, place);
revoke update, delete on share_movements from ushirika_app;
