import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openException } from './money-exceptions.ts';
import { readPaymentList } from './read-payment-list.ts';
import { askAgain, lockStatusQuery } from './status-queries.ts';
import { agreed } from './test-payers.ts';
import { resolveByTwo } from './test-two-operators.ts';
import { openPaybill, type Person, paidCallback, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
});
beforeEach(() => world.settle());
afterAll(async () => {
  await world.audit();
  await world.close();
});

const MINUTE = 60_000;

const claim = (person: Person, receipt: string, phone = person.phone, key?: string) =>
  world.as(
    person,
    'POST',
    '/integrations/mpesa/transaction-checker',
    { transaction_id: receipt, phone_number: phone },
    key,
  );
/** Books a listed payment by M-Pesa's answer about it. */
async function book(receipt: string): Promise<void> {
  const { database, clientSettings } = world;
  const [query] = await database.owner<{ id: string }[]>`
    update status_queries q set state = 'answered', next_ask_at = null, answer = jsonb_build_object('receipt', p.receipt, 'status', 'Completed',
      'amountCents', p.amount_cents, 'payeeShortcode', ${clientSettings.shortcode}::text, 'payerPhone', null, 'receiverPhone', null, 'paidAt', null,
      'originatorConversationId', null)
    from paybill_payments p where p.receipt = ${receipt} and q.about_id = p.id returning q.id`;
  await world.tasks.settle_status?.({ id: query?.id });
}
/** Whether a transaction waits for a lock of another one. */
const isWaitedFor = async ({ owner }: WalletWorld['database']) =>
  (await owner`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length >
  0;
const read = async (person: Person, id: string) =>
  (await world.as(person, 'GET', `/integrations/mpesa/transaction-checker/${id}`)).body;

/** A person pays to the paybill by hand. With `silent`, M-Pesa sends us no callback. */
async function payPaybill(phone: string, amount: number, account: string, silent = false): Promise<string> {
  if (silent) await world.befall('c2b', 'drop');
  const { body } = await world.call('/api/payments', { phone, amount, account_reference: account });
  return body.receipt as string;
}

describe('a payment to the paybill', () => {
  test('is refused by our validation when its account number is nobody’s', async () => {
    const person = await world.person();
    const ask = (account: string) =>
      world.callBack('/c2b/validation', {
        TransactionType: 'Pay Bill',
        TransID: 'SGH7XK2L9V',
        TransAmount: '50.00',
        BusinessShortCode: world.clientSettings.shortcode,
        BillRefNumber: account,
        MSISDN: '254711***200',
      });
    // An ID number is not accepted: anybody may have signed up with it.
    expect((await ask(person.idNumber)).body).toEqual({ ResultCode: 'C2B00012', ResultDesc: 'Rejected' });
    expect((await ask('church fund')).body).toEqual({ ResultCode: 'C2B00012', ResultDesc: 'Rejected' });
    expect((await ask(person.account)).body).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' });
    expect((await ask(`0${person.phone.slice(3)}`)).body).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' });
  });

  test('under a member’s account number goes into that member’s wallet, whoever paid', async () => {
    const person = await world.person();
    const receipt = await payPaybill('254711000200', 1_200, ` ${person.account} `);
    await world.settle();
    expect(await world.funds(person)).toMatchObject({ available: 120_000 });
    const { body } = await world.as(person, 'GET', '/client/transactions');
    expect(body.results).toMatchObject([{ kind: 'top_up', description: 'Payment to the paybill', receipt }]);
  });

  test('under an unknown account waits in suspense, until its payer claims it', async () => {
    const person = await world.person();
    const receipt = await payPaybill(person.phone, 340, 'my savings');
    await world.settle();
    expect(await world.exceptions()).toMatchObject([{ kind: 'paybill_account_unknown', held_in: 'suspense', receipt }]);
    expect((await world.audit()).suspense).toBe(34_000);
    const { body } = await claim(person, receipt);
    await world.settle();
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'credited', amount: 340 });
    expect(await world.funds(person)).toMatchObject({ available: 34_000 });
    expect((await world.audit()).suspense).toBe(0);
    expect(await world.exceptions()).toEqual([]);
  });

  test('that is reported with the right secret, but that M-Pesa does not confirm, credits nobody', async () => {
    const person = await world.person();
    const body = {
      TransactionType: 'Pay Bill',
      TransID: 'SGH7XK2L9Z',
      TransTime: '20260302090000',
      TransAmount: '5000.00',
      BusinessShortCode: world.clientSettings.shortcode,
      BillRefNumber: person.account,
      MSISDN: '254711***200',
      FirstName: 'JOHN',
    };
    expect((await world.callBack('/c2b/confirmation', body)).body).toEqual({ ResultCode: 0, ResultDesc: 'Accepted' });
    await world.settle();
    for (const minutes of [1, 2, 10, 60, 360, 360, 360]) await world.sweep(minutes * MINUTE);
    expect(await world.funds(person)).toMatchObject({ available: 0 });
    expect(await world.exceptions()).toMatchObject([{ kind: 'paybill_unverified', receipt: 'SGH7XK2L9Z' }]);
  });

  test('that a forger reports first under another account number goes to the account that its payer named', async () => {
    const [person, mallory] = [await world.person(), await world.person()];
    await world.befall('c2b', 'delay=20000');
    const receipt = await payPaybill(person.phone, 1_300, person.account);
    const told = {
      TransactionType: 'Pay Bill',
      TransID: receipt,
      TransAmount: '1300.00',
      BusinessShortCode: world.clientSettings.shortcode,
      BillRefNumber: mallory.account,
    };
    expect((await world.callBack('/c2b/confirmation', told)).status).toBe(200);
    await world.settle();
    await world.settle(30_000);
    expect(await world.funds(mallory)).toMatchObject({ available: 0 });
    expect(await world.funds(person)).toMatchObject({ available: 130_000 });
  });

  test('whose confirmation never came is found in M-Pesa’s list', async () => {
    const person = await world.person();
    // A token that expires twice in a row does not count as a refusal of the list. If it did, the callback's account
    // number would be believed (fuzzer, seed 20261121).
    await world.befall('pull', 'not_enabled', 2);
    await world.tasks.read_payment_list?.({});
    await payPaybill(person.phone, 1_400, person.account, true);
    await world.settle();
    expect(await world.funds(person)).toMatchObject({ available: 0 });
    await world.tasks.read_payment_list?.({});
    await world.settle();
    expect(await world.funds(person)).toMatchObject({ available: 140_000 });
  });

  test('is found when the list has more pages than one run reads: the next run goes on where it ended', async () => {
    const { deps, database } = world;
    const receipt = await payPaybill('254711000205', 55, 'many before it');
    await world.settle();
    database.world.advance(120 * MINUTE);
    const now = database.now();
    const paidAt = new Date(now.getTime() - 60 * MINUTE);
    const reading = async (lastPage: number) => {
      const asked: Date[] = [];
      const pull: typeof deps.daraja.pull = async ({ from, offset }) => {
        asked.push(from);
        const payments =
          offset === 0 ? [{ receipt, amountCents: 55_00, accountReference: '', payer: null, paidAt }] : [];
        return { outcome: 'accepted', payments, isLast: offset === lastPage * 100 };
      };
      await readPaymentList({ ...deps, daraja: { ...deps.daraja, pull } }, now);
      return asked;
    };
    expect(await reading(1_000)).toHaveLength(200);
    expect((await reading(1))[0]).toEqual(new Date(paidAt.getTime() - 10 * MINUTE));
    expect((await reading(1))[0]).toEqual(new Date(now.getTime() - 10 * MINUTE));
  });
});

test('a payment by hand with the account of a prompt under way is that prompt’s, unless the list shows another payer', async () => {
  const person = await world.person();
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 200, phone: person.phone }, 'list');
  await world.settle();
  const { database, deps } = world;
  const [prompt] = await database.owner<{ account_reference: string }[]>`
    select account_reference from simulator.prompt where phone = ${person.phone}`;
  const listed = async (receipt: string, payer: string | null) => {
    const payment = { receipt, amountCents: 200_00, accountReference: prompt?.account_reference ?? '', payer };
    const pull: typeof deps.daraja.pull = async () => ({
      ...{ outcome: 'accepted', isLast: true },
      payments: [{ ...payment, paidAt: database.now() }],
    });
    await readPaymentList({ ...deps, daraja: { ...deps.daraja, pull } }, database.now());
    return (await database.owner`select from paybill_payments where receipt = ${receipt}`).length;
  };
  const masked = `${person.phone.slice(0, 6)}***${person.phone.slice(-3)}`;
  expect([await listed('SAA0000001', person.phone), await listed('SAA0000002', masked)]).toEqual([0, 0]);
  expect(await listed('SAA0000003', null)).toBe(0);
  expect(await listed('SAA0000004', '254799999999')).toBe(1);
  expect(await listed('SAA0000005', `${person.phone.slice(0, 6)}***000`)).toBe(1);
});

test('a forger who knows the callback address cannot change how money in suspense is shown or who gets it', async () => {
  const [person, operator] = [await world.person(), await world.person()];
  const receipt = await payPaybill(person.phone, 500, 'typo', true);
  const ghost = world.database.newId();
  const tell = (amount: number, phone: string) =>
    world.callBack(`/stk/${ghost}`, paidCallback('ws_CO_ghost', receipt, amount, phone));
  expect((await tell(500, person.phone)).status).toBe(200);
  await world.settle();
  for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
  const inSuspense = async () => (await world.exceptions()).filter((each) => each.receipt === receipt);
  const before = await inSuspense();
  expect(before).toMatchObject([{ kind: 'paybill_account_unknown', held_in: 'suspense', amount_cents: 50_000 }]);
  expect((await tell(90_000, operator.phone)).status).toBe(200);
  await world.settle();
  expect(await inSuspense()).toEqual(before);
  const [about] = await world.database.owner<{ type: string; id: string }[]>`
    select about_type as type, about_id as id from money_exceptions where id = ${before[0]?.id ?? ''}`;
  const told = { receipt, about: about ?? null, phone: operator.phone, amountCents: 9_000_000, detail: {} };
  await world.database.transaction((tx) => openException(tx, { kind: 'paybill_account_unknown', ...told }));
  expect(await inSuspense()).toEqual(before);
  await expect(
    world.database.owner`update money_exceptions set amount_cents = 9000000 where id = ${before[0]?.id ?? ''}`,
  ).rejects.toThrow('the amount of money that stands in the books is not changed');
  const { suspense } = await world.audit();
  await world.database.transaction((tx) =>
    resolveByTwo(
      tx,
      { userId: operator.id },
      { exceptionId: before[0]?.id ?? '', action: 'credit', userId: person.id, reason: 'by SMS' },
    ),
  );
  expect(await world.funds(person)).toMatchObject({ available: 50_000 });
  expect((await world.audit()).suspense).toBe(suspense - 50_000);
});

describe('a claim of a receipt', () => {
  test('for money that M-Pesa never reported is credited once, though claimed twice at once', async () => {
    const person = await world.person();
    const receipt = await payPaybill(person.phone, 555, 'typo', true);
    await world.settle();
    const [first, second] = await Promise.all([claim(person, receipt), claim(person, receipt)]);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.body.message).toBe('Request Send... Please wait as we process');
    expect(first.body.claim.id).toBe(second.body.claim.id);
    await world.settle();
    expect(await read(person, first.body.claim.id)).toMatchObject({ status: 'credited', amount: 555 });
    expect(await world.funds(person)).toMatchObject({ available: 55_500 });
    expect((await claim(person, receipt)).body.code).toBe('receipt_already_claimed');
  });

  test('may be pasted as the whole SMS', async () => {
    const person = await world.person();
    const receipt = await payPaybill(person.phone, 90, 'typo', true);
    const { body } = await claim(person, `${receipt} Confirmed. Ksh90.00 sent to USHIRIKA for account typo on 2/3/26`);
    expect(body.claim).toMatchObject({ transaction_id: receipt });
    expect((await claim(person, 'not a receipt')).body.code).toBe('validation_failed');
  });

  test('for a top-up whose callback comes at the same moment credits once', async () => {
    const person = await world.person();
    const asked = await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 610, phone: person.phone });
    await world.settle();
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    const { body } = await claim(person, receipt);
    await Promise.all([world.simulator.tick(), world.runJobs()]);
    await world.settle();
    await world.sweep(MINUTE);
    expect(await world.funds(person)).toMatchObject({ available: 61_000 });
    expect(await read(person, body.claim?.id)).toMatchObject({ status: 'credited' });
    const deposit = await world.as(person, 'GET', `/integrations/mpesa/deposits/${asked.body.deposit.id}`);
    expect(deposit.body).toMatchObject({ status: 'paid', receipt });
  });

  test('for a top-up that a query has credited only adds its receipt', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'drop');
    const asked = await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 620, phone: person.phone });
    await world.settle();
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.befall('transaction_status', 'drop');
    await world.sweep(31_000);
    const { body } = await claim(person, receipt);
    await world.settle();
    expect(await world.funds(person)).toMatchObject({ available: 62_000 });
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'credited' });
    const deposit = await world.as(person, 'GET', `/integrations/mpesa/deposits/${asked.body.deposit.id}`);
    expect(deposit.body).toMatchObject({ status: 'paid', receipt });
  });

  test('for a top-up whose push and callback were lost settles that top-up', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'lost_response,drop');
    const asked = await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 630, phone: person.phone });
    await world.settle();
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
    const { body } = await claim(person, receipt);
    await world.settle();
    expect(await world.funds(person)).toMatchObject({ available: 63_000 });
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'credited' });
    const deposit = await world.as(person, 'GET', `/integrations/mpesa/deposits/${asked.body.deposit.id}`);
    expect(deposit.body).toMatchObject({ status: 'paid', receipt });
  });

  test('that M-Pesa does not know is asked about again, and fails in the end', async () => {
    const person = await world.person();
    const { body } = await claim(person, 'SGH7XK2L9C');
    await world.settle();
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'pending' });
    for (const minutes of [1, 3, 11, 61]) await world.sweep(minutes * MINUTE);
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'failed', text: expect.stringContaining('SMS') });
  });

  test('that is put off at the moment at which its payment is booked is asked about again at once', async () => {
    const { database } = world;
    const person = await world.person();
    const receipt = await payPaybill(person.phone, 95, 'my savings', true);
    const { body } = await claim(person, receipt);
    await world.tasks.read_payment_list?.({});
    const [question] = await database.owner<{ id: string }[]>`
      update status_queries set state = 'answered', answer = '{}', next_ask_at = null where about_id = ${body.claim.id} returning id`;
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The claim looked before the payment was booked, and is about to put its question off.
    const settling = database.transaction(async (tx) => {
      await lockStatusQuery(tx, question?.id as string);
      isHeld.resolve();
      await mayEnd.promise;
      await askAgain(tx, { id: question?.id as string });
    });
    await isHeld.promise;
    const booking = book(receipt);
    await Promise.race([booking, vi.waitUntil(() => isWaitedFor(database), 10_000)]);
    mayEnd.resolve();
    await Promise.all([settling, booking]);
    const [{ is_due } = { is_due: null }] = await database.owner`
      select next_ask_at <= ${database.now()} as is_due from status_queries where id = ${question?.id as string}`;
    expect(is_due).toBe(true);
    await world.settle();
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'credited', amount: 95 });
  });

  test('from another phone than the one that paid fails, and moves nothing', async () => {
    const person = await world.person();
    const receipt = await payPaybill('254711000201', 77, 'typo', true);
    const { body } = await claim(person, receipt);
    await world.settle();
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'failed' });
    expect(await world.funds(person)).toMatchObject({ available: 0 });
  });

  test('by a stranger who knows receipt and phone goes to review, and the owner still gets the money', async () => {
    const [owner, stranger] = [await world.person(), await world.person()];
    await world.tasks.read_payment_list?.({});
    await world.settle();
    const before = (await world.audit()).suspense;
    const receipt = await payPaybill(owner.phone, 88, 'typo', true);
    const { body } = await claim(stranger, receipt, owner.phone);
    await world.settle();
    expect(await read(stranger, body.claim.id)).toMatchObject({ status: 'review' });
    expect(await world.funds(stranger)).toMatchObject({ available: 0 });
    expect((await world.audit()).suspense - before).toBe(8_800);
    const own = await claim(owner, receipt);
    await world.settle();
    expect(await read(owner, own.body.claim.id)).toMatchObject({ status: 'credited' });
    expect(await world.funds(owner)).toMatchObject({ available: 8_800 });
    expect((await world.audit()).suspense - before).toBe(0);
  });

  test('for a prompt that another person asked for leaves the money to that top-up, which M-Pesa’s list names', async () => {
    const [asker, payer] = [await world.person(), await world.person()];
    await world.befall('stk_push', 'drop,lost_response');
    await agreed(world.database, asker.id, payer.phone);
    await world.as(asker, 'POST', '/integrations/mpesa/deposit', { amount: 635, phone: payer.phone });
    await world.settle();
    const receipt = (await world.answerPrompt(payer.phone, 'approve')) as string;
    const { body } = await claim(payer, receipt);
    await world.settle();
    expect(await read(payer, body.claim.id)).toMatchObject({ status: 'failed' });
    expect(await world.funds(payer)).toMatchObject({ available: 0 });
    expect(await world.funds(asker)).toMatchObject({ available: 63_500 });
  });

  test('that was credited before its prompt was known as paid is not credited again through the prompt', async () => {
    // Where M-Pesa refuses us its list, only a claim finds such a payment.
    await world.befall('pull', 'not_enabled', 1000);
    await world.tasks.read_payment_list?.({});
    await world.settle(61 * MINUTE);
    await world.tasks.read_payment_list?.({});
    const [asker, payer] = [await world.person(), await world.person()];
    await world.befall('stk_push', 'drop');
    await agreed(world.database, asker.id, payer.phone);
    const asked = await world.as(asker, 'POST', '/integrations/mpesa/deposit', { amount: 640, phone: payer.phone });
    const { id } = asked.body.deposit;
    await world.settle();
    const receipt = (await world.answerPrompt(payer.phone, 'approve')) as string;
    await world.befall('stk_query', 'http_500', 1000);
    for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
    const { body } = await claim(payer, receipt);
    await world.settle();
    expect(await read(payer, body.claim.id)).toMatchObject({ status: 'credited' });
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    await world.tasks.verify_deposit?.({ id });
    await world.settle();
    expect(await world.funds(payer)).toMatchObject({ available: 64_000 });
    expect(await world.funds(asker)).toMatchObject({ available: 0 });
    const open = (await world.exceptions()).filter((each) => each.receipt === receipt);
    expect(open).toMatchObject([{ kind: 'receipt_of_another' }]);
    await world.database.owner`update mpesa_lists set refused_until = null`;
  });

  test('for the receipt of a withdrawal credits nothing', async () => {
    const person = await world.person();
    await payPaybill(person.phone, 1_000, person.account);
    await world.settle();
    await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount: 400, phone: person.phone });
    await world.settle();
    const [row] = await world.database.sql<{ receipt: string }[]>`
      select receipt from withdrawals where user_id = ${person.id}`;
    const { body } = await claim(person, row?.receipt ?? '');
    await world.settle();
    expect(await read(person, body.claim.id)).toMatchObject({ status: 'failed' });
    expect(await world.funds(person)).toEqual({ available: 60_000, held: 0 });
  });
});

describe('an operator', () => {
  test('credits money in suspense to a member once, with a reason', async () => {
    const [person, operator] = [await world.person(), await world.person()];
    const receipt = await payPaybill('254711000202', 150, 'church fund');
    await world.settle();
    const [open] = (await world.exceptions()).filter((each) => each.receipt === receipt);
    const resolve = (action: 'credit' | 'dismiss', userId?: string) =>
      world.database.transaction((tx) =>
        resolveByTwo(tx, { userId: operator.id }, { exceptionId: open?.id ?? '', action, userId, reason: 'by SMS' }),
      );
    await expect(resolve('dismiss')).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(resolve('credit')).rejects.toMatchObject({ code: 'validation_failed' });
    const twice = await Promise.allSettled([resolve('credit', person.id), resolve('credit', person.id)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(resolve('credit', person.id)).rejects.toMatchObject({ code: 'exception_already_resolved' });
    expect(await world.funds(person)).toMatchObject({ available: 15_000 });
    expect((await claim(person, receipt)).body.code).toBe('receipt_already_claimed');
  });

  test('notes that money in suspense was sent back, and it leaves the books', async () => {
    const operator = await world.person();
    const receipt = await payPaybill('254711000203', 160, 'church fund');
    await world.settle();
    const before = await world.audit();
    const [open] = (await world.exceptions()).filter((each) => each.receipt === receipt);
    await world.database.transaction((tx) =>
      resolveByTwo(
        tx,
        { userId: operator.id },
        { exceptionId: open?.id ?? '', action: 'return_note', reason: 'reversed on the portal' },
      ),
    );
    const after = await world.audit();
    expect([before.float - after.float, before.suspense - after.suspense]).toEqual([16_000, 16_000]);
  });
});
