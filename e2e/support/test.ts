import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test as base, expect, type Page } from '@playwright/test';

/**
 * A page on which nothing may go wrong unseen: an exception, an error on the console or a breach of the content policy
 * fails the journey. A call that is refused, or lost on purpose, is no error of the page.
 */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  baseURL: async ({}, use) => use(process.env.E2E_URL),
  page: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (entry) => {
      // What a call came to is the page's to tell; the set-up looks at the server's own log for failures.
      const isCall = entry.text().startsWith('Failed to load resource') && entry.location().url.includes('/api/v1/');
      if (entry.type() === 'error' && !isCall) faults.push(`${entry.text()} (${entry.location().url})`);
    });
    await use(page);
    expect(faults).toEqual([]);
  },
});

export { expect };

const axe = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The little of axe-core's API that runs in the page. */
interface Axe {
  run(
    part: string,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>;
}

/**
 * No serious or critical violation of WCAG 2.2 AA on the page as it stands, or in the part of it that is named. axe-core is
 * called without its builder for Playwright, whose reports of what holds cost as much as the analysis. Our pages have no frames.
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await colorsAtRest(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const serious = await page.evaluate(
    async ([selector, ...tags]) => {
      const { violations } = await (window as unknown as { axe: Axe }).axe.run(selector as string, {
        runOnly: { type: 'tag', values: tags },
        // What holds is not described: nobody reads it.
        resultTypes: ['violations'],
      });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    [part, 'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  );
  expect(serious).toEqual([]);
}

/** What a page, or a part of it, has to be on a phone and on a desk. */
export async function expectGood(page: Page, part?: string): Promise<void> {
  for (const size of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expectAccessible(page, part);
    await expectNoSidewaysScroll(page);
  }
}

/**
 * After a change of size the page is laid out anew with its next frame: until then, sizes in `vw` are those of the screen
 * before.
 */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** After a change of theme: drawn, and nothing in transit. Colours half way are on nobody's screen. */
async function colorsAtRest(page: Page): Promise<void> {
  await drawn(page);
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });
}

/** Goes to another address as a link on the page does: without a new document. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, path);
}

/** The toasts at the top right. */
export const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' });

/** The toast with exactly these words. */
export const toast = (page: Page, words: string | RegExp) => toasts(page).getByText(words, { exact: true }).first();

/** How many requests with a method other than GET go out while `act` runs: none, where a form refuses by itself. */
export async function expectNothingSent(page: Page, act: () => Promise<void>): Promise<void> {
  const sent: string[] = [];
  const note = (request: { method(): string; url(): string }) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  };
  page.on('request', note);
  await act();
  page.off('request', note);
  expect(sent).toEqual([]);
}

/** Nothing sticks out at the side: the page is no wider than the screen. Names what does. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await drawn(page);
  const sticksOut = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      return element.getBoundingClientRect().right > width + 0.5 || element.scrollWidth > element.clientWidth + 1;
    });
    return [`${location.pathname} is ${document.documentElement.scrollWidth} wide`, ...wide.map((one) => one.outerHTML)]
      .map((text) => text.slice(0, 200))
      .slice(0, 12);
  });
  expect(sticksOut).toEqual([]);
}
