import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { LoanRow } from './loan-rows.ts';
import { isForManager, needsSecondTier, type Voices } from './review.rules.ts';

/** Who decides about a round and why, a sentence each, for the officials; nothing before it was submitted. */
export function whoDecides(loan: LoanRow, voices: Voices): Sentence[] {
  const { judged_cents: judged, committee_alone_cents: committee, manager_alone_cents: manager } = loan;
  if (judged === null || committee === null || manager === null) return [];
  const words = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  const besides = judged - loan.amount_cents;
  return [
    who({ loan, voices, amount: words(judged), committee: words(committee), manager: words(manager) }),
    ...(besides > 0
      ? [sentence('Other loans of the borrower count: {amount} of it.', { amount: words(besides) })]
      : []),
    ...(judged <= manager && !isForManager(loan, voices)
      ? [sentence('The manager no longer decides alone: one of the committee has said no.')]
      : []),
  ];
}

interface Filled {
  readonly loan: LoanRow;
  readonly voices: Voices;
  readonly amount: string;
  readonly committee: string;
  readonly manager: string;
}

function who({ loan, voices, amount, committee, manager }: Filled): Sentence {
  if (isForManager(loan, voices)) {
    return sentence(
      'The manager alone, or two of the credit committee: {amount} is not above the {limit} of the manager.',
      { amount, limit: manager },
    );
  }
  if (needsSecondTier(loan)) {
    return sentence(
      'Two of the credit committee, and treasurer or chair: {amount} is above the {limit} of the committee.',
      { amount, limit: committee },
    );
  }
  return sentence('Two of the credit committee: {amount} is not above the {limit} that it decides alone.', {
    amount,
    limit: committee,
  });
}
