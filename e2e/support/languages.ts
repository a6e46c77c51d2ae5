import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ENGLISH_WORDS } from '@ushirika/contract/test-texts';
import { swahiliOf } from '@ushirika/contract/texts';
import { expect } from './test.ts';

const WORDS = join(import.meta.dirname, '../../web/src/words/sw');

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
const WRITTEN = [
  'Traders of the morning market.',
  'Papers seen for the journey',
  'Stock for the market.',
  'Saves every month.',
  'Mkopo wa Biashara',
  'Stock for the market of December',
  'County of Nakuru',
];

/** What is the same in both languages: names of people, saccos, countries and languages, addresses, kinds and numbers. */
const SAME = [
  /^(Ushirika|Kiswahili|English|Mwangaza Traders Sacco)$/,
  /^(Journey Sacco \d+|Pool [0-9a-f]{6})( · Ushirika| · [A-Z][a-z]+ Njeri)?$/,
  /^[A-Z][a-z]+ (Njeri|Mutua|Mwangi|Yusuf|Odhiambo)$/,
  /^CS\/\d+ · Sacco · Wanjiku Njeri$/,
  /\(\+\d+\)$/,
  // A payer, as officials read of them.
  /^[A-Z][a-z]+ [A-Z]\.$/,
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

/** Pages that show what everybody wrote, the people of other journeys too: names and reasons in any language. */
const EVERYBODYS = /^\/(operator|saccos|saccos-list|guarantor-pools|voting-proposals)?(\/|$)/;

/** The product's own English, where its Swahili is another. */
const OURS = new Set(
  [
    ...readdirSync(WORDS).flatMap((name) =>
      Object.entries<string>(JSON.parse(readFileSync(join(WORDS, name), 'utf8'))),
    ),
    ...Object.entries(swahiliOf),
  ].flatMap(([english, swahili]) => (english === swahili ? [] : [english])),
);

/**
 * A page in Swahili shows no English. Three things are looked for: our own English texts, a line with one of
 * `ENGLISH_WORDS`, and a line that reads the same in English. Names and what people wrote are let through.
 * @param english the lines of the same page in English; null where it was not read
 */
export async function expectNoEnglish(page: Page, english: readonly string[] | null = null): Promise<void> {
  const isEverybodys = EVERYBODYS.test(new URL(page.url()).pathname);
  const isData = (line: string) =>
    SAME.some((data) => data.test(line)) || WRITTEN.some((words) => line.includes(words));
  const left = async () =>
    (await linesOf(page)).filter(
      (line) =>
        OURS.has(line) ||
        (!isEverybodys &&
          !isData(line) &&
          (ENGLISH_WORDS.test(line) || (/[a-z]{3}/.test(line) && english?.includes(line)))),
    );
  await expect.poll(left, `${page.url()} in Swahili`).toEqual([]);
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
