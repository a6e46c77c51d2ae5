-- outside a transaction
-- The same is proposed once (domain: operator; docs/decisions/149): what one operator proposes keeps nobody from proposing something else.
create unique index concurrently if not exists operator_proposals_of_one_thing on operator_proposals (about_id, kind, beneficiary_id, amount_cents)
  nulls not distinct where state in ('proposed', 'waiting');
drop index concurrently if exists operator_proposals_open;
