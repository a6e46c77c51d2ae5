-- Why officials refuse whom the chair or an operator names, and a first no where it takes two (domain: saccos; docs/decisions/181).

alter table office_invitations
  add column end_reason text collate "C" check (length(end_reason) between 1 and 500),
  add column first_no_by uuid references users (id),
  add column first_no_at timestamptz check (first_no_at >= created_at),
  add column first_no_reason text collate "C" check (length(first_no_reason) between 1 and 500),
  add check (num_nonnulls(first_no_by, first_no_at, first_no_reason) in (0, 3)),
  add check (first_no_by <> invited_by),
  add check (state <> 'refused' or first_no_by is distinct from ended_by),
  add check (end_reason is null or state = 'refused');
