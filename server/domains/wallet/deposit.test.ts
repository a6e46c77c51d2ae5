import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pushDeposit } from './push-deposit.ts';
import { requestDeposit } from './request-deposit.ts';
import { agreed } from './test-payers.ts';
import { type Person, paidCallback, type WalletWorld, walletWorld } from './test-wallet.ts';

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

async function topUp(person: Person, amount: number, phone = person.phone) {
  const answer = await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone });
  return { ...answer, id: answer.body.deposit?.id as string };
}
const read = async (person: Person, id: string) =>
  (await world.as(person, 'GET', `/integrations/mpesa/deposits/${id}`)).body;

const checkoutOf = async (id: string) => {
  const [row] = await world.database.sql<{ checkout_request_id: string }[]>`
    select checkout_request_id from deposits where id = ${id}`;
  return row?.checkout_request_id ?? '';
};

describe('a top-up', () => {
  test('that is approved on the phone is in the wallet, with its receipt', async () => {
    const person = await world.person();
    const { status, body, id } = await topUp(person, 500);
    expect(status).toBe(202);
    expect(body).toMatchObject({ success: true, deposit: { status: 'pending', amount: 500, receipt: null } });
    expect(body.message).toBe('Request sent. Check your phone and enter your M-Pesa PIN.');
    await world.settle();
    const receipt = await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid', amount: 500, receipt });
    expect(await world.funds(person)).toEqual({ available: 50_000, held: 0 });
    const { body: history } = await world.as(person, 'GET', '/client/transactions');
    expect(history).toMatchObject({
      count: 1,
      next: null,
      results: [{ kind: 'top_up', direction: 'in', amount: 500, balance: 500, receipt }],
    });
  });

  test.each([
    ['cancel', 'cancelled'],
    ['timeout', 'expired'],
    ['insufficient_funds', 'failed'],
  ])('that ends with %s is %s, says why, and another can be asked for', async (action, status) => {
    const person = await world.person();
    const { id } = await topUp(person, 500);
    await world.settle();
    await world.answerPrompt(person.phone, action);
    await world.settle();
    const shown = await read(person, id);
    expect(shown).toMatchObject({ status });
    expect(shown.text.length).toBeGreaterThan(10);
    expect(await world.funds(person)).toEqual({ available: 0, held: 0 });
    expect((await topUp(person, 501)).status).toBe(202);
  });

  test('is refused for zero, for cents, for too much, for a foreign phone, and while one is open', async () => {
    const person = await world.person();
    const code = async (amount: number, phone = person.phone) => (await topUp(person, amount, phone)).body.code;
    expect(await code(0)).toBe('amount_out_of_range');
    expect(await code(10.5)).toBe('amount_not_whole_shillings');
    expect(await code(250_001)).toBe('amount_out_of_range');
    expect(await code(10.555)).toBe('validation_failed');
    expect(await code(100, '+255712345678')).toBe('phone_not_kenyan');
    expect((await topUp(person, 250_000)).status).toBe(202);
    expect(await code(100)).toBe('deposit_in_progress');
  });

  test('is sent to no phone that its holder has not confirmed, not even one’s own', async () => {
    const [person, stranger] = [await world.person({ confirmed: false }), await world.person({ confirmed: false })];
    expect((await topUp(person, 100)).body.code).toBe('phone_unconfirmed');
    expect((await topUp(person, 100, stranger.phone)).body.code).toBe('phone_holder_not_asked');
    expect((await topUp(person, 100, '254733000111')).body.code).toBe('phone_holder_not_asked');
    await world.settle();
    for (const { phone } of [person, stranger]) expect(await world.prompts(phone)).toHaveLength(0);
  });

  test('names in the prompt the wallet that it fills', async () => {
    const person = await world.person();
    await topUp(person, 100);
    await world.settle();
    const [prompt] = await world.database.owner<{ account_reference: string; description: string }[]>`
      select account_reference, description from simulator.prompt where phone = ${person.phone}`;
    expect(prompt?.description).toBe(`For ${person.account}`);
    expect(prompt?.account_reference).toMatch(new RegExp(`^${person.account}[0-9A-Z]{3}$`));
  });

  test('from another phone fills the wallet of the person who asked', async () => {
    const [person, friend] = [await world.person(), await world.person()];
    expect((await topUp(person, 300, friend.phone)).body.code).toBe('phone_holder_not_asked');
    await agreed(world.database, person.id, friend.phone);
    const { body } = await topUp(person, 300, friend.phone);
    const owner = `The owner of the phone ${friend.phone} enters their M-Pesa PIN there.`;
    expect(body).toMatchObject({ message: `Request sent. ${owner}`, deposit: { text: owner } });
    await world.settle();
    await world.answerPrompt(friend.phone, 'approve');
    await world.settle();
    expect([await world.funds(person), await world.funds(friend)]).toMatchObject([
      { available: 30_000 },
      { available: 0 },
    ]);
  });

  test('that is asked for twice at once with one key sends one prompt', async () => {
    const person = await world.person();
    const ask = () =>
      world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 120, phone: person.phone }, 'one-key');
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first.body).toEqual(second.body);
    await world.settle();
    expect(await world.prompts(person.phone)).toHaveLength(1);
  });

  test('is shown to its owner only', async () => {
    const [person, stranger] = [await world.person(), await world.person()];
    const { id } = await topUp(person, 100);
    const theirs = await world.as(stranger, 'GET', `/integrations/mpesa/deposits/${id}`);
    const none = await world.as(stranger, 'GET', `/integrations/mpesa/deposits/${world.database.newId()}`);
    expect(theirs).toEqual(none);
    expect(theirs.status).toBe(404);
  });

  test('has to wait when many of a person’s prompts were not paid', async () => {
    const person = await world.person();
    for (let phone = 1; phone <= 10; phone += 1) {
      const other = `2547220000${String(phone).padStart(2, '0')}`;
      await agreed(world.database, person.id, other);
      expect((await topUp(person, 10, other)).status).toBe(202);
    }
    expect((await topUp(person, 10)).body.code).toBe('too_many_requests');
    await world.settle(61 * MINUTE);
    expect((await topUp(person, 10)).status).toBe(202);
  });
});

describe('a callback', () => {
  test('that never comes is replaced by asking M-Pesa, who then gives the receipt', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'drop');
    const { id } = await topUp(person, 700);
    await world.settle();
    const receipt = await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'pending' });
    await world.sweep(31_000);
    expect(await read(person, id)).toMatchObject({ status: 'paid', receipt });
    expect(await world.funds(person)).toMatchObject({ available: 70_000 });
  });

  test('that comes five times at once credits once', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'drop');
    const { id } = await topUp(person, 250);
    await world.settle();
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    const body = paidCallback(await checkoutOf(id), receipt, 250, person.phone);
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.callBack(`/stk/${id}`, body)));
    expect(answers.map(({ body: answer }) => answer.ResultCode)).toEqual([0, 0, 0, 0, 0]);
    await Promise.all([world.tasks.verify_deposit?.({ id }), world.tasks.verify_deposit?.({ id }), world.settle()]);
    expect(await world.funds(person)).toMatchObject({ available: 25_000 });
    const [log] = await world.database.sql`select deliveries from callback_log where about_id = ${id}`;
    expect(log?.deliveries).toBe(5);
  });

  test('that reports a failure after one that reported a payment changes nothing', async () => {
    const person = await world.person();
    const { id } = await topUp(person, 260);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    const late = {
      Body: { stkCallback: { CheckoutRequestID: await checkoutOf(id), ResultCode: 1032, ResultDesc: 'x' } },
    };
    expect((await world.callBack(`/stk/${id}`, late)).status).toBe(200);
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toMatchObject({ available: 26_000 });
  });

  test('that names another payment’s receipt does not take that payment', async () => {
    await world.tasks.register_paybill?.({});
    const [person, other] = [await world.person(), await world.person()];
    await world.befall('c2b', 'delay=20000');
    const paid = await world.call('/api/payments', {
      phone: other.phone,
      amount: 265,
      account_reference: other.account,
    });
    await world.befall('stk_push', 'drop');
    const { id } = await topUp(person, 265);
    await world.settle();
    const receipt = await world.answerPrompt(person.phone, 'approve');
    const stolen = String(paid.body.receipt);
    await world.callBack(`/stk/${id}`, paidCallback(await checkoutOf(id), stolen, 265, person.phone));
    await world.settle();
    await world.sweep(30_000);
    expect(await read(person, id)).toMatchObject({ status: 'paid', receipt });
    expect(await world.funds(person)).toMatchObject({ available: 26_500 });
    expect(await world.funds(other)).toMatchObject({ available: 26_500 });
    expect((await world.audit()).suspense).toBe(0);
  });

  test('with the id of another, smaller paid prompt credits nothing more, though the answer to the push was lost', async () => {
    const [person, other] = [await world.person(), await world.person()];
    await world.befall('stk_push', 'lost_response', 2);
    const { id } = await topUp(person, 9_000);
    await topUp(other, 10);
    await world.settle();
    const receipt = (await world.answerPrompt(other.phone, 'approve')) as string;
    const [small] = await world.database.owner<{ checkout: string }[]>`
      select checkout_request_id as checkout from simulator.prompt where receipt = ${receipt}`;
    await world.callBack(`/stk/${id}`, paidCallback(small?.checkout ?? '', 'SGH7XK2L9D', 9_000, person.phone));
    await world.settle();
    await world.sweep(2 * MINUTE);
    expect(await world.funds(person)).toMatchObject({ available: 0 });
    expect(await world.funds(other)).toMatchObject({ available: 1_000 });
  });

  test('that arrives before the answer to the push credits the top-up', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'before_response');
    const { id } = await topUp(person, 270);
    await world.settle();
    await world.sweep(31_000);
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toMatchObject({ available: 27_000 });
  });

  test('with another amount credits what M-Pesa says of the receipt, and opens an exception', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'amount_mismatch=9999');
    const { id } = await topUp(person, 280);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toMatchObject({ available: 28_000 });
    const traces = await world.database.sql`
      select kind, resolution from money_exceptions where about_id = ${id}`;
    expect(traces).toMatchObject([{ kind: 'amount_mismatch', resolution: 'matched' }]);
  });

  test('with a wrong secret is answered as an unknown path', async () => {
    const person = await world.person();
    const { id } = await topUp(person, 100);
    const forged = await world.callBack(
      `/stk/${id}`,
      paidCallback('ws_CO_1', 'SGH7XK2L9P', 100, person.phone),
      'f'.repeat(32),
    );
    expect(forged.status).toBe(404);
    expect(forged.body).toMatchObject({ success: false, code: 'not_found' });
    expect(await world.database.sql`select id from callback_log where about_id = ${id}`).toHaveLength(0);
  });

  test('forged for a top-up that does not exist credits nobody and is shown to an operator', async () => {
    const ghost = world.database.newId();
    expect(
      (await world.callBack(`/stk/${ghost}`, paidCallback('ws_CO_2', 'SGH7XK2L9A', 100, '254711000111'))).status,
    ).toBe(200);
    await world.settle();
    const open = (await world.exceptions()).filter(({ receipt }) => receipt === 'SGH7XK2L9A');
    expect(open).toMatchObject([{ kind: 'unknown_deposit', held_in: 'nowhere' }]);
    expect((await world.audit()).suspense).toBe(0);
  });

  test('forged as a payment of a cancelled prompt credits nobody and is shown to an operator', async () => {
    const person = await world.person();
    const { id } = await topUp(person, 290);
    await world.settle();
    await world.answerPrompt(person.phone, 'cancel');
    await world.settle();
    await world.callBack(`/stk/${id}`, paidCallback(await checkoutOf(id), 'SGH7XK2L9B', 290, person.phone));
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'cancelled' });
    expect(await world.funds(person)).toMatchObject({ available: 0 });
    const open = (await world.exceptions()).filter(({ receipt }) => receipt === 'SGH7XK2L9B');
    expect(open).toMatchObject([{ kind: 'query_contradicts' }]);
  });

  test('that reports a payment while the query reports a cancellation is decided by the receipt', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'query_contradicts');
    const { id } = await topUp(person, 310);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toMatchObject({ available: 31_000 });
  });

  test('that is repeated through the paybill credits once', async () => {
    await world.tasks.register_paybill?.({});
    const person = await world.person();
    await world.befall('stk_push', 'stk_and_c2b');
    const { id } = await topUp(person, 320);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    expect(await world.funds(person)).toMatchObject({ available: 32_000 });
    const paybill = await world.database.sql`select state from paybill_payments where amount_cents = 32000`;
    expect(paybill).toMatchObject([{ state: 'credited' }]);
  });
});

describe('when something fails', () => {
  test('a payment that is confirmed long after its top-up expired is still credited', async () => {
    const person = await world.person();
    await world.befall('stk_push', `drop`);
    const { id } = await topUp(person, 410);
    await world.settle();
    const checkout = await checkoutOf(id);
    await world.befall('stk_query', 'http_500', 1000);
    await world.befall('pull', 'http_500', 1000);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    for (const minutes of [1, 2, 10, 60, 30]) await world.sweep(minutes * MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'expired' });
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
    await world.callBack(`/stk/${id}`, paidCallback(checkout, receipt, 410, person.phone));
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid', receipt });
    const [row] = await world.database.sql`select late_after from deposits where id = ${id}`;
    expect(row?.late_after).toBe('expired');
  });

  test('a push whose answer was lost is never sent again, and its callback credits the top-up', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'lost_response');
    const { id } = await topUp(person, 420);
    await world.settle();
    await pushDeposit(world.deps, id);
    expect(await world.prompts(person.phone)).toHaveLength(1);
    const receipt = await world.answerPrompt(person.phone, 'approve');
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'paid', receipt });
    expect(await world.funds(person)).toMatchObject({ available: 42_000 });
  });

  test('a payment that M-Pesa confirms waits for its list, and is credited once the list could not contain it any more', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'lost_response');
    await world.befall('pull', 'http_500', 1000);
    const { id } = await topUp(person, 425);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    for (const minutes of [1, 3, 11, 61]) await world.sweep(minutes * MINUTE);
    // Only the list says for certain that it answered the prompt, and the list may still come.
    expect(await world.funds(person)).toMatchObject({ available: 0 });
    for (const hours of [7, 30, 12]) await world.sweep(hours * 60 * MINUTE);
    expect(await world.funds(person)).toMatchObject({ available: 42_500 });
    expect(await read(person, id)).toMatchObject({ status: 'paid' });
    await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
  });

  test('a top-up whose process died while sending is not sent again, and expires', async () => {
    const person = await world.person();
    const id = await world.database.transaction((tx) =>
      requestDeposit(tx, { userId: person.id }, { amountCents: 43_000, phone: person.phone }),
    );
    await world.database.sql`update deposits set state = 'sending', sending_at = ${world.database.now()},
      next_query_at = ${new Date(world.database.now().getTime() + 30_000)} where id = ${id}`;
    await world.settle();
    expect(await world.prompts(person.phone)).toHaveLength(0);
    for (const minutes of [1, 2, 10, 60]) await world.sweep(minutes * MINUTE);
    expect(await read(person, id)).toMatchObject({ status: 'expired' });
  });

  test('a definite refusal is shown at once, and another top-up can be asked for', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'busy');
    const { id } = await topUp(person, 440);
    await world.settle();
    expect(await read(person, id)).toMatchObject({ status: 'failed', text: expect.stringContaining('busy') });
    expect((await topUp(person, 440)).status).toBe(202);
  });

  test('a top-up that cannot be settled does not keep the next one waiting', async () => {
    const [first, second] = [await world.person(), await world.person()];
    await world.befall('stk_push', 'drop');
    const { id: stuck } = await topUp(first, 451);
    await world.settle();
    world.database.world.advance(1_000);
    await world.befall('stk_push', 'drop');
    await topUp(second, 452);
    await world.settle();
    for (const person of [first, second]) await world.answerPrompt(person.phone, 'approve');
    await world.database.owner.unsafe(`
      create function stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
      create trigger stuck before update on deposits for each row
        when (new.id = '${stuck}' and new.credited_at is not null) execute function stuck()`);
    world.database.world.advance(31_000);
    await expect(world.tasks.sweep_deposits?.({})).rejects.toThrow('stuck');
    expect(await world.funds(second)).toMatchObject({ available: 45_200 });
    await world.database.owner.unsafe('drop trigger stuck on deposits; drop function stuck()');
    await world.sweep(2 * MINUTE);
    expect(await world.funds(first)).toMatchObject({ available: 45_100 });
  });

  test('two sweepers at once ask once', async () => {
    const person = await world.person();
    await world.befall('stk_push', 'drop');
    const { id } = await topUp(person, 450);
    await world.settle();
    await world.answerPrompt(person.phone, 'approve');
    world.database.world.advance(31_000);
    await Promise.all([world.tasks.sweep_deposits?.({}), world.tasks.sweep_deposits?.({})]);
    await world.settle();
    const [row] = await world.database.sql`select queries from deposits where id = ${id}`;
    expect(row?.queries).toBe(1);
    expect(await world.funds(person)).toMatchObject({ available: 45_000 });
  });
});
