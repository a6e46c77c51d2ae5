import { expect, test } from 'vitest';
import { parseStoredSacco, parseStoredSession } from './stored.ts';

const answer = {
  success: true,
  message: 'Welcome',
  token: 'abc',
  expires_at: '2026-11-22T08:00:00.000Z',
  user: {
    id: 'u1',
    first_name: 'Wanjiru',
    last_name: 'Kamau',
    id_number: '12345678',
    phone_number: '254712345678',
    email: 'w@example.com',
  },
};

test('the whole answer of the login call is a session', () => {
  const stored = parseStoredSession(JSON.stringify(answer));
  expect(stored).toEqual({ state: 'present', value: answer });
});

test('nothing, an empty text and the text undefined mean that nobody is signed in', () => {
  for (const text of [null, '', 'undefined']) expect(parseStoredSession(text)).toEqual({ state: 'none' });
});

test('a text that cannot be read, or holds no token or no person, is corrupt', () => {
  const texts = [
    '{',
    'null',
    '[]',
    '"token"',
    '{}',
    '{"token":""}',
    '{"token":"abc"}',
    '{"token":"abc","user":{}}',
    '{"token":7,"user":{"id":"u1"}}',
  ];
  for (const text of texts) expect(parseStoredSession(text), text).toEqual({ state: 'corrupt' });
});

test('particulars that are missing are empty, so that no page breaks on them', () => {
  const stored = parseStoredSession('{"token":"abc","user":{"id":"u1","first_name":7}}');
  expect(stored).toMatchObject({ state: 'present', value: { user: { id: 'u1', first_name: '', id_number: '' } } });
});

test('the chosen sacco needs its id and its name', () => {
  expect(parseStoredSacco('{"id":"s1","name":"Umoja","members":3}')).toEqual({
    state: 'present',
    value: { id: 's1', name: 'Umoja', members: 3 },
  });
  for (const text of [null, '', 'undefined']) expect(parseStoredSacco(text)).toEqual({ state: 'none' });
  for (const text of ['{', '{"id":"s1"}', '{"id":3,"name":"Umoja"}', '7']) {
    expect(parseStoredSacco(text), text).toEqual({ state: 'corrupt' });
  }
});
