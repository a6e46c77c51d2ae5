import { expect, test } from 'vitest';
import { withDialog } from './open-in-address.ts';

test('opening a dialog keeps the search, and closing it leaves nothing of the dialog behind', () => {
  const opened = withDialog(new URLSearchParams('status=Lead'), { open: 'top-up', deposit: 'd1' });
  expect(String(opened)).toBe('status=Lead&open=top-up&deposit=d1');
  expect(String(withDialog(opened, {}))).toBe('status=Lead');
});

test('another dialog takes no value over from the one before', () => {
  expect(String(withDialog(new URLSearchParams('open=top-up&deposit=d1'), { open: 'withdraw' }))).toBe('open=withdraw');
});

test('what is asked for again is dropped once it is asked', () => {
  const again = withDialog(new URLSearchParams('open=top-up&deposit=d1'), { open: 'top-up', again: 'd1' });
  expect(String(again)).toBe('open=top-up&again=d1');
  expect(String(withDialog(again, { open: 'top-up', deposit: 'd2' }))).toBe('open=top-up&deposit=d2');
});
