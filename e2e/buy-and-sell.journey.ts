import type { Page } from '@playwright/test';
import { place, shareholder, sharesOf } from './support/market.ts';
import { enterPasswordAnHourAgo, lotOf } from './support/past.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  join,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
  walletShillingsOf,
} from './support/people.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, expectNothingSent, test, toast } from './support/test.ts';

/* Buying from members or from the sacco, and selling to members, in the dialogs of dashboard, card and public page. */

const buyDialog = (page: Page) => page.getByRole('dialog', { name: 'Buy Shares' });
const sellDialog = (page: Page) => page.getByRole('dialog', { name: 'Sell Shares' });
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' });

async function openOnDashboard(page: Page, member: SignedInPerson, sacco: Sacco, name: 'Buy Shares' | 'Sell Shares') {
  await becomeSignedIn(page, member, sacco);
  await page.goto('/client');
  await page.getByRole('main').getByRole('button', { name }).click();
}

test('who buys is offered members’ shares where they are cheaper with the fee, and takes one offer', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  await place(seller, sacco, 'sell', 20, 98);
  const buyer = await shareholder(sacco);
  await openOnDashboard(page, buyer, sacco, 'Buy Shares');
  const dialog = buyDialog(page);
  await expect(
    dialog.getByText('Members offer 20 shares from Ksh. 98.00; the sacco sells at Ksh. 100.00'),
  ).toBeVisible();

  // One share for 98 and a fee of 3 % are dearer than one from the sacco.
  await dialog.getByLabel('Shares').fill('1');
  // The two keep their places while a number is typed.
  await expect(dialog.getByRole('radio').first()).toHaveAccessibleName('From members');
  await expect(dialog.getByRole('radio', { name: 'From the sacco' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'From the sacco' })).toHaveAccessibleDescription(
    /Cheaper by Ksh\..0.94/,
  );

  await dialog.getByLabel('Shares').fill('12');
  await expect(dialog.getByRole('radio').first()).toHaveAccessibleName('From members');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: 'From members' })).toHaveAccessibleDescription(
    /Cheaper by Ksh\..14.00/,
  );
  await expect(
    dialog.getByText(
      '12 Shares = Ksh. 1,186.00. If you choose to proceed and "Buy Shares" then Ksh. 1,186.00 will be transferred form your wallet',
      { exact: true },
    ),
  ).toBeVisible();
  await expectAccessible(page);
  const before = await walletShillingsOf(buyer);
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await expect(receipt(page)).toContainText(`12 shares of ${sacco.name} bought`);
  await expect(receipt(page)).toContainText(/−.Ksh\..1,186.00/);
  expect(await walletShillingsOf(buyer)).toBe(before - 1_186);
  expect(await sharesOf(buyer, sacco)).toBe(52);

  await dialog.getByRole('button', { name: '12 at Ksh. 98.00' }).click();
  const note = page.getByRole('dialog', { name: 'Contract note' });
  await expect(note.getByText(`Bought 12 shares of ${sacco.name}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
});

test('more than one offer has is bought from several; more than members have is fewer, or from the sacco', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  await place(seller, sacco, 'sell', 8, 94);
  await place(seller, sacco, 'sell', 12, 96);
  const buyer = await shareholder(sacco);
  await openOnDashboard(page, buyer, sacco, 'Buy Shares');
  const dialog = buyDialog(page);
  await dialog.getByLabel('Shares').fill('21');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'From members' })).toHaveAccessibleDescription(
    'They offer 20 now, not 21.',
  );
  await expect(dialog.getByRole('radio', { name: 'From the sacco' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Buy 20 from members' }).click();
  await expect(dialog.getByLabel('Shares')).toHaveValue('20');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Buy Shares', exact: true }).click();
  // 8 × 94 + 12 × 96, and the least fee.
  await expect(receipt(page)).toContainText(/−.Ksh\..1,914.00/);
  await expect(receipt(page).getByText('8 at Ksh. 94.00').first()).toBeVisible();
  await expect(receipt(page).getByText('12 at Ksh. 96.00').first()).toBeVisible();
  expect(await sharesOf(buyer, sacco)).toBe(60);
});

test('what a leaver offers beside whole lots is bought all together', async ({ page }) => {
  const sacco = await activeSacco();
  await lotOf(sacco, 50);
  const leaver = await shareholder(sacco);
  const notice = { sacco: sacco.id, reason: 'I am moving to Eldoret.' };
  await api('POST', '/sacco/members/exit', { token: leaver.token, sacco: sacco.id, body: notice });
  await place(leaver, sacco, 'sell', 40, 95);
  const buyer = await shareholder(sacco, 12_000);
  await openOnDashboard(page, buyer, sacco, 'Buy Shares');
  const dialog = buyDialog(page);
  await dialog.getByLabel('Shares').fill('30');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'From members' })).toHaveAccessibleDescription(
    'They sell these 40 only together.',
  );
  await dialog.getByRole('button', { name: 'Buy 40 from members' }).click();
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Buy Shares', exact: true }).click();
  await expect(receipt(page)).toContainText(`40 shares of ${sacco.name} bought`);
  expect(await sharesOf(buyer, sacco)).toBe(80);
  expect(await sharesOf(leaver, sacco)).toBe(0);
});

test('an offer that somebody took first is said to be gone, a dearer one costs nothing unseen, and a lost answer buys once', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  const { order } = await place(seller, sacco, 'sell', 10, 95);
  const buyer = await shareholder(sacco);
  await openOnDashboard(page, buyer, sacco, 'Buy Shares');
  const dialog = buyDialog(page);
  await dialog.getByLabel('Shares').fill('10');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  // The offer goes after the page has read it, and before the page asks again.
  await page.route('**/api/v1/sacco/members/buy-user-shares', async (route) => {
    await api('DELETE', `/sacco/order-book-items/${order.id}`, { token: seller.token, sacco: sacco.id });
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await expect(toast(page, /gone/)).toBeVisible();
  await expect(dialog.getByText('No member offers shares now: the sacco sells them at Ksh. 100.00.')).toBeVisible();
  expect(await sharesOf(buyer, sacco)).toBe(40);
  await page.unroute('**/api/v1/sacco/members/buy-user-shares');

  // An offer that its seller makes dearer at the last moment costs nothing unseen; the new price is shown.
  const { order: dearer } = await place(seller, sacco, 'sell', 10, 95);
  const before = await walletShillingsOf(buyer);
  await page.goto('/client');
  await page.getByRole('main').getByRole('button', { name: 'Buy Shares' }).click();
  await dialog.getByLabel('Shares').fill('10');
  await expect(dialog.getByText(/then Ksh\..960\.00 will be transferred/)).toBeVisible();
  await page.route(
    '**/api/v1/sacco/members/buy-user-shares',
    async (route) => {
      const body = { price: 98 };
      await api('PATCH', `/sacco/order-book-items/${dearer.id}`, { token: seller.token, sacco: sacco.id, body });
      await route.continue();
    },
    { times: 1 },
  );
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await expect(toast(page, /gone/)).toBeVisible();
  await expect(dialog.getByText(/then Ksh\..990\.00 will be transferred/)).toBeVisible();
  expect(await walletShillingsOf(buyer)).toBe(before);
  expect(await sharesOf(buyer, sacco)).toBe(40);
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await expect(receipt(page)).toContainText(`10 shares of ${sacco.name} bought`);
  expect(await walletShillingsOf(buyer)).toBe(before - 990);

  // A purchase whose answer was lost is sent again without buying twice.
  await place(seller, sacco, 'sell', 10, 95);
  await place(seller, sacco, 'sell', 10, 95);
  const left = await walletShillingsOf(buyer);
  await page.goto('/client');
  await page.getByRole('main').getByRole('button', { name: 'Buy Shares' }).click();
  let lost = 0;
  await page.route('**/api/v1/sacco/members/buy-user-shares', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await dialog.getByLabel('Shares').fill('10');
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  const buy = dialog.getByRole('button', { name: 'Buy Shares' });
  await buy.click();
  await expect(toast(page, 'No answer came. It may have gone through: send it again, it counts once.')).toBeVisible();
  // The book is read again meanwhile: the offer that was bought is gone from it, and another one has as many.
  await page.waitForResponse(/order-book\?/);
  await buy.click();
  await expect(receipt(page)).toContainText(`10 shares of ${sacco.name} bought`);
  expect(await sharesOf(buyer, sacco)).toBe(60);
  expect(await walletShillingsOf(buyer)).toBe(left - 960);
});

test('who presses before the offers are read does not pay the sacco more unasked', async ({ page }) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  await place(seller, sacco, 'sell', 20, 95);
  const buyer = await shareholder(sacco);
  let letGo = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route('**/api/v1/sacco/order-book?*', async (route) => {
    await held;
    await route.continue();
  });
  await openOnDashboard(page, buyer, sacco, 'Buy Shares');
  const dialog = buyDialog(page);
  await dialog.getByLabel('Shares').fill('12');
  await expectNothingSent(page, async () => {
    await dialog.getByRole('button', { name: 'Buy Shares' }).click();
    await expect(dialog.getByRole('button', { name: 'processing...' })).toBeVisible();
    letGo();
    await expect(toast(page, 'Members offer them for less. Choose whom to buy from.')).toBeVisible();
  });
  await expect(dialog.getByRole('radio', { name: 'From members' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await expect(receipt(page)).toContainText(`12 shares of ${sacco.name} bought`);
});

test('a member sells on a phone: a part at once, the rest waits, and the dashboard knows', async ({ page }) => {
  const sacco = await activeSacco();
  const buyer = await shareholder(sacco);
  await place(buyer, sacco, 'buy', 8, 97);
  const seller = await shareholder(sacco);
  await page.setViewportSize({ width: 360, height: 740 });
  await openOnDashboard(page, seller, sacco, 'Sell Shares');
  const dialog = sellDialog(page);
  // Where somebody bids, that is the price one starts from.
  await expect(dialog.getByLabel('Price each')).toHaveValue('97.00');
  await dialog.getByLabel('Shares').fill('20');
  await expect(dialog.getByText('8 sell at once to members who wait for them.')).toBeVisible();
  await expect(dialog.getByText(/^.*12 wait in the order book and are held/)).toBeVisible();
  await expect(dialog.getByText('Ksh. 1,930.00')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const before = await walletShillingsOf(seller);
  await dialog.getByRole('button', { name: 'Sell Shares' }).click();
  await expect(receipt(page)).toContainText(`8 shares of ${sacco.name} sold`);
  await expect(receipt(page)).toContainText(/\+.Ksh\..766.00/);
  await expect(receipt(page)).toContainText(/Still waiting12 at Ksh\..97.00/);
  expect(await walletShillingsOf(seller)).toBe(before + 766);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: '12 of them are in open orders' })).toBeVisible();
  await expect(page.getByText('8 of 20 shares that you offer are sold')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.goto(`/saccos/${sacco.id}`);
  await expect(page.getByRole('heading', { name: 'Share market' })).toBeVisible();
  await expect(page.getByText('8 shares', { exact: true }).first()).toBeVisible();
});

test('what cannot be sold is refused beside its field, and nothing is sent', async ({ page }) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  await becomeSignedIn(page, seller);
  await page.goto(`/saccos?name=${sacco.name.slice(8)}`);
  await page.getByRole('article', { name: sacco.name }).getByRole('button', { name: 'Sell Shares' }).click();
  const dialog = sellDialog(page);
  const sell = dialog.getByRole('button', { name: 'Sell Shares' });
  await expect(dialog.getByLabel('Price each')).toHaveValue('100.00');
  await expectNothingSent(page, async () => {
    await sell.click();
    await expect(toast(page, 'Fill in the number of shares and the price.')).toBeVisible();
    for (const [shares, words] of [
      ['41', 'You have 40 free shares.'],
      ['31', '10 shares must stay yours: sell 30 at most.'],
      ['1.5', 'Enter a whole number of shares.'],
    ] as const) {
      await dialog.getByLabel('Shares').fill(shares);
      await sell.click();
      await expect(dialog.getByLabel('Shares')).toHaveAccessibleDescription(words);
    }
    await dialog.getByLabel('Shares').fill('30');
    await dialog.getByLabel('Price each').fill('111');
    await sell.click();
    await expect(dialog.getByLabel('Price each')).toHaveAccessibleDescription(
      /^A price from Ksh\..90.00 to Ksh\..110.00, in steps of Ksh\..1.00\.$/,
    );
  });
  await dialog.getByRole('button', { name: /Share value/ }).click();
  await sell.click();
  await expect(receipt(page)).toContainText(`30 shares of ${sacco.name} offered`);
  await dialog.getByRole('button', { name: 'Share Trading' }).click();
  await expect(page).toHaveURL('/client/share-trading');
});

test('somebody who owns nothing is told so instead of being asked for a number', async ({ page }) => {
  const sacco = await activeSacco();
  const member = await registerWithMoney(600);
  await join(member, sacco);
  await openOnDashboard(page, member, sacco, 'Sell Shares');
  await expect(sellDialog(page).getByText('You own no shares of this sacco yet.')).toBeVisible();
  await expect(sellDialog(page).getByRole('textbox')).toHaveCount(0);
});

test('a first order above the small sum asks for the password in place, says why, and then goes on by itself', async ({
  page,
}) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  await enterPasswordAnHourAgo(seller);
  await openOnDashboard(page, seller, sacco, 'Sell Shares');
  const dialog = sellDialog(page);
  await dialog.getByLabel('Shares').fill('12');
  await dialog.getByLabel('Price each').fill('100');
  await expect(
    dialog.getByText(/Of what you are paid within 24 hours, Ksh\..1,000.00 can go to M-Pesa at once/),
  ).toBeVisible();
  const submit = () => dialog.getByRole('button', { name: 'Sell Shares' }).click();
  await submit();
  const question = page.getByRole('dialog', { name: 'Enter your password' });
  await expect(question.getByText(/Ksh\..1,200.00 needs your password\. Without it you may move/)).toBeVisible();
  await expect(question.getByLabel('Your password')).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // Whoever thinks again has sold nothing, and finds what they had typed.
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel('Shares')).toHaveValue('12');
  await submit();
  await question.getByLabel('Your password').fill(seller.password);
  await question.getByRole('button', { name: 'Go on' }).click();
  await expect(question).toBeHidden();
  await expect(receipt(page)).toContainText('12 shares of');
});

test('what shares were sold for is shown on the wallet until it can be withdrawn', async ({ page }) => {
  const sacco = await activeSacco();
  const seller = await shareholder(sacco);
  const before = await walletShillingsOf(seller);
  await place(seller, sacco, 'sell', 20, 100);
  await place(await shareholder(sacco, 7_000), sacco, 'buy', 20, 100);
  await becomeSignedIn(page, seller);
  await page.goto('/profile/wallet');
  await expect(
    page.getByText(/Ksh\..990.00 from share sales and check-offs can go to M-Pesa only from \w+day, /).first(),
  ).toBeVisible();
  await page.goto('/profile/wallet?open=withdraw');
  const withdrawing = page.getByRole('dialog', { name: 'Withdraw' });
  await expect(withdrawing.getByText('From share sales and check-offs', { exact: true })).toBeVisible();
  await expect(withdrawing).toContainText(new RegExp(`You can withdraw.*${(before + 1_000).toLocaleString('en-KE')}`));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
