import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { availableTo, levels, openCuttableConnection, place, shareholder, sharesOf } from './support/market.ts';
import { asWithTenHolders, confirmedADayAgo } from './support/past.ts';
import {
  acceptOffice,
  activeSacco,
  api,
  becomeSignedIn,
  buyShares,
  join,
  nameAsOperators,
  newPerson,
  operator,
  register,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
  topUp,
} from './support/people.ts';
import { message } from './support/simulator.ts';
import { expect, expectAccessible, expectNothingSent, test, toast } from './support/test.ts';

/* The share market on its own page: /client/share-trading. */

const ticket = (page: Page) => page.getByRole('form', { name: 'Order ticket' });
const book = (page: Page) => page.getByRole('region', { name: 'Order book' });
const own = (page: Page) => page.getByRole('region', { name: 'My orders' });
const head = (page: Page) => page.getByRole('region', { name: 'Share price' });
const alerts = (page: Page) => page.getByRole('region', { name: 'Price alerts' });
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' });

async function openMarket(page: Page, member: SignedInPerson, sacco: Sacco, origin = ''): Promise<void> {
  await becomeSignedIn(page, member, sacco);
  await page.goto(`${origin}/client/share-trading`);
  await expect(ticket(page)).toBeVisible();
  await expect(book(page).getByText('Live', { exact: true })).toBeVisible();
}

/** A second browser, on the market's page. */
async function alsoOpen(browser: Browser, member: SignedInPerson, sacco: Sacco): Promise<Page> {
  const context = await browser.newContext({ baseURL: process.env.E2E_URL, serviceWorkers: 'block' });
  const page = await context.newPage();
  await openMarket(page, member, sacco);
  return page;
}

interface Wish {
  readonly side?: 'Buy' | 'Sell';
  readonly shares: string;
  readonly price?: string;
}

async function fill(page: Page, { side, shares, price }: Wish): Promise<void> {
  if (side) await ticket(page).getByRole('radio', { name: side, exact: true }).check();
  await ticket(page).getByLabel('Shares', { exact: true }).fill(shares);
  if (price) await ticket(page).getByLabel('Price each (Ksh.)').fill(price);
}

const send = (page: Page) => ticket(page).getByRole('button', { name: /^(Buy|Sell) [\d,]* ?Shares?$/ });

async function order(page: Page, wish: Wish): Promise<void> {
  await fill(page, wish);
  await send(page).click();
  await expect(receipt(page)).toBeVisible();
}

async function done(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** What a page forgets when it is loaded anew. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
const isTheSame = (page: Page) => page.evaluate(() => 'isTheSamePage' in window);

test('two members trade in two browsers, and both see it without loading anything anew; a stranger reads none of it', async ({
  page,
  browser,
}) => {
  const sacco = await activeSacco();
  const [seller, buyer] = [await shareholder(sacco), await shareholder(sacco)];
  await openMarket(page, seller, sacco);
  const other = await alsoOpen(browser, buyer, sacco);
  await Promise.all([page, other].map(mark));
  await expect(book(page).getByText('Nobody offers or wants shares now')).toBeVisible();

  await fill(page, { side: 'Sell', shares: '20', price: '104' });
  await expect(ticket(page).getByText(/all 20 wait until a member buys at 104.00 or more/)).toBeVisible();
  await send(page).click();
  await expect(receipt(page)).toContainText(`20 shares of ${sacco.name} offered`);
  await done(page);
  await expect(own(page).getByText('Sell 20 at 104.00')).toBeVisible();
  await expect.poll(() => levels(other, 'Ask')).toEqual(['104.00 × 20']);
  await expect(head(other).getByText('104.00', { exact: true })).toBeVisible();

  // The price is taken from the ladder; more is wanted than is offered.
  await book(other).getByRole('button', { name: 'Ask 104.00', exact: true }).click();
  await expect(ticket(other).getByLabel('Price each (Ksh.)')).toHaveValue('104.00');
  await fill(other, { shares: '12' });
  await expect(ticket(other).getByText('As the book stands, all 12 fill now, at 104.00 on average.')).toBeVisible();
  await send(other).click();
  await expect(receipt(other)).toContainText(`12 shares of ${sacco.name} bought`);
  await expect(receipt(other)).toContainText('12 at Ksh. 104.00');
  await done(other);

  // 12 × 104 = 1,248 and the least fee of 10 from each side.
  for (const one of [page, other]) {
    await expect.poll(() => levels(one, 'Ask')).toEqual(['104.00 × 8']);
    // Two members alone make no price (decision 155); their trade is in the list.
    await expect(head(one).getByText('No price yet')).toBeVisible();
    await expect(one.getByRole('region', { name: 'Last trades' }).getByRole('row')).toHaveCount(2);
  }
  await expect(own(page).getByText('12 traded')).toBeVisible();
  await ticket(page).getByRole('radio', { name: 'Buy', exact: true }).check();
  await expect(ticket(page).getByText('Ksh. 3,238.00')).toBeVisible();
  await expect(ticket(other).getByText('Ksh. 742.00')).toBeVisible();
  await ticket(other).getByRole('radio', { name: 'Sell', exact: true }).check();
  await expect(ticket(other).getByText('42 of 52 free')).toBeVisible();
  expect(await Promise.all([page, other].map(isTheSame))).toEqual([true, true]);
  expect([await availableTo(seller), await availableTo(buyer)]).toEqual([3_238, 742]);
  expect([await sharesOf(seller, sacco), await sharesOf(buyer, sacco)]).toEqual([28, 52]);
  await other.context().close();

  // Whoever is no member reads nothing of it.
  const stranger = await register();
  await becomeSignedIn(page, stranger, sacco);
  await page.goto('/client/share-trading');
  await expect(page.getByText(`You are not a member of ${sacco.name}`)).toBeVisible();
  await expect(page.getByText('104.00')).toHaveCount(0);
  for (const path of ['order-book', 'order-book/live', 'trades', 'price-alerts']) {
    await expect(api('GET', `/sacco/${path}?sacco=${sacco.id}`, stranger), path).rejects.toThrow(/403/);
  }
  await expect(place(stranger, sacco, 'buy', 5, 104)).rejects.toThrow(
    `Join ${sacco.name} before you trade its shares.`,
  );
});

test('what cannot be ordered is said beside its field, and nothing is sent; an order partly met buys what there is; a leaver only sells', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await openMarket(page, member, sacco);
  const shares = ticket(page).getByLabel('Shares', { exact: true });
  const price = ticket(page).getByLabel('Price each (Ksh.)');
  await expectNothingSent(page, async () => {
    await send(page).click();
    await expect(toast(page, 'Enter how many shares, and at what price.')).toBeVisible();
    const refused: [Wish, string | RegExp][] = [
      [{ side: 'Buy', shares: '1.5', price: '100' }, 'Enter a whole number of shares.'],
      [{ shares: '20', price: '100' }, 'This needs Ksh. 2,010.00, and your wallet has Ksh. 2,000.00.'],
      [{ side: 'Sell', shares: '41', price: '100' }, 'You have 40 free shares.'],
      [{ shares: '31', price: '100' }, 'Keep at least 10 shares, or give notice to leave.'],
    ];
    for (const [wish, words] of refused) {
      await fill(page, wish);
      // An impossible sale is named beside its field before the greyed button is pressed.
      await send(page).click({ force: true });
      await expect(shares).toHaveAccessibleDescription(words);
    }
    // An impossible sale shows no sum, and its reason before any button is pressed.
    await page.reload();
    await fill(page, { side: 'Sell', shares: '31', price: '100' });
    await expect(shares).toHaveAccessibleDescription('Keep at least 10 shares, or give notice to leave.');
    await expect(ticket(page).getByRole('term').filter({ hasText: 'You receive' }).locator('..')).toContainText('–');
    await expect(ticket(page).getByText(/can go (to M-Pesa )?today/)).toHaveCount(0);
    for (const odd of ['89', '111', '100.50']) {
      await fill(page, { shares: '5', price: odd });
      await send(page).click();
      await expect(price).toHaveAccessibleDescription(
        'Prices here are from Ksh. 90.00 to Ksh. 110.00, in steps of Ksh. 1.00.',
      );
    }
  });

  // Nobody trades with themselves.
  const { order: mine } = await place(member, sacco, 'sell', 5, 101);
  await page.reload();
  await fill(page, { side: 'Buy', shares: '2', price: '102' });
  await expect(ticket(page).getByText(/This would trade with your own order/)).toBeVisible();
  await send(page).click();
  await expect(ticket(page).getByLabel('Price each (Ksh.)')).toHaveAccessibleDescription(
    'That would buy your own shares: you offer some at that price or below. Cancel that order first.',
  );
  expect(await sharesOf(member, sacco)).toBe(40);
  await api('DELETE', `/sacco/order-book-items/${mine.id}`, { token: member.token, sacco: sacco.id });

  const seller = await shareholder(sacco);
  await place(seller, sacco, 'sell', 5, 98);
  await place(seller, sacco, 'sell', 3, 99);
  await expect.poll(() => levels(page, 'Ask')).toEqual(['98.00 × 5', '99.00 × 3']);
  await fill(page, { shares: '12', price: '99' });
  await expect(
    ticket(page).getByText('As the book stands, 8 fill now, at 98.38 on average. The other 4 wait in the book.'),
  ).toBeVisible();
  await send(page).click();
  await expect(receipt(page)).toContainText(`8 shares of ${sacco.name} bought`);
  await expect(receipt(page)).toContainText('5 at Ksh. 98.00');
  await expect(receipt(page)).toContainText('3 at Ksh. 99.00');
  await expect(receipt(page)).toContainText(/Still waiting4 at Ksh\..99.00/);
  await done(page);
  await expect(own(page).getByText('Buy 12 at 99.00')).toBeVisible();
  await expect(own(page).getByText('8 traded')).toBeVisible();
  // 4 × 99; the least fee is paid already.
  await expect(own(page).getByText('Ksh. 396.00')).toBeVisible();
  expect(await levels(page, 'Bid')).toEqual(['99.00 × 4']);
  expect(await availableTo(member)).toBe(2_000 - 787 - 10 - 396);

  await api('POST', '/sacco/members/exit', {
    token: member.token,
    sacco: sacco.id,
    body: { sacco: sacco.id, reason: 'I am moving to Eldoret.' },
  });
  await page.reload();
  await expect(
    ticket(page).getByText('You have given notice: you may sell all your shares, and buy none.'),
  ).toBeVisible();
  await fill(page, { side: 'Buy', shares: '5', price: '100' });
  await expectNothingSent(page, async () => {
    await expect(send(page)).toHaveAccessibleDescription(
      'You have given notice: you may sell your shares, and buy none.',
    );
    await send(page).click({ force: true });
    await expect(toast(page, 'You have given notice: you may sell your shares, and buy none.')).toBeVisible();
  });
  await expect(place(member, sacco, 'buy', 5, 100)).rejects.toThrow(
    `You have given notice to ${sacco.name}: you can sell shares there, and buy none.`,
  );
  await order(page, { side: 'Sell', shares: '48', price: '100' });
  await expect(receipt(page)).toContainText(`48 shares of ${sacco.name} offered`);
  await done(page);
  // The order to buy of before is closed by itself, and its money free.
  await own(page).getByRole('button', { name: 'Show closed orders' }).click();
  await expect(own(page).getByText('Cancelled: you gave notice')).toBeVisible();
  expect(await availableTo(member)).toBe(1_203);
});

test('the fee and the sum on the ticket of a sale are what the books hold after it, at each price', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const [seller, buyer] = [await shareholder(sacco), await shareholder(sacco, 9_000)];
  await openMarket(page, seller, sacco);
  // The most of 3 %, the least fee, both sides of where the percentage is more.
  for (const [shares, price] of [
    [1, 97],
    [3, 110],
    [4, 91],
    [19, 106],
    [2, 100],
  ] as const) {
    await place(buyer, sacco, 'buy', shares, price);
    await expect.poll(() => levels(page, 'Bid')).toEqual([`${price.toFixed(2)} × ${shares}`]);
    await fill(page, { side: 'Sell', shares: String(shares), price: String(price) });
    const said = await ticket(page).locator('dl').last().locator('dd').allTextContents();
    const [value, fee, sum] = said.map((text) =>
      Math.round(100 * Number(text.replace(/[^\d.]/g, '').replace(/^\./, ''))),
    );
    const before = await availableTo(seller);
    await send(page).click();
    await expect(receipt(page)).toBeVisible();
    await done(page);
    const after = await availableTo(seller);
    expect(value).toBe(Math.round(100 * price) * shares);
    expect(Math.round(100 * (after - before))).toBe(sum);
    const { results } = await api<{ results: { kind: string; amount: number }[] }>(
      'GET',
      '/client/transactions',
      seller,
    );
    expect(Math.round(100 * (results[0]?.amount ?? 0))).toBe(sum);
    expect((value ?? 0) - (fee ?? 0)).toBe(sum);
  }
});

test('a new member’s first order reaches the minimum; among ten holders it stays below a fifth', async ({ page }) => {
  const sacco = await activeSacco();
  const member = await registerWithMoney(4_000);
  await join(member, sacco);
  await openMarket(page, member, sacco);
  await fill(page, { side: 'Buy', shares: '9', price: '100' });
  await send(page).click();
  await expect(ticket(page).getByLabel('Shares', { exact: true })).toHaveAccessibleDescription(
    'Your first order must be for at least 10 shares, the sacco’s minimum.',
  );
  await buyShares(member, sacco, 10);
  const other = await shareholder(sacco, 10_000);
  await buyShares(other, sacco, 50);
  await asWithTenHolders(sacco);
  await page.reload();
  await fill(page, { side: 'Buy', shares: '11', price: '100' });
  await send(page).click();
  await expect(ticket(page).getByLabel('Shares', { exact: true })).toHaveAccessibleDescription(
    'No member may hold more than one fifth of the shares. You can buy at most 10 more.',
  );
  await order(page, { shares: '10', price: '100' });
});

test('fewer shares keep the place in the queue, another price takes a new one, what is cancelled is free, and a suspended sacco takes no order', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  await place(member, sacco, 'sell', 20, 104);
  await openMarket(page, member, sacco);
  const dialog = page.getByRole('dialog', { name: 'Change your order' });
  await own(page).getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Shares in all').fill('15');
  await expect(
    dialog.getByText('Fewer shares at the same price: the order keeps its place in the queue.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Change the order' }).click();
  await expect(toast(page, 'Your order is changed.')).toBeVisible();
  await expect.poll(() => levels(page, 'Ask')).toEqual(['104.00 × 15']);

  await own(page).getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Price each (Ksh.)').fill('103');
  await expect(
    dialog.getByText('The order moves to the back of the queue at its price, and may trade at once.'),
  ).toBeVisible();
  await dialog.getByLabel('Price each (Ksh.)').fill('120');
  await dialog.getByRole('button', { name: 'Change the order' }).click();
  await expect(dialog.getByLabel('Price each (Ksh.)')).toHaveAccessibleDescription(/^Prices here are from/);
  await dialog.getByLabel('Price each (Ksh.)').fill('103');
  await dialog.getByRole('button', { name: 'Change the order' }).click();
  await expect.poll(() => levels(page, 'Ask')).toEqual(['103.00 × 15']);

  await own(page).getByRole('button', { name: 'Cancel' }).click();
  const asking = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(asking.getByText('Free to sell again')).toBeVisible();
  await asking.getByRole('button', { name: 'Keep it' }).click();
  await own(page).getByRole('button', { name: 'Cancel' }).click();
  await asking.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(toast(page, 'Your order is cancelled. The shares that it held are free.')).toBeVisible();
  await expect(own(page).getByText('You have no open orders')).toBeVisible();
  await expect(book(page).getByText('Nobody offers or wants shares now')).toBeVisible();
  await own(page).getByRole('button', { name: 'Show closed orders' }).click();
  await expect(own(page).getByText('Cancelled by you')).toBeVisible();

  // An order that changes under an open dialog is followed there, and only what was typed is sent.
  const { order: waiting } = await place(member, sacco, 'sell', 20, 104);
  // An order from elsewhere at a price at which one has none is only read with the next minute.
  await page.reload();
  await own(page).getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Price each').fill('103');
  // The same member, on another phone.
  const shares = { shares: 12 };
  await api('PATCH', `/sacco/order-book-items/${waiting.id}`, { token: member.token, sacco: sacco.id, body: shares });
  await expect(dialog.getByLabel('Shares in all')).toHaveValue('12');
  await expect(dialog.getByLabel('Price each')).toHaveValue('103');
  await dialog.getByRole('button', { name: 'Change the order' }).click();
  await expect(toast(page, 'Your order is changed.')).toBeVisible();
  await expect.poll(() => levels(page, 'Ask')).toEqual(['103.00 × 12']);

  // Suspended since the page was drawn: the order is refused, and after that not asked for.
  await fill(page, { side: 'Sell', shares: '3', price: '100' });
  await api('POST', `/operator/saccos/${sacco.id}/suspension`, {
    token: operator().token,
    body: { reason: 'Returns are overdue' },
  });
  await send(page).click();
  await expect(toast(page, `${sacco.name} is not active: its shares are not traded now.`)).toBeVisible();
  await page.reload();
  await expect(
    page.getByText('Joining, buying, selling, saving and new loans have stopped.', { exact: false }),
  ).toBeVisible();
  await fill(page, { side: 'Sell', shares: '3', price: '100' });
  await expectNothingSent(page, async () => {
    await expect(send(page)).toHaveAccessibleDescription('The sacco is suspended: nothing is traded now.');
    await send(page).click({ force: true });
    await expect(toast(page, 'The sacco is suspended: nothing is traded now.')).toBeVisible();
  });
});

test('a line that breaks is said and goes on where it broke; a trade’s contract note is shared and saved; a price alert tells once', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const [seller, buyer, watcher] = [await shareholder(sacco), await shareholder(sacco), await shareholder(sacco)];
  await place(seller, sacco, 'sell', 4, 103);
  await page.addInitScript(() => {
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files: [file] }: { files: File[] }) =>
        Object.assign(window, { shared: `${file?.type} ${file?.name}` }),
    });
  });
  const line = await openCuttableConnection();
  await openMarket(page, watcher, sacco, line.origin);
  await mark(page);
  await expect.poll(() => levels(page, 'Ask')).toEqual(['103.00 × 4']);

  line.cut();
  await expect(book(page).getByText(/Reconnecting…|As of/)).toBeVisible();
  await place(buyer, sacco, 'buy', 3, 103);
  await place(seller, sacco, 'sell', 6, 105);
  const { order: bid } = await place(buyer, sacco, 'buy', 2, 97);
  const { order: gone } = await place(buyer, sacco, 'buy', 2, 96);
  await api('DELETE', `/sacco/order-book-items/${gone.id}`, { token: buyer.token, sacco: sacco.id });
  expect(await levels(page, 'Ask')).toEqual(['103.00 × 4']);

  const resumed = page.waitForRequest(
    (request) => request.url().includes('/order-book/live') && Boolean(request.headers()['last-event-id']),
  );
  line.mend();
  await resumed;
  await expect(book(page).getByText('Live', { exact: true })).toBeVisible();
  await expect.poll(() => levels(page, 'Ask')).toEqual(['103.00 × 1', '105.00 × 6']);
  await expect.poll(() => levels(page, 'Bid')).toEqual(['97.00 × 2']);
  await expect(page.getByRole('region', { name: 'Last trades' }).getByRole('row')).toHaveCount(2);
  // And it is alive again, not read once.
  await place(buyer, sacco, 'buy', 1, 103);
  await expect.poll(() => levels(page, 'Ask')).toEqual(['105.00 × 6']);
  expect(await isTheSame(page)).toBe(true);

  // The note of one’s trade; a member who had no part in it cannot read it.
  await place(watcher, sacco, 'sell', 7, 102);
  const { trades } = await place(buyer, sacco, 'buy', 7, 102);
  await page.reload();
  await page.getByRole('button', { name: /^You sold/ }).click();
  const note = page.getByRole('dialog', { name: 'Contract note' });
  await expect(note.getByText(`Sold 7 shares of ${sacco.name}`)).toBeVisible();
  await expect(note.getByText('Ksh. 714.00')).toBeVisible();
  await expect(note.getByText('Ksh. 704.00').first()).toBeVisible();
  const saved = async (name: string) => {
    const download = page.waitForEvent('download');
    await note.getByRole('button', { name }).click();
    const file = await download;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const pdf = await saved('Save as PDF');
  expect(pdf.name).toMatch(/^contract-note-.+\.pdf$/);
  expect(pdf.bytes.subarray(0, 8).toString()).toBe('%PDF-1.4');
  const inPdf = [...pdf.bytes.toString('latin1').matchAll(/<([0-9a-f]+)> Tj/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
  expect(inPdf.join(' ')).toContain(`Sold 7 shares of ${sacco.name}`);
  expect(inPdf).toContain('Ksh. 704.00');
  const picture = await saved('Save as picture');
  expect(picture.name).toMatch(/\.png$/);
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.bytes.length).toBeGreaterThan(5_000);
  await note.getByRole('button', { name: 'Share' }).click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared?: string }).shared ?? ''))
    .toMatch(/^image\/png contract-note-.+\.png$/);
  await note.getByRole('button', { name: 'Done' }).click();

  const { token } = seller;
  await expect(api('GET', `/sacco/trades/${trades[0]?.id}`, { token, sacco: sacco.id })).rejects.toThrow(/404/);

  // An offer of somebody else at the price tells; one’s own does not.
  await api('DELETE', `/sacco/order-book-items/${bid.id}`, { token: buyer.token, sacco: sacco.id });
  const price = alerts(page).getByLabel('Tell me when shares are offered at or below');
  const tell = alerts(page).getByRole('button', { name: 'Tell me' });
  await price.fill('97.5');
  await tell.click();
  await expect(price).toHaveAccessibleDescription(/^Prices here are from/);
  await price.fill('97');
  await tell.click();
  await expect(alerts(page).getByRole('list', { name: 'Alerts that wait' }).getByText('Ksh. 97.00')).toBeVisible();
  await price.fill('97');
  await tell.click();
  await expect(price.or(page.getByText(/You have an alert at/)).first()).toBeVisible();
  await expect(page.getByText('You have an alert at Ksh. 97.00 already.').first()).toBeVisible();

  const { order: mine } = await place(watcher, sacco, 'sell', 2, 97);
  await place(seller, sacco, 'sell', 2, 98);
  await expect.poll(() => levels(page, 'Ask')).toEqual(['97.00 × 2', '98.00 × 2', '105.00 × 6']);
  await api('DELETE', `/sacco/order-book-items/${mine.id}`, { token: watcher.token, sacco: sacco.id });
  await place(seller, sacco, 'sell', 3, 96);
  const { text } = await message(watcher.phone_number, /are offered at/);
  // In an SMS as on the page, a sum is not broken.
  expect(text.replaceAll('\u00a0', ' ')).toContain(
    `Ushirika: shares of ${sacco.name} are offered at Ksh. 96.00. You asked to be told at Ksh. 97.00 or below.`,
  );
  const bell = page.getByRole('button', { name: /^Notifications, \d+ unread$/ });
  await page.reload();
  await bell.click();
  const told = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem');
  const alert = told.filter({ hasText: /are offered at Ksh\..96.00/ });
  await expect(alert).toBeVisible();
  // Each notification leads to the page that it is about.
  await alert.getByRole('link', { name: 'Share Trading' }).click();
  await expect(told).toHaveCount(0);
  await expect(page).toHaveURL(/\/client\/share-trading$/);
  await expect(alerts(page).getByRole('list', { name: 'Alerts that wait' })).toHaveCount(0);
  await line.close();
});

test('where too few can vote yet, two officials change the rules: one proposes, another reads and confirms, members see it coming, and a day later it holds', async ({
  page,
}) => {
  const founder = await register(newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(founder);
  const member = await shareholder(sacco);
  const treasurer = await shareholder(sacco);
  const named = { id_number: treasurer.id_number, office: 'treasurer' };
  await nameAsOperators(sacco, named);
  await acceptOffice(treasurer);
  await place(member, sacco, 'sell', 5, 104);
  await place(member, sacco, 'buy', 2, 100);
  await openMarket(page, member, sacco);
  await expect(page.getByRole('link', { name: 'Market rules' })).toHaveCount(0);

  await becomeSignedIn(page, founder, sacco);
  await page.goto('/client/share-trading');
  await expect(page.getByText(`You hold an office in ${sacco.name} and are no member of it.`)).toBeVisible();
  await topUp(founder, 600);
  await join(founder, sacco);
  await page.reload();
  await page.getByRole('link', { name: 'Market rules' }).click();
  await expect(page.getByText(/^Fewer than three members can vote yet\./)).toBeVisible();
  const dialog = page.getByRole('form', { name: 'Draft a vote' });
  await dialog.getByLabel('Transfer fee (%)').fill('6');
  await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(dialog.getByLabel('Transfer fee (%)')).toHaveAccessibleDescription(
    /^Enter a percentage from 0 to 3, with at most two decimals\./,
  );
  await dialog.getByLabel('Transfer fee (%)').fill('1');
  await dialog.getByLabel('Prices', { exact: true }).selectOption('At the share value only');
  await expect(
    dialog.getByText(/^Open orders whose price would no longer be allowed: 1, for 5 shares\./),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(toast(page, /^Proposed\./)).toBeVisible();
  const card = page.getByRole('region', { name: 'New market rules' });
  await expect(card.getByText('Waits for a second official')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Read and confirm' })).toHaveCount(0);
  await expectAccessible(page);

  await openMarket(page, treasurer, sacco);
  await expect(card.getByText(/Proposed by Faith Mutua/)).toBeVisible();
  await card.getByRole('button', { name: 'Read and confirm' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm this change?' });
  await expect(
    asked.getByText('Trading becomes dearer: a trade of Ksh. 5,000 will cost each side Ksh.\u00a050.00.'),
  ).toBeVisible();
  await expect(asked.getByText(/whose price would no longer be allowed: 1, for 5 shares\./)).toBeVisible();
  await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(page, 'Confirmed. It takes effect in 24 hours.')).toBeVisible();
  await expect(card.getByText('Confirmed by two')).toBeVisible();

  await openMarket(page, member, sacco);
  await expect(page.getByText(/^From .* the market has new rules$/)).toBeVisible();
  await expect(page.getByText('Transfer fee: 1%, now 0.5%.')).toBeVisible();
  await expect(own(page).getByText(/^Closes on .*, under the new rules\.$/)).toHaveCount(1);
  const texts = async () => {
    const { results } = await api<{ results: { text: string }[] }>('GET', '/client/notifications', member);
    return results.map(({ text }) => text).join();
  };
  expect(await texts()).toContain('the rules of the share market change from');
  expect(await levels(page, 'Ask')).toEqual(['104.00 × 5']);

  await confirmedADayAgo(sacco);
  await expect.poll(() => levels(page, 'Ask')).toEqual([]);
  await expect.poll(() => levels(page, 'Bid')).toEqual(['100.00 × 2']);
  await own(page).getByRole('button', { name: 'Show closed orders' }).click();
  await expect(own(page).getByText('Cancelled: the market’s rules changed')).toBeVisible();
  expect(await texts()).toContain('Its shares are free.');
  await page.reload();
  await expect(ticket(page).getByText('Shares trade at their value here')).toBeVisible();
  await expect(page.getByText(/the market has new rules$/)).toHaveCount(0);
  const rules = { price_mode: 'par', tick: 1, lot: 1, fee_basis_points: 0, fee_min: 0 };
  await expect(
    api('PUT', '/sacco/market-terms', { token: member.token, sacco: sacco.id, body: rules }),
  ).rejects.toThrow(/403/);
});

test('somebody without a mouse takes a price from the ladder and buys', async ({ page }) => {
  const sacco = await activeSacco();
  const [seller, buyer] = [await shareholder(sacco), await shareholder(sacco)];
  for (const price of [104, 105, 106]) await place(seller, sacco, 'sell', 3, price);
  await place(seller, sacco, 'buy', 3, 101);
  await openMarket(page, buyer, sacco);
  await page.getByRole('button', { name: 'Ask 104.00', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Ask 105.00', exact: true })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.getByRole('button', { name: 'Ask 106.00', exact: true })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Bid 101.00', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const price = ticket(page).getByLabel('Price each (Ksh.)');
  await expect(price).toHaveValue('105.00');
  await expect(page.getByText('105.00 is in the ticket now')).toBeAttached();
  await ticket(page).getByRole('radio', { name: 'Buy', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(ticket(page).getByLabel('Shares', { exact: true })).toBeFocused();
  await page.keyboard.type('6');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(price).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(price).toHaveValue('106.00');
  await page.keyboard.press('ArrowDown');
  await expect(price).toHaveValue('105.00');
  await page.keyboard.press('Enter');
  await expect(receipt(page)).toContainText(`6 shares of ${sacco.name} bought`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await sharesOf(buyer, sacco)).toBe(46);
});
