import type { Page } from '@playwright/test';
import { expectNoEnglish, expectNothingClipped, linesOf, speak } from './support/languages.ts';
import { place, shareholder } from './support/market.ts';
import { clientPages, operatorPages } from './support/pages.ts';
import {
  activeSacco,
  becomeSignedIn,
  buyShares,
  createPool,
  join,
  operator,
  register,
  registerSacco,
  registerWithMoney,
} from './support/people.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './support/test.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

/**
 * One page on a phone in the light, in both languages, and on a desk in the dark: nothing sticks out or is cut off, nothing
 * shuts anybody out, and who reads Swahili meets no English.
 */
async function expectGoodPage(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(PHONE);
  await page.goto(path);
  await expectLoaded(page);
  await expect(page).toHaveTitle(/^.+ · Ushirika$/);
  await expectAccessible(page);
  await expectFits(page);
  const english = await linesOf(page);
  await speak(page, 'sw');
  await expectNoEnglish(page, english);
  await expectFits(page);
  await speak(page, 'en');
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expect(page.locator('h1')).toHaveCount(1);
}

async function expectFits(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectNothingClipped(page);
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expect(page.getByRole('progressbar', { name: 'Loading...' })).toHaveCount(0);
}

/* Of these the other two as well: a dark phone and a light desk are made of the same colours, so a few are enough. */
for (const path of ['/', '/auth/register', '/saccos']) {
  test(`${path} is good on a dark phone and a light desk`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize(PHONE);
    await page.goto(path);
    await expectLoaded(page);
    await expectAccessible(page);
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectAccessible(page);
  });
}

const open = [
  '/',
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/referrals',
  '/voting-proposals',
  '/share-trading',
  '/no-such-page',
];
for (const path of open) {
  test(`${path} is good for everybody, on a light phone and a dark desk`, async ({ page }) => {
    await expectGoodPage(page, path);
  });
}

test('the lists of saccos and of pools are good for a visitor, on a light phone and a dark desk', async ({ page }) => {
  const sacco = await activeSacco();
  await registerSacco(await register());
  await createPool(await register());
  for (const path of ['/saccos', '/saccos-list', `/saccos/${sacco.id}`, '/guarantor-pools']) {
    await expectGoodPage(page, path);
  }
});

const signedIn = ['/my-saccos', '/profile', '/profile/wallet', 'pool', '/saccos'];

test('what a signed-in person sees outside of a sacco is good, on a light phone and a dark desk', async ({ page }) => {
  const { member } = await memberWithMoney();
  await becomeSignedIn(page, member);
  const pool = await createPool(await register());
  for (const path of signedIn) await expectGoodPage(page, path === 'pool' ? `/guarantor-pools/${pool.id}` : path);
});

test('the client area of a sacco is good, on a light phone and a dark desk', async ({ page }) => {
  const { member, sacco } = await memberWithMoney();
  await becomeSignedIn(page, member, sacco);
  for (const path of clientPages) await expectGoodPage(page, path);
});

test('a share market with a full book is good, on a light phone and a dark desk, and the other way round', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const [member, other] = [await shareholder(sacco), await shareholder(sacco, 12_000)];
  await place(other, sacco, 'sell', 6, 103);
  await place(member, sacco, 'buy', 4, 103);
  await place(member, sacco, 'sell', 12, 105);
  await place(member, sacco, 'buy', 5, 98);
  for (const price of [104, 105, 106, 107, 108, 109, 110]) await place(other, sacco, 'sell', 2, price);
  for (const price of [90, 91, 92, 93, 94, 95, 96, 97, 98]) await place(other, sacco, 'buy', 3, price);
  await becomeSignedIn(page, member, sacco);
  await expectGoodPage(page, '/client/share-trading');
  await expect(page.getByRole('region', { name: 'My orders' }).getByText('2 open')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize(PHONE);
  await page.goto('/client/share-trading?side=sell&range=1d');
  await expectLoaded(page);
  // On a phone what one came for is first.
  const top = (name: string) => page.getByRole('region', { name }).evaluate((one) => one.getBoundingClientRect().top);
  expect(await top('Order ticket')).toBeLessThan(await top('Order book'));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  for (const path of ['/share-trading', `/saccos/${sacco.id}`, '/client']) await expectGoodPage(page, path);
});

test('the operator’s desk is good, on a light phone and a dark desk', async ({ page }) => {
  const founder = await register();
  await registerSacco(founder);
  await createPool(founder);
  await becomeSignedIn(page, operator());
  for (const path of operatorPages) await expectGoodPage(page, path);
});

const dialogs = [
  'top-up',
  'confirm',
  'withdraw',
  'confirm-phone',
  'buy-shares',
  'save',
  'standing-order',
  'exit',
  'rate',
  'sell-shares',
];
test('the dialogs about money and shares are good on a phone, in Swahili and in English', async ({ page }) => {
  const { member, sacco } = await memberWithMoney();
  await becomeSignedIn(page, member, sacco);
  await page.addInitScript(() => localStorage.setItem('language', 'sw'));
  await page.setViewportSize(PHONE);
  let dark = false;
  for (const name of dialogs) {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.goto(`/client?open=${name}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectLoaded(page);
    await expectNoEnglish(page);
    await expectAccessible(page);
    await expectFits(page);
    await speak(page, 'en');
    await expectFits(page);
    dark = !dark;
  }
});

test('in Swahili the pages fit a phone as well', async ({ page }) => {
  await registerWithMoney(1_000);
  await activeSacco();
  await page.setViewportSize(PHONE);
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Kiswahili' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  for (const path of ['/', '/saccos', '/auth/register', '/auth/login']) {
    await page.goto(path);
    await expectLoaded(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
    if (path === '/') await expect(page.getByText(/zilizopita/)).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  const { member, sacco } = await memberWithMoney();
  await place(member, sacco, 'buy', 2, 98);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/share-trading');
  await expectLoaded(page);
  await expect(page.getByRole('heading', { name: 'Maagizo yangu' })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

async function memberWithMoney() {
  const sacco = await activeSacco();
  const member = await registerWithMoney(2_600);
  await join(member, sacco);
  await buyShares(member, sacco, 10);
  return { member, sacco };
}
