import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { resolveByTwo } from './test-two-operators.ts';
import { openPaybill, type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

/* M-Pesa takes a payment back after it was credited, and tells nobody. */

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
});
afterEach(async () => {
  await world.audit();
});
afterAll(() => world.close());

const HOUR = 3_600_000;

async function topUp(person: Person, amount: number): Promise<string> {
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone: person.phone });
  await world.settle();
  const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
  await world.settle();
  return receipt;
}

/** As M-Pesa does it: no callback, and gone from the list. */
async function takeBack(receipt: string): Promise<void> {
  expect((await world.call('/__control/reversals', { receipt })).status).toBe(200);
}

async function passDays(): Promise<void> {
  for (const hours of [1, 1, 23, 1, 48, 1, 1]) {
    await world.settle(hours * HOUR);
    await world.tasks.sweep_reversals?.({});
    await world.sweep();
  }
}

const resolve = (operator: Person, input: Parameters<typeof resolveByTwo>[2]) =>
  world.database.transaction((tx) => resolveByTwo(tx, { userId: operator.id }, input));

const about = async (receipt: string) => (await world.exceptions()).filter((each) => each.receipt === receipt);

test('A payment that M-Pesa took back is taken out of the wallet, and waits for an operator', async () => {
  const [person, operator] = [await world.person(), await world.person()];
  const receipt = await topUp(person, 1_000);
  await takeBack(receipt);
  await passDays();
  expect(await world.funds(person)).toMatchObject({ available: 0 });
  expect(await about(receipt)).toMatchObject([
    { kind: 'payment_reversed', held_in: 'suspense', amount_cents: 100_000 },
  ]);
  const before = await world.audit();
  const [open] = await about(receipt);
  await resolve(operator, {
    exceptionId: open?.id as string,
    action: 'return_note',
    reason: 'It is gone.',
  });
  expect((await world.audit()).float).toBe(before.float - 100_000);
});

test('Only what the wallet still has is held, and an operator may give that back', async () => {
  const [person, operator] = [await world.person(), await world.person()];
  const receipt = await topUp(person, 900);
  await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount: 600, phone: person.phone });
  await world.settle();
  const left = (await world.funds(person)).available;
  expect(left).toBe(30_000);
  await takeBack(receipt);
  await passDays();
  expect(await about(receipt)).toMatchObject([{ kind: 'payment_reversed', amount_cents: left }]);
  const [open] = await about(receipt);
  await resolve(operator, {
    exceptionId: open?.id as string,
    action: 'credit',
    userId: person.id,
    reason: 'It stands.',
  });
  expect(await world.funds(person)).toMatchObject({ available: left });
});

test('A payment that stands is asked about a few times, and no more', async () => {
  const person = await world.person();
  const receipt = await topUp(person, 800);
  await passDays();
  await passDays();
  expect(await world.funds(person)).toMatchObject({ available: 80_000 });
  expect(await about(receipt)).toEqual([]);
  const [asked] = await world.database.owner<{ times: number; next: Date | null }[]>`
    select times_asked_again as times, ask_again_at as next from mpesa_receipts where receipt = ${receipt}`;
  expect(asked).toEqual({ times: 3, next: null });
});

test('A payment of which nobody could ask for days is asked about once, and one taken back meanwhile is seen', async () => {
  const [person, other] = [await world.person(), await world.person()];
  const receipts = [await topUp(person, 820), await topUp(other, 830)];
  await takeBack(receipts[1] as string);
  await world.database.owner`
    update mpesa_receipts set credited_at = credited_at - interval '100 hours', ask_again_at = ask_again_at - interval '100 hours'
    where receipt = any (${receipts}::text[])`;
  await passDays();
  const asked = await world.database.owner<{ count: number }[]>`
    select count(q.id)::int as count from mpesa_receipts r left join status_queries q on q.receipt = r.receipt and q.purpose = 'reversal'
    where r.receipt = any (${receipts}::text[]) group by r.receipt`;
  expect(asked.map(({ count }) => count)).toEqual([1, 1]);
  expect(await about(receipts[1] as string)).toMatchObject([{ kind: 'payment_reversed', amount_cents: 83_000 }]);
});

test('A payment that was sent back to its payer is asked about no more, and does not delay questions about other payments', async () => {
  const [person, other, operator] = [await world.person(), await world.person(), await world.person()];
  const receipt = await topUp(person, 700);
  await takeBack(receipt);
  for (let hour = 0; hour < 3; hour += 1) {
    await world.settle(HOUR);
    await world.tasks.sweep_reversals?.({});
    await world.sweep();
  }
  const [open] = await about(receipt);
  await resolve(operator, { exceptionId: open?.id as string, action: 'return_note', reason: 'It is gone.' });
  const second = await topUp(other, 650);
  await takeBack(second);
  await passDays();
  expect(await about(second)).toMatchObject([{ kind: 'payment_reversed', amount_cents: 65_000 }]);
  // One that was sent back before the mend.
  await world.database.owner.begin(async (tx) => {
    await tx`alter table mpesa_receipts disable trigger mpesa_receipts_sent_back`;
    await tx`update mpesa_receipts set ask_again_at = ${world.database.now()} where receipt = ${receipt}`;
    await tx`alter table mpesa_receipts enable trigger mpesa_receipts_sent_back`;
  });
  await world.tasks.sweep_reversals?.({});
});
