import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page, Request } from '@playwright/test';
import { type RunningServer, startServer } from './support/server.ts';
import { expect, goWithin, test } from './support/test.ts';

/*
 * Every dialog of the web client, on the demonstration data, with a server that changes nothing. Going back closes the dialog and keeps the
 * page. The same button opens it again with the typed text. After its cross one step back leaves the page.
 */

const source = resolve(fileURLToPath(import.meta.url), '../../web/src');

/** The dialogs that each person opens: the pattern of the page, the button, and the title of the dialog in the code. */
const walks: {
  who: string;
  sacco?: boolean;
  from: string[];
  opens: [page: string, button: string | RegExp, title: string][];
}[] = [
  {
    who: '12345678',
    sacco: true,
    from: ['/client', '/saccos', '/client/loans?view=guarantees'],
    opens: [
      ['/saccos', 'Register Your Sacco', 'Register Your Sacco'],
      ['/saccos', 'Join Sacco', 'Join sacco'],
      ['/client', /Notifications/, 'Notifications'],
      ['/client', 'Top Up', 'Top Up Your Wallet'],
      ['/client', 'Withdraw', 'Withdraw'],
      ['/client', 'Buy Shares', 'Buy Shares'],
      ['/client', 'Sell Shares', 'Sell Shares'],
      ['/client', 'Deposit to savings', 'Deposit to savings'],
      ['/client', /every month/, 'Standing order'],
      ['/client', 'Leave', 'Leave this sacco'],
      ['/client', 'Rate', 'Rate this sacco'],
      ['/client/wallet', 'Confirm Transaction', 'Confirm a deposit'],
      ['/client/wallet', /^Receipt: /, 'Receipt'],
      ['/client/profile', 'Update Profile', 'Update Profile'],
      ['/client/settings', 'Log out everywhere', 'Log out everywhere'],
      ['/client/settings', 'Set up an authenticator app', 'Set up an authenticator app'],
      ['/client/share-trading', 'Change', 'Change your order'],
      ['/client/share-trading', 'Cancel', 'Cancel this order?'],
      ['/client/complaints', 'New complaint', 'New complaint'],
      ['/client/complaints/:id', 'Appeal', 'Appeal'],
      ['/client/complaints/:id', 'Close the complaint', 'Close this complaint?'],
      ['/client/guarantor-pools', 'Create Guarantor Pool', 'Create Guarantors Pool'],
      ['/client/guarantor-pools', 'Look and decide', 'Request of {name}'],
      ['/client/guarantor-pools/:id', 'Ask for a guarantee', 'Ask for a guarantee'],
      ['/client/guarantor-pools/:id', 'Deposit', 'Deposit to the pool'],
      ['/client/guarantor-pools/:id', 'Withdraw', 'Withdraw from the pool'],
      ['/client/guarantor-pools/:id', 'Close the pool', 'stewardWords(act)'],
      ['/client/check-offs/:id', 'Pay from the wallet', 'Pay the check-off?'],
      ['/client/check-offs/:id', 'Decline', 'Decline the check-off'],
      ['/client/loans/:id', 'Repay', 'Repay'],
      ['/client/loans/:id', 'Pay off', 'Pay off'],
      ['/client/loans/:id', 'Switch on', 'Let your wallet pay this loan?'],
      ['/client/loans/:id', /^Find somebody else/, 'Somebody else for {name}'],
      ['/client/loans/guarantees/:id', 'Sign as a guarantor', 'Sign as a guarantor'],
      ['/client/loans/guarantees/:id', 'Say no', 'Say no?'],
      ['/client/voting-proposals/:id', 'Vote', 'Your vote'],
      ['/client/voting-proposals/:id', 'Stand for this office', 'Stand for this office'],
      ['/client/voting-proposals/:id', 'Ask for a secret ballot', 'title'],
    ],
  },
  {
    who: '34567890',
    sacco: true,
    from: ['/client', '/client/desk', '/client/dividends/desk'],
    opens: [
      ['/client/guarantor-pools/:id', 'Join the pool', 'Join the pool'],
      ['/client/share-trading', 'Close the market', 'Close the market?'],
      ['/client/members', 'Invite to an office', 'Invite to an office'],
      ['/client/members', /^Residence for tax/, 'Where does {name} live?'],
      ['/client/dividends/desk', 'Propose to close the year', 'Close {year}?'],
      ['/client/desk', /^\w+day, \w+ \d+, \d+/, 'The run of {day}'],
      ['/client/desk/check-offs', 'New check-off', 'New check-off'],
      ['/client/desk/check-offs/:id', 'The list is right', 'Is the list right?'],
      ['/client/desk/check-offs/:id', 'Refuse the list', 'Refuse the list'],
      ['/client/desk/check-offs/:id', 'Take it back', 'Take the check-off back?'],
      ['/client/desk/loans/:id', 'Offer a new schedule', 'Offer a new schedule'],
      ['/client/desk/loans/:id', 'Order the payout', 'Order this payout?'],
      ['/client/desk/loans/:id', 'Write the loan off', 'actWords(step)'],
    ],
  },
  {
    who: '45678901',
    sacco: true,
    from: ['/client/desk', '/client/loans'],
    opens: [
      ['/client/desk/loans/:id', 'Pay out', 'Pay this loan out?'],
      ['/client/desk/loans/:id', 'Refuse', 'Refuse the payout?'],
      ['/client/loans/:id', 'Take back', 'Take the application back?'],
    ],
  },
  {
    who: '99999999',
    from: ['/operator'],
    opens: [
      ['/operator', 'Activate', 'decision.title(sacco.name)'],
      ['/operator', /^Record: /, 'Record a check'],
      ['/operator/settings', 'Confirm by SMS', 'Confirm your phone'],
    ],
  },
];

/**
 * Dialogs that the demonstration cannot open: nobody in it has that state, or they follow a request. The journeys of their features open
 * them.
 */
const elsewhere: readonly string[] = [
  'QR code of the proof',
  'More',
  'Take it back',
  'Agree to the new schedule?',
  'Ask a guarantor',
  'Ask to be replaced?',
  'Change the amount',
  'Change the application',
  'Contract note',
  'Deny the reward',
  'Does the demand stand?',
  'Enter your password',
  'Give the claim up',
  'Give the guarantee back?',
  'Key facts',
  'Name an official',
  'Name an official of {sacco}',
  'New recovery codes',
  'Not loaded',
  'Pay it back',
  'Pay your guarantors back',
  'Record an ID card',
  'Record the registration',
  'Refuse the new schedule?',
  'Refuse the pool',
  'Refuse this invitation?',
  'Remove the authenticator app',
  'Send it to the committee?',
  'Send the application again',
  'Stop offering {name}?',
  'Take the record of {name} back',
  'Take this naming back?',
  'Take this request back?',
  'Take up an office',
  'Waive penalty or interest',
  'Your answer',
  'Your order to sell',
  'Your secret vote',
  'label',
  'titles[action]',
  'titles[what]',
  'titles[what]()',
];

let server: RunningServer | undefined;
const shared = { url: process.env.E2E_URL, folder: process.env.E2E_DATA_DIR };

test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  test.setTimeout(200_000);
  server = await startServer({ env: { DEMO: '1' }, patienceMs: 180_000 });
  process.env.E2E_URL = server.url;
});

test.afterAll(async () => {
  process.env.E2E_URL = shared.url;
  await server?.stop();
});

/** The titles of all dialogs in the code; the expression where the code chooses the title. */
function titlesInCode(): string[] {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => [
      ...readFileSync(join(source, name), 'utf8').matchAll(/<\w*Dialog\b[^<]*?\btitle=\{((?:[^{}]|\{[^{}]*\})*)\}/g),
    ])
    // The last of two titles is that of the dialog as it opens.
    .map(([, expression = '']) => [...expression.matchAll(/say\(\s*'([^']+)'/g)].at(-1)?.[1] ?? expression.trim());
  return [...new Set(found)].sort();
}

test('every dialog of the code is walked, or named among those that only its journey opens', () => {
  const walked = walks.flatMap(({ opens }) => opens.map(([, , title]) => title));
  expect([...new Set([...walked, ...elsewhere])].sort()).toEqual(titlesInCode());
});

async function signIn(page: Page, who: string, withSacco: boolean): Promise<void> {
  await page.goto('/auth/login');
  await page.getByLabel('ID Number').fill(who);
  await page.locator('input[name=password]').fill('Ushirika#2026');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/my-saccos|operator/);
  countUnanswered(page);
  if (withSacco) {
    await page.getByRole('button', { name: 'Access Sacco' }).first().click();
    await page.waitForURL('/client');
  }
  // From here on nothing changes on the server.
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 503, json: {} }),
  );
}

const patternOf = (path: string) => path.replace(/[?#].*/, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');

/** The requests of each page that have no answer yet; a stream never ends, and does not count. */
const unanswered = new WeakMap<Page, Set<Request>>();

function countUnanswered(page: Page): void {
  const pending = new Set<Request>();
  unanswered.set(page, pending);
  page.on('request', (request) => {
    if (request.headers().accept !== 'text/event-stream') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
}

/** Waits until every request of the page has its answer and the page has drawn it: a button that is not there now never comes. */
async function expectSettled(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(async () => {
        for (let turns = 0; turns < 2; turns += 1) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          await new Promise((resolve) => requestIdleCallback(resolve));
        }
      });
      return [...(unanswered.get(page) ?? [])].map((request) => request.url());
    })
    .toEqual([]);
}

async function visit(page: Page, path: string): Promise<void> {
  await goWithin(page, path);
  await expectSettled(page);
  await expect(page.locator('h1')).toHaveCount(1);
  await expect(page.locator('.skeleton, .leaving')).toHaveCount(0);
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details')) fold.open = true;
  });
}

const FIELDS =
  'textarea, input:not([type=hidden], [type=radio], [type=checkbox], [type=file], [type=password], [type=search], [name=otp], [name*=code])';

/** Opens, types, goes back, opens again; closed by its cross, one step back leaves the page. */
async function expectBackCloses(page: Page, opener: Locator): Promise<void> {
  const before = page.url();
  await opener.click();
  const dialog = page.locator('dialog[open]');
  await expect(dialog.locator('h2').first()).toBeVisible();
  await expectSettled(page);
  await expect(dialog.locator('.skeleton')).toHaveCount(0);
  const field = dialog.locator('form').locator(FIELDS).and(page.locator('[name], [data-name]')).first();
  const typed = (await field.count()) > 0 && (await field.isEditable());
  if (typed) await field.fill('123');
  const radio = dialog.locator('form input[type=radio]:enabled').last();
  const isChosen = (await radio.count()) > 0;
  if (isChosen) await radio.check({ force: true });
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(before);
  await opener.click();
  await expect(dialog.locator('h2').first()).toBeVisible();
  if (typed) await expect(field).toHaveValue('123');
  if (isChosen) await expect(radio).toBeChecked();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(before);
  await page.goBack();
  await expect(page).toHaveURL('/profile/settings?walk');
}

test('what is typed is kept by going back alone: a dialog that a step within the page leaves open and its cross closes is empty again', async ({
  page,
}) => {
  await signIn(page, '12345678', true);
  await visit(page, '/client/complaints');
  const opener = page.getByRole('button', { name: 'New complaint' });
  const dialog = page.getByRole('dialog', { name: 'New complaint' });
  const field = dialog.locator('textarea').first();
  await opener.click();
  await field.fill('A fee was taken twice.');
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate', { state: history.state })));
  await expect(field).toHaveValue('A fee was taken twice.');
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await opener.click();
  await expect(field).toHaveValue('');
});

for (const { who, sacco = false, from, opens } of walks) {
  test(`going back closes each dialog that ${who} of the demonstration can open, and keeps what was typed (field case P12)`, async ({
    page,
  }) => {
    test.setTimeout(150_000);
    page.setDefaultTimeout(10_000);
    await signIn(page, who, sacco);
    const left = new Set(opens);
    const patterns = new Set(opens.map(([path]) => path));
    const queue = [...from, ...patterns].filter((path) => !path.includes(':id'));
    for (const path of queue) {
      if (left.size === 0) break;
      await visit(page, path);
      for (const link of await page
        .locator('a[href]')
        .evaluateAll((all) =>
          all.map((each) => (each as HTMLAnchorElement).pathname + (each as HTMLAnchorElement).search),
        ))
        if (
          !queue.includes(link) &&
          (patterns.has(patternOf(link)) ||
            from.some((start) => link.startsWith(`${start}?`) || link.startsWith(`${start}/`)))
        )
          queue.push(link);
      for (const one of left) {
        const [pattern, button] = one;
        if (pattern !== patternOf(path)) continue;
        const opener = page
          .getByRole('button', { name: button, exact: true })
          .and(page.locator(':enabled:not([aria-disabled=true])'))
          .first();
        // A page without an id has the button at last, whatever it loads first; of those with one only some have it.
        if (!pattern.includes(':id')) await opener.waitFor().catch(() => {});
        if (!(await opener.isVisible())) continue;
        await test.step(`${path} ${button}`, async () => {
          await goWithin(page, '/profile/settings?walk');
          await visit(page, path);
          await expectBackCloses(page, opener);
          await visit(page, path);
        });
        left.delete(one);
      }
    }
    expect([...left].map(([path, button]) => `${path} ${button}`)).toEqual([]);
  });
}
