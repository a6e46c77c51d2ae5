-- Officials see who has given notice to leave their sacco, and whom members have expelled (domain: membership).

create policy officials on exit_requests for select to ushirika_member using (sacco_id = any ((select my_offices())::uuid[]));
create policy officials on expulsions for select to ushirika_member using (sacco_id = any ((select my_offices())::uuid[]));
