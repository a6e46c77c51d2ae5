import { api, newPerson, PASSWORD, register, signInOnPage } from './support/people.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';
import { authenticatorCode } from './support/totp.ts';

test('a member signs in and comes to their saccos, whatever a prepared link says; an empty field, a wrong password, an unknown number and an answer that cannot be read are refused', async ({
  page,
}) => {
  const member = await register(newPerson('Achieng', 'Owuor'));
  await page.goto('/auth/login');
  await expect(page.getByRole('heading', { name: 'Sign In', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your Sacco, automated' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/auth/forgot-password');
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/auth/register');
  await expect(page.getByRole('link', { name: 'Navigate Home' }).last()).toHaveAttribute('href', '/');
  await expectNothingSent(page, async () => {
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await expect(page.getByLabel('ID Number')).toBeFocused();
    await page.getByLabel('ID Number').fill('12345678');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  });

  // What is typed can be shown, and hidden again.
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('Secret#2026');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await expect(password).toHaveValue('Secret#2026');

  // A wrong password and an unknown ID number are refused in the same words.
  await signInOnPage(page, member, 'Wrong#2026');
  await expect(toast(page, 'Error: Invalid ID number or password')).toBeVisible();
  // Opening sign-in without a session clears what was stored here.
  await page.evaluate(() => localStorage.setItem('sacco', '{"id":"1","name":"Left behind"}'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign In', level: 1 })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('sacco'))).toBeNull();
  await signInOnPage(page, newPerson());
  await expect(toast(page, 'Error: Invalid ID number or password')).toBeVisible();
  await expect(page).toHaveURL('/auth/login');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

  // The words of the server where it has some, and ours where it has none.
  await page.route('**/api/v1/auth/login/', (route) =>
    route.fulfill({ json: { success: false, message: 'Not today' } }),
  );
  await signInOnPage(page, newPerson());
  await expect(toast(page, 'Not today')).toBeVisible();
  await page.route('**/api/v1/auth/login/', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page, 'The answer could not be read. Try again in a moment.')).toBeVisible();
  await page.route('**/api/v1/auth/login/', (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page, 'You seem to be offline. Check your connection and try again.')).toBeVisible();
  await expect(page).toHaveURL('/auth/login');
  await page.unroute('**/api/v1/auth/login/');

  // While the server thinks about it, the button says so.
  let answer = () => {};
  const mayAnswer = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/api/v1/auth/login/', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  // Nobody is led away from here by a prepared link.
  await page.evaluate(() => sessionStorage.setItem('return_to', '//evil.example/'));
  await signInOnPage(page, member);
  await expect(page.getByRole('button', { name: 'Authenticating...' })).toBeVisible();
  answer();
  await expect(toast(page, 'Welcome back, Achieng')).toBeVisible();
  await expect(page).toHaveURL('/my-saccos');
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
  expect(stored).toMatchObject({ success: true, user: { id: member.id } });
});

test('who was sent to sign in comes back to the page that they wanted', async ({ page }) => {
  const member = await register();
  await page.goto('/profile?open=top-up');
  await expect(page).toHaveURL('/auth/login');
  await signInOnPage(page, member);
  await expect(page).toHaveURL('/profile?open=top-up');
});

test('an account with an authenticator app asks for its code after the right password, and takes each code once', async ({
  page,
}) => {
  const member = await register();
  const { secret } = await api<{ secret: string }>('POST', '/client/second-factor', {
    token: member.token,
    body: { current_password: PASSWORD },
  });
  const used = authenticatorCode(secret);
  const { recovery_codes } = await api<{ recovery_codes: string[] }>('POST', '/client/second-factor/confirmation', {
    token: member.token,
    body: { otp: used },
  });
  await page.goto('/auth/login');
  await expect(page.getByLabel('Authenticator code')).toBeHidden();
  await signInOnPage(page, member, 'Wrong#2026');
  await expect(toast(page, 'Error: Invalid ID number or password')).toBeVisible();
  await expect(page.getByLabel('Authenticator code')).toBeHidden();
  await signInOnPage(page, member);
  const code = page.getByLabel('Authenticator code');
  await expect(code).toBeFocused();
  await expect(page).toHaveURL('/auth/login');
  // The code that turned it on; one made now would be a new one if half a minute has begun since.
  await code.fill(used);
  await code.press('Enter');
  await expect(toast(page, 'Error: That code is not right or has been used.')).toBeVisible();
  await code.fill(recovery_codes[0] ?? '');
  await code.press('Enter');
  await expect(page).toHaveURL('/my-saccos');
});
