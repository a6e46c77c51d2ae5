import { setTimeout } from 'node:timers/promises';
import type { Route } from '@ushirika/contract/route';
import type { Answer, Product } from '../support/product.ts';
import type { Cast, Identity, Member } from './cast.ts';
import { type Kinds, kindOf } from './domain-part.ts';
import { afterCaller, byCaller } from './expected.ts';
import { isPosition, type Parameter, type Position, parametersOf } from './fixtures.ts';
import { type Expected, expectedOf, linesOf, type PolicyLine, type RoutePolicy } from './policy.ts';

/** A route with all that the matrix knows of it. */
export interface Subject {
  readonly route: Route;
  readonly policy: RoutePolicy;
  readonly lines: readonly PolicyLine[];
  readonly parameters: readonly Parameter[];
  readonly positions: readonly Position[];
}

/** One request: a route, who asks, and what each id of it means. */
export interface Cell {
  readonly subject: Subject;
  readonly identity: Identity;
  readonly objects: Readonly<Record<string, string>>;
  /** Null where no line of the policy says. */
  readonly expected: Expected | null;
}

export interface World {
  readonly product: Product;
  readonly cast: Cast;
  readonly kinds: Kinds;
  /** Page marks by route: the owner's, and the other's. */
  readonly cursors: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export function subjectOf(route: Route, policy: RoutePolicy): { subject: Subject; unknown: string[] } {
  const isJudgedByHeader = route.caller === 'member' || route.caller === 'official';
  const { known, unknown } = parametersOf(route, isJudgedByHeader || policy.readsHeader === true);
  const lines = linesOf([byCaller[route.caller], policy.lines, afterCaller[route.caller]].join('\n'));
  const positions = known.filter(isPosition);
  return { subject: { route, policy, lines, parameters: known, positions }, unknown };
}

/** The names of the objects that can stand at a position; the first is meant where another position varies. */
function objectsAt(position: Position, world: World): string[] {
  const { fixture } = position;
  const absent = position.isRequired || position.part === 'path' ? [] : ['absent'];
  if ('cursor' in fixture) return [...absent, 'hers', 'foreign', 'malformed'];
  const named = Object.keys(kindOf(world.kinds, fixture.kind).objects);
  return position.part === 'header' ? [...named, ...absent] : [...absent, ...named];
}

/**
 * The cells of a route. Each position varies while the others mean the first thing; with `isCrossed`, every object
 * stands with every other.
 */
export function cellsOf(subject: Subject, world: World, isCrossed: boolean): Cell[] {
  const asked = subject.policy.asked;
  const identities = world.cast.identities.filter(({ name }) => !asked || asked.includes(name));
  const combinations = isCrossed ? crossed(subject, world) : varied(subject, world);
  return identities.flatMap((identity) =>
    combinations.map((objects) => {
      return { subject, identity, objects, expected: expectedOf(subject.lines, { identity, objects }) };
    }),
  );
}

type Objects = Readonly<Record<string, string>>;

function varied({ positions }: Subject, world: World): Objects[] {
  const first: Objects = Object.fromEntries(positions.map((one) => [one.name, objectsAt(one, world)[0] as string]));
  const others = positions.flatMap((one) =>
    objectsAt(one, world)
      .slice(1)
      .map((object) => ({ ...first, [one.name]: object })),
  );
  return [first, ...others];
}

function crossed({ positions }: Subject, world: World): Objects[] {
  return positions.reduce<Objects[]>(
    (so, one) => so.flatMap((objects) => objectsAt(one, world).map((object) => ({ ...objects, [one.name]: object }))),
    [{}],
  );
}

/** Words of a policy that mean nothing: places and objects that no request has. Who reads them believes that it is asked. */
export function emptyWordsOf({ route, lines, positions }: Subject, world: World): string[] {
  return lines.flatMap(({ text, where }) =>
    where.flatMap(({ position, objects }) => {
      const found = positions.find(({ name }) => name === position);
      if (!found) return [`${route.name}: the line "${text}" names a place that it has not: ${position}`];
      const known = objectsAt(found, world);
      return objects
        .filter((object) => !known.includes(object))
        .map((object) => `${route.name}: the line "${text}" names what is never asked for: ${position} ${object}`);
    }),
  );
}

export function nameOf({ subject, identity, objects }: Cell): string {
  const where = Object.entries(objects).map(([position, object]) => `${position} ${object}`);
  return `${subject.route.name} × ${identity.name} × ${where.join(', ') || 'nothing'}`;
}

/** How a request of a cell is sent: what stands in path, query, headers and body. */
export interface Prepared {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>> | null;
}

export function prepare(cell: Cell, world: World): Prepared {
  const { route, parameters } = cell.subject;
  const asker = cell.identity.person ?? world.cast.person('owner');
  const query = new URLSearchParams();
  const fields: Record<string, unknown> = {};
  const headers: Record<string, string> = { ...cell.identity.headers };
  let { path } = route;
  for (const parameter of parameters) {
    const value = valueAt(parameter, cell, world, asker);
    if (value === undefined) continue;
    if (parameter.part === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
    if (parameter.part === 'query') query.set(parameter.name, String(value));
    if (parameter.part === 'body') fields[parameter.name] = value;
    if (parameter.part === 'header') headers.saccoid = String(value);
  }
  // A route that does not read the header is sent a sacco of somebody else's: it must make no difference.
  const isHeaderFree = !parameters.some(({ part }) => part === 'header');
  if (isHeaderFree) headers.saccoid = world.cast.saccos[asker.sacco === 'A' ? 'B' : 'A'];
  const behind = [query.toString(), cell.identity.query ?? ''].filter((text) => text !== '').join('&');
  return {
    method: route.method,
    path: behind === '' ? path : `${path}?${behind}`,
    headers,
    fields: route.bodyType === 'none' ? null : fields,
  };
}

function valueAt(parameter: Parameter, cell: Cell, world: World, asker: Member): unknown {
  const { fixture } = parameter;
  if ('left' in fixture) return undefined;
  if ('value' in fixture) return fixture.value(asker, world.cast);
  const object = cell.objects[parameter.name] as string;
  if (object === 'absent') return undefined;
  if ('cursor' in fixture) return world.cursors.get(cell.subject.route.name)?.[object] ?? 'no cursor of ours';
  const found = kindOf(world.kinds, fixture.kind).objects[object];
  const id = typeof found === 'function' ? found(asker) : found;
  return fixture.isList ? String(id).split(',') : id;
}

const BOUNDARY = 'matrix-boundary';

export async function send(cell: Cell, world: World): Promise<Answer> {
  return sendPrepared(cell.subject.route, prepare(cell, world), world.product);
}

export async function sendPrepared(route: Route, prepared: Prepared, product: Product): Promise<Answer> {
  const { method, path, headers, fields } = prepared;
  if (route.replyType === 'sse') return listen(product, path, headers);
  if (route.bodyType === 'multipart') {
    const raw = multipart(fields ?? {});
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    return product.call(method, path, { headers: { ...headers, ...type }, raw });
  }
  return product.call(method, path, { headers, ...(fields === null ? {} : { body: fields }) });
}

function multipart(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${typeof value === 'object' ? JSON.stringify(value) : value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** A session has so many streams at most, and a server that is busy sees a moment later that ours have ended. */
const STREAM_TRIES_MAX = 50;

/** A stream is heard until its first event. */
async function listen(product: Product, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const stop = new AbortController();
  const ask = () => fetch(`${product.origin}/api/v1${path}`, { headers, signal: stop.signal });
  let response = await ask();
  for (let tries = 1; response.status === 429 && tries < STREAM_TRIES_MAX; tries += 1) {
    await response.text();
    await setTimeout(100);
    response = await ask();
  }
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  let text = '';
  if (isStream) {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('event: ')) break;
    }
    stop.abort();
  } else {
    text = await response.text();
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    body: isStream ? null : JSON.parse(text),
  };
}
