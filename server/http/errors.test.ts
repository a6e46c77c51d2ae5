import postgres from 'postgres';
import { expect, test } from 'vitest';
import { refusalOf } from './errors.ts';

const told = (severity: string, code: string) =>
  new postgres.PostgresError({ severity, code, message: 'terminating' } as never);

test('when PostgreSQL ends a connection, for whatever reason, the person is told to try again', () => {
  // A crash, an idle transaction, an idle session, a transaction over its time limit.
  for (const code of ['57P02', '25P03', '57P05', '25P04']) {
    expect(refusalOf(told('FATAL', code))).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 2 } });
  }
});

test('an error that PostgreSQL gives while the connection lives is an internal error, unless it means "not now"', () => {
  expect(refusalOf(told('ERROR', '23505'))).toBeNull();
  expect(refusalOf(told('ERROR', '57014'))).toMatchObject({ code: 'unavailable' });
});
