import { claimReceipt } from '../../server/domains/wallet/claim-receipt.ts';
import { requestDeposit } from '../../server/domains/wallet/request-deposit.ts';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { withdraw } from '../../server/domains/wallet/withdraw.ts';
import type { Person } from '../support/product.ts';
import type { CallbackWorld } from './callback-world.ts';
import { paybillText, stkBody } from './hostile.ts';

/** Attacks and accidents that chance would seldom put together, one after another. Each is counted as it is played. */
export async function playSetPieces(world: CallbackWorld): Promise<void> {
  const pieces = [fillWallets, paidByWordAlone, answeredByAForger, toldInTwoWaysWithoutList, paidUnderAnothersId];
  if (isAboutTies(world)) pieces.push(anothersPaymentNamed);
  for (const piece of pieces) {
    await piece(world);
    await world.clearFaults();
  }
  await world.pass(6 * 60_000);
}

/** Other controls are to be red for what they break themselves. */
const isAboutTies = ({ run }: CallbackWorld) => run.broken === undefined || run.broken === 'tie-believed';

const personOf = (world: CallbackWorld, index: number) => world.people[index % world.people.length] as Person;

/** Somebody pays the paybill by hand, in shillings; returns M-Pesa's receipt. */
export async function pay(world: CallbackWorld, from: Person, amount: number, account: string): Promise<string> {
  const body = { phone: from.phone, amount, account_reference: account };
  const { body: paid } = await world.product.call('POST', '//simulator/api/payments', { body });
  return paid.receipt;
}

/** Everybody pays something in by hand, so that there is something to take out. */
export async function fillWallets(world: CallbackWorld): Promise<void> {
  for (const [index, person] of world.people.entries()) await pay(world, person, 5_000 + index, person.account);
  // Where the list cannot be had, that is found out after some minutes.
  for (let minutes = 0; minutes < 20; minutes += 1) {
    await world.pass(60_000);
    const [booked] = await world.product.database.owner<{ count: number }[]>`
      select count(*)::int as count from mpesa_receipts`;
    if (booked?.count === world.people.length) return;
  }
  throw new Error('What people paid in by hand did not come into the books.');
}

async function promptOf(
  world: CallbackWorld,
  person: Person,
  amountCents: number,
  faults?: string,
  phone = person.phone,
) {
  const { database } = world.product;
  if (phone !== person.phone) await agreed(database, person.id, phone);
  if (faults) await world.control('faults', { call: 'stk_push', phone, faults });
  const id = await database.transaction((tx) => requestDeposit(tx, { userId: person.id }, { amountCents, phone }));
  await world.quiet();
  const [prompt] = await database.owner<{ id: string; checkout: string; merchant: string }[]>`
    select id, checkout_request_id as checkout, merchant_request_id as merchant from simulator.prompt
    where phone = ${phone} order by ordinal desc limit 1`;
  if (!prompt) throw new Error('M-Pesa showed no prompt.');
  return { deposit: id, ...prompt };
}

async function answer(world: CallbackWorld, prompt: string, action: string): Promise<void> {
  await world.product.call('POST', `//simulator/api/prompts/${prompt}`, { body: { action } });
}

/** The prompt is open, somebody says that it was paid and with how much, and then its owner says no. */
async function paidByWordAlone(world: CallbackWorld): Promise<void> {
  const person = personOf(world, 0);
  const prompt = await promptOf(world, person, 12_300);
  await world.product.callBack(`/stk/${prompt.deposit}`, stkBody(prompt.checkout, 99_999, 'FAKEWORD01', person.phone));
  await world.quiet();
  await answer(world, prompt.id, 'cancel');
  await world.quiet();
  world.count('set piece: paid by word alone');
}

/** A payout whose fate nobody knows yet; somebody answers our question about it, twice, that it failed. */
async function answeredByAForger(world: CallbackWorld): Promise<void> {
  const person = personOf(world, 1);
  const { database } = world.product;
  await world.control('faults', { call: 'b2c', phone: person.phone, faults: 'lost_response, drop' });
  await world.control('faults', { call: 'transaction_status', faults: 'http_500', times: 2 });
  const id = await database.transaction((tx) =>
    withdraw(tx, { userId: person.id }, { amountCents: 100_000, phone: person.phone }),
  );
  await world.quiet();
  for (const conversation of ['AG_20261121_aaaaaaaaaaaaaaaaaaaa', 'AG_20261121_bbbbbbbbbbbbbbbbbbbb']) {
    const [query] = await database.owner<{ id: string }[]>`
      select id from status_queries where about_id = ${id} and state in ('waiting', 'asked')`;
    const ResultParameter = [
      { Key: 'TransactionStatus', Value: 'Failed' },
      { Key: 'Amount', Value: '1000' },
    ];
    const head = { ResultType: 0, ResultCode: 0, ResultDesc: 'x', ConversationID: conversation };
    await world.product.callBack(`/status/${query?.id}/result`, {
      Result: { ...head, ResultParameters: { ResultParameter } },
    });
    await world.quiet();
  }
  world.count('set piece: our question answered by a forger');
}

/** Where M-Pesa refuses us its list, one payment is told by its confirmation, its payer and M-Pesa's answers at once. */
async function toldInTwoWaysWithoutList(world: CallbackWorld): Promise<void> {
  const { product } = world;
  await world.control('faults', { call: 'pull', faults: 'not_enabled', times: 10_000 });
  await world.pass(70 * 60_000, 5 * 60_000);
  for (const index of [2, 3]) {
    const person = personOf(world, index);
    // Once the claim is first, once the two come together.
    if (index === 2) await world.control('faults', { call: 'c2b', phone: person.phone, faults: 'delay=20000' });
    const receipt = await pay(world, person, 700 + index, person.account);
    await product.database.transaction((tx) =>
      claimReceipt(tx, { userId: person.id }, { receipt, phone: person.phone }),
    );
    if (index === 2) await world.quiet();
  }
  await world.pass(60_000);
  const person = personOf(world, 4);
  const prompt = await promptOf(world, person, 45_600, 'stk_and_c2b, duplicate=3');
  await answer(world, prompt.id, 'approve');
  await world.pass(60_000);
  if (isAboutTies(world)) {
    await promptToldAsByHand(world);
    await namePayment(world, 'lost_response', 15 * 60_000);
  }
  const [list] = await product.database.owner`select from mpesa_lists where refused_until is not null`;
  if (!list) throw new Error('M-Pesa refused us its list, and it was not given up.');
  await product.database.owner`update mpesa_lists set refused_until = null`;
  world.count('set piece: told in several ways at once, without the list');
}

/** The payment of a prompt, told of as one by hand to somebody else's account number before anybody has asked about it. */
async function promptToldAsByHand(world: CallbackWorld): Promise<void> {
  const [payer, thief] = [personOf(world, 1), personOf(world, 3)];
  const prompt = await promptOf(world, payer, 65_400);
  await world.control('faults', { call: 'stk_query', faults: 'http_500', times: 2 });
  await answer(world, prompt.id, 'approve');
  const [payment] = await world.product.database.owner<{ receipt: string }[]>`
    select receipt from simulator.payment where phone = ${payer.phone} order by completed_at desc limit 1`;
  const told = paybillText(payment?.receipt ?? '', 654, thief.account);
  await world.product.callBack('/c2b/confirmation', JSON.parse(told));
  await world.pass(6 * 60_000);
  world.count('set piece: a prompt’s payment told of as one by hand');
}

/** Money that stands in suspense, named by a callback for a top-up of the same amount that somebody asked for on its payer's phone. */
async function anothersPaymentNamed(world: CallbackWorld): Promise<void> {
  await namePayment(world, undefined, 1_000);
  await namePayment(world, 'lost_response', 1_000);
  world.count('set piece: another’s payment in suspense named for a top-up');
}

async function namePayment(world: CallbackWorld, faults: string | undefined, laterMs: number): Promise<void> {
  const [payer, thief] = [personOf(world, 2), personOf(world, 4)];
  await world.pass(150_000);
  const prompt = await promptOf(world, thief, 77_700, faults, payer.phone);
  await answer(world, prompt.id, 'cancel');
  await world.pass(laterMs);
  await world.control('faults', { call: 'c2b', phone: payer.phone, faults: 'no_validation' });
  const receipt = await pay(world, payer, 777, 'ROOF-2026');
  await world.pass(60_000);
  await world.product.callBack(`/stk/${prompt.deposit}`, stkBody(prompt.checkout, 777, receipt, payer.phone));
  await world.pass(60_000);
}

/** Two prompts whose answers were lost; the small one is paid, and its callback sent to the big one's address. */
async function paidUnderAnothersId(world: CallbackWorld): Promise<void> {
  const [rich, poor] = [personOf(world, 5), personOf(world, 0)];
  await world.pass(150_000);
  const big = await promptOf(world, rich, 9_000_000, 'lost_response');
  const small = await promptOf(world, poor, 1_000, 'lost_response, drop');
  await answer(world, small.id, 'approve');
  for (const phone of [rich.phone, poor.phone]) {
    await world.product.callBack(`/stk/${big.deposit}`, stkBody(small.checkout, 90_000, 'FAKEOTHER1', phone));
    await world.quiet();
  }
  await answer(world, big.id, 'cancel');
  world.count('set piece: paid under another’s id');
}
