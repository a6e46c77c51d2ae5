import { expect, test } from 'vitest';
import { payerNameState } from './payer-name.rules.ts';

const of = (firstName: string, lastName: string, payer: string) => payerNameState({ firstName, lastName }, payer);

test.each([
  ['Wanjiru', 'Kamau', 'WANJIRU KAMAU', 'agrees'],
  // M-Pesa has all the names of the ID card, the account two of them; or the other way round; or in another order.
  ['Wanjiru', 'Kamau', 'WANJIRU NJOKI KAMAU', 'agrees'],
  ['Wanjiru Njoki', 'Kamau', 'Kamau Wanjiru', 'agrees'],
  ['Wanjirũ', "Ng'ang'a", 'WANJIRU NGANGA', 'agrees'],
  ['Wanjiru', 'Kamau', 'JOHN KAMAU', 'differs'],
  ['Wanjiru', 'Kamau', 'WANJIRU NJOKI', 'differs'],
  ['Wanjiru Njoki', 'Kamau', 'WANJIRU OTIENO KAMAU', 'differs'],
  // Too little to say anything.
  ['Wanjiru', 'Kamau', 'WANJIRU', null],
  ['Wanjiru', 'Wanjiru', 'WANJIRU KAMAU', null],
  ['Wanjiru', 'Kamau', 'WANJIRU K****', null],
  ['Wanjiru', 'Kamau', '', null],
])('%s %s, whom M-Pesa calls “%s”: %s', (first, last, payer, state) => {
  expect(of(first, last, payer)).toBe(state);
});
