import { QUALIFYING_DAYS } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { daysSaid, joined, longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { BorrowerFacts, Wanted } from './loan-limits.ts';
import { type LimitPart, partOfCapital, savingsThatCount } from './loans.rules.ts';

const DAY_MS = 86_400_000;

/** Who reads a limit: the borrower, or an official who decides about the loan. */
export type LimitReader = 'borrower' | 'official';

/** Why somebody gets no loan at all now. */
export type LoanBar =
  | 'sacco_inactive'
  | 'too_few_officials'
  | 'provisional'
  | 'leaving'
  | 'unseen'
  | 'too_new'
  | 'in_arrears';

/** What limits a loan, one sentence for each part. */
export function limitTexts(
  facts: BorrowerFacts,
  { terms }: Wanted,
  reader: LimitReader,
): Record<LimitPart['kind'], Sentence> {
  const shown = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  const values = {
    times: terms.multiplier / 100,
    savings: shown(savingsThatCount(facts.savings.free + facts.savings.pledged, facts.recent).counts),
    owed: shown(facts.standing.otherPrincipal),
  };
  const ofCapital = {
    capital: shown(facts.coreCapital),
    tenth: shown(partOfCapital(facts.coreCapital)),
    owed: values.owed,
  };
  const isBorrower = reader === 'borrower';
  const isOwing = facts.standing.otherPrincipal > 0;
  return {
    savings: isBorrower
      ? joined([timesSavings(isOwing, values), whichSavings(facts)])
      : sentence('{times} times the savings of {savings} that count, less {owed} owed or asked for already.', values),
    product: sentence('The most that is lent by the product “{product}”.', { product: terms.name }),
    core_capital: isBorrower
      ? capitalText(isOwing, ofCapital)
      : sentence(
          'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}, less {owed} owed or asked for already.',
          ofCapital,
        ),
    ability: isBorrower
      ? sentence('The instalment takes two thirds of what you have left a month at most.')
      : sentence('The instalment takes two thirds of what the borrower has left a month at most.'),
  };
}

type Said = Readonly<Record<string, string | number>>;

const timesSavings = (isOwing: boolean, values: Said): Sentence =>
  isOwing
    ? sentence(
        '{times} times your savings of {savings} that count, less the {owed} that you owe or have asked for.',
        values,
      )
    : sentence('{times} times your savings of {savings} that count.', values);

const capitalText = (isOwing: boolean, values: Said): Sentence =>
  isOwing
    ? sentence(
        'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}, less the {owed} that you owe or have asked for.',
        values,
      )
    : sentence(
        'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}.',
        values,
      );

/** Which of the borrower's savings count, since when, and what does not count yet. */
function whichSavings({ savings: { free, pledged }, recent, now }: BorrowerFacts): Sentence {
  const shown = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  const { later, regular } = savingsThatCount(free + pledged, recent);
  const values = {
    all: shown(free + pledged),
    later: shown(later),
    regular: shown(regular),
    since: longDate(new Date(now.getTime() - QUALIFYING_DAYS * DAY_MS)),
  };
  const notYet = sentence(
    'Of your {all} in savings, pledged ones too, {later} that came in after {since} does not count yet: it does once it is 90 days old.',
    values,
  );
  if (regular === 0) {
    return later > 0
      ? notYet
      : sentence(
          'All your {all} count, pledged ones too. What you save from now on counts once it is 90 days old.',
          values,
        );
  }
  return joined([
    later > 0 ? notYet : sentence('All your {all} count, pledged ones too.', values),
    sentence(
      'Of new savings, {regular} in every 30 days counts at once. You saved at least that much in each of the three 30-day periods before the last 90 days. More than that counts once it is 90 days old.',
      values,
    ),
  ]);
}

/** Why somebody gets no loan at all now, to the borrower or to an official. */
export function barText(
  bar: LoanBar,
  { saccoName: name }: Pick<BorrowerFacts, 'saccoName'>,
  terms: Pick<Wanted['terms'], 'min_member_days'>,
  reader: LimitReader,
): Sentence {
  const isBorrower = reader === 'borrower';
  const days = daysSaid(terms.min_member_days);
  const texts: Record<LoanBar, Sentence> = {
    sacco_inactive: sentence('{name} is not active: it gives no loans now.', { name }),
    provisional: isBorrower
      ? sentence('Pay the minimum shares first: then you may borrow.')
      : sentence('The borrower has not paid the minimum shares.'),
    leaving: isBorrower
      ? sentence(
          'You have given notice to {name}, or its members have voted that you leave. You take no new loan there.',
          { name },
        )
      : sentence('The borrower has given notice, or members have voted that they leave.'),
    too_few_officials: isBorrower
      ? sentence(
          '{name} has too few officials now to decide about this loan and to pay it out. Apply once others are named.',
          { name },
        )
      : sentence('The sacco has too few officials to decide about this loan and to pay it out.'),
    unseen: isBorrower
      ? sentence(
          'Show your ID card to an official of {name} first: nobody borrows under a name whose card was not seen.',
          { name },
        )
      : sentence('No official of the sacco has seen the borrower’s ID card under this name.'),
    too_new: isBorrower
      ? sentence('You can borrow once you have been a member for {days}.', { days })
      : sentence('The borrower has been a member for less than {days}.', { days }),
    in_arrears: isBorrower
      ? sentence('An instalment of yours is overdue, or your guarantors are not paid back. Pay first.')
      : sentence('An instalment of the borrower is overdue, or their guarantors are not paid back.'),
  };
  return texts[bar];
}
