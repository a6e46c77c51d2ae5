import type { Page } from '@playwright/test';
import {
  activeSacco,
  becomeSignedIn,
  createPool,
  join,
  newPoolName,
  POOL_TERMS,
  register,
  registerWithMoney,
  signInOnPage,
} from './support/people.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

const FIELDS = {
  'Minimum contribution': POOL_TERMS.min_contribution,
  'Minimum contribution percentage (%)': POOL_TERMS.min_contribution_perc,
  'Minimum member period (days)': POOL_TERMS.min_member_period,
  'Base risk percentage (%)': POOL_TERMS.base_risk_percentage,
  'Risk weight factor': POOL_TERMS.risk_weight_factor,
  'Minimum trust score': POOL_TERMS.min_trust_score,
};

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create Guarantors Pool' });

async function fill(page: Page, name: string): Promise<void> {
  await dialog(page).getByLabel('Name').fill(name);
  for (const [label, value] of Object.entries(FIELDS)) {
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
  }
}

const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create Pool' }).click();

test('a member creates a guarantor pool, finds it on the list and reads its details; an empty field, letters of two alphabets, a name that is taken and a risk too high are refused', async ({
  page,
}) => {
  const member = await register();
  const taken = newPoolName();
  await createPool(await register(), taken);
  await becomeSignedIn(page, member);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await expectNothingSent(page, async () => {
    await create(page);
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await fill(page, newPoolName());
    for (const label of ['Name', ...Object.keys(FIELDS)]) {
      const field = dialog(page).getByLabel(label, { exact: true });
      const filled = await field.inputValue();
      await field.fill('');
      await create(page);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(filled);
    }
  });

  // Letters of two alphabets are the typist’s to correct: no server is blamed.
  const namedAs = dialog(page).getByLabel('Name', { exact: true });
  await namedAs.fill('J\u0435ma Pool');
  await create(page);
  await expect(dialog(page).getByLabel('Name')).toHaveAccessibleDescription(/letters of two alphabets/);
  await expect(toast(page, /letters of two alphabets/)).toBeVisible();
  await expect(page.getByText('probably a server error')).toHaveCount(0);

  // What the server refuses is not created, and its reason stands beside the words.
  await namedAs.fill(taken);
  await create(page);
  await expect(toast(page, 'Failed to create... probably a server error')).toBeVisible();
  await expect(dialog(page).getByText('A pool with that name already exists.').first()).toBeVisible();
  const name = newPoolName();
  await namedAs.fill(name);
  await dialog(page).getByLabel('Base risk percentage (%)').fill('21');
  await create(page);
  await expect(dialog(page).getByLabel('Base risk percentage (%)')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page)).toBeVisible();

  await dialog(page).getByLabel('Base risk percentage (%)').fill(POOL_TERMS.base_risk_percentage);
  await create(page);
  await expect(
    toast(page, 'Your pool has been created. Others see it after a review, or once it has five members.'),
  ).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  const card = page.getByRole('article', { name });
  await expect(card).toContainText('Forming');
  await expect(card).toContainText('Ksh. 1,000.00');
  await card.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/guarantor-pools\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('3.5% a year').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'What a guarantee would cost' })).toBeVisible();
});

test('a pool of a sacco is for its members: others cannot create one there', async ({ page }) => {
  const sacco = await activeSacco();
  const member = await registerWithMoney(650);
  await join(member, sacco);
  const name = newPoolName();
  await becomeSignedIn(page, member, sacco);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await fill(page, name);
  await expect(dialog(page).getByLabel('Who may join')).toContainText(`Members of ${sacco.name}`);
  await create(page);
  await expect(page.getByRole('article', { name })).toContainText(sacco.name);

  const stranger = await register();
  await becomeSignedIn(page, stranger, sacco);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await fill(page, newPoolName());
  await create(page);
  await expect(dialog(page).getByText('You are not a member of this sacco.')).toBeVisible();
});

test('a visitor is told when there are no pools, is asked to log in to view one, and can create none', async ({
  page,
}) => {
  let answer = () => {};
  const mayAnswer = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/api/v1/guarantors/pools*', async (route) => {
    await mayAnswer;
    await route.fulfill({ json: { count: 0, next: null, previous: null, results: [] } });
  });
  await page.goto('/pools');
  await expect(page.getByText('Loading...').or(page.getByLabel('Loading...')).first()).toBeVisible();
  answer();
  await expect(page.getByText('No Pools Found')).toBeVisible();
  await page.unroute('**/api/v1/guarantors/pools*');

  for (const path of ['/pools', '/guarantor-pools', '/guarantor-pools/00000000-0000-7000-8000-000000000000']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Login to view Pool' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create Guarantor Pool' })).toHaveCount(0);
  }
  const member = await register();
  await page.goto('/guarantor-pools');
  await page.getByRole('link', { name: 'Login to view Pool' }).click();
  await signInOnPage(page, member);
  await expect(page).toHaveURL('/guarantor-pools');
  await expect(page.getByRole('button', { name: 'Create Guarantor Pool' })).toBeVisible();
});
