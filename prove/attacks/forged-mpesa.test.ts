import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, invariants } from '../../server/audit.ts';
import { type AttackApp, atOnce, attackApp, type Person, statuses } from '../support/test-product.ts';

let world: AttackApp;
let person: Person;

const NOBODY = '00000000-0000-7000-8000-000000000000';

beforeAll(async () => {
  world = await attackApp();
  person = await world.person('Wanjiru');
  await world.confirmPhone(person);
});
afterAll(async () => {
  expect((await audit(world.database.url, invariants)).filter(({ breach }) => breach)).toEqual([]);
  await world.close();
});

let phones = 0;

async function prompt(amount: number) {
  phones += 1;
  const phone = `2547990001${String(phones).padStart(2, '0')}`;
  const { body } = await world.call('POST', '/integrations/mpesa/deposit', { as: person, body: { amount, phone } });
  await world.runJobs();
  const [row] = await world.database.sql<{ checkout_request_id: string; merchant_request_id: string }[]>`
    select checkout_request_id, merchant_request_id from deposits where id = ${body.deposit.id}`;
  return {
    id: body.deposit.id as string,
    phone,
    amount,
    checkout: row?.checkout_request_id,
    merchant: row?.merchant_request_id,
  };
}

type Prompt = Awaited<ReturnType<typeof prompt>>;

/** A success as M-Pesa would tell it, or as somebody who knows how would. */
function success(
  of: Prompt,
  change: { amount?: unknown; receipt?: unknown; checkout?: unknown; phone?: unknown } = {},
) {
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: of.merchant,
        CheckoutRequestID: change.checkout ?? of.checkout,
        ResultCode: 0,
        ResultDesc: 'The service request is processed successfully.',
        CallbackMetadata: {
          Item: [
            { Name: 'Amount', Value: change.amount ?? of.amount },
            {
              Name: 'MpesaReceiptNumber',
              Value: change.receipt ?? `FAKE${String(of.id).replaceAll('-', '').slice(-6).toUpperCase()}`,
            },
            { Name: 'TransactionDate', Value: 20260302090000 },
            { Name: 'PhoneNumber', Value: change.phone ?? of.phone },
          ],
        },
      },
    },
  };
}

async function quiet(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await world.runJobs();
}

const SHAPES: unknown[] = [
  {},
  { Body: null },
  { Body: { stkCallback: [] } },
  { Body: { stkCallback: { CheckoutRequestID: '\u0000', ResultCode: '0' } } },
  { Body: { stkCallback: { CheckoutRequestID: '\ud800', ResultCode: 0, ResultDesc: '\udfff' } } },
  {
    '\ud800': '\ud800',
    Result: { ResultCode: 0, ResultParameters: { ResultParameter: [{ Key: '\ud800', Value: '\ud800' }] } },
  },
  { Result: { ResultCode: '0', ResultParameters: { ResultParameter: { Key: 'TransactionAmount', Value: '1e308' } } } },
  { TransID: 'SGH7XK2L9P', TransAmount: '-5', BusinessShortCode: 1, BillRefNumber: '\ud800' },
  {
    TransID: 'SGH7XK2L9Q',
    TransAmount: '5.00',
    BusinessShortCode: '600000',
    BillRefNumber: '\u0000\ud83d',
    FirstName: '\ud800',
    TransTime: '99999999999999',
  },
  { TransID: 'SGH7XK2L9R', TransAmount: 1e308, BusinessShortCode: '600000' },
  { __proto__: { a: 1 }, constructor: { prototype: {} } },
];

test('a callback of any shape is taken or turned away, never with a fault, and no money moves', async () => {
  const deposit = await prompt(20);
  const before = await world.wallet(person);
  for (const path of [
    `/stk/${deposit.id}`,
    `/stk/${NOBODY}`,
    `/b2c/${NOBODY}/result`,
    `/b2c/${NOBODY}/timeout`,
    `/status/${NOBODY}/result`,
    `/status/${NOBODY}/timeout`,
    '/c2b/confirmation',
    '/c2b/validation',
  ]) {
    for (const shape of SHAPES) {
      const answer = await world.callBack(path, shape);
      expect(answer.status, `${path} ${JSON.stringify(shape).slice(0, 80)} ${answer.text}`).toBeLessThan(500);
    }
    const deep = `{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`;
    const answer = await world.call('POST', `/integrations/mpesa/callback/${'a11acc'.repeat(6)}${path}`, {
      raw: deep,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status, path).toBeLessThan(500);
  }
  await quiet();
  expect(await world.wallet(person)).toBe(before);
});

test('a success that M-Pesa does not confirm moves nothing, however often, for whatever amount, and leaves an exception', async () => {
  const deposit = await prompt(30);
  const before = await world.wallet(person);
  const answers = [
    ...(await atOnce(5, () => world.callBack(`/stk/${deposit.id}`, success(deposit)))),
    ...(await atOnce(5, (index) =>
      world.callBack(`/stk/${deposit.id}`, success(deposit, { amount: 30_000 + index, receipt: `FAKEAMT${index}00` })),
    )),
    ...(await atOnce(5, () => world.callBack(`/stk/${NOBODY}`, success(deposit, { receipt: 'FAKENOBODY' })))),
    await world.callBack(`/stk/${deposit.id}`, success(deposit, { checkout: 'ws_CO_1', receipt: 'FAKEOTHER1' })),
    await world.callBack(`/stk/${deposit.id}`, success(deposit, { phone: '254700000009', receipt: 'FAKEPHONE1' })),
  ];
  expect(statuses(answers)).toEqual({ 200: answers.length });
  await quiet();
  expect(await world.wallet(person)).toBe(before);
  const [open] = await world.database
    .sql`select count(*)::int as count from money_exceptions where resolved_at is null`;
  expect(open?.count).toBeGreaterThan(0);
});

test('a secret that is wrong, cut or empty is a path that is not there', async () => {
  const deposit = await prompt(40);
  for (const secret of ['wrong', 'a11acc'.repeat(5), `${'a11acc'.repeat(6)}x`, '%00']) {
    expect((await world.callBack(`/stk/${deposit.id}`, success(deposit), secret)).status).toBe(404);
    const hook = await world.call('POST', `/hooks/pay/${secret}/confirmation`, { body: { TransID: 'SGH7XK2L9S' } });
    expect(hook.status).toBe(404);
  }
  const [stored] = await world.database
    .sql`select count(*)::int as count from callback_log where about_id = ${deposit.id}`;
  expect(stored?.count).toBe(0);
});

test('a real payment, told five times at once, late, out of order and beside forgeries, is credited once', async () => {
  const deposit = await prompt(50);
  const before = await world.wallet(person);
  const listed = await fetch(`${world.origin}/simulator/api/prompts?phone=${deposit.phone}`);
  const prompts = (await listed.json()) as { results: { id: string }[] };
  const paid = await fetch(`${world.origin}/simulator/api/prompts/${prompts.results[0]?.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve' }),
  });
  const { receipt } = (await paid.json()) as { receipt: string };
  const cancelled = {
    Body: {
      stkCallback: {
        MerchantRequestID: deposit.merchant,
        CheckoutRequestID: deposit.checkout,
        ResultCode: 1032,
        ResultDesc: 'Request cancelled by user',
      },
    },
  };
  await atOnce(5, () => world.callBack(`/stk/${deposit.id}`, cancelled));
  await atOnce(5, () => world.callBack(`/stk/${deposit.id}`, success(deposit, { receipt })));
  await atOnce(5, () => world.callBack(`/stk/${deposit.id}`, success(deposit, { receipt, amount: '50.00' })));
  await Promise.all([quiet(), atOnce(5, () => world.app.tasks.verify_deposit?.({ id: deposit.id }) as Promise<void>)]);
  await quiet();
  expect((await world.wallet(person)) - before).toBe(50_00);
  const mallory = await world.person('Mallory');
  const claims: string[] = [];
  for (const phone_number of [deposit.phone, mallory.phone]) {
    const sent = { as: mallory, body: { transaction_id: receipt, phone_number } };
    const { body } = await world.call('POST', '/integrations/mpesa/transaction-checker', sent);
    if (body.claim) claims.push(body.claim.id);
    await quiet();
  }
  // Nor does the receipt of another, read over a shoulder, tell what it was worth.
  for (const id of claims) {
    const { body } = await world.call('GET', `/integrations/mpesa/transaction-checker/${id}`, { as: mallory });
    expect([body.status, body.amount]).toEqual(['failed', null]);
  }
  expect(await world.wallet(mallory)).toBe(0);
  expect((await world.wallet(person)) - before).toBe(50_00);
});

test('a payout that somebody else says was paid or failed stays as it is', async () => {
  await world.saccos.fund(person.id, 5_000_00);
  const { body } = await world.call('POST', '/integrations/mpesa/withdraw', {
    as: person,
    body: { amount: 1_000, phone: person.phone },
  });
  const before = await world.wallet(person);
  const told = (ResultCode: number) => ({
    Result: {
      ResultType: 0,
      ResultCode,
      ResultDesc: 'x',
      OriginatorConversationID: body.withdrawal.id,
      ConversationID: 'AG_forged',
      TransactionID: 'FAKEPAID01',
      ResultParameters: {
        ResultParameter: [
          { Key: 'TransactionAmount', Value: 1_000 },
          { Key: 'TransactionReceipt', Value: 'FAKEPAID01' },
        ],
      },
    },
  });
  for (const code of [2001, 0, 1, 2001]) {
    await atOnce(3, () => world.callBack(`/b2c/${body.withdrawal.id}/result`, told(code)));
  }
  expect(await world.wallet(person)).toBe(before);
  const { body: after } = await world.call('GET', `/integrations/mpesa/withdrawals/${body.withdrawal.id}`, {
    as: person,
  });
  expect(after.status).toBe('reserved');
});

test('an operator cannot resolve one exception twice, at once or with two words', async () => {
  const operator = await world.operator();
  const [exception] = await world.database.sql<{ id: string }[]>`
    select id from money_exceptions where resolved_at is null and held_in = 'nowhere' limit 1`;
  const answers = await atOnce(20, (index) =>
    world.call('POST', `/operator/deposits/${exception?.id}/resolution`, {
      as: operator,
      key: `r${index}`,
      body: { action: 'dismiss', reason: 'Forged by a test.' },
    }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
});

test('a receipt that was read over a shoulder does not tell its payment’s worth', async () => {
  const paid = await fetch(`${world.origin}/simulator/api/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '254711222333', amount: 4_321, account_reference: 'NOBODYS' }),
  });
  const { receipt } = (await paid.json()) as { receipt: string };
  const mallory = await world.person('Mallory');
  const { body } = await world.call('POST', '/integrations/mpesa/transaction-checker', {
    as: mallory,
    body: { transaction_id: receipt, phone_number: mallory.phone },
  });
  const claim = () => world.call('GET', `/integrations/mpesa/transaction-checker/${body.claim.id}`, { as: mallory });
  await expect
    .poll(
      async () => {
        world.database.world.advance(1_000);
        await quiet();
        return (await claim()).body.status;
      },
      { timeout: 5_000 },
    )
    .toBe('failed');
  expect((await claim()).body.amount).toBe(null);
});
