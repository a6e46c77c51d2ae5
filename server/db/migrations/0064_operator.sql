-- What operators did and looked at, and why (domain: operator; domain.md 4.8). Append-only.

create table operator_actions (
  id uuid primary key,
  operator_id uuid not null references users (id),
  at timestamptz not null,
  action text collate "C" not null check (length(action) between 1 and 60),
  about_type text collate "C" check (length(about_type) between 1 and 40),
  about_id text collate "C" check (length(about_id) between 1 and 60),
  reason text not null check (length(reason) between 5 and 500),
  check ((about_type is null) = (about_id is null))
);
create index operator_actions_by_about on operator_actions (about_type, about_id);
revoke update, delete, truncate on operator_actions from ushirika_app;

-- Runs of `npm run audit` on this database.
create table audit_runs (
  id uuid primary key,
  ran_at timestamptz not null,
  breaches integer not null check (breaches >= 0)
);
revoke update, delete, truncate on audit_runs from ushirika_app;
