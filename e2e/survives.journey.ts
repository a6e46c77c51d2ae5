import type { BrowserContext, Page } from '@playwright/test';
import { shareholder } from './support/market.ts';
import { activeSacco, api, becomeSignedIn, isSignedIn, newPerson, register, type Sacco } from './support/people.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

/* Pages that survive what a browser and a network do to them. */

const NOT_STORED = /This browser stores nothing for this site/;

/** A browser that stores nothing: each write throws, as without permission or without room. */
async function storeNothing(page: Page, name: 'SecurityError' | 'QuotaExceededError'): Promise<void> {
  await page.addInitScript((error) => {
    const refuse = () => {
      throw new DOMException('refused', error);
    };
    Storage.prototype.setItem = refuse;
    if (error === 'SecurityError') Storage.prototype.getItem = refuse;
  }, name);
}

test('a browser that stores nothing says so before a sign-in or a sign-up is sent (field case P6)', async ({
  page,
}) => {
  const person = newPerson();
  for (const name of ['QuotaExceededError', 'SecurityError'] as const) {
    await storeNothing(page, name);
    await page.goto('/auth/login');
    await expectNothingSent(page, async () => {
      await page.getByLabel('ID Number').fill(person.id_number);
      await page.locator('input[name=password]').fill(person.password);
      await page.getByRole('button', { name: 'Sign In' }).click();
      await expect(toast(page, NOT_STORED)).toBeVisible();
    });
    await page.goto('/auth/register');
    await expectNothingSent(page, async () => {
      await page.getByLabel('First Name').fill(person.first_name);
      await page.getByLabel('Last Name').fill(person.last_name);
      await page.locator('input[type=tel]').fill(person.phone_number);
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('ID Number').fill(person.id_number);
      await page.locator('input[name=password]').fill(person.password);
      await page.getByRole('button', { name: 'Sign Up' }).click();
      await expect(toast(page, NOT_STORED)).toBeVisible();
    });
    await expect(page.getByRole('heading', { level: 1, name: 'Sign Up' })).toBeVisible();
  }
});

/** A page of its own: what the browser prints when it has no network is no fault of ours. */
async function quietPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return page;
}

test('without a network a money button gives a sentence in the dialog’s place, the page goes on, and back online it opens (field case P11)', async ({
  context,
}) => {
  const page = await quietPage(context);
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client');
  await expect(page.getByRole('button', { name: 'Top Up' }).first()).toBeVisible();
  await page.waitForTimeout(1_000);
  await context.setOffline(true);
  for (const name of ['Top Up', 'Withdraw', 'Buy Shares', 'Sell Shares', 'Deposit to savings', 'Leave']) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await expect(page.getByRole('dialog').getByText(/This could not be loaded/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('dialog').getByText(/This could not be loaded/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  // A page that was never opened leaves the navigation where it is.
  await page.getByRole('link', { name: 'Referrals' }).first().click();
  await expect(page.getByText(/This could not be loaded/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('button', { name: 'Top Up', exact: true }).first().click();
  await expect(page.getByRole('dialog').getByText(/This could not be loaded/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('dialog', { name: 'Top Up Your Wallet' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Referrals' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Referrals' })).toBeVisible();
  await page.close();
});

/** Opens the dialog, types into its first field, goes back, and finds page and text as they were. */
async function expectBackCloses(page: Page, name: string, opener: () => Promise<void>): Promise<void> {
  const before = page.url();
  await opener();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const field = dialog
    .locator(
      'form textarea, form input:not([type=hidden], [type=radio], [type=checkbox], [type=file], [type=password], [name=otp])',
    )
    .first();
  const typed = (await field.count()) > 0 ? '123' : null;
  if (typed) await field.fill(typed);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(before);
  await opener();
  await expect(dialog).toBeVisible();
  if (typed) await expect(field, name).toHaveValue(typed);
  // Closed by its cross, the same address is left by going back once.
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(before);
}

test('going back closes every dialog and sheet, and keeps what was typed (field case P12)', async ({ page }) => {
  test.setTimeout(90_000);
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await becomeSignedIn(page, member, sacco);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/my-saccos');
  const click = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
  const openers: [path: string, names: (string | RegExp)[]][] = [
    ['/client', [/Notifications/, 'More', 'Top Up', 'Withdraw', /Buy Shares/, 'Deposit']],
    ['/client/complaints', [/New complaint/]],
    ['/client/guarantor-pools', [/Create Guarantor/]],
    ['/saccos', [/Register Your Sacco/i]],
    ['/profile', [/Update Profile/]],
    ['/profile/settings', [/Set up/, /Log out everywhere/]],
  ];
  for (const [path, names] of openers) {
    for (const name of names) {
      await page.goto('/my-saccos');
      await page.goto(path);
      await expect(page.locator('h1')).toHaveCount(1);
      await test.step(`${path} ${name}`, () => expectBackCloses(page, `${path} ${name}`, click(name)));
      await page.goBack();
      await expect(page, `${path} ${name}`).toHaveURL('/my-saccos');
    }
  }
});

test('logging out in another tab leaves no page of a person open', async ({ page, context }) => {
  const member = await register();
  await becomeSignedIn(page, member);
  await page.goto('/my-saccos');
  const paths = [
    '/credit-desk',
    '/guarantor-pools/requests/00000000-0000-4000-8000-000000000000',
    '/guarantor-pools/contracts/00000000-0000-4000-8000-000000000000',
    '/profile',
    '/my-saccos',
  ];
  const tabs = await Promise.all(
    paths.map(async (path) => {
      const tab = await context.newPage();
      await tab.goto(path);
      await expect(tab).toHaveURL(path);
      return tab;
    }),
  );
  await page.getByRole('button', { name: 'Log Out' }).click();
  for (const tab of tabs) await expect(tab).toHaveURL('/auth/login');
  await expect.poll(() => isSignedIn(member)).toBe(false);
});

test('logging out in another tab while a page of a person is being drawn leaves it, too', async ({ page }) => {
  await becomeSignedIn(page, await register());
  await page.addInitScript(() => {
    // The moment at which the page stands, and nothing of it runs yet.
    new MutationObserver((_, observer) => {
      if (!document.querySelector('main h1')) return;
      observer.disconnect();
      localStorage.removeItem('user');
      dispatchEvent(new StorageEvent('storage', { key: 'user', storageArea: localStorage }));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/my-saccos');
  await expect(page).toHaveURL('/auth/login');
});

test('a dividend of a word is a page that does not exist', async ({ page }) => {
  const sacco = await activeSacco();
  await becomeSignedIn(page, await shareholder(sacco), sacco);
  for (const path of ['/client/dividends/word', `/profile/dividends/${sacco.id}/word`]) {
    await page.goto(path);
    await expect(page).toHaveTitle(/Page not found/);
  }
});

test('a list, the wallet and the next page say Loading... to the eye while they are on their way', async ({ page }) => {
  const sacco = await activeSacco();
  await becomeSignedIn(page, await shareholder(sacco), sacco);
  const later = async (pattern: string) =>
    page.route(pattern, async (route) => {
      await new Promise((done) => setTimeout(done, 1_500));
      await route.continue();
    });
  const seen = page.getByText('Loading...', { exact: true });
  const expectSeen = () => expect.poll(async () => ((await seen.first().boundingBox())?.width ?? 0) > 40).toBe(true);
  await page.goto('/client/share-trading');
  await expect(page.locator('h1')).toHaveCount(1);
  await later('**/assets/**');
  await page.getByRole('link', { name: 'Guarantor Pools' }).first().click();
  await expectSeen();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await later('**/api/v1/**');
  for (const path of ['/pools', '/client', '/client/guarantor-pools']) {
    await page.goto(path, { waitUntil: 'commit' });
    await expectSeen();
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

/** A complaint of a member that waits for an answer: returns its page for officials. */
async function complained(sacco: Sacco): Promise<string> {
  const { token } = await shareholder(sacco);
  const form = new FormData();
  const words = { sacco: sacco.id, kind: 'other', text: 'The office was closed on three days of this week.' };
  for (const [name, value] of Object.entries(words)) form.set(name, value);
  const { complaint } = await api<{ complaint: { id: string } }>('POST', '/complaints', { token, body: form });
  return `/client/complaints/answer/${complaint.id}`;
}

test('the answer to a complaint that an official types is there again when the page was loaded anew, until it is sent', async ({
  page,
}) => {
  const chair = await register(newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(chair);
  const [first, second] = [await complained(sacco), await complained(sacco)];
  await becomeSignedIn(page, chair, sacco);
  const answer = page.getByLabel('What you tell the member');
  await page.goto(first);
  await answer.fill('The caretaker was ill. From Monday on two of us have a key.');
  await page.getByRole('radio', { name: 'Final answer' }).check();
  await page.getByRole('radio', { name: 'We are working on it' }).check();
  await page.reload();
  await expect(answer).toHaveValue('The caretaker was ill. From Monday on two of us have a key.');
  await expect(page.getByRole('radio', { name: 'We are working on it' })).toBeChecked();
  // It belongs to this complaint alone.
  await page.goto(second);
  await expect(answer).toHaveValue('');
  await page.goto(first);
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'The caretaker was ill.' })).toBeVisible();
  await page.reload();
  await expect(answer).toHaveValue('');
});

test('the draft of a vote that a member types is there again when the page was loaded anew, and nobody else reads it', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const [member, other] = [await shareholder(sacco), await shareholder(sacco)];
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/voting-proposals/new');
  const form = page.getByRole('form', { name: 'Draft a vote' });
  const text = 'We buy two benches for the shop, so that old people can sit. They cost 9,000.';
  await form.getByLabel('Title').fill('Two benches');
  await form.getByLabel('Text').fill(text);
  await form.getByLabel('What does it need to pass?').selectOption('special');
  await form.getByRole('checkbox', { name: 'Secret ballot' }).check();
  await page.reload();
  await expect(form.getByLabel('Text')).toHaveValue(text);
  await expect(form.getByLabel('Title')).toHaveValue('Two benches');
  await expect(form.getByLabel('What does it need to pass?')).toHaveValue('special');
  await expect(form.getByRole('checkbox', { name: 'Secret ballot' })).toBeChecked();

  await becomeSignedIn(page, other, sacco);
  await page.goto('/client/voting-proposals/new');
  await expect(form.getByLabel('Text')).toHaveValue('');
});

test('a complaint typed in a dialog is there again after a reload, and gone when its cross was used', async ({
  page,
}) => {
  const sacco = await activeSacco();
  await becomeSignedIn(page, await shareholder(sacco), sacco);
  await page.goto('/client/complaints');
  const opener = page.getByRole('button', { name: 'New complaint' });
  const dialog = page.getByRole('dialog', { name: 'New complaint' });
  await opener.click();
  await dialog.getByLabel('What is it about?').selectOption('conduct');
  await dialog.getByLabel('What happened?').fill('A fee was taken twice.');
  await dialog.getByLabel(/Which official/).selectOption({ index: 1 });
  const about = await dialog.getByLabel(/Which official/).inputValue();
  await page.reload();
  await opener.click();
  await expect(dialog.getByLabel('What happened?')).toHaveValue('A fee was taken twice.');
  await expect(dialog.getByLabel('What is it about?')).toHaveValue('conduct');
  await expect(dialog.getByLabel(/Which official/)).toHaveValue(about);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await page.reload();
  await opener.click();
  await expect(dialog.getByLabel('What happened?')).toHaveValue('');
});
