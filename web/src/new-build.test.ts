import { afterEach, expect, test, vi } from 'vitest';
import { startFollowingNewBuilds } from './new-build.ts';

afterEach(() => vi.unstubAllGlobals());

const [OLD, NEWER, NEWEST] = ['/assets/index-a.js', '/assets/index-b.js', '/assets/index-c.js'];

/** A browser whose server has a build, or gives no answer. */
function browser(served: string | null, onLine = true) {
  const listeners = new Map<string, ((event: { target: unknown }) => void)[]>();
  const kept = new Map<string, string>();
  const reload = vi.fn();
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) =>
    listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  );
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('location', { reload, href: 'https://ushirika.example/client' });
  const serve = (build: string | null) =>
    vi.stubGlobal('fetch', async () => {
      if (!build) throw new TypeError('Failed to fetch');
      return { ok: true, text: async () => `<script src="${build}"></script>` };
    });
  serve(served);
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  const happens = async (name: string, target?: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener({ target });
    await new Promise((done) => setTimeout(done));
  };
  const start = (build: string) => {
    listeners.clear();
    startFollowingNewBuilds(build);
  };
  const type = (target: unknown) => happens('input', target);
  return { start, serve, type, missPart: () => happens('vite:preloadError'), reload };
}

test('a page of an older build is loaded again once, and once more for the next build', async () => {
  const { start, serve, missPart, reload } = browser(NEWER);
  start(OLD);
  await missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  start(OLD);
  await missPart();
  expect(reload).toHaveBeenCalledTimes(1);
  serve(NEWEST);
  start(NEWER);
  await missPart();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('a page that is none of ours, as a proxy answers during an outage, is no newer build', async () => {
  const { start, missPart, reload } = browser('/maintenance.js');
  start(OLD);
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});

test('without a network nothing is loaded again: what was typed stays', async () => {
  const { start, missPart, reload } = browser(NEWER, false);
  start(OLD);
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});

test('where the server does not answer, nothing is loaded again though the browser believes that it is online', async () => {
  const { start, missPart, reload } = browser(null);
  start(OLD);
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});

test('a part that the network lost is no newer build: nothing is loaded again', async () => {
  const { start, missPart, reload } = browser(OLD);
  start(OLD);
  await missPart();
  expect(reload).not.toHaveBeenCalled();
});

test('a page with a form that somebody types into is not loaded again, until the form is gone', async () => {
  const { start, type, missPart, reload } = browser(NEWER);
  start(OLD);
  const field = { isConnected: true, form: {}, value: '2,500' };
  await type(field);
  await missPart();
  expect(reload).not.toHaveBeenCalled();
  field.isConnected = false;
  await missPart();
  expect(reload).toHaveBeenCalledTimes(1);
});
