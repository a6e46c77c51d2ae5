import type { Page } from '@playwright/test';
import { confirmPhone, newPerson, type Person, register } from './support/people.ts';
import { expect, expectNothingSent, test, toast, toasts } from './support/test.ts';

async function fill(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First Name*').fill(person.first_name);
  await page.getByLabel('Last Name*').fill(person.last_name);
  await page.getByLabel('Phone Number*').fill(`0${person.phone_number.slice(3)}`);
  await page.getByLabel('Email*').fill(person.email);
  await page.getByLabel('ID Number*').fill(person.id_number);
  await page.getByLabel('Password*').fill(person.password);
  if (!/^E\d/.test(person.id_number)) return;
  await page.getByLabel('Document').selectOption('passport');
  await page.getByLabel('Country of the passport').selectOption('KE');
}

const signUp = (page: Page) => page.getByRole('button', { name: 'Sign Up', exact: true }).click();

test('somebody signs up with a phone number, stands before the saccos with a session, and is not asked to sign up or in again', async ({
  page,
}) => {
  const person = newPerson('Wambui', 'Kariuki');
  await page.goto('/auth/register');
  await expect(page.getByRole('heading', { name: 'Sign Up', level: 1 })).toBeVisible();
  await expect(page.getByText('Fill in the fields to create your account!')).toBeVisible();
  await expect(page.getByLabel('Phone Number*')).toHaveAttribute('placeholder', '0700 000000');
  await expect(page.getByLabel('Country')).toHaveValue('KE');
  await expect(page.getByRole('link', { name: 'Have An Account? Sign In' })).toHaveAttribute('href', '/auth/login');

  await fill(page, person);
  // The other way in which Kenyans write it is taken as well.
  await expect(page.getByText('As 0712345678 or 254712345678.')).toBeVisible();
  await page.getByLabel('Phone Number*').fill(person.phone_number);
  await signUp(page);
  await expect(toast(page, 'Registration Successfull')).toBeVisible();
  await expect(page).toHaveURL('/saccos-list');
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
  expect(stored.token).toBeTruthy();
  expect(stored.user).toMatchObject({ id_number: person.id_number, phone_number: person.phone_number });
  for (const path of ['/auth/register', '/auth/login']) {
    await page.goto(path);
    await expect(page).toHaveURL('/my-saccos');
  }
});

test('a form with an empty field or a weak password is not sent, and the list of rules follows every letter that is typed', async ({
  page,
}) => {
  await page.goto('/auth/register');
  await expectNothingSent(page, async () => {
    await signUp(page);
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await expect(page.getByLabel('First Name*')).toBeFocused();
    // The referral code is the only field that may stay empty.
    await fill(page, newPerson());
    for (const label of ['First Name*', 'Last Name*', 'Phone Number*', 'Email*', 'ID Number*', 'Password*']) {
      const field = page.getByLabel(label);
      const filled = await field.inputValue();
      await field.fill('');
      await signUp(page);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(filled);
    }
  });

  // The list of rules follows every letter that is typed.
  const open = (rule: string) => page.getByRole('listitem').filter({ hasText: rule }).filter({ hasText: '(open)' });
  const met = (rule: string) => page.getByRole('listitem').filter({ hasText: rule }).filter({ hasText: '(met)' });
  const password = page.getByLabel('Password*');
  const rules = {
    length: 'At least 8 characters',
    letter: 'At least one letter',
    uppercase: 'At least one uppercase letter',
    digit: 'At least one digit',
    special: 'At least one special character',
  };
  await password.fill('');
  for (const rule of Object.values(rules)) await expect(open(rule)).toBeVisible();
  await password.pressSequentially('a');
  await expect(met(rules.letter)).toBeVisible();
  await expect(open(rules.uppercase)).toBeVisible();
  await password.pressSequentially('A');
  await expect(met(rules.uppercase)).toBeVisible();
  await password.pressSequentially('1');
  await expect(met(rules.digit)).toBeVisible();
  await password.pressSequentially('#');
  await expect(met(rules.special)).toBeVisible();
  await expect(open(rules.length)).toBeVisible();

  await expectNothingSent(page, async () => {
    for (const weak of ['aA1#xyz', 'abcdefgh1', 'abcdefgh#', '12345678#']) {
      await password.fill(weak);
      await signUp(page);
      await expect(password).toHaveAttribute('aria-invalid', 'true');
      await expect(toast(page, 'Password has not satisfied the required specs')).toBeVisible();
    }
  });
  await expect(page).toHaveURL('/auth/register');

  // Without a link the referral code can be typed.
  await page.getByLabel('Referral Code (optional)').fill('ABCD2345');
  await expect(page.getByLabel('Referral Code (optional)')).toHaveValue('ABCD2345');
});

test('what another account has already is told in one message each', async ({ page }) => {
  const other = await register();
  await confirmPhone(other);
  await page.goto('/auth/register');
  await fill(page, { ...newPerson(), ...other, password: 'Another#2026' });
  await signUp(page);
  await expect(toast(page, 'An account with this ID number already exists.')).toBeVisible();
  await expect(toast(page, 'An account with this phone number already exists.')).toBeVisible();
  await expect(toast(page, 'An account with this email already exists.')).toBeVisible();
  await expect(toasts(page).getByRole('alert')).toHaveCount(3);
  await expect(page).toHaveURL('/auth/register');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

  await page.getByLabel('ID Number*').fill(newPerson().id_number);
  await page.getByLabel('Email*').fill(newPerson().email);
  await signUp(page);
  await expect(page.getByLabel('Phone Number*')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('ID Number*')).not.toHaveAttribute('aria-invalid', 'true');
});

test('the referral code comes from the link and cannot be changed; an unknown one, or a password without an uppercase letter, stops nobody, and a second click does nothing', async ({
  page,
}) => {
  await page.goto('/auth/register?ref=NOBODY99');
  const code = page.getByLabel('Referral Code (optional)');
  await expect(code).toHaveValue('NOBODY99');
  await expect(code).toHaveAttribute('readonly');
  await fill(page, { ...newPerson(), password: 'ushirika#2026' });
  let calls = 0;
  let answer = () => {};
  const mayAnswer = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/api/v1/auth/register/', async (route) => {
    calls += 1;
    await mayAnswer;
    await route.continue();
  });
  await signUp(page);
  // While the server thinks about it, the button says so.
  const busy = page.getByRole('button', { name: 'Authenticating...' });
  await expect(busy).toBeVisible();
  await busy.click({ force: true });
  await page.getByLabel('Email*').press('Enter');
  answer();
  await expect(page).toHaveURL('/saccos-list');
  expect(calls).toBe(1);
});

test('an ID number with a word before it is the ID’s, and letters in it are not taken for a passport’s', async ({
  page,
}) => {
  const person = newPerson();
  const number = `3${person.id_number.slice(-7)}`;
  await page.goto('/auth/register');
  await fill(page, { ...person, id_number: `Sn ${number}` });
  await signUp(page);
  await expect(page.getByText('An ID has digits only. With a passport, choose “Passport”.').first()).toBeVisible();
  await page.getByLabel('ID Number*').fill(`Na. ${number}`);
  await expect(page.getByText('The number on the ID card.')).toBeVisible();
  await page.getByLabel('Password*').fill(person.password);
  await signUp(page);
  await expect(toast(page, 'Registration Successfull')).toBeVisible();
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
  expect(stored.user).toMatchObject({ id_number: number });
});

test('a Ugandan passport with the number of a Kenyan one is another person’s', async ({ page, browser }) => {
  const number = `B${newPerson('Akello').id_number.slice(-7)}`;
  for (const [country, kept] of [
    ['KE', number],
    ['UG', `UGA${number}`],
  ] as const) {
    const own = country === 'KE' ? page : await (await browser.newContext()).newPage();
    await own.goto('/auth/register');
    await fill(own, { ...newPerson('Akello'), id_number: number });
    await expect(own.getByText('A passport? Choose “Passport” and its country.')).toBeVisible();
    await own.getByLabel('Document').selectOption('passport');
    await own.getByLabel('Country of the passport').selectOption(country);
    await signUp(own);
    await expect(toast(own, 'Registration Successfull')).toBeVisible();
    const stored = await own.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
    expect(stored.user).toMatchObject({ id_number: kept });
  }
});

test('somebody pastes a foreign number and has a British passport: its country is asked for, and both are kept with it (field case P3)', async ({
  page,
}) => {
  const person = { ...newPerson('Otieno', 'Kamau'), first_name: 'Otieno/Ouma', last_name: 'Kamau, Jr' };
  await page.goto('/auth/register');
  await fill(page, { ...person, id_number: '' });
  await page.getByLabel('Phone Number*').fill(`tel:+256 (0)77${person.phone_number.slice(-7)}`);
  await expect(page.getByLabel('Country')).toHaveValue('UG');
  // The country of a code that was pasted goes with it.
  await page.getByLabel('Phone Number*').fill('0712345678');
  await expect(page.getByLabel('Country')).toHaveValue('KE');
  await expect(page.locator('input[name=phone_number]')).toHaveValue('+254712345678');
  await page.getByLabel('Phone Number*').fill(`tel:+256 (0)77${person.phone_number.slice(-7)}`);
  await page.getByLabel('Document').selectOption('passport');
  await page.getByLabel('ID Number*').fill(`1 ${person.id_number.slice(-8)}`);
  await signUp(page);
  await expect(page.getByLabel('Country of the passport')).toBeFocused();
  await page.getByLabel('Country of the passport').selectOption('GB');
  await expect(page.getByText(`You sign in with GBR1${person.id_number.slice(-8)}.`)).toBeVisible();
  await signUp(page);
  await expect(toast(page, 'Registration Successfull')).toBeVisible();
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
  expect(stored.user).toMatchObject({
    id_number: `GBR1${person.id_number.slice(-8)}`,
    phone_number: `25677${person.phone_number.slice(-7)}`,
    first_name: 'Otieno/Ouma',
    last_name: 'Kamau Jr',
  });
});
