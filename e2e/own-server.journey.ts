import { rm } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { act } from './support/desk.ts';
import {
  acceptOffice,
  api,
  becomeSignedIn,
  confirmPhone,
  newOperator,
  type Person,
  register,
  registerSacco,
  type SignedInPerson,
  walletShillingsOf,
} from './support/people.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { answerPrompt, layFault, openPrompt } from './support/simulator.ts';
import { expect, test, toast } from './support/test.ts';
import { authenticatorCode } from './support/totp.ts';

/*
 * What needs a server of its own: one with stricter settings, and one that is killed. They use the same server one after the
 * other, since starting one on an empty folder costs as much as three journeys.
 */

test.describe.configure({ mode: 'default' });

const shared = { url: process.env.E2E_URL, folder: process.env.E2E_DATA_DIR };
const env = { STRICT_ACTIVATION: '1', REQUIRE_TOTP: '1' };
let server: RunningServer;

test.beforeAll(async () => {
  server = await startServer({ env });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataFolder;
});

test.afterAll(async () => {
  process.env.E2E_URL = shared.url;
  process.env.E2E_DATA_DIR = shared.folder;
  await server.stop();
  await rm(server.dataFolder, { recursive: true, force: true });
});

test('the desk waits for an authenticator app, and a sacco for two operators and every point', async ({ page }) => {
  const [first, second] = [await newOperator(), await newOperator()];
  const founder = await register();
  const sacco = await registerSacco(founder);
  await becomeSignedIn(page, first);
  await page.goto('/operator');
  await expect(page.getByRole('heading', { name: 'Set up your authenticator app first' })).toBeVisible();
  await expect(api('GET', '/operator/saccos', first)).rejects.toThrow(/second_factor_enrolment_required/);
  await page.getByRole('link', { name: 'Set it up' }).click();
  await enrolInPage(page, first);
  await page.goto('/operator');
  const card = page.getByRole('article').filter({ hasText: sacco.name });
  await expect(card).toContainText('Two operators must say yes, and every point must be met.');
  await expect(card.getByRole('button', { name: 'Activate' })).toBeDisabled();

  await meetEveryPoint(page, sacco.id, founder);
  await page.reload();
  await act(page, card, 'Activate', `Activate ${sacco.name}`, 'All papers were seen');
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await expect(card).toContainText('You have said yes already. Another operator must confirm it.');

  await becomeSignedIn(page, second);
  await page.goto('/operator/settings');
  await enrolInPage(page, second);
  await page.goto('/operator');
  await expect(card).toContainText('Otieno Opiyo has confirmed it.');
  await act(page, card, 'Activate', `Activate ${sacco.name}`, 'I saw them, too');
  await expect(card).toHaveCount(0);
});

/** Sets up an authenticator app on the settings page, as a person with a phone in their hand. */
async function enrolInPage(page: Page, { password }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code from the app').fill(authenticatorCode(secret));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(dialog).toBeHidden();
}

/** Three officials with confirmed phones by the founder, and what an operator looks at: one point on the page, the rest by calls. */
async function meetEveryPoint(page: Page, sacco: string, founder: SignedInPerson): Promise<void> {
  await confirmPhone(founder);
  for (const office of ['secretary', 'treasurer']) {
    const official = await register();
    await confirmPhone(official);
    const body = { id_number: official.id_number, office };
    await api('POST', `/sacco/${sacco}/officials`, { token: founder.token, body });
    await acceptOffice(official);
  }
  await page.getByRole('button', { name: /^Record: .*certificate/i }).click();
  const recording = page.getByRole('dialog', { name: 'Record a check' });
  await recording.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(toast(page, 'Say what you saw.')).toBeVisible();
  await recording.getByLabel('What you saw').fill('Certificate seen at our office');
  await recording.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(recording).toBeHidden();
  const { token } = await page.evaluate(() => JSON.parse(localStorage.user));
  const others = [
    'by_laws',
    'kra_pin',
    'authorisation',
    'bank_proof',
    'register_check',
    'founder_members',
    'test_deposit',
  ];
  for (const point of others) {
    await api('PUT', `/operator/saccos/${sacco}/checklist/${point}`, { token, body: { note: 'Seen at our office' } });
  }
}

test('the server is killed between accepting a payment and M-Pesa’s word of it: it is credited once after the restart', async ({
  page,
}) => {
  const member = await register();
  await confirmPhone(member);
  await layFault('stk_push', 'delay=1000', member.phone_number);
  await api('POST', '/integrations/mpesa/deposit', {
    token: member.token,
    body: { amount: 725, phone: member.phone_number },
  });
  const prompt = await openPrompt(member.phone_number);
  await answerPrompt(prompt.id, 'approve');
  expect(await walletShillingsOf(member)).toBe(0);
  await server.kill();

  // The same address: M-Pesa's word goes to where it was told to go.
  server = await startServer({ env, dataFolder: server.dataFolder, port: Number(new URL(server.url).port) });
  await becomeSignedIn(page, member);
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Wallet' })).toContainText('Ksh. 725.00', { timeout: 40_000 });
  const { results } = await api<{ results: { kind: string }[] }>('GET', '/client/transactions', member);
  expect(results.map(({ kind }) => kind)).toEqual(['top_up']);
  expect(await walletShillingsOf(member)).toBe(725);
});
