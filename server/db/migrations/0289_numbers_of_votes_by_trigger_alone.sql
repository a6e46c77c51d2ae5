-- A function with its owner's rights is nobody's to call: the trigger alone gives a vote its number.
revoke execute on function proposal_gets_number from public;
