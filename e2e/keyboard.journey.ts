import type { Page } from '@playwright/test';
import { activeSacco, becomeSignedIn, register, registerWithMoney } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Presses Tab until the focus is on what is named so; fails when it never gets there. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const label = element?.id ? document.querySelector(`label[for="${element.id}"]`)?.textContent : '';
      return [element?.getAttribute('aria-label'), label, element?.textContent].filter(Boolean).join(' ');
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

/** The ring of the focus is seen: it is not switched off. */
async function expectFocusSeen(page: Page): Promise<void> {
  const style = await page.evaluate(() => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement as Element);
    return { outlineStyle, outlineWidth, boxShadow };
  });
  expect(style.outlineStyle !== 'none' || style.boxShadow !== 'none').toBe(true);
}

test('somebody without a mouse signs in', async ({ page }) => {
  const member = await register();
  await page.goto('/auth/login');
  await expect(page.getByRole('heading', { name: 'Sign In', level: 1 })).toBeVisible();
  await tabTo(page, 'ID Number');
  await expectFocusSeen(page);
  await page.keyboard.type(member.id_number);
  await page.keyboard.press('Tab');
  await page.keyboard.type(member.password);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show what is typed' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/my-saccos');
});

test('the first Tab of a page leads past the navigation', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('h1')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('a dialog keeps the focus inside, Escape gives it back to where it came from, and joining and buying need no mouse', async ({
  page,
}) => {
  const sacco = await activeSacco();
  await becomeSignedIn(page, await registerWithMoney(1_750));
  await page.goto(`/saccos?name=${encodeURIComponent(sacco.name)}`);
  const opener = page.getByRole('article', { name: sacco.name }).getByRole('button', { name: 'Join Sacco' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Join sacco' });
  await expect(dialog).toBeVisible();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    const isOutside = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused !== document.body && !focused?.closest('dialog');
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // Joining and buying need no mouse, and closing the dialog after it leaves nobody stranded.
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await tabTo(page, 'Proceed And Join');
  await page.keyboard.press('Enter');
  const buying = page.getByRole('dialog', { name: 'Buy Shares' });
  await expect(buying).toBeVisible();
  await tabTo(page, 'Shares');
  await expect(buying.getByLabel('Shares')).toBeFocused();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await expect(buying.getByRole('region', { name: 'Receipt' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(buying).toBeHidden();
});

test('the menu of the client area opens, moves and closes by keys', async ({ page }) => {
  const sacco = await activeSacco();
  await becomeSignedIn(page, await register(), sacco);
  await page.goto('/client');
  const menu = page.getByRole('button', { name: /My menu/ });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'My Profile' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'Account Settings' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Log Out' })).toBeFocused();
});
