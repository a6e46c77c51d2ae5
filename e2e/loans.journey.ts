import type { Locator, Page } from '@playwright/test';
import {
  applied,
  approve,
  freeSavings,
  guaranteeCode,
  type Lending,
  lendingSacco,
  oldMember,
  paidOutLoan,
  payOut,
  requestOf,
  sign,
} from './support/loans.ts';
import {
  api,
  becomeSignedIn,
  newPerson,
  type Sacco,
  type SignedInPerson,
  signInOnPage,
  walletShillingsOf,
} from './support/people.ts';
import { answerPrompt, openPrompt } from './support/simulator.ts';
import { expect, expectGood, expectNothingSent, test, toast } from './support/test.ts';

/** A sacco that lends, a borrower and two guarantors, each with savings of half a year. */
async function cast(): Promise<{ lending: Lending; borrower: SignedInPerson; guarantors: SignedInPerson[] }> {
  const lending = await lendingSacco(2);
  const member = (saved: number, name: string, surname: string, shares = 500) =>
    oldMember(lending, { saved, shares, wallet: 5_000 }, newPerson(name, surname));
  // All loans of one member are at most a tenth of the sacco’s own capital.
  const borrower = await member(10_000, 'Amina', 'Said', 1_000);
  const guarantors = [await member(8_000, 'Brian', 'Otieno'), await member(8_000, 'Chebet', 'Koech')];
  return { lending, borrower, guarantors };
}

const waitingThing = (page: Page, title: string | RegExp) => page.getByRole('listitem').filter({ hasText: title });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** The public page of the sacco says what it lends. To apply leads over sign-in back to it, and then to the application. */
async function visitorApplies(page: Page, borrower: SignedInPerson, sacco: Sacco): Promise<void> {
  const apply = page.getByRole('button', { name: 'Apply for a loan: Mkopo wa Biashara' });
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('True cost a year')).toBeVisible();
  await apply.click();
  await expect(page).toHaveURL(/\/auth\/login$/);
  await signInOnPage(page, borrower);
  await expect(page).toHaveURL(new RegExp(`/saccos/${sacco.id}$`));
  await apply.click();
  await expect(page).toHaveURL(/\/client\/loans\/apply\?product=/);
}

/** Without a network the step stays, with its buttons. Once the network is back the application goes on by itself. */
async function tryOffline(page: Page, next: Locator): Promise<void> {
  await page.context().setOffline(true);
  await next.click();
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeVisible();
  await page.context().setOffline(false);
  await expect(again).toBeHidden();
}

/** The borrower works the loan out, and applies for it in four steps. */
async function applyOnPage(page: Page, borrower: SignedInPerson, sacco: Sacco): Promise<string> {
  await visitorApplies(page, borrower, sacco);
  await page.goto('/client/loans');
  await expect(page.getByText('You have no loan here')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Work out a loan' }).last().click();
  await page.getByLabel('Amount').fill('20000');
  await page.getByLabel('Months', { exact: true }).fill('6');
  // By the product’s own arithmetic: 20,000 at 1% a month for six months.
  await expect(page.getByText('Ksh. 3,450.97').first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Principal and interest of each month, for 6 months/ })).toBeVisible();
  await page.getByRole('link', { name: 'Apply for this loan' }).click();

  await page.getByRole('button', { name: 'Next: Purpose and income' }).click();
  const next = page.getByRole('button', { name: 'Next: Guarantors' });
  // A disabled button says why.
  await next.click({ force: true });
  await expect(toast(page, 'Say what the loan is for.')).toBeVisible();
  await page.getByLabel('What is the loan for?').fill('Stock for the market.');
  await page.getByLabel('What is left of your income each month?').fill('25,000');
  // What is typed is there again after the page was left, or loaded anew.
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page).toHaveURL('/client');
  await page.goBack();
  await expect(page.getByLabel('What is the loan for?')).toHaveValue('Stock for the market.');
  await page.reload();
  await expect(page.getByLabel('What is left of your income each month?')).toHaveValue('25,000');
  await page.getByLabel('What is left of your income each month?').fill('30,000');
  await tryOffline(page, next);
  await expect(page.getByText('Still to be covered:')).toBeVisible();
  for (const [typed, name] of [
    ['otien', 'Brian Otieno'],
    ['chebet', 'Chebet Koech'],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Search members by name' }).fill(typed);
    await page.getByRole('button', { name: `Ask to guarantee: ${name}` }).click();
    if (name === 'Brian Otieno') await expectOneTooFew(page);
  }
  await expect(page.getByLabel('Brian Otieno', { exact: true })).toHaveValue('5000');
  await expect(page.getByText('The amounts cover the loan.')).toBeVisible();
  // Oneself is not found.
  await page.getByRole('searchbox', { name: 'Search members by name' }).fill('amina');
  await expect(page.getByText('No other member has that in the name.')).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Next: Check it all' }).click();
  await expectGood(page);
  await page.getByRole('button', { name: 'Ask the guarantors' }).click();
  await expect(page).toHaveURL(/\/client\/loans\/[0-9a-f-]{36}$/);
  await expect(page.getByText('2 guarantors have not answered yet')).toBeVisible();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** One guarantor for all of the amount is one too few, and the last step says so, too. */
async function expectOneTooFew(page: Page): Promise<void> {
  await expect(page.getByText('One more guarantor is needed.')).toBeVisible();
  await page.getByRole('button', { name: 'Next: Check it all' }).click();
  await expect(page.getByText('One more guarantor must sign: this loan needs 2.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
}

/** A guarantor finds the request on the dashboard, reads it and signs it with the code of the SMS. */
async function signOnPage(page: Page, guarantor: SignedInPerson, sacco: Sacco): Promise<void> {
  await becomeSignedIn(page, guarantor, sacco);
  await page.goto('/client');
  await waitingThing(page, /Amina Said asks you to guarantee Ksh\.\s5,000\.00/)
    .getByRole('link', { name: 'Look' })
    .click();
  await expect(page.getByText('You can lose at most')).toBeVisible();
  await expect(page.getByText('Stock for the market.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign as a guarantor' }).click();
  const form = dialog(page, 'Sign as a guarantor');
  await expect(form).toContainText(
    /Ksh\.\s8,000\.00 of your savings are free now, and Ksh\.\s3,000\.00 once you sign\./,
  );
  await form.getByRole('button', { name: 'Send me the code' }).click();
  await expect(form.getByLabel('Code from the SMS')).toBeVisible();
  await expectGood(page, 'dialog');
  await form.getByLabel('Code from the SMS').fill('00000000');
  await form.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(form.getByRole('button', { name: 'Sign', exact: true })).toBeVisible();
  await form.getByLabel('Code from the SMS').fill(await guaranteeCode(guarantor));
  await form.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText('You signed', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Held of your savings now')).toBeVisible();
}

test('a loan from its quote to the release of its guarantors: applied for, signed, approved, paid out, repaid and paid off', async ({
  page,
}) => {
  test.slow();
  const { lending, borrower, guarantors } = await cast();
  const { sacco } = lending;
  const [brian, chebet] = guarantors as [SignedInPerson, SignedInPerson];
  const loan = await applyOnPage(page, borrower, sacco);
  await signOnPage(page, brian, sacco);
  await signOnPage(page, chebet, sacco);
  expect(await freeSavings(lending, brian)).toBe(3_000);

  await becomeSignedIn(page, borrower, sacco);
  await page.goto('/client');
  await waitingThing(page, 'is covered').getByRole('link', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Send to the committee' }).click();
  await dialog(page, 'Send it to the committee?').getByRole('button', { name: 'Send it' }).click();
  await expect(page.getByText('The credit committee looks at it')).toBeVisible();
  await approve(lending, loan);

  await page.goto('/client');
  await waitingThing(page, 'is approved').getByRole('link', { name: 'Read' }).click();
  await page.getByRole('button', { name: 'Read and accept' }).click();
  const facts = dialog(page, 'Key facts');
  await expect(facts.getByText('What the loan costs in all')).toBeVisible();
  await expectGood(page, 'dialog');
  await facts.getByRole('button', { name: 'Accept these terms' }).click();
  await expect(page.getByText('The treasurer pays it out, and another official checks it')).toBeVisible();
  const before = await walletShillingsOf(borrower);
  await payOut(lending, loan);
  expect(await walletShillingsOf(borrower)).toBe(before + 19_800);

  // Before anything is unfolded the page is short: the reasons of the limit are folded.
  await page.goto('/client/loans');
  await expect(page.getByRole('heading', { name: 'What you can borrow' })).toBeVisible();
  await expect(page.getByText(/times your savings/)).toBeHidden();
  expect((await page.locator('main').allInnerTexts()).join(' ').split(/\s+/).length).toBeLessThanOrEqual(120);
  await page.getByText('How each sum is reckoned').click();
  await expect(page.getByText(/times your savings/)).toBeVisible();
  await page.goto(`/client/loans/${loan}`);
  await expect(page.getByText('What you still owe of it')).toBeVisible();
  // The half that no guarantor covers is held, and no other savings are there.
  await expect(page.getByRole('heading', { name: 'If it is not repaid' })).toBeVisible();
  await expect(page.getByText(/Could be taken, as things are now/)).toBeVisible();
  await page.getByRole('button', { name: 'Repay' }).first().click();
  const repay = dialog(page, 'Repay');
  await expect(repay.getByLabel('Amount')).toHaveValue('3450.97');
  // The loan after the payment is shown before it: for more than the instalment the borrower chooses.
  const after = repay.getByRole('region', { name: 'After this payment' });
  // The server is asked once the borrower pauses, not at each key.
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/repayments/preview')) asked += 1;
  });
  await repay.getByLabel('Amount').fill('');
  await repay.getByLabel('Amount').pressSequentially('6901.94', { delay: 30 });
  await repay.getByLabel('What you pay in advance').selectOption('Excuse the next instalments');
  await expect(after).toContainText(/Due thenKsh\.\s3,450\.97/);
  await expect(after).toContainText(/Interest savedKsh\.\s\d+\.\d\d/);
  expect(asked).toBeLessThan(4);
  await expectGood(page, 'dialog');
  // To look at it keeps nothing, and the amount stays with another way of paying.
  const { surplus } = await api<{ surplus: string }>('GET', `/loans/${loan}`, {
    token: borrower.token,
    sacco: sacco.id,
  });
  expect(surplus).toBe('shorten');
  await repay.getByRole('radio', { name: 'Paybill' }).check();
  await expect(repay.getByRole('button', { name: 'Save this choice' })).toBeVisible();
  await repay.getByRole('radio', { name: 'Wallet' }).check();
  await expect(repay.getByLabel('Amount')).toHaveValue('6901.94');
  // M-Pesa moves whole shillings: the sum that was typed is rounded up for it, and the field says so.
  await repay.getByRole('radio', { name: 'M-Pesa' }).check();
  await expect(repay.getByLabel('Amount')).toHaveValue('6902');
  await expect(repay.getByLabel('Amount')).toHaveAccessibleDescription(/Cents are rounded up\./);
  await repay.getByRole('radio', { name: 'Wallet' }).check();
  await repay.getByLabel('Amount').fill('6901.94');
  await repay.getByLabel('What you pay in advance').selectOption('Be done earlier');
  // More than is owed is said before it is sent.
  await repay.getByLabel('Amount').fill('30000');
  await expect(repay.getByText(/Ksh\.\s20,000\.00 pays the loan off today\. That is more\./)).toBeVisible();
  await repay.getByLabel('Amount').fill('3450.97');
  await repay.getByRole('button', { name: 'Repay from the wallet' }).click();
  const receipt = repay.getByRole('region', { name: 'Receipt' });
  await expect(receipt).toContainText(/Loan6\d{8}/);
  await expect(repay.getByRole('radio', { name: 'Wallet' })).toHaveCount(0);
  // On its first day it has cost no interest.
  await expect(receipt).toContainText(/Of it principalKsh\.\s3,450\.97/);
  await repay.getByRole('button', { name: 'Done' }).click();
  // A part of each pledge is free again with each repayment.
  expect(await freeSavings(lending, brian)).toBeGreaterThan(3_000);
  await page.getByRole('button', { name: 'Switch on' }).click();
  const question = dialog(page, 'Let your wallet pay this loan?');
  await expect(question.getByText('The next instalment')).toBeVisible();
  await expect(question.getByRole('definition').first()).toHaveText(/^Ksh\.\s\d/);
  await expect(question.getByRole('definition').last()).toHaveText(/^\w+day, \w+ \d+, \d{4}$/);
  await expectGood(page, 'dialog');
  await expectNothingSent(page, () => question.getByRole('button', { name: 'Not now' }).click());
  await expect(page.getByText('Paid by itself')).toBeHidden();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await question.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('Paid by itself')).toBeVisible();
  await page.getByRole('button', { name: 'End it' }).click();
  const ending = dialog(page, 'Pay this loan yourself from now on?');
  await ending.getByRole('button', { name: 'End it' }).click();
  await expect(page.getByText('Pay by itself')).toBeVisible();

  await page.getByRole('button', { name: 'Pay off' }).click();
  const payoff = dialog(page, 'Pay off');
  await expect(payoff.getByText('You save the interest that would still come:')).toBeVisible();
  await expectGood(page, 'dialog');
  await payoff.getByRole('button', { name: 'Pay off from the wallet' }).click();
  await expect(payoff.getByRole('region', { name: 'Receipt' })).toContainText(/Of it principalKsh\.\s1\d,\d{3}\.\d\d/);
  await payoff.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('It is paid in full: all that was pledged is free again')).toBeVisible();
  await expect(page.getByText('Released', { exact: true })).toHaveCount(3);
  for (const guarantor of guarantors) expect(await freeSavings(lending, guarantor)).toBe(8_000);
  expect(await freeSavings(lending, borrower)).toBe(10_000);
});

test('a loan is repaid by a prompt on the phone and by its number at the paybill; its pages are the borrower’s alone', async ({
  page,
}) => {
  const { lending, borrower, guarantors } = await cast();
  const { sacco } = lending;
  const loan = await paidOutLoan(
    lending,
    borrower,
    20_000,
    guarantors.map((guarantor) => [guarantor, 5_000] as const),
  );
  await becomeSignedIn(page, borrower, sacco);
  await page.goto(`/client/loans/${loan}?open=repay`);
  const repay = dialog(page, 'Repay');
  await repay.getByRole('radio', { name: 'M-Pesa' }).check();
  await repay.getByLabel('Amount').fill('3451');
  await repay.getByRole('button', { name: 'Send the prompt' }).click();
  await expect(repay.getByText('Waiting for you on your phone')).toBeVisible();
  await expectGood(page, 'dialog');
  await answerPrompt((await openPrompt(borrower.phone_number)).id, 'approve');
  await expect(repay.getByText('It is paid into your loan')).toBeVisible({ timeout: 40_000 });
  const { number, owed } = await api<{ number: string; owed: number }>('GET', `/loans/${loan}`, {
    token: borrower.token,
    sacco: sacco.id,
  });
  expect(owed).toBeLessThan(20_000);
  await expect(
    repay.getByText(owed.toLocaleString('en', { minimumFractionDigits: 2 }), { exact: false }),
  ).toBeVisible();
  await repay.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Repay' }).first().click();
  await repay.getByRole('radio', { name: 'Paybill' }).check();
  await expect(repay.getByText(number.replace(/(\d{3})(?=\d)/g, '$1 '))).toBeVisible();

  // Whoever guarantees it reads their own guarantee, and nothing of the loan’s page; another member finds neither.
  const [brian, chebet] = guarantors as [SignedInPerson, SignedInPerson];
  const { results } = await api<{ results: { id: string }[] }>('GET', '/loans/guarantee-requests?status=given', {
    token: brian.token,
    sacco: sacco.id,
  });
  await becomeSignedIn(page, brian, sacco);
  await page.goto(`/client/loans/guarantees/${results[0]?.id}`);
  await expect(page.getByRole('heading', { name: 'Your guarantee for Amina Said' })).toBeVisible();
  await page.getByRole('button', { name: 'Ask to be replaced' }).click();
  await dialog(page, 'Ask to be replaced?').getByRole('button', { name: 'Ask for it' }).click();
  await expect(page.getByText('You have asked to be replaced.', { exact: false }).first()).toBeVisible();
  for (const [other, path] of [
    [brian, `/client/loans/${loan}`],
    [chebet, `/client/loans/guarantees/${results[0]?.id}`],
  ] as const) {
    await becomeSignedIn(page, other, sacco);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await expect(page.getByText('Amina Said')).toHaveCount(0);
    await expect(page.getByText('Stock for the market.')).toHaveCount(0);
  }
});

test('a guarantor says no and never why; the borrower asks another, changes the amount, and takes the application back', async ({
  page,
}) => {
  const { lending, borrower, guarantors } = await cast();
  const { sacco } = lending;
  const [brian, chebet] = guarantors as [SignedInPerson, SignedInPerson];
  const loan = await applied(lending, borrower, 15_000, [[brian, 5_000]]);
  const { id } = await requestOf(lending, brian);
  await becomeSignedIn(page, brian, sacco);
  await page.goto(`/client/loans/guarantees/${id}`);
  await page.getByRole('button', { name: 'Say no' }).click();
  await dialog(page, 'Say no?').getByRole('button', { name: 'Say no' }).click();
  await expect(page.getByText('You said no')).toBeVisible();

  await becomeSignedIn(page, borrower, sacco);
  await page.goto(`/client/loans/${loan}`);
  await expect(page.getByText('Said no')).toBeVisible();
  await page.getByRole('button', { name: 'Ask another' }).click();
  const ask = dialog(page, 'Ask a guarantor');
  await ask.getByRole('searchbox').fill('koech');
  await ask.getByRole('button', { name: 'Choose: Chebet Koech' }).click();
  await ask.getByLabel('How much Chebet Koech is to guarantee').fill('9,000');
  await expectGood(page, 'dialog');
  await ask.getByRole('button', { name: 'Ask Chebet Koech' }).click();
  await expect(ask).toHaveCount(0);
  await page.getByRole('button', { name: 'Change the amount: Chebet Koech' }).click();
  const change = dialog(page, 'Change the amount');
  await change.getByLabel('How much Chebet Koech is to guarantee').fill('5000');
  await change.getByRole('button', { name: 'Ask for this amount' }).click();
  await expect(change).toHaveCount(0);
  await sign(lending, chebet);
  expect(await freeSavings(lending, chebet)).toBe(3_000);

  await page.reload();
  // Covered in full by one guarantor, where two must sign.
  await expect(page.getByText(/Ksh\.\s15,000\.00 of Ksh\.\s15,000\.00/)).toBeVisible();
  await expect(page.getByText('One more guarantor must sign: this loan needs 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Take back', exact: true }).click();
  await dialog(page, 'Take the application back?').getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByText('You took it back: nothing is held')).toBeVisible();
  expect(await freeSavings(lending, chebet)).toBe(8_000);
});

test('a guarantor is replaced: the borrower names somebody else who signs, and with the committee’s word both change at once', async ({
  page,
}) => {
  const { lending, borrower, guarantors } = await cast();
  const { sacco, committee } = lending;
  const [brian] = guarantors as [SignedInPerson, SignedInPerson];
  const dalili = await oldMember(lending, { saved: 8_000 }, newPerson('Dalili', 'Mwende'));
  const asked = guarantors.map((guarantor) => [guarantor, 5_000] as const);
  const loan = await paidOutLoan(lending, borrower, 20_000, asked);

  await becomeSignedIn(page, borrower, sacco);
  await page.goto(`/client/loans/${loan}`);
  await page.getByRole('button', { name: 'Find somebody else: Brian Otieno' }).click();
  const search = dialog(page, 'Somebody else for Brian Otieno');
  await search.getByRole('searchbox').fill('mwende');
  await search.getByRole('button', { name: 'Ask to guarantee: Dalili Mwende' }).click();
  await expect(search).toHaveCount(0);
  await expect(page.getByText('Dalili Mwende').first()).toBeVisible();
  await sign(lending, dalili);
  // Brian stays bound until the committee has spoken.
  expect(await freeSavings(lending, brian)).toBe(3_000);

  await becomeSignedIn(page, committee[0], sacco);
  await page.goto('/client');
  await waitingThing(page, '1 new guarantor waits for the committee').getByRole('link', { name: 'Look' }).click();
  await page.getByRole('link', { name: /Amina Said/ }).click();
  await expect(page.getByText('Dalili Mwende has signed for', { exact: false })).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Confirm the exchange' }).click();
  await expect(page.getByRole('heading', { name: 'A new guarantor' })).toHaveCount(0);
  expect(await freeSavings(lending, brian)).toBe(8_000);
  expect(await freeSavings(lending, dalili)).toBe(3_000);
});
