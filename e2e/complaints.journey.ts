import type { Page } from '@playwright/test';
import { asOwner } from './support/past.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  join,
  newPerson,
  operator,
  register,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './support/people.ts';
import { expect, expectGood, test, toast } from './support/test.ts';

const WORDS = 'My refund of Ksh. 3,000 has not come since March. See https://evil.example or call 0712 345 678.';

/** As if the days for an answer were over: the next job takes the complaint to the operators. */
function answerWasDue(complaintId: string): Promise<void> {
  return asOwner((owner) =>
    owner.begin(async (sql) => {
      // Due dates stay as they were given: a trigger holds that.
      await sql`set local session_replication_role = replica`;
      await sql`update complaints set answer_due_at = made_at + interval '1 millisecond' where id = ${complaintId}`;
    }),
  );
}

/** A sacco with its chair, and a member of it. */
async function cast(): Promise<{ chair: SignedInPerson; member: SignedInPerson; sacco: Sacco }> {
  const chair = await register(newPerson('Faith', 'Mutua'));
  const [sacco, member] = [await activeSacco(chair), await registerWithMoney(1_000, newPerson('Amina', 'Said'))];
  await join(member, sacco);
  return { chair, member, sacco };
}

/** A complaint without the form. */
async function complained({ token }: SignedInPerson, { id }: Sacco): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ sacco: id, kind: 'payout', text: WORDS })) form.set(name, value);
  const { complaint } = await api<{ complaint: { id: string } }>('POST', '/complaints', { token, body: form });
  return complaint.id;
}

/** A line of "Waiting for you" on the dashboard. */
const waitingThing = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

test('a member complains, an official answers, and the member closes it; another member reads none of it, and a stranger cannot complain', async ({
  page,
}) => {
  const { chair, member, sacco } = await cast();
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/complaints');
  await expect(page.getByText('You have not complained')).toBeVisible();
  await page.getByRole('button', { name: 'New complaint' }).click();
  const form = page.getByRole('dialog', { name: 'New complaint' });
  await expect(form).toContainText('answer within 14 days and settle it within 30 days');
  await form.getByLabel('What happened?').fill('Too short.');
  await form.getByLabel('What is it about?').selectOption('Refund or exit not paid');
  await form.getByRole('button', { name: 'Send the complaint' }).click();
  await expect(form.getByText('Write at least 20 characters.').first()).toBeVisible();
  await form.getByLabel('What happened?').fill(WORDS);
  await form.getByRole('button', { name: 'Send the complaint' }).click();
  await expect(toast(page, 'Your complaint is sent. You will be told of each step.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Refund or exit not paid', level: 1 })).toBeVisible();
  await expect(page.getByText('Answer due in 14 days')).toBeVisible();
  // What somebody wrote is text, and nothing to tap on.
  await expect(page.getByText(WORDS)).toBeVisible();
  await expect(page.locator('a[href*="evil.example"], a[href^="tel:"]')).toHaveCount(0);
  await expectGood(page);

  // Another member finds neither the complaint nor the officials' list.
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const other = await registerWithMoney(1_000);
  await join(other, sacco);
  await becomeSignedIn(page, other, sacco);
  await page.goto(`/client/complaints/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Refund or exit not paid');
  await expect(page.getByText(WORDS)).toHaveCount(0);
  await page.goto('/client/complaints?view=all');
  await expect(page.getByText('You have not complained')).toBeVisible();
  await expect(page.getByText('Amina Said')).toHaveCount(0);

  // A stranger cannot complain.
  await becomeSignedIn(page, await register());
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('Fewer than 5 complaints in the last year.')).toBeVisible();
  await page.getByRole('button', { name: 'Complain about this sacco' }).click();
  await expect(page.getByRole('dialog', { name: 'New complaint' })).toContainText('who left less than two years ago');

  await becomeSignedIn(page, chair, sacco);
  await page.goto('/client');
  await waitingThing(page, '1 complaint waits for an answer').getByRole('link', { name: 'Look' }).click();
  await expect(page.getByText(member.id_number)).toBeVisible();
  await expectGood(page);
  await page.getByLabel('What you tell the member').fill('It was paid back into your wallet this morning.');
  // Nothing is chosen beforehand: an answer that was meant as a word in between would end it.
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await expect(toast(page, 'Write your answer, and choose whether it is the final one.')).toBeVisible();
  await page.getByRole('radio', { name: 'Final answer' }).check();
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await expect(toast(page, 'Answered. The member is told.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send the answer' })).toHaveCount(0);

  await becomeSignedIn(page, member, sacco);
  await page.goto('/client');
  await waitingThing(page, 'Your complaint is answered').getByRole('link', { name: 'Look' }).click();
  await expect(page.getByText('Close it or appeal within 14 days')).toBeVisible();
  await expect(page.getByText('It was paid back into your wallet this morning.')).toBeVisible();
  await page.getByRole('button', { name: 'Close the complaint' }).click();
  await page.getByRole('button', { name: 'Close it', exact: true }).click();
  await expect(page.getByText('You closed it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Appeal' })).toHaveCount(0);
});

test('what nobody answers goes to the operator by itself, who decides with reasons that both read', async ({
  page,
}) => {
  const { chair, member, sacco } = await cast();
  const id = await complained(member, sacco);
  await answerWasDue(id);
  await becomeSignedIn(page, operator());
  await page.goto('/operator/complaints');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link', { name: new RegExp(sacco.name) })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
  await page.getByRole('link', { name: new RegExp(sacco.name) }).click();
  await expect(page.getByText('The sacco did not answer in time.').first()).toBeVisible();
  await expect(page.getByRole('link', { name: `The books of ${sacco.name}` })).toHaveAttribute(
    'href',
    `/saccos/${sacco.id}/books`,
  );
  await expectGood(page);
  await page.getByLabel('Reasons').fill('The books show no refund. The sacco pays Ksh. 3,000 within 7 days.');
  await page.getByRole('radio', { name: 'The complaint is right' }).check();
  await page.getByRole('button', { name: 'Decide' }).click();
  await expect(toast(page, 'Decided. Both sides are told.')).toBeVisible();

  for (const [side, path] of [
    [member, `/client/complaints/${id}`],
    [chair, `/client/complaints/answer/${id}`],
  ] as const) {
    await becomeSignedIn(page, side, sacco);
    await page.goto(path);
    await expect(page.getByText('The complaint is right')).toBeVisible();
    await expect(page.getByText('The sacco pays Ksh. 3,000 within 7 days.')).toBeVisible();
  }
});
