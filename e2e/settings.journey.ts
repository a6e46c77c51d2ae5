import type { Page } from '@playwright/test';
import {
  activeSacco,
  api,
  becomeSignedIn,
  isSignedIn,
  openNothing,
  phoneCode,
  register,
  type Sacco,
  type SignedInPerson,
  signIn,
  signInOnPage,
} from './support/people.ts';
import { message, refuseSms } from './support/simulator.ts';
import { expect, expectNothingSent, test, toast, toasts } from './support/test.ts';
import { authenticatorCode } from './support/totp.ts';

let sacco: Sacco;
test.beforeAll(async () => {
  sacco = await activeSacco();
});

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openSettings(page: Page, person: SignedInPerson): Promise<void> {
  await becomeSignedIn(page, person, sacco);
  await page.goto('/client/settings');
  await expect(page.getByRole('heading', { name: 'Account Settings', level: 1 })).toBeVisible();
}

test('a new password signs every other device out, and a wrong or weak one changes nothing; one device is signed out, then all of them', async ({
  page,
}) => {
  const person = await register();
  const other = await signIn(person);
  await openSettings(page, person);
  const form = page.getByRole('form', { name: 'Change your password' });
  const change = async (current: string, wanted: string) => {
    await form.getByLabel('Current password').fill(current);
    await form.getByLabel('New Password', { exact: true }).fill(wanted);
    await form.getByRole('button', { name: 'Change password' }).click();
  };
  await expectNothingSent(page, async () => {
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await change(person.password, 'weak');
    await expect(toast(page, 'Password has not satisfied the required specs')).toBeVisible();
  });
  await change('Wrong#2026', 'Mpya#Kabisa2026');
  await expect(toast(page, 'Your current password is not right.')).toBeVisible();
  expect(await isSignedIn(other)).toBe(true);

  await change(person.password, 'Mpya#Kabisa2026');
  await expect(toast(page, 'Your password is changed. Your other devices have been signed out.')).toBeVisible();
  await expect(toast(page, 'Your current password is not right.')).toBeHidden();
  expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
  await expect(signIn(person)).rejects.toThrow(/invalid_credentials/);

  // One device is signed out, then all of them.
  const now = { ...person, password: 'Mpya#Kabisa2026' };
  const second = await signIn(now);
  await page.reload();
  const devices = section(page, 'Devices');
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByText('This device')).toHaveCount(1);
  // Nobody ends a device that is another's.
  const { results } = await api<{ results: { id: string }[] }>('GET', '/client/sessions', second);
  const stranger = await register();
  await expect(
    api('DELETE', `/client/sessions/${results[0]?.id}`, { token: stranger.token, body: {} }),
  ).rejects.toThrow(/not_found/);
  await devices.getByRole('button', { name: /^Sign out / }).click();
  await expect(toast(page, 'That device has been signed out.')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  expect([await isSignedIn(person), await isSignedIn(second)]).toEqual([true, false]);

  const third = await signIn(now);
  await devices.getByRole('button', { name: 'Log out everywhere' }).click();
  const leaving = page.getByRole('dialog', { name: 'Log out everywhere' });
  await leaving.getByLabel('Password', { exact: true }).fill('Wrong#2026');
  await leaving.getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(toast(page, /Invalid ID number or password/)).toBeVisible();
  expect(await isSignedIn(third)).toBe(true);
  await leaving.getByLabel('Password', { exact: true }).fill(now.password);
  await leaving.getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(page).toHaveURL('/auth/login');
  expect([await isSignedIn(person), await isSignedIn(third)]).toEqual([false, false]);
});

test('on a phone the newest toast stands alone, and it is gone when its page is left', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/auth/register');
  const signUp = page.getByRole('button', { name: 'Sign Up', exact: true });
  await signUp.click();
  await expect(toast(page, 'All Fields are required')).toBeVisible();
  for (const [label, text] of [
    ['First Name*', 'Amina'],
    ['Last Name*', 'Juma'],
    ['Phone Number*', '12'],
    ['Email*', 'amina'],
    ['ID Number*', '12'],
    ['Password*', 'Maziwa#2026'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await signUp.click();
  // Three fields are refused, each with its sentence beside it.
  await expect(page.getByLabel('ID Number*')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Email*')).toHaveAttribute('aria-invalid', 'true');
  await expect(toasts(page).getByRole('alert')).toHaveCount(1);
  await page.getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Sign In', level: 1 })).toBeVisible();
  await expect(toasts(page).getByRole('alert')).toHaveCount(0, { timeout: 2_000 });
});

test('settings that cannot be loaded or saved say so, and can be tried again; the phone is confirmed by the code from its SMS, and by no other', async ({
  page,
}) => {
  const person = await register();
  await page.route('**/api/v1/client/sessions', (route) => route.fulfill({ status: 503, body: '' }));
  await openSettings(page, person);
  const devices = section(page, 'Devices');
  await expect(devices.getByRole('alert')).toBeVisible();
  await page.unroute('**/api/v1/client/sessions');
  await devices.getByRole('button', { name: 'Try again' }).click();
  await expect(devices.getByText('This device')).toBeVisible();
  await page.route('**/api/v1/client/preferences', (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
  );
  const money = page.getByRole('switch', { name: /^Money/ });
  await money.click();
  await expect(toast(page, 'You seem to be offline. Check your connection and try again.')).toBeVisible();
  await expect(money).toBeChecked();

  const phone = section(page, 'Phone number');
  await phone.getByRole('button', { name: 'Confirm by SMS' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your phone' });
  const code = await phoneCode(person);
  await dialog.getByLabel('Code from the SMS').fill(code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10)));
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(page, 'That code is not valid or has expired.')).toBeVisible();
  await dialog.getByLabel('Code from the SMS').fill(code);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(page, 'Your phone number is confirmed.')).toBeVisible();
  await expect(phone).toContainText(`+${person.phone_number} is confirmed.`);
});

test('a code that the SMS provider refuses for good is said not to have gone, where it is waited for (field case M13)', async ({
  page,
}) => {
  const person = await register();
  await refuseSms([person.phone_number]);
  await openSettings(page, person);
  await section(page, 'Phone number').getByRole('button', { name: 'Confirm by SMS' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your phone' });
  await expect(dialog.getByRole('alert')).toContainText(
    `The code did not go: SMS to ${person.phone_number} are refused.`,
    { timeout: 20_000 },
  );
  await refuseSms([]);
});

test('an authenticator app is set up, its recovery codes are renewed, and it is removed, each with its proof', async ({
  page,
}) => {
  const person = await register();
  const other = await signIn(person);
  await openSettings(page, person);
  const factor = section(page, 'Authenticator app');
  await factor.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await dialog.getByLabel('Current password').fill('Wrong#2026');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(toast(page, 'Your current password is not right.')).toBeVisible();
  await dialog.getByLabel('Current password').fill(person.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code from the app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await expect(toast(page, /That code is not right/)).toBeVisible();
  await dialog.getByLabel('Code from the app').fill(authenticatorCode(secret));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await expect(dialog.locator('code')).toHaveCount(10);
  const codes = await dialog.locator('code').allTextContents();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(factor).toContainText('10 recovery codes are left.');
  expect(await isSignedIn(other)).toBe(false);
  await expect(signIn(person)).rejects.toThrow(/second_factor_required/);

  const prove = async (title: string, button: string, otp: string) => {
    const proof = page.getByRole('dialog', { name: title });
    await proof.getByLabel('Current password').fill(person.password);
    await proof.getByLabel('Authenticator code').fill(otp);
    await proof.getByRole('button', { name: button, exact: true }).click();
    return proof;
  };
  await factor.getByRole('button', { name: 'New recovery codes' }).click();
  const renewing = await prove('New recovery codes', 'Make new codes', codes[0] ?? '');
  await expect(renewing.locator('code')).toHaveCount(10);
  const renewed = await renewing.locator('code').allTextContents();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
  await renewing.getByRole('button', { name: 'I have kept them' }).click();

  await factor.getByRole('button', { name: 'Remove', exact: true }).click();
  const removing = await prove('Remove the authenticator app', 'Remove', codes[1] ?? '');
  await expect(toast(page, /That code is not right/)).toBeVisible();
  await expect(removing).toBeVisible();
  await prove('Remove the authenticator app', 'Remove', renewed[0] ?? '');
  await expect(toast(page, 'Your authenticator app is off.')).toBeVisible();
  await expect(factor).toContainText('Your password alone opens your account.');
  await signIn(person);
});

test('language and theme are this device’s and last; SMS follow the language on every device', async ({
  page,
  browser,
}) => {
  const person = await register();
  await openSettings(page, person);
  await page.getByRole('radio', { name: 'Kiswahili' }).check();
  await expect(page.getByRole('heading', { name: 'Mipangilio ya Akaunti', level: 1 })).toBeVisible();
  await expect
    .poll(async () => (await api<{ language: string }>('GET', '/client/preferences', person)).language)
    .toBe('sw');
  await page.getByRole('radio', { name: 'Giza' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Mipangilio ya Akaunti', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'sw');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Thibitisha kwa SMS' }).click();
  await message(person.phone_number, /thibitish/i);

  // Another device keeps its own language and theme.
  const elsewhere = await browser.newContext({ baseURL: process.env.E2E_URL ?? '', serviceWorkers: 'block' });
  const other = await elsewhere.newPage();
  await openNothing(other);
  await openSettings(other, person);
  await expect(other.locator('html')).not.toHaveAttribute('data-theme');
  // A sign-in takes the language of the account.
  await other.evaluate(() => localStorage.clear());
  await other.goto('/auth/login');
  await signInOnPage(other, person);
  await expect(other.getByRole('heading', { name: 'Sacco zangu', level: 1 })).toBeVisible();

  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('heading', { name: 'Account Settings', level: 1 })).toBeVisible();
  await expect
    .poll(async () => (await api<{ language: string }>('GET', '/client/preferences', person)).language)
    .toBe('en');

  // One that is chosen on the page before the sign-in becomes the account's.
  await other.evaluate(() => localStorage.clear());
  await other.goto('/auth/login');
  await other.getByLabel('ID Number').fill(person.id_number);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Kiswahili' }).click();
  await other.getByRole('button', { name: 'Ingia', exact: true }).click();
  await expect(other.getByRole('heading', { name: 'Sacco zangu', level: 1 })).toBeVisible();
  await expect
    .poll(async () => (await api<{ language: string }>('GET', '/client/preferences', person)).language)
    .toBe('sw');
  await elsewhere.close();
});
