-- Strangers see what an operator has looked at (docs/decisions/163).

-- A pool is for everybody once an operator has approved it, or five members stand behind it. Until then it is for whoever made
-- it, for its members, and for the members of its sacco. One that an operator refused stays theirs. Pools of before wait, too.
alter table pools
  add column review text not null default 'waiting' check (review in ('waiting', 'approved', 'refused')),
  add column reviewed_by uuid references users (id),
  add column reviewed_at timestamptz,
  add column review_reason text check (length(review_reason) between 5 and 500),
  add check ((review = 'waiting') = (reviewed_by is null)
    and (reviewed_by is null) = (reviewed_at is null) and (reviewed_by is null) = (review_reason is null));
alter table pools
  add column is_public boolean not null
    generated always as (review = 'approved' or review = 'waiting' and members_count >= 5) stored;
create index pools_public on pools (id desc) where is_public;
create index pools_by_review on pools (review, id);
create index pools_by_creator on pools (created_by);

-- A refused pool holds no name.
alter table pools drop constraint pools_name_once;
create unique index pools_name_once on pools (sacco_id, name_folded) nulls not distinct where review <> 'refused';
drop index pools_name_looks_once;
create unique index pools_name_looks_once on pools (sacco_id, name_skeleton) nulls not distinct
  where name_skeleton is not null and review <> 'refused';

drop policy everybody on pools;
create policy person_reads on pools for select to ushirika_member
  using (is_public or created_by = (select person_id()) or sacco_id = any ((select my_saccos())::uuid[])
    or id = any ((select my_pools())::uuid[]) or (select is_operator()));
grant update (review, reviewed_by, reviewed_at, review_reason) on pools to ushirika_member;
create policy operator_reviews on pools for update to ushirika_member
  using ((select is_operator())) with check (reviewed_by = (select person_id()));
-- What belongs to a pool is seen by whoever sees the pool.
drop policy everybody on pool_parameters;
create policy who_sees_the_pool on pool_parameters for select to ushirika_member
  using (exists (select from pools p where p.id = pool_id));
drop policy everybody on pool_stewards;
create policy who_sees_the_pool on pool_stewards for select to ushirika_member
  using (exists (select from pools p where p.id = pool_id));
drop policy everybody on pool_events;
create policy who_sees_the_pool on pool_events for select to ushirika_member
  using (exists (select from pools p where p.id = pool_id));

-- Of a sacco that waits for its activation, the logo and the officials are for its founder, its officials and operators.
drop policy everybody on sacco_logos;
create policy person_reads on sacco_logos for select to ushirika_member
  using (exists (select from saccos s where s.id = sacco_id
                   and (s.state <> 'pending' or s.created_by = (select person_id())))
    or sacco_id = any ((select my_offices())::uuid[]) or (select is_operator()));
drop policy everybody on offices;
create policy person_reads on offices for select to ushirika_member
  using (exists (select from saccos s where s.id = sacco_id
                   and (s.state <> 'pending' or s.created_by = (select person_id())))
    or sacco_id = any ((select my_offices())::uuid[]) or (select is_operator()));
