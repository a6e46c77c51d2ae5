import type { BrowserContext, Page } from '@playwright/test';
import { activeSacco, api, becomeSignedIn, isSignedIn, openNothing, register, signInOnPage } from './support/people.ts';
import { expect, test, toast } from './support/test.ts';

const MINUTE = 60_000;

const storedUser = (page: Page) => page.evaluate(() => localStorage.getItem('user'));

async function secondTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(path);
  return tab;
}

/** Looks for the words before the page has loaded: they stand for four seconds, and a busy machine loads as long. */
async function goesAndIsTold(page: Page, path: string, words: string): Promise<void> {
  const told = expect(toast(page, words)).toBeVisible();
  await Promise.all([told, page.goto(path)]);
}

const logOut = (page: Page) => page.getByRole('button', { name: 'Log Out' }).click();

test('logging out clears this browser and its tabs, and ends the token; a browser that refuses to forget says so, and without the server it works, too', async ({
  page,
  context,
}) => {
  const member = await register();
  await becomeSignedIn(page, member);
  await page.goto('/saccos');
  await page.evaluate(() => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Storage.prototype.removeItem = refuse;
    Storage.prototype.clear = refuse;
  });
  await logOut(page);
  await expect(toast(page, 'Failed to log you out!')).toBeVisible();
  await expect(page).toHaveURL('/saccos');

  // Logging out in one tab logs out the others.
  await page.reload();
  const other = await secondTab(context, '/my-saccos');
  await expect(other).toHaveURL('/my-saccos');
  await page.evaluate(() => {
    localStorage.setItem('sacco', '{"id":"1","name":"Chosen"}');
    sessionStorage.setItem('anything', 'here');
  });
  await logOut(page);
  const message = toast(page, 'You been logged out ');
  await expect(message).toBeVisible();
  expect(await message.evaluate((element) => element.textContent)).toBe('You been logged out ');
  await expect(page).toHaveURL('/auth/login');
  expect(await page.evaluate(() => [localStorage.user, localStorage.sacco, sessionStorage.anything])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await expect(other).toHaveURL('/auth/login');
  await expect.poll(() => isSignedIn(member)).toBe(false);

  // Signing in in one tab leads the sign-in page of the other on.
  await signInOnPage(other, member);
  await expect(other).toHaveURL('/my-saccos');
  await expect(page).toHaveURL('/my-saccos');

  // Without the server it is this browser that forgets.
  await expect(toast(other, 'You been logged out ')).toHaveCount(0);
  await other.route('**/api/v1/auth/logout/', (route) => route.abort('internetdisconnected'));
  await logOut(other);
  await expect(toast(other, 'You been logged out ')).toBeVisible();
  await expect(other).toHaveURL('/auth/login');
  expect(await storedUser(other)).toBeNull();
});

test('after 60 minutes without an act the person is logged out, and cannot go back', async ({ page }) => {
  const member = await register();
  await becomeSignedIn(page, member);
  await page.clock.install();
  await page.goto('/my-saccos');
  await expect(page.locator('#main')).toBeVisible();
  await page.clock.fastForward(59 * MINUTE);
  await expect(page).toHaveURL('/my-saccos');
  expect(await storedUser(page)).not.toBeNull();
  await page.clock.fastForward(1 * MINUTE + 1_000);
  await expect(page).toHaveURL('/auth/login');
  await expect(toast(page, 'You been logged out ')).toBeVisible();
  expect(await storedUser(page)).toBeNull();
  await expect.poll(() => isSignedIn(member)).toBe(false);
  await page.goBack();
  await expect(page).not.toHaveURL('/my-saccos');
});

test('a key, a click, a scroll or the mouse keep the session alive', async ({ page }) => {
  await becomeSignedIn(page, await register());
  await page.clock.install();
  await page.goto('/saccos');
  await expect(page.locator('#main')).toBeVisible();
  const acts = [
    () => page.keyboard.press('Tab'),
    () => page.mouse.move(200 + Math.floor(performance.now() % 50), 300),
    () => page.mouse.click(5, 5),
    () => page.evaluate(() => document.dispatchEvent(new Event('scroll'))).then(() => {}),
  ];
  for (const act of acts) {
    await page.clock.fastForward(50 * MINUTE);
    await act();
  }
  await page.clock.fastForward(59 * MINUTE);
  await expect(page).toHaveURL('/saccos');
  expect(await storedUser(page)).not.toBeNull();
  await page.clock.fastForward(2 * MINUTE);
  await expect(page).toHaveURL('/auth/login');
});

test('an act in another tab keeps this one signed in; without one, both are logged out', async ({ page, context }) => {
  await becomeSignedIn(page, await register());
  await page.clock.install();
  await page.goto('/my-saccos');
  await expect(page.locator('#main')).toBeVisible();
  // A page for members only: one that anybody may read stays where it is when another tab was first to log out.
  const other = await secondTab(context, '/profile');
  await expect(other.locator('#main')).toBeVisible();
  await context.clock.fastForward(50 * MINUTE);
  await other.keyboard.press('Tab');
  // What one tab stores reaches the other a moment later.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('active_at'))).not.toBeNull();
  await context.clock.fastForward(50 * MINUTE);
  await expect(page).toHaveURL('/my-saccos');
  expect(await storedUser(page)).not.toBeNull();
  expect(await storedUser(other)).not.toBeNull();
  await context.clock.fastForward(11 * MINUTE);
  await expect(page).toHaveURL('/auth/login');
  await expect(other).toHaveURL('/auth/login');
});

test('what is stored and cannot be read: a session leads to sign-in, told of where it is broken, and a sacco to choosing one', async ({
  page,
}) => {
  const store = async (name: string, text: string | null) => {
    await openNothing(page);
    await page.evaluate(([key, left]) => left && localStorage.setItem(key as string, left), [name, text] as const);
  };
  for (const text of [null, 'undefined']) {
    await store('user', text);
    await page.goto('/client');
    await expect(page).toHaveURL('/auth/login');
    await expect(page.getByRole('heading', { name: 'Sign In', level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  for (const text of ['{not json', '42', '{"token":"t"}']) {
    await store('user', text);
    await goesAndIsTold(page, '/client', 'Could not sign you in at the moment. Kindly try again later!!');
    await expect(page).toHaveURL('/auth/login');
    expect(await storedUser(page)).toBeNull();
  }

  // Without a chosen sacco, or with one that cannot be read, the client area asks for one.
  await becomeSignedIn(page, await register());
  for (const text of [null, '{not json', '{}']) {
    await store('sacco', text);
    await goesAndIsTold(page, '/client', 'Select Sacco!!');
    await expect(page).toHaveURL('/my-saccos');
  }

  // Whoever opens a desk then reads what a desk is, and where to go.
  await openNothing(page);
  await page.evaluate(() => localStorage.removeItem('sacco'));
  await page.goto('/client/desk/loans');
  await expect(page).toHaveURL('/credit-desk');
  await expect(page.getByText('You are not a member of a sacco yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find a sacco' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a token that the server has ended leads to sign-in with a sentence, and back after it', async ({ page }) => {
  const member = await register();
  await becomeSignedIn(page, member, await activeSacco());
  await api('POST', '/auth/logout/', { token: member.token, body: {} });
  await goesAndIsTold(page, '/my-saccos', 'Your session has ended. Sign in again.');
  await expect(page).toHaveURL('/auth/login');
  expect(await page.evaluate(() => [localStorage.user, localStorage.sacco])).toEqual([undefined, undefined]);
  await signInOnPage(page, member);
  await expect(page).toHaveURL('/my-saccos');
});
