import type { DeclineReason } from '@ushirika/contract/pools';
import { longDate, type Sentence, sentence, type When } from '@ushirika/contract/sentence';

/* Why a guarantee is declined, as its borrower reads it. */

/** Reasons that stand until a day. */
type Dated = 'undrawn' | 'unused_lately';

const words: Readonly<Record<Exclude<DeclineReason, Dated>, Sentence>> = {
  pool_not_open: sentence('The pool issues no guarantees now.'),
  member_too_short: sentence('You have not been in the pool long enough.'),
  identity_not_seen: sentence(
    'No official of the pool’s sacco, and no operator, has recorded that your ID card was seen.',
  ),
  phone_unconfirmed: sentence('Your phone number is not confirmed.'),
  account_held: sentence('Your account is held for 24 hours after a new password or phone.'),
  conflict: sentence(
    'Above its automatic limit two stewards of a pool decide, with money of theirs in it, and neither is related to you. Too few could here. Ask for less, or ask members.',
  ),
  arrears: sentence('A loan of yours is more than 30 days late.'),
  nobody_decides: sentence(
    'Nobody could decide about your loan: too many of those who decide have money in this pool. Ask another pool, or members.',
  ),
  called_lately: sentence('A guarantee of yours was called in the last 12 months.'),
  trust_too_low: sentence('Your trust score is below what the pool asks for.'),
  own_position_too_small: sentence('Your own free position in the pool is too small for this amount.'),
  capacity: sentence('The pool cannot take on that much more now.'),
  borrower_share: sentence(
    'Your guarantees, and those of accounts related to yours, would pass the pool’s share for one borrower.',
  ),
  cover_too_large: sentence('A pool covers only a part of a loan, and this is more.'),
  too_many_contracts: sentence('You have as many guarantees of this pool as one borrower may have.'),
  // Not what that account has, nor until when: nobody reads it of another by looking related.
  relative: sentence('An account that is related to yours stands against it. Ask another pool, or members.'),
  others_too_small: sentence('The other members do not have that much free.'),
  terms_changed: sentence('The terms of the pool have changed by a vote. Ask once more.'),
  stewards: sentence('The stewards declined it.'),
};

const dated: Readonly<Record<Dated, (day: When) => Sentence>> = {
  undrawn: (day) =>
    sentence(
      'You have a guarantee of this pool that no loan uses yet, or have asked for one. It ends on {day} at the latest.',
      { day },
    ),
  unused_lately: (day) =>
    sentence(
      'A guarantee of this pool for you was not used. You wait as long as its money was locked: ask again after {day}.',
      { day },
    ),
};

/** @param day until when it stands; null for a reason that no day ends */
export function reasonSaid(reason: DeclineReason, day: Date | null): Sentence {
  if (reason !== 'undrawn' && reason !== 'unused_lately') return words[reason];
  if (day === null) throw new Error(`The reason ${reason} has a day.`);
  return dated[reason](longDate(day));
}
