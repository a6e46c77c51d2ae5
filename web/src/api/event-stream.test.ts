import { expect, test } from 'vitest';
import { eventReader } from './event-stream.ts';

test('an event is told once it is whole, however the network cuts it', () => {
  const read = eventReader();
  expect(read('retry: 2000\n\nevent: dep')).toEqual([]);
  expect(read('osit\ndata: {"status":')).toEqual([]);
  expect(read('"paid"}\n')).toEqual([]);
  expect(read('\n: still here\n\n')).toEqual([{ event: 'deposit', data: '{"status":"paid"}' }]);
});

test('several events in one piece come in their order', () => {
  const read = eventReader();
  expect(read('event: wallet\ndata: 1\n\nevent: wallet\ndata: 2\n\n')).toEqual([
    { event: 'wallet', data: '1' },
    { event: 'wallet', data: '2' },
  ]);
});

test('an event carries its id, so that a broken stream goes on where it was', () => {
  const read = eventReader();
  expect(read('id: 41\nevent: book\ndata: {}\n\n')).toEqual([{ event: 'book', data: '{}', id: '41' }]);
});
