import { expect, test } from 'vitest';
import { addressOf } from './call.ts';
import { cursorOf } from './pages.ts';

test('an address carries its parameters and leaves out what was not asked for', () => {
  expect(addressOf('/sacco/{id}/rating', { params: { id: 'a/b' } })).toBe('/api/v1/sacco/a%2Fb/rating');
  expect(addressOf('/sacco/list', { query: { name: 'boda & co', cursor: undefined, member: '' } })).toBe(
    '/api/v1/sacco/list?name=boda+%26+co',
  );
});

test('the next page is asked for by the cursor in its address', () => {
  expect(cursorOf('https://ushirika.example/api/v1/sacco/list?cursor=abc%3D&limit=20')).toBe('abc=');
  expect(cursorOf(null)).toBeUndefined();
});
