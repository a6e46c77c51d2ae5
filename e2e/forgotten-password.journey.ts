import type { Page } from '@playwright/test';
import { api, newPerson, type Person, register, signInOnPage } from './support/people.ts';
import { message, messageCount } from './support/simulator.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

const SENT = 'If those details belong to an account, a reset code is on its way to that phone.';
const phoneLabel = 'Phone Number (this number receives the Reset Password Code)';

async function askForCode(page: Page, person: Pick<Person, 'id_number' | 'phone_number'>): Promise<void> {
  await page.goto('/auth/forgot-password');
  await page.getByLabel('ID Number').fill(person.id_number);
  await page.getByLabel(phoneLabel).fill(person.phone_number);
  await page.getByRole('button', { name: 'Submit' }).click();
}

async function setPassword(page: Page, code: string, password: string): Promise<void> {
  await page.getByLabel('Reset Code').fill(code);
  await page.getByLabel('New Password').fill(password);
  await page.getByRole('button', { name: 'Reset Password' }).click();
}

async function codeIn(phone: string): Promise<string> {
  const { text } = await message(phone, /reset code is/);
  return /reset code is ([0-9A-Z-]+)\./.exec(text)?.[1] ?? '';
}

test('who has forgotten the password sets a new one with the code from the SMS, which who does not know the phone never gets', async ({
  page,
}) => {
  const member = await register();
  await askForCode(page, { id_number: member.id_number, phone_number: newPerson().phone_number });
  await expect(page).toHaveURL('/auth/reset-password');
  await expect(toast(page, SENT)).toBeVisible();
  // The right pair after the wrong one gets the same answer, and brings exactly one message.
  await askForCode(page, member);
  await expect(page).toHaveURL('/auth/reset-password');
  await expect(toast(page, SENT)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reset Password', level: 1 })).toBeVisible();
  const code = await codeIn(member.phone_number);
  expect(await messageCount(member.phone_number)).toBe(1);

  // A wrong code is refused, and a weak password does not use up the right one.
  await setPassword(page, 'ZZZZ-ZZZZ', 'Mpya#2027');
  await expect(toast(page, 'Error: That reset code is not valid or has expired.')).toBeVisible();
  await setPassword(page, code, 'weak');
  await expect(toast(page, 'Error: Password has not satisfied the required specs')).toBeVisible();
  await setPassword(page, code.toLowerCase(), 'Mpya#2027');
  await expect(page).toHaveURL('/auth/login');
  await expect(toast(page, 'Your password has been reset. Sign in with the new one.')).toBeVisible();

  // Every session from before is over; the new password opens a new one, the old one none.
  await expect(api('GET', '/client/', member)).rejects.toThrow(/session_ended/);
  await signInOnPage(page, member);
  await expect(toast(page, 'Error: Invalid ID number or password')).toBeVisible();
  await signInOnPage(page, member, 'Mpya#2027');
  await expect(page).toHaveURL('/my-saccos');
  await message(member.phone_number, /your password was reset/);

  // And the code has been used.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth/reset-password');
  await setPassword(page, code, 'Nyingine#2028');
  await expect(toast(page, 'Error: That reset code is not valid or has expired.')).toBeVisible();
  await expect(page).toHaveURL('/auth/reset-password');
});

test('the fields of both pages are required, and an answer with success false is shown', async ({ page }) => {
  await page.goto('/auth/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Password', level: 1 })).toBeVisible();
  await expect(page.getByText('Fill in all the fields!')).toBeVisible();
  await expectNothingSent(page, async () => {
    await page.getByLabel('ID Number').fill('12345678');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await expect(page.getByLabel(phoneLabel)).toBeFocused();
    await page.goto('/auth/reset-password');
    await page.getByLabel('New Password').fill('Mpya#2027');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await expect(page.getByLabel('Reset Code')).toBeFocused();
  });

  // An answer with success false is shown, and the person stays.
  await page.route('**/api/v1/auth/forgot-password/', (route) =>
    route.fulfill({ json: { success: false, message: 'No such pair' } }),
  );
  await askForCode(page, newPerson());
  await expect(toast(page, 'No such pair')).toBeVisible();
  await expect(page).toHaveURL('/auth/forgot-password');
});
