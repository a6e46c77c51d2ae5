import type { Page } from '@playwright/test';
import { checked, listed, viceChair } from './support/check-offs.ts';
import { expectNoEnglish, expectNothingClipped, linesOf, speak } from './support/languages.ts';
import { applied, approve, lendingSacco, oldMember, paidOutLoan, requestOf, submittedLoan } from './support/loans.ts';
import { place, shareholder } from './support/market.ts';
import { clientPages, operatorPages } from './support/pages.ts';
import {
  activeSacco,
  becomeSignedIn,
  buyShares,
  createPool,
  join,
  newPerson,
  operator,
  register,
  registerSacco,
  registerWithMoney,
} from './support/people.ts';
import { openPool, quoted, signed } from './support/pools.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, goWithin, test } from './support/test.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

/** The same colours on a phone and a desk the other way round, where a few pages stand for all. */
const otherWayRound = ['/', '/auth/register', '/saccos', '/client/share-trading'];

/**
 * One page, loaded once by its address: on a phone in the light, on a desk in the dark, and in Swahili. Nothing sticks
 * out or is cut off, nothing shuts anybody out, and who reads Swahili meets no English. It is left in Swahili.
 */
async function expectGoodPage(page: Page, path: string): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('language')).catch(() => {});
  await look(page, PHONE, 'light');
  await page.goto(path);
  await expectLoaded(page);
  await expect(page).toHaveURL(path);
  await expect(page).toHaveTitle(/^.+ · Ushirika$/);
  await expectAccessible(page);
  await expectFits(page);
  if (otherWayRound.includes(path)) {
    await look(page, PHONE, 'dark');
    await expectAccessible(page);
    await look(page, DESK, 'light');
    await expectAccessible(page);
  }
  await look(page, DESK, 'dark');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expect(page.locator('h1')).toHaveCount(1);
  await expectGoodInSwahili(page);
}

/** The loaded page in Swahili, on a desk and on a phone. */
async function expectGoodInSwahili(page: Page): Promise<void> {
  const english = await linesOf(page);
  await speak(page, 'sw');
  await expectLoaded(page);
  await expectNoEnglish(page, english);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(PHONE);
  await expectFits(page);
}

async function look(page: Page, size: typeof PHONE, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size);
}

async function expectFits(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectNothingClipped(page);
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expect(page.getByRole('progressbar', { name: /^(Loading|Inapakia)/ })).toHaveCount(0);
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
  '/verify',
  '/no-such-page',
];
test('what anybody may open is good on a phone and a desk, in the light, in the dark and in Swahili', async ({
  page,
}) => {
  await registerWithMoney(1_000);
  await activeSacco();
  for (const path of open) {
    await expectGoodPage(page, path);
    // Times ago are in the page's language, too.
    if (path === '/') await expect(page.getByText(/zilizopita/)).toBeVisible();
  }
});

test('the lists of saccos and of pools are good for a visitor, who takes up Swahili on the phone', async ({ page }) => {
  const sacco = await activeSacco();
  await registerSacco(await register());
  await createPool(await register());
  for (const path of ['/saccos', '/saccos-list', `/saccos/${sacco.id}`, '/guarantor-pools']) {
    await expectGoodPage(page, path);
  }
  await page.getByRole('button', { name: 'Menyu' }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: 'Kiswahili' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  // The next page is in Swahili from the start.
  await page.goto('/auth/login');
  await expectLoaded(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
});

const signedIn = [
  '/my-saccos',
  '/credit-desk',
  '/profile',
  '/profile/wallet',
  '/profile/proofs',
  '/profile/settings',
  '/saccos',
];

test('what a signed-in person sees outside of a sacco is good, on a phone and a desk', async ({ page }) => {
  const { member, sacco } = await memberWithMoney();
  await place(member, sacco, 'buy', 5, 98);
  await becomeSignedIn(page, member);
  const pool = await createPool(await register());
  for (const path of [...signedIn, `/guarantor-pools/${pool.id}`, `/saccos/${sacco.id}`]) {
    await expectGoodPage(page, path);
  }
});

test('the client area of a sacco opens page by page, with a full book in its share market, and is good on a phone and a desk', async ({
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
  const more = [
    '/client/voting-proposals',
    '/client/voting-proposals/new',
    '/client/dividends',
    '/client/dividends/desk',
  ];
  for (const path of [...clientPages, ...more]) await expectGoodPage(page, path);

  await goWithin(page, '/client/share-trading?side=sell&range=1d');
  await expectLoaded(page);
  await expect(page.getByRole('heading', { name: 'Maagizo yangu' })).toBeVisible();
  await page.setViewportSize(DESK);
  await page.getByRole('button', { name: 'English' }).click();
  await look(page, PHONE, 'dark');
  await expect(page.getByRole('region', { name: 'My orders' }).getByText('2 open')).toBeVisible();
  // On a phone what one came for is first.
  const top = (name: string) => page.getByRole('region', { name }).evaluate((one) => one.getBoundingClientRect().top);
  expect(await top('Order ticket')).toBeLessThan(await top('Order book'));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('the credit desk opens page by page, with an application and a payout on it, and is good on a phone and a desk', async ({
  page,
}) => {
  const lending = await lendingSacco();
  const borrower = await oldMember(lending, { saved: 4_000, shares: 500 });
  const [first, second] = [
    await submittedLoan(lending, borrower, 2_000),
    await submittedLoan(lending, borrower, 1_500),
  ];
  await approve(lending, second.id);
  await becomeSignedIn(page, lending.committee[0], lending.sacco);
  for (const path of deskPages) await expectGoodPage(page, path);
  for (const { id } of [first, second]) await expectGoodPage(page, `/client/desk/loans/${id}`);
});

test('the pages of loans, of applications and of guarantees are good for borrower and guarantor, on a phone and a desk', async ({
  page,
}) => {
  test.slow();
  const lending = await lendingSacco(2);
  const { sacco } = lending;
  const member = (saved: number, name: string, surname: string) =>
    oldMember(lending, { saved, shares: 500, wallet: 5_000 }, newPerson(name, surname));
  const borrower = await member(10_000, 'Amina', 'Yusuf');
  const [first, second] = [await member(8_000, 'Brian', 'Mwangi'), await member(8_000, 'Chebet', 'Odhiambo')];
  const other = await member(10_000, 'Wanjiku', 'Mutua');
  const loan = await paidOutLoan(lending, borrower, 20_000, [
    [first, 5_000],
    [second, 5_000],
  ]);
  const application = await applied(lending, other, 20_000, [[first, 3_000]]);
  const asked = await requestOf(lending, first);

  await becomeSignedIn(page, borrower, sacco);
  for (const path of ['', '?view=calculator', '/apply', `/${loan}`]) await expectGoodPage(page, `/client/loans${path}`);
  await expectGoodDialogs(page, `/client/loans/${loan}`, ['repay', 'payoff']);
  await becomeSignedIn(page, other, sacco);
  await expectGoodPage(page, `/client/loans/${application}`);
  await expectGoodDialogs(page, `/client/loans/${application}`, ['ask', 'change', 'take-back']);
  await becomeSignedIn(page, first, sacco);
  for (const path of ['?view=guarantees', `/guarantees/${asked.id}`])
    await expectGoodPage(page, `/client/loans${path}`);
});

test('the pages of check-offs are good for officials and payers, on a phone and a desk', async ({ page }) => {
  const lending = await lendingSacco(0);
  const vice = await viceChair(lending);
  const payer = await oldMember(lending, { saved: 500, wallet: 100 }, newPerson('Wanjiku', 'Mutua'));
  const members = [await oldMember(lending, { saved: 500 }), await oldMember(lending, { saved: 500 })] as const;
  const waiting = await listed(lending, payer, [[members[0], 900]]);
  await checked(lending, vice, waiting);
  const toCheck = await listed(lending, payer, [
    [members[0], 1_000],
    [members[1], 2_000],
  ]);
  await becomeSignedIn(page, vice, lending.sacco);
  for (const path of ['', `/${toCheck}`, `/${waiting}`]) await expectGoodPage(page, `/client/desk/check-offs${path}`);
  await becomeSignedIn(page, payer, lending.sacco);
  for (const path of ['', `/${waiting}`]) await expectGoodPage(page, `/client/check-offs${path}`);
  for (const path of ['check-offs', 'dividends']) await expectGoodPage(page, `/profile/${path}`);
});

/** Dialogs that the address opens, in Swahili on a phone; the page is open already. */
async function expectGoodDialogs(page: Page, path: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await goWithin(page, `${path}?open=${name}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectLoaded(page);
    await expectAccessible(page, 'dialog');
    await expectFits(page);
    await expectNoEnglish(page);
  }
}

test('the pages of a pool, of a quote to sign and of a guarantee are good, on a phone and a desk', async ({ page }) => {
  const { pool, sacco, borrower } = await openPool();
  const quote = await quoted(borrower, pool, 900);
  await becomeSignedIn(page, borrower, sacco);
  for (const path of [`/${pool.id}`, '', `/requests/${quote.id}`]) {
    await expectGoodPage(page, `/client/guarantor-pools${path}`);
  }
  const contract = await signed(borrower, quote);
  await expectGoodPage(page, `/client/guarantor-pools/contracts/${contract}`);
  await page.addInitScript(() => localStorage.setItem('language', 'sw'));
  await page.setViewportSize(PHONE);
  await page.goto(`/client/guarantor-pools/${pool.id}`);
  for (const name of ['pool-deposit', 'pool-withdraw', 'guarantee']) {
    await goWithin(page, `/client/guarantor-pools/${pool.id}?open=${name}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'dialog');
    await expectNothingClipped(page);
    await expectNoEnglish(page);
  }
});

test('the operator’s desk opens page by page, and is good on a phone and a desk', async ({ page }) => {
  const founder = await register();
  await registerSacco(founder);
  await createPool(founder);
  await becomeSignedIn(page, operator());
  for (const path of operatorPages) {
    await expectGoodPage(page, path);
    await expect(page.getByRole('heading', { name: 'Dawati la mwendeshaji', level: 1 }), path).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Dawati la mwendeshaji' })).toBeAttached();
  }
});

const deskPages = [
  '/client/desk',
  '/client/desk/loans?list=to_review',
  '/client/desk/loans?list=arrears',
  '/client/desk/loans?list=over',
  '/client/desk/products',
];

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
  await page.goto('/client');
  await expectLoaded(page);
  let dark = false;
  for (const name of dialogs) {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await goWithin(page, `/client?open=${name}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectLoaded(page);
    await expectNoEnglish(page);
    await expectAccessible(page, 'dialog');
    await expectFits(page);
    await speak(page, 'en');
    await expectFits(page);
    await speak(page, 'sw');
    await goWithin(page, '/client');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    dark = !dark;
  }
});

async function memberWithMoney() {
  const sacco = await activeSacco();
  const member = await registerWithMoney(2_600);
  await join(member, sacco);
  await buyShares(member, sacco, 10);
  return { member, sacco };
}
