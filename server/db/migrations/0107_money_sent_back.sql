-- Money that stood in suspense and was sent back to its payer has left: its receipt says so, and is nobody's ever again.
-- Until now it went on saying "in suspense", and a callback that named it could have it given away once more.
alter table mpesa_receipts drop constraint mpesa_receipts_credited_to_check;
alter table mpesa_receipts add constraint mpesa_receipts_credited_to_check
  check (credited_to in ('wallet', 'suspense', 'returned'));
update mpesa_receipts r set credited_to = 'returned'
where credited_to = 'suspense' and exists (
  select from money_exceptions e where e.receipt = r.receipt and e.held_in = 'suspense' and e.resolution = 'return_note');

create function refuse_what_was_sent_back() returns trigger language plpgsql as $$
begin
  raise exception 'payment % was sent back to its payer', old.receipt;
end $$;
create trigger mpesa_receipts_sent_back before update on mpesa_receipts
  for each row when (old.credited_to = 'returned') execute function refuse_what_was_sent_back();

-- How many questions about receipts that nobody asked for are open.
create index status_queries_strays on status_queries (created_at) where purpose = 'stray' and state in ('waiting', 'asked');
-- What is forgotten after 90 days is found by its age.
create index status_queries_over on status_queries (answered_at)
  where purpose in ('deposit', 'stray') and state in ('answered', 'given_up');
create index paybill_payments_unverified on paybill_payments (settled_at) where state = 'unverified' and listed_at is null;
