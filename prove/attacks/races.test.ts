import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../server/audit.ts';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { invariants } from '../../server/domains.ts';
import { type AttackApp, atOnce, attackApp, type Person, statuses } from '../support/test-product.ts';

let world: AttackApp;
let operator: Person;
let founder: Person;
let sacco: string;

const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };

beforeAll(async () => {
  world = await attackApp();
  operator = await world.operator();
  founder = await world.person('Achieng');
  sacco = await world.saccos.sacco(founder.id, operator.id);
});
afterAll(async () => {
  const broken = (await audit(world.database.url, invariants)).filter(({ breach }) => breach);
  expect(broken).toEqual([]);
  await world.close();
});

async function member(shillings: number): Promise<Person> {
  const person = await world.person('Wanjiru');
  await world.saccos.fund(person.id, shillings * 100);
  return person;
}

test('twenty joinings at once, each with a key of its own, make one member who paid one fee', async () => {
  const person = await member(10_000);
  const answers = await atOnce(20, (index) =>
    world.call('POST', '/sacco/members/join', { as: person, key: `join-${index}`, body: { sacco, ...TERMS } }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  expect(await world.wallet(person)).toBe(9_500_00);
});

test('twenty purchases at once of what the wallet holds once are one purchase', async () => {
  const person = await member(1_500);
  await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
  const buy = (key?: string) =>
    world.call('POST', '/sacco/members/pay_shares_amount', {
      as: person,
      ...(key ? { key } : {}),
      body: { sacco, shares: 10, amount: 1_000 },
    });
  expect(statuses(await atOnce(20, () => buy()))).toEqual({ 200: 1, 422: 19 });
  expect(await world.wallet(person)).toBe(0);
});

test.each([
  ['a purchase of shares', '/sacco/members/pay_shares_amount', { shares: 10, amount: 1_000 }, 1_000_00],
  ['savings', '/sacco/savings/deposit', { amount: 250 }, 250_00],
  ['a withdrawal', '/integrations/mpesa/withdraw', { amount: 100 }, 100_00],
])(
  'twenty times the same request of %s with one key moves the money once and says the same',
  async (_, path, body, cost) => {
    const person = await member(100_000);
    await world.confirmPhone(person);
    await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
    const before = await world.wallet(person);
    const sent = { as: person, key: 'once', body: { sacco, phone: person.phone, ...body } };
    const answers = await atOnce(20, () => world.call('POST', path, sent));
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(before - (await world.wallet(person))).toBe(cost);
    const other = await world.call('POST', path, { ...sent, body: { ...sent.body, amount: 77 } });
    expect(other.body.code).toBe('idempotency_key_reused');
    const elsewhere = path === '/sacco/savings/deposit' ? '/integrations/mpesa/withdraw' : '/sacco/savings/deposit';
    const carried = await world.call('POST', elsewhere, { ...sent, body: { sacco, phone: person.phone, amount: 50 } });
    expect(carried.body.code).toBe('idempotency_key_reused');
    expect(before - (await world.wallet(person))).toBe(cost);
  },
);

test('one key in two hands is two keys', async () => {
  const [one, two] = [await member(10_000), await member(10_000)];
  for (const person of [one, two])
    await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
  const [first, second] = await Promise.all(
    [one, two].map((as) =>
      world.call('POST', '/sacco/savings/deposit', { as, key: 'same', body: { sacco, amount: 10 } }),
    ),
  );
  expect([first?.status, second?.status]).toEqual([200, 200]);
  expect(first?.body.receipt.journal).not.toBe(second?.body.receipt.journal);
});

test('twenty withdrawals at once never take more than there is', async () => {
  const person = await member(350);
  await world.confirmPhone(person);
  const answers = await atOnce(20, () =>
    world.call('POST', '/integrations/mpesa/withdraw', { as: person, body: { amount: 100, phone: person.phone } }),
  );
  expect(statuses(answers)).toEqual({ 202: 3, 422: 17 });
  expect(await world.wallet(person)).toBe(50_00);
});

test('twenty top-ups at once to one phone open one prompt, and twenty claims of one receipt one claim', async () => {
  const person = await member(0.01);
  await agreed(world.database, person.id, '254799000111');
  const prompts = await atOnce(20, () =>
    world.call('POST', '/integrations/mpesa/deposit', { as: person, body: { amount: 10, phone: '254799000111' } }),
  );
  expect(statuses(prompts)[202]).toBe(1);
  expect(statuses(prompts)[409]).toBe(19);
  const claims = await atOnce(20, () =>
    world.call('POST', '/integrations/mpesa/transaction-checker', {
      as: person,
      body: { transaction_id: 'SGH7XK2L9P', phone_number: person.phone },
    }),
  );
  expect(statuses(claims)).toEqual({ 202: 20 });
  expect(new Set(claims.map(({ body }) => body.claim.id)).size).toBe(1);
});

test('a founder who registers twenty saccos at once has five that wait', async () => {
  const person = await world.person('Eager');
  const answers = await atOnce(20, (index) => register(person, `Eager ${index}`, `EAGER/${index}`));
  expect(statuses(answers)).toEqual({ 201: 5, 409: 15 });
});

test('one name asked for twice at once is given once, when registering and when submitting again', async () => {
  const [one, two] = [await world.person('One'), await world.person('Two')];
  const registered = await Promise.all([register(one, 'Same Name', 'SAME/1'), register(two, 'Same  NAME', 'SAME/2')]);
  expect(statuses(registered)).toEqual({ 201: 1, 409: 1 });
  const rejected = await Promise.all(
    [one, two].map(async (person, index) => {
      const { body } = await register(person, `Turned down ${index}`, `DOWN/${index}`);
      const reject = `/operator/saccos/${body.sacco.id}/rejection`;
      await world.call('POST', reject, { as: operator, body: { reason: 'Not enough papers.' } });
      return { person, id: body.sacco.id as string };
    }),
  );
  const particulars = {
    name: 'Wanted by both',
    description: 'd',
    reg_no: 'X',
    reg_fee: 1,
    min_shares: 1,
    share_value: 1,
  };
  const again = await Promise.all(
    rejected.map(({ person, id }, index) =>
      world.call('POST', `/sacco/${id}/resubmission`, {
        as: person,
        body: { ...particulars, reg_no: `BOTH/${index}` },
      }),
    ),
  );
  expect(statuses(again)).toEqual({ 200: 1, 409: 1 });
});

test('activating, rejecting and suspending at once leave one decision', async () => {
  const { body } = await register(await world.person('Founder'), 'Decide on me', 'DECIDE/1');
  const act = (what: string) =>
    world.call('POST', `/operator/saccos/${body.sacco.id}/${what}`, { as: operator, body: { reason: 'At once.' } });
  const answers = await Promise.all(['activation', 'rejection', 'activation', 'rejection', 'activation'].map(act));
  expect(statuses(answers)).toEqual({ 200: 1, 409: 4 });
});

test('twenty standing orders at once are one, and two runs of the day at once save once', async () => {
  const person = await member(10_000);
  await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
  const answers = await atOnce(20, () =>
    world.call('POST', '/sacco/savings/standing-order', { as: person, body: { sacco, amount: 100, day: 1 } }),
  );
  expect(statuses(answers)).toEqual({ 201: 1, 409: 19 });
  world.database.world.advance(31 * 86_400_000);
  const before = 9_500_00;
  await atOnce(5, () => world.app.tasks.run_standing_orders?.({}) as Promise<void>);
  const [row] = await world.database.sql<{ balance: number }[]>`
    select balance from accounts where kind = 'wallet' and owner_id = ${person.id}`;
  expect(row?.balance).toBe(before - 100_00);
});

test('an exit asked for twenty times at once is one, and is refunded once by five runs at once', async () => {
  const person = await member(10_000);
  await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
  await world.call('POST', '/sacco/savings/deposit', { as: person, body: { sacco, amount: 3_000 } });
  const answers = await atOnce(20, () => world.call('POST', '/sacco/members/exit', { as: person, body: { sacco } }));
  expect(statuses(answers)).toEqual({ 201: 1, 409: 19 });
  world.database.world.advance(61 * 86_400_000);
  await atOnce(5, () => world.app.tasks.settle_exits?.({}) as Promise<void>);
  const [row] = await world.database.sql<{ balance: number }[]>`
    select balance from accounts where kind = 'wallet' and owner_id = ${person.id}`;
  expect(row?.balance).toBe(9_500_00);
});

function register(person: Person, name: string, regNo: string) {
  const fields = {
    name,
    description: 'd',
    reg_no: regNo,
    reg_fee: 1,
    min_shares: 1,
    share_value: 1,
    created_by: person.id,
  };
  const parts = Object.entries(fields).map(
    ([field, value]) => `--edge\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  return world.call('POST', '/sacco/create', {
    as: person,
    raw: `${parts.join('')}--edge--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
}

test('one exit that cannot be settled holds up nobody else’s refund', async () => {
  const [stuck, next] = [await relogged(), await relogged()];
  for (const person of [stuck, next]) {
    await world.call('POST', '/sacco/members/join', { as: person, body: { sacco, ...TERMS } });
    await world.call('POST', '/sacco/savings/deposit', { as: person, body: { sacco, amount: 1_000 } });
    expect((await world.call('POST', '/sacco/members/exit', { as: person, body: { sacco } })).status).toBe(201);
  }
  // The first one's journal is there already, with other words: a fault that nobody foresaw.
  const [exit] = await world.database.sql<{ id: string }[]>`select id from exit_requests where user_id = ${stuck.id}`;
  await world.saccos.fund(stuck.id, 1_00);
  await world.database.owner`
    update journals set idempotency_key = ${`deposits_refunded:${exit?.id}`}
    where id = (select max(id) from journals where caused_by = ${stuck.id})`;
  world.database.world.advance(61 * 86_400_000);
  await expect(world.app.tasks.settle_exits?.({})).rejects.toThrow('could not be settled');
  const [row] = await world.database.sql<{ balance: number }[]>`
    select balance from accounts where kind = 'wallet' and owner_id = ${next.id}`;
  expect(row?.balance).toBe(9_500_00);
});

/** The clock has moved on since the others signed in. */
const relogged = () => member(10_000);
