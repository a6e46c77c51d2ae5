-- 0105 set right what a repeated callback had made of money in suspense only where the amount was another; the same callback
-- with the same amount had put another phone there.
update money_exceptions e set phone = r.phone
from mpesa_receipts r
where r.receipt = e.receipt and e.held_in = 'suspense' and e.resolved_at is null
  and r.phone is not null and e.phone is distinct from r.phone;
