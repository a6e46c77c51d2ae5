import { readFile } from 'node:fs/promises';
import { asOwner, confirmedADayAgo } from './support/past.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  buyShares,
  join,
  newPerson,
  operator,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './support/people.ts';
import { expect, expectAccessible, test } from './support/test.ts';

/** As if the sacco had been founded in January of last year, and everything until now had happened last June; its members may vote. */
function asOfLastYear({ id }: Sacco, people: readonly SignedInPerson[]): Promise<void> {
  const ids = people.map((each) => each.id);
  return asOwner(async (owner) => {
    await owner`update saccos set created_at = make_timestamptz(extract(year from now())::int - 1, 1, 2, 9, 0, 0) where id = ${id}`;
    await owner`
      update journals set posted_at = make_timestamptz(extract(year from now())::int - 1, 6, 1, 9, 0, 0)
      where id in (select t.journal_id from transfers t join accounts a on a.id = t.debit_account_id where a.book_id = ${id})`;
    await owner`
      update share_movements set moved_at = make_timestamptz(extract(year from now())::int - 1, 6, 1, 9, 0, 0) where sacco_id = ${id}`;
    await owner`
      update memberships set joined_at = now() - interval '60 days', state = 'active', paid_up_at = now()
      where sacco_id = ${id} and user_id = any (${ids}::uuid[])`;
    await owner`
      insert into identity_checks (id, user_id, seen_by, document, seen_at)
      select gen_random_uuid(), person, ${operator().id}, 'national_id', now() from unnest(${ids}::uuid[]) person
      on conflict do nothing`;
  });
}

const runNow = (task: string) =>
  asOwner(
    (owner) => owner`
      select graphile_worker.add_job(${task}, '{}', queue_name => ${`schedule ${task}`}, max_attempts => 1,
        job_key => ${`schedule ${task}`})`,
  );

type Find = (owner: Parameters<Parameters<typeof asOwner>[0]>[0]) => Promise<readonly unknown[]>;

/** Lets a job run until a row is there. */
const due = (what: string, task: string, find: Find) =>
  expect(async () => {
    await runNow(task);
    await asOwner(async (owner) => expect(await find(owner), what).toHaveLength(1));
  }).toPass({ timeout: 20_000 });

/** The vote is over and has waited; then the record date has passed. */
async function carriedOutAndPaid({ id }: Sacco, vote: string): Promise<void> {
  await asOwner(
    (owner) => owner`
      update proposals set opens_at = now() - interval '3 hours', closes_at = now() - interval '1 second' where id = ${vote}`,
  );
  await due(
    'the vote passes',
    'tend_votes',
    (owner) => owner`select from proposals where id = ${vote} and outcome = 'passed'`,
  );
  await asOwner((owner) => owner`update proposals set eta = counted_at + interval '1 millisecond' where id = ${vote}`);
  await due('it is carried out', 'tend_votes', (owner) => owner`select from dividends where sacco_id = ${id}`);
  await asOwner(async (owner) => {
    await owner`alter table dividends disable trigger dividend_stays`;
    await owner`update dividends set record_on = current_date - 2 where sacco_id = ${id}`;
    await owner`alter table dividends enable trigger dividend_stays`;
  });
  await due(
    'it is paid',
    'pay_dividends',
    (owner) => owner`select from dividends where sacco_id = ${id} and state = 'done'`,
  );
}

test('officials close a year and try rates, members vote for a dividend, and a member is paid and has a certificate', async ({
  page,
}) => {
  const chair = await registerWithMoney(1_000, newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(chair);
  const [member, treasurer] = [
    await registerWithMoney(6_000, newPerson('Amina', 'Said')),
    await registerWithMoney(1_000, newPerson('Otieno', 'Ouma')),
  ];
  for (const each of [member, treasurer, chair]) await join(each, sacco);
  await buyShares(member, sacco, 20);
  await asOwner(
    (owner) => owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (gen_random_uuid(), ${sacco.id}, ${treasurer.id}, 'treasurer', now(), now() + interval '1 year', ${chair.id})`,
  );
  await asOfLastYear(sacco, [member, treasurer, chair]);

  await becomeSignedIn(page, treasurer, sacco);
  await page.goto('/client/dividends/desk');
  await page.getByRole('button', { name: 'Propose to close the year' }).click();
  const sure = page.getByRole('dialog', { name: /^Close \d{4}\?$/ });
  await expect(sure.getByText('A closed year is not opened again.', { exact: false })).toBeVisible();
  await sure.getByRole('button', { name: 'Propose to close the year' }).click();
  await expect(page.getByText('Closing a year')).toBeVisible();
  const { results } = (await api('GET', `/sacco/changes?sacco=${sacco.id}`, {
    token: chair.token,
    sacco: sacco.id,
  })) as {
    results: { id: string }[];
  };
  await api('POST', `/sacco/changes/${results[0]?.id}/confirmation`, { token: chair.token, sacco: sacco.id });
  await confirmedADayAgo(sacco);
  await due(
    'the year is reckoned',
    'pay_dividends',
    (owner) => owner`select from closed_years where sacco_id = ${sacco.id} and reckoned_at is not null`,
  );

  await page.reload();
  await expect(page.getByText('Stays with the sacco', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Dividend on shares' }).fill('10');
  await expect(page.getByText('Members who get something')).toBeVisible();
  await page
    .getByRole('textbox', { name: /^Text/ })
    .fill('A first dividend, and four fifths of the surplus stay with us.');
  await page.getByRole('button', { name: 'Send it for signatures' }).click();
  await expect(page).toHaveURL(/voting-proposals\/[0-9a-f-]{36}$/);
  await expect(page.getByText('Dividend on shares').first()).toBeVisible();
  const vote = page.url().split('/').at(-1) ?? '';
  await api('POST', `/voting/proposals/${vote}/signature`, { token: chair.token, sacco: sacco.id });
  await asOwner(
    (owner) => owner`
      update proposals set opens_at = now() - interval '1 hour', closes_at = now() + interval '1 hour' where id = ${vote}`,
  );
  for (const each of [chair, treasurer, member]) {
    await api('POST', `/voting/proposals/${vote}/vote`, {
      token: each.token,
      sacco: sacco.id,
      body: { choice: 'for' },
    });
  }
  await carriedOutAndPaid(sacco, vote);

  // The officials see what it came to, and who got what.
  await page.goto('/client/dividends/desk');
  const closedYear = page.getByRole('table', { name: 'Closed years' }).getByRole('link');
  const year = (await closedYear.textContent()) ?? '';
  await closedYear.click();
  await expect(page.getByRole('row', { name: 'Amina Said' })).toContainText('111.40');
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`ushirika-dividend-${year}.csv`);
  const saved = await readFile(await file.path(), 'utf8');
  expect(saved).toContain(',4280,0.00,117.26,0.00,5.86,0.00,111.40,');

  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/dividends');
  await expect(page.getByText('Paid to you')).toBeVisible();
  await page.getByRole('link', { name: 'How it is reckoned' }).click();
  // 20 shares of Ksh. 100 for the 214 days from the first of June, at 10 %.
  await expect(page.getByText('Together: 4,280')).toBeVisible();
  const certificate = page.getByRole('region', { name: 'Receipt' });
  await expect(certificate).toContainText('Certificate for the tax return');
  await expect(certificate).toContainText('117.26');
  await expect(certificate).toContainText('111.40');

  // Whoever has left reads the same from My saccos.
  await asOwner(
    (owner) => owner`update memberships set state = 'exited' where sacco_id = ${sacco.id} and user_id = ${member.id}`,
  );
  await page.goto('/my-saccos');
  await page.getByRole('link', { name: 'Your dividends' }).click();
  await page.getByRole('link', { name: 'How it is reckoned' }).click();
  await expect(page.getByText('Together: 4,280')).toBeVisible();
  await expect(certificate).toContainText('111.40');
});
