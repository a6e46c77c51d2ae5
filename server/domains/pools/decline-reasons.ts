import type { DeclineReason } from '@ushirika/contract/pools';
import { type Sentence, sentence } from '@ushirika/contract/sentence';

/** Why a guarantee is declined, as its borrower reads it. */
const words: Readonly<Record<DeclineReason, Sentence>> = {
  pool_not_open: sentence('The pool issues no guarantees now.'),
  member_too_short: sentence('You have not been in the pool long enough.'),
  identity_not_seen: sentence('No official has recorded that your ID card was seen.'),
  phone_unconfirmed: sentence('Your phone number is not confirmed.'),
  account_held: sentence('Your account is held for 24 hours after a new password or phone.'),
  conflict: sentence('You are the only steward of this pool, and nobody decides for themselves.'),
  arrears: sentence('A loan of yours is more than 30 days late.'),
  called_lately: sentence('A guarantee of yours was called in the last 12 months.'),
  trust_too_low: sentence('Your trust score is below what the pool asks for.'),
  own_position_too_small: sentence('Your own free position in the pool is too small for this amount.'),
  capacity: sentence('The pool cannot take on that much more now.'),
  borrower_share: sentence(
    'Your guarantees, and those of accounts related to yours, would pass the pool’s share for one borrower.',
  ),
  cover_too_large: sentence('A pool covers only a part of a loan, and this is more.'),
  too_many_contracts: sentence('You have as many guarantees of this pool as one borrower may have.'),
  others_too_small: sentence('The other members do not have that much free.'),
  stewards: sentence('The stewards declined it.'),
};

export const reasonSaid = (reason: DeclineReason): Sentence => words[reason];
