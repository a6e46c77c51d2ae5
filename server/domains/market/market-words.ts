import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';

/** As they stand in the market's sentences. */
export const money = (cents: Cents): string => formatShillings(shillingsFromCents(cents));
