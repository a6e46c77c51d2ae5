-- What the platform tells people, and how it reaches them (domain: notifications).

create table notification_preferences (
  user_id uuid primary key references users (id),
  language text not null check (language in ('en', 'sw')),
  sms_money boolean not null,
  sms_saccos boolean not null,
  sms_pools boolean not null,
  sms_referrals boolean not null,
  updated_at timestamptz not null
);

-- The list that a person reads in the app. Secrets are never in it.
create table notifications (
  id uuid primary key,
  user_id uuid not null references users (id),
  topic text not null check (topic in ('security', 'money', 'saccos', 'pools', 'referrals')),
  template text not null check (length(template) between 1 and 60),
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_by_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;

-- The outbox of the SMS gateway. A row is written in the transaction of what it tells about; a job sends it.
create table sms_messages (
  id uuid primary key,
  user_id uuid references users (id),
  phone text not null check (phone ~ '^[1-9][0-9]{5,14}$'),
  template text not null check (length(template) between 1 and 60),
  -- Null once it has gone out, where it was a secret.
  text text check (length(text) between 1 and 1000),
  is_secret boolean not null,
  state text not null check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'expired')),
  attempts integer not null default 0 check (attempts between 0 and 5),
  created_at timestamptz not null,
  -- Not sent after this: a code that has expired helps nobody.
  send_before timestamptz not null check (send_before > created_at),
  attempted_at timestamptz,
  settled_at timestamptz,
  gateway_id text,
  failure_reason text,
  check (state <> 'queued' or text is not null),
  check ((state in ('queued', 'sending')) = (settled_at is null))
);
create index sms_messages_unsettled on sms_messages (attempted_at) where state = 'sending';
create index sms_messages_by_user on sms_messages (user_id, id desc);
