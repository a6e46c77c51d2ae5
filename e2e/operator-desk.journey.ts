import type { Page } from '@playwright/test';
import { act } from './support/desk.ts';
import { asOwner, enterPasswordAnHourAgo } from './support/past.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  confirmPhone,
  join,
  newPerson,
  operator,
  register,
  registerSacco,
  registerWithMoney,
  type SignedInPerson,
  secondOperator,
  signInOnPage,
  walletShillingsOf,
} from './support/people.ts';
import { answerPrompt, layFault, message, openPrompt, payPaybill } from './support/simulator.ts';
import { expect, test, toast } from './support/test.ts';

const row = (page: Page, words: string) => page.getByRole('listitem').filter({ hasText: words });

/** The person's number is another from now on. */
async function changePhone(person: SignedInPerson, phone_number = newPerson().phone_number): Promise<void> {
  const { first_name, last_name, email, token } = person;
  await api('PATCH', '/client/', { token, body: { phone_number, first_name, last_name, email } });
}

/** Money in suspense: paid to an account that was a member's when it was sent and nobody's when M-Pesa told of it. */
async function strayPayment(amount: number): Promise<{ receipt: string; account: string; payer: SignedInPerson }> {
  const gone = await register();
  await confirmPhone(gone);
  const payer = await register(newPerson('Peris', 'Kamau'));
  await layFault('c2b', 'delay=1500', payer.phone_number);
  const receipt = await payPaybill(payer.phone_number, amount, gone.phone_number);
  await changePhone(gone);
  await expect
    .poll(async () => (await openExceptions()).some((exception) => exception.receipt === receipt), { timeout: 20_000 })
    .toBe(true);
  return { receipt, account: gone.phone_number, payer };
}

/** The second operator: looks at what the first proposed, and confirms it. */
async function secondConfirms(page: Page, second: SignedInPerson, words: string): Promise<void> {
  await becomeSignedIn(page, second);
  await page.goto('/operator/proposals');
  const proposal = row(page, words);
  await expect(proposal).toContainText('It is your turn: confirm');
  await proposal.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the proposal' });
  await dialog.getByLabel('Reason').fill('I looked into it, too');
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(dialog).toBeHidden();
}

interface Exception {
  readonly id: string;
  readonly kind: string;
  readonly receipt: string | null;
  readonly amount: number | null;
  readonly held_in: string;
}

async function openExceptions(): Promise<Exception[]> {
  const { results } = await api<{ results: Exception[] }>('GET', '/operator/deposits?limit=100', operator());
  return results;
}

test('a stranger’s payment is credited by two operators, and its payer, who has no account, stops it by the code of an SMS', async ({
  page,
}) => {
  const member = await register(newPerson('Amina', 'Yusuf'));
  const second = await secondOperator();
  const { receipt, account, payer } = await strayPayment(731);
  await becomeSignedIn(page, operator());
  await page.goto('/operator/money');
  const exception = row(page, receipt);
  await expect(exception).toContainText('Ksh. 731.00');
  await expect(exception).toContainText('A payment to the paybill named an account that is nobody’s.');
  await expect(exception).toContainText('In suspense');
  await expect(exception).toContainText(account);

  await exception.getByRole('button', { name: 'Credit', exact: true }).click();
  const crediting = page.getByRole('dialog', { name: 'Credit to a member' });
  await crediting.getByLabel('Reason').fill('She called us');
  await crediting.getByLabel('ID number of the member*').fill('NOBODY99');
  await crediting.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(toast(page, 'Nobody has that ID number.')).toBeVisible();
  // No operator decides about money that would be their own.
  await crediting.getByLabel('ID number of the member*').fill(operator().id_number);
  await crediting.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(toast(page, 'Another operator must decide about money of yours.')).toBeVisible();
  await crediting.getByLabel('ID number of the member*').fill(member.id_number.toLowerCase());
  await crediting.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await expect(exception).toContainText('has proposed what to do. Another operator must confirm it.');
  await exception.getByRole('link', { name: 'Look at it' }).click();
  await expect(row(page, receipt).getByRole('button')).toHaveText(['Take back']);

  await secondConfirms(page, second, receipt);
  await expect(row(page, receipt)).toContainText('unless the payer objects');
  expect(await walletShillingsOf(member)).toBe(0);

  await page.goto('/objection');
  const sms = await message(payer.phone_number, new RegExp(receipt));
  await page.getByLabel('Code of the SMS').fill('AAAA-BBBB-CCCC-DDDD');
  await page.getByRole('button', { name: 'I object' }).click();
  await expect(page.getByText('That code is not right. Copy it from our SMS.').first()).toBeVisible();
  await page.getByLabel('Code of the SMS').fill(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(sms.text)?.[0] ?? '');
  await page.getByRole('button', { name: 'I object' }).click();
  await expect(page.getByRole('heading', { name: 'Your money stays where it is' })).toBeVisible();

  await page.goto('/operator/money');
  await expect(row(page, receipt)).toContainText('The payer objected.');
  await page.goto('/operator/proposals?status=closed');
  await expect(row(page, receipt)).toContainText('The money stays in suspense.');
  expect(await walletShillingsOf(member)).toBe(0);
});

test('money that went back is noted as returned, what holds no money is dismissed, and no member sees the desk', async ({
  page,
}) => {
  const { receipt, payer } = await strayPayment(642);
  const puzzled = await register();
  await confirmPhone(puzzled);
  await layFault('stk_push', 'unknown_result_code', puzzled.phone_number);
  await api('POST', '/integrations/mpesa/deposit', {
    token: puzzled.token,
    body: { amount: 433, phone: puzzled.phone_number },
  });
  await answerPrompt((await openPrompt(puzzled.phone_number)).id, 'approve').catch(() => {});
  await expect.poll(async () => (await openExceptions()).some(({ amount }) => amount === 433)).toBe(true);

  await becomeSignedIn(page, operator());
  await page.goto('/operator/money');
  const stray = row(page, receipt);
  // Money in the books is never just dismissed.
  await expect(stray.getByRole('button')).toHaveText(['Credit', 'Note as returned']);
  await act(page, stray, 'Note as returned', 'Note as returned', 'Reversed on the M-Pesa portal');
  await expect(stray).toContainText('Another operator must confirm it.');
  const empty = row(page, 'Ksh. 433.00');
  await expect(empty).toContainText('Not held in the books');
  await expect(empty.getByRole('button')).toHaveText(['Dismiss it']);
  await act(page, empty, 'Dismiss it', 'Dismiss this exception', 'The statement shows no payment');
  await expect(empty).toHaveCount(0);
  expect([await walletShillingsOf(payer), await walletShillingsOf(puzzled)]).toEqual([0, 0]);
  await secondConfirms(page, await secondOperator(), receipt);
  await page.goto('/operator/money?status=resolved');
  await expect(stray).toContainText('Noted as returned');
  await page.goto('/operator/log');
  await expect(page.getByText('Reversed on the M-Pesa portal')).toBeVisible();
  await expect(page.getByText('The statement shows no payment')).toBeVisible();

  await becomeSignedIn(page, payer);
  await page.goto('/operator/money');
  await expect(page.getByText('This desk is for the platform’s operators')).toBeVisible();
  await expect(page.getByText(receipt)).toHaveCount(0);
});

test('held rewards are released or denied, once, and the reason is kept', async ({ page }) => {
  const twins: SignedInPerson[] = [];
  for (const name of ['Baraka', 'Zawadi']) {
    // Two accounts on one phone: the number is registered again after its first owner gave it up.
    const referrer = await register(newPerson(name, 'Mwangi'));
    const { referal_code } = await api<{ referal_code: string }>('GET', '/client/referals/summary', referrer);
    const number = referrer.phone_number;
    await changePhone(referrer);
    const twin = await register({ ...newPerson('Twin', `Of${name}`), phone_number: number }, referal_code);
    twins.push(twin);
  }
  await becomeSignedIn(page, operator());
  await page.goto('/operator/referrals');
  const first = row(page, 'Baraka Mwangi').filter({ hasText: 'Twin OfBaraka' });
  await expect(first).toContainText('The new account has a phone number that the referrer registered with.');
  await act(page, first, 'Release', 'Release the reward', 'Father and son, both came by');
  await expect(first).toHaveCount(0);
  const second = row(page, 'Zawadi Mwangi').filter({ hasText: 'Twin OfZawadi' });
  const { results } = await api<{ results: { id: string; referred: { id: string } }[] }>(
    'GET',
    '/operator/referrals?limit=100',
    operator(),
  );
  const id = results.find(({ referred }) => referred.id === twins[1]?.id)?.id;
  await second.getByRole('button', { name: 'Deny', exact: true }).click();
  // Another operator was quicker.
  await api('POST', `/operator/referrals/${id}/review`, {
    token: operator().token,
    body: { decision: 'deny', reason: 'One person with two accounts' },
  });
  const denying = page.getByRole('dialog', { name: 'Deny the reward' });
  await denying.getByLabel('Reason').fill('One person with two accounts');
  await denying.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(toast(page, 'That exception has been resolved already.')).toBeVisible();
  await expect(second).toHaveCount(0);
});

test('a rejected founder mends the application and is activated; a suspended sacco takes nobody in until it is reinstated', async ({
  page,
}) => {
  const founder = await register(newPerson('Faith', 'Mutua'));
  const sacco = await registerSacco(founder);
  const card = page.getByRole('article').filter({ hasText: sacco.name });
  const desk = async (status: string) => {
    await becomeSignedIn(page, operator());
    await page.goto(`/operator?status=${status}&search=${encodeURIComponent(sacco.name)}`);
  };
  await desk('pending');
  await act(page, card, 'Reject', `Reject ${sacco.name}`, 'The share value is not that of the by-laws');
  await expect(card).toHaveCount(0);
  await page.goto(`/operator?status=rejected&search=${encodeURIComponent(sacco.name)}`);
  await expect(page.getByText('The share value is not that of the by-laws')).toBeVisible();
  await expect(join(await register(), sacco)).rejects.toThrow(/sacco_inactive|not_found/);

  await becomeSignedIn(page, founder);
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('The share value is not that of the by-laws')).toBeVisible();
  await page.getByRole('button', { name: 'Mend it and send it again' }).click();
  const mending = page.getByRole('dialog', { name: 'Send the application again' });
  await mending.getByLabel('Share value*').fill('');
  await mending.getByRole('button', { name: 'Send it again' }).click();
  await expect(toast(page, 'Fields with (*) are required')).toBeVisible();
  await mending.getByLabel('Share value*').fill('120');
  await mending.getByRole('button', { name: 'Send it again' }).click();
  await expect(mending).toBeHidden();
  await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();

  await desk('pending');
  await expect(card).toContainText('120.00');
  await act(page, card, 'Activate', `Activate ${sacco.name}`, 'The by-laws agree now');
  await expect(card).toHaveCount(0);
  const mended = { ...sacco, share_value: 120 };
  const member = await registerWithMoney(1_000);
  await join(member, mended);
  await desk('active');
  await act(page, card, 'Suspend', `Suspend ${sacco.name}`, 'Two officials have left');
  await expect(card).toHaveCount(0);

  await expect(join(await registerWithMoney(1_000), mended)).rejects.toThrow(/sacco_inactive/);
  await becomeSignedIn(page, member);
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('Sacco Inactive').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Join Sacco' })).toHaveCount(0);
  // Whoever belongs to it still enters it, and reads why it is suspended and until when.
  await page.goto('/my-saccos');
  await page.getByRole('article', { name: sacco.name }).getByRole('button', { name: 'Access Sacco' }).click();
  await expect(page.getByText('Their reason: “Two officials have left”')).toBeVisible();
  await expect(page.getByText('unless a second operator of Ushirika upholds it', { exact: false })).toBeVisible();

  await desk('suspended');
  await act(page, card, 'Reinstate', `Reinstate ${sacco.name}`, 'New officials are confirmed');
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await secondConfirms(page, await secondOperator(), sacco.name);
  await join(await registerWithMoney(1_000), mended);
});

test('who signed in an hour ago enters the password in place, and what was typed is sent then', async ({ page }) => {
  const first = await secondOperator();
  const sacco = await activeSacco();
  const body = { reason: 'Two officials have left' };
  await api('POST', `/operator/saccos/${sacco.id}/suspension`, { token: first.token, body });
  await enterPasswordAnHourAgo(first);
  await becomeSignedIn(page, first);
  await page.goto(`/operator?status=suspended&search=${encodeURIComponent(sacco.name)}`);
  const card = page.getByRole('article').filter({ hasText: sacco.name });
  const deciding = await act(page, card, 'Reinstate', `Reinstate ${sacco.name}`, 'New officials are confirmed');
  const asking = page.getByRole('dialog', { name: 'Enter your password' });
  await expect(asking).toContainText('Enter your password once more before you decide.');
  await expect(asking.getByLabel('Your password')).toBeFocused();
  await asking.getByRole('button', { name: 'Close' }).click();
  await expect(asking).toBeHidden();
  await expect(deciding.getByLabel('Reason')).toHaveValue('New officials are confirmed');
  await deciding.getByRole('button', { name: 'Reinstate', exact: true }).click();
  await asking.getByLabel('Your password').fill('not my password');
  await asking.getByRole('button', { name: 'Go on' }).click();
  await expect(asking).toContainText('That password is not right.');
  await asking.getByLabel('Your password').fill(first.password);
  await asking.getByRole('button', { name: 'Go on' }).click();
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await expect(deciding).toBeHidden();
});

test('a suspended person’s own money reaches their phone once a second operator confirms it, and a sign-in needs a new password', async ({
  browser,
  page,
}) => {
  const member = await registerWithMoney(2_000, newPerson('Zena', 'Achieng'));
  const second = await secondOperator();
  await becomeSignedIn(page, operator());
  await page.goto('/operator/people');
  await page.getByLabel('ID Number or phone').fill(member.id_number);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const card = row(page, member.id_number);
  await act(page, card, 'Suspend', 'Suspend the account of Zena Achieng', 'The phone was reported stolen');
  await expect(card).toContainText('Ksh. 2,000.00');
  await card.getByRole('button', { name: 'Pay out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay Zena Achieng their own money' });
  await dialog.getByLabel('Amount').fill('1500');
  await dialog.getByLabel('Reason').fill('She needs it for school fees');
  await dialog.getByRole('button', { name: 'Propose it' }).click();
  await expect(card).toContainText('Its payment waits for a second operator.');
  await expect(card.getByRole('button', { name: 'Pay out' })).toBeHidden();
  await secondConfirms(page, second, 'Zena Achieng');
  await page.goto('/operator/people');
  await expect(row(page, 'Zena Achieng')).toContainText('Ksh. 500.00', { timeout: 20_000 });
  // The password of before may be a thief's.
  const home = await (await browser.newContext()).newPage();
  await home.goto('/auth/login');
  await signInOnPage(home, member);
  const told = home.getByRole('alert').filter({ hasText: 'Your account was suspended' });
  await expect(told).toContainText('Set a new password first. We send a code for it to your phone.');
  await told.getByRole('link', { name: 'Set a new password' }).click();
  await expect(home).toHaveURL('/auth/forgot-password');
  await asOwner((owner) => owner`update users set password_changed_at = now() where id = ${member.id}`);
  await home.goto('/auth/login');
  await signInOnPage(home, member);
  await home.getByRole('button', { name: 'Read and vote' }).click();
  // Each page says it, with whom to turn to; what is closed is closed before anything is typed.
  const closed = 'Your account is suspended: this is closed until it ends.';
  for (const [path, act] of [
    ['/profile/wallet', 'Top Up'],
    ['/profile/wallet', 'Withdraw'],
    ['/saccos', 'Join Sacco'],
    ['/guarantor-pools', 'Create Guarantor Pool'],
  ] as const) {
    await home.goto(path);
    await expect(home.getByRole('alert').filter({ hasText: 'Your account is suspended' }), path).toContainText(
      'Your money and shares stay yours.',
    );
    const button = home.getByRole('main').getByRole('button', { name: act }).first();
    await expect(button).toHaveAccessibleDescription(closed);
    await button.click({ force: true });
    await expect(home.getByRole('dialog')).toHaveCount(0);
  }
});

test('an operator without a sacco signs in and stands at the desk', async ({ page }) => {
  await page.goto('/auth/login');
  await signInOnPage(page, operator());
  await expect(page).toHaveURL('/operator');
  await page.goto('/my-saccos');
  await expect(page.getByText('You have not joined a sacco yet')).toBeVisible();
});

test('an operator names an official of a sacco that has too few, a second one confirms it, and only then it stands with the sacco', async ({
  page,
}) => {
  const second = await secondOperator();
  const sacco = await activeSacco();
  const { id_number } = newPerson();
  const card = page.getByRole('article').filter({ hasText: sacco.name });
  const desk = `/operator?status=active&search=${encodeURIComponent(sacco.name)}`;
  await becomeSignedIn(page, operator());
  await page.goto(desk);
  await card.getByRole('button', { name: 'Name an official' }).click();
  const dialog = page.getByRole('dialog', { name: `Name an official of ${sacco.name}` });
  await dialog.getByLabel('Office').selectOption('Secretary');
  await dialog.getByLabel('ID Number').fill(id_number);
  await dialog.getByRole('button', { name: 'Name an official' }).click();
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await page.goto('/operator/proposals');
  const words = `Secretary: ID number ${id_number}`;
  await expect(row(page, words)).toContainText('It waits for another operator, for seven days at most.');
  await secondConfirms(page, second, words);
  // A job carries it out.
  await expect(async () => {
    await page.goto(desk);
    await expect(card.getByText(words)).toBeVisible({ timeout: 2_000 });
  }).toPass();
});
