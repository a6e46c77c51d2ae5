import { afterEach, expect, test, vi } from 'vitest';
import { startFollowingNewBuilds } from './new-build.ts';

afterEach(() => vi.unstubAllGlobals());

function browser(onLine: boolean) {
  const listeners: (() => void)[] = [];
  const kept = new Map<string, string>();
  const reload = vi.fn();
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener));
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  const missPart = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  return { missPart, reload };
}

test('a page of an older build is loaded again once, and once more for the next build', () => {
  const { missPart, reload } = browser(true);
  startFollowingNewBuilds('/assets/index-a.js');
  missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  startFollowingNewBuilds('/assets/index-a.js');
  missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  startFollowingNewBuilds('/assets/index-b.js');
  missPart();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('without a network nothing is loaded again: what was typed stays', () => {
  const { missPart, reload } = browser(false);
  startFollowingNewBuilds('/assets/index-a.js');
  missPart();
  expect(reload).not.toHaveBeenCalled();
});
