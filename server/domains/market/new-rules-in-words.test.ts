import { inWords } from '@ushirika/contract/in-words';
import { joined } from '@ushirika/contract/sentence';
import { expect, test } from 'vitest';
import { mayCloseOrders, newRulesInWords } from './new-rules-in-words.ts';

const before = {
  price_mode: 'band',
  floor_percentage: 90,
  ceiling_percentage: 110,
  tick_cents: 100,
  lot: 1,
  fee_basis_points: 50,
  fee_min_cents: 1000,
  order_days_max: 90,
  trading: 'open',
} as const;
const words = (rules: object) => joined(newRulesInWords(before, { ...before, ...rules }, 100_00).parts);
const english = (rules: object) => inWords(words(rules), 'en');
const swahili = (rules: object) => inWords(words(rules), 'sw');

test('each rule that changes has a sentence, and unchanged rules have none', () => {
  expect(english({ fee_basis_points: 60 })).toBe('The fee will be 0.6%.');
  expect(swahili({ fee_basis_points: 60 })).toBe('Ada itakuwa 0.6%.');
  expect(english({ fee_min_cents: 500, floor_percentage: 98, ceiling_percentage: 101, tick_cents: 50, lot: 5 })).toBe(
    'The least fee of an order will be Ksh.\u00a05.00. Prices will be from Ksh.\u00a098.00 to Ksh.\u00a0101.00. Prices will go in steps of Ksh.\u00a00.50. Shares will be traded in lots of 5.',
  );
  expect(swahili({ price_mode: 'par', order_days_max: 30 })).toBe(
    'Hisa zitauzwa kwa thamani yake tu, Ksh.\u00a0100.00. Agizo litasubiri siku 30 tu.',
  );
});

test('a change of the fee closes no order', () => {
  expect(mayCloseOrders(before, { ...before, fee_basis_points: 300, fee_min_cents: 0 })).toBe(false);
  expect(mayCloseOrders(before, { ...before, lot: 2 })).toBe(true);
  expect(mayCloseOrders({ ...before, order_days_max: 30 }, before)).toBe(false);
});
