import postgres from 'postgres';
import { expect, test } from 'vitest';
import { refusalOf } from './errors.ts';

const told = (severity: string, code: string) =>
  new postgres.PostgresError({ severity, code, message: 'terminating' } as never);

test('whatever words PostgreSQL ends a connection with, the person is told to come back', () => {
  // A crash, an idle transaction, an idle session; a transaction past its time.
  for (const code of ['57P02', '25P03', '57P05', '25P04']) {
    expect(refusalOf(told('FATAL', code))).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 2 } });
  }
});

test('what PostgreSQL refuses while the connection lives is a fault of ours, unless it says "not now"', () => {
  expect(refusalOf(told('ERROR', '23505'))).toBeNull();
  expect(refusalOf(told('ERROR', '57014'))).toMatchObject({ code: 'unavailable' });
});
