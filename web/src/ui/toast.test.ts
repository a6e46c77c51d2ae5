import { createElement } from 'react';
import { resolveValue, useToasterStore } from 'react-hot-toast/headless';
import { beforeEach, expect, test } from 'vitest';
import { textOf } from './test-text.ts';
import { newestOf, toast } from './toast.ts';

function Shown() {
  const { toasts } = useToasterStore();
  return toasts.filter(({ visible }) => visible).map((one) => resolveValue(one.message, one));
}

/** What stands on the screen, newest first. */
const shown = () => textOf(createElement(Shown));

beforeEach(() => {
  toast.endAll();
});

test('a success ends what was said of the tries before it', () => {
  toast.error('Your current password is not right.');
  toast('Confirm your phone number first.');
  toast.success('Your password is changed.');
  expect(shown()).toBe('Your password is changed.');
});

test('leaving a page ends what was said of it, but not what is said of the way', () => {
  toast.error('The amount is too high.');
  toast.error('Your session has ended. Sign in again.', { travels: true });
  toast.endOfPlace();
  expect(shown()).toContain('Your session has ended. Sign in again.');
  expect(shown()).not.toContain('The amount is too high.');
});

test('a phone shows the toast that was said last', () => {
  const first = { id: 'a', createdAt: 1 };
  const again = { id: 'b', createdAt: 3 };
  expect(newestOf([{ id: 'c', createdAt: 2 }, first, again])).toBe(again);
  expect(newestOf([])).toBeUndefined();
});
