import { money } from './market-words.ts';
import { bandOf, type TermsRow } from './terms.rules.ts';

interface Sentences {
  readonly en: string;
  readonly sw: string;
}

/** What of a market's rules changes and to what, a short sentence for each, in the order of the officials' own list. */
export function newRulesInWords(before: TermsRow, after: TermsRow, shareValueCents: number): Sentences {
  const sentences = [
    ...changed(before, after, ['fee_basis_points'], feeWords),
    ...changed(before, after, ['fee_min_cents'], ({ fee_min_cents: least }) => ({
      en: `The least fee of an order will be ${money(least)}.`,
      sw: `Ada ya chini ya agizo itakuwa ${money(least)}.`,
    })),
    ...changed(before, after, ['price_mode', 'floor_percentage', 'ceiling_percentage'], (terms) =>
      priceWords(terms, shareValueCents),
    ),
    ...changed(before, after, ['tick_cents'], ({ tick_cents: tick }) => ({
      en: `Prices will go in steps of ${money(tick)}.`,
      sw: `Bei zitakwenda kwa hatua za ${money(tick)}.`,
    })),
    ...changed(before, after, ['lot'], lotWords),
    ...changed(before, after, ['order_days_max'], ({ order_days_max: days }) => ({
      en: `An order will wait ${days} days at most.`,
      sw: `Agizo litasubiri siku ${days} tu.`,
    })),
  ];
  return { en: sentences.map(({ en }) => en).join(' '), sw: sentences.map(({ sw }) => sw).join(' ') };
}

/** Whether some order that fits the rules of before may not fit those of after (close-unfit.ts). */
export function mayCloseOrders(before: TermsRow, after: TermsRow): boolean {
  const names = ['price_mode', 'floor_percentage', 'ceiling_percentage', 'tick_cents', 'lot'] as const;
  return after.order_days_max < before.order_days_max || names.some((name) => after[name] !== before[name]);
}

function changed(
  before: TermsRow,
  after: TermsRow,
  names: readonly (keyof TermsRow)[],
  words: (terms: TermsRow) => Sentences,
): Sentences[] {
  return names.some((name) => before[name] !== after[name]) ? [words(after)] : [];
}

function feeWords({ fee_basis_points: points }: TermsRow): Sentences {
  const fee = `${points / 100}%`;
  return { en: `The fee will be ${fee}.`, sw: `Ada itakuwa ${fee}.` };
}

function priceWords(terms: TermsRow, shareValueCents: number): Sentences {
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  if (terms.price_mode === 'par') {
    const value = money(shareValueCents);
    return {
      en: `Shares will be traded at their value only, ${value}.`,
      sw: `Hisa zitauzwa kwa thamani yake tu, ${value}.`,
    };
  }
  const [floor, ceiling] = [money(floorCents), money(ceilingCents)];
  return {
    en: `Prices will be from ${floor} to ${ceiling}.`,
    sw: `Bei zitakuwa kuanzia ${floor} hadi ${ceiling}.`,
  };
}

function lotWords({ lot }: TermsRow): Sentences {
  if (lot === 1) return { en: 'Any number of shares will be traded.', sw: 'Hisa zitauzwa kwa idadi yoyote.' };
  return { en: `Shares will be traded in lots of ${lot}.`, sw: `Hisa zitauzwa kwa mafungu ya ${lot}.` };
}
