import { expectNoEnglish, linesOf, speak } from './support/languages.ts';
import { shareholder } from './support/market.ts';
import { activeSacco, becomeSignedIn, buyShares } from './support/people.ts';
import { expect, expectGood, test } from './support/test.ts';
import {
  checkPasted,
  chooseFile,
  expectStates,
  SIGNED_WITHIN,
  saidOnPage,
  savedFile,
  stateOf,
  verdict,
  wordsOfPdf,
} from './support/verify.ts';

test('shares are bought, the receipt leads to its proof, which is saved and checked by anybody; one changed byte fails the right step', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await buyShares(member, sacco, 3);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/wallet');
  // Asked for the first time it is not signed yet, however fast that was.
  const notYet = { json: { state: 'being_logged', receipt: null } };
  await page.route('**/api/v1/log/receipts/*', (route) => route.fulfill(notYet), { times: 1 });
  await page.getByRole('button', { name: 'Receipt: Shares bought' }).first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Proof' }).click();
  await expect(page).toHaveURL(/\/profile\/proofs\/\d+$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // It is in the books at once, and in the log once a head is signed. The page finds that out by itself.
  await expect(verdict(page)).toContainText('Being logged');
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed' });
  await expect(verdict(page)).toContainText('This receipt is right');
  await expect(page.getByRole('region', { name: 'What the receipt says' })).toContainText('Shares bought');
  await expect(page.getByRole('region', { name: 'What the receipt says' })).toContainText('3 shares');
  await page.getByText('Details for other programs').click();
  await expectGood(page);

  const json = await savedFile(page, 'Save as JSON', 'Other ways to save');
  const proofFile = await savedFile(page, 'Save for other programs');
  const pdf = await savedFile(page, 'Save as PDF');
  expect(pdf.toString('latin1').startsWith('%PDF-1.4')).toBe(true);
  const said = await saidOnPage(page);
  expect(said.filter((text) => text === 'Wallet, available')).toHaveLength(1);
  expect(said.join(' ')).toMatch(/− Ksh\. [\d,.]+ after it Ksh\. /);
  for (const text of said) expect(wordsOfPdf(pdf)).toContain(text);
  expect(pdf.toString('latin1').split(' re\n').length).toBeGreaterThan(1_000);
  await page.getByRole('button', { name: 'Show QR code' }).click();
  const code = await page.getByRole('img', { name: 'QR code of the proof' }).screenshot({ scale: 'css' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Check with the chain' }).click();
  await expect(page).toHaveURL(/\/verify#r=/);
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed' });
  await page.getByText('The chain’s server').first().click();
  await page.getByText('Details for other programs').click();
  await expectGood(page);

  // Anybody, without an account.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/verify');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  for (const [name, file] of [
    ['receipt.json', json],
    ['receipt.tlog-proof', proofFile],
    ['receipt.pdf', pdf],
  ] as const) {
    await page.goto('/verify');
    await chooseFile(page, name, file);
    await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed' });
    await expect(verdict(page).getByRole('heading')).toHaveText('This receipt is right, as far as it could be checked');
  }
  await page.goto('/verify');
  await chooseFile(page, 'code.png', code, 'image/png');
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed' });
  expect(asked.filter((request) => !request.startsWith('GET'))).toEqual([]);
  expect(asked.join(' ')).not.toContain(member.id);

  // One byte of each part, flipped.
  const receipt = json.toString();
  const flipped: [what: string, from: RegExp, to: string, step: string][] = [
    ['an amount', /"amount": \d/, '"amount": 9', 'opened'],
    ['the hour', /"t": "20/, '"t": "10', 'in_log'],
    ['the signature', /(— \S+ \S{20}A*)[^A]/, '$1A', 'signed'],
  ];
  for (const [what, from, to, step] of flipped) {
    expect(receipt.replace(from, to), what).not.toBe(receipt);
    await checkPasted(page, receipt.replace(from, to));
    await expectStates(page, { [step]: 'failed' });
    await expect(verdict(page).getByRole('heading')).toHaveText('Do not trust this receipt');
  }
  await checkPasted(page, receipt.replace(/"log": "[^"/]+/, '"log": "another.test'));
  await expect(verdict(page)).toContainText('This receipt is of another.test, not of this website.');
  await checkPasted(page, 'no receipt');
  await expect(page.getByRole('alert')).toContainText('This is nothing that can be checked here');
  await expectGood(page);
});

test('the picture and the PDF of a receipt itself are answered with what to save instead, in both languages', async ({
  page,
}) => {
  const member = await shareholder(await activeSacco());
  await becomeSignedIn(page, member);
  await page.goto('/profile/wallet');
  await page.getByRole('button', { name: 'Receipt: Top-up' }).first().click();
  const picture = await savedFile(page, 'Save as picture');
  const pdf = await savedFile(page, 'Save as PDF');
  await page.goto('/verify');
  await chooseFile(page, 'receipt.png', picture, 'image/png');
  await expect(page.getByRole('alert')).toContainText('The picture of a receipt cannot be checked here');
  await expectGood(page);
  await chooseFile(page, 'receipt.pdf', pdf, 'application/pdf');
  await expect(page.getByRole('alert')).toContainText('The PDF of a receipt cannot be checked here');
  await expect(page.getByRole('alert')).toContainText('press Proof, and on that page Save as PDF');
  await expectGood(page);
  const english = await linesOf(page);
  await speak(page, 'sw');
  await expect(page.getByRole('alert')).toContainText('PDF ya risiti haiwezi kukaguliwa hapa');
  await expectNoEnglish(page, english);
});

test('with our server gone, an open page of /verify checks a receipt that brings its proof, and says what it could not', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/profile/wallet');
  await page.getByRole('button', { name: 'Receipt: Top-up' }).first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Proof' }).click();
  await expectStates(page, { signed: 'passed' });
  const json = await savedFile(page, 'Save as JSON', 'Other ways to save');
  await page.getByRole('button', { name: 'Show QR code' }).click();
  const code = await page.getByRole('img', { name: 'QR code of the proof' }).screenshot({ scale: 'css' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.goto('/verify', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1, name: 'Check a receipt' })).toBeVisible();
  await context.setOffline(true);
  // The reader of codes was loaded with the page.
  await chooseFile(page, 'code.png', code, 'image/png');
  await expectStates(page, { opened: 'passed', in_log: 'open' });
  await expect(verdict(page).getByRole('heading')).toHaveText('This receipt could not be checked yet');
  await chooseFile(page, 'receipt.json', json);
  await expectStates(page, {
    opened: 'passed',
    in_log: 'passed',
    signed: 'passed',
    same_history: 'open',
    on_chain: 'open',
  });
  await expect(stateOf(page, 'same_history')).toContainText('Our server was not reached');
  await context.setOffline(false);
});

test('a member checks all balances with one button, in English and Swahili', async ({ page }) => {
  test.setTimeout(150_000);
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await buyShares(member, sacco, 2);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client/wallet');
  await page.getByRole('link', { name: 'Check my balances' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check my balances' })).toBeVisible();
  const check = page.getByRole('button', { name: /^Check (my balances|again)$/ });
  await expect(async () => {
    await check.click();
    await expect(page.getByRole('heading', { name: 'All your balances are right' })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: SIGNED_WITHIN });
  await page.getByText('Each balance').click();
  await expect(page.locator('dl')).toContainText(`Shares, ${sacco.name}`);
  await expectGood(page);
  const english = await linesOf(page);
  await speak(page, 'sw');
  await expectNoEnglish(page, english);
});

test('the shares on the dashboard lead to their proof, which says so where no sum was taken yet', async ({ page }) => {
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await buyShares(member, sacco, 2);
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client');
  const link = page.getByRole('link', { name: 'Proof of my shares' });
  await expect(link).toBeVisible();
  await expectGood(page);
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/profile/proofs/shares/${sacco.id}$`));
  await expect(page.getByRole('heading', { level: 1, name: 'Your shares in the sacco’s books' })).toBeVisible();
  await expect(page.getByText('The sum is taken once a day, soon after midnight.', { exact: false })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'There is no sum yet.' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/client');
});

test('the books say on a phone in Swahili how the money at M-Pesa adds up, and give tools what they ask for', async ({
  page,
}) => {
  const member = await shareholder(await activeSacco());
  const compared = { at: '2026-11-20T07:00:00.000Z', mpesa_cents: 1_188_090_000, expected_cents: 1_188_090_000 };
  const total = {
    ...{ what: 'wallets', day: '2026-11-20', at: '2026-11-20T06:00:00.000Z', total: 188_000_000, leaves: 30, index: 4 },
    ...{ root: `${'A'.repeat(43)}=`, shares_issued: null, receipt: null },
    reserves: { float_cents: 188_090_000, saccos_cents: 50_000, other_cents: 40_000, compared },
  };
  const receipt = { opening: {} };
  const results = [{ ...total, receipt }];
  await page.route('**/api/v1/log/platform/totals', (route) => route.fulfill({ json: { results } }));
  await becomeSignedIn(page, member);
  await page.goto('/log');
  const figures = page.getByRole('definition');
  await expect(figures.filter({ hasText: /10,000,000\.00/ })).toHaveCount(1);
  await expect(figures.filter({ hasText: /11,880,900\.00/ })).toHaveCount(2);
  await expectGood(page);
  const english = await linesOf(page);
  await speak(page, 'sw');
  await expect(page.getByRole('button', { name: 'Je, salio langu limo kwenye jumla hii?' })).toBeVisible();
  await expectGood(page);
  await expectNoEnglish(page, english);
  await page.getByText('Kwa programu').click();
  await expect(page.getByText(/^npm run verify -- witness --state .*\/api\/v1\/log\/platform/)).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'Kagua salio zangu' }).click();
  await expect(page).toHaveURL(/\/profile\/proofs$/);
});

test('the books of a server that is gone say that one seems to be offline', async ({ page }) => {
  await page.route('**/api/v1/log/**', (route) => route.abort('connectionrefused'));
  await page.goto('/log');
  await expect(page.getByText('You seem to be offline.', { exact: false })).toBeVisible();
});

test('only the document of /verify may ask other servers than ours', async ({ page }) => {
  const policyOf = async (path: string) =>
    (await page.request.get(path, { headers: { accept: 'text/html' } })).headers()['content-security-policy'];
  expect(await policyOf('/')).toContain("connect-src 'self';");
  expect(await policyOf('/client')).toContain("connect-src 'self';");
  expect(await policyOf('/verify')).toContain("connect-src 'self' https: ");
});
