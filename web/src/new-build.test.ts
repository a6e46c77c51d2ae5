import { afterEach, expect, test, vi } from 'vitest';
import { startFollowingNewBuilds } from './new-build.ts';

afterEach(() => vi.unstubAllGlobals());

function browser(onLine: boolean, answers = true) {
  const listeners: (() => void)[] = [];
  const kept = new Map<string, string>();
  const reload = vi.fn();
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener));
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', async () => {
    if (!answers) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  const missPart = async () => {
    for (const listener of listeners.splice(0)) listener();
    await new Promise((done) => setTimeout(done));
  };
  return { missPart, reload };
}

test('a page of an older build is loaded again once, and once more for the next build', async () => {
  const { missPart, reload } = browser(true);
  startFollowingNewBuilds('/assets/index-a.js');
  await missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  startFollowingNewBuilds('/assets/index-a.js');
  await missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  startFollowingNewBuilds('/assets/index-b.js');
  await missPart();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('without a network nothing is loaded again: what was typed stays', async () => {
  const { missPart, reload } = browser(false);
  startFollowingNewBuilds('/assets/index-a.js');
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});

test('where the server does not answer, nothing is loaded again though the browser believes that it is online', async () => {
  const { missPart, reload } = browser(true, false);
  startFollowingNewBuilds('/assets/index-a.js');
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});
