import { expect, test } from 'vitest';
import { inGroups, recoveryText } from './recovery-text.ts';

test('a key is read in groups of four', () => {
  expect(inGroups('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP');
  expect(inGroups('JBSWY')).toBe('JBSW Y');
});

test('saved recovery codes say whose they are, one on a line', () => {
  expect(recoveryText('E1234567', ['AAAA-BBBB', 'CCCC-DDDD'])).toBe('Ushirika E1234567\n\nAAAA-BBBB\nCCCC-DDDD\n');
});
