import { expect, test } from 'vitest';
import { CallFailure } from '../api/failure.ts';
import { besideTheirFields, priceOf, unfitToSell } from './sell-refusals.ts';
import { terms } from './test-market-terms.ts';

const limits = { free: 32, most: 22, mustStay: 10, terms };
const fields = (shares: string, price: string, more: Partial<typeof limits> = {}) => {
  const found = unfitToSell({ shares, price }, { ...limits, ...more })?.fields ?? {};
  return Object.fromEntries(Object.entries(found).map(([name, words]) => [name, words.replaceAll('\u00a0', ' ')]));
};

test('a price is shillings with at most two decimals', () => {
  expect(priceOf(' 1,204.50 ')).toBe(1204.5);
  for (const text of ['', '0', '-4', '98.005', '1e3', 'ten']) expect(priceOf(text), text).toBeNull();
});

test('an order to sell that fits is sent', () => {
  expect(unfitToSell({ shares: '22', price: '97.00' }, limits)).toBeNull();
});

test('more than is free, and what must stay, is refused beside the shares', () => {
  expect(fields('33', '97')).toEqual({ shares: 'You have 32 free shares.' });
  expect(fields('23', '97')).toEqual({ shares: '10 shares must stay yours: sell 22 at most.' });
  expect(fields('23', '97', { most: 32, mustStay: 0 })).toEqual({});
  expect(fields('3', '97', { terms: { ...terms, lot: 5 } })).toEqual({ shares: 'Shares are traded in lots of 5.' });
  const leaving = { most: 32, mustStay: 0, terms: { ...terms, lot: 5 } };
  expect(fields('31', '97', leaving)).toEqual({ shares: 'Shares are traded in lots of 5.' });
  expect(fields('32', '97', leaving)).toEqual({});
});

test('a price that the sacco does not allow is refused beside the price', () => {
  expect(fields('5', '97.50')).toEqual({ price: 'A price from Ksh. 90.00 to Ksh. 110.00, in steps of Ksh. 1.00.' });
  expect(fields('0', '120')).toHaveProperty('shares');
});

test('a refusal of the server stands beside the field that it is about', () => {
  const refused = (code: string) => CallFailure.fromAnswer(422, { code, message: 'No.' });
  expect(besideTheirFields(refused('minimum_holding'))).toEqual({ toasts: ['No.'], fields: { shares: 'No.' } });
  expect(besideTheirFields(refused('self_trade')).fields).toEqual({ price: 'No.' });
  expect(besideTheirFields(refused('trading_blocked'))).toEqual({ toasts: ['No.'], fields: {} });
});
