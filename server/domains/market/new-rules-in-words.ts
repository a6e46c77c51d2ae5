import { daysSaid, type Sentence, type Several, sentence, several } from '@ushirika/contract/sentence';
import { money } from './market-words.ts';
import { bandOf, type TermsRow } from './terms.rules.ts';

/** A short sentence for each rule that changes, in the order of the officials' page. */
export function newRulesInWords(before: TermsRow, after: TermsRow, shareValueCents: number): Several {
  return several([
    ...changed(before, after, ['fee_basis_points'], feeWords),
    ...changed(before, after, ['fee_min_cents'], ({ fee_min_cents: least }) =>
      sentence('The least fee of an order will be {least}.', { least: money(least) }),
    ),
    ...changed(before, after, ['price_mode', 'floor_percentage', 'ceiling_percentage'], (terms) =>
      priceWords(terms, shareValueCents),
    ),
    ...changed(before, after, ['tick_cents'], ({ tick_cents: tick }) =>
      sentence('Prices will go in steps of {tick}.', { tick: money(tick) }),
    ),
    ...changed(before, after, ['lot'], lotWords),
    ...changed(before, after, ['order_days_max'], ({ order_days_max: days }) =>
      sentence('An order will wait {days} at most.', { days: daysSaid(days) }),
    ),
    ...changed(before, after, ['trading'], ({ trading }) =>
      trading === 'closed'
        ? sentence('The market will be closed: open orders wait, and can be cancelled.')
        : sentence('The market will be open again.'),
    ),
  ]);
}

/** Whether orders that fit the old rules may not fit the new ones (close-unfit.ts). */
export function mayCloseOrders(before: TermsRow, after: TermsRow): boolean {
  const names = ['price_mode', 'floor_percentage', 'ceiling_percentage', 'tick_cents', 'lot'] as const;
  return after.order_days_max < before.order_days_max || names.some((name) => after[name] !== before[name]);
}

function changed(
  before: TermsRow,
  after: TermsRow,
  names: readonly (keyof TermsRow)[],
  words: (terms: TermsRow) => Sentence,
): Sentence[] {
  return names.some((name) => before[name] !== after[name]) ? [words(after)] : [];
}

function feeWords({ fee_basis_points: points }: TermsRow): Sentence {
  return sentence('The fee will be {fee}.', { fee: `${points / 100}%` });
}

function priceWords(terms: TermsRow, shareValueCents: number): Sentence {
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  if (terms.price_mode === 'par') {
    return sentence('Shares will be traded at their value only, {value}.', { value: money(shareValueCents) });
  }
  return sentence('Prices will be from {floor} to {ceiling}.', {
    floor: money(floorCents),
    ceiling: money(ceilingCents),
  });
}

function lotWords({ lot }: TermsRow): Sentence {
  if (lot === 1) return sentence('Any number of shares will be traded.');
  return sentence('Shares will be traded in lots of {lot}.', { lot });
}
