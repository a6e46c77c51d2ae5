import type { Random } from '../random.ts';
import { atOnce, CALLBACK_SECRET } from '../support/product.ts';
import type { CallbackWorld } from './callback-world.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A callback that the simulator made, delivered or not. An attacker may have read it. */
export interface Genuine {
  readonly kind: 'stk' | 'b2c' | 'transaction_status' | 'c2b' | 'forged' | 'b2c_timeout' | 'transaction_status_timeout';
  /** The path after the secret: `/stk/…`. */
  readonly path: string;
  readonly body: string;
}

/** What the attacker knows. */
export interface Loot {
  readonly genuine: readonly Genuine[];
  /** From a year ago, about payments that are booked. */
  readonly lastYear: readonly Genuine[];
  readonly receipts: readonly string[];
  readonly accounts: readonly string[];
  readonly phones: readonly string[];
  readonly deposits: readonly {
    readonly id: string;
    readonly checkout: string;
    readonly phone: string;
    readonly amount: number;
  }[];
  readonly withdrawals: readonly { readonly id: string; readonly conversation: string; readonly amount: number }[];
  readonly queries: readonly string[];
}

export interface Hostile {
  readonly path: string;
  readonly text: string;
  /** A wrong secret, used instead of the right one. */
  readonly secret?: string;
  /** How many times it is sent at once. */
  readonly times?: number;
  /** The text is no JSON object, or too large: refusing it is right too. */
  readonly isRubbish?: boolean;
  /** The path does not exist, so 404 is the right answer. */
  readonly isNowhere?: boolean;
}

type Mutation = (random: Random, loot: Loot, from: Genuine) => readonly Hostile[];

const AMOUNT_KEYS = ['Amount', 'TransAmount', 'TransactionAmount'];
const PAYER_KEYS = ['PhoneNumber', 'MSISDN', 'DebitPartyName'];
const PAYEE_KEYS = ['BusinessShortCode', 'CreditPartyName', 'ReceiverPartyPublicName'];
const REFERENCE_KEYS = [
  'BillRefNumber',
  'MerchantRequestID',
  'CheckoutRequestID',
  'OriginatorConversationID',
  'InvoiceNumber',
];
const RECEIPT_KEYS = ['MpesaReceiptNumber', 'TransID', 'TransactionID', 'TransactionReceipt', 'ReceiptNo'];
const CODE_KEYS = ['ResultCode', 'ResultType', 'TransactionStatus'];

const DOUBLED_KEY = /"(ResultCode|TransAmount)":/;

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The ways to alter a genuine callback or to invent one. Each returns the callbacks to send. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  replayed: (_random, _loot, from) => [{ path: from.path, text: from.body }],
  'many at once': (random, _loot, from) => [{ path: from.path, text: from.body, times: random.whole(4, 10) }],
  amount: (random, loot, from) =>
    altered(random, loot, from, AMOUNT_KEYS, [1, 0, -5, 250_000, 99_999_999, 1e15, 2 ** 53, 0.01, 33.333]),
  'amount of another type': (random, loot, from) =>
    altered(random, loot, from, AMOUNT_KEYS, [
      '100',
      '1e2',
      ' 100 ',
      '100.00 ',
      '0x64',
      '١٠٠',
      '1,000',
      [100],
      { Value: 100 },
      true,
      null,
      '',
    ]),
  'payer’s phone': (random, loot, from) =>
    altered(random, loot, from, PAYER_KEYS, [
      Number(random.pick(loot.phones)),
      random.pick(loot.phones),
      '254700000000 - X',
      7,
    ]),
  payee: (random, loot, from) =>
    altered(random, loot, from, PAYEE_KEYS, ['123456', 174379, '600985 - Other', '', null]),
  reference: (random, loot, from) =>
    altered(random, loot, from, REFERENCE_KEYS, [
      random.pick(loot.accounts),
      random.pick(loot.phones),
      checkoutOf(random, loot),
      '',
    ]),
  receipt: (random, loot, from) =>
    altered(random, loot, from, RECEIPT_KEYS, [
      fakeReceipt(random),
      random.pick(loot.receipts),
      'OA90000000',
      'rkl51zdr4f',
      '',
    ]),
  'result code': (random, loot, from) =>
    altered(random, loot, from, CODE_KEYS, [
      0,
      1032,
      1,
      2001,
      2040,
      17,
      '0',
      '0 ',
      '00',
      0.5,
      -0,
      'Completed',
      'Failed',
      7777,
      null,
      '',
    ]),
  'success, then failure': (random, loot, from) => [
    { path: from.path, text: from.body },
    ...altered(random, loot, from, ['ResultCode'], [1032, 2040, 1]),
  ],
  'failure, then success': (random, loot, from) => [
    ...altered(random, loot, from, ['ResultCode'], [1032, 2040, 1]),
    { path: from.path, text: from.body },
  ],
  'a field is missing': (random, loot, from) => [withTree(random, loot, from, (tree) => removeSome(random, tree))],
  'a key has another name': (random, loot, from) => [withTree(random, loot, from, (tree) => renameSome(random, tree))],
  'extras inside': (random, loot, from) => [withTree(random, loot, from, (tree) => addExtras(random, tree))],
  'an array in its place': (random, loot, from) => [
    withTree(random, loot, from, (tree) => replaceSome(random, tree, [[], [[1]], [{ a: 1 }]])),
  ],
  'strange letters': (random, loot, from) => [
    withTree(random, loot, from, (tree) =>
      replaceSome(random, tree, ['\u0000', '\ud800', '‮moc.live', '😀'.repeat(300), "'; drop table users; --", '０']),
    ),
  ],
  'numbers out of bounds': (random, loot, from) => [
    withTree(random, loot, from, (tree) => replaceSome(random, tree, [1e308, -1e308, 2 ** 53, -1, 1e-9])),
  ],
  'keys twice': (random, loot, drawn) => {
    const doubled = [drawn, ...loot.genuine].filter(({ body }) => DOUBLED_KEY.test(body));
    if (doubled.length === 0) return [];
    const { path, body } = random.pick(doubled);
    return [{ path, text: body.replace(DOUBLED_KEY, '"$1":0,"$1":') }];
  },
  'another’s address': (random, loot, from) => [
    { path: from.path.replace(uuid, otherId(random, loot, from)), text: from.body },
  ],
  'another kind’s address': (random, loot, from) => [{ path: otherKind(random, loot, from), text: from.body }],
  'a wrong secret': (random, loot, from) => [
    { path: from.path, text: from.body, secret: wrongSecret(random) },
    ...forgedSuccess(random, loot).map((forged) => ({ ...forged, secret: wrongSecret(random) })),
  ],
  'an address that is none': (random, _loot, from) => [
    {
      path: uuid.test(from.path)
        ? from.path.replace(uuid, (id) => random.pick([id.slice(0, -1), `${id}0`, 'x', '%00', '..']))
        : `${from.path}/x`,
      text: from.body,
      isNowhere: true,
    },
  ],
  'of last year': (random, loot) => {
    const old = random.pick(loot.lastYear);
    const pending = loot.deposits.length > 0 ? random.pick(loot.deposits).id : randomUuid(random);
    return [
      { path: old.path, text: old.body },
      { path: old.kind === 'stk' ? `/stk/${pending}` : old.path, text: old.body },
    ];
  },
  'a success made up': (random, loot) => forgedSuccess(random, loot),
  'for a request that nobody made': (random) => [
    {
      path: `/stk/${randomUuid(random)}`,
      text: stkText('ws_CO_21112026000000000700000000', random.whole(1, 9_999), fakeReceipt(random), '254700000000'),
    },
    {
      path: `/b2c/${randomUuid(random)}/result`,
      text: resultText(0, 'AG_20261121_00000000000000000000', 500, fakeReceipt(random)),
    },
  ],
  'a payment to the paybill made up': (random, loot) => [
    {
      path: random.pick(['/c2b/confirmation', '/c2b/validation']),
      text: paybillText(fakeReceipt(random), random.whole(1, 99_999), random.pick(loot.accounts)),
    },
  ],
  'a payment to the paybill told of first, for another': (random, loot) => [
    {
      path: '/c2b/confirmation',
      text: paybillText(random.pick(loot.receipts), random.whole(1, 99_999), random.pick(loot.accounts)),
    },
  ],
  'a payout’s result made up': (random, loot) => forgedPayout(random, loot),
  'an answer to our question made up': (random, loot) =>
    loot.queries.map((id) => ({ path: `/status/${id}/result`, text: statusText(random, loot) })).slice(0, 3),
  'a queue that timed out, made up': (random, loot) => [
    ...loot.withdrawals
      .slice(0, 1)
      .map(({ id }) => ({ path: `/b2c/${id}/timeout`, text: '{"InitiatorName":"testapi"}' })),
    { path: `/status/${loot.queries[0] ?? randomUuid(random)}/timeout`, text: '{}' },
  ],
  'no JSON object at all': (random, _loot, from) => [
    {
      path: from.path,
      text: random.pick(['[]', '"0"', 'null', '{', '', '0', `${'['.repeat(9_000)}`]),
      isRubbish: true,
    },
  ],
  'as deep or as long as it can be': (random, _loot, from) => [
    {
      path: from.path,
      text: random.chance(0.5)
        ? `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`
        : `{"a":"${'x'.repeat(random.pick([63_000, 70_000]))}"}`,
      isRubbish: true,
    },
  ],
};

/**
 * A genuine callback with one of its fields set to another value. When it has none of the fields, another callback that
 * has one is used. Returns nothing when no callback has one, or when the value stays the same.
 */
function altered(
  random: Random,
  loot: Loot,
  drawn: Genuine,
  keys: readonly string[],
  values: readonly Json[],
): Hostile[] {
  const has = (genuine: Genuine) => keys.some((key) => genuine.body.includes(`"${key}"`));
  const others = loot.genuine.filter(has);
  const from = has(drawn) || others.length === 0 ? drawn : random.pick(others);
  const value = random.pick(values);
  let isOther = false;
  const made = withTree(random, loot, from, (tree) => {
    const before = JSON.stringify(tree);
    const places = placesOf(tree).filter(({ name }) => keys.includes(name));
    if (places.length > 0) random.pick(places).set(value);
    isOther = JSON.stringify(tree) !== before;
  });
  return isOther ? [made] : [];
}

/**
 * Changes the tree of a callback. An answer to our question carries an id that only M-Pesa and we know. An attacker
 * does not have it (docs/decisions/118), so it is replaced too.
 */
function withTree(random: Random, _loot: Loot, from: Genuine, change: (tree: Json) => void): Hostile {
  const tree = JSON.parse(from.body) as Json;
  change(tree);
  let text = JSON.stringify(tree);
  if (from.kind === 'transaction_status')
    text = text.replaceAll(/AG_\d{8}_[0-9a-f]{20}/g, `AG_20261121_${hex(random, 20)}`);
  return { path: from.path, text };
}

interface Place {
  /** The field's name; for `{Name: 'Amount', Value: 1}` it is `Amount`. */
  readonly name: string;
  set(value: Json): void;
  remove(): void;
  rename(to: string): void;
}

function placesOf(tree: Json): Place[] {
  if (typeof tree !== 'object' || tree === null) return [];
  if (Array.isArray(tree)) return tree.flatMap(placesOf);
  const fields = tree;
  const named = fields.Name ?? fields.Key;
  return Object.keys(fields).flatMap((key) => [
    {
      name: key === 'Value' && typeof named === 'string' ? named : key,
      set: (value: Json) => {
        fields[key] = value;
      },
      remove: () => {
        delete fields[key];
      },
      rename: (to: string) => {
        fields[to] = fields[key] as Json;
        delete fields[key];
      },
    },
    ...placesOf(fields[key] as Json),
  ]);
}

const anyPlace = (random: Random, tree: Json): Place | null => {
  const places = placesOf(tree);
  return places.length > 0 ? random.pick(places) : null;
};
const removeSome = (random: Random, tree: Json) => anyPlace(random, tree)?.remove();
const renameSome = (random: Random, tree: Json) =>
  anyPlace(random, tree)?.rename(random.pick(['resultcode', '__proto__', 'constructor', ' Amount', 'Result Code']));
const replaceSome = (random: Random, tree: Json, values: readonly Json[]) =>
  anyPlace(random, tree)?.set(random.pick(values));
const addExtras = (random: Random, tree: Json) =>
  anyPlace(random, tree)?.set({ Value: 1, ResultCode: 0, nested: { Body: { stkCallback: { ResultCode: 0 } } } });

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.whole(0, 15).toString(16)).join('');
}

function randomUuid(random: Random): string {
  return `${hex(random, 8)}-${hex(random, 4)}-7${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`;
}

function fakeReceipt(random: Random): string {
  return `FAK${String(random.whole(1_000_000, 9_999_999))}`;
}

function checkoutOf(random: Random, loot: Loot): string {
  return loot.deposits.length > 0 ? random.pick(loot.deposits).checkout : 'ws_CO_1';
}

function wrongSecret(random: Random): string {
  const right = CALLBACK_SECRET;
  return random.pick([
    right.slice(0, -1),
    `${right}0`,
    right.toUpperCase(),
    right.replace('a', 'b'),
    'x',
    '%00',
    hex(random, right.length),
  ]);
}

function otherId(random: Random, loot: Loot, from: Genuine): string {
  const pools = {
    stk: loot.deposits.map(({ id }) => id),
    b2c: loot.withdrawals.map(({ id }) => id),
    transaction_status: loot.queries,
  };
  const pool = pools[from.kind as keyof typeof pools] ?? [];
  return pool.length > 0 && random.chance(0.7) ? random.pick(pool) : randomUuid(random);
}

function otherKind(random: Random, loot: Loot, from: Genuine): string {
  const id = uuid.exec(from.path)?.[0] ?? loot.deposits[0]?.id ?? randomUuid(random);
  const paths = [
    `/stk/${id}`,
    `/b2c/${id}/result`,
    `/b2c/${id}/timeout`,
    `/status/${id}/result`,
    `/status/${id}/timeout`,
    `/balance/${id}/result`,
    `/balance/${id}/timeout`,
    '/c2b/confirmation',
    '/c2b/validation',
    ...loot.deposits.slice(0, 2).map((deposit) => `/stk/${deposit.id}`),
    ...loot.withdrawals.slice(0, 2).map((withdrawal) => `/b2c/${withdrawal.id}/result`),
  ];
  return random.pick(paths.filter((path) => path !== from.path));
}

/**
 * A forged payment by somebody who knows a prompt's ids; sometimes with the ids of another prompt, or another payment's
 * receipt.
 */
function forgedSuccess(random: Random, loot: Loot): Hostile[] {
  if (loot.deposits.length === 0) return [];
  const [at, from] = [random.pick(loot.deposits), random.pick(loot.deposits)];
  const checkout = random.chance(0.6) ? at.checkout : from.checkout;
  const receipt = random.chance(0.5) ? fakeReceipt(random) : random.pick(loot.receipts);
  const amount = random.chance(0.6) ? at.amount : random.whole(1, 250_000);
  return [
    {
      path: `/stk/${at.id}`,
      text: stkText(checkout, amount, receipt, random.chance(0.7) ? at.phone : random.pick(loot.phones)),
    },
  ];
}

/** A forged result of a payout, sometimes with M-Pesa's own ConversationID. */
function forgedPayout(random: Random, loot: Loot): Hostile[] {
  return loot.withdrawals.slice(0, 4).map(({ id, conversation, amount }) => {
    const known = random.chance(0.6) && conversation !== '' ? conversation : `AG_20261121_${hex(random, 20)}`;
    const code = random.pick([0, 1, 2040, 2001, 8, 'SFC_IC0003', 7777]);
    return {
      path: `/b2c/${id}/result`,
      text: resultText(code, known, random.chance(0.7) ? amount : 1, fakeReceipt(random)),
    };
  });
}

/** M-Pesa's callback for a prompt that was paid. */
export function stkBody(checkout: string, amount: number, receipt: string, phone: string) {
  const Item = [
    { Name: 'Amount', Value: amount },
    { Name: 'MpesaReceiptNumber', Value: receipt },
    { Name: 'TransactionDate', Value: 20260302090000 },
    { Name: 'PhoneNumber', Value: Number(phone) },
  ];
  const stkCallback = {
    MerchantRequestID: '1-1-1',
    CheckoutRequestID: checkout,
    ResultCode: 0,
    ResultDesc: 'ok',
    CallbackMetadata: { Item },
  };
  return { Body: { stkCallback } };
}

const stkText = (...paid: Parameters<typeof stkBody>): string => JSON.stringify(stkBody(...paid));

function resultText(code: number | string, conversation: string, amount: number, receipt: string): string {
  const ResultParameter = [
    { Key: 'TransactionAmount', Value: amount },
    { Key: 'TransactionReceipt', Value: receipt },
  ];
  const head = {
    ResultType: 0,
    ResultCode: code,
    ResultDesc: 'x',
    ConversationID: conversation,
    TransactionID: receipt,
  };
  return JSON.stringify({ Result: { ...head, ResultParameters: { ResultParameter } } });
}

function statusText(random: Random, loot: Loot): string {
  const ResultParameter = [
    { Key: 'DebitPartyName', Value: `${random.pick(loot.phones)} - X` },
    { Key: 'DebitPartyName', Value: '600984 - Ushirika' },
    { Key: 'CreditPartyName', Value: `${random.pick(loot.phones)} - X` },
    { Key: 'TransactionStatus', Value: random.pick(['Completed', 'Failed', 'Cancelled']) },
    { Key: 'Amount', Value: String(random.whole(1, 99_999)) },
    { Key: 'ReceiptNo', Value: random.chance(0.5) ? random.pick(loot.receipts) : fakeReceipt(random) },
  ];
  const head = {
    ResultType: 0,
    ResultCode: random.pick([0, 0, 2032]),
    ResultDesc: 'x',
    ConversationID: `AG_20261121_${hex(random, 20)}`,
  };
  return JSON.stringify({ Result: { ...head, ResultParameters: { ResultParameter } } });
}

export function paybillText(receipt: string, amount: number, account: string): string {
  return JSON.stringify({
    TransactionType: 'Pay Bill',
    TransID: receipt,
    TransTime: '20260302090000',
    TransAmount: `${amount}.00`,
    BusinessShortCode: '600984',
    BillRefNumber: account,
    MSISDN: '2547 ***** 126',
    FirstName: 'JOHN',
  });
}

/** Sends at least `least` hostile callbacks, several at once, and checks each answer. Returns how many were sent. */
export async function beHostile(world: CallbackWorld, loot: Loot, least: number): Promise<number> {
  const { random } = world;
  const names = Object.keys(MUTATIONS);
  let sent = 0;
  while (sent < least) {
    const wave: (readonly [string, Hostile])[] = [];
    for (let drawn = 0; drawn < 12; drawn += 1) {
      const name = random.pick(names);
      const from = random.pick(loot.genuine);
      for (const hostile of MUTATIONS[name]?.(random, loot, from) ?? []) wave.push([name, hostile]);
    }
    // Jobs and genuine callbacks run at the same time.
    const others = random.chance(0.25) ? [world.stir()] : [];
    await Promise.all([...others, ...wave.map(([name, hostile]) => send(world, name, hostile))]);
    sent += wave.reduce((sum, [, { times = 1 }]) => sum + times, 0);
  }
  return sent;
}

async function send(world: CallbackWorld, name: string, hostile: Hostile): Promise<void> {
  const { path, text, secret = CALLBACK_SECRET, times = 1 } = hostile;
  // Reports of payments to the paybill have two addresses.
  const isHook = path.startsWith('/c2b/') && text.length % 2 === 0;
  const url = isHook ? `/hooks/pay/${secret}${path.slice(4)}` : `/integrations/mpesa/callback/${secret}${path}`;
  const headers = { 'content-type': 'application/json' };
  const answers = await atOnce(times, () => world.product.call('POST', url, { raw: text, headers }));
  world.count(`hostile: ${name}`, times);
  const isWrong = secret !== CALLBACK_SECRET || hostile.isNowhere === true;
  const right = isWrong ? [404] : hostile.isRubbish ? [200, 400, 413] : [200];
  for (const { status, text: answer } of answers) {
    if (right.includes(status)) continue;
    world.violate(
      `a hostile callback (${name}) at ${path} was answered ${status}: ${answer.slice(0, 120)}; it was ${text.slice(0, 400)}`,
    );
  }
}
