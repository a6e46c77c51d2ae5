import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { postOrRefuse } from '../../ledger/post.ts';
import { moneyJournal, mpesaFloat, wallet } from './receipts.ts';
import { noteProceeds } from './sale-proceeds.ts';
import { lockWithdrawal, returnWithdrawal } from './settle-withdrawal.ts';
import { resolveByTwo } from './test-two-operators.ts';
import { type Person, SECRET, type WalletWorld, walletWorld } from './test-wallet.ts';
import { withdraw as verb } from './withdraw.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
});
beforeEach(() => world.settle());
afterAll(async () => {
  await world.audit();
  await world.close();
});

const MINUTE = 60_000;

/** A person with Ksh. 1,000 in the wallet. */
async function funded(options?: { confirmed?: boolean }): Promise<Person> {
  const person = await world.person(options);
  const about = { type: 'deposit', id: world.database.newId() };
  await world.database.transaction((tx) =>
    postOrRefuse(tx, moneyJournal('wallet_topped_up', about, null, mpesaFloat, wallet(person.id), 100_000)),
  );
  return person;
}
const withdraw = (person: Person, amount: number, phone = person.phone, key?: string) =>
  world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount, phone }, key);
const read = async (person: Person, id: string) =>
  (await world.as(person, 'GET', `/integrations/mpesa/withdrawals/${id}`)).body;
const payouts = async (id: string) =>
  (await world.database.owner`select * from simulator.payout where originator_conversation_id = ${id}`).length;

const conversationOf = async (id: string) => {
  const [row] = await world.database.owner<{ conversation_id: string }[]>`
    select conversation_id from withdrawals where id = ${id}`;
  return row?.conversation_id ?? '';
};
const failure = (id: string, conversation: string) => ({
  Result: {
    ResultType: 0,
    ResultCode: 2040,
    ResultDesc: 'x',
    OriginatorConversationID: id,
    ConversationID: conversation,
  },
});

describe('a withdrawal', () => {
  test('is reserved at once, paid to the own phone, and settled with its receipt', async () => {
    const person = await funded();
    const { status, body } = await withdraw(person, 400);
    expect(status).toBe(202);
    expect(body.withdrawal).toMatchObject({ status: 'reserved', amount: 400 });
    expect(await world.funds(person)).toEqual({ available: 60_000, held: 40_000 });
    await world.settle();
    expect(await read(person, body.withdrawal.id)).toMatchObject({ status: 'paid', receipt: expect.any(String) });
    expect(await world.funds(person)).toEqual({ available: 60_000, held: 0 });
  });

  test('is refused: unconfirmed phone, held after a reset, cents, below ten, another person’s phone, more than there is', async () => {
    const code = async (person: Person, amount: number, phone = person.phone) =>
      (await withdraw(person, amount, phone)).body.code;
    expect(await code(await funded({ confirmed: false }), 100)).toBe('phone_unconfirmed');
    const person = await funded();
    const tomorrow = new Date(world.database.now().getTime() + 24 * 60 * MINUTE);
    await world.database.sql`update users set payout_held_until = ${tomorrow} where id = ${person.id}`;
    const held = await withdraw(person, 100);
    expect([held.status, held.body.code, held.body.held_until]).toEqual([409, 'payout_held', tomorrow.toISOString()]);
    world.database.world.advance(24 * 60 * MINUTE);
    expect(await code(person, 10.5)).toBe('amount_not_whole_shillings');
    expect(await code(person, 9)).toBe('amount_out_of_range');
    expect(await code(person, 100, '+255712345678')).toBe('phone_not_kenyan');
    expect(await code(person, 100, '254711999888')).toBe('phone_not_yours');
    expect(await code(person, 1_001)).toBe('insufficient_funds');
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
    expect((await withdraw(person, 1_000)).status).toBe(202);
  });

  test('asks for the password when it was not entered in the last fifteen minutes', async () => {
    const person = await funded();
    const since = new Date(world.database.now().getTime() - 15 * MINUTE);
    await world.database.sql`update sessions set proven_at = ${since} where user_id = ${person.id}`;
    const refused = await withdraw(person, 100);
    expect([refused.status, refused.body.code]).toEqual([403, 'proof_required']);
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
  });

  describe('of the proceeds of sold shares', () => {
    const NOON = 12 * 60 * MINUTE;
    /** A person with Ksh. 6,000, of which 4,500 came from a sale just now. */
    async function seller(): Promise<Person> {
      const person = await funded();
      const about = { type: 'deposit', id: world.database.newId() };
      await world.database.transaction(async (tx) => {
        await postOrRefuse(tx, moneyJournal('wallet_topped_up', about, null, mpesaFloat, wallet(person.id), 500_000));
        await noteProceeds(tx, [
          { userId: person.id, cents: 400_000 },
          { userId: person.id, cents: 50_000 },
        ]);
      });
      return person;
    }

    test('waits a day, except for a small sum: the refusal says how much is free, and when the rest is', async () => {
      const person = await seller();
      const refused = await withdraw(person, 2_501);
      const { code, free, held, held_until, message } = refused.body;
      expect([refused.status, code, free, held]).toEqual([409, 'payout_held', 2_500, 3_500]);
      const quarter = 15 * MINUTE;
      const now = world.database.now().getTime();
      expect(held_until).toBe(new Date(now - (now % quarter) + quarter + 2 * NOON).toISOString());
      expect(message).toContain(
        'You can withdraw Ksh.\u00a02,500.00 now. Ksh.\u00a03,500.00 is from share sales and check-offs',
      );
      expect((await withdraw(person, 6_001)).body.code).toBe('insufficient_funds');
      expect((await withdraw(person, 2_500)).status).toBe(202);
      await world.settle();
      expect((await withdraw(person, 10)).body).toMatchObject({ code: 'payout_held', free: 0, held: 3_500 });
      world.database.world.advance(2 * NOON + quarter);
      await world.database.sql`update sessions set proven_at = ${world.database.now()} where user_id = ${person.id}`;
      expect((await withdraw(person, 3_500)).status).toBe(202);
      await world.settle();
    });

    test('asked for ten times at once pays no more than what is free', async () => {
      const person = await seller();
      const answers = await Promise.all(Array.from({ length: 10 }, () => withdraw(person, 500)));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
      expect(await world.funds(person)).toEqual({ available: 350_000, held: 250_000 });
      await world.settle();
    });
  });

  test('asked for twice at once with one key is made once; with two keys it cannot take more than there is', async () => {
    const person = await funded();
    const [first, second] = await Promise.all([
      withdraw(person, 600, person.phone, 'k'),
      withdraw(person, 600, person.phone, 'k'),
    ]);
    expect(first.body).toEqual(second.body);
    const both = await Promise.all([
      withdraw(person, 300, person.phone, 'a'),
      withdraw(person, 300, person.phone, 'b'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 422]);
    await world.settle();
    expect(await world.funds(person)).toEqual({ available: 10_000, held: 0 });
  });

  test('that M-Pesa definitely refuses is back in the wallet', async () => {
    const person = await funded();
    await world.befall('b2c', 'busy');
    const { body } = await withdraw(person, 500);
    await world.settle();
    expect(await read(person, body.withdrawal.id)).toMatchObject({ status: 'returned' });
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
  });

  test('whose answer was lost stays reserved, is never sent again, and is settled by asking M-Pesa', async () => {
    const person = await funded();
    await world.befall('b2c', 'lost_response,drop');
    const { body } = await withdraw(person, 500);
    const { id } = body.withdrawal;
    await world.befall('transaction_status', 'drop');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'reserved' });
    expect(await world.funds(person)).toEqual({ available: 50_000, held: 50_000 });
    await world.tasks.send_withdrawal?.({ id });
    expect(await payouts(id)).toBe(1);
    await world.sweep(31_000);
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toEqual({ available: 50_000, held: 0 });
    expect(await payouts(id)).toBe(1);
  });

  test('whose result never comes is asked about after two minutes', async () => {
    const person = await funded();
    await world.befall('b2c', 'drop');
    const { body } = await withdraw(person, 200);
    await world.settle();
    expect(await read(person, body.withdrawal.id)).toMatchObject({ status: 'reserved' });
    await world.sweep(3 * MINUTE);
    expect(await read(person, body.withdrawal.id)).toMatchObject({ status: 'paid' });
  });

  test('whose queue timed out is settled once, by a later answer', async () => {
    const person = await funded();
    await world.befall('b2c', 'queue_timeout');
    const { body } = await withdraw(person, 210);
    await world.settle();
    await world.sweep(MINUTE);
    expect(await read(person, body.withdrawal.id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toEqual({ available: 79_000, held: 0 });
  });

  test('is not returned for a forged failure without M-Pesa’s ConversationID', async () => {
    const person = await funded();
    await world.befall('b2c', 'drop');
    const { body } = await withdraw(person, 220);
    const { id } = body.withdrawal;
    await world.settle();
    await world.callBack(`/b2c/${id}/result`, {
      Result: {
        ResultType: 0,
        ResultCode: 2040,
        ResultDesc: 'x',
        OriginatorConversationID: id,
        ConversationID: 'AG_1',
      },
    });
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toEqual({ available: 78_000, held: 0 });
  });

  test('that M-Pesa paid stays paid, though its own result was changed on the way into a failure', async () => {
    const person = await funded();
    await world.befall('b2c', 'delay=90000');
    const { body } = await withdraw(person, 240);
    const { id } = body.withdrawal;
    await world.settle();
    await world.callBack(`/b2c/${id}/result`, failure(id, await conversationOf(id)));
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    await world.settle(2 * MINUTE);
    expect(await world.funds(person)).toEqual({ available: 76_000, held: 0 });
  });

  test('that M-Pesa reports as failed, and does not know a minute later, is back in the wallet', async () => {
    const person = await funded();
    await world.befall('b2c', 'unknown_result_code=2040');
    const { body } = await withdraw(person, 250);
    const { id } = body.withdrawal;
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'reserved' });
    await world.sweep(MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'returned', text: expect.stringContaining('registered') });
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
  });

  test('that M-Pesa confirms with another amount each time is not booked as paid and waits for operators', async () => {
    const person = await funded();
    const before = await world.audit();
    await world.befall('transaction_status', 'amount_mismatch', 50);
    const { body } = await withdraw(person, 270);
    const { id } = body.withdrawal;
    await world.settle();
    for (const minutes of [1, 3, 11]) await world.sweep(minutes * MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'reserved' });
    expect(await world.funds(person)).toEqual({ available: 73_000, held: 27_000 });
    const open = await world.database.owner`
      select kind, held_in, amount_cents::int, detail from money_exceptions where about_id = ${id} and resolved_at is null`;
    expect(open).toEqual([
      {
        kind: 'withdrawal_contradicts',
        held_in: 'reserve',
        amount_cents: 27_000,
        detail: { asked_cents: 27_000, reported_cents: 27_100 },
      },
    ]);
    expect((await world.audit()).float).toBe(before.float);
    await world.database.owner`update simulator.fault set times_left = 0`;
  });

  test('is not returned for one answer of transaction status, though it is delivered twice (fuzzer, seed 20261121)', async () => {
    const person = await funded();
    await world.befall('b2c', 'drop');
    await world.befall('transaction_status', 'status_contradicts, duplicate=2');
    const { body } = await withdraw(person, 260);
    const { id } = body.withdrawal;
    await world.settle();
    await world.sweep(3 * MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'reserved' });
    const [first] = await world.database.owner<{ url: string; body: string }[]>`
      select url, body from simulator.delivery where kind = 'transaction_status' order by ordinal desc limit 1`;
    await world.callBack(first?.url.split(SECRET)[1] ?? '', JSON.parse(first?.body ?? '{}'));
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'reserved' });
    await world.sweep(MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toEqual({ available: 74_000, held: 0 });
  });

  test('whose process died before M-Pesa was called stays reserved until an operator looks into it', async () => {
    const [person, operator] = [await funded(), await world.person()];
    const { body } = await withdraw(person, 230);
    const { id } = body.withdrawal;
    await world.database.sql`
      update withdrawals set state = 'sending', sending_at = ${world.database.now()}, next_query_at = ${world.database.now()}
      where id = ${id}`;
    await world.settle();
    for (const minutes of [1, 3, 11, 61]) await world.sweep(minutes * MINUTE);
    expect(await payouts(id)).toBe(0);
    expect(await world.funds(person)).toEqual({ available: 77_000, held: 23_000 });
    const [open] = (await world.exceptions()).filter(({ kind }) => kind === 'withdrawal_unknown');
    expect(open).toMatchObject({ held_in: 'reserve' });
    await world.database.transaction((tx) =>
      resolveByTwo(tx, { userId: operator.id }, { exceptionId: open?.id ?? '', action: 'credit', reason: 'not sent' }),
    );
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
    expect(await read(person, id)).toMatchObject({ status: 'returned' });
  });
});

describe('the withdrawals of a day', () => {
  const terms = async (person: Person) => (await world.as(person, 'GET', '/integrations/mpesa/withdrawal-terms')).body;

  test('are ten, however many are asked for at once, and ten more from midnight in Nairobi', async () => {
    const person = await funded();
    const answers = await Promise.all(Array.from({ length: 14 }, () => withdraw(person, 10)));
    const refused = answers.filter(({ status }) => status !== 202).map(({ body }) => body);
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('withdrawal_limit_reached'));
    const { left } = await terms(person);
    expect(refused[0]).toMatchObject({
      message: 'You have made 10 withdrawals today. You can make the next one tomorrow.',
      left: { ...left, count: 0 },
    });
    await world.settle();
    world.database.world.advance(new Date(left.renewed_at).getTime() - world.database.now().getTime() + 1);
    expect((await withdraw(person, 10)).status).toBe(202);
    expect((await terms(person)).left).toMatchObject({ count: 9, amount: 499_990 });
  });

  test('come to Ksh. 500,000 at most, and the refusal says what is left', async () => {
    const person = await funded();
    await world.database.owner`
      insert into withdrawals (id, user_id, phone, amount_cents, state, created_at)
      select gen_random_uuid(), ${person.id}, ${person.phone}, cents, 'sent', ${world.database.now()}
      from unnest(array[25000000, 24950000]) cents`;
    const { body } = await withdraw(person, 600);
    expect(body).toMatchObject({
      code: 'withdrawal_limit_reached',
      message: 'You can withdraw Ksh. 500.00 more today, and the rest tomorrow.',
      left: { count: 8, amount: 500 },
    });
    expect((await withdraw(person, 500)).status).toBe(202);
    await world.database
      .owner`delete from withdrawals where state = 'sent' and user_id = ${person.id} and conversation_id is null and amount_cents > 20000000`;
  });

  test('do not count those that M-Pesa did not pay, up to twenty tries', async () => {
    const person = await funded();
    const returned = (count: number) => world.database.owner`
      insert into withdrawals (id, user_id, phone, amount_cents, state, created_at, settled_at)
      select gen_random_uuid(), ${person.id}, ${person.phone}, 1000, 'returned', ${world.database.now()}, ${world.database.now()}
      from generate_series(1, ${count}::int)`;
    await returned(12);
    expect((await terms(person)).left.count).toBe(8);
    await returned(8);
    expect((await withdraw(person, 10)).body.code).toBe('withdrawal_limit_reached');
  });
});

describe('M-Pesa’s charge', () => {
  const asMember = (person: Person, amountCents: number) =>
    world.database.transaction((tx) => verb(tx, { userId: person.id }, { amountCents, phone: person.phone }, 'member'));

  test('is paid by the platform unless the settings say otherwise: the member pays the amount alone', async () => {
    const person = await funded();
    expect((await world.as(person, 'GET', '/integrations/mpesa/withdrawal-terms')).body).toMatchObject({
      borne_by: 'platform',
      tariff: expect.arrayContaining([{ up_to: 1_500, charge: 5 }]),
    });
    const { body } = await withdraw(person, 400);
    expect(body.withdrawal).toMatchObject({ amount: 400, charge: 0 });
  });

  test('paid by the member is reserved with the amount, leaves the books by its own posting, and is on the receipt', async () => {
    const person = await funded();
    const before = await world.audit();
    const id = await asMember(person, 40_000);
    expect(await world.funds(person)).toEqual({ available: 59_500, held: 40_500 });
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid', amount: 400, charge: 5 });
    expect(await world.funds(person)).toEqual({ available: 59_500, held: 0 });
    expect(before.float - (await world.audit()).float).toBe(40_500);
    const kinds = await world.database.owner<{ kind: string }[]>`
      select kind from journals where about_id = ${id} order by id`;
    expect(kinds.map(({ kind }) => kind)).toEqual(['withdrawal_reserved', 'withdrawal_paid', 'withdrawal_charged']);
    const { body } = await world.as(person, 'GET', '/client/transactions');
    const receipt = await world.as(person, 'GET', `/client/receipts/${body.results[0].journal}`);
    expect(receipt.body).toMatchObject({ amount: 405, charge: 5 });
    expect(receipt.body.text).toContain('Of it for M-Pesa’s charge: Ksh. 5.00');
  });

  test('is returned with a withdrawal that M-Pesa did not pay; a wallet that has the amount without it is refused', async () => {
    const person = await funded();
    await expect(asMember(person, 100_000)).rejects.toMatchObject({ code: 'insufficient_funds' });
    const id = await asMember(person, 99_500);
    expect(await world.funds(person)).toEqual({ available: 0, held: 100_000 });
    await world.database.transaction(async (tx) => {
      const row = await lockWithdrawal(tx, id);
      const explanation = 'M-Pesa did not carry it out.' as const;
      if (row) await returnWithdrawal(tx, null, row, { resultCode: 'test', explanation });
    });
    expect(await world.funds(person)).toEqual({ available: 100_000, held: 0 });
  });
});
