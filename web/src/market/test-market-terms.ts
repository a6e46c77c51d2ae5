import type { MarketTerms } from '@ushirika/contract/market';

/** For tests: a market in a band from 90 to 110 around a share of Ksh. 100, at half a percent and at least Ksh. 10. */
export const terms: MarketTerms = {
  price_mode: 'band',
  share_value: 100,
  floor: 90,
  ceiling: 110,
  floor_percentage: 90,
  ceiling_percentage: 110,
  tick: 1,
  lot: 1,
  fee_percentage: 0.5,
  fee_min: 10,
  order_days_max: 90,
  trading: 'open',
};
