import type { Route } from '@ushirika/contract/route';
import fc from 'fast-check';
import { type Leaf, leavesOf } from './derive.ts';
import { Fields, nested, ODD_NUMBERS, ODD_TEXTS, OTHER_KINDS, Raw } from './values.ts';

/** Where in a request something is changed. */
export interface Place {
  readonly part: 'params' | 'query' | 'body';
  readonly path: readonly string[];
}

/** The one thing about a request that is not as its route asks for it. */
export type Twist =
  | { readonly kind: 'nothing' }
  | {
      readonly kind:
        | 'an edge'
        | 'another type'
        | 'too much'
        | 'an odd text'
        | 'an odd number'
        | 'deep nesting'
        | 'the same field twice';
      readonly at: Place;
      readonly value: unknown;
    }
  | { readonly kind: 'another shape'; readonly at: Place; readonly how: Shape }
  | { readonly kind: 'a field left out'; readonly at: Place }
  | {
      readonly kind: 'a field too many' | 'a poisoned key';
      readonly part: 'query' | 'body';
      readonly name: string;
      readonly value: unknown;
    }
  | { readonly kind: 'another content type'; readonly contentType: string; readonly asForm: boolean }
  | { readonly kind: 'broken JSON'; readonly how: Breakage; readonly share: number }
  | { readonly kind: 'another encoding'; readonly how: Encoding }
  | { readonly kind: 'an odd header'; readonly name: string; readonly value: string | readonly string[] }
  | { readonly kind: 'an odd path'; readonly how: PathTurn }
  | { readonly kind: 'another method'; readonly method: string }
  | { readonly kind: 'an odd form'; readonly how: FormTurn };

export type TwistKind = Twist['kind'];

/** Each of them must happen in every run. */
export const TWIST_KINDS: readonly TwistKind[] = [
  'nothing',
  'an edge',
  'another type',
  'too much',
  'an odd text',
  'an odd number',
  'deep nesting',
  'the same field twice',
  'another shape',
  'a field left out',
  'a field too many',
  'a poisoned key',
  'another content type',
  'broken JSON',
  'another encoding',
  'an odd header',
  'an odd path',
  'another method',
  'an odd form',
];

const SHAPES = [
  'zeros',
  'nines',
  'upper case',
  'twice',
  'cut',
  'wide digits',
  'blank around',
  'newline after',
  'a number in it',
  'a text in it',
  'the other way',
] as const;
type Shape = (typeof SHAPES)[number];
const BREAKAGES = [
  'cut',
  'comma',
  'quotes',
  'more after',
  'mark before',
  'comment',
  'bare',
  'nothing',
  'list',
  'text',
] as const;
type Breakage = (typeof BREAKAGES)[number];
const ENCODINGS = ['called gzip', 'gzip', 'br', 'utf-16', 'latin 1', 'half a character', 'chunked words'] as const;
type Encoding = (typeof ENCODINGS)[number];
const PATH_TURNS = [
  'slash after',
  'slash before',
  'upper case',
  'dots',
  'NUL after',
  'slash within',
  'semicolon',
  'letters as numbers',
  'broken percent',
  'very long',
  'hash',
  'two question marks',
] as const;
type PathTurn = (typeof PATH_TURNS)[number];
const FORM_TURNS = [
  'no boundary',
  'another boundary',
  'cut',
  'many fields',
  'two files',
  'a file too large',
  'a text as a file',
  'an empty file',
  'another file field',
  'an odd file name',
  'a form within',
  'a field too large',
  'a field as a file',
  'a proto field',
] as const;
type FormTurn = (typeof FORM_TURNS)[number];

/** Words for a file that is a picture, and for what else may stand in a form. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const HUGE_LIST = new Raw(`[${'1,'.repeat(999_999)}1]`);
const TOO_MUCH: readonly unknown[] = [
  'x'.repeat(301),
  'x'.repeat(5_000),
  '1'.repeat(5_000),
  '💥'.repeat(2_000),
  'x'.repeat(66_000),
  new Array(1_000).fill('a'),
  new Raw(`[${'"0190f5c1-8a00-7000-8000-000000000001",'.repeat(1_000)}1]`),
  HUGE_LIST,
];
const POISON = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'length',
  '',
  'a.b',
  'a[b]',
  '$where',
];
const POISONED: readonly unknown[] = [
  new Fields([['isOperator', true]]),
  new Fields([['prototype', new Fields([['isOperator', true]])]]),
  1,
  'a',
  null,
];
const MORE_FIELDS = [
  'id',
  'role',
  'is_operator',
  'user_id',
  'sacco_id',
  'balance',
  'status',
  'state',
  'amount_cents',
  'sort',
  'order',
  'limit',
  'cursor',
];

const HEADERS: readonly (readonly [string, string | readonly string[]])[] = [
  ['authorization', 'Bearer {{token}}'],
  ['authorization', 'token {{token}}'],
  ['authorization', 'Token'],
  ['authorization', 'Token   {{token}}  '],
  ['authorization', 'Token {{token}}, Token {{token}}'],
  ['authorization', `Token ${'x'.repeat(5_000)}`],
  ['authorization', 'Token \u00e9\u00ff'],
  ['authorization', 'Token %00'],
  ['authorization', 'Basic OjpbXQ=='],
  ['saccoid', 'not an id'],
  ['saccoid', '{{sacco}}, {{sacco}}'],
  ['saccoid', ['{{sacco}}', '{{sacco}}']],
  ['saccoid', `'; select 1--`],
  ['saccoid', 'x'.repeat(4_000)],
  ['idempotency-key', 'x'.repeat(100)],
  ['idempotency-key', 'x'.repeat(101)],
  ['idempotency-key', 'x'.repeat(6_000)],
  ['idempotency-key', ' '],
  ['idempotency-key', '\u00e9\u00ff\u0080'],
  ['idempotency-key', ['a', 'a']],
  ['idempotency-key', "'; select 1--"],
  ['accept', 'application/xml;q=0'],
  ['accept', 'text/html'],
  ['accept-encoding', 'zstd, *;q=0'],
  ['accept-language', 'sw;q=a'.repeat(500)],
  ['x-forwarded-for', '1.2.3.4, <script>'],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['host', 'evil.example'],
  ['origin', 'null'],
  ['referer', `https://a/${'x'.repeat(3_000)}`],
  ['user-agent', '\u00ff'.repeat(300)],
  ['user-agent', `=cmd|' /C calc'!A0${'x'.repeat(2_000)}`],
  ['range', 'bytes=0-0,-1'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['last-event-id', '99999999999999999999'],
  ['cookie', `__proto__=1; ${'a=b; '.repeat(500)}`],
  ['x-request-id', '../../x'],
];

const CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/json;',
  'APPLICATION/JSON',
  'application/json, text/html',
  'application/problem+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'application/octet-stream',
  '/',
  'a',
  'application/__proto__',
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** What may be twisted about requests of this route; an untwisted one among them. */
export function twistsOf(route: Route): fc.Arbitrary<Twist> {
  const places = placesOf(route);
  const parts = (['query', 'body'] as const).filter((part) => part === 'query' || route.bodyType !== 'none');
  const poisoned = fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...POISON), fc.constantFrom(...POISONED));
  const extra = fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...MORE_FIELDS), fc.constantFrom(...OTHER_KINDS));
  return fc.oneof(
    { arbitrary: fc.constant<Twist>({ kind: 'nothing' }), weight: 20 },
    ...(places.length > 0 ? atPlaces(places) : []),
    weighted(
      2,
      poisoned.map(([part, name, value]) => ({ kind: 'a poisoned key', part, name, value })),
    ),
    weighted(
      1,
      extra.map(([part, name, value]) => ({ kind: 'a field too many', part, name, value })),
    ),
    weighted(
      2,
      fc.constantFrom(...HEADERS).map(([name, value]) => ({ kind: 'an odd header', name, value })),
    ),
    weighted(
      2,
      fc.constantFrom(...PATH_TURNS).map((how) => ({ kind: 'an odd path', how })),
    ),
    weighted(
      1,
      fc.constantFrom(...METHODS).map((method) => ({ kind: 'another method', method })),
    ),
    ...(route.bodyType === 'json' ? ofJson() : []),
    ...(route.bodyType === 'multipart'
      ? [
          // Few routes take a form: of each that is asked, a good part is odd.
          weighted(
            40,
            fc.constantFrom(...FORM_TURNS).map((how) => ({ kind: 'an odd form', how })),
          ),
        ]
      : []),
  );
}

const weighted = (weight: number, arbitrary: fc.Arbitrary<unknown>) => ({
  arbitrary: arbitrary as fc.Arbitrary<Twist>,
  weight,
});

function atPlaces(places: readonly (Place & { readonly edges: readonly unknown[] })[]) {
  const at = fc.constantFrom(...places);
  const put = (weight: number, kind: TwistKind, values: readonly unknown[]) =>
    weighted(
      weight,
      fc.tuple(at, fc.constantFrom(...values)).map(([{ part, path }, value]) => ({ kind, at: { part, path }, value })),
    );
  const withEdges = places.filter(({ edges }) => edges.length > 0);
  const edges = fc
    .constantFrom(...withEdges)
    .chain(({ part, path, edges: values }) =>
      fc.constantFrom(...values).map((value) => ({ kind: 'an edge', at: { part, path }, value })),
    );
  return [
    ...(withEdges.length > 0 ? [weighted(5, edges)] : []),
    put(4, 'another type', OTHER_KINDS),
    put(1, 'too much', TOO_MUCH),
    put(8, 'an odd text', ODD_TEXTS),
    put(3, 'an odd number', ODD_NUMBERS),
    put(1, 'deep nesting', [nested(50, 'list'), nested(50, 'object'), nested(20_000, 'list'), nested(9_000, 'object')]),
    put(2, 'the same field twice', [...OTHER_KINDS, 'a', '1']),
    weighted(
      2,
      fc
        .tuple(at, fc.constantFrom(...SHAPES))
        .map(([{ part, path }, how]) => ({ kind: 'another shape', at: { part, path }, how })),
    ),
    weighted(
      1,
      at.map(({ part, path }) => ({ kind: 'a field left out', at: { part, path } })),
    ),
  ];
}

function ofJson() {
  const share = fc.nat({ max: 99 });
  const types = fc.tuple(fc.constantFrom(...CONTENT_TYPES), fc.boolean());
  const forms = types.map(([contentType, asForm]) => ({
    kind: 'another content type',
    contentType: asForm ? 'application/x-www-form-urlencoded' : contentType,
    asForm,
  }));
  return [
    weighted(2, forms),
    weighted(
      2,
      fc
        .tuple(fc.constantFrom(...BREAKAGES), share)
        .map(([how, at]) => ({ kind: 'broken JSON', how, share: at / 100 })),
    ),
    weighted(
      1,
      fc.constantFrom(...ENCODINGS).map((how) => ({ kind: 'another encoding', how })),
    ),
  ];
}

function placesOf(route: Route): (Place & { edges: readonly unknown[] })[] {
  const of = (part: Place['part'], leaves: readonly Leaf[]) =>
    leaves.filter(({ path }) => path.length > 0).map(({ path, edges }) => ({ part, path, edges }));
  return [
    ...of('params', leavesOf(route.params)),
    ...of('query', leavesOf(route.query)),
    ...of('body', route.bodyType === 'none' ? [] : leavesOf(route.body)),
  ];
}
