import { expect, test } from 'vitest';
import { assertSecret, redacted } from './receive-callback.ts';

test('what is kept of a callback holds no credential, no name and no whole phone number', () => {
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

test('what is kept of a callback is bounded, however deep or long it is', () => {
  const long = redacted({ text: Array.from({ length: 50 }, () => 'x'.repeat(5_000)) });
  expect(JSON.stringify(long).length).toBeLessThan(3_000);
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 100; depth += 1) deep = { deep };
  expect(JSON.stringify(redacted(deep)).length).toBeLessThan(300);
});

test('the secret of a callback address must be the very same', () => {
  expect(() => assertSecret('abc', 'abc')).not.toThrow();
  for (const wrong of ['', 'ab', 'abcd', 'ABC']) expect(() => assertSecret(wrong, 'abc')).toThrow('Not found.');
});
