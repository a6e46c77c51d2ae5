import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSuspendedOrders } from '../../server/domains/market/tend-markets.ts';
import { listen } from '../support/live-stream.ts';
import type { Person } from '../support/product.ts';
import { type AttackApp, attackApp, PASSWORD } from '../support/test-product.ts';

/* An account that an operator has suspended reads, votes, complains and pays what is owed. What takes money out waits. */

let world: AttackApp;
let operator: Person;
let sacco: string;

const DAY = 86_400_000;
const HOUR = 3_600_000;
const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };

beforeAll(async () => {
  world = await attackApp({ SUPPORT_PHONE: '0700 000 001' });
  operator = await world.operator();
  sacco = await world.saccos.sacco((await world.person('Charity')).id, operator.id);
});
afterAll(() => world.close());

async function member(name: string): Promise<Person> {
  const person = await world.person(name);
  await world.confirmPhone(person);
  await world.saccos.fund(person.id, 10_000_00);
  const ask = (path: string, body: object) => world.call('POST', path, { as: person, body: { sacco, ...body } });
  expect((await ask('/sacco/members/join', TERMS)).status).toBeLessThan(300);
  expect((await ask('/sacco/members/pay_shares_amount', { shares: 20, amount: 2_000 })).status).toBeLessThan(300);
  return person;
}
const decide = async (person: Person, action: string) => {
  const { token } = (await signIn(operator)).body;
  const body = { action, reason: 'The phone was stolen' };
  const answer = await world.call('POST', `/operator/people/${person.id}/suspension`, { token, body });
  expect(answer.status).toBe(200);
};
const signIn = (person: Person, password = PASSWORD) =>
  world.call('POST', '/auth/login/', { body: { id_number: person.idNumber, password, user_type: 'client' } });

const NEW_PASSWORD = 'Newer#2026';

/** Signs in with a password that is set with the code that goes to the phone. */
async function signInAnew(person: Person) {
  // A password of the suspension's own instant is one of before.
  world.database.world.advance(1_000);
  const owner = { id_number: person.idNumber, phone_number: person.phone };
  expect((await world.call('POST', '/auth/forgot-password/', { body: owner })).status).toBe(200);
  const [text = ''] = await world.textsTo(person.phone);
  const body = { reset_code: /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text)?.[0] ?? '', password: NEW_PASSWORD };
  expect((await world.call('POST', '/auth/reset-password/', { body })).status).toBe(200);
  return signIn(person, NEW_PASSWORD);
}

test('its sessions end, one that begins reads and moves nothing, and only the right password is told why (power 5)', async () => {
  const person = await member('Stolen');
  const at = world.database.now().getTime();
  await decide(person, 'suspend');
  expect((await world.call('GET', '/client/', { as: person })).body.code).toBe('session_ended');
  expect((await signIn(person)).body.code).toBe('new_password_required');
  const told = await signInAnew(person);
  const { since, support_phone } = told.body.suspended;
  expect([Date.parse(since), support_phone]).toEqual([at, '254700000001']);
  const { token } = told.body;
  expect((await world.call('GET', '/client/', { token })).status).toBe(200);
  const refused = [
    await world.call('POST', '/integrations/mpesa/withdraw', { token, body: { amount: 300, phone: person.phone } }),
    await world.call('POST', '/sacco/order-book-items', { token, body: { sacco, side: 'buy', shares: 5, price: 90 } }),
    await world.call('POST', '/sacco/members/pay_shares_amount', { token, body: { sacco, shares: 1, amount: 100 } }),
    await world.call('PATCH', '/client/', { token, body: { first_name: 'Another' } }),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('account_suspended'));
  expect((await world.call('POST', '/auth/logout/', { token, body: {} })).status).toBe(200);
  const stranger = await signIn(person, 'Wrong#2026');
  const nobody = await signIn({ ...person, idNumber: 'NOBODY1' }, 'Wrong#2026');
  expect([stranger.status, stranger.text]).toEqual([nobody.status, nobody.text]);
  expect(await world.textsTo(person.phone)).toContainEqual(expect.stringContaining('your account is suspended'));
});

test('the right password is no failure, however often it is typed', async () => {
  const person = await member('Insisting');
  await decide(person, 'suspend');
  const tried = async () => (await signIn(person)).body.code;
  for (let time = 0; time < 12; time += 1) expect(await tried()).toBe('new_password_required');
  await decide(person, 'lift');
  expect(await tried()).toBe('new_password_required');
  expect((await signInAnew(person)).status).toBe(200);
});

test('a session that the database somehow still has moves nothing', async () => {
  const person = await member('Lingering');
  await decide(person, 'suspend');
  await world.database.owner`
    update sessions set ended_at = null, end_reason = null where user_id = ${person.id} and end_reason = 'suspended'`;
  const asked = { as: person, body: { amount: 300, phone: person.phone } };
  expect((await world.call('POST', '/integrations/mpesa/withdraw', asked)).body.code).toBe('account_suspended');
  await world.database.owner`
    update sessions set ended_at = created_at, end_reason = 'suspended' where user_id = ${person.id}`;
});

test('a stream that is open hears nothing more', async () => {
  const person = await member('Listening');
  const { heard, stop } = await listen(world.origin, person.token);
  await expect.poll(() => heard.text).toContain('event: wallet');
  const before = heard.text;
  await decide(person, 'suspend');
  await world.database.transaction(
    (tx) => tx.sql`select pg_notify('client_live', ${JSON.stringify({ userId: person.id, thing: 'wallet', id: '' })})`,
  );
  await expect.poll(() => heard.isOver).toBe(true);
  expect(heard.text.slice(before.length)).not.toContain('event:');
  stop();
});

test('a sign-in and the suspension at once never leave a session that does something', async () => {
  const person = await member('Racing');
  const [signed] = await Promise.all([signIn(person), decide(person, 'suspend')]);
  const asked = { token: signed.body.token, body: { amount: 300, phone: person.phone } };
  expect((await world.call('POST', '/integrations/mpesa/withdraw', asked)).status).toBeOneOf([401, 403]);
});

test('its open orders are closed, what they held is free, and a withdrawal that was not sent comes back', async () => {
  const person = await member('Trading');
  const ask = (path: string, body: object) => world.call('POST', path, { as: person, body });
  const order = { sacco, side: 'buy', shares: 5, price: 90 };
  expect((await ask('/sacco/order-book-items', order)).status).toBeLessThan(300);
  const before = await world.wallet(person);
  expect((await ask('/integrations/mpesa/withdraw', { amount: 300, phone: person.phone })).status).toBe(202);
  await decide(person, 'suspend');
  await world.runJobs();
  const [left] = await world.database.owner`
    select (select count(*)::int from share_orders where user_id = ${person.id} and state = 'open') as open,
      (select cancel_reason from share_orders where user_id = ${person.id}) as why,
      (select state from withdrawals where user_id = ${person.id}) as withdrawal`;
  expect(left).toEqual({ open: 0, why: 'blocked', withdrawal: 'returned' });
  await closeSuspendedOrders(world.database, {});
  await decide(person, 'lift');
  const { token } = (await signInAnew(person)).body;
  expect(await world.wallet({ ...person, token })).toBeGreaterThan(before);
});

test('its standing order waits, and goes on in the same month once it is open again', async () => {
  const person = await member('Saving');
  const dayOfMonth = () => new Date(world.database.now().getTime() + 3 * HOUR).getUTCDate();
  while (dayOfMonth() > 26) world.database.world.advance(DAY);
  const { token } = (await signIn(person)).body;
  const body = { sacco, amount: 100, day: dayOfMonth() + 1 };
  expect((await world.call('POST', '/sacco/savings/standing-order', { token, body })).status).toBeLessThan(300);
  const runs = () => world.database.owner`
    select r.state from standing_order_runs r join standing_orders o on o.id = r.order_id where o.user_id = ${person.id}`;
  await decide(person, 'suspend');
  world.database.world.advance(DAY);
  await world.app.tasks.run_standing_orders?.({});
  expect(await runs()).toEqual([]);
  await decide(person, 'lift');
  await world.app.tasks.run_standing_orders?.({});
  expect(await runs()).toEqual([{ state: 'paid' }]);
});
