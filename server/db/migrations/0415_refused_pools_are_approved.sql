-- What one operator has refused another one still approves. The policy knew waiting pools only, so that such an approval changed nothing.
drop policy operator_reviews on pools;
create policy operator_reviews on pools for update to ushirika_member
  using ((select is_operator()) and (review = 'waiting' or review = 'refused' and reviewed_by <> (select person_id())))
  with check (reviewed_by = (select person_id()));
