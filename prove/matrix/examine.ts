import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import type { Replaced } from '../../server/app.ts';
import { type Product, productOn } from '../support/product.ts';
import { type Cast, raiseCast } from './cast.ts';
import { type Kinds, kindOf } from './domain-part.ts';
import { expected } from './expected.ts';
import { type Position, staleFixtures } from './fixtures.ts';
import { inventoryFaults, watchRoutes } from './inventory.ts';
import { type Canaries, canariesOf } from './judge.ts';
import { raiseObjects } from './objects.ts';
import { type Subject, subjectOf, type World } from './requests.ts';
import { State } from './state.ts';

/** Each connection has to learn the catalogue and the statements anew. */
const POOL_SIZE = 4;

export interface Order {
  readonly serverUrl: string;
  readonly seed: number;
  /** What stands in the place of a part of the product; see `Replaced`. */
  readonly replaced?: Replaced;
  /** Only these routes; all of them unless told. */
  readonly routes?: readonly string[];
  /** Every object with every other, instead of one position at a time. */
  readonly isCrossed: boolean;
}

export interface Counts {
  routes: number;
  cells: number;
  refused: number;
  'reads allowed': number;
  'acts allowed': number;
  'foreign compared with nonexistent': number;
}

export interface Findings {
  readonly violations: string[];
  readonly counts: Counts;
}

/** All that one examination works with. */
export interface Examination extends World {
  readonly state: State;
  readonly canaries: Canaries;
  readonly subjects: readonly Subject[];
  readonly findings: Findings;
}

/** The contract's routes against the reviewed policy, before anything runs: neither may have what the other has not. */
export function gapsOf(routes: readonly Route[]): string[] {
  const names = new Set(routes.map(({ name }) => name));
  const faults = Object.keys(expected)
    .filter((name) => !names.has(name))
    .map((name) => `${name} has a policy in prove/matrix, and is no route of the contract`);
  for (const route of routes) {
    const policy = expected[route.name];
    if (!policy) {
      faults.push(
        `${route.name} is a route of the contract without a policy (prove/matrix/domains/): who may call it?`,
      );
      continue;
    }
    const declared = [route.caller, ...(route.offices ?? [])].join(' ');
    const reviewed = [policy.caller, ...(policy.offices ?? [])].join(' ');
    if (declared !== reviewed) faults.push(`${route.name}: its caller is ${declared}, the policy says ${reviewed}`);
    faults.push(...subjectOf(route, policy).unknown);
  }
  return [...faults, ...staleFixtures(routes).map((name) => `prove/matrix/fixtures.ts: nothing is called "${name}"`)];
}

/** Builds the product, raises cast and objects, and gives all of it to `work`. */
export async function examine(order: Order, work: (examination: Examination) => Promise<void>): Promise<Findings> {
  const routes = order.replaced?.contract ?? contract;
  const violations = gapsOf(routes);
  const counts: Counts = {
    routes: 0,
    cells: 0,
    refused: 0,
    'reads allowed': 0,
    'acts allowed': 0,
    'foreign compared with nonexistent': 0,
  };
  const findings = { violations, counts };
  if (violations.length > 0) return findings;
  const watch = watchRoutes();
  const product = await productOn(order.serverUrl, {}, order.replaced, POOL_SIZE).finally(() => watch.end());
  try {
    const registered = watch.of(product.app.http);
    if (!order.routes) violations.push(...inventoryFaults(registered, routes));
    const cast = await raiseCast(product);
    const kinds = await raiseObjects(product, cast);
    const subjects = routes
      .filter(({ name }) => !order.routes || order.routes.includes(name))
      .map((route) => subjectOf(route, expected[route.name] as (typeof expected)[string]).subject);
    const cursors = await cursorsOf(product, cast, kinds, subjects);
    const state = await State.keep(product.database.owner);
    counts.routes = subjects.length;
    await work({ product, cast, kinds, cursors, state, canaries: canariesOf(cast, kinds), subjects, findings });
  } finally {
    await product.close();
  }
  return findings;
}

/** The page marks of every list, as the owner's, the other's and the operator's first page of one give them. */
async function cursorsOf(
  product: Product,
  cast: Cast,
  kinds: Kinds,
  subjects: readonly Subject[],
): Promise<World['cursors']> {
  const found = new Map<string, Record<string, string>>();
  for (const { route, positions } of subjects.filter((one) =>
    one.positions.some(({ fixture }) => 'cursor' in fixture),
  )) {
    const isOperators = route.caller === 'operator';
    const marks: Record<string, string> = {};
    for (const [object, names, sacco] of [
      ['hers', isOperators ? ['operator'] : ['owner', 'chair of A'], cast.saccos.A],
      ['foreign', isOperators ? ['operator'] : ['other', 'chair of B'], cast.saccos.B],
    ] as const) {
      const address = firstPageOf(route, positions, kinds, object);
      const answers = await Promise.all(
        names.map((name) => cursorIn(product, address, { as: cast.person(name), sacco })),
      );
      const mark = answers.find((one) => one !== null);
      if (!mark) throw new Error(`${route.name}: the list of ${names[0]} is too short for a second page`);
      marks[object] = mark;
    }
    found.set(route.name, { ...marks, malformed: 'no cursor of ours' });
  }
  return found;
}

/** The address of a list's first page, with one row. Ids in it are those of the objects that are the owner's (`hers`) or the other's (`foreign`). */
function firstPageOf(route: Route, positions: readonly Position[], kinds: Kinds, object: 'hers' | 'foreign'): string {
  let address = `${route.path}?limit=1`;
  for (const { name, part, fixture } of positions) {
    if (!('kind' in fixture) || part === 'header') continue;
    const id = kindOf(kinds, fixture.kind).objects[object];
    if (typeof id !== 'string') continue;
    if (part === 'path') address = address.replace(`{${name}}`, id);
    else address += `&${name}=${id}`;
  }
  return address;
}

/** The mark of the second page of somebody's list; null where there is none, or the list is not theirs to read. */
async function cursorIn(
  product: Product,
  address: string,
  asker: { readonly as: ReturnType<Cast['person']>; readonly sacco: string },
): Promise<string | null> {
  const answer = await product.call('GET', address, asker);
  const next = answer.body?.next ?? answer.body?.data?.next;
  return next ? new URL(next).searchParams.get('cursor') : null;
}
