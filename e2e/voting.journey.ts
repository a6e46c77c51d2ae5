import type { Page } from '@playwright/test';
import { asOwner } from './support/past.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  createPool,
  join,
  newPerson,
  newPoolName,
  operator,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './support/people.ts';
import { joinPool } from './support/pools.ts';
import { expect, test } from './support/test.ts';
import { expectStates } from './support/verify.ts';

/** As if these had been members for two months, in full rights, with a confirmed phone and an ID card that was seen. */
function asLongMembers({ id }: Sacco, people: readonly SignedInPerson[]): Promise<void> {
  const ids = people.map((each) => each.id);
  return asOwner(async (owner) => {
    await owner`
      update memberships set joined_at = now() - interval '60 days', state = 'active', paid_up_at = now()
      where sacco_id = ${id} and user_id = any (${ids}::uuid[])`;
    await owner`update users set phone_confirmed_at = now() where id = any (${ids}::uuid[]) and phone_confirmed_at is null`;
    await owner`
      insert into identity_checks (id, user_id, seen_by, document, seen_at)
      select gen_random_uuid(), person, ${operator().id}, 'national_id', now() from unnest(${ids}::uuid[]) person
      on conflict do nothing`;
  });
}

/** As if so much time had passed for a vote that voting is open, or over; then the task does what is due. */
function timePasses(
  voteId: string,
  { opened, closed }: { readonly opened: string; readonly closed: string },
): Promise<void> {
  return asOwner(async (owner) => {
    await owner`
      update proposals set opens_at = now() + ${opened}::interval, closes_at = now() + ${closed}::interval where id = ${voteId}`;
    await owner`
      select graphile_worker.add_job('tend_votes', '{}', queue_name => 'schedule tend_votes', max_attempts => 1,
        job_key => 'schedule tend_votes')`;
  });
}

test('an official drafts a vote, another signs it, a member votes and recounts it; whoever is not on the roll does not', async ({
  page,
}) => {
  const chair = await registerWithMoney(1_000, newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(chair);
  const [member, treasurer, newcomer] = [
    await registerWithMoney(1_000, newPerson('Amina', 'Said')),
    await registerWithMoney(1_000, newPerson('Otieno', 'Ouma')),
    await registerWithMoney(1_000, newPerson('Zawadi', 'Chebet')),
  ];
  for (const each of [member, treasurer, newcomer, chair]) await join(each, sacco);
  await asOwner(
    (owner) => owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (gen_random_uuid(), ${sacco.id}, ${treasurer.id}, 'treasurer', now(), now() + interval '1 year', ${chair.id})`,
  );
  await asLongMembers(sacco, [member, treasurer, chair]);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/voting-proposals');
  await page.getByRole('link', { name: 'Draft a vote' }).click();
  await page.getByLabel('What do members decide?').selectOption('The terms of the sacco');
  await expect(page.getByLabel('Registration fee')).not.toHaveValue('');
  await page.getByLabel('What do members decide?').selectOption('A resolution, in words');
  await page.getByLabel('Title').fill('Rent the stall for two years');
  await page.getByLabel('Text').fill('The stall costs Ksh. 8,000 a month, and can be ended with notice.');
  await page.getByRole('button', { name: 'Send it for signatures' }).click();
  await expect(page.getByRole('heading', { name: 'Rent the stall for two years' })).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  await api('POST', `/voting/proposals/${id}/signature`, { token: chair.token, sacco: sacco.id });
  await timePasses(id, { opened: '-1 hour', closed: '1 hour' });

  await becomeSignedIn(page, newcomer, sacco);
  await page.goto(`/client/voting-proposals/${id}`);
  await expect(page.getByText('You are not on the roll of this vote')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Vote', exact: true })).toHaveCount(0);

  for (const each of [chair, treasurer]) {
    await api('POST', `/voting/proposals/${id}/vote`, { token: each.token, sacco: sacco.id, body: { choice: 'for' } });
  }
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/voting-proposals');
  await page.getByRole('link', { name: 'Rent the stall for two years' }).click();
  await page.getByRole('button', { name: 'Vote', exact: true }).click();
  const ballot = page.getByRole('dialog');
  await ballot.getByText('Against', { exact: true }).click();
  await ballot.getByRole('button', { name: 'Confirm my vote' }).click();
  await expect(ballot).toContainText('Your roll number');
  await ballot.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You have voted')).toBeVisible();

  await timePasses(id, { opened: '-3 hours', closed: '-1 second' });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Recount this vote' })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Recount this vote' }).click();
  await expect(page.getByText('The count is right in every point.')).toBeVisible();
  await expect(page.getByText('Your ballot is in it: Against')).toBeVisible();

  // The same members vote in secret: the ballot goes out without a session, and the receipt finds it again.
  const { proposal } = await api<{ proposal: { id: string } }>('POST', '/voting/proposals', {
    token: treasurer.token,
    sacco: sacco.id,
    body: {
      title: 'Who keeps the key of the safe',
      text: 'The treasurer keeps the key of the safe from now on.',
      ballot: 'secret',
    },
  });
  await api('POST', `/voting/proposals/${proposal.id}/signature`, { token: chair.token, sacco: sacco.id });
  await timePasses(proposal.id, { opened: '-1 hour', closed: '1 hour' });
  await page.goto(`/client/voting-proposals/${proposal.id}`);
  await page.getByRole('button', { name: 'Vote', exact: true }).click();
  const sent = page.waitForRequest((request) => request.url().includes('/voting/ballots/'));
  await ballot.getByText('In favour', { exact: true }).click();
  await ballot.getByRole('button', { name: 'Confirm my vote' }).click();
  const headers = await (await sent).allHeaders();
  expect([headers.authorization, headers.cookie, headers.saccoid, headers.referer]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  await expect(ballot).toContainText('Your receipt proves how you voted');
  const download = page.waitForEvent('download');
  await ballot.getByRole('button', { name: 'Download my receipt' }).click();
  expect((await download).suggestedFilename()).toMatch(/^ballot-.*\.json$/);
  await ballot.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You have voted')).toBeVisible();
  await timePasses(proposal.id, { opened: '-3 hours', closed: '-1 second' });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Recount this vote' })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Recount this vote' }).click();
  await expect(page.getByText('The count is right in every point.')).toBeVisible();
  await expect(page.getByText('Your ballot is in it: In favour')).toBeVisible();

  // The first vote is in the log of the books: one's own open ballot, and the result.
  const said = page.getByRole('region', { name: 'What the receipt says' });
  await page.goto(`/client/voting-proposals/${id}`);
  await page.getByRole('link', { name: 'Proof' }).first().click();
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed' });
  await expect(said).toContainText('A ballot in an open vote');
  await expect(said).toContainText(/What was chosen\s*Against/);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Proof' }).last().click();
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed' });
  await expect(said).toContainText('Votes counted');
  await expect(said).toContainText(/In favour\s*2/);

  // A vote on the chair's office: she answers, and members read her words beside it.
  await page.goto('/client/voting-proposals/new?kind=official_removal');
  await page.getByLabel('Which office ends?').selectOption('Faith Mutua (Chair)');
  await page.getByLabel('Title').fill('Another chair');
  await page.getByLabel('Text').fill('We have had no meeting for a year, and asked for one three times.');
  await page.getByRole('button', { name: 'Send it for signatures' }).click();
  await expect(page.getByText('No answer yet.')).toBeVisible();
  const removal = page.url().split('/').at(-1) ?? '';
  await api('POST', `/voting/proposals/${removal}/signature`, { token: treasurer.token, sacco: sacco.id });
  await becomeSignedIn(page, chair, sacco);
  await page.goto(`/client/voting-proposals/${removal}`);
  await page.getByRole('button', { name: 'Answer' }).click();
  await ballot.getByLabel('What do you say to it?').fill('I was ill, and the next meeting is on Sunday.');
  await ballot.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByText('I was ill, and the next meeting is on Sunday.')).toBeVisible();
  await becomeSignedIn(page, member, sacco);

  // An election in which both candidates get as many votes: the lot decides, and the recount draws the same.
  const drafted = await api<{ proposal: { id: string } }>('POST', '/voting/proposals', {
    token: treasurer.token,
    sacco: sacco.id,
    body: {
      title: 'Elect a secretary',
      text: 'The secretary keeps the minutes and the register.',
      office: 'secretary',
    },
  });
  const election = drafted.proposal.id;
  await api('POST', `/voting/proposals/${election}/signature`, { token: chair.token, sacco: sacco.id });
  await page.goto(`/client/voting-proposals/${election}`);
  await page.getByRole('button', { name: 'Stand for this office' }).click();
  await ballot.getByLabel('Why should members elect you?').fill('I write a clear hand, and I am never late.');
  await ballot.getByRole('button', { name: 'Stand for this office' }).click();
  await expect(page.getByText('I write a clear hand, and I am never late.')).toBeVisible();
  await api('POST', `/voting/proposals/${election}/nomination`, {
    token: treasurer.token,
    sacco: sacco.id,
    body: { words: 'I have kept the minutes of two groups.' },
  });
  await timePasses(election, { opened: '-1 hour', closed: '1 hour' });
  for (const [voter, candidate] of [[member, 'Amina Said'] as const, [treasurer, 'Otieno Ouma'] as const]) {
    await becomeSignedIn(page, voter, sacco);
    await page.goto(`/client/voting-proposals/${election}`);
    await page.getByRole('button', { name: 'Vote', exact: true }).click();
    // Namesakes are told apart by the number of their account.
    await ballot.getByText(new RegExp(`^${candidate} · [\\d ]+$`)).click();
    await ballot.getByRole('button', { name: 'Confirm my vote' }).click();
    await expect(ballot).toContainText('Your receipt proves how you voted');
    await ballot.getByRole('button', { name: 'Done' }).click();
  }
  await timePasses(election, { opened: '-3 hours', closed: '-1 second' });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Recount this vote' })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Recount this vote' }).click();
  await expect(page.getByText('The count is right in every point.')).toBeVisible();
  await expect(page.getByText('Whoever has the most votes is elected')).toBeVisible();
  await expect(page.getByText('Your ballot is in it: Otieno Ouma')).toBeVisible();

  // What a member drafted waits for no official: whoever could vote on it is asked whether members should.
  const body = { title: 'A tent outside the office', text: 'On market days many of us stand in the rain.' };
  await api('POST', '/voting/proposals', { token: member.token, sacco: sacco.id, body });
  await page.goto('/client');
  const asked = page.getByRole('listitem').filter({ hasText: 'A member asks for vote' });
  // The title is its author's; it stands on the page of the vote alone.
  await expect(asked).not.toContainText('A tent outside the office');
  await expect(asked).toContainText('1 of 3 signatures');

  // Officials of so small a sacco put no money into a pool: its loans would have nobody to decide about them.
  const third = await registerWithMoney(1_000, newPerson('Halima', 'Juma'));
  await join(third, sacco);
  await asLongMembers(sacco, [newcomer, third]);
  await membersOfAPoolVote(page, sacco, [member, newcomer, third]);
});

/** Three have had money in a pool for 40 days: one proposes other terms, all sign and vote, and the pool's page has the new term. */
async function membersOfAPoolVote(page: Page, sacco: Sacco, people: readonly SignedInPerson[]): Promise<void> {
  const [proposer, ...others] = people as [SignedInPerson, ...SignedInPerson[]];
  const pool = await createPool(proposer, newPoolName(), { sacco, terms: { min_contribution: '100' } });
  for (const each of people) await joinPool(each, pool, 150);
  await asOwner(
    (owner) => owner`update pool_members set joined_at = now() - interval '40 days' where pool_id = ${pool.id}`,
  );
  await becomeSignedIn(page, proposer, sacco);
  await page.goto(`/client/guarantor-pools/${pool.id}`);
  const votes = page.getByRole('region', { name: 'Votes of this pool' });
  await votes.getByRole('link', { name: 'Propose a change' }).click();
  await expect(page.getByLabel('Which pool?')).toHaveValue(pool.id);
  await page.getByLabel('Minimum contribution', { exact: false }).first().fill('120');
  await expect(page.getByText(/^Your position of Ksh\.\s150\.00 stays as it is\./)).toBeVisible();
  await page.getByLabel('Title').fill('Begin with 120');
  await page.getByLabel('Text').fill('With a hundred shillings a pool stands behind nothing.');
  await page.getByRole('button', { name: 'Send it for signatures' }).click();
  await expect(page.getByText(`Members of the pool ${pool.name} vote on this.`)).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  for (const { token } of others) await api('POST', `/voting/proposals/${id}/signature`, { token, sacco: sacco.id });
  await timePasses(id, { opened: '-1 hour', closed: '1 hour' });
  for (const { token } of people) {
    await api('POST', `/voting/proposals/${id}/vote`, { token, sacco: sacco.id, body: { choice: 'for' } });
  }
  await timePasses(id, { opened: '-3 hours', closed: '-1 second' });
  await expect(async () => {
    await carriedOutNow(id);
    await page.goto(`/client/guarantor-pools/${pool.id}`);
    await expect(page.getByText('Ksh.\u00a0120.00', { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}

/** As if a vote that passed had waited its time; then the task does what is due. */
function carriedOutNow(voteId: string): Promise<void> {
  return asOwner(async (owner) => {
    await owner`
      update proposals set eta = counted_at + interval '1 millisecond' where id = ${voteId} and outcome = 'passed' and executed_at is null`;
    await owner`
      select graphile_worker.add_job('tend_votes', '{}', queue_name => 'schedule tend_votes', max_attempts => 1,
        job_key => 'schedule tend_votes')`;
  });
}
