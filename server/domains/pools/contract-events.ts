import type { POOL_CONTRACT_EVENTS } from '@ushirika/contract/pools';
import { type Sentence, sentence } from '@ushirika/contract/sentence';

type Event = (typeof POOL_CONTRACT_EVENTS)[number];

/** What happened to a guarantee, as a timeline says it. */
const words: Readonly<Record<Event, Sentence>> = {
  approved: sentence('The guarantee was approved and the money locked.'),
  attached: sentence('A loan application named it.'),
  given_back: sentence('The borrower gave it back: no loan had used it.'),
  activated: sentence('The loan was paid out and the fee paid.'),
  released_part: sentence('Principal was repaid, and a part of the locks is free again.'),
  reminded: sentence('The loan is late. The borrower and those who back it were told.'),
  demanded: sentence('The sacco demands the guarantee: the loan is 60 days late.'),
  disputed: sentence('A steward disputes the demand.'),
  dispute_upheld: sentence('The supervisory committee took the demand back.'),
  dispute_refused: sentence('The supervisory committee decided that the demand stands.'),
  dispute_lapsed: sentence('The supervisory committee did not decide within 14 days: the demand stands.'),
  cured: sentence('The borrower paid what was late.'),
  called: sentence('The guarantee was called.'),
  settled: sentence('The pool paid the sacco.'),
  recovered_part: sentence('The borrower paid a part back.'),
  recovered: sentence('The borrower paid everything back.'),
  written_off: sentence('The stewards gave the rest of the claim up in the books. It stays owed.'),
  released: sentence('The guarantee is over, and all locks are free.'),
};

const BY_VOTE = sentence('Members of the pool gave the rest of the claim up in the books, by a vote. It stays owed.');

/** Without a person who did it a claim was given up by a vote. */
export const contractEventSaid = (event: Event, isByNobody: boolean): Sentence =>
  event === 'written_off' && isByNobody ? BY_VOTE : words[event];
