-- When the simulated M-Pesa took a payment back; its payer has the money again.
alter table simulator.payment add column reversed_at timestamptz;
