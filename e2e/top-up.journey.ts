import type { Page } from '@playwright/test';
import { enterPasswordAnHourAgo } from './support/past.ts';
import {
  api,
  becomeSignedIn,
  confirmPhone,
  newPerson,
  operator,
  phoneCode,
  register,
  registerWithMoneyByHand,
  type SignedInPerson,
  walletShillingsOf,
} from './support/people.ts';
import {
  type Answer,
  answerPrompt,
  layFault,
  loseSms,
  message,
  openPrompt,
  payPaybill,
  prompts,
} from './support/simulator.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Top Up Your Wallet' });
const confirming = (page: Page) => page.getByRole('dialog', { name: 'Confirm a deposit' });
const inWallet = (page: Page) => page.getByRole('region', { name: 'Wallet' });

async function askFor(page: Page, amount: string, phone?: string): Promise<void> {
  await dialog(page).getByLabel('Amount').fill(amount);
  if (phone) await dialog(page).getByLabel('Phone Number').fill(phone);
  await dialog(page).getByRole('button', { name: 'Top Up', exact: true }).click();
}

/** Waits until the newest top-up stands so on the server. */
async function untilDepositIs(status: string, { token }: SignedInPerson): Promise<void> {
  const newest = () => api<{ results: { status: string }[] }>('GET', '/integrations/mpesa/deposits', { token });
  await expect.poll(async () => (await newest()).results[0]?.status).toBe(status);
}

async function openTopUp(page: Page, member: SignedInPerson): Promise<void> {
  await confirmPhone(member);
  await becomeSignedIn(page, member);
  await page.goto('/profile');
  await inWallet(page).getByRole('button', { name: 'Top Up' }).click();
  await expect(dialog(page)).toBeVisible();
}

test('what the top-up form refuses, and why; a double click asks the phone once, and a second prompt waits for the first', async ({
  page,
}) => {
  const member = await register();
  await openTopUp(page, member);
  await expectNothingSent(page, async () => {
    await dialog(page).getByRole('button', { name: 'Top Up', exact: true }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
  });
  await askFor(page, '0');
  await expect(toast(page, 'Enter an amount between Ksh. 1 and Ksh. 250,000.')).toBeVisible();
  await askFor(page, '250001');
  await expect(dialog(page).getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
  await askFor(page, '10.5');
  await expect(toast(page, 'M-Pesa moves whole shillings only. Enter an amount without cents.')).toBeVisible();
  for (const typed of ['2,5', '2500 / 3000', '2500-3000']) {
    await askFor(page, typed);
    await expect(dialog(page).getByText('Write 2500 or 2,500.50.')).toBeVisible();
    await expect(dialog(page).getByLabel('Amount')).toHaveValue(typed);
  }
  await askFor(page, '10', '+255712345678');
  await expect(
    toast(page, 'Mobile money goes to Kenyan numbers only, such as 254712345678 or 0712345678.'),
  ).toBeVisible();
  expect(await prompts(member.phone_number)).toHaveLength(0);

  // A double click.
  await dialog(page).getByLabel('Phone Number').fill(member.phone_number);
  await dialog(page).getByLabel('Amount').fill('90');
  await dialog(page).getByRole('button', { name: 'Top Up', exact: true }).dblclick();
  await openPrompt(member.phone_number);
  await expect(dialog(page).getByText('Waiting for you on your phone')).toBeVisible();
  expect(await prompts(member.phone_number)).toHaveLength(1);

  // While that one is open there is no other.
  await dialog(page).getByRole('button', { name: 'Wait in the background' }).click();
  await inWallet(page).getByRole('button', { name: 'Top Up' }).click();
  await askFor(page, '130');
  await expect(
    toast(page, 'Your last request to that phone is still open. Wait a minute, then try again.'),
  ).toBeVisible();
  expect(await prompts(member.phone_number)).toHaveLength(1);
});

test('on a phone a toast stands below the title of a dialog', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openTopUp(page, await register());
  await dialog(page).getByRole('button', { name: 'Top Up', exact: true }).click();
  const said = toast(page, 'All Fields are required');
  await expect(said).toBeVisible();
  const title = await dialog(page).getByRole('heading', { name: 'Top Up Your Wallet' }).boundingBox();
  const box = await said.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeInViewport();
});

test('a top-up that ends on the phone without money says how, and is tried again; one that is approved is in the wallet, with a receipt, before anybody reloads', async ({
  page,
}) => {
  const member = await register();
  await openTopUp(page, member);
  await expect(dialog(page).getByLabel('Phone Number')).toHaveValue(member.phone_number);
  await expect(dialog(page).getByText(/An STK push will be sent to this phone/)).toBeVisible();
  await expect(dialog(page).getByLabel('Amount')).toHaveAttribute('min', '0');
  // As Kenyans write it; the hint names both forms.
  await expect(dialog(page).getByText('The M-Pesa phone that pays: 254712345678 or 0712345678.')).toBeVisible();
  const refused: [Answer, string][] = [
    ['cancel', 'It was cancelled on the phone'],
    ['timeout', 'The time for the PIN is over'],
    ['insufficient_funds', 'The payment did not go through'],
  ];
  for (const [answer, words] of refused) {
    await askFor(page, '300');
    await answerPrompt((await openPrompt(member.phone_number)).id, answer);
    await expect(dialog(page).getByText(words)).toBeVisible();
    expect(await walletShillingsOf(member)).toBe(0);
    // Trying again is a new request with what was asked for before.
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await expect(dialog(page).getByLabel('Amount')).toHaveValue('300');
    await expect(dialog(page).getByLabel('Phone Number')).toHaveValue(member.phone_number);
  }
  await askFor(page, '1250', `0${member.phone_number.slice(3)}`);
  await expect(toast(page, 'Request sent. Check your phone and enter your M-Pesa PIN.')).toBeVisible();
  // M-Pesa closes the prompt after a minute.
  await expect(dialog(page).getByRole('timer')).toHaveText(/^(1:00|0:[345]\d)$/);
  const receipt = await answerPrompt((await openPrompt(member.phone_number)).id, 'approve');
  await expect(dialog(page).getByText('The money is in your wallet')).toBeVisible();
  await expect(dialog(page).getByText(receipt)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(inWallet(page)).toContainText('Ksh. 1,250.00');
  expect(await walletShillingsOf(member)).toBe(1_250);

  // Who closes the dialog while waiting finds the money on the page when it comes.
  await inWallet(page).getByRole('button', { name: 'Top Up' }).click();
  await askFor(page, '815');
  const prompt = await openPrompt(member.phone_number);
  await dialog(page).getByRole('button', { name: 'Wait in the background' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(inWallet(page)).toContainText('Ksh. 1,250.00');
  await answerPrompt(prompt.id, 'approve');
  await expect(inWallet(page)).toContainText('Ksh. 2,065.00');

  // The history lists every movement with its receipt, and somebody else’s is not there.
  await page.getByRole('link', { name: 'History and statements' }).click();
  await expect(page).toHaveURL('/profile/wallet');
  await expect(page.getByText(/1,250\.00/).first()).toBeVisible();
  await expect(page.getByText(/2,065\.00/).first()).toBeVisible();
  const { results } = await api<{ results: { journal: string }[] }>('GET', '/client/transactions', member);
  const other = await register();
  await expect(api('GET', `/client/receipts/${results[0]?.journal}`, other)).rejects.toThrow(/not_found/);
});

test('the first top-up confirms the phone on its way', async ({ page }) => {
  const member = await register();
  await becomeSignedIn(page, member);
  await page.goto('/profile?open=top-up');
  await askFor(page, '700');
  await expect(dialog(page).getByText('Confirm your phone first, once. Then the prompt comes to it.')).toBeVisible();
  await dialog(page)
    .getByLabel('Code from the SMS')
    .fill(await phoneCode(member));
  expect(await prompts(member.phone_number)).toHaveLength(0);
  await dialog(page).getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(dialog(page).getByText('Waiting for you on your phone')).toBeVisible();
  await answerPrompt((await openPrompt(member.phone_number)).id, 'approve');
  await expect(dialog(page).getByText('The money is in your wallet')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(700);
});

test('a code to another’s phone that the SMS provider reports not to have arrived is said not to have gone, and another phone can be used (field case M13)', async ({
  page,
}) => {
  const [member, friend, other] = [await register(), await register(), await register()];
  await openTopUp(page, member);
  await loseSms([friend.phone_number]);
  await askFor(page, '450', friend.phone_number);
  await dialog(page).getByRole('button', { name: 'Send the code' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText(
    `The code did not go: SMS to ${friend.phone_number} are refused. Use another phone.`,
    { timeout: 20_000 },
  );
  await dialog(page).getByRole('button', { name: 'Use another phone' }).click();
  await askFor(page, '450', other.phone_number);
  await dialog(page).getByRole('button', { name: 'Send the code' }).click();
  await message(other.phone_number, /wants to send M-Pesa prompts to this phone/);
  await expect(dialog(page).getByLabel('Code from the SMS')).toBeVisible();
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
  await loseSms([]);
});

test('another phone pays once its owner has handed over the code, and its owner ends it', async ({ page }) => {
  const [member, friend] = [await register(), await register()];
  await confirmPhone(friend);
  await openTopUp(page, member);
  await askFor(page, '450', friend.phone_number);
  await expect(dialog(page).getByText(`Is ${friend.phone_number} ready to pay for you?`)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Send the code' }).click();
  const { text } = await message(friend.phone_number, /wants to send M-Pesa prompts to this phone/);
  await dialog(page).getByLabel('Code from the SMS').fill('0000 0000');
  await dialog(page).getByRole('button', { name: 'Confirm and top up' }).click();
  await expect(toast(page, 'That code is not valid or has expired.')).toBeVisible();
  expect(await prompts(friend.phone_number)).toHaveLength(0);
  await dialog(page)
    .getByLabel('Code from the SMS')
    .fill(/\d{4} \d{4}/.exec(text)?.[0] ?? '');
  await dialog(page).getByRole('button', { name: 'Confirm and top up' }).click();
  const owner = `The owner of the phone ${friend.phone_number} enters their M-Pesa PIN there.`;
  await expect(toast(page, `Request sent. ${owner}`)).toBeVisible();
  await expect(dialog(page).getByText('Waiting for the phone’s owner')).toBeVisible();
  await expect(dialog(page).getByText(owner, { exact: true })).toBeVisible();
  await expect(dialog(page)).not.toContainText(/your (phone|PIN)/);
  const prompt = await openPrompt(friend.phone_number);
  expect(text.replaceAll(' ', '')).toContain(prompt.account_reference.slice(0, 9));
  await answerPrompt(prompt.id, 'approve');
  await expect(dialog(page).getByText('The money is in your wallet')).toBeVisible();
  expect([await walletShillingsOf(member), await walletShillingsOf(friend)]).toEqual([450, 0]);

  await becomeSignedIn(page, friend);
  await page.goto('/profile/wallet');
  const prompting = page.getByRole('region', { name: 'M-Pesa prompts' });
  await prompting.getByRole('button', { name: /^End it for/ }).click();
  await expect(prompting).toBeHidden();
  const again = api('POST', '/integrations/mpesa/deposit', {
    token: member.token,
    body: { amount: 20, phone: friend.phone_number },
  });
  await expect(again).rejects.toThrow(/phone_holder_not_asked/);
});

test('a success that comes late is credited while the person waits, and once', async ({ page }) => {
  const member = await register();
  await layFault('stk_push', 'delay=3000, duplicate=3', member.phone_number);
  await openTopUp(page, member);
  await askFor(page, '470');
  await answerPrompt((await openPrompt(member.phone_number)).id, 'approve');
  await expect(dialog(page).getByText('Waiting for you on your phone')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(0);
  await expect(dialog(page).getByText('The money is in your wallet')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(470);
  await page.reload();
  await expect(dialog(page).getByText('The money is in your wallet')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(470);
});

const ONE_DEPOSIT = /\/integrations\/mpesa\/deposits\/[0-9a-f-]{36}$/;

test('news of a top-up: a slow answer does not take the place of newer news, and what happened while the line was down is shown when it is back', async ({
  page,
}) => {
  const member = await register();
  const held = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  await page.route(
    ONE_DEPOSIT,
    async (route) => {
      const answer = await route.fetch();
      held.resolve();
      await told.promise;
      // Whoever has stopped waiting for it is told nothing.
      await route.fulfill({ response: answer }).catch(() => {});
    },
    { times: 1 },
  );
  await openTopUp(page, member);
  await askFor(page, '640');
  await held.promise;
  await answerPrompt((await openPrompt(member.phone_number)).id, 'cancel');
  await expect(dialog(page).getByText('It was cancelled on the phone')).toBeVisible();
  told.resolve();
  await page.waitForTimeout(500);
  await expect(dialog(page).getByText('It was cancelled on the phone')).toBeVisible({ timeout: 1 });

  // The line goes down; the page is loaded without it.
  const back = Promise.withResolvers<void>();
  let isDown = false;
  await page.route(/\/client\/live$/, async (route) => {
    await back.promise;
    await route.continue();
  });
  await page.route(ONE_DEPOSIT, (route) => (isDown ? undefined : route.continue()));
  await openTopUp(page, member);
  await askFor(page, '650');
  await expect(dialog(page).getByText('Waiting for you on your phone')).toBeVisible();
  isDown = true;
  await answerPrompt((await openPrompt(member.phone_number)).id, 'cancel');
  await untilDepositIs('cancelled', member);
  isDown = false;
  back.resolve();
  await expect(dialog(page).getByText('It was cancelled on the phone')).toBeVisible();
});

test('a payment that never showed up is credited by its receipt, once, to whose phone paid; a receipt that M-Pesa does not know credits nobody', async ({
  page,
}) => {
  const member = await register();
  await confirmPhone(member);
  // Paid at the paybill by the phone's own menu, and M-Pesa's word of it was lost on the way. With a member's account number M-Pesa's
  // list, which is read each minute, would credit it before the claim.
  await layFault('c2b', 'drop, no_validation', member.phone_number);
  const receipt = await payPaybill(member.phone_number, 640, 'HARAMBEE');
  await becomeSignedIn(page, member);
  // One name leads there from everywhere.
  const way = { name: 'Confirm Transaction' };
  await page.goto('/profile/wallet');
  await expect(page.getByRole('button', way)).toBeVisible();
  await page.goto('/profile?open=top-up');
  await expect(dialog(page).getByRole('button', way)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.getByRole('button', way).click();
  await expect(confirming(page).getByLabel('Phone Number')).toHaveValue(member.phone_number);
  await confirming(page).getByLabel('Transaction ID').fill(receipt);
  await confirming(page).getByRole('button', { name: 'Confirm Transaction' }).click();
  await expect(toast(page, 'Request Send... Please wait as we process')).toBeVisible();
  await expect(confirming(page).getByText('The money is in your wallet')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(640);

  // The same receipt again, by the same person and by another, brings nothing.
  const thief = await register();
  for (const claimant of [member, thief]) {
    await expect(
      api('POST', '/integrations/mpesa/transaction-checker', {
        token: claimant.token,
        body: { transaction_id: receipt, phone_number: member.phone_number },
      }),
    ).rejects.toThrow(/receipt_already_claimed/);
  }
  expect(await walletShillingsOf(member)).toBe(640);
  expect(await walletShillingsOf(thief)).toBe(0);

  // A receipt that M-Pesa does not know is asked about, and credits nobody.
  await page.goto('/profile?open=confirm');
  await expectNothingSent(page, async () => {
    await confirming(page).getByRole('button', { name: 'Confirm Transaction' }).click();
    await expect(toast(page, 'All Fields are required')).toBeVisible();
  });
  await confirming(page).getByLabel('Transaction ID').fill('ZZ99ZZ99ZZ');
  await confirming(page).getByRole('button', { name: 'Confirm Transaction' }).click();
  await expect(confirming(page).getByText('Request Send... Please wait as we process').first()).toBeVisible();
  await confirming(page).getByRole('button', { name: 'Wait in the background' }).click();
  await expect(inWallet(page)).toContainText('Ksh. 640.00');
  expect(await walletShillingsOf(member)).toBe(640);
});

test('a receipt claimed from a phone that is not confirmed waits for two operators: one alone moves nothing', async ({
  page,
}) => {
  const member = await register();
  await layFault('c2b', 'drop, no_validation', member.phone_number);
  // To an account that is nobody's: what is paid to a member's account number is theirs by M-Pesa's own list, unclaimed too.
  const receipt = await payPaybill(member.phone_number, 645, 'HARAMBEE');
  await becomeSignedIn(page, member);
  await page.goto('/profile?open=confirm');
  await confirming(page).getByLabel('Transaction ID').fill(receipt);
  await confirming(page).getByRole('button', { name: 'Confirm Transaction' }).click();
  await expect(confirming(page).getByText('We are looking into it')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(0);

  await becomeSignedIn(page, operator());
  await page.goto('/operator/money');
  const exception = page.getByRole('listitem').filter({ hasText: receipt });
  await expect(exception).toContainText('Ksh. 645.00');
  await exception.getByRole('button', { name: 'Credit', exact: true }).click();
  const crediting = page.getByRole('dialog', { name: 'Credit to a member' });
  await crediting.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(toast(page, 'Say why.')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(0);
  await crediting.getByLabel('ID number of the member*').fill(member.id_number);
  await crediting.getByLabel('Reason').fill('The SMS was seen at the counter');
  await crediting.getByRole('button', { name: 'Credit', exact: true }).click();
  // How the second one confirms it is walked in operator-desk.journey.ts.
  await expect(toast(page, 'Your word is kept. A second operator must confirm it.')).toBeVisible();
  await expect(exception).toHaveCount(1);
  expect(await walletShillingsOf(member)).toBe(0);
});

test('money is withdrawn to the own confirmed phone: to no other, never more than there is, and after an hour with the password', async ({
  page,
}) => {
  const member = await registerWithMoneyByHand(900);
  await becomeSignedIn(page, member);
  await page.goto('/profile');
  const withdraw = (amount: number, phone = member.phone_number) =>
    api('POST', '/integrations/mpesa/withdraw', { token: member.token, body: { amount, phone } });
  await expect(withdraw(100)).rejects.toThrow(/phone_unconfirmed/);
  await inWallet(page).getByRole('button', { name: 'Withdraw' }).click();
  const withdrawing = page.getByRole('dialog', { name: 'Withdraw' });
  await expect(
    withdrawing.getByText('Money goes only to a phone that you have confirmed by an SMS code.'),
  ).toBeVisible();
  await withdrawing.getByRole('button', { name: 'Confirm your phone' }).click();
  const code = await phoneCode(member);
  const phone = page.getByRole('dialog', { name: 'Confirm your phone' });
  await phone.getByLabel('Code from the SMS').fill(code);
  await phone.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(page, 'Your phone number is confirmed.')).toBeVisible();

  await inWallet(page).getByRole('button', { name: 'Withdraw' }).click();
  await expect(withdraw(100, newPerson().phone_number)).rejects.toThrow(/phone_not_yours/);
  const submit = () => withdrawing.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await withdrawing.getByLabel('Amount').fill('901');
  await submit();
  await expect(toast(page, /^Not enough money in your wallet/)).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(900);

  // A session of an hour ago asks for the password once more.
  await enterPasswordAnHourAgo(member);
  await withdrawing.getByLabel('Amount').fill('250');
  await submit();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  const password = question.getByLabel('Your password');
  await expect(password).toBeFocused();
  expect(await walletShillingsOf(member)).toBe(900);
  await password.fill('Wrong#2026');
  await password.press('Enter');
  await expect(question.getByText('That password is not right.')).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(900);
  await password.fill(member.password);
  await password.press('Enter');
  await expect(withdrawing.getByText('Paid to your phone', { exact: true })).toBeVisible();
  expect(await walletShillingsOf(member)).toBe(650);
  await withdrawing.getByRole('button', { name: 'Done' }).click();
  await expect(inWallet(page)).toContainText('Ksh. 650.00');
});
