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

function multipart(
  fields: Record<string, unknown>,
  files: readonly { field: string; name: string; bytes: Buffer }[] = [],
) {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    parts.push(Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`));
  }
  for (const { field, name, bytes } of files) {
    const head = `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
    parts.push(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]));
  }
  parts.push(Buffer.from('--edge--\r\n'));
  return { raw: Buffer.concat(parts), headers: { 'content-type': 'multipart/form-data; boundary=edge' } };
}

test('a form with two files, none, too large a one, or one under another name is refused or taken in plain words', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const fields = (name: string) => ({
    name,
    description: 'A sacco.',
    reg_no: `RN/${name.length}${name.at(-1)}`,
    reg_fee: '1',
    min_shares: '1',
    share_value: '1',
    created_by: member.id,
  });
  const send = (sent: object) => world.call('POST', '/sacco/create', { as: member, ...sent });
  const logo = { field: 'logo', name: '../../etc/passwd\u0000.png', bytes: png };
  expect((await send(multipart(fields('Two files'), [logo, logo]))).status).toBe(413);
  expect((await send(multipart(fields('Large'), [{ ...logo, bytes: Buffer.alloc(3_000_000, 1) }]))).status).toBe(413);
  expect(
    (await send(multipart(fields('Text as logo'), [{ ...logo, bytes: Buffer.from('<svg onload=alert(1)>') }]))).status,
  ).toBe(400);
  expect((await send(multipart(fields('Nothing in it'), [{ ...logo, bytes: Buffer.alloc(0) }]))).status).toBe(201);
  expect((await send(multipart(fields('Elsewhere'), [{ ...logo, field: 'other' }]))).body.sacco?.logo ?? null).toBe(
    null,
  );
  expect((await send(multipart(fields('Odd file name'), [logo]))).status).toBe(201);
  const { raw } = multipart(fields('No boundary'));
  expect((await send({ raw, headers: { 'content-type': 'multipart/form-data' } })).status).toBeLessThan(500);
  expect(
    (await send({ raw: raw.subarray(0, 100), headers: { 'content-type': 'multipart/form-data; boundary=edge' } }))
      .status,
  ).toBeLessThan(500);
  expect((await send({ body: fields('Json') })).status).toBe(415);
});

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
    '1,000',
    ' ',
    '٣',
    '１',
    '+1',
    '--1',
    '1.',
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
  for (const amount of ['1.10', 1.1, ' 1.1 ']) expect((await pay(amount)).status).toBe(200);
  expect(before - (await world.wallet(member))).toBe(330);
});
