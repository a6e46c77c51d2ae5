import { expect, test } from 'vitest';
import { nameIn } from './statement.ts';

test('a statement is saved under the name that the server gives it', () => {
  expect(nameIn('attachment; filename="statement-2026-11.pdf"')).toBe('statement-2026-11.pdf');
  expect(nameIn('attachment; filename=statement.csv')).toBe('statement.csv');
  expect(nameIn(null)).toBe(null);
});
