import type { Page } from '@playwright/test';
import { checked, viceChair } from './support/check-offs.ts';
import { lendingSacco, oldMember, paidOutLoan } from './support/loans.ts';
import {
  api,
  becomeSignedIn,
  newPerson,
  registerWithMoney,
  type SignedInPerson,
  walletShillingsOf,
} from './support/people.ts';
import { message } from './support/simulator.ts';
import { expect, expectGood, test, toast } from './support/test.ts';

const waitingThing = (page: Page, title: string | RegExp) => page.getByRole('listitem').filter({ hasText: title });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Pastes the list into the dialog, mends its one wrong line, and sends it to a second official. */
async function makeList(page: Page, payer: SignedInPerson, right: readonly string[], wrong: string): Promise<void> {
  await page.goto('/client/desk/check-offs');
  await page.getByRole('button', { name: 'New check-off' }).click();
  const form = dialog(page, 'New check-off');
  await form.getByRole('button', { name: 'Look the list up' }).click();
  await expect(toast(page, 'Write the employer’s name and the payer’s phone.')).toBeVisible();
  await form.getByLabel('Employer').fill('County of Nakuru');
  await form.getByLabel('Phone of the payer').fill(`0${payer.phone_number.slice(3)}`);
  const list = form.getByLabel('The list', { exact: true });
  await list.fill(['Phone,Amount', ...right, wrong].join('\n'));
  await form.getByRole('button', { name: 'Look the list up' }).click();
  const found = form.getByRole('status', { name: 'What the list comes to' });
  await expect(found).toContainText('1 line is wrong.');
  await expect(found).toContainText('Line 4');
  await expect(found).toContainText('No member of your sacco has confirmed this phone number.');
  await expect(found).toContainText('Jane W.');
  // What is wrong is not sent.
  await expect(found.getByRole('button', { name: 'Send it to a second official' })).toHaveCount(0);
  await expectGood(page, 'dialog');
  await list.fill(right.join('\n'));
  await form.getByRole('button', { name: 'Look the list up' }).click();
  await expect(found).toContainText('2 members');
  await expect(found).toContainText('Ksh. 5,000.00');
  await found.getByRole('button', { name: 'Send it to a second official' }).click();
}

test('an employer’s check-off: listed from a pasted list, checked by another official, paid by its payer, and it pays a member’s loan', async ({
  page,
}) => {
  test.slow();
  const lending = await lendingSacco(0);
  const { sacco, treasurer } = lending;
  const vice = await viceChair(lending);
  const payer = await registerWithMoney(6_000, newPerson('Jane', 'Wafula'));
  const borrower = await oldMember(lending, { saved: 2_500, shares: 500 }, newPerson('Amina', 'Njeri'));
  const saver = await oldMember(lending, { saved: 500 }, newPerson('Brian', 'Otieno'));
  const loan = await paidOutLoan(lending, borrower, 2_000, []);
  const before = await walletShillingsOf(borrower);
  const right = [`${borrower.phone_number},"4,000"`, `0${saver.phone_number.slice(3)},1000.00`];

  await becomeSignedIn(page, treasurer, sacco);
  await makeList(page, payer, right, `${payer.phone_number},700`);
  await expect(page.getByRole('heading', { name: 'County of Nakuru', level: 1 })).toBeVisible();
  // The list is the treasurer's own: another official checks it, and nobody has asked the payer yet.
  await expect(page.getByText('Another official checks it: the list is yours.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'The list is right' })).toHaveCount(0);
  expect((await api<{ count: number }>('GET', '/check-offs', { token: payer.token })).count).toBe(0);
  await expectGood(page);

  await becomeSignedIn(page, vice, sacco);
  await page.goto('/client');
  await waitingThing(page, /A check-off of Ksh\.\s5,000\.00 waits for a second official/)
    .getByRole('link', { name: 'Look' })
    .click();
  await expect(page.getByRole('table', { name: 'Look at these first' })).toContainText('Amina Njeri');
  await page.getByRole('button', { name: 'The list is right' }).click();
  await dialog(page, 'Is the list right?').getByRole('button', { name: 'The list is right' }).click();
  await expect(page.getByText('Waits for the payer')).toBeVisible();
  await expect.poll(() => message(payer.phone_number, /asks you to pay Ksh/)).toBeTruthy();

  // The payer is no member, and has chosen no sacco.
  await becomeSignedIn(page, payer);
  await page.goto('/my-saccos');
  await page.getByRole('link', { name: 'Check-offs that you pay' }).click();
  await page.getByRole('link', { name: /County of Nakuru/ }).click();
  await expect(page.getByText('Faith Mutua')).toBeVisible();
  await expect(page.getByText('Rehema Yusuf')).toBeVisible();
  await expect(page.getByRole('table', { name: 'For whom you pay' })).toContainText('Brian Otieno');
  await expectGood(page);
  await page.getByRole('button', { name: 'Pay from the wallet' }).click();
  const pay = dialog(page, 'Pay the check-off?');
  await expectGood(page, 'dialog');
  await pay.getByRole('button', { name: 'Pay now' }).click();
  const paid = dialog(page, 'Paid');
  await expect(paid.getByRole('region', { name: 'Receipt' })).toContainText('Check-off for Journey Sacco');
  await paid.getByRole('button', { name: 'Done' }).click();
  expect(await walletShillingsOf(payer)).toBe(1_000);

  // It is shared out at once: the loan has its instalment, the rest is in the wallets.
  await expect.poll(() => walletShillingsOf(saver), { timeout: 30_000 }).toBe(1_000);
  await becomeSignedIn(page, borrower, sacco);
  await page.goto(`/client/loans/${loan}`);
  await expect(page.getByText('Repaid by check-off')).toBeVisible();
  expect(await walletShillingsOf(borrower)).toBeGreaterThan(before);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/desk/check-offs');
  await page.getByRole('link', { name: /County of Nakuru/ }).click();
  await expect(page.getByText('Shared out').first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('table', { name: 'All lines' })).toContainText('To the wallet');
  await expectGood(page);
});

test('a plain member has no desk of check-offs, and whoever is named as a payer may say no', async ({ page }) => {
  const lending = await lendingSacco(0);
  const { sacco, treasurer } = lending;
  const vice = await viceChair(lending);
  const member = await oldMember(lending, { saved: 500 }, newPerson('Brian', 'Otieno'));
  const payer = await oldMember(lending, { saved: 500, wallet: 100 }, newPerson('Jane', 'Wafula'));
  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/desk/check-offs');
  await page.getByRole('button', { name: 'New check-off' }).click();
  const form = dialog(page, 'New check-off');
  await form.getByLabel('Employer').fill('Acme Stores');
  await form.getByLabel('Phone of the payer').fill(`0${payer.phone_number.slice(3)}`);
  await form
    .getByLabel('Or a file (Excel or CSV)')
    .setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(`${member.phone_number};900\n`) });
  await form.getByRole('button', { name: 'Look the list up' }).click();
  await form.getByRole('button', { name: 'Send it to a second official' }).click();
  await expect(page.getByRole('heading', { name: 'Acme Stores', level: 1 })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1);

  await becomeSignedIn(page, member, sacco);
  for (const path of ['', `/${id}`]) {
    await page.goto(`/client/desk/check-offs${path}`);
    await expect(page.getByText(`Only the officials of ${sacco.name} open this desk`)).toBeVisible();
    await expect(page.getByText('Acme Stores')).toHaveCount(0);
  }
  const read = api('GET', `/sacco/check-offs/${id}`, { token: member.token, sacco: sacco.id });
  await expect(read).rejects.toThrow('not_allowed');
  const decision = { decision: 'approve' };
  const approved = api('POST', `/sacco/check-offs/${id}/decision`, {
    token: member.token,
    sacco: sacco.id,
    body: decision,
  });
  await expect(approved).rejects.toThrow('not_allowed');
  const own = api('POST', `/sacco/check-offs/${id}/decision`, {
    token: treasurer.token,
    sacco: sacco.id,
    body: decision,
  });
  await expect(own).rejects.toThrow('not_allowed');

  await checked(lending, vice, id ?? '');
  await becomeSignedIn(page, payer, sacco);
  await page.goto('/client/loans');
  await page.getByRole('link', { name: 'Check-offs that you pay' }).click();
  await page.getByRole('link', { name: /Acme Stores/ }).click();
  await expect(page.getByText(/Your wallet lacks/)).toContainText('Ksh. 800.00');
  await page.getByRole('button', { name: 'Decline' }).click();
  await dialog(page, 'Decline the check-off').getByLabel('Why not?').fill('I do not employ these people.');
  await dialog(page, 'Decline the check-off').getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Declined by the payer')).toBeVisible();
  expect(await walletShillingsOf(payer)).toBe(100);
  await becomeSignedIn(page, treasurer, sacco);
  await page.goto(`/client/desk/check-offs/${id}`);
  await expect(page.getByText('I do not employ these people.')).toBeVisible();
});
