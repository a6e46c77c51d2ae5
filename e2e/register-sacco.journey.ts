import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  api,
  becomeSignedIn,
  confirmPhone,
  nameAsOperators,
  newPerson,
  officeCode,
  operator,
  register,
  registerSacco,
} from './support/people.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Register Your Sacco' });
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Register Your Sacco' }).click();

/** A picture of one red pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

interface Application {
  readonly name: string;
  readonly reg_no: string;
}

const newApplication = (): Application => ({
  name: `Ufanisi Sacco ${randomInt(1e5, 1e6)}`,
  reg_no: `CS/${randomInt(1e6, 1e7)}`,
});

async function fill(page: Page, { name, reg_no }: Application): Promise<void> {
  await dialog(page).getByLabel('Name*').fill(name);
  await dialog(page).getByLabel('Description*').fill('Boda boda riders of Kisumu.');
  await dialog(page).getByLabel('Registration number*').fill(reg_no);
  await dialog(page).getByLabel('Registration fee*').fill('300');
  await dialog(page).getByLabel('Share value*').fill('50.50');
  await dialog(page).getByLabel('Minimum shares*').fill('20');
}

async function openDialog(page: Page): Promise<void> {
  await page.goto('/saccos-list');
  // While there is no sacco yet, the empty list offers it too.
  await page.getByRole('button', { name: 'Register Your Sacco' }).first().click();
  await expect(dialog(page)).toBeVisible();
}

test('a visitor registers no sacco; a founder registers one with its logo, and an operator activates it, each in the browser', async ({
  page,
}) => {
  await openDialog(page);
  await expect(dialog(page).getByRole('link', { name: 'Sign Up' })).toBeVisible();
  await expect(dialog(page).getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(dialog(page).getByRole('textbox')).toHaveCount(0);
  const application = newApplication();
  await becomeSignedIn(page, await register(newPerson('Atieno', 'Odhiambo')));
  await openDialog(page);
  await fill(page, application);
  await dialog(page).getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PICTURE });
  await submit(page);
  await expect(dialog(page)).toBeHidden();
  const search = async () => {
    await page.goto('/saccos');
    await page.getByRole('searchbox', { name: 'Search by name' }).fill(application.name);
    return page.getByRole('article', { name: application.name });
  };
  const card = await search();
  await expect(card.getByText('Sacco Inactive')).toBeVisible();
  await expect(card).toContainText('Ksh. 300.00');
  await expect(card).toContainText('Ksh. 50.50');
  // The logo is a picture that we made ourselves, not the file that was sent.
  await expect(card.locator('img')).toHaveJSProperty('complete', true);
  await expect.poll(() => card.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);

  await becomeSignedIn(page, operator());
  await page.goto(`/operator?search=${encodeURIComponent(application.name)}`);
  const waiting = page.getByRole('article').filter({ hasText: application.name });
  await expect(waiting).toContainText('Atieno Odhiambo');
  await waiting.getByRole('button', { name: 'Activate', exact: true }).click();
  const deciding = page.getByRole('dialog', { name: `Activate ${application.name}` });
  await deciding.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect(toast(page, 'Say why.')).toBeVisible();
  await deciding.getByLabel('Reason').fill('Certificate and by-laws seen');
  await deciding.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect(deciding).toBeHidden();
  const { results } = await api<{ results: { id: string }[] }>(
    'GET',
    `/sacco/list?name=${encodeURIComponent(application.name)}`,
  );
  const named = { id_number: newPerson().id_number, office: 'secretary' };
  await nameAsOperators({ id: results[0]?.id ?? '' }, named);
  // A job carries it out.
  await expect(async () => {
    await page.goto(`/operator?status=active&search=${encodeURIComponent(application.name)}`);
    await expect(page.getByText(`Secretary: ID number ${named.id_number}`)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByRole('button', { name: 'Take it back' }).click();
  const takingBack = page.getByRole('dialog', { name: 'Take this naming back?' });
  await takingBack.getByRole('button', { name: 'Take it back' }).click();
  await expect(toast(page, 'Taken back. Whoever was asked cannot take the office up any more.')).toBeVisible();
  await expect(page.getByText(`Secretary: ID number ${named.id_number}`)).toHaveCount(0);
  await page.goto('/operator/log');
  await expect(page.getByText('Certificate and by-laws seen').first()).toBeVisible();

  await becomeSignedIn(page, await register());
  await expect((await search()).getByRole('button', { name: 'Join Sacco' })).toBeVisible();
});

test('an empty field, a name that is taken, a logo that is no picture and terms that make no sense are refused; a founder activates nothing and registers in no other name', async ({
  page,
}) => {
  const founder = await register();
  const sacco = await registerSacco(founder);
  await becomeSignedIn(page, founder);
  await openDialog(page);
  await expectNothingSent(page, async () => {
    await submit(page);
    await expect(toast(page, 'Fields with (*) are required')).toBeVisible();
    await fill(page, newApplication());
    for (const label of [
      'Name*',
      'Description*',
      'Registration number*',
      'Registration fee*',
      'Share value*',
      'Minimum shares*',
    ]) {
      const field = dialog(page).getByLabel(label);
      const filled = await field.inputValue();
      await field.fill('');
      await submit(page);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(filled);
    }
  });

  await dialog(page).getByLabel('Name*').fill(sacco.name);
  await submit(page);
  await expect(toast(page, 'A sacco with that name or registration number is already registered.')).toBeVisible();
  await dialog(page).getByLabel('Name*').fill(newApplication().name);
  await dialog(page)
    .getByLabel('Logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await submit(page);
  await expect(toast(page, 'The logo must be a PNG, JPEG or WebP picture of at most 2 MB.')).toBeVisible();
  await dialog(page).getByLabel('Logo').setInputFiles([]);
  await dialog(page).getByLabel('Share value*').fill('-5');
  await submit(page);
  await expect(dialog(page).getByLabel('Share value*')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page)).toBeVisible();

  await expect(
    api('POST', `/operator/saccos/${sacco.id}/activation`, { token: founder.token, body: { reason: 'Mine, please' } }),
  ).rejects.toThrow(/not_allowed/);
  await expect(registerSacco({ ...founder, id: operator().id })).rejects.toThrow(/in your own name only/);
});

test('whom the founder names is asked by SMS and takes the office up with its code, and naming tells nothing', async ({
  page,
}) => {
  const founder = await register(newPerson('Atieno', 'Odhiambo'));
  const sacco = await registerSacco(founder);
  const named = await register(newPerson('Zawadi', 'Chebet'));
  await confirmPhone(named);
  const name = async (idNumber: string) => {
    await page.getByRole('button', { name: 'Name an official' }).click();
    const naming = page.getByRole('dialog', { name: 'Name an official' });
    await naming.getByLabel('ID Number').fill(idNumber);
    await naming.getByRole('button', { name: 'Name an official' }).click();
    await expect(naming).toBeHidden();
    await expect(
      toast(page, 'If somebody with that ID number is registered here, an SMS asks them to accept.').first(),
    ).toBeVisible();
  };
  await becomeSignedIn(page, founder);
  await page.goto(`/saccos/${sacco.id}`);
  await name(newPerson().id_number);
  await name(named.id_number);
  await expect(page.getByText('Zawadi')).toHaveCount(0);
  // The founder's page has no error. It lists the people asked to take up an office, and says where papers go.
  await page.reload();
  const namings = page.getByRole('region', { name: 'Asked to take up an office' });
  await expect(namings).toContainText(named.id_number);
  await expect(page.getByText('No papers are sent through this page')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Figures from its books' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.goto('/my-saccos');
  await expect(page.getByText('You hold an office here, and are no member.')).toBeVisible();
  await expect(page.getByText('You have not joined a sacco yet')).toHaveCount(0);
  await page.getByRole('link', { name: 'Open the sacco’s page' }).click();
  await expect(page).toHaveURL(`/saccos/${sacco.id}`);

  await becomeSignedIn(page, named);
  await page.goto('/my-saccos');
  const asked = page.getByRole('region', { name: 'You are asked to take up an office' });
  await expect(asked).toContainText(`${sacco.name} asks you to take up an office: Secretary.`);
  await asked.getByRole('button', { name: 'Accept with the SMS code' }).click();
  const accepting = page.getByRole('dialog', { name: 'Take up an office' });
  await accepting.getByLabel('Code from the SMS').fill('AAAA-AAAA-AAAA-AAAA');
  await accepting.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page, 'That code is not right or has been used.')).toBeVisible();
  await accepting.getByLabel('Code from the SMS').fill(await officeCode(named));
  await accepting.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page, `You are now an official of ${sacco.name}.`)).toBeVisible();
  await expect(asked).toHaveCount(0);
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('Zawadi Chebet')).toBeVisible();
});
