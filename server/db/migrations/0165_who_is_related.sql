-- Who is related to one person is found from their own traces, and not by comparing them with everybody (domain: referrals).
create index referral_traces_by_value on referral_traces (kind, value, created_at);
create index users_by_recovery_phone on users (recovery_phone);
