-- An operator who credits money in suspense runs in the members' role, which may not write payments of loans: the trigger of 0231 does it
-- with the owner's rights, as the one of 0152 runs with the platform's.
alter function receipt_is_for_loan() security definer;
revoke execute on function receipt_is_for_loan() from public;
