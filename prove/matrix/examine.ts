import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import type { Replaced } from '../../server/app.ts';
import { Random } from '../random.ts';
import { type Answer, type Product, productOn } from '../support/product.ts';
import { type Cast, raiseCast } from './cast.ts';
import { expected } from './expected.ts';
import { staleFixtures } from './fixtures.ts';
import { inventoryFaults, watchRoutes } from './inventory.ts';
import { type Canaries, canariesOf, fieldFaultsOf, leaksOf, twinFaultsOf, verdictOf } from './judge.ts';
import { raiseObjects } from './objects.ts';
import { type Cell, cellsOf, nameOf, type Subject, send, subjectOf, type World } from './requests.ts';
import { State } from './state.ts';

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
    .map((name) => `${name} is in prove/matrix/expected.ts, and no route of the contract`);
  for (const route of routes) {
    const policy = expected[route.name];
    if (!policy) {
      faults.push(`${route.name} is a route of the contract, and not in prove/matrix/expected.ts: who may call it?`);
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
  const product = await productOn(order.serverUrl, {}, order.replaced).finally(() => watch.end());
  try {
    const registered = watch.of(product.app.http);
    if (!order.routes) violations.push(...inventoryFaults(registered, routes));
    const cast = await raiseCast(product);
    const kinds = await raiseObjects(product, cast);
    const subjects = routes
      .filter(({ name }) => !order.routes || order.routes.includes(name))
      .map((route) => subjectOf(route, expected[route.name] as (typeof expected)[string]).subject);
    const cursors = await cursorsOf(product, cast, subjects);
    const state = await State.keep(product.database.owner);
    counts.routes = subjects.length;
    await work({ product, cast, kinds, cursors, state, canaries: canariesOf(cast), subjects, findings });
  } finally {
    await product.close();
  }
  return findings;
}

/** The page marks of every list, as the owner's, the other's and the operator's first page of one give them. */
async function cursorsOf(product: Product, cast: Cast, subjects: readonly Subject[]): Promise<World['cursors']> {
  const found = new Map<string, Record<string, string>>();
  for (const { route } of subjects.filter((one) => one.positions.some(({ fixture }) => 'cursor' in fixture))) {
    const isOperators = route.caller === 'operator';
    const marks: Record<string, string> = {};
    for (const [object, names, sacco] of [
      ['hers', isOperators ? ['operator'] : ['owner', 'chair of A'], cast.saccos.A],
      ['foreign', isOperators ? ['operator'] : ['other', 'chair of B'], cast.saccos.B],
    ] as const) {
      const answers = await Promise.all(names.map((name) => firstPage(product, cast, route, { name, sacco })));
      const mark = answers.find((one) => one !== null);
      if (!mark) throw new Error(`${route.name}: the list of ${names[0]} is too short for a second page`);
      marks[object] = mark;
    }
    found.set(route.name, { ...marks, malformed: 'no cursor of ours' });
  }
  return found;
}

/** The mark of the second page of somebody's list; null where there is none, or the list is not theirs to read. */
async function firstPage(
  product: Product,
  cast: Cast,
  route: Route,
  { name, sacco }: { readonly name: string; readonly sacco: string },
): Promise<string | null> {
  const pool = route.name === 'listPoolMembers' ? `&pool=${await poolOf(product, cast, name)}` : '';
  const answer = await product.call('GET', `${route.path}?limit=1${pool}`, { as: cast.person(name), sacco });
  const next = answer.body?.next ?? answer.body?.data?.next;
  return next ? new URL(next).searchParams.get('cursor') : null;
}

async function poolOf(product: Product, cast: Cast, name: string): Promise<string> {
  const [row] = await product.database.owner<{ pool_id: string }[]>`
    select pool_id from pool_stewards where user_id = ${cast.person(name).id}`;
  return row?.pool_id as string;
}

const AT_ONCE = 8;
const NAMED_MAX = 5;
const BATCH = 250;

/** Every cell of the subjects: first those that are refused, in a mixed order, then what is read, then what is done. */
export async function runCells(examination: Examination, order: Order): Promise<void> {
  const cells = examination.subjects.flatMap((subject) => cellsOf(subject, examination, order.isCrossed));
  const { violations, counts } = examination.findings;
  counts.cells = cells.length;
  for (const cell of cells.filter(({ expected: found }) => found === null))
    violations.push(`${nameOf(cell)}: no line of the policy says`);
  const isRefused = (cell: Cell) => (cell.expected?.status ?? 0) >= 400;
  const isRead = ({ subject }: Cell) => subject.route.repetition === 'read';
  const refused = shuffled(cells.filter(isRefused), order.seed);
  const allowed = cells.filter((cell) => cell.expected !== null && !isRefused(cell));
  const answers = await runRefused(examination, refused);
  counts.refused = refused.length;
  for (const [cell, answer] of await runReads(examination, allowed.filter(isRead))) answers.set(cell, answer);
  for (const [cell, answer] of await runActs(
    examination,
    allowed.filter((cell) => !isRead(cell)),
  ))
    answers.set(cell, answer);
  violations.push(...twinFaultsOf(answers, examination));
  counts['foreign compared with nonexistent'] = [...answers.keys()].filter(
    ({ objects, expected: found }) =>
      (found?.status === 403 || found?.status === 404) && Object.values(objects).includes('nonexistent'),
  ).length;
}

/** Refused requests change nothing: the whole database is hashed around each batch; a batch that differs is halved. */
async function runRefused(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const counting = new Map<string, Cell[]>();
  for (const cell of cells) {
    const name = cell.subject.policy.counts ? cell.subject.route.name : '';
    counting.set(name, [...(counting.get(name) ?? []), cell]);
  }
  const answers = new Map<Cell, Answer>();
  for (const [name, group] of counting) {
    for (let from = 0; from < group.length; from += BATCH) {
      const batch = group.slice(from, from + BATCH);
      for (const [cell, answer] of await refuse(examination, batch)) answers.set(cell, answer);
      if (name !== '') await examination.state.restore();
    }
  }
  return answers;
}

async function refuse(examination: Examination, batch: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = await sendAll(examination, batch);
  const changed = await changesBut(examination, batch);
  if (changed.length > 0) await nameChangers(examination, batch, changed);
  for (const [cell, answer] of answers) judge(examination, cell, answer);
  return answers;
}

function changesBut({ state }: Examination, batch: readonly Cell[]): Promise<string[]> {
  return state.changes(batch[0]?.subject.policy.counts ? ['public.throttles'] : []);
}

/** Goes back and sends halves of the batch, until single requests are found that change something. */
async function nameChangers(
  examination: Examination,
  batch: readonly Cell[],
  changed: readonly string[],
): Promise<void> {
  const { state, findings } = examination;
  await state.restore();
  // A handful of names is enough to look for the cause.
  if (findings.violations.length >= NAMED_MAX) return;
  if (batch.length === 1) {
    findings.violations.push(`${nameOf(batch[0] as Cell)}: was refused, and changed ${changed.join(', ')}`);
    return;
  }
  const before = findings.violations.length;
  for (const half of [batch.slice(0, batch.length / 2), batch.slice(batch.length / 2)]) {
    await sendAll(examination, half);
    const still = await changesBut(examination, half);
    if (still.length > 0) await nameChangers(examination, half, still);
  }
  if (findings.violations.length === before) {
    findings.violations.push(
      `${batch.length} refused requests together changed ${changed.join(', ')}, none of them alone`,
    );
  }
}

/** What is read changes nothing either, but for the note of who has looked. */
async function runReads(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const { state, findings } = examination;
  const answers = new Map<Cell, Answer>();
  for (const subject of new Set(cells.map((cell) => cell.subject))) {
    const own = cells.filter((cell) => cell.subject === subject);
    for (const [cell, answer] of await sendAll(examination, own)) {
      answers.set(cell, answer);
      judge(examination, cell, answer);
    }
    const noted = subject.policy.notes;
    if (noted !== undefined || examination.subjects.length < 5 || subject.route === lastOf(cells)) {
      const changed = await state.changes(noted === undefined ? [] : [noted]);
      if (changed.length > 0)
        findings.violations.push(`${subject.route.name}: only reads, and changed ${changed.join(', ')}`);
      await state.restore();
    }
  }
  findings.counts['reads allowed'] = cells.length;
  return answers;
}

function lastOf(cells: readonly Cell[]): Route | undefined {
  return cells.at(-1)?.subject.route;
}

/**
 * What is done changes something, and no row of another person unless the policy says so. Acts upon one's own things are
 * sent together; an act that names a thing is sent alone, from the same state each time.
 */
async function runActs(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = new Map<Cell, Answer>();
  for (const subject of new Set(cells.map((cell) => cell.subject))) {
    const own = cells.filter((cell) => cell.subject === subject);
    const isPersonal = subject.positions.length === 0 && subject.route.caller === 'signed_in';
    const size = isPersonal ? own.length : 1;
    for (let from = 0; from < own.length; from += size) {
      const group = own.slice(from, from + size);
      for (const [cell, answer] of await act(examination, group)) answers.set(cell, answer);
    }
  }
  examination.findings.counts['acts allowed'] = cells.length;
  return answers;
}

async function act(examination: Examination, group: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const { state, findings } = examination;
  const answers = await sendAll(examination, group);
  const faults = findings.violations.length;
  for (const [cell, answer] of answers) judge(examination, cell, answer);
  const [cell] = group as [Cell];
  const changed = await state.changes();
  if (findings.violations.length === faults) {
    if (cell.expected?.mustChangeNothing && changed.length > 0) {
      findings.violations.push(`${nameOf(cell)}: must pass over what is not theirs, and changed ${changed.join(', ')}`);
    }
    if (!cell.expected?.mustChangeNothing && changed.length === 0) {
      findings.violations.push(`${nameOf(cell)}: was answered with success, and changed nothing`);
    }
    const { caller } = cell.subject.route;
    const isForOneself = caller === 'signed_in' || caller === 'member';
    if (group.length === 1 && cell.identity.person && isForOneself) {
      const others = await state.othersChanged(changed, cell.identity.person.id);
      if (others.length > 0)
        findings.violations.push(`${nameOf(cell)}: changed rows of others in ${others.join(', ')}`);
    }
  }
  await state.restore();
  return answers;
}

function judge(examination: Examination, cell: Cell, answer: Answer): void {
  const { violations } = examination.findings;
  violations.push(
    ...verdictOf(cell, answer),
    ...leaksOf(cell, answer, examination, examination.canaries),
    ...fieldFaultsOf(cell, answer),
  );
}

async function sendAll(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = new Map<Cell, Answer>();
  const waiting = [...cells];
  const work = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) answers.set(cell, await send(cell, examination));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

function shuffled<T>(all: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  const mixed = [...all];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = random.whole(0, index);
    [mixed[index], mixed[other]] = [mixed[other] as T, mixed[index] as T];
  }
  return mixed;
}
