import { describe, expect, test } from 'vitest';
import { poolFields } from './pools.ts';

const good = {
  name: 'Soko Pool',
  min_contribution: '1000.00',
  min_contribution_perc: '20',
  min_member_period: '90',
  base_risk_percentage: '3.00',
  risk_weight_factor: '1.5',
  min_trust_score: '50',
};

const firstError = (fields: Record<string, unknown>) => {
  const result = poolFields.safeParse({ ...good, ...fields });
  return result.success ? null : [result.error.issues[0]?.path.join('.'), result.error.issues[0]?.message];
};

test('the seven fields come as text and become whole cents, hundredths, days and points', () => {
  const parsed = {
    name: 'Soko Pool',
    min_contribution: 1_000_00,
    min_contribution_perc: 2_000,
    min_member_period: 90,
    base_risk_percentage: 300,
    risk_weight_factor: 150,
    min_trust_score: 50,
  };
  expect(poolFields.parse(good)).toEqual(parsed);
  const asNumbers = { min_contribution: 1000, min_contribution_perc: 20, min_member_period: 90 };
  expect(poolFields.parse({ ...good, ...asNumbers })).toEqual(parsed);
  expect(poolFields.parse({ ...good, name: '  Soko \n Pool ' })).toEqual(parsed);
});

describe('each number keeps to its limits', () => {
  test.each([
    ['min_contribution', '1.00', '10000000.00', '0.99', '10000000.01'],
    ['min_contribution_perc', '10', '100', '9.99', '100.01'],
    ['min_member_period', '0', '1095', '-1', '1096'],
    ['base_risk_percentage', '0.00', '20.00', '-1', '20.01'],
    ['risk_weight_factor', '0', '3.00', '-0.5', '3.01'],
    ['min_trust_score', '40', '100', '39', '101'],
  ])('%s is taken from %s to %s', (field, least, most, below, above) => {
    expect(firstError({ [field]: least })).toBeNull();
    expect(firstError({ [field]: most })).toBeNull();
    expect(firstError({ [field]: Number(most) })).toBeNull();
    expect(firstError({ [field]: below })?.[0]).toBe(field);
    expect(firstError({ [field]: above })?.[0]).toBe(field);
  });

  test.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '1e3',
    '1.234',
    '1,00',
    '1..',
    '.5',
    '0x10',
    '፲',
    'ten',
    '5%',
    '--1',
    null,
    undefined,
    [],
    {},
    true,
  ])('a contribution of %j is refused with a sentence', (value) => {
    expect(firstError({ min_contribution: value })).toEqual([
      'min_contribution',
      'Enter a number from 1.00 to 10000000.00 with at most two decimals.',
    ]);
  });

  test.each([1e21, 1e-7, 0.001, Number.NaN, Number.POSITIVE_INFINITY])('the number %d is refused', (value) => {
    expect(firstError({ min_contribution: value })?.[0]).toBe('min_contribution');
  });

  test.each(['min_member_period', 'min_trust_score'])('%s is whole', (field) => {
    expect(firstError({ [field]: '50.50' })?.[1]).toMatch(/^Enter a whole number/);
    expect(firstError({ [field]: '50.00' })).toBeNull();
  });
});

describe('the name', () => {
  test.each([
    ['ab', false],
    ['abc', true],
    ['a'.repeat(80), true],
    ['a'.repeat(81), false],
    ['   ab   ', false],
    ['Ab\u202Ecd', false],
    ['', false],
    [7, false],
  ])('%j', (name, isGood) => {
    expect(firstError({ name }) === null).toBe(isGood);
  });
});
