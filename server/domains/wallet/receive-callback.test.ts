import { expect, test } from 'vitest';
import { testDatabase } from '../../db/test-database.ts';
import { assertSecret } from '../notifications/assert-secret.ts';
import { redacted, storeCallback, trimCallbackLog } from './receive-callback.ts';

test('a stored callback has no credential, no name and no whole phone number', () => {
  const kept = JSON.stringify(
    redacted({
      SecurityCredential: 'c2VjcmV0',
      InitiatorName: 'testapi',
      Amount: '10',
      PartyB: '254708374149',
      FirstName: 'JOHN',
      CheckoutRequestID: 'ws_CO_27112025133814625708374149',
      Result: {
        ResultParameters: {
          ResultParameter: [{ Key: 'ReceiverPartyPublicName', Value: '254708374149 - John Doe' }],
        },
      },
    }),
  );
  for (const secret of ['c2VjcmV0', 'testapi', '254708374149', '708374149', 'JOHN', 'John']) {
    expect(kept).not.toContain(secret);
  }
  expect(kept).toContain('254708***149');
  expect(kept).toContain('"Amount":"10"');
});

test('a stored callback is limited in size, however deep or long the original is', () => {
  const long = redacted({ text: Array.from({ length: 50 }, () => 'x'.repeat(5_000)) });
  expect(JSON.stringify(long).length).toBeLessThan(3_000);
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 100; depth += 1) deep = { deep };
  expect(JSON.stringify(redacted(deep)).length).toBeLessThan(300);
});

test('a callback with a wrong secret is refused', () => {
  expect(() => assertSecret('abc', 'abc')).not.toThrow();
  for (const wrong of ['', 'ab', 'abcd', 'ABC']) expect(() => assertSecret(wrong, 'abc')).toThrow('Not found.');
});

test('the newest fifty callbacks about one thing are kept, and a limited number in all', async () => {
  const database = await testDatabase();
  const aboutId = database.newId();
  const store = (about: string | null, amount: number) =>
    database.transaction((tx) => storeCallback(tx, { kind: 'stk', aboutId: about, body: { amount }, parsed: null }));
  for (let amount = 0; amount < 60; amount += 1) {
    database.world.advance(1_000);
    expect(await store(aboutId, amount)).toBe(true);
  }
  const kept = () => database.sql<{ amount: number }[]>`
    select (body ->> 'amount')::int as amount from callback_log order by received_at`;
  expect((await kept()).map(({ amount }) => amount)).toEqual(Array.from({ length: 50 }, (_, index) => index + 10));
  await database.transaction((tx) => trimCallbackLog(tx, 20));
  expect((await kept()).map(({ amount }) => amount)).toEqual(Array.from({ length: 20 }, (_, index) => index + 40));
  await database.close();
});
