import { clientPages, operatorPages } from './support/pages.ts';
import { activeSacco, api, becomeSignedIn, newPerson, register } from './support/people.ts';
import { expect, goWithin, test } from './support/test.ts';

const PROTECTED = ['/my-saccos', '/profile', '/profile/wallet'];
test('without a session every page behind the guard leads to sign-in', async ({ page }) => {
  // One of each kind by its address, and all of them as a link leads there: the guard is the same.
  const signIn = page.getByRole('heading', { name: 'Sign In', level: 1 });
  for (const path of [PROTECTED[0], clientPages[0], operatorPages[0]]) {
    await page.goto(path ?? '');
    await expect(page, path).toHaveURL('/auth/login');
  }
  for (const path of [...PROTECTED, ...clientPages, ...operatorPages]) {
    await expect(signIn).toBeVisible();
    await goWithin(page, path);
    await expect(page, path).toHaveURL('/auth/login');
  }
  await expect(signIn).toBeVisible();
});

test('without a chosen sacco every page of the client area leads to my-saccos', async ({ page }) => {
  await becomeSignedIn(page, await register());
  const mySaccos = page.getByRole('heading', { name: 'My saccos', level: 1 });
  await page.goto('/client');
  await expect(page).toHaveURL('/my-saccos');
  for (const path of clientPages) {
    await expect(mySaccos).toBeVisible();
    await goWithin(page, path);
    await expect(page, path).toHaveURL('/my-saccos');
  }
});

test('who stores a sacco that is not theirs sees none of its members and figures', async ({ page }) => {
  const sacco = await activeSacco(await register(newPerson('Makena', 'Secretive')));
  const stranger = await register();
  await becomeSignedIn(page, stranger, sacco);
  await page.goto('/client');
  await expect(page.getByText(`You are not a member of ${sacco.name}`)).toBeVisible();
  await goWithin(page, '/client/members');
  await expect(page.getByText('You are not a member of this sacco.')).toBeVisible();
  await expect(page.getByText('Makena Secretive')).toHaveCount(0);
  await expect(api('GET', '/sacco/members', { token: stranger.token, sacco: sacco.id })).rejects.toThrow(
    /not_a_member/,
  );
});

test('a member who opens the operator’s desk is turned away, and the server refuses each of its calls', async ({
  page,
}) => {
  const member = await register();
  await becomeSignedIn(page, member);
  const turnedAway = page.getByText('This desk is for the platform’s operators');
  await page.goto('/operator');
  for (const path of operatorPages) {
    await goWithin(page, path);
    await expect(page, path).toHaveURL(path);
    await expect(turnedAway, path).toBeVisible();
    await goWithin(page, '/no-such-page');
    await expect(turnedAway).toHaveCount(0);
  }
  for (const call of ['saccos', 'deposits', 'referrals', 'health', 'actions']) {
    await expect(api('GET', `/operator/${call}`, member), call).rejects.toThrow(/not_allowed/);
  }
});

test('an address that is no page says so and leads home, whose links lead where they say and change with a session', async ({
  page,
}) => {
  for (const path of ['/no-such-page', '/auth/no-such-page', '/client-x']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Page not found', level: 1 }), path).toBeVisible();
  }
  await page.getByRole('link', { name: 'Navigate Home' }).click();
  await expect(page).toHaveURL('/');

  // The landing page leads where it says, and its navigation changes with a session.
  await expect(page.getByRole('heading', { name: 'Transforming Cooperatives For The Future', level: 1 })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Join Saccos' }).first()).toHaveAttribute('href', '/saccos');
  await expect(main.getByRole('link', { name: 'View Guarantor Pools' })).toHaveAttribute('href', '/guarantor-pools');
  await expect(main.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth/login');
  const top = page.getByRole('navigation', { name: 'Main' });
  for (const [name, path] of [
    ['Home', '/'],
    ['Saccos', '/saccos'],
    ['Pools', '/pools'],
    ['Dashboard', '/client'],
    ['My Account', '/profile'],
    ['Login', '/auth/login'],
  ] as const) {
    await expect(top.getByRole('link', { name, exact: true })).toHaveAttribute('href', path);
  }
  await expect(top.getByRole('button', { name: 'Log Out' })).toHaveCount(0);
  for (const heading of [
    'Flexible transactions',
    'Profitability',
    'Transparency',
    'Liquidity management',
    'Guarantor management',
    'Loan tracking',
    'Share trading',
    'Voting',
  ]) {
    await expect(main.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  }
  await becomeSignedIn(page, await register());
  await page.goto('/');
  await expect(top.getByRole('button', { name: 'Log Out' })).toBeVisible();
  await expect(top.getByRole('link', { name: 'Login', exact: true })).toHaveCount(0);
  const below = page.getByRole('navigation', { name: 'Your account' });
  await expect(below.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/client');
  await expect(below.getByRole('link', { name: /Sign/ })).toHaveCount(0);
  // Without a chosen sacco there are still the votes of all.
  await main.getByRole('link', { name: 'How voting works' }).click();
  await expect(page).toHaveURL('/voting-proposals');
  await expect(main.getByRole('heading', { name: 'Votes of all saccos' })).toBeVisible();
});
