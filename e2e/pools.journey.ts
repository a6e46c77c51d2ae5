import type { Page } from '@playwright/test';
import { accept, approve, type Lending, lendingSacco, oldMember, payOut } from './support/loans.ts';
import {
  activeSacco,
  api,
  becomeSignedIn,
  createPool,
  join,
  newPerson,
  newPoolName,
  POOL_TERMS,
  type Pool,
  register,
  registerWithMoney,
  type SignedInPerson,
  signInOnPage,
} from './support/people.ts';
import { cardSeen, formingPool, joinPool, memberWith, openPool, quoted, signed, signingCode } from './support/pools.ts';
import { expect, expectNothingSent, test, toast } from './support/test.ts';

const FIELDS = {
  'Minimum contribution': POOL_TERMS.min_contribution,
  'Minimum contribution percentage (%)': POOL_TERMS.min_contribution_perc,
  'Minimum member period (days)': POOL_TERMS.min_member_period,
  'Base risk percentage (%)': POOL_TERMS.base_risk_percentage,
  'Risk weight factor': POOL_TERMS.risk_weight_factor,
  'Minimum trust score': POOL_TERMS.min_trust_score,
};

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create Guarantors Pool' });

async function fill(page: Page, name: string): Promise<void> {
  await dialog(page).getByLabel('Name').fill(name);
  for (const [label, value] of Object.entries(FIELDS)) {
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
  }
}

const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create Pool' }).click();

test('a member creates a guarantor pool, finds it on the list and reads its details; an empty field, letters of two alphabets, a name that is taken and a risk too high are refused', async ({
  page,
}) => {
  const member = await register();
  const taken = newPoolName();
  await createPool(await register(), taken);
  await becomeSignedIn(page, member);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await expectNothingSent(page, async () => {
    await create(page);
    await expect(toast(page, 'All Fields are required')).toBeVisible();
    await fill(page, newPoolName());
    for (const label of ['Name', ...Object.keys(FIELDS)]) {
      const field = dialog(page).getByLabel(label, { exact: true });
      const filled = await field.inputValue();
      await field.fill('');
      await create(page);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(filled);
    }
  });

  // Letters of two alphabets are the typist’s to correct: no server is blamed.
  const namedAs = dialog(page).getByLabel('Name', { exact: true });
  await namedAs.fill('J\u0435ma Pool');
  await create(page);
  await expect(dialog(page).getByLabel('Name')).toHaveAccessibleDescription(/letters of two alphabets/);
  await expect(toast(page, /letters of two alphabets/)).toBeVisible();
  await expect(page.getByText('probably a server error')).toHaveCount(0);

  // What the server refuses is not created, and its reason stands beside the words.
  await namedAs.fill(taken);
  await create(page);
  await expect(toast(page, 'Failed to create... probably a server error')).toBeVisible();
  await expect(dialog(page).getByText('A pool with that name already exists.').first()).toBeVisible();
  const name = newPoolName();
  await namedAs.fill(name);
  await dialog(page).getByLabel('Base risk percentage (%)').fill('21');
  await create(page);
  await expect(dialog(page).getByLabel('Base risk percentage (%)')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page)).toBeVisible();

  await dialog(page).getByLabel('Base risk percentage (%)').fill(POOL_TERMS.base_risk_percentage);
  await create(page);
  await expect(
    toast(page, 'Your pool has been created. Others see it after a review, or once it has five members.'),
  ).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  const card = page.getByRole('article', { name });
  await expect(card).toContainText('Forming');
  await expect(card).toContainText('Ksh. 1,000.00');
  await card.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/guarantor-pools\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('3.5% a year').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'What a guarantee would cost' })).toBeVisible();
});

test('a pool of a sacco is for its members: others cannot create one there', async ({ page }) => {
  const sacco = await activeSacco();
  const member = await registerWithMoney(650);
  await join(member, sacco);
  const name = newPoolName();
  await becomeSignedIn(page, member, sacco);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await fill(page, name);
  await expect(dialog(page).getByLabel('Who may join')).toContainText(`Members of ${sacco.name}`);
  await create(page);
  await expect(page.getByRole('article', { name })).toContainText(sacco.name);

  const stranger = await register();
  await becomeSignedIn(page, stranger, sacco);
  await page.goto('/pools');
  await page.getByRole('button', { name: 'Create Guarantor Pool' }).click();
  await fill(page, newPoolName());
  await create(page);
  await expect(dialog(page).getByText('You are not a member of this sacco.')).toBeVisible();
});

test('a visitor is told when there are no pools, is asked to log in to view one, and can create none', async ({
  page,
}) => {
  let answer = () => {};
  const mayAnswer = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/api/v1/guarantors/pools*', async (route) => {
    await mayAnswer;
    await route.fulfill({ json: { count: 0, next: null, previous: null, results: [] } });
  });
  await page.goto('/pools');
  await expect(page.getByText('Loading...').or(page.getByLabel('Loading...')).first()).toBeVisible();
  answer();
  await expect(page.getByText('No Pools Found')).toBeVisible();
  await page.unroute('**/api/v1/guarantors/pools*');

  for (const path of ['/pools', '/guarantor-pools', '/guarantor-pools/00000000-0000-7000-8000-000000000000']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Login to view Pool' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create Guarantor Pool' })).toHaveCount(0);
  }
  const member = await register();
  await page.goto('/guarantor-pools');
  await page.getByRole('link', { name: 'Login to view Pool' }).click();
  await signInOnPage(page, member);
  await expect(page).toHaveURL('/guarantor-pools');
  await expect(page.getByRole('button', { name: 'Create Guarantor Pool' })).toBeVisible();
});

const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' });
const position = (page: Page) => page.getByRole('region', { name: 'My position' });

test('the fifth member reads what can be lost, joins, and the pool opens; more is deposited, and notice is given for a part and taken back', async ({
  page,
}) => {
  const { pool, sacco, steward } = await formingPool();
  for (const member of [steward, ...(await Promise.all([1, 2, 3].map(() => memberWith(sacco, 2_500))))]) {
    await joinPool(member, pool, 2_500);
  }
  const fifth = await memberWith(sacco, 3_500);
  await becomeSignedIn(page, fifth, sacco);
  await page.goto('/client/guarantor-pools');
  await expect(position(page)).toContainText('You are in no pool yet.');
  const card = page.getByRole('article', { name: pool.name });
  await expect(card).toContainText('Forming');
  await card.getByRole('link', { name: pool.name }).click();
  await expect(page).toHaveURL(`/client/guarantor-pools/${pool.id}`);
  await expect(page.getByText('Members still missing until the pool opens: 1')).toBeVisible();

  await page.getByRole('button', { name: 'Join the pool' }).click();
  const joining = page.getByRole('dialog', { name: 'Join the pool' });
  await joining.getByLabel('Your first deposit').fill('2500');
  await expect(joining).toContainText('At worst you lose all Ksh.\u00a02,500.00.');
  await expectNothingSent(page, async () => {
    await joining.getByRole('button', { name: 'Join the pool' }).click();
    await expect(joining.getByRole('checkbox')).toHaveAttribute('aria-invalid', 'true');
  });
  await joining.getByRole('checkbox').check();
  await joining.getByRole('button', { name: 'Join the pool' }).click();
  await expect(receipt(page)).toContainText('− Ksh.\u00a02,500.00');
  await joining.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Open', { exact: true })).toBeVisible();
  await expect(position(page)).toContainText('New guarantees can lock it at any time, up to all Ksh.\u00a02,500.00.');

  await page.getByRole('button', { name: 'Deposit', exact: true }).click();
  const deposit = page.getByRole('dialog', { name: 'Deposit to the pool' });
  await deposit.getByLabel('Amount').fill('500');
  await deposit.getByRole('button', { name: 'Deposit', exact: true }).click();
  await expect(receipt(page)).toContainText('− Ksh.\u00a0500.00');
  await deposit.getByRole('button', { name: 'Done' }).click();
  await expect(position(page)).toContainText('Ksh.\u00a03,000.00');

  // A part that would leave less than the least contribution is refused; then one that does not.
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const withdrawal = page.getByRole('dialog', { name: 'Withdraw from the pool' });
  await withdrawal.getByLabel('Amount').fill('2500');
  await withdrawal.getByRole('button', { name: 'Give notice' }).click();
  await expect(toast(page, /Leave at least Ksh/)).toBeVisible();
  await withdrawal.getByLabel('Amount').fill('1000');
  await withdrawal.getByRole('button', { name: 'Give notice' }).click();
  await expect(receipt(page)).toContainText('Notice given');
  await expect(receipt(page)).toContainText('Likely paid');
  await withdrawal.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'All pools' }).click();
  await expect(page.getByText('Under notice').first()).toBeVisible();
  await page.getByRole('button', { name: 'Take the notice back' }).click();
  await expect(toast(page, /taken back/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take the notice back' })).toHaveCount(0);
});

test('a borrower sees the price while typing and why too much is refused, gets a quote, and signs it by name and code; the guarantee is locked', async ({
  page,
}) => {
  const { pool, sacco, borrower } = await openPool();
  await becomeSignedIn(page, borrower, sacco);
  await page.goto(`/client/guarantor-pools/${pool.id}`);
  await page.getByRole('button', { name: 'Ask for a guarantee' }).click();
  const asking = page.getByRole('dialog', { name: 'Ask for a guarantee' });
  const price = asking.getByRole('region', { name: 'Price' });
  await asking.getByLabel('Amount to be guaranteed').fill('9000');
  await expect(price).toContainText('What stands against it');
  await expect(asking.getByRole('button', { name: 'Get a quote for 72 hours' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await asking.getByLabel('Amount to be guaranteed').fill('900');
  await expect(price).toContainText('Nothing stands against it.');
  await expect(price).toContainText('at once, when you sign');
  await expect(price).toContainText('The price counts on what is still guaranteed, which falls with each repayment.');
  // A tenth of it is one's own.
  await expect(price).toContainText('Ksh.\u00a090.00');
  await asking.getByLabel('What is the loan for?').fill('Stock for the market of December');
  await asking.getByRole('button', { name: 'Get a quote for 72 hours' }).click();

  await expect(page).toHaveURL(/\/client\/guarantor-pools\/requests\//);
  await expect(page.getByText('Waits for your signature')).toBeVisible();
  await page.getByRole('button', { name: 'Send me the code to sign' }).click();
  const code = await signingCode(borrower);
  const signature = page.getByRole('form', { name: 'Signature' });
  await signature.getByLabel('Your full name').fill('Somebody Else');
  await signature.getByLabel('Code from the SMS').fill(code);
  await signature.getByRole('checkbox').check();
  await signature.getByRole('button', { name: 'Sign the guarantee' }).click();
  await expect(signature.getByLabel('Your full name')).toHaveAttribute('aria-invalid', 'true');
  await signature.getByLabel('Your full name').fill(`${borrower.first_name} ${borrower.last_name}`);
  await signature.getByLabel('Code from the SMS').fill('0000 0000');
  await signature.getByRole('button', { name: 'Sign the guarantee' }).click();
  await expect(signature.getByLabel('Code from the SMS')).toHaveAttribute('aria-invalid', 'true');
  await signature.getByLabel('Code from the SMS').fill(code);
  await signature.getByRole('button', { name: 'Sign the guarantee' }).click();

  await expect(page).toHaveURL(/\/client\/guarantor-pools\/contracts\//);
  await expect(page.getByText('It waits for its loan')).toBeVisible();
  await expect(page.getByText(`Signed by ${borrower.first_name} ${borrower.last_name}`)).toBeVisible();
  await page.getByRole('link', { name: 'All pools' }).click();
  await expect(page.getByRole('heading', { name: 'Guarantees for me' })).toBeVisible();
  await expect(position(page)).toContainText('you would lose Ksh.\u00a090.00 at most');
  await page.goto('/client');
  const waiting = page.getByRole('listitem').filter({ hasText: 'Use your guarantee for a loan, or let it lapse' });
  await expect(waiting).toContainText(/Ksh\.\s900\.00\s· 12 months · Lapses on/);
});

test('two stewards decide about a larger guarantee, with a reason; other members, the borrower and strangers may not', async ({
  page,
}) => {
  const { pool, sacco, steward, second, borrower, others } = await openPool();
  const request = await quoted(borrower, pool, 2_000);
  await signed(borrower, request);

  // Whoever was declined reads who decided, and why, and what can be done next.
  const declined = others[0] as SignedInPerson;
  const reason = await declinedBy(steward, declined, pool);
  await becomeSignedIn(page, declined, sacco);
  await page.goto('/client/guarantor-pools');
  await page.getByRole('link', { name: reason }).click();
  const why = page.getByRole('region', { name: 'How the request ended' });
  await expect(why).toContainText('The stewards of the pool declined it');
  await expect(why).toContainText(reason);
  await why.getByRole('link', { name: 'Look at other pools' }).click();

  // Another member of the pool is asked for nothing, and the borrower decides nothing.
  for (const member of [others[0] as SignedInPerson, borrower]) {
    await becomeSignedIn(page, member, sacco);
    await page.goto('/client/guarantor-pools');
    await expect(position(page)).toContainText('Ksh.\u00a04,000.00');
    await expect(page.getByRole('heading', { name: 'Requests to decide' })).toHaveCount(0);
  }

  await decide(second, request.id, 'approve', 'I buy from her stall.');
  await becomeSignedIn(page, steward, sacco);
  await page.goto('/client/guarantor-pools');
  await page.getByRole('button', { name: 'Look and decide' }).click();
  const review = page.getByRole('dialog', { name: `Request of ${borrower.first_name} ${borrower.last_name}` });
  await expect(review).toContainText('Stock for the market of December');
  await review.getByRole('button', { name: 'Decide' }).click();
  await expect(toast(page, 'Choose yes or no, and write the reason.')).toBeVisible();
  await review.getByRole('radio', { name: 'Yes, guarantee it' }).check();
  await review.getByLabel('Reason').fill('She has sold at our market for years.');
  await review.getByRole('button', { name: 'Decide' }).click();
  await expect(toast(page, 'Your vote is recorded.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Guarantees that my money is locked for' })).toBeVisible();
  await expect(page.getByText('You could lose at most').first()).toBeVisible();

  // One steward suspends the pool at once: it gives no new guarantees, and says so.
  await page.goto(`/client/guarantor-pools/${pool.id}`);
  await page.getByRole('button', { name: 'Suspend the pool' }).click();
  const suspension = page.getByRole('dialog', { name: 'Suspend the pool' });
  await suspension.getByLabel('Reason').fill('Two loans are late, and we want to look at them first.');
  await suspension.getByRole('button', { name: 'Suspend the pool' }).click();
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask for a guarantee' })).toHaveAccessibleDescription(
    'A steward has suspended the pool: it gives no new guarantees. That ends by itself after 30 days.',
  );

  // A member of another sacco may look at the pool, and not join it; a request of somebody else is not there.
  const stranger = await memberWith(await activeSacco(), 1_500);
  await becomeSignedIn(page, stranger);
  await page.goto(`/guarantor-pools/${pool.id}`);
  await page.getByRole('button', { name: 'Join the pool' }).click();
  const joining = page.getByRole('dialog', { name: 'Join the pool' });
  await joining.getByRole('checkbox').check();
  await joining.getByRole('button', { name: 'Join the pool' }).click();
  await expect(toast(page, 'This pool takes members of its sacco only.')).toBeVisible();
  await page.goto(`/guarantor-pools/requests/${request.id}`);
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Ksh.');
});

/** Asks the pool, signs, and is declined by its steward; the reason. */
async function declinedBy(steward: SignedInPerson, member: SignedInPerson, pool: Pool): Promise<string> {
  const reason = 'The stall has traded for two months only.';
  await cardSeen(member);
  const request = await quoted(member, pool, 2_000);
  await signed(member, request);
  await decide(steward, request.id, 'decline', reason);
  return reason;
}

const decide = ({ token }: SignedInPerson, request: string, decision: 'approve' | 'decline', reason: string) =>
  api('POST', `/guarantors/pools/requests/${request}/decision`, { token, body: { decision, reason } });

test('a guarantee of the pool stands in for a loan: its fee is paid with the loan, and a repayment frees a part of every lock', async ({
  page,
}) => {
  const lending = await lendingSacco();
  const { sacco } = lending;
  const savings = { saved: 2_000, shares: 500, wallet: 5_000 };
  const borrower = await oldMember(lending, savings, newPerson('Borrower', 'Njeri'));
  const { pool, steward, second, others } = await openPool({ sacco, borrower });
  const request = await quoted(borrower, pool, 3_000, 6);
  await signed(borrower, request);
  for (const one of [steward, second])
    await decide(one, request.id, 'approve', 'She has sold at our market for years.');
  await becomeSignedIn(page, borrower, sacco);
  await readsWhatADraftHolds(page, lending.product);
  const loan = await paidOutWithPool(lending, borrower, request.id);

  await page.goto('/client/guarantor-pools');
  await page.getByRole('link', { name: /3,000\.00 · 6 months/ }).click();
  await expect(page.getByText('In force', { exact: true })).toBeVisible();
  const nothingReleased = page.getByText('Ksh.\u00a00.00', { exact: true });
  await expect(nothingReleased).toHaveCount(1);
  const { token } = borrower;
  await api('POST', `/loans/${loan}/repayments`, { token, sacco: sacco.id, body: { amount: 1_500 } });
  await page.reload();
  await expect(page.getByText('Being released')).toBeVisible();
  await expect(nothingReleased).toHaveCount(0);

  // Whoever backs it reads what is still at stake, and nothing of what was signed.
  await becomeSignedIn(page, others[0] as SignedInPerson, sacco);
  await page.goto('/client/guarantor-pools');
  await expect(page.getByText('You could lose at most').first()).toBeVisible();
  await page.getByRole('link', { name: /6 months/ }).click();
  await expect(page.getByText('Being released')).toBeVisible();
  await expect(page.getByText('What was signed')).toHaveCount(0);
});

/** Whoever names a pool's guarantee in an application reads that its money stays locked, and not that nothing is held. */
async function readsWhatADraftHolds(page: Page, product: string): Promise<void> {
  await page.goto(`/client/loans/apply?product=${product}&amount=5000&months=6`);
  await page.getByRole('button', { name: 'Next: Purpose and income' }).click();
  await page.getByLabel('What is the loan for?').fill('Stock for the stall.');
  await page.getByLabel('What is left of your income each month?').fill('30,000');
  await page.getByRole('button', { name: 'Next: Guarantors' }).click();
  const nothing = page.getByText('As long as it is a draft, nothing is held.');
  const locked = page.getByText('The pool’s money stays locked for this loan.');
  await page.getByRole('button', { name: 'Next: Check it all' }).click();
  await expect(nothing).toBeVisible();
  await expect(locked).toHaveCount(0);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('A pool that stands behind this loan (optional)').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Next: Check it all' }).click();
  await expect(locked).toBeVisible();
  await expect(nothing).toHaveCount(0);
}

/** An application of 5,000 for six months that names the guarantee, approved, accepted and paid out; its id. */
async function paidOutWithPool(lending: Lending, borrower: SignedInPerson, request: string): Promise<string> {
  const options = { token: borrower.token, sacco: lending.sacco.id };
  const body = {
    product: lending.product,
    amount: 5_000,
    months: 6,
    purpose: 'Stock for the stall.',
    net_income: 30_000,
    guarantors: [],
    pool_guarantee: request,
  };
  const { loan } = await api<{ loan: { id: string } }>('POST', '/loans', { ...options, body });
  await api('POST', `/loans/${loan.id}/submission`, { ...options, body: {} });
  await approve(lending, loan.id);
  await accept(lending, borrower, loan.id);
  await payOut(lending, loan.id);
  return loan.id;
}
