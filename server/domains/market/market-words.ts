import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';

/** An amount as the market's sentences show it. */
export const money = (cents: Cents): string => formatShillings(shillingsFromCents(cents));
