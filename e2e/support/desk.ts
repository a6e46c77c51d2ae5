import type { Locator, Page } from '@playwright/test';

/** An act on the desk: its button, then in the dialog the reason and the same button again. */
export async function act(page: Page, on: Locator, button: string, title: string, reason: string): Promise<Locator> {
  await on.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  return dialog;
}
