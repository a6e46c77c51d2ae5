import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackApp, attackApp, type Person } from '../support/test-product.ts';

let world: AttackApp;
let member: Person;
let sacco: string;

beforeAll(async () => {
  world = await attackApp();
  member = await world.person('Wanjiru');
  const operator = await world.operator();
  const founder = await world.person('Achieng');
  sacco = await world.saccos.sacco(founder.id, operator.id);
  await world.saccos.join(sacco, member.id);
  await world.saccos.fund(member.id, 1_000_000_00);
});
afterAll(() => world.close());

test('JSON that is broken, deep, doubled or poisoned does not get past the parser, and what is left out is not acted on', async () => {
  const send = (raw: string) =>
    world.call('POST', '/sacco/savings/deposit', { as: member, raw, headers: { 'content-type': 'application/json' } });
  for (const raw of [
    '{',
    '[]',
    '"x"',
    'null',
    '1',
    '{"amount":1,}',
    `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  ]) {
    expect((await send(raw)).status, raw.slice(0, 20)).toBe(400);
  }
  expect((await send(`{"sacco":"${sacco}","amount":1,"__proto__":{"isOperator":true}}`)).status).toBe(400);
  expect((await send(`{"x":"${'a'.repeat(70_000)}"}`)).status).toBe(413);
  const before = await world.wallet(member);
  expect((await send(`{"sacco":"${sacco}","amount":1,"amount":2}`)).status).toBe(200);
  expect(before - (await world.wallet(member))).toBe(200);
});

test('an address that leads out of the folder, is too long or cannot be read is not there', async () => {
  for (const path of [
    '//..%2f..%2fpackage.json',
    '//assets/..%5c..%5cpackage.json',
    '//%00',
    `//${'x/'.repeat(3_000)}`,
    `//${'x'.repeat(5_000)}`,
  ]) {
    expect((await world.call('GET', path)).status, path.slice(0, 40)).toBe(404);
  }
  const unreadable = await world.call('GET', '//%c0%ae');
  expect(unreadable.status).toBe(400);
  expect(unreadable.body).toMatchObject({ success: false, code: 'malformed_request' });
  expect(unreadable.headers['x-content-type-options']).toBe('nosniff');
});

test('an amount is what it says to the cent, or it is refused', async () => {
  const pay = (amount: unknown) =>
    world.call('POST', '/sacco/savings/deposit', { as: member, body: { sacco, amount } });
  for (const amount of [
    '1e2',
    '1E2',
    1e21,
    '1,50',
    '1.500',
    ' ',
    '+1',
    '--1',
    '1..',
    '.5',
    '1.001',
    0.1 + 0.2,
    '-1',
    -0.01,
    0,
    '-0',
    [5],
    { a: 1 },
    true,
  ]) {
    expect((await pay(amount)).status, JSON.stringify(amount)).toBe(400);
  }
  const before = await world.wallet(member);
  for (const amount of ['1.10', 1.1, ' １.1 ']) expect((await pay(amount)).status).toBe(200);
  expect(before - (await world.wallet(member))).toBe(330);
});
