import type { Page } from '@playwright/test';
import { formatShillings } from '@ushirika/contract/format';
import { place, shareholder, sharesOf } from './support/market.ts';
import { pagesOfMembers } from './support/pages.ts';
import {
  activeSacco,
  becomeSignedIn,
  join,
  type Sacco,
  type SignedInPerson,
  topUp,
  walletShillingsOf,
} from './support/people.ts';
import { expect, goWithin, test } from './support/test.ts';

/* A browser that translates pages: it takes every text out and puts two <font> with other words in its place, over and over. */

type Way = 'replaced' | 'in two steps' | 'wrapped';

/** Translates as Google Translate does in Chrome: what it has done is between « and ». */
async function translate(page: Page, way: Way): Promise<void> {
  await page.addInitScript((how) => {
    const font = () => document.createElement('font');
    const translateText = (text: Text) => {
      const [outer, inner] = [font(), font()];
      outer.append(inner);
      if (how === 'wrapped') {
        text.replaceWith(outer);
        inner.append(text);
        return;
      }
      inner.textContent = `«${text.nodeValue}»`;
      if (how === 'replaced') text.replaceWith(outer);
      else {
        text.before(outer);
        text.remove();
      }
    };
    const translateAll = () => {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const around = node.parentElement?.closest('font, script, style, title, textarea, option, svg');
        if (!around && node.nodeValue?.trim()) texts.push(node as Text);
      }
      for (const text of texts) translateText(text);
    };
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.classList.add('translated-ltr');
      setInterval(translateAll, 30);
    });
  }, way);
}

const words = (text: string | null) => (text ?? '').replace(/[«»]/g, '');

async function sellMost(page: Page, member: SignedInPerson, sacco: Sacco): Promise<void> {
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/share-trading?side=sell');
  const ticket = page.locator('form').filter({ has: page.locator('input[name=shares]') });
  const shares = ticket.locator('input[name=shares]');
  await shares.pressSequentially('1', { delay: 60 });
  await page.waitForTimeout(200);
  await shares.pressSequentially('0', { delay: 60 });
  await ticket.locator('input[name=price]').fill('100');
  await page.waitForTimeout(200);
  await shares.locator('xpath=..').getByRole('button').first().click();
  await page.waitForTimeout(200);
  await expect(shares).not.toHaveValue('10');
  // The page tells the last values, not the first.
  const most = await shares.inputValue();
  const sell = ticket.locator('button[type=submit]');
  await expect.poll(async () => words(await sell.textContent())).toBe(`Sell ${most} Shares`);
  await sell.click();
  await expect.poll(async () => words(await page.locator('dialog[open]').textContent())).toContain(most);
}

for (const way of ['replaced', 'in two steps', 'wrapped'] as const) {
  test(`a member sells all shares on a page that the browser translates, texts ${way} (field case P1)`, async ({
    page,
  }) => {
    const sacco = await activeSacco();
    const member = await shareholder(sacco);
    await join(await shareholder(sacco), sacco).catch(() => {});
    await translate(page, way);
    await sellMost(page, member, sacco);
    expect(await sharesOf(member, sacco)).toBeGreaterThan(0);
  });
}

/** Three texts that stand side by side, as React makes them, in one font; then the page changes each, as React does. */
function changeNeighbours(way: 'replaced' | 'wrapped'): string[] {
  const told: string[] = [];
  const changes: ((parts: Text[], around: HTMLElement) => unknown)[] = [
    ([sum]) => Object.assign(sum ?? {}, { nodeValue: '20' }),
    ([, shares], around) => shares && around.removeChild(shares),
    ([, shares], around) => around.insertBefore(document.createTextNode(' free'), shares ?? null),
    ([sum], around) => sum && around.appendChild(sum),
  ];
  for (const change of changes) {
    const [around, outer, inner] = ['p', 'font', 'font'].map((name) => document.createElement(name)) as HTMLElement[];
    const parts = ['10', ' shares', ' left'].map((text) => document.createTextNode(text));
    if (!around || !outer || !inner) continue;
    around.append(...parts);
    document.body.append(around);
    outer.append(inner);
    parts[0]?.replaceWith(outer);
    if (way === 'wrapped') inner.append(...parts);
    else {
      for (const text of parts.slice(1)) text.remove();
      inner.textContent = 'hisa 10 zimebaki';
    }
    change(parts, around);
    told.push(around.textContent);
    around.remove();
  }
  return told;
}

test('of several texts that the browser translates into one, each is changed, taken out and moved for itself (field case P1)', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.locator('h1')).toHaveCount(1);
  for (const way of ['replaced', 'wrapped'] as const) {
    await expect
      .poll(() => page.evaluate(changeNeighbours, way), way)
      .toEqual(['20 shares left', '10 left', '10 free shares left', ' shares left10']);
  }
});

for (const way of ['replaced', 'wrapped'] as const) {
  test(`every page of the client area is walked through while the browser translates it, texts ${way}, and what it says is not stale (field case P1)`, async ({
    page,
  }) => {
    test.setTimeout(60_000);
    const sacco = await activeSacco();
    const member = await shareholder(sacco);
    await place(member, sacco, 'sell', 3, 105);
    await translate(page, way);
    await becomeSignedIn(page, member, sacco);
    await page.goto('/client');
    for (const path of [
      ...pagesOfMembers,
      '/client/voting-proposals',
      '/client/loans',
      '/client/wallet?open=top-up',
      '/client/wallet?open=withdraw',
      '/profile/proofs',
      '/verify',
    ]) {
      await goWithin(page, path);
      await expect(page.locator('h1')).toHaveCount(1);
      await expect(page.locator('.skeleton')).toHaveCount(0);
      await page.waitForTimeout(120);
      // Folds and tabs are opened, and left half way.
      for (const summary of await page.locator('summary, [role=tab]').all())
        if (await summary.isVisible()) await summary.click();
      await page.waitForTimeout(60);
      expect(words(await page.locator('body').textContent())).not.toContain('Something Went wrong');
    }
    // Money that comes meanwhile is the sum that the page tells.
    await goWithin(page, '/client');
    await topUp(member, 137);
    const sum = formatShillings(await walletShillingsOf(member));
    await expect.poll(async () => words(await page.locator('main').textContent())).toContain(sum);
    await page.waitForTimeout(120);
    const untranslated = await page.evaluate(() => document.querySelectorAll('font').length);
    expect(untranslated).toBeGreaterThan(10);
  });
}
