-- M-Pesa may show a part of the payer's number, or none of it (`254712***678`): top-ups and receipts are then looked for by
-- amount and time. `mpesa_receipts.phone` holds the number as M-Pesa shows it.
create index deposits_by_amount on deposits (amount_cents, sending_at) where sending_at is not null;
create index mpesa_receipts_of_no_deposit on mpesa_receipts (amount_cents) where deposit_id is null;
