-- What is shown of money in suspense is what was booked of it. A callback that told of a receipt again, with another
-- amount and phone, changed both, and an operator would have given that much.
update money_exceptions e set amount_cents = r.amount_cents, phone = coalesce(r.phone, e.phone)
from mpesa_receipts r
where r.receipt = e.receipt and e.held_in = 'suspense' and e.resolved_at is null and e.amount_cents <> r.amount_cents;

create function refuse_other_amount() returns trigger language plpgsql as $$
begin
  raise exception 'the amount of money that stands in the books is not changed (exception %)', old.id;
end $$;
create trigger money_exceptions_amount_stays before update on money_exceptions
  for each row when (old.held_in <> 'nowhere' and new.amount_cents is distinct from old.amount_cents)
  execute function refuse_other_amount();
