import { expect, test } from 'vitest';
import { between, closed, withDialog } from './open-in-address.ts';

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

test('a top-up that begins in another dialog leads back to it, with its values, also when more is looked at in between', () => {
  const joining = new URLSearchParams('name=a&open=join&sacco=s1');
  const toppingUp = between(joining, { open: 'top-up' });
  expect(String(toppingUp)).toBe('name=a&then=join&sacco=s1&open=top-up');
  const confirming = between(toppingUp, { open: 'confirm' });
  expect(String(confirming)).toBe('name=a&then=join&sacco=s1&open=confirm');
  expect(String(closed(confirming))).toBe('name=a&sacco=s1&open=join');
  expect(String(closed(closed(confirming)))).toBe('name=a');
  expect(String(closed(between(new URLSearchParams('open=top-up'), { open: 'confirm' })))).toBe('');
});
