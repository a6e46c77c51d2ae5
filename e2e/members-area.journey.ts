import type { Page } from '@playwright/test';
import { paths } from '../web/src/paths.ts';
import { MEMBERS_PAGES } from '../web/src/shell/members-pages.ts';
import { shareholder } from './support/market.ts';
import { pagesOfMembers } from './support/pages.ts';
import {
  acceptOffice,
  activeSacco,
  api,
  becomeSignedIn,
  buyShares,
  join,
  nameAsOperators,
  newPerson,
  register,
  registerSacco,
  registerWithMoney,
  walletShillingsOf,
} from './support/people.ts';
import { message } from './support/simulator.ts';
import { expect, expectAccessible, expectNothingSent, goWithin, test, toast } from './support/test.ts';

async function member(shillings: number) {
  const sacco = await activeSacco();
  const person = await registerWithMoney(shillings);
  await join(person, sacco);
  return { person, sacco };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('a member chooses a sacco, is welcomed, and sees where they stand', async ({ page }) => {
  const { person, sacco } = await member(2_100);
  await buyShares(person, sacco, 12);
  await becomeSignedIn(page, person);
  await page.goto('/my-saccos');
  // Typing and going in before the search has run must not lead back to the list.
  await page.getByRole('searchbox').fill(sacco.name);
  const card = page.getByRole('article', { name: sacco.name });
  await card.getByRole('button', { name: 'Access Sacco' }).click();
  await expect(toast(page, 'Welcome')).toBeVisible();
  await expect(page).toHaveURL('/client');
  await expect(heading(page, 'Dashboard')).toBeAttached();
  await expect(page.getByRole('banner')).toContainText(sacco.name);
  await expect(page.getByRole('banner')).toContainText(person.id_number);
  await expect(page.getByRole('region', { name: 'Wallet' })).toContainText('Ksh. 400.00');
  await expect(page.getByText('Ksh. 1,200.00').first()).toBeVisible();
  const sidebar = page.getByRole('navigation', { name: 'Client area' });
  for (const name of ['Dashboard', 'Guarantor Pools', 'Referrals', 'Saccos', 'Home']) {
    await expect(sidebar.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await page.getByRole('button', { name: /My menu/ }).click();
  await expect(page.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/client/profile');
  await expect(page.getByRole('link', { name: 'Account Settings' })).toHaveAttribute('href', '/client/settings');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/auth/login');
});

test('a sacco that one does not belong to, or that is not active, is not among one’s own to enter', async ({
  page,
}) => {
  const founder = await register();
  const inactive = await registerSacco(founder);
  const foreign = await activeSacco();
  await becomeSignedIn(page, founder);
  await page.goto('/my-saccos');
  await expect(heading(page, 'My saccos')).toBeVisible();
  await page.getByRole('searchbox').fill(foreign.name);
  await expect(page.getByText(`None of your saccos has “${foreign.name}” in its name`)).toBeVisible();
  await page.goto('/my-saccos');
  // Its founder is its official, and no member yet.
  const founded = page.getByRole('article', { name: inactive.name });
  await expect(founded).toContainText('Waits for activation');
  await expect(founded.getByRole('link', { name: 'Open the sacco’s page' })).toBeVisible();
  await expect(page.getByRole('article', { name: foreign.name })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Access Sacco|Enter as an official)$/ })).toHaveCount(0);
});

/** The pages of which an official who is no member has a part. */
const PARTLY = new Set([paths.client(), paths.clientShareTrading()]);

/** An official who is no member: no page waits for ever or refuses, and pages of members say that they are for members. */
async function expectNothingForMembers(page: Page): Promise<void> {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.goto('/client/members');
  await expect(page.getByText('No members yet')).toBeVisible();
  await expect(page.getByText('What the sacco pays for a referral')).toHaveCount(0);
  await page.goto('/client');
  await expect(page.getByText('You hold an office in', { exact: false })).toBeVisible();
  await expect(page.getByRole('main').getByText('Loading...')).toHaveCount(0);
  const places = page.getByRole('navigation', { name: 'Client area' }).first();
  await expect(places.getByRole('link', { name: 'Credit desk' })).toBeVisible();
  await expect(places.getByRole('link', { name: 'Loans' })).toHaveCount(0);
  const forMembers = [...MEMBERS_PAGES].filter((path) => !path.includes(':'));
  const inClientArea = pagesOfMembers
    .filter((path) => /^\/client\b/.test(path))
    .map((path) => path.replace(/\?.*/, ''));
  const others = [...inClientArea, '/client/desk'].filter((path) => !MEMBERS_PAGES.has(path) && !PARTLY.has(path));
  for (const path of others) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page.getByText('This is for members'), path).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Loading...'), path).toHaveCount(0);
  }
  await answerProfileLate(page);
  for (const path of forMembers) {
    await page.goto(path);
    await expect(page.getByText('This is for members'), path).toBeVisible();
  }
  await page.unroute('**/client/');
  expect(refused).toEqual([]);
}

/** Holds the profile back for a second, so that everything else of a page is known before it. */
async function answerProfileLate(page: Page): Promise<void> {
  await page.route('**/client/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
}

test('a founder enters the sacco as its official, from their saccos, from its page and from a notification', async ({
  page,
}) => {
  const founder = await register(newPerson('Rehema', 'Barasa'));
  const sacco = await activeSacco(founder);
  await becomeSignedIn(page, founder);
  await page.goto('/my-saccos');
  const card = page.getByRole('article', { name: sacco.name });
  await expect(card).toContainText('Active');
  await card.getByRole('button', { name: 'Enter as an official' }).click();
  await expect(page).toHaveURL('/client/members');
  await expect(page.getByRole('banner')).toContainText(sacco.name);
  await expect(page.getByRole('button', { name: 'Invite to an office' })).toBeVisible();
  await expectNothingForMembers(page);
  await page.goto(`/saccos/${sacco.id}`);
  await page.getByRole('button', { name: 'Enter as an official' }).click();
  await expect(page).toHaveURL('/client/members');

  // In a browser that has no sacco chosen.
  const named = await register();
  await nameAsOperators(sacco, { id_number: named.id_number, office: 'secretary' });
  await page.evaluate(() => localStorage.removeItem('sacco'));
  await page.goto('/my-saccos');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const told = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem');
  await told.filter({ hasText: 'names somebody as' }).getByRole('link', { name: 'Members' }).click();
  await expect(page).toHaveURL('/client/members');
  await expect(page.getByRole('button', { name: 'Refuse' })).toBeVisible();
});

test('an official who is no member finds on the market’s page what waits for them there, and is not told to join', async ({
  page,
}) => {
  const founder = await register(newPerson('Rehema', 'Barasa'));
  const sacco = await activeSacco(founder);
  const secretary = await shareholder(sacco);
  await nameAsOperators(sacco, { id_number: secretary.id_number, office: 'secretary' });
  await acceptOffice(secretary);
  await becomeSignedIn(page, founder, sacco);
  await page.goto('/client/share-trading');
  await expect(heading(page, 'Share Trading')).toBeVisible();
  await expect(page.getByText('This is for members')).toBeVisible();
  await expect(page.getByText('Join it', { exact: false })).toHaveCount(0);
  const rules = { price_mode: 'band', tick: 1, lot: 1, fee_basis_points: 50, fee_min: 10, trading: 'closed' };
  await api('PUT', '/sacco/market-terms', { token: secretary.token, sacco: sacco.id, body: rules });
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Read and confirm' })).toBeVisible();
  await expect(page.getByText('This is for members')).toBeVisible();
  // A person without an office is still told to join.
  await becomeSignedIn(page, await register(), sacco);
  await page.goto('/client/share-trading');
  await expect(page.getByText('Join it, or choose one of your own saccos.')).toBeVisible();
});

test('an ID card that no official has seen waits for them, leads to its member, and waits no more once it is recorded', async ({
  page,
}) => {
  const founder = await registerWithMoney(2_000);
  const sacco = await activeSacco(founder);
  const person = await registerWithMoney(2_000, newPerson('Zuhura', 'Mwangi'));
  for (const one of [founder, person]) await join(one, sacco);
  await becomeSignedIn(page, founder, sacco);
  await page.goto('/client');
  const waits = page.getByRole('listitem').filter({ hasText: 'The ID card of a member is not seen yet' });
  await waits.getByRole('link', { name: 'Look' }).click();
  await expect(page).toHaveURL('/client/members?card=unseen');
  await page.getByRole('button', { name: 'Record it Zuhura Mwangi' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record an ID card' });
  await dialog.getByLabel('Number on the card').fill(person.id_number);
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Record it Zuhura Mwangi' })).toHaveCount(0);
  await goWithin(page, '/client');
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
  await expect(page.getByText('Show your ID card to an official')).toBeVisible();
  await expect(waits).toHaveCount(0);
});

test('the residence of a member for tax is asked without a guess, and nothing is recorded before it is chosen', async ({
  page,
}) => {
  const founder = await registerWithMoney(2_000);
  const sacco = await activeSacco(founder);
  const person = await registerWithMoney(2_000, newPerson('Zuhura', 'Mwangi'));
  for (const one of [founder, person]) await join(one, sacco);
  await becomeSignedIn(page, founder, sacco);
  await page.goto('/client/members');
  await expect(page.getByText('Lives abroad')).toHaveCount(0);
  await page.getByRole('button', { name: 'Residence for tax Zuhura Mwangi' }).click();
  const dialog = page.getByRole('dialog', { name: /^Where does .* live\?$/ });
  await expect(dialog.getByRole('combobox')).toHaveValue('');
  await dialog.getByLabel('Which paper did you see?').fill('A certificate');
  await expectNothingSent(page, async () => {
    await dialog.getByRole('button', { name: 'I have seen it' }).click();
    await expect(toast(page, 'Say where, and which paper you saw.')).toBeVisible();
  });
  await dialog.getByRole('combobox').selectOption('abroad');
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Lives abroad', { exact: true })).toBeVisible();
});

test('on the dashboard: savings never more than the wallet holds, a standing order, a rating that must wait, a notice taken back', async ({
  page,
}) => {
  const { person, sacco } = await member(2_700);
  await becomeSignedIn(page, person, sacco);
  await page.goto('/client');
  await page.getByRole('button', { name: 'Deposit to savings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deposit to savings' });
  await expectNothingSent(page, async () => {
    await dialog.getByRole('button', { name: 'Save it' }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
  });
  await dialog.getByLabel('Amount').fill('2200.01');
  await dialog.getByRole('button', { name: 'Save it' }).click();
  await expect(toast(page, /^Not enough money in your wallet/)).toBeVisible();
  expect(await walletShillingsOf(person)).toBe(2_200);
  await dialog.getByLabel('Amount').fill('450.50');
  await dialog.getByRole('button', { name: 'Save it' }).click();
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('Ksh. 450.50');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Wallet' })).toContainText('Ksh. 1,749.50');
  expect(await walletShillingsOf(person)).toBe(1_749.5);

  // Every month.
  await page.getByRole('button', { name: 'Save every month' }).click();
  const order = page.getByRole('dialog', { name: 'Standing order' });
  await expect(order).toContainText('stay until you leave it: they are paid back 60 days after your notice.');
  await order.getByLabel('Amount').fill('250');
  await order.getByLabel('Day of the month').selectOption('28');
  await order.getByRole('button', { name: 'Create standing order' }).click();
  await expect(toast(page, 'Your standing order is set up.')).toBeVisible();
  await page.getByRole('button', { name: /every month/ }).click();
  await expect(order).toContainText('Ksh. 250.00');
  await order.getByRole('button', { name: 'End the standing order' }).click();
  await order.getByRole('button', { name: 'Yes, end it' }).click();
  await expect(toast(page, 'Your standing order is ended.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save every month' })).toBeVisible();
  const stranger = await register();
  await expect(
    api('POST', '/sacco/savings/standing-order', {
      token: stranger.token,
      body: { sacco: sacco.id, amount: 100, day: 5 },
    }),
  ).rejects.toThrow(/not_a_member/);

  // A member of less than 90 days reads from when on they may rate, and writes nothing.
  await buyShares(person, sacco, 10);
  await page.reload();
  await page.getByRole('button', { name: 'Rate', exact: true }).click();
  const rating = page.getByRole('dialog', { name: 'Rate this sacco' });
  await expect(rating).toContainText(/Members rate their sacco after 90 days\. You can from \w+day, .+ on\./);
  await expect(rating.getByRole('radio')).toHaveCount(0);

  // A notice that is taken back closes its dialog: no button to give notice comes under the thumb.
  await goWithin(page, '/client?open=exit');
  const leaving = page.getByRole('dialog', { name: 'Leave this sacco' });
  await leaving.getByRole('button', { name: 'Give notice' }).click();
  await leaving.getByRole('button', { name: 'Take the notice back' }).click();
  await expect(toast(page, 'Your notice is taken back.')).toBeVisible();
  await expect(leaving).toBeHidden();

  // Where nothing can be withdrawn the dialog says 0, and why.
  await goWithin(page, '/client/wallet?open=withdraw');
  const withdrawing = page.getByRole('dialog', { name: 'Withdraw' });
  await expect(withdrawing).toContainText(/You can withdraw now\s*Ksh\.\s749\.50/);
  await page.route('**/withdrawal-terms', async (route) => {
    const reply = await route.fetch();
    const terms = await reply.json();
    await route.fulfill({ response: reply, json: { ...terms, left: { ...terms.left, count: 0, amount: 0 } } });
  });
  await page.reload();
  await expect(
    withdrawing.getByRole('paragraph').filter({ hasText: 'You have made all withdrawals of today.' }),
  ).toBeVisible();
  await expect(withdrawing).toContainText(/You can withdraw now\s*Ksh\.\s0\.00/);
});

test('an official finds a notice to leave under Waiting for you, with the day on which it ends', async ({ page }) => {
  const chair = await registerWithMoney(600, newPerson('Rehema', 'Barasa'));
  const sacco = await activeSacco(chair);
  const leaver = await registerWithMoney(600, newPerson('Kioko', 'Mutua'));
  for (const each of [chair, leaver]) await join(each, sacco);
  await api('POST', '/sacco/members/exit', { token: leaver.token, body: { sacco: sacco.id } });
  await becomeSignedIn(page, chair, sacco);
  await page.goto('/client');
  const waiting = page.getByRole('listitem').filter({ hasText: 'A member leaves' });
  await expect(waiting).toContainText(/Kioko Mutua leaves, and nothing is to be paid back\. It ends on \w+day, /);
  await waiting.getByRole('link', { name: 'Look' }).click();
  await expect(page).toHaveURL('/client/members');
  await expect(page.getByRole('table', { name: 'Members who leave' }).getByRole('row').last()).toContainText(
    '60 days left',
  );
});

test('a profile takes no address of another account; it is updated, and the new name is everywhere', async ({
  page,
}) => {
  const person = await register();
  await becomeSignedIn(page, person);
  await page.goto('/profile');
  await expect(heading(page, `${person.first_name} ${person.last_name}`)).toBeVisible();
  await page.getByRole('button', { name: 'Update Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Profile' });
  for (const label of ['First Name', 'Last Name', 'Phone Number', 'Email']) {
    const field = dialog.getByLabel(label);
    const before = await field.inputValue();
    await expectNothingSent(page, async () => {
      await field.fill('');
      await dialog.getByRole('button', { name: 'Update Profile' }).click();
      await expect(field).toHaveAttribute('aria-invalid', 'true');
    });
    await field.fill(before);
  }
  await expect(toast(page, 'All Fields are required')).toBeVisible();
  // The e-mail address of another account.
  const own = await dialog.getByLabel('Email').inputValue();
  await dialog.getByLabel('Email').fill((await register()).email);
  await dialog.getByRole('button', { name: 'Update Profile' }).click();
  await expect(toast(page, 'An account with this email already exists.')).toBeVisible();
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Email').fill(own);
  await dialog.getByLabel('First Name').fill('Nekesa');
  await dialog.getByRole('button', { name: 'Update Profile' }).click();
  await expect(toast(page, 'Update was Successfull')).toBeVisible();
  await expect(heading(page, `Nekesa ${person.last_name}`)).toBeVisible();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').user.first_name)).toBe('Nekesa');
});

test('the new name of an official waits: taken back once, and then confirmed by another official', async ({
  page,
  browser,
}) => {
  const chair = await register(newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(chair);
  const treasurer = await shareholder(sacco);
  const named = { id_number: treasurer.id_number, office: 'treasurer' };
  await nameAsOperators(sacco, named);
  await acceptOffice(treasurer);
  await becomeSignedIn(page, chair, sacco);
  await page.goto('/client/profile');
  const rename = async (name: string) => {
    await page.getByRole('button', { name: 'Update Profile' }).click();
    const dialog = page.getByRole('dialog', { name: 'Update Profile' });
    await expect(dialog.getByText(/another official/)).toBeVisible();
    await dialog.getByLabel('First Name').fill(name);
    await dialog.getByRole('button', { name: 'Update Profile' }).click();
    await expect(toast(page, 'Saved. Your new name waits for another official.')).toBeVisible();
    // The phone was never confirmed, and is asked about as after every update.
    await page.getByRole('dialog', { name: 'Confirm your phone' }).getByRole('button', { name: 'Close' }).click();
  };
  await rename('Imani');
  const waiting = page.getByRole('region', { name: 'Your new name' });
  await expect(waiting).toContainText('Imani Mutua');
  await expect(heading(page, 'Faith Mutua')).toBeVisible();
  await waiting.getByRole('button', { name: 'Take it back' }).click();
  await expect(toast(page, 'Taken back. Nothing changes.')).toBeVisible();
  await expect(waiting).toHaveCount(0);

  await rename('Amani');
  await expect(waiting).toContainText('Amani Mutua');
  await expectAccessible(page);
  const context = await browser.newContext({ baseURL: process.env.E2E_URL, serviceWorkers: 'block' });
  const theirs = await context.newPage();
  await becomeSignedIn(theirs, treasurer, sacco);
  await theirs.goto('/client');
  await expect(theirs.getByText('Faith Mutua asks you, as an official, to look and confirm.')).toBeVisible();
  await theirs.goto('/client/members');
  const card = theirs.getByRole('region', { name: 'A new name for an official' });
  await card.getByRole('button', { name: 'Read and confirm' }).click();
  const asked = theirs.getByRole('dialog', { name: 'Confirm this change?' });
  await expect(asked).toContainText('Say yes only if you know that this is the person’s real name.');
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(theirs, 'Confirmed. It holds from now on.')).toBeVisible();
  await expect(card).toHaveCount(0);
  await context.close();

  await page.reload();
  await expect(heading(page, 'Amani Mutua')).toBeVisible();
  await expect(waiting).toHaveCount(0);
});

test('code and link are copied, and whoever comes by them stands on the Referral List with a status', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const referrer = await register(newPerson('Baraka', 'Mwangi'));
  await becomeSignedIn(page, referrer);
  await page.goto('/profile');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy referral code' }).click();
  await expect(toast(page, 'copied to clipboard')).toBeVisible();
  const code = await copied();
  expect(code).toMatch(/^[0-9A-Z]{8}$/);
  await page.getByRole('button', { name: 'Copy referral link' }).click();
  await expect.poll(copied).toBe(`${process.env.E2E_URL}/auth/register?referal_code=${code}`);
  await expect(page.getByText('Nobody has come with your code yet')).toBeVisible();

  await register(newPerson('Lulu', 'Lead'), code);
  const joined = await registerWithMoney(1_650, newPerson('Juma', 'Joined'), code);
  const sacco = await activeSacco();
  await join(joined, sacco);
  // Sixty days of paid-up membership cannot be waited for: the third row's status is put into the answer.
  await register(newPerson('Paul', 'Paid'), code);
  await page.route('**/api/v1/client/referals*', async (route) => {
    const reply = await route.fetch();
    const text = (await reply.text()).replace(/("last_name":"Paid","status":)"Lead"/, '$1"Fully Paid"');
    await route.fulfill({ response: reply, body: text });
  });
  await page.reload();
  const table = page.getByRole('table', { name: 'Referral List' });
  const status = (name: string, words: string) => table.getByRole('row', { name }).getByText(words, { exact: true });
  const colour = (name: string, words: string) =>
    status(name, words).evaluate((element) => getComputedStyle(element).color);
  await expect(status('Lulu Lead', 'Lead')).toBeVisible();
  await expect(status('Juma Joined', 'Joined')).toBeVisible();
  await expect(status('Paul Paid', 'Fully Paid')).toBeVisible();
  const colours = await Promise.all([
    colour('Lulu Lead', 'Lead'),
    colour('Juma Joined', 'Joined'),
    colour('Paul Paid', 'Fully Paid'),
  ]);
  expect(new Set(colours).size).toBe(3);
  await expect(table.getByRole('row', { name: 'Lulu Lead' })).toContainText('Ksh. 0.00');
});

test('an invitation goes out by SMS, at most five a day, and never to the same number twice', async ({ page }) => {
  const { person, sacco } = await member(560);
  await becomeSignedIn(page, person, sacco);
  await page.goto('/client/referrals');
  const form = page.getByRole('form', { name: 'Invite by SMS' });
  const friend = newPerson().phone_number;
  await form.getByLabel('Phone Number').fill(friend);
  await form.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(toast(page, 'Your invitation is on its way.')).toBeVisible();
  await message(friend, /auth\/register\?referal_code=/);
  await form.getByLabel('Phone Number').fill(friend);
  await form.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(toast(page, 'You have invited that number today already.')).toBeVisible();
  for (let sent = 1; sent < 5; sent += 1) {
    await api('POST', '/client/send_custom_referral', {
      token: person.token,
      body: { phone_number: newPerson().phone_number },
    });
  }
  await page.reload();
  await expect(form.getByText('0 of 5 left today')).toBeVisible();
  await expect(
    api('POST', '/client/send_custom_referral', {
      token: person.token,
      body: { phone_number: newPerson().phone_number },
    }),
  ).rejects.toThrow(/invitation_limit_reached/);
});
