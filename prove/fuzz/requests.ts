import { brotliCompressSync, gzipSync } from 'node:zlib';
import { API_BASE } from '@ushirika/contract/constants';
import type { Route } from '@ushirika/contract/route';
import fc from 'fast-check';
import { fieldsOf, singularOf, valuesOf } from './derive.ts';
import { formOf } from './forms.ts';
import { kindOf } from './pools.ts';
import { type Twist, twistsOf } from './twists.ts';
import { Fields, jsonOf, type LookUp, Pooled, putAt, textOf } from './values.ts';

/** A request as it goes out; `body` is text, or base64 of bytes. */
export interface Wire {
  /** The name of the route that is meant. */
  readonly route: string;
  readonly as: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly bytes?: string;
}

/** What is drawn for a request; what replies gave is looked up when it is made. */
export interface Recipe {
  readonly as: string;
  readonly sacco: unknown;
  readonly key: string | null;
  readonly params: Fields;
  readonly query: Fields;
  readonly body: unknown;
  /** Whether a form brings its picture along. */
  readonly hasFile: boolean;
  readonly twist: Twist;
}

type Shape = Readonly<Record<string, Route['body']>>;
const shapeOf = (schema: Route['body']): Shape => (schema as unknown as { shape?: Shape }).shape ?? {};

/** The people who ask; crowd.ts makes them. */
const PEOPLE = ['nobody', 'stranger', 'member', 'neighbour', 'official', 'secretary', 'operator', 'colleague'] as const;

/** Everything that may be sent to a route. Throws `CannotDerive`, with the route's name, where that cannot be said. */
export function recipesOf(route: Route): fc.Arbitrary<Recipe> {
  try {
    const part = (name: 'params' | 'query') => fieldsOf(shapeOf(route[name]), (field) => kindOf(route, name, field));
    return fc.record({
      as: fc.oneof(
        { arbitrary: fc.constantFrom(...fittingPeople(route)), weight: 4 },
        { arbitrary: fc.constantFrom(...PEOPLE), weight: 1 },
      ),
      sacco: fc.oneof(
        { arbitrary: fc.nat({ max: 127 }).map((nth) => new Pooled('sacco', nth)), weight: 5 },
        { arbitrary: fc.constant(null), weight: 1 },
      ),
      key: fc.oneof(fc.constant(null), fc.constantFrom('k1', 'k2', 'k3'), fc.uuid()),
      params: part('params'),
      query: part('query'),
      body: route.bodyType === 'none' ? fc.constant(null) : valuesOf(route.body, singularOf(route.name)),
      hasFile: fc.boolean(),
      twist: twistsOf(route),
    });
  } catch (error) {
    throw new Error(`Nothing can be derived for the route ${route.name}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Those whom a route is for. */
export function fittingPeople(route: Route): string[] {
  if (route.caller === 'operator') return ['operator', 'colleague'];
  if (route.caller === 'official') return ['official', 'secretary'];
  if (route.caller === 'provider') return ['nobody'];
  return ['member', 'neighbour', 'official'];
}

/** A recipe with everything looked up and its twist done. */
export function wireOf(route: Route, recipe: Recipe, lookUp: LookUp): Wire {
  const { twist } = recipe;
  const parts = twistedParts(recipe, lookUp);
  const method = twist.kind === 'another method' ? twist.method : route.method;
  const url = urlOf(route, parts, twist, lookUp);
  const { body, bytes, contentType, encoding } = payloadOf(route, { ...recipe, body: parts.body }, lookUp);
  const headers: Record<string, string | readonly string[]> = {};
  if (recipe.sacco !== null) headers.saccoid = textOf(recipe.sacco, lookUp);
  if (recipe.key !== null) headers['idempotency-key'] = recipe.key;
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  if (twist.kind === 'an odd header') headers[twist.name] = filled(twist.value, lookUp);
  const hasBody = !['GET', 'HEAD'].includes(method);
  return {
    route: route.name,
    as: recipe.as,
    method,
    url,
    headers,
    ...(hasBody && body !== undefined ? { body } : {}),
    ...(hasBody && bytes !== undefined ? { bytes: bytes.toString('base64') } : {}),
  };
}

/** `{{sacco}}` in a header is looked up here; `{{token}}` where the sender is known. */
function filled(value: string | readonly string[], lookUp: LookUp): string | string[] {
  const fill = (text: string) => text.replaceAll('{{sacco}}', () => textOf(new Pooled('sacco', 1), lookUp));
  return typeof value === 'string' ? fill(value) : value.map(fill);
}

type Parts = Pick<Recipe, 'params' | 'query' | 'body'>;

function twistedParts({ params, query, body, twist }: Recipe, lookUp: LookUp): Parts {
  const parts = { params, query, body };
  if (twist.kind === 'a poisoned key' || twist.kind === 'a field too many') {
    const old = parts[twist.part];
    return { ...parts, [twist.part]: old instanceof Fields ? old.and(twist.name, twist.value) : old };
  }
  if (!('at' in twist)) return parts;
  const { part, path } = twist.at;
  const root = parts[part];
  const [name = ''] = path;
  if (twist.kind === 'a field left out') {
    return { ...parts, [part]: root instanceof Fields ? root.without(name) : root };
  }
  if (twist.kind === 'the same field twice') {
    return { ...parts, [part]: root instanceof Fields ? root.and(name, twist.value) : root };
  }
  const change =
    twist.kind === 'another shape'
      ? (old: unknown) => reshaped(textOf(old ?? '', lookUp), twist.how)
      : () => twist.value;
  return { ...parts, [part]: putAt(root, path, change) };
}

function reshaped(text: string, how: Extract<Twist, { kind: 'another shape' }>['how']): string {
  if (how === 'zeros') return text.replaceAll(/\d/g, '0');
  if (how === 'nines') return text.replaceAll(/\d/g, '9');
  if (how === 'upper case') return text.toUpperCase();
  if (how === 'twice') return text + text;
  if (how === 'cut') return text.slice(0, Math.floor(text.length / 2));
  if (how === 'wide digits') return text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  if (how === 'a number in it') return withinCursor(text, ([way, ...keys]) => [way, ...keys.map(() => 2 ** 40)]);
  if (how === 'a text in it') return withinCursor(text, ([way, ...keys]) => [way, 'x\u0000', ...keys.slice(1)]);
  if (how === 'the other way') return withinCursor(text, ([way, ...keys]) => [way === 'a' ? 'b' : 'a', ...keys]);
  if (how === 'blank around') return ` \u00a0${text}\u3000 `;
  return `${text}\n`;
}

/** A cursor with other keys in it; another text a little longer. */
function withinCursor(text: string, change: (keys: readonly unknown[]) => unknown[]): string {
  try {
    const keys: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(keys) ? Buffer.from(JSON.stringify(change(keys))).toString('base64url') : `${text}0`;
  } catch {
    return `${text}0`;
  }
}

/** Node itself refuses addresses that are much longer. */
const URL_LETTERS_MAX = 12_000;

/** Half of a character cannot be written into an address; its bytes can. */
const encoded = (text: string) =>
  text
    .split(/([\ud800-\udfff])/)
    .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('');
const inUrl = (text: string) => {
  const cut = text.slice(0, URL_LETTERS_MAX);
  return cut.isWellFormed() ? encodeURIComponent(cut) : encoded(cut);
};

function urlOf(route: Route, { params, query }: Parts, twist: Twist, lookUp: LookUp): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(textOf(params.get(name) ?? '', lookUp)));
  const pairs = query.entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => `${inUrl(name)}=${inUrl(textOf(each, lookUp))}`),
  );
  const whole = `${API_BASE}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  return twist.kind === 'an odd path' ? turned(whole, twist.how) : whole;
}

function turned(url: string, how: Extract<Twist, { kind: 'an odd path' }>['how']): string {
  const [path = '', query] = url.split('?', 2);
  const end = query === undefined ? '' : `?${query}`;
  if (how === 'slash after') return `${path.endsWith('/') ? path.slice(0, -1) : `${path}/`}${end}`;
  if (how === 'slash before') return path.replace('/api/', '/api//') + end;
  if (how === 'upper case') return path.toUpperCase() + end;
  if (how === 'dots') return `${path}/..%2f..%2f%2e%2e/package.json${end}`;
  if (how === 'NUL after') return `${path}%00${end}`;
  if (how === 'slash within') return path.replace(/\/([^/]*)$/, '%2f$1') + end;
  if (how === 'semicolon') return `${path};a=b${end}`;
  if (how === 'letters as numbers') return path.replaceAll('a', '%61').replaceAll('s', '%73') + end;
  if (how === 'broken percent') return `${path}%zz%e0%80%af${end}`;
  if (how === 'very long') return `${path}/${'x'.repeat(5_000)}${end}`;
  if (how === 'hash') return `${path}%23a${end}`;
  return `${path}?${end}&&=&=a&b`;
}

interface Payload {
  readonly body?: string;
  readonly bytes?: Buffer;
  readonly contentType?: string;
  readonly encoding?: string;
}

function payloadOf(route: Route, { body, twist, hasFile }: Recipe, lookUp: LookUp): Payload {
  if (route.bodyType === 'none') return {};
  if (route.bodyType === 'multipart') return formOf(route, { body: body as Fields, twist, hasFile }, lookUp);
  const json = jsonOf(body, lookUp);
  if (twist.kind === 'another content type') {
    const isForm = twist.asForm && body instanceof Fields;
    return { body: isForm ? pairsOf(body, lookUp) : json, contentType: twist.contentType };
  }
  if (twist.kind === 'broken JSON')
    return { body: broken(json, twist.how, twist.share), contentType: 'application/json' };
  if (twist.kind === 'another encoding') return { contentType: 'application/json', ...encodedAs(json, twist.how) };
  return { body: json, contentType: 'application/json' };
}

function pairsOf(body: Fields, lookUp: LookUp): string {
  return body.entries.map(([name, value]) => `${inUrl(name)}=${inUrl(textOf(value, lookUp))}`).join('&');
}

function broken(json: string, how: Extract<Twist, { kind: 'broken JSON' }>['how'], share: number): string {
  const at = Math.floor(json.length * share);
  if (how === 'cut') return json.slice(0, at);
  if (how === 'comma') return `${json.slice(0, -1)},}`;
  if (how === 'quotes') return json.replaceAll('"', "'");
  if (how === 'more after') return `${json}${json}`;
  if (how === 'mark before') return `\ufeff${json}`;
  if (how === 'comment') return `/* */${json}`;
  if (how === 'bare') return json.replaceAll(/"(\w+)":/g, '$1:');
  if (how === 'nothing') return ' ';
  return how === 'list' ? `[${json}]` : JSON.stringify(json);
}

function encodedAs(json: string, how: Extract<Twist, { kind: 'another encoding' }>['how']): Payload {
  if (how === 'called gzip') return { body: json, encoding: 'gzip' };
  if (how === 'gzip') return { bytes: gzipSync(json), encoding: 'gzip' };
  if (how === 'br') return { bytes: brotliCompressSync(json), encoding: 'br' };
  if (how === 'utf-16') return { bytes: Buffer.from(json, 'utf16le') };
  if (how === 'latin 1') return { bytes: Buffer.from(json.replace(/"\w+"/, '"\u00e9"'), 'latin1') };
  if (how === 'half a character')
    return { bytes: Buffer.concat([Buffer.from(json.slice(0, -2)), Buffer.from([0xed, 0xa0, 0x80, 0x22, 0x7d])]) };
  return { body: `5\r\n${json}\r\n0\r\n\r\n` };
}
