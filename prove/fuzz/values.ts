/** What a request is made of before it is written out: JSON values, and three things that JSON cannot say. */

/** Something that came back in an earlier reply, by its kind; looked up when the request is made. */
export class Pooled {
  readonly kind: string;
  readonly nth: number;
  /** What stands in for it as long as no reply gave one; nothing: any id that a reply gave. */
  readonly spare: unknown;

  constructor(kind: string, nth: number, spare?: unknown) {
    this.kind = kind;
    this.nth = nth;
    this.spare = spare;
  }
}

/** A number as it would stand in JSON, written as no serializer writes it: `1e2`, `-0`, `NaN`. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Fields in their order, so that a name may come twice, or be `__proto__`. */
export class Fields {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }

  get(name: string): unknown {
    return this.entries.find(([key]) => key === name)?.[1];
  }

  with(name: string, value: unknown): Fields {
    const has = this.entries.some(([key]) => key === name);
    const put = ([key, old]: readonly [string, unknown]) => [key, key === name ? value : old] as const;
    return new Fields(has ? this.entries.map(put) : [...this.entries, [name, value]]);
  }

  without(name: string): Fields {
    return new Fields(this.entries.filter(([key]) => key !== name));
  }

  and(name: string, value: unknown): Fields {
    return new Fields([...this.entries, [name, value]]);
  }
}

/** How a `Pooled` becomes a value. */
export type LookUp = (pooled: Pooled) => unknown;

/** A value with everything looked up, as JSON text. */
export function jsonOf(value: unknown, lookUp: LookUp): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Pooled) return jsonOf(lookUp(value), lookUp);
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item, lookUp)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = value instanceof Fields ? value.entries : Object.entries(value);
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${jsonOf(inner, lookUp)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The same as the text of a query, a form's field or a part of a path. */
export function textOf(value: unknown, lookUp: LookUp): string {
  if (typeof value === 'string') return value;
  if (value instanceof Raw) return value.text;
  if (value instanceof Pooled) return textOf(lookUp(value), lookUp);
  return jsonOf(value, lookUp);
}

/** Puts a value in the place of the one at a path of names; a place that is not there is made where it can be. */
export function putAt(root: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(root);
  if (Array.isArray(root)) return root.length === 0 ? root : [putAt(root[0], rest, change), ...root.slice(1)];
  if (root instanceof Fields) return root.with(name, putAt(root.get(name), rest, change));
  return root;
}

/** What a list's cursor looks like, with keys that no list has given. */
const cursor = (...keys: readonly unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');
const NOBODY = '00000000-0000-7000-8000-000000000000';

/** Something of everything that a text can be and should not be. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202eevil',
  '\u200b',
  '\ufeff',
  'e\u0301'.repeat(40),
  `a${'\u0300'.repeat(300)}`,
  '👩‍👩‍👧‍👦',
  '１２３',
  '٣٤',
  'Ιοhn',
  'İ',
  'ß'.repeat(80),
  'ﷺ'.repeat(18),
  '\ufb2c'.repeat(40),
  '!A\u0300',
  '\r\nSet-Cookie: a=b',
  '\t\u000b\u0085',
  '%',
  '%_\\',
  '(a',
  '[b-',
  '*',
  '%00',
  '%c0%ae',
  '../../etc/passwd',
  "'; drop table users;--",
  "' or 1=1--",
  '"',
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://a")',
  '@SUM(A1)',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'name desc',
  'id; select 1',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '1970-01-01',
  '+275760-09-13',
  '-1',
  '1.0',
  '1e2',
  '0x10',
  '1_000',
  '1,000',
  'Infinity',
  '2147483648',
  '9223372036854775808',
  '00000101000000',
  '99991231235959',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  NOBODY,
  cursor('a', 2 ** 40, NOBODY),
  cursor('b', -(2 ** 40), NOBODY),
  cursor('a', '\u0000', NOBODY),
  cursor('a', '\ud800', NOBODY),
  cursor('b', NOBODY),
  cursor('a', Number.MAX_SAFE_INTEGER),
  cursor('a', 1.5, NOBODY),
  'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
];

/** Numbers that are none, or that are not what they look like. */
export const ODD_NUMBERS: readonly Raw[] = [
  '1e2',
  '1E+2',
  '0x10',
  '1.0',
  '-0',
  '0.1',
  '1.005',
  '1e-7',
  '1e308',
  '1e309',
  '-1e309',
  'NaN',
  'Infinity',
  '9007199254740992',
  '9007199254740993',
  '2147483648',
  '-2147483649',
  '99999999999999999999999',
  '00',
  '01',
  '.5',
  '5.',
  '+1',
  '--1',
].map((text) => new Raw(text));

/** JSON of another kind than was asked for. */
export const OTHER_KINDS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  [],
  ['a'],
  [[[[]]]],
  new Fields([]),
  new Fields([['$ne', 1]]),
  new Fields([['toString', 'a']]),
  new Fields([['length', 5]]),
  '5',
];

export const nested = (depth: number, shape: 'list' | 'object'): Raw =>
  new Raw(
    shape === 'list' ? `${'['.repeat(depth)}${']'.repeat(depth)}` : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  );
