import type { Page } from '@playwright/test';
import { enterPasswordAnHourAgo } from './support/past.ts';
import {
  acceptOffice,
  api,
  becomeSignedIn,
  buyShares,
  confirmPhone,
  join,
  newPerson,
  officeCode,
  operator,
  PASSWORD,
  register,
  registerSacco,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './support/people.ts';
import { expect, expectGood, test, toast } from './support/test.ts';

interface Cast {
  readonly chair: SignedInPerson;
  readonly secretary: SignedInPerson;
  readonly member: SignedInPerson;
  readonly sacco: Sacco;
}

/** A sacco with a chair, a secretary and a member, all of whom have joined. */
async function cast(): Promise<Cast> {
  const [chair, secretary, member] = await Promise.all([
    registerWithMoney(1_000, newPerson('Faith', 'Mutua')),
    registerWithMoney(1_000, newPerson('Barasa', 'Wekesa')),
    registerWithMoney(2_500, newPerson('Amina', 'Said')),
  ]);
  const sacco = await registerSacco(chair);
  const body = { id_number: secretary.id_number, office: 'secretary' };
  await api('POST', `/sacco/${sacco.id}/officials`, { token: chair.token, body });
  await acceptOffice(secretary);
  await api('POST', `/operator/saccos/${sacco.id}/activation`, {
    token: operator().token,
    body: { reason: 'Papers seen for the journey' },
  });
  for (const each of [chair, secretary, member]) await join(each, sacco);
  return { chair, secretary, member, sacco };
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('an official records a member’s ID card, the member reads who it was, and it is taken back; neither a member nor a stranger records one', async ({
  page,
}) => {
  const { secretary, chair, member, sacco } = await cast();
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/profile');
  const identity = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Who you are' }) });
  await expect(identity).toContainText('Not seen yet');
  await expect(identity).toContainText('Show your ID card to an official of your sacco, in person.');

  await becomeSignedIn(page, secretary, sacco);
  await enterPasswordAnHourAgo(secretary);
  await page.goto('/client/members');
  const row = rowOf(page, 'Amina Said');
  await expect(row).toContainText('Not seen yet');
  await row.getByRole('button', { name: 'Record it Amina Said' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record an ID card' });
  await expect(dialog).toContainText('Amina Said');
  // What stands on the card is typed, not copied from the page.
  await expect(dialog).not.toContainText(member.id_number);
  await expectGood(page);
  await dialog.getByLabel('Number on the card').fill('12345678');
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  const proof = page.getByRole('dialog').filter({ hasText: 'before you record an ID card' });
  await proof.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await proof.getByRole('button').last().click();
  await expect(dialog.getByText('That is not the number of this account.').first()).toBeVisible();
  await dialog.getByLabel('Number on the card').fill(member.id_number);
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  await expect(toast(page, 'Recorded. The member is told.')).toBeVisible();
  await expect(row).toContainText('Card seen');
  await expect(row.getByRole('button', { name: /^Record it/ })).toHaveCount(0);

  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/profile');
  await expect(identity).toContainText(`Barasa Wekesa, Secretary of ${sacco.name}`);
  await expect(identity.getByRole('link', { name: 'Complain' })).toBeVisible();

  // A member is shown nothing of it, and cannot record one; nor can somebody who has nothing to do with the sacco.
  await page.goto('/client/members');
  await expect(rowOf(page, 'Amina Said')).toBeVisible();
  await expect(page.getByText('ID cards seen')).toHaveCount(0);
  const { results } = await api<{ results: { id: string; first_name: string }[] }>('GET', '/sacco/members', {
    token: secretary.token,
    sacco: sacco.id,
  });
  const path = `/sacco/members/${results.find(({ first_name }) => first_name === 'Amina')?.id}/identity-checks`;
  const body = { document: 'national_id', number: member.id_number };
  for (const { token } of [member, await register()]) {
    await expect(api('POST', path, { token, sacco: sacco.id, body })).rejects.toThrow(/not_allowed|not_a_member/);
  }

  await becomeSignedIn(page, chair, sacco);
  await page.goto('/client/members');
  // What loads above the button moves it, and a click would fall beside it.
  await expect(rowOf(page, 'Amina Said')).toBeVisible();
  await page.getByRole('button', { name: 'Show the list' }).click();
  const listed = page.getByRole('listitem').filter({ hasText: 'Amina Said' });
  await expect(listed).toContainText(`Barasa Wekesa, Secretary of ${sacco.name}`);
  await expectGood(page);
  await listed.getByRole('button', { name: 'Take the record back' }).click();
  const reason = page.getByRole('dialog', { name: 'Take the record of Amina Said back' });
  await reason.getByLabel('Reason').fill('It was the card of her sister.');
  await reason.getByRole('button', { name: 'Take the record back' }).click();
  await expect(toast(page, 'Taken back. The record stays, with your reason.')).toBeVisible();
  await expect(listed).toContainText('Faith Mutua: It was the card of her sister.');
});

test('the chair invites a manager, the secretary confirms, and the person accepts with the code of the SMS', async ({
  page,
}) => {
  const { chair, secretary, member, sacco } = await cast();
  await becomeSignedIn(page, chair, sacco);
  await page.goto('/client/members');
  await page.getByRole('button', { name: 'Invite to an office' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite to an office' });
  // What somebody holds is not offered.
  await expect(invite.getByLabel('Office').getByRole('option', { name: 'Secretary' })).toHaveCount(0);
  await invite.getByLabel('Office').selectOption('Manager');
  await invite.getByLabel('ID Number').fill(chair.id_number);
  await invite.getByRole('button', { name: 'Invite' }).click();
  await expect(toast(page, 'You invite somebody else: that is your own ID number.')).toBeVisible();
  await expectGood(page);
  await invite.getByLabel('ID Number').fill(member.id_number);
  await invite.getByRole('button', { name: 'Invite' }).click();
  await expect(toast(page, 'Written down. Nobody is asked before a second official confirms it.')).toBeVisible();
  const invited = page.getByRole('listitem').filter({ hasText: 'Manager: Amina Said' });
  await expect(invited).toContainText('Waits for a second official');
  await expect(invited.getByRole('button')).toHaveText(['Take it back']);

  // A member sees nothing of it, and cannot confirm it.
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/members');
  await expect(rowOf(page, 'Amina Said')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Offices' })).toHaveCount(0);
  await page.goto('/my-saccos');
  await expect(page.getByRole('region', { name: 'You are asked to take up an office' })).toHaveCount(0);

  await becomeSignedIn(page, secretary, sacco);
  await page.goto('/client');
  const waiting = page.getByRole('listitem').filter({ hasText: 'An invitation to an office waits' });
  await expect(waiting).toContainText('Manager: Amina Said');
  await waiting.getByRole('link', { name: 'Look' }).click();
  await invited.getByRole('button', { name: 'Read and confirm' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm this invitation?' });
  await expect(confirm).toContainText(`Amina Said (ID number ${member.id_number})`);
  await expectGood(page);
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(invited).toContainText('Asked by SMS');

  await becomeSignedIn(page, member, sacco);
  await page.goto('/client');
  const office = page.getByRole('listitem').filter({ hasText: 'You are asked to take up an office' });
  await expect(office).toContainText(`${sacco.name}: Manager`);
  await office.getByRole('link', { name: 'Look' }).click();
  const asked = page.getByRole('region', { name: 'You are asked to take up an office' });
  await expect(asked).toContainText(`${sacco.name} asks you to take up an office: Manager.`);
  await asked.getByRole('button', { name: 'Accept with the SMS code' }).click();
  const accepting = page.getByRole('dialog', { name: 'Take up an office' });
  await accepting.getByLabel('Code from the SMS').fill(await officeCode(member));
  await confirmPhone(member);
  await accepting.getByRole('button', { name: 'Accept' }).click();
  // The code stays good until she is a member in full rights.
  await expect(toast(page, 'Buy the minimum shares first: only members in full rights hold an office.')).toBeVisible();
  await buyShares(member, sacco, sacco.min_shares);
  await accepting.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page, `You are now an official of ${sacco.name}.`)).toBeVisible();
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByText('Amina Said')).toBeVisible();
});

test('an operator records an ID card, and takes it back', async ({ page }) => {
  const person = await register(newPerson('Zawadi', 'Chebet'));
  await becomeSignedIn(page, operator());
  await page.goto('/operator/people');
  await page.getByLabel('ID Number or phone').fill(person.id_number);
  await page.getByRole('button', { name: 'Find' }).click();
  const card = page.getByRole('article').filter({ hasText: 'Zawadi Chebet' });
  await expect(card).toContainText('Not seen yet');
  await card.getByRole('button', { name: 'Record an ID card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record an ID card' });
  await dialog.getByLabel('Which card?').selectOption('Passport');
  await dialog.getByLabel('Number on the card').fill(person.id_number);
  await dialog.getByRole('button', { name: 'I have seen it' }).click();
  await expect(toast(page, 'Recorded. The person is told.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Record an ID card' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show the list' }).click();
  const listed = page.getByRole('listitem').filter({ hasText: 'Zawadi Chebet' });
  await expect(listed.filter({ hasText: 'Passport' })).toContainText(', Ushirika');
  await expectGood(page);
  await listed.getByRole('button', { name: 'Take the record back' }).click();
  const reason = page.getByRole('dialog', { name: 'Take the record of Zawadi Chebet back' });
  await reason.getByLabel('Reason').fill('The card was a copy.');
  await reason.getByRole('button', { name: 'Take the record back' }).click();
  await expect(toast(page, 'Taken back. The record stays, with your reason.')).toBeVisible();
});
