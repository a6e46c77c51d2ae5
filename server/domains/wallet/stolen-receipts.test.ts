import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimReceipt } from './claim-receipt.ts';
import { requestDeposit } from './request-deposit.ts';
import { agreed } from './test-payers.ts';
import { resolveByTwo } from './test-two-operators.ts';
import { openPaybill, type Person, paidCallback, type WalletWorld, walletWorld } from './test-wallet.ts';

/* What a thief who knows the callback address, and other people's receipts and phones, can do with them: nothing. */

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
});
beforeEach(() => world.settle());
afterEach(async () => {
  restore();
  await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
  await world.database.owner`update mpesa_lists set refused_until = null`;
  await world.audit();
});
afterAll(() => world.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function payByHand(phone: string, amount: number, account: string): Promise<string> {
  const { body } = await world.call('/api/payments', { phone, amount, account_reference: account });
  return body.receipt as string;
}

interface Asked {
  readonly id: string;
  /** Somebody who stands beside the phone can learn it. */
  readonly checkout: string;
}

/** A top-up that its owner asks for on any phone, and whose prompt nobody answers. */
async function askFor(owner: Person, amount: number, phone: string, push = ''): Promise<Asked> {
  if (push) await world.befall('stk_push', push);
  if (phone !== owner.phone) await agreed(world.database, owner.id, phone);
  const id = await world.database.transaction((tx) =>
    requestDeposit(tx, { userId: owner.id }, { amountCents: amount * 100, phone }),
  );
  await world.settle();
  const [prompt] = await world.database.owner<{ checkout: string }[]>`
    select checkout_request_id as checkout from simulator.prompt where phone = ${phone} order by ordinal desc limit 1`;
  return { id, checkout: prompt?.checkout ?? '' };
}

const tellPaid = (deposit: Asked, receipt: string, amount: number, phone: string) =>
  world.callBack(`/stk/${deposit.id}`, paidCallback(deposit.checkout, receipt, amount, phone));

const tellPaybill = (receipt: string, amount: number, account: string) =>
  world.callBack('/c2b/confirmation', {
    TransactionType: 'Pay Bill',
    TransID: receipt,
    TransTime: '20260302090000',
    TransAmount: `${amount}.00`,
    BusinessShortCode: world.clientSettings.shortcode,
    BillRefNumber: account,
    MSISDN: '254711***200',
    FirstName: 'X',
  });

async function passDays(): Promise<void> {
  for (const hours of [1, 1, 6, 12, 24, 24, 24]) await world.sweep(hours * HOUR);
}

/** M-Pesa refuses us its list of payments for good. */
async function refuseList(): Promise<void> {
  await world.database.owner`
    insert into mpesa_lists (shortcode, refused_until) values (${world.clientSettings.shortcode}, 'infinity')
    on conflict (shortcode) do update set refused_until = 'infinity'`;
}

/** M-Pesa finds no payment by the id of its request. Undone after each test. */
function findByReceiptOnly(): void {
  const { daraja } = world.deps;
  const transactionStatus: typeof daraja.transactionStatus = async (request) =>
    request.receipt === undefined && !request.isPayout
      ? { outcome: 'rejected', code: '400', message: 'Invalid OriginalConversationID', kind: 'invalid_request' }
      : daraja.transactionStatus(request);
  Object.assign(world.deps, { daraja: { ...daraja, transactionStatus } });
  restore = () => Object.assign(world.deps, { daraja });
}
let restore = () => {};

const suspenseOf = async (receipt: string) =>
  (await world.exceptions()).filter((each) => each.receipt === receipt && each.held_in === 'suspense');

describe('a payment in suspense', () => {
  // When M-Pesa's answer to the prompt was lost, only the time shows that the payment is another's.
  test.each(['', 'lost_response'])(
    'is not given to a top-up that a forged callback names, though its phone and amount are the same %s',
    async (push) => {
      const [payer, thief] = [await world.person(), await world.person()];
      const deposit = await askFor(thief, 3_100, payer.phone, push);
      if (!push) await world.answerPrompt(payer.phone, 'cancel');
      const receipt = await payByHand(payer.phone, 3_100, 'my savings');
      await world.settle();
      await tellPaid(deposit, receipt, 3_100, payer.phone);
      await world.settle();
      await passDays();
      expect(await world.funds(thief)).toMatchObject({ available: 0 });
      expect(await suspenseOf(receipt)).toMatchObject([{ kind: 'paybill_account_unknown' }]);
      await world.database.transaction((tx) => claimReceipt(tx, { userId: payer.id }, { receipt, phone: payer.phone }));
      await world.sweep(MINUTE);
      expect(await world.funds(payer)).toMatchObject({ available: 310_000 });
    },
  );

  test.each([
    ['at the time, to which M-Pesa gave another name', '', 0, 0],
    ['after it, whose own name was lost', 'lost_response', 30 * MINUTE, 0],
    ['before it, whose own name was lost', 'lost_response', 0, 30 * MINUTE],
  ])('is not given to it when M-Pesa refuses its list: a top-up asked for %s', async (_, push, before, after) => {
    await refuseList();
    const [payer, thief] = [await world.person(), await world.person()];
    const payNow = async () => {
      const paid = await payByHand(payer.phone, 3_200, 'my savings');
      await world.settle();
      return paid;
    };
    const early = before > 0 ? await payNow() : null;
    await world.sweep(before);
    const deposit = await askFor(thief, 3_200, payer.phone, push);
    await world.sweep(after);
    const receipt = early ?? (await payNow());
    await tellPaid(deposit, receipt, 3_200, payer.phone);
    await passDays();
    expect(await world.funds(thief)).toMatchObject({ available: 0 });
    expect(await suspenseOf(receipt)).toMatchObject([{ kind: 'paybill_account_unknown' }]);
  });

  test('is not given away again after it was sent back to its payer', async () => {
    const [payer, other, operator] = [await world.person(), await world.person(), await world.person()];
    await refuseList();
    const deposit = await askFor(payer, 3_300, payer.phone, 'lost_response');
    const receipt = await payByHand(payer.phone, 3_300, 'send it back');
    await payByHand(other.phone, 3_300, 'somebody else’s');
    // The prompt, which this payment may have answered, expires.
    for (const minutes of [1, 3, 11, 61, 1, 1]) await world.sweep(minutes * MINUTE);
    const [exception] = await suspenseOf(receipt);
    const back = { exceptionId: exception?.id ?? '', action: 'return_note' as const, reason: 'They asked for it.' };
    await world.database.transaction((tx) => resolveByTwo(tx, { userId: operator.id }, back));
    await tellPaid(deposit, receipt, 3_300, payer.phone);
    await passDays();
    expect(await world.funds(payer)).toMatchObject({ available: 0 });
    const [row] = await world.database.owner`select state from deposits where id = ${deposit.id}`;
    expect(row?.state).toBe('review');
    await expect(
      world.database
        .owner`update mpesa_receipts set credited_to = 'wallet', user_id = ${payer.id} where receipt = ${receipt}`,
    ).rejects.toThrow('was sent back');
  });

  test('is shown to operators without an account number that only a callback named', async () => {
    const [payer, thief] = [await world.person(), await world.person()];
    await world.befall('c2b', 'drop');
    await world.befall('pull', 'http_500', 1000);
    const receipt = await payByHand(payer.phone, 3_400, 'my savings');
    await tellPaybill(receipt, 3_400, thief.account);
    await world.settle();
    await world.sweep(31 * MINUTE);
    await world.sweep(MINUTE);
    const [shown] = await world.database.owner<{ kind: string; detail: Record<string, unknown> }[]>`
      select kind, detail from money_exceptions where receipt = ${receipt} and held_in = 'suspense'`;
    expect(shown?.kind).toBe('paybill_unlisted');
    expect(JSON.stringify(shown?.detail)).not.toContain(thief.account);
  });

  test('is shown to operators with its account number once M-Pesa’s list names it', async () => {
    const [payer, friend] = [await world.person(), await world.person()];
    await world.befall('pull', 'http_500', 1000);
    const receipt = await payByHand(payer.phone, 3_425, friend.account);
    await world.settle();
    await world.sweep(31 * MINUTE);
    await world.sweep(MINUTE);
    expect(await suspenseOf(receipt)).toMatchObject([{ kind: 'paybill_unlisted' }]);
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    await world.tasks.read_payment_list?.({});
    await world.settle();
    const [shown] = await world.database.owner<{ account: string }[]>`
      select detail ->> 'account' as account from money_exceptions where receipt = ${receipt} and held_in = 'suspense'`;
    expect(shown?.account).toBe(friend.account);
    // The account's owner claims it. The claim goes to review, since another person paid; the exception names the
    // claimant.
    await world.database.transaction((tx) => claimReceipt(tx, { userId: friend.id }, { receipt, phone: payer.phone }));
    for (const minutes of [1, 2, 10]) await world.sweep(minutes * MINUTE);
    const [asked] = await world.database.owner<{ claimant: string }[]>`
      select detail ->> 'claimed_by' as claimant from money_exceptions where receipt = ${receipt} and held_in = 'suspense'`;
    expect(asked?.claimant).toBe(friend.id);
  });

  test('is shown to operators as what it is, not as the top-up that a forged callback named', async () => {
    const [payer, thief] = [await world.person(), await world.person()];
    await world.befall('pull', 'http_500', 3);
    await world.befall('c2b', 'drop');
    const receipt = await payByHand(payer.phone, 3_450, 'my savings');
    const deposit = await askFor(thief, 3_450, thief.phone);
    await world.answerPrompt(thief.phone, 'cancel');
    await tellPaid(deposit, receipt, 3_450, thief.phone);
    await world.settle();
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    await world.tasks.read_payment_list?.({});
    for (const minutes of [2, 10, 60]) await world.sweep(minutes * MINUTE);
    const shown = await world.database.owner<{ kind: string; about_id: string }[]>`
      select kind, about_id from money_exceptions where receipt = ${receipt} and held_in = 'suspense'`;
    expect(shown).toMatchObject([{ kind: 'paybill_account_unknown' }]);
    expect(shown[0]?.about_id).not.toBe(deposit.id);
    expect((await world.exceptions()).filter((each) => each.receipt === receipt)).toHaveLength(1);
  });
});

describe('when M-Pesa refuses us its list', () => {
  beforeEach(refuseList);

  test.each([
    ['own account number', '', false],
    ['another’s account number', '', false],
    ['own account number', ', and M-Pesa names no request', true],
    ['another’s account number', ', and M-Pesa names no request', true],
  ])(
    'a prompt’s payment that somebody tells of as one by hand, under the %s, is credited once%s',
    async (under, _, isUnnamed) => {
      const [payer, other] = [await world.person(), await world.person()];
      if (isUnnamed) {
        await world.befall('transaction_status', 'request_unnamed', 1000);
        await world.befall('stk_push', 'drop');
        findByReceiptOnly();
      }
      const deposit = await askFor(payer, 3_500, payer.phone);
      await world.befall('stk_query', 'http_500', 2);
      const receipt = (await world.answerPrompt(payer.phone, 'approve')) as string;
      await tellPaybill(receipt, 3_500, under.startsWith('own') ? payer.account : other.account);
      await world.settle();
      for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
      expect(await world.funds(payer)).toMatchObject({ available: 350_000 });
      expect(await world.funds(other)).toMatchObject({ available: 0 });
      const [row] = await world.database.owner`select state from deposits where id = ${deposit.id}`;
      expect(row?.state).toBe('paid');
      expect(await suspenseOf(receipt)).toEqual([]);
    },
  );

  test('a top-up that expired, and was credited as a payment by hand, is not credited again when M-Pesa says paid', async () => {
    const payer = await world.person();
    await world.befall('transaction_status', 'request_unnamed', 1000);
    await world.befall('stk_push', 'drop');
    findByReceiptOnly();
    const deposit = await askFor(payer, 3_560, payer.phone);
    await world.befall('stk_query', 'http_500', 1000);
    const receipt = (await world.answerPrompt(payer.phone, 'approve')) as string;
    for (const minutes of [1, 3, 11, 61, 11]) await world.sweep(minutes * MINUTE);
    await tellPaybill(receipt, 3_560, payer.account);
    for (const minutes of [1, 3, 11]) await world.sweep(minutes * MINUTE);
    expect(await world.funds(payer)).toMatchObject({ available: 356_000 });
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    await tellPaid(deposit, receipt, 3_560, payer.phone);
    for (const minutes of [1, 3, 11]) await world.sweep(minutes * MINUTE);
    expect(await world.funds(payer)).toMatchObject({ available: 356_000 });
    const [row] = await world.database.owner`select state from deposits where id = ${deposit.id}`;
    expect(row?.state).toBe('paid');
  });

  test.each([
    ['another request', 'request_unnamed=1234-5678-9', false],
    ['no request', 'request_unnamed', false],
    ['another request, and it is claimed at once', 'request_unnamed=1234-5678-9', true],
    ['no request, and it is claimed at once', 'request_unnamed', true],
  ])('a top-up counts once where transaction status names %s', async (_, fault, isClaimed) => {
    const payer = await world.person();
    await world.befall('transaction_status', fault, 1000);
    findByReceiptOnly();
    await askFor(payer, 3_550, payer.phone);
    if (isClaimed) await world.befall('stk_push', 'drop');
    const receipt = (await world.answerPrompt(payer.phone, 'approve')) as string;
    const claim = () =>
      world.database.transaction((tx) => claimReceipt(tx, { userId: payer.id }, { receipt, phone: payer.phone }));
    if (isClaimed) await claim();
    await world.settle();
    for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
    await claim().catch(() => {});
    for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
    expect(await world.funds(payer)).toMatchObject({ available: 355_000 });
    expect(await suspenseOf(receipt)).toEqual([]);
  });

  test('a payment by hand is not given to a top-up, whatever account number a forged confirmation names', async () => {
    const [payer, thief] = [await world.person(), await world.person()];
    await world.befall('c2b', 'drop');
    const receipt = await payByHand(payer.phone, 3_600, 'my savings');
    await world.settle(30 * MINUTE);
    const deposit = await askFor(thief, 3_600, payer.phone);
    await world.answerPrompt(payer.phone, 'cancel');
    const [row] = await world.database.owner<{ reference: string }[]>`
      select reference from deposits where id = ${deposit.id}`;
    await tellPaybill(receipt, 3_600, row?.reference ?? '');
    await world.settle();
    await passDays();
    expect(await world.funds(thief)).toMatchObject({ available: 0 });
    expect(await suspenseOf(receipt)).toHaveLength(1);
  });
});

describe('a payment by hand under the payer’s phone number', () => {
  test('is its owner’s, though another person signed up with that number as an ID number', async () => {
    const [payer, thief, other] = [await world.person(), await world.person(), await world.person()];
    const short = `0${payer.phone.slice(3)}`;
    await world.database.owner`update users set id_number = ${short} where id = ${thief.id}`;
    await world.database.owner`update users set id_number = ${payer.phone} where id = ${other.id}`;
    await payByHand(payer.phone, 3_900, short);
    await payByHand(payer.phone, 3_901, payer.phone);
    await payByHand(payer.phone, 3_902, `0${thief.phone.slice(3)}`);
    await world.settle();
    expect(await world.funds(payer)).toMatchObject({ available: 780_100 });
    expect(await world.funds(other)).toMatchObject({ available: 0 });
    expect(await world.funds(thief)).toMatchObject({ available: 390_200 });
  });

  test('is its owner’s without the first digit too, though that is another person’s ID number', async () => {
    const [payer, other] = [await world.person(), await world.person()];
    await world.database.owner`update users set id_number = ${payer.phone.slice(3)} where id = ${other.id}`;
    await payByHand(payer.phone, 3_950, payer.phone.slice(3));
    await world.settle();
    expect(await world.funds(other)).toMatchObject({ available: 0 });
    expect(await world.funds(payer)).toMatchObject({ available: 395_000 });
  });
});

describe('a payment by hand under an account number', () => {
  const exchanged = (text: string, place: number) =>
    text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2);

  test('with one digit wrong, or two exchanged, is nobody’s: no two numbers that we issue are so alike', async () => {
    const { account } = await world.person();
    for (let place = 1; place < 8; place += 1) {
      const slips = [exchanged(account, place)];
      for (let digit = 0; digit < 10; digit += 1)
        slips.push(account.slice(0, place) + digit + account.slice(place + 1));
      for (const slip of slips.filter((text) => text !== account)) {
        const [row] = await world.database.owner<{ digit: string }[]>`select damm_digit(${slip}) as digit`;
        expect([slip, row?.digit]).not.toEqual([slip, '0']);
      }
    }
  });

  test('keeps its owner: the database changes no number and issues none twice', async () => {
    const [one, other] = [await world.person(), await world.person()];
    expect(one.account).toMatch(/^8\d{8}$/);
    expect(one.account).not.toBe(other.account);
    await expect(
      world.database.owner`update users set account_number = ${'848210317'} where id = ${other.id}`,
    ).rejects.toThrow('An account number is not changed.');
    const { body } = await world.as(one, 'GET', '/integrations/mpesa/paybill');
    expect(body).toEqual({ paybill: world.clientSettings.shortcode, account_number: one.account });
  });
});

describe('a flood of callbacks', () => {
  test('about one top-up causes only a few questions to M-Pesa an hour', async () => {
    const person = await world.person();
    const deposit = await askFor(person, 3_700, person.phone);
    await world.answerPrompt(person.phone, 'cancel');
    for (let round = 0; round < 8; round += 1) {
      for (let index = 0; index < 5; index += 1)
        await tellPaid(deposit, `FAKE${String(100_000 + round * 10 + index)}`, 3_700, person.phone);
      await world.settle(1_000);
    }
    const [row] = await world.database.owner<{ count: number }[]>`
      select count(*)::int as count from status_queries where receipt like 'FAKE%'`;
    expect(row?.count).toBe(20);
  });

  test('about unconfirmed payments by hand adds one row to the operator’s list once there are a few hundred', async () => {
    await world.database.owner`
      insert into money_exceptions (id, kind, receipt, held_in, detail, opened_at)
      select gen_random_uuid(), 'paybill_unverified', 'MANY' || lpad(n::text, 6, '0'), 'nowhere', '{}', now()
      from generate_series(1, 200) n`;
    for (let index = 0; index < 3; index += 1) await tellPaybill(`LOTS${String(100_000 + index)}`, 50, 'x');
    for (const minutes of [1, 31, 60, 400, 400, 400, 400]) await world.sweep(minutes * MINUTE);
    const open = (await world.exceptions()).filter(({ kind }) => kind === 'paybill_unverified');
    expect(open).toHaveLength(201);
    await world.database.owner`update money_exceptions set resolved_at = now(), resolution = 'dismiss'
      where kind = 'paybill_unverified' and resolved_at is null`;
  });
});

test('a payment by hand is asked about, however many withdrawals wait to be asked about', async () => {
  const person = await world.person();
  await world.database.owner`
    insert into status_queries (id, purpose, about_id, original_conversation_id, state, asks, next_ask_at, created_at)
    select id, 'withdrawal', id, id::text, 'asked', 3, '2020-01-01', now()
    from (select gen_random_uuid() as id from generate_series(1, 60)) those`;
  await world.befall('transaction_status', 'drop');
  const receipt = await payByHand(person.phone, 3_970, person.account);
  await world.settle();
  expect(await world.funds(person)).toMatchObject({ available: 0 });
  await world.sweep(MINUTE);
  expect(await world.funds(person)).toMatchObject({ available: 397_000 });
  expect(await suspenseOf(receipt)).toHaveLength(0);
  await world.database.owner`delete from status_queries where asks > 2 and purpose = 'withdrawal'`;
});

test('the records of a flood are deleted after 90 days, and what M-Pesa confirmed is kept', async () => {
  const person = await world.person();
  await tellPaybill('FLOD123456', 50, 'x');
  const receipt = await payByHand(person.phone, 3_990, person.account);
  for (const minutes of [1, 31, 60, 400, 400, 400, 400]) await world.sweep(minutes * MINUTE);
  const kept = async () => {
    const rows = await world.database.owner<{ receipt: string; questions: number }[]>`
      select receipt, (select count(*)::int from status_queries q where q.receipt = p.receipt) as questions
      from paybill_payments p where receipt in ('FLOD123456', ${receipt}) order by receipt = ${receipt}`;
    return rows.map((row) => [row.receipt, row.questions]);
  };
  expect(await kept()).toEqual([
    ['FLOD123456', 1],
    [receipt, 1],
  ]);
  for (const days of [88, 4]) {
    world.database.world.advance(days * 24 * HOUR);
    await world.tasks.prune_callback_log?.({});
    expect(await kept()).toEqual(
      days === 88
        ? [
            ['FLOD123456', 1],
            [receipt, 1],
          ]
        : [[receipt, 0]],
    );
  }
});

test('a payment that waits for M-Pesa’s list is booked, though the server was down for months', async () => {
  const person = await world.person();
  await world.befall('pull', 'http_500', 1000);
  const receipt = await payByHand(person.phone, 3_980, person.account);
  await world.settle();
  expect(await suspenseOf(receipt)).toHaveLength(0);
  world.database.world.advance(120 * 24 * HOUR);
  await world.tasks.prune_callback_log?.({});
  await world.sweep(MINUTE);
  expect(await suspenseOf(receipt)).toMatchObject([{ kind: 'paybill_unlisted' }]);
});

test('a claim does not fail because M-Pesa was busy each time it was asked', async () => {
  const person = await world.person();
  const receipt = await payByHand(person.phone, 3_800, 'my savings');
  await world.settle();
  await world.befall('transaction_status', 'busy', 10_000);
  const id = await world.database.transaction((tx) =>
    claimReceipt(tx, { userId: person.id }, { receipt, phone: person.phone }),
  );
  for (let sweep = 0; sweep < 20; sweep += 1) await world.sweep(10 * MINUTE);
  await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
  for (let sweep = 0; sweep < 6; sweep += 1) await world.sweep(10 * MINUTE);
  const [row] = await world.database.owner`select state from receipt_claims where id = ${id}`;
  expect(row?.state).toBe('credited');
});

// The last: its claims stay open, and every later sweep would ask about them.
test('nobody has more than a few receipts checked at once', async () => {
  const person = await world.person();
  const ask = (index: number) =>
    world.as(person, 'POST', '/integrations/mpesa/transaction-checker', {
      transaction_id: `GUES${String(100_000 + index)}`,
      phone_number: person.phone,
    });
  const answers = [];
  for (let index = 0; index < 21; index += 1) answers.push(await ask(index));
  expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array(20).fill(202));
  expect(answers[20]?.body.code).toBe('too_many_claims');
});
