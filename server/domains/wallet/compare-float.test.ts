import { afterEach, beforeEach, expect, test } from 'vitest';
import { ORGANISATION_OPENING_CENTS } from '../../simulator/subscribers.ts';
import { examineResolution } from './resolve-exception.ts';
import { type Person, SECRET, type WalletWorld, walletWorld } from './test-wallet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: WalletWorld;
beforeEach(async () => {
  world = await walletWorld();
  Object.assign(world.deps.mpesa, { ownFundsCents: ORGANISATION_OPENING_CENTS });
});
afterEach(async () => {
  await world.audit();
  await world.close();
});

/** Runs the job, `ms` later, and handles M-Pesa's answer. */
async function compare(ms = 0): Promise<void> {
  world.database.world.advance(ms);
  await world.tasks.compare_float?.({});
  await world.settle();
}
const days = () =>
  world.database.sql`
    select id, state, asks, mpesa_cents, expected_cents, conversation_id, next_ask_at from float_comparisons order by day`;
const questions = () =>
  world.database
    .owner`select url, body, status from simulator.delivery where kind = 'account_balance' order by ordinal`;
const journals = async () => (await world.database.sql`select id from journals`).length;

async function toppedUp(amount: number): Promise<Person> {
  const person = await world.person();
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone: person.phone });
  await world.settle();
  await world.answerPrompt(person.phone, 'approve');
  await world.settle();
  return person;
}

const told = (conversationId: unknown, shillings: string) => ({
  Result: {
    ResultType: '0',
    ResultCode: '0',
    ResultDesc: 'ok',
    OriginatorConversationID: '1-1-1',
    ConversationID: conversationId,
    TransactionID: 'UKL0000000',
    ResultParameters: {
      ResultParameter: [
        { Key: 'AccountBalance', Value: `Utility Account|KES|${shillings}|${shillings}|0.00|0.00` },
        { Key: 'BOCompletedTime', Value: '20260302090000' },
      ],
    },
  },
});

test('when M-Pesa holds what the books say, less its charges, there is no exception', async () => {
  const person = await toppedUp(900);
  const { body } = await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount: 400, phone: person.phone });
  expect(body).toMatchObject({ success: true });
  await world.sweep(3 * MINUTE);
  await compare(5 * MINUTE);
  const expected = ORGANISATION_OPENING_CENTS + 50_000 - 500;
  expect(await days()).toMatchObject([
    { state: 'agrees', asks: 1, mpesa_cents: expected, expected_cents: expected, next_ask_at: null },
  ]);
  expect(await world.exceptions()).toEqual([]);
});

test('a difference opens one exception with both figures, posts nothing, and can only be dismissed', async () => {
  await toppedUp(900);
  await world.befall('account_balance', 'balance_off=-250', 2);
  const before = await journals();
  await compare(5 * MINUTE);
  await compare(DAY);
  expect(await days()).toMatchObject([{ state: 'differs' }, { state: 'differs' }]);
  const open = await world.exceptions();
  expect(open).toMatchObject([{ kind: 'float_variance', receipt: null, held_in: 'nowhere', amount_cents: -25_000 }]);
  const [row] = await world.database.sql`select detail from money_exceptions where id = ${String(open[0]?.id)}`;
  expect(row?.detail).toMatchObject({ mpesa: 10_000_650, books: 10_000_900, float: 900, own_funds: 10_000_000 });
  expect(await journals()).toBe(before);
  const resolve = (action: 'credit' | 'return_note') =>
    world.database.transaction((tx) =>
      examineResolution(tx, { exceptionId: String(open[0]?.id), action, userId: String(open[0]?.id) }),
    );
  await expect(resolve('credit')).rejects.toThrow('That action does not fit this exception.');
  await expect(resolve('return_note')).rejects.toThrow('That action does not fit this exception.');
});

test('the exception closes on the next day on which both are equal', async () => {
  await world.befall('account_balance', 'balance_off=7');
  await compare();
  expect(await world.exceptions()).toMatchObject([{ kind: 'float_variance', amount_cents: 700 }]);
  await compare(DAY);
  expect(await world.exceptions()).toEqual([]);
  expect(await days()).toMatchObject([{ state: 'differs' }, { state: 'agrees' }]);
});

test('a prompt that was paid and is not credited yet can explain a difference: M-Pesa is asked again, and then both agree', async () => {
  const person = await world.person();
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 300, phone: person.phone });
  await world.settle();
  await world.database.world.advance(MINUTE / 2);
  await world.answerPrompt(person.phone, 'approve');
  // Only the question is run meanwhile, so that the top-up's callback is not handled yet.
  await world.database
    .owner`update simulator.delivery set status = 'dropped' where kind = 'stk' and status = 'waiting'`;
  await compare();
  expect(await days()).toMatchObject([{ state: 'open', asks: 1, conversation_id: null }]);
  expect(await world.exceptions()).toEqual([]);
  await world.sweep(3 * MINUTE);
  await compare(MINUTE);
  expect(await days()).toMatchObject([{ state: 'open', asks: 1 }]);
  await compare(10 * MINUTE);
  expect(await days()).toMatchObject([{ state: 'agrees', asks: 2 }]);
});

test('payments under way hide a difference only until the last question of the day', async () => {
  await toppedUp(900);
  const person = await toppedUp(5_000);
  await world.befall('b2c', 'drop');
  await world.befall('transaction_status', 'drop', 100);
  await world.befall('account_balance', 'balance_off=50', 100);
  await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount: 400, phone: person.phone });
  await world.settle(10 * MINUTE);
  for (let times = 0; times < 6; times += 1) {
    expect((await world.exceptions()).filter(({ kind }) => kind === 'float_variance')).toEqual([]);
    await compare(times === 0 ? 0 : 2 * HOUR);
  }
  expect(await days()).toMatchObject([{ state: 'open', asks: 5 }]);
  await compare(2 * HOUR);
  expect(await days()).toMatchObject([{ state: 'differs', asks: 6 }]);
  const open = await world.exceptions();
  expect(open.filter(({ kind }) => kind === 'float_variance')).toMatchObject([{ amount_cents: 5_000 - 40_500 }]);
});

test('an answer that does not come is asked for again, and a day without an answer is no difference', async () => {
  await world.befall('account_balance', 'queue_timeout=999999999', 100);
  await compare();
  expect(await days()).toMatchObject([{ state: 'open', asks: 1 }]);
  await compare(9 * MINUTE);
  expect(await days()).toMatchObject([{ asks: 1 }]);
  for (let times = 0; times < 6; times += 1) await compare(2 * HOUR);
  await compare(DAY);
  expect((await days())[0]).toMatchObject({ state: 'unanswered', mpesa_cents: null });
  expect(await world.exceptions()).toEqual([]);
});

test('an answer that comes twice, or late, counts once', async () => {
  await world.befall('account_balance', 'balance_off=3, duplicate=3, delay=120000');
  await compare();
  expect(await days()).toMatchObject([{ state: 'open' }]);
  await world.settle(3 * MINUTE);
  expect(await days()).toMatchObject([{ state: 'differs' }]);
  expect(await world.exceptions()).toHaveLength(1);
  const [logged] = await world.database.sql`select deliveries from callback_log where kind = 'balance_result'`;
  expect(logged?.deliveries).toBe(3);
  await world.database.sql`
    update money_exceptions set resolved_at = now(), resolution = 'dismiss', reason = 'looked into'`;
  const [{ url, body } = {}] = await questions();
  const path = String(url).split(SECRET)[1] ?? '';
  expect((await world.callBack(path, JSON.parse(String(body)))).status).toBe(200);
  expect(await world.exceptions()).toEqual([]);
});

test('an answer that arrives before M-Pesa has confirmed the question counts too', async () => {
  await world.befall('account_balance', 'before_response');
  await compare();
  expect(await days()).toMatchObject([{ state: 'agrees' }]);
});

test('a forged answer is refused: for its secret, its comparison or its ConversationID', async () => {
  await world.befall('account_balance', 'delay=60000');
  await compare();
  const [day] = await days();
  const forge = (path: string, body: object, secret?: string) => world.callBack(path, body, secret);
  const path = `/balance/${String(day?.id)}/result`;
  expect((await forge(path, told(day?.conversation_id, '1.00'), 'x'.repeat(32))).status).toBe(404);
  expect((await forge(path, told('AG_20260302_0000', '1.00'))).status).toBe(200);
  expect((await forge(path, told(null, '1.00'))).status).toBe(200);
  expect((await forge(path, { Result: { ResultCode: 'x'.repeat(9_999) } })).status).toBe(200);
  expect((await forge(`/balance/${world.database.newId()}/result`, told(day?.conversation_id, '1.00'))).status).toBe(
    200,
  );
  expect((await forge(`/balance/${String(day?.id)}/timeout`, { InitiatorName: 'testapi' })).status).toBe(200);
  expect(await days()).toMatchObject([{ state: 'open', mpesa_cents: null }]);
  await world.settle(2 * MINUTE);
  expect(await days()).toMatchObject([{ state: 'agrees' }]);
});

test('several processes together ask once a day', async () => {
  await Promise.all([1, 2, 3, 4].map(() => world.tasks.compare_float?.({})));
  await world.settle();
  await compare(HOUR);
  expect(await questions()).toHaveLength(1);
  await compare(DAY);
  expect(await questions()).toHaveLength(2);
});

test('nothing is compared when payouts leave from another account', async () => {
  Object.assign(world.deps.mpesa, { paysFromAnother: true });
  await compare();
  expect(await days()).toEqual([]);
});
