import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackApp, attackApp, CALLBACK_SECRET, type Person } from '../support/test-product.ts';

let world: AttackApp;
let member: Person;
let operator: Person;
let sacco: string;

beforeAll(async () => {
  world = await attackApp();
  member = await world.person('Wanjiru');
  operator = await world.operator();
  const founder = await world.person('Achieng');
  sacco = await world.saccos.sacco(founder.id, operator.id);
  await world.saccos.join(sacco, member.id);
  await world.saccos.fund(member.id, 1_000_000_00);
});
afterAll(() => world.close());

/** Words that are not what they seem, and numbers that are none. */
const NASTY: unknown[] = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  'x'.repeat(5_000),
  '1e308',
  'NaN',
  '-0',
  1e308,
  -1,
  0,
  1.005,
  2 ** 53,
  null,
  true,
  [],
  ['a'],
  [[[[]]]],
  {},
  { __proto__: null, constructor: { prototype: { isOperator: true } } },
  "'; drop table users;--",
  '%_\\',
  '0x10',
  '0000-01-01',
  '9999-12-31',
  '2147483648',
  '9223372036854775808',
];
const NOBODY = '00000000-0000-7000-8000-000000000000';

/** A value for each field that lets a request pass as far as it can. */
const PLAUSIBLE: Record<string, unknown> = {
  amount: 10,
  reg_fee: 1,
  min_shares: 1,
  share_value: 1,
  total: 1,
  shares: 1,
  transaction_id: 'SGH7XK2L9P',
  phone: '254712345678',
  phone_number: '254712345678',
  id_number: 'Q7777777',
  user_type: 'client',
  password: 'Abcdefg1!',
  first_name: 'A',
  last_name: 'B',
  email: 'a@b.co',
  reason: 'because so',
  action: 'dismiss',
  decision: 'deny',
  day: 5,
  stars: 5,
  name: 'Some pool',
  description: 'd',
  reg_no: 'AB12',
  min_contribution: '1',
  min_contribution_perc: '1',
  min_member_period: '1',
  base_risk_percentage: '1',
  risk_weight_factor: '1',
  min_trust_score: '1',
  office: 'treasurer',
  current_password: 'x',
  otp: '123456',
  code: '12345678',
  reset_code: 'ABCD1234',
  note: 'seen',
  reward: 1,
  monthly_rewards_max: 1,
  secret: CALLBACK_SECRET,
  point: 'certificate',
};

interface Attempt {
  readonly label: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const fieldsOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});

function* attempts(route: Route): Generator<Attempt> {
  const pathWith = (field: string | null, text = '') =>
    route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(name === field ? text : String(name === 'sacco' ? sacco : (PLAUSIBLE[name] ?? NOBODY))),
    );
  const body = Object.fromEntries(
    fieldsOf(route.body).map((name) => [name, name === 'sacco' ? sacco : PLAUSIBLE[name]]),
  );
  for (const value of NASTY) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const inUrl = text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
    for (const field of fieldsOf(route.query)) {
      yield { label: `?${field}=${text}`, path: `${pathWith(null)}?${field}=${inUrl}`, body };
    }
    for (const field of fieldsOf(route.body)) {
      yield { label: `${field}: ${text}`, path: pathWith(null), body: { ...body, [field]: value } };
    }
    for (const field of fieldsOf(route.params)) {
      if (text.isWellFormed()) yield { label: `/{${field}}/ = ${text}`, path: pathWith(field, text), body };
    }
  }
  if (!fieldsOf(route.query).includes('cursor')) return;
  const sorts = fieldsOf(route.query).includes('sort') ? ['name', 'newest', 'members'] : [''];
  for (const cursor of CURSORS) {
    for (const sort of sorts) {
      const query = `cursor=${cursor}${sort ? `&sort=${sort}` : ''}`;
      yield { label: query, path: `${pathWith(null)}?${query}`, body };
    }
  }
}

const cursor = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');
const CURSORS = [
  cursor('a', 2 ** 40, NOBODY),
  cursor('b', -(2 ** 40), NOBODY),
  cursor('a', 'x', NOBODY),
  cursor('a', '\u0000', NOBODY),
  cursor('a', '\ud800', NOBODY),
  cursor('b', NOBODY),
  cursor('a', Number.MAX_SAFE_INTEGER),
  cursor('b', Number.MIN_SAFE_INTEGER),
  '999999999999999',
  NOBODY,
];

/** A fault of ours, or words of the database or of a stack, in an answer. */
function faultOf(answer: { status: number; text: string }): string | null {
  if (answer.status >= 500) return `${answer.status} ${answer.text.slice(0, 200)}`;
  if (
    /syntax error|invalid (input syntax|byte)|Invalid input:|violates|relation "|\bat \S+ \(|node_modules/i.test(
      answer.text,
    )
  )
    return answer.text;
  return null;
}

const ENDS_SESSIONS = ['logout', 'logoutAll', 'clientLive'];

test.each(
  (contract as readonly Route[])
    .filter(({ name }) => !ENDS_SESSIONS.includes(name))
    .map((route) => [route.name, route] as const),
)(
  '%s answers whatever it is sent with a sentence, never with a fault',
  async (_name, route) => {
    const faults: string[] = [];
    const stored: string[] = [];
    for (const attempt of attempts(route)) {
      const isJson = route.bodyType === 'json' && route.method !== 'GET';
      const answer = await world.call(route.method, attempt.path, {
        as: route.caller === 'operator' ? operator : member,
        sacco,
        ...(isJson ? { body: attempt.body } : {}),
        ...(route.bodyType === 'multipart' ? multipart(attempt.body) : {}),
      });
      const fault = faultOf(answer);
      if (fault) faults.push(`${attempt.label.slice(0, 60)} -> ${fault}`);
      if (route.replyType === 'json' && answer.headers['cache-control'] !== 'no-store')
        stored.push(attempt.label.slice(0, 60));
    }
    expect(faults).toEqual([]);
    expect(stored).toEqual([]);
  },
  60_000,
);

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
