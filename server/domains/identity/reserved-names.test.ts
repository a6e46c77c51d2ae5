import { expect, test } from 'vitest';
import { isReservedForPersons, isReservedName } from './reserved-names.ts';

test.each([
  'Safaricom Fuliza Support',
  'SAFAR1COM Investment',
  'Safari Com Loans',
  'M-Pesa Loans',
  'M Pesa Loans',
  'MPESA Agents',
  'Mpesa Boost',
  'Central  Bank Savings',
  'The CBK Group',
  'Approved by S.A.S.R.A',
  'Ushirika Security. Your account is LOCKED',
  'Ushirika',
  'Ushirika Msaada',
  'Ush1rika Support',
])('%s is not for a sacco, a pool or a person', (name) => {
  expect(isReservedName(name)).toBe(true);
});

test.each([
  'Ushirika wa Wavuvi',
  'Kenya Ushirika Savings',
  'Mwangaza Traders Sacco',
  'Central Kenya Farmers',
  'Benki ya Kijiji',
  'Safari Guides Chama',
  'Help One Another Chama',
  'Wanjiru Kamau',
  'Pesa Yetu Pool',
])('%s may be had', (name) => {
  expect(isReservedName(name)).toBe(false);
});

test.each(['Ushirika Team', 'Customer Care', 'Ushirika Wanjiru', 'Chair Umoja', 'Treasurer Kamau', 'Adm1n Otieno'])(
  '%s is nobody’s own name',
  (name) => {
    expect(isReservedForPersons(name)).toBe(true);
  },
);

test.each(['Wanjiru Kamau', 'Grace Teamo', 'Careen Atieno'])('%s may be a person’s', (name) => {
  expect(isReservedForPersons(name)).toBe(false);
});
