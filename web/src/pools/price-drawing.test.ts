import type { PriceExample } from '@ushirika/contract/pools';
import { expect, test } from 'vitest';
import { drawPrices } from './price-drawing.ts';

const example = (trust_score: number, utilisation_after: number, risk_percentage: number): PriceExample => ({
  trust_score,
  utilisation_after,
  risk_weight: 1,
  crowding: 0,
  risk_percentage,
  amount: 10_000,
  period_months: 12,
  fee: risk_percentage * 54,
});

test('a price is level up to the kink and rises from there to that of a full pool', () => {
  const examples = [example(60, 0.3, 4), example(60, 1, 8), example(60, 0.8, 6), example(100, 0.3, 3)];
  const drawn = drawPrices(examples, { utilisation: 0.5, kink: 0.6 }, { width: 100, height: 88 });
  expect(drawn.lines).toEqual([
    { trust: 60, quiet: 4, busy: 6, full: 8, fees: [216, 324, 432], path: 'M0 48L60 48L100 8' },
  ]);
  expect([drawn.now, drawn.kink, drawn.most]).toEqual([50, 60, 8]);
});

test('a pool that is fuller than full is drawn at its edge, and one without prices is empty', () => {
  const drawn = drawPrices([], { utilisation: 1.4, kink: 0.6 }, { width: 100, height: 88 });
  expect(drawn.lines).toEqual([]);
  expect(drawn.now).toBe(100);
});
