-- One person takes back the record of another person's card once (domain: identity; docs/decisions/180). One official took opponents off the roll.
create function card_taken_back_once() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from identity_checks c where c.user_id = new.user_id and c.id <> new.id and c.end_kind = 'withdrawn'
      and (c.ended_by = new.ended_by or share_identity(c.ended_by, new.ended_by))) then
    raise exception 'that person has taken a record of this card back before' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke execute on function card_taken_back_once from public;
create trigger card_taken_back_once before update on identity_checks
  for each row when (new.end_kind = 'withdrawn' and old.end_kind is null) execute function card_taken_back_once();
