-- Since when M-Pesa has refused us its list of payments, without a break.
alter table mpesa_lists add column refused_since timestamptz;
