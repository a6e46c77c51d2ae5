-- The points of the checklist that were open when an operator activated a sacco, for its officials and members (domain: saccos).

alter table sacco_state_changes add column open_points text[] not null default '{}'
  check (open_points <@ array['registration_number', 'officials', 'officials_confirmed', 'certificate', 'by_laws', 'kra_pin',
    'authorisation', 'bank_proof', 'register_check', 'founder_members', 'test_deposit']
    and (open_points = '{}' or to_state = 'active'));
