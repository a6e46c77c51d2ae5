import fc from 'fast-check';
import type { z } from 'zod';
import { callbackBodies } from './callback-bodies.ts';
import { Fields, Pooled } from './values.ts';

type Schema = z.ZodType;

/** The part of zod's own description of a schema that is read here. */
interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly getter?: () => Schema;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[];
}
interface CheckDefinition {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const definitionOf = (schema: Schema): Definition =>
  (schema as unknown as { _zod: { def: Definition } })._zod.def;

/** A schema from which no value could be made: the harness must be taught before the route is covered. */
export class CannotDerive extends Error {}

/** Left out of its object. */
const ABSENT = Symbol('absent');
const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'catch', 'nonoptional']);
const COMPOSITES = new Set(['object', 'array', 'record']);
/** Stands in for what a reply gave, where a schema is asked whether it would take it. */
const SOME_ID = '0190f5c1-8a00-7000-8000-000000000001';
const SOME_HASH = '0'.repeat(64);
const SAMPLES = 150;

/** Values that the schema takes; `kind` says of what kind of thing an earlier reply's value would be. */
export function valuesOf(schema: Schema, kind: string): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema);
  if (WRAPPERS.has(definition.type)) return wrapped(schema, definition, kind);
  if (definition.type === 'lazy' && definition.getter) return valuesOf(definition.getter(), kind);
  if (definition.type === 'pipe' && COMPOSITES.has(innermost(schema).type))
    return valuesOf(definition.in as Schema, kind);
  if (definition.type === 'object') return fieldsOf(definition.shape ?? {}, (name) => singularOf(name));
  if (definition.type === 'array') return lists(definition, kind);
  if (definition.type === 'record') return callbackBodies();
  const { options = [] } = definition;
  if (definition.type === 'union' && options.every((option) => COMPOSITES.has(innermost(option).type)))
    return fc.oneof(...options.map((option) => valuesOf(option, kind)));
  return single(schema, kind);
}

/** The fields of an object schema, each by its own schema. */
export function fieldsOf(
  shape: Readonly<Record<string, Schema>>,
  kindOf: (name: string) => string,
): fc.Arbitrary<Fields> {
  const named = Object.entries(shape).map(([name, schema]) =>
    valuesOf(schema, kindOf(name)).map((value) => [name, value] as const),
  );
  return fc.tuple(...named).map((entries) => new Fields(entries.filter(([, value]) => value !== ABSENT)));
}

function wrapped(schema: Schema, { type, innerType }: Definition, kind: string): fc.Arbitrary<unknown> {
  if (!innerType) throw new CannotDerive(`${kind}: nothing inside ${type}`);
  const inner = valuesOf(innerType, kind);
  const isLeftOut = schema.safeParse(undefined).success;
  const isNull = type === 'nullable';
  if (!isLeftOut && !isNull) return inner;
  return fc.oneof(inner, fc.constant(isNull ? null : ABSENT));
}

function lists(definition: Definition, kind: string): fc.Arbitrary<unknown> {
  const most = limitsOf(definition).most ?? 5;
  return fc.array(valuesOf(definition.element as Schema, kind), { maxLength: Math.min(most, 5) });
}

/** One value that is not made of others: what its schema takes of all that might be meant, and what replies gave. */
function single(schema: Schema, kind: string): fc.Arbitrary<unknown> {
  const drawn = fitting(schema, kind);
  const nth = fc.nat({ max: 127 });
  if (isUuid(schema)) {
    const pooled = fc.tuple(nth).map(([place]) => new Pooled(kind, place));
    return fc.oneof({ arbitrary: pooled, weight: 8 }, { arbitrary: drawn, weight: 1 });
  }
  if (!['string', 'number', 'union'].includes(innermost(schema).type)) return drawn;
  const pooled = fc.tuple(nth, drawn).map(([place, spare]) => new Pooled(kind, place, spare));
  // Amounts must fit what they are for before anything else of a request is looked at.
  const isNumber = innermost(schema).type !== 'string';
  return fc.oneof({ arbitrary: drawn, weight: 1 }, { arbitrary: pooled, weight: isNumber ? 3 : 1 });
}

const remembered = new WeakMap<Schema, fc.Arbitrary<unknown>>();

/** The candidates that the schema itself takes. */
function fitting(schema: Schema, kind: string): fc.Arbitrary<unknown> {
  const known = remembered.get(schema);
  if (known) return known;
  const takes = (value: unknown) => schema.safeParse(value).success;
  const { fixed, drawn } = candidates(schema, kind);
  const fixedOnes = fixed.filter(takes);
  const samples = fc.sample(drawn, { numRuns: SAMPLES, seed: 1 });
  const taken = samples.filter(takes);
  if (fixedOnes.length + taken.length === 0) throw new CannotDerive(`${kind}: its schema takes none of our candidates`);
  const others =
    taken.length > SAMPLES / 4 ? [drawn.filter(takes)] : taken.length > 0 ? [fc.constantFrom(...taken)] : [];
  const likely = fixedOnes.length > 0 ? [fc.constantFrom(...fixedOnes)] : [];
  // What is free text is drawn more often than it is likely.
  const found = fc.oneof(...likely, ...others, ...others);
  remembered.set(schema, found);
  return found;
}

interface Candidates {
  readonly fixed: readonly unknown[];
  readonly drawn: fc.Arbitrary<unknown>;
}

function candidates(schema: Schema, kind: string): Candidates {
  const definition = definitionOf(schema);
  const { type, options, values, entries } = definition;
  if (type === 'pipe') {
    const inside = definitionOf(definition.in as Schema).type === 'transform' ? definition.out : definition.in;
    return candidates(inside as Schema, kind);
  }
  if (WRAPPERS.has(type)) return candidates(definition.innerType as Schema, kind);
  if (type === 'union' && options) {
    const each = options.map((option) => candidates(option, kind));
    return { fixed: each.flatMap(({ fixed }) => fixed), drawn: fc.oneof(...each.map(({ drawn }) => drawn)) };
  }
  if (type === 'string') return texts(definition);
  if (type === 'number' || type === 'int') return { fixed: LIKELY_NUMBERS, drawn: fc.oneof(fc.integer(), fc.double()) };
  if (type === 'boolean') return { fixed: [true, false], drawn: fc.boolean() };
  if (type === 'literal' && values) return { fixed: values, drawn: fc.constantFrom(...values) };
  if (type === 'enum' && entries) {
    return { fixed: Object.values(entries), drawn: fc.constantFrom(...Object.values(entries)) };
  }
  if (type === 'null') return { fixed: [null], drawn: fc.constant(null) };
  if (type === 'unknown' || type === 'any') return { fixed: ['a'], drawn: fc.oneof(fc.string(), fc.integer()) };
  throw new CannotDerive(`${kind}: no values are known for a schema of type ${type}`);
}

function texts(definition: Definition): Candidates {
  const { least = 0, most = 60 } = limitsOf(definition);
  if (definition.format === 'uuid' || definition.format === 'guid') return { fixed: [SOME_ID], drawn: fc.uuid() };
  if (definition.format === 'date' || definition.format === 'datetime') {
    const day = fc.date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true });
    const length = definition.format === 'date' ? 10 : 24;
    return { fixed: LIKELY_TEXTS, drawn: day.map((date) => date.toISOString().slice(0, length)) };
  }
  const lengths = { minLength: Math.min(least, 2_000), maxLength: Math.max(least, Math.min(most, 60)) };
  const drawn = fc.oneof(fc.string({ ...lengths, unit: 'grapheme' }), fc.string(lengths));
  // Of one length: a SHA-256 in hexadecimal digits, or bytes in base64url, which no drawn text is.
  const ofOneLength = least === SOME_HASH.length ? [SOME_HASH] : least === most ? ['A'.repeat(least)] : [];
  return { fixed: [...LIKELY_TEXTS, ...ofOneLength], drawn };
}

/** The type at the bottom of wrappers and pipes. */
function innermost(schema: Schema): Definition {
  const definition = definitionOf(schema);
  const inside = WRAPPERS.has(definition.type)
    ? definition.innerType
    : definition.type === 'pipe'
      ? definition.in
      : null;
  return inside ? innermost(inside) : definition;
}

function isUuid(schema: Schema): boolean {
  const { type, format } = innermost(schema);
  return type === 'string' && (format === 'uuid' || format === 'guid');
}

/** The least and most length that a text's or list's schema names. */
export function limitsOf({ checks = [] }: Definition): { least?: number; most?: number } {
  const found: { least?: number; most?: number } = {};
  for (const { _zod } of checks) {
    if (_zod.def.check === 'min_length' && _zod.def.minimum !== undefined) found.least = _zod.def.minimum;
    if (_zod.def.check === 'max_length' && _zod.def.maximum !== undefined) found.most = _zod.def.maximum;
    if (_zod.def.check === 'length_equals') Object.assign(found, { least: _zod.def.minimum, most: _zod.def.maximum });
  }
  return found;
}

/** A place in a route's input, and the values at the edge of what its schema takes. */
export interface Leaf {
  readonly path: readonly string[];
  readonly edges: readonly unknown[];
}

export function leavesOf(schema: Schema, path: readonly string[] = []): Leaf[] {
  const definition = innermost(schema);
  const here = { path, edges: edgesOf(schema, definition) };
  if (definition.type === 'object') {
    const inner = Object.entries(definition.shape ?? {}).flatMap(([name, field]) => leavesOf(field, [...path, name]));
    return path.length === 0 ? inner : [here, ...inner];
  }
  if (definition.type === 'array') return [here, ...leavesOf(definition.element as Schema, [...path, '0'])];
  return [here];
}

function edgesOf(schema: Schema, definition: Definition): unknown[] {
  const { type, format, element } = definition;
  if (type === 'array') {
    const { least = 0, most = 100 } = limitsOf(definition);
    const item = element && isUuid(element) ? SOME_ID : 'a';
    return [...new Set([0, least, most, most + 1])].map((length) => new Array(length).fill(item));
  }
  if (format === 'uuid') return UUID_EDGES;
  if (format === 'date') return DATE_EDGES;
  if (type === 'enum') {
    const [first = ''] = Object.values(definition.entries ?? {}).map(String);
    return [first.toUpperCase(), `${first} `, `${first}\u0000`, 'other'];
  }
  const lengths = limitsOf(definition);
  const around = [0, lengths.least ?? 1, lengths.most ?? 200].flatMap((length) => [length - 1, length, length + 1]);
  const long = [...new Set(around)]
    .filter((length) => length >= 0)
    .flatMap((length) => ['a'.repeat(length), '1'.repeat(length), '𝒜'.repeat(length / 2 + 1).slice(0, length)]);
  return [...long, ...numberEdges(schema)];
}

/** Where a schema begins and ends to take whole numbers, found by asking it; with the numbers next to both. */
function numberEdges(schema: Schema): unknown[] {
  const takes = (value: number) => schema.safeParse(value).success;
  const inside = LIKELY_NUMBERS.find((value) => Number.isInteger(value) && takes(value));
  if (inside === undefined) return [];
  const edge = (outside: number) => {
    let [yes, no] = [inside, outside];
    if (takes(no)) return no;
    while (Math.abs(yes - no) > 1) {
      const middle = Math.trunc((yes + no) / 2);
      if (takes(middle)) yes = middle;
      else no = middle;
    }
    return yes;
  };
  const ends = [edge(-Number.MAX_SAFE_INTEGER), edge(Number.MAX_SAFE_INTEGER)];
  return ends.flatMap((end) => [end - 1, end, end + 1, end - 0.01, end + 0.01, String(end), String(end + 1)]);
}

export const singularOf = (word: string) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word);

const UUID_EDGES = [
  SOME_ID.toUpperCase(),
  SOME_ID.replaceAll('-', ''),
  `{${SOME_ID}}`,
  `${SOME_ID}\n`,
  ` ${SOME_ID}`,
  SOME_ID.slice(1),
  `urn:uuid:${SOME_ID}`,
  '00000000-0000-0000-0000-000000000000',
];

const DATE_EDGES = ['2026-02-29', '2024-02-29', '1970-01-01', '1969-12-31', '9999-12-31', '10000-01-01', '0000-12-31'];

/** Texts of which one or the other is what a field means; which, its schema says. */
const LIKELY_TEXTS: readonly string[] = [
  'client',
  'Wanjiru',
  'Some pool of ours',
  'Checked at the office.',
  'Savings for the market women.',
  'because it is so',
  'Q7654321',
  '12345678',
  'AB12',
  'CS/4711',
  '254712345678',
  '0712 345 678',
  '+254112345678',
  '+447911123456',
  'asha@mail.example',
  'Mchwa-kijani#77',
  '123456',
  'ABCD1234',
  'SGH7XK2L9P',
  'SGH7XK2L9P Confirmed. Ksh500.00 received',
  '1',
  '5',
  '10',
  '100',
  '500',
  '1000.50',
  ' 7 ',
  '2026-03-02',
  '2026-02-01',
  '2025-01-31',
  '2026-03-02T06:00:00.000Z',
  '999999',
  'https://ushirika.example/a',
  '0123456789abcdef0123456789abcdef',
];

const LIKELY_NUMBERS: readonly number[] = [
  0, 0.5, 1, 2, 3, 5, 7, 10, 12, 28, 50, 100, 500, 1000, 2500.5, 25_000, 1_000_000, 2_025,
];
