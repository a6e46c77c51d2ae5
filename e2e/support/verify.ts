import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** A head of each log is signed twice a minute. */
export const SIGNED_WITHIN = 60_000;

/** What the page says of a receipt as a whole. */
export const verdict = (page: Page) => page.locator('main').getByRole('status');
export const stateOf = (page: Page, step: string) => page.locator(`[data-step=${step}]`);

/** Opens the part with the steps, which begins closed where the receipt is right. */
async function openSteps(page: Page): Promise<void> {
  const steps = page.locator('details', { hasText: 'The five steps' });
  await expect(steps).toBeVisible({ timeout: 1_000 });
  if ((await steps.getAttribute('open')) === null) await steps.locator('summary').click();
}

type State = 'passed' | 'failed' | 'open';

export async function expectStates(
  page: Page,
  states: Readonly<Record<string, State>>,
  timeout = SIGNED_WITHIN,
): Promise<void> {
  await expect(async () => {
    await openSteps(page);
    for (const [step, state] of Object.entries(states)) {
      await expect(stateOf(page, step), step).toHaveAttribute('data-state', state, { timeout: 500 });
    }
  }).toPass({ timeout });
}

export const chooseFile = (page: Page, name: string, buffer: Buffer, mimeType = 'application/json') =>
  page.getByLabel('Choose a file or picture').setInputFiles({ name, mimeType, buffer });

/** Pastes a receipt at /verify, and has it checked. */
export async function checkPasted(page: Page, text: string): Promise<void> {
  await page.goto('/verify');
  await page.getByLabel('Or paste it here').fill(text);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

/** The file that a button saves. `within`: the part that is opened first. */
export async function savedFile(page: Page, button: string, within?: string): Promise<Buffer> {
  if (within) await page.getByText(within, { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFile(await download.path());
}

/** All words of a PDF of ours, with a blank between two of its lines. */
export const wordsOfPdf = (pdf: Buffer): string =>
  [...pdf.toString('latin1').matchAll(/<([0-9a-f]+)> Tj/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join(' ')
    .replaceAll('\x96', '−')
    .replaceAll('\x92', '’');

/** Each value that the page shows of a receipt, with plain blanks. */
export const saidOnPage = async (page: Page): Promise<string[]> =>
  (await page.getByRole('region', { name: 'What the receipt says' }).locator('dt, dd').allTextContents()).map((text) =>
    text.replaceAll(/\s+/g, ' ').trim(),
  );
