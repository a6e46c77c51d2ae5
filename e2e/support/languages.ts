import type { Page } from '@playwright/test';
import { ENGLISH_WORDS } from '@ushirika/contract/test-texts';
import { expect } from './test.ts';

/** Changes the language of the page that is open, as another tab of the browser does it. */
export async function speak(page: Page, language: 'en' | 'sw'): Promise<void> {
  await page.evaluate((newValue) => {
    localStorage.setItem('language', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue }));
  }, language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  // What the server says is fetched again.
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** What people of the journeys wrote: it stays in the language they wrote it in. */
const WRITTEN = ['Traders of the morning market.', 'Papers seen for the journey'];

/** What is the same in both languages: names of people, saccos, countries and languages, addresses, kinds and numbers. */
const SAME = [
  /^(Ushirika|Kiswahili|English|Mwangaza Traders Sacco)$/,
  /^(Journey Sacco \d+|Pool [0-9a-f]{6})( · Ushirika)?$/,
  /^[A-Z][a-z]+ (Njeri|Mutua|Mwangi|Yusuf|Odhiambo)$/,
  /^CS\/\d+ · Sacco · Wanjiku Njeri$/,
  /\(\+\d+\)$/,
  /^\S+@\S+$|^https?:\/\/\S+$/,
];

/** What a person can read of a page, or hear of it: each line once. */
export async function linesOf(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [placeholder], img[alt]')];
    const names = named.flatMap((one) => ['aria-label', 'title', 'placeholder', 'alt'].map((n) => one.getAttribute(n)));
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden nobody reads
    return [document.title, document.body.innerText, ...names].join('\n');
  });
  return [...new Set(text.split('\n').map((line) => line.trim()))];
}

/** In Swahili no line has a word that stands in nearly every English sentence. */
export async function expectNoEnglish(page: Page): Promise<void> {
  const inEnglish = async () =>
    (await linesOf(page)).filter((line) => ENGLISH_WORDS.test(line) && !WRITTEN.some((words) => line.includes(words)));
  await expect.poll(inEnglish, `${page.url()} in Swahili`).toEqual([]);
}

/** What reads the same as in English is a name, or what a person wrote: no label was left out of the Swahili. */
export async function expectOnlyDataIn(page: Page, english: readonly string[]): Promise<void> {
  const left = async () =>
    (await linesOf(page)).filter(
      (line) =>
        /[a-z]{3}/.test(line) &&
        english.includes(line) &&
        !WRITTEN.some((words) => line.includes(words)) &&
        !SAME.some((data) => data.test(line)),
    );
  await expect.poll(left, `${page.url()} has the same words in both languages`).toEqual([]);
}

/** No text is cut off where nothing says that it goes on. What only screen readers meet has no size of its own. */
export async function expectNothingClipped(page: Page): Promise<void> {
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => {
        const { overflowX, textOverflow } = getComputedStyle(one);
        const hides = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis';
        // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not cut off
        return hides && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && one.innerText.trim() !== '';
      })
      .map((one) => `${one.scrollWidth} in ${one.clientWidth}: ${one.outerHTML.slice(0, 160)}`),
  );
  expect(clipped, `${page.url()} (${await page.locator('html').getAttribute('lang')})`).toEqual([]);
}
