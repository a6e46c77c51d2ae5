-- Which topics a person wishes by SMS: a row for each, where each topic had a column (domain: notifications, decision 166).
-- Which topics there are the contract says (contract/src/topics.ts), so that a new one needs no migration.

create table sms_choices (
  user_id uuid not null references users (id),
  topic text not null check (topic ~ '^[a-z_]{1,30}$' and topic <> 'security'),
  is_wanted boolean not null,
  chosen_at timestamptz not null,
  primary key (user_id, topic)
);
select close_table('sms_choices');

grant select, insert, update on sms_choices to ushirika_member;
create policy person on sms_choices to ushirika_member
  using (user_id = (select person_id())) with check (user_id = (select person_id()));
create policy operator_tells on sms_choices for select to ushirika_member using ((select is_operator()));

insert into sms_choices (user_id, topic, is_wanted, chosen_at)
select p.user_id, c.topic, c.is_wanted, p.updated_at
from notification_preferences p
cross join lateral (
  values ('money', p.sms_money), ('saccos', p.sms_saccos), ('pools', p.sms_pools), ('referrals', p.sms_referrals)
) c (topic, is_wanted);

alter table notification_preferences
  drop column sms_money, drop column sms_saccos, drop column sms_pools, drop column sms_referrals;

alter table notifications drop constraint notifications_topic_check;
alter table notifications add constraint notifications_topic_check check (topic ~ '^[a-z_]{1,30}$');
