import { expect, test } from 'vitest';
import { heldOf } from './sale-proceeds.rules.ts';

const at = (text: string) => new Date(`2026-11-${text}:00Z`);
const sale = (text: string, shillings: number) => ({ startsAt: at(text), cents: 100 * shillings });
const held = (sales: readonly ReturnType<typeof sale>[], now: string) => {
  const found = heldOf(sales, at(now), 1_000_00);
  return found && [found.cents / 100, found.until.toISOString().slice(8, 16)];
};

test('Kes 1,000 of what sales brought may be withdrawn at once, and the rest a day after the quarter of an hour', () => {
  expect(held([], '23T10:00')).toBeNull();
  expect(held([sale('23T10:00', 1_000)], '23T10:05')).toBeNull();
  expect(held([sale('23T10:00', 4_500)], '23T10:05')).toEqual([3_500, '24T10:15']);
  expect(held([sale('23T10:00', 4_500)], '24T10:14')).toEqual([3_500, '24T10:15']);
  expect(held([sale('23T10:00', 4_500)], '24T10:15')).toBeNull();
});

test('the oldest sales become free first, and the date is when all may be withdrawn', () => {
  const sales = [sale('23T08:00', 600), sale('23T09:00', 2_000), sale('23T10:00', 700)];
  // The last 700 are less than the small sum: once the sales of nine o'clock are free, all is free.
  expect(held(sales, '23T10:05')).toEqual([2_300, '24T09:15']);
  expect(held(sales, '24T08:20')).toEqual([1_700, '24T09:15']);
  expect(held(sales, '24T09:15')).toBeNull();
});
