-- What one operator suspended alone, they lift alone. Every other suspension is lifted by two: one asks, another one does it.
alter table account_suspensions
  add column lift_asked_by uuid references users (id) check (lift_asked_by <> user_id),
  add column lift_asked_at timestamptz check (lift_asked_at >= suspended_at),
  add check (num_nonnulls(lift_asked_by, lift_asked_at) in (0, 2));
-- Those that were lifted before stay as they are.
alter table account_suspensions add constraint account_suspensions_lifted_by_two check (
  lifted_by is null or lifted_by = suspended_by and upheld_by is null or lift_asked_by is not null and lift_asked_by <> lifted_by
) not valid;

grant update (lift_asked_by, lift_asked_at) on account_suspensions to ushirika_member;
alter policy operator_decides on account_suspensions
  with check (case
    when ended_at is null then (select person_id()) in (upheld_by, lift_asked_by)
    else lifted_by = (select person_id()) or end_kind = 'lapsed' end);
