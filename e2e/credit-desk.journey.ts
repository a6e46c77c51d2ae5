import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  accept,
  anotherOfCommittee,
  approves,
  type Lending,
  lendingSacco,
  loanNow,
  oldMember,
  payOut,
  scheduleCode,
  submittedLoan,
} from './support/loans.ts';
import { asOwner, confirmedADayAgo } from './support/past.ts';
import { api, becomeSignedIn, newPerson, type SignedInPerson, walletShillingsOf } from './support/people.ts';
import { expect, expectGood, test, toast } from './support/test.ts';

const waitingThing = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

/** A lending sacco with capital, a borrower and a guarantor. */
async function cast(): Promise<{ lending: Lending; borrower: SignedInPerson; guarantor: SignedInPerson }> {
  const lending = await lendingSacco();
  const borrower = await oldMember(lending, { saved: 2_500, shares: 500 }, newPerson('Amina', 'Njeri'));
  const guarantor = await oldMember(lending, { saved: 3_000 }, newPerson('Wambui', 'Njeri'));
  return { lending, borrower, guarantor };
}

/** What the API answers to an act that the page would not let through. */
async function codeOf(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'done',
    (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1] ?? error.message,
  );
}

test('officials review a loan, the treasurer orders the payout and another one checks it; whoever ordered it cannot', async ({
  page,
}) => {
  const { lending, borrower, guarantor } = await cast();
  const { sacco, treasurer, secretary, committee } = lending;
  const loan = await submittedLoan(lending, borrower, 4_000, [[guarantor, 1_500]]);

  await becomeSignedIn(page, committee[0], sacco);
  await page.goto('/client');
  await waitingThing(page, '1 loan application waits for your decision').getByRole('link', { name: 'Look' }).click();
  await page.getByRole('link', { name: /Amina Njeri/ }).click();
  await expect(page.getByRole('heading', { name: 'Amina Njeri', level: 1 })).toBeVisible();
  await expect(page.getByText('Only officials see these details. Views are logged.')).toBeVisible();
  await expect(page.getByText(borrower.id_number)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Guarantees' })).toContainText('Wambui Njeri');
  await expect(page.getByText(/The instalment takes \d+\.\d% of the declared income\./)).toBeVisible();
  await expect(page.getByText('Decide within 14 days')).toBeVisible();
  await page.getByRole('button', { name: 'Cast your vote' }).click();
  await expect(toast(page, 'Choose what you decide, and say why.')).toBeVisible();
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByLabel('Reason').fill('She saves every month, and her stall is known to us.');
  await page.getByRole('button', { name: 'Cast your vote' }).click();
  await expect(page.getByText('Credit committee: 1 of 2')).toBeVisible();
  // One person has one vote.
  await expect(page.getByRole('note')).toContainText('You have voted on this application');
  await expect(page.getByRole('button', { name: 'Cast your vote' })).toHaveCount(0);

  await approves(lending, committee[1], loan.id);
  await accept(lending, borrower, loan.id);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/desk');
  await page.getByRole('link', { name: /1\s*loan to pay out/ }).click();
  await page.getByRole('link', { name: /Amina Njeri/ }).click();
  await expect(page.getByText('To the wallet of Amina Njeri')).toBeVisible();
  await page.getByRole('button', { name: 'Order the payout' }).click();
  await page
    .getByRole('dialog', { name: 'Order this payout?' })
    .getByRole('button', { name: 'Order the payout' })
    .click();
  // The maker cannot check, on the page or past it.
  await expect(page.getByRole('heading', { name: 'Check the payout' })).toBeVisible();
  await expect(page.getByRole('note')).toContainText('another official checks it');
  await expect(page.getByRole('button', { name: 'Pay out' })).toHaveAttribute('aria-disabled', 'true');
  const { key_facts } = await loanNow(lending, borrower, loan.id);
  const body = { decision: 'pay', terms_hash: key_facts.hash };
  const past = api('POST', `/sacco/loans/${loan.id}/disbursement-check`, {
    token: treasurer.token,
    sacco: sacco.id,
    body,
  });
  expect(await codeOf(past)).toBe('not_allowed');
  expect(await walletShillingsOf(borrower)).toBe(0);

  await becomeSignedIn(page, secretary, sacco);
  await page.goto(`/client/desk/loans/${loan.id}`);
  await page.getByRole('button', { name: 'Pay out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay this loan out?' });
  await expect(dialog).toContainText('The money moves at once');
  await dialog.getByRole('button', { name: 'Pay out' }).click();
  await expect(page.getByText('On time')).toBeVisible();
  // One percent is the fee.
  expect(await walletShillingsOf(borrower)).toBe(3_960);
});

test('a member does not see the desk, and an official does not decide about a loan of their own', async ({ page }) => {
  const { lending, borrower } = await cast();
  const { sacco, committee } = lending;
  const loan = await submittedLoan(lending, borrower, 2_000);
  const other = await oldMember(lending, { saved: 500 });

  await becomeSignedIn(page, other, sacco);
  await page.goto('/client');
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Credit desk' })).toHaveCount(0);
  for (const path of ['', '/loans', `/loans/${loan.id}`, '/products']) {
    await page.goto(`/client/desk${path}`);
    await expect(page.getByText(`Only the officials of ${sacco.name} open this desk`)).toBeVisible();
    await expect(page.getByText('Amina Njeri')).toHaveCount(0);
  }
  await expectGood(page);
  const asked = api('GET', `/sacco/loans/${loan.id}`, { token: other.token, sacco: sacco.id });
  expect(await codeOf(asked)).toBe('not_allowed');

  // An official of the committee borrows: others decide.
  await anotherOfCommittee(lending);
  const official = await oldMember(lending, { saved: 2_000 }, committee[0]);
  const own = await submittedLoan(lending, official, 1_500);
  await becomeSignedIn(page, official, sacco);
  await page.goto('/client/desk/loans?list=to_review');
  await page.getByRole('link', { name: /Rehema Yusuf/ }).click();
  await expect(page.getByRole('note')).toContainText('Others must decide about this loan');
  await expect(page.getByRole('button', { name: 'Cast your vote' })).toHaveCount(0);
  expect(await codeOf(approves(lending, official, own.id))).toBe('not_allowed');
  // The others see whose it is, in the list and on its page.
  await becomeSignedIn(page, lending.secretary, sacco);
  await page.goto('/client/desk/loans?list=to_review');
  const row = page.getByRole('row').filter({ hasText: 'Rehema Yusuf' });
  await expect(row).toContainText('An official’s loan');
  await expect(page.getByRole('row').filter({ hasText: 'Amina Njeri' })).not.toContainText('An official’s loan');
  await row.getByRole('link').first().click();
  await expect(page.getByText('An official’s loan', { exact: true })).toBeVisible();
});

test('where too few can vote yet, two officials give the sacco a loan product, and only a day later it holds', async ({
  page,
}) => {
  const lending = await lendingSacco();
  const { sacco, treasurer, secretary, committee } = lending;
  await becomeSignedIn(page, committee[0], sacco);
  await page.goto('/client/desk/products');
  await expect(page.getByRole('heading', { name: 'Mkopo wa Biashara' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Stop offering it/ })).toHaveAttribute('aria-disabled', 'true');

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/desk/products');
  await page.getByRole('link', { name: 'Draft a product' }).click();
  const form = page.getByRole('form', { name: 'Draft a vote' });
  await form.getByLabel('Name').fill('Emergency loan');
  await form.getByLabel('Interest is reckoned').selectOption('flat');
  await expect(form.getByText('On the balance that is 1.7881% a month.')).toBeVisible();
  await form.getByLabel('Smallest amount').fill('500');
  await form.getByLabel('Largest amount').fill('10,000');
  await form.getByLabel('Fee (%)').fill('7');
  await form.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(form.getByText('Enter a number from 0 to 5, with at most two decimals.')).toBeVisible();
  await form.getByLabel('Fee (%)').fill('0.5');
  await form.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(page.getByText('Waits for a second official')).toBeVisible();
  await expectGood(page);

  await becomeSignedIn(page, secretary, sacco);
  await page.goto('/client');
  await expect(waitingThing(page, 'as an official, to look and confirm')).toBeVisible();
  await page.goto('/client/desk/products');
  await page.getByRole('button', { name: 'Read and confirm' }).click();
  await expect(page.getByRole('dialog').getByText('A loan product: Emergency loan')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('Confirmed by two')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Emergency loan', exact: true })).toHaveCount(0);
  await confirmedADayAgo(sacco);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Emergency loan', exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
});

test('of a loan that is late each step says what it would take; a day’s run opens and tells what it did', async ({
  page,
}) => {
  const { lending, borrower, guarantor } = await cast();
  const { sacco, committee, treasurer } = lending;
  const loan = await submittedLoan(lending, borrower, 4_000, [[guarantor, 1_500]]);
  for (const one of committee) await approves(lending, one, loan.id);
  await accept(lending, borrower, loan.id);
  await payOut(lending, loan.id);
  await monthsLate(loan.id, sacco.id);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto(`/client/desk/loans/${loan.id}`);
  await expect(page.getByRole('heading', { name: 'Recovery, step by step' })).toBeVisible();
  // The step that is due stands open; the others are folded.
  await expect(page.getByText(/As things are now it takes/).first()).toBeHidden();
  await page.getByText(/^The other steps: \d$/).click();
  await expect(page.getByText(/As things are now it takes Ksh\.\s2,500\.00\./)).toBeVisible();
  await expect(page.getByText(/As things are now it takes Ksh\.\s1,500\.00\./)).toBeVisible();

  await page.goto('/client/desk');
  await page.getByRole('listitem').filter({ hasText: '12.34' }).getByRole('button').click();
  const run = page.getByRole('dialog');
  await expect(run).toContainText('Booked for 3 loans');
  await expect(run).toContainText(/InterestKsh\.\s12\.34/);
  await expect(run).toContainText('Notices of arrears2');
  await expectGood(page, 'dialog');

  // A new schedule takes two officials: before the second one nobody else is asked.
  await page.goto(`/client/desk/loans/${loan.id}`);
  await page.getByRole('button', { name: 'Offer a new schedule' }).click();
  await run.getByLabel('Months from now').fill('12');
  // What it costs stands there before it is proposed.
  await expect(run.getByText('Still to pay by the new schedule')).toBeVisible();
  await run.getByLabel('Reason').fill('She was ill, and is back at her stall.');
  await run.getByRole('button', { name: 'Propose it' }).click();
  await expect(page.getByText('Waits for a second official')).toBeVisible();
  await becomeSignedIn(page, committee[0], sacco);
  await page.goto('/client/desk');
  await page.getByRole('link', { name: /New schedule for loan/ }).click();
  await page.getByRole('button', { name: 'Confirm and ask them' }).click();
  await expect(page.getByText('Waits for their answers')).toBeVisible();
  // The guarantor agrees, then the borrower: twelve months follow the one under way, in the place of six.
  for (const one of [guarantor, borrower]) {
    await becomeSignedIn(page, one, sacco);
    await page.goto('/client');
    await waitingThing(page, 'A new schedule is offered').getByRole('link').click();
    await page.getByRole('button', { name: 'I agree' }).click();
    if (one === guarantor) {
      await run.getByRole('button', { name: 'Send me the code' }).click();
      await run.getByLabel('Code from the SMS').fill(await scheduleCode(guarantor));
    }
    await run.getByRole('button', { name: 'I agree' }).click();
    await expect(page.getByRole('button', { name: 'I agree' })).toHaveCount(0);
  }
  await expect(toast(page, 'The new schedule holds from today.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show all 13 months' })).toBeVisible();
});

test('a step of a recovery takes no more than was shown, or nothing, and says what it is now', async ({ page }) => {
  const { lending, borrower, guarantor } = await cast();
  const { sacco, committee, treasurer } = lending;
  const loan = await submittedLoan(lending, borrower, 4_000, [[guarantor, 1_500]]);
  for (const one of committee) await approves(lending, one, loan.id);
  await accept(lending, borrower, loan.id);
  await payOut(lending, loan.id);
  await finalNoticeIsOver(loan.id, committee);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto(`/client/desk/loans/${loan.id}`);
  await page.getByRole('button', { name: 'Take the borrower’s savings' }).click();
  const asked = page.getByRole('dialog');
  await expect(asked.getByRole('button', { name: /Take Ksh\.\s2,500\.00/ })).toBeVisible();
  // Meanwhile the borrower saves something. An amount that nobody was shown takes nothing, and the dialog says what it is now.
  const save = () =>
    api('POST', '/sacco/savings/deposit', { token: borrower.token, body: { sacco: sacco.id, amount: 300 } });
  await save();
  await page.route('**/sacco/loans/*/recovery', (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: JSON.stringify({ step: 'own_deposits', amount: 1 }) })
      : route.continue(),
  );
  await asked.getByRole('button', { name: /Take Ksh\.\s2,500\.00/ }).click();
  await expect(asked.getByRole('status')).toContainText(
    /It was Ksh\.\s2,500\.00 when you looked, and is Ksh\.\s2,800\.00 now/,
  );
  await expectGood(page, 'dialog');
  await page.unroute('**/sacco/loans/*/recovery');
  // What comes in after the official has looked stays in the savings.
  await save();
  await asked.getByRole('button', { name: /Take Ksh\.\s2,800\.00/ }).click();
  await expect(page.getByText(/Ksh\.\s2,800\.00 is recovered/).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Call the guarantors' }).click();
  await asked.getByRole('button', { name: /Ksh\.\s1,200\.00/ }).click();
  // Whoever has voted reads for whom it waits, in the place of the button.
  await page.getByRole('button', { name: 'Write the loan off' }).click();
  await asked.getByRole('textbox', { name: 'Reason' }).fill('Nothing is left to be taken.');
  await asked.getByRole('button', { name: 'Cast your vote' }).click();
  await expect(page.getByText('You have voted for it. It waits for one of the supervisory committee.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write the loan off' })).toHaveCount(0);
});

test('an official proposes to waive a penalty and says why; another one reads it on the desk and refuses', async ({
  page,
}) => {
  const { lending, borrower, guarantor } = await cast();
  const { sacco, committee, treasurer, secretary } = lending;
  const loan = await submittedLoan(lending, borrower, 4_000, [[guarantor, 1_500]]);
  for (const one of committee) await approves(lending, one, loan.id);
  await accept(lending, borrower, loan.id);
  await payOut(lending, loan.id);
  await monthsLate(loan.id, sacco.id);
  await asOwner((owner) => owner`update loans set penalty_cents = 5000 where id = ${loan.id}`);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto(`/client/desk/loans/${loan.id}`);
  await page.getByRole('button', { name: 'Propose a waiver' }).click();
  const form = page.getByRole('dialog', { name: 'Waive penalty or interest' });
  await form.getByLabel('Penalty to waive').fill('50.01');
  await form.getByLabel('Reason').fill('The office was closed for a week.');
  await form.getByRole('button', { name: 'Propose it' }).click();
  await expect(toast(page, /No more than that can be waived/)).toBeVisible();
  await form.getByLabel('Penalty to waive').fill('50');
  await form.getByRole('button', { name: 'Propose it' }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'A waiver of penalty or interest' })).toContainText('Ksh. 50.00');

  await becomeSignedIn(page, secretary, sacco);
  await page.goto('/client/desk');
  const card = page.getByRole('region', { name: 'A waiver of penalty or interest' });
  await expect(card).toContainText('The office was closed for a week.');
  await expect(card).toContainText('Number of the loan');
  await card.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await expect(card).toHaveCount(0);
});

/** As if the loan were 100 days late with a penalty of 50 shillings, its default decided 20 days ago and its final notice given 15 days ago. */
function finalNoticeIsOver(loan: string, committee: readonly SignedInPerson[]): Promise<void> {
  return asOwner(async (owner) => {
    await owner`
      update loans set state = 'in_arrears', arrears_since = current_date - 100, due_on = current_date - 100, days_past_due = 100,
        overdue_cents = due_cents, penalty_cents = 5000
      where id = ${loan}`;
    await owner`
      insert into loan_notices (id, loan_id, kind, user_id, guarantee_id, arrears_since, days_past_due, amount_cents, at)
      select gen_random_uuid(), l.id, n.kind, n.user_id, n.guarantee_id, l.arrears_since, 60, 100, now() - n.ago
      from loans l cross join lateral (
        select 'second' as kind, l.borrower_id as user_id, null::uuid as guarantee_id, interval '60 days' as ago
        union all select 'final', l.borrower_id, null, interval '15 days'
        union all select 'formal', g.guarantor_id, g.id, interval '60 days' from loan_guarantees g
          where g.loan_id = l.id and g.kind = 'member'
        union all select 'final', g.guarantor_id, g.id, interval '15 days' from loan_guarantees g
          where g.loan_id = l.id and g.kind = 'member') n
      where l.id = ${loan}`;
    for (const { id } of committee) {
      await owner`
        insert into loan_recovery_voices (loan_id, kind, arrears_since, by_id, office, reason, at)
        values (${loan}, 'default', current_date - 100, ${id}, 'credit_committee', 'Nothing was paid.', now() - interval '20 days')`;
    }
    for (const [step, days] of [
      ['default', 20],
      ['final_notice', 15],
    ] as const) {
      await owner`
        insert into loan_recovery_steps (loan_id, arrears_since, step, at, by_id)
        values (${loan}, current_date - 100, ${step}, now() - ${`${days} days`}::interval, ${committee[0]?.id ?? ''})`;
    }
    await owner`
      update loans set state = 'defaulted', state_at = now(), defaulted_at = now() - interval '20 days',
        last_default_at = now() - interval '20 days', duplum_cents = principal_cents
      where id = ${loan}`;
  });
}

/** As if the first instalment had been due two months ago, and the run of the day before yesterday had booked 12.34 of interest. */
function monthsLate(loan: string, sacco: string): Promise<void> {
  return asOwner(async (owner) => {
    await owner`
      update loans set state = 'in_arrears', arrears_since = current_date - 60, due_on = current_date - 60, days_past_due = 60,
        overdue_cents = due_cents
      where id = ${loan}`;
    await owner`
      insert into loan_days (id, sacco_id, day, state, loans, interest_cents, notices, started_at, finished_at)
      values (${randomUUID()}, ${sacco}, current_date - 2, 'done', 3, 1234, 2, now() - interval '2 days', now() - interval '2 days')`;
  });
}
