import { API_BASE } from '@ushirika/contract/constants';
import type { Route } from '@ushirika/contract/route';
import fc from 'fast-check';
import { Random } from '../random.ts';
import { CALLBACK_SECRET } from '../support/product.ts';
import type { Crowd } from './crowd.ts';
import type { LendingDesk } from './lending.ts';
import { raiseLogs } from './logs.ts';
import { Canaries, faultOf } from './oracles.ts';
import type { Pools } from './pools.ts';
import { rawRequests } from './raw-requests.ts';
import { fittingPeople, type Recipe, recipesOf, type Wire, wireOf } from './requests.ts';
import { CUT, HUNG, isThere, type Reply, type Sender, send, sendRaw, UNSENT } from './send.ts';
import type { SqlTap } from './sql-tap.ts';
import { TWIST_KINDS } from './twists.ts';

export interface Plan {
  /** Every route that there is. */
  readonly contract: readonly Route[];
  /** Those that are sent to. */
  readonly attacked: readonly Route[];
  readonly requests: number;
  readonly seed: number;
  readonly limitMs: number;
  /** A negative control is done with the first. */
  readonly violationsMax: number;
  /** Routes that have to do what they are for at least once. */
  readonly wanted?: readonly string[];
  tell(line: string): void;
}

export interface Ground {
  readonly crowd: Crowd;
  readonly pools: Pools;
  readonly lending: LendingDesk;
  readonly tap: SqlTap;
}

export interface Findings {
  readonly violations: string[];
  readonly fired: Record<string, number>;
  /** How many requests were sent, those of the search for the smallest one included. */
  requests: number;
  /** Routes that answered with what they are for at least once. */
  readonly answered: Set<string>;
  readonly milliseconds: number[];
  slowest: { readonly milliseconds: number; readonly request: string };
}

/** What has to come about at least once, and did not in its turns, is tried so often more. */
const TRIES_MORE = 400;
/** What these change may be over by then: another route makes it anew, in turn with them. */
const MADE_BY: Readonly<Record<string, string>> = { changeOrder: 'placeOrder', cancelOrder: 'placeOrder' };
/** Those tries have fresh codes as often as this: a code lives for five wrong ones. */
const CODES_EVERY = 20;
/** One request in so many goes over a real line; of the others one in so many rounds of a route has a raw one after it. */
const OVER_LINE_EVERY = 16;
const RAW_EVERY = 40;
const PHONES_EVERY = 15;
const HOUSEKEEPING_EVERY = 400;
/** So seldom that locks come, and are felt, in between. */
const FORGETTING_EVERY = 1_000;
/**
 * Loans and guarantees are used up by then, and time has moved them on. The smallest campaigns have those that they begin with.
 * What could not be made is tried again with the housekeeping.
 */
const LENDING_EVERY = 10_000;
const RENEWED = 'loans and guarantees made anew';
const PROPOSED = 'a proposal for the other operator';
const COMPLAINTS = 'complaints for the operators';
const SIGNERS_CODES = 'the codes of those who sign';
/** Of the slowest request, whose file may be megabytes. */
const SHOWN_LETTERS = 4_000;
const OTHER_CASES = [
  'over a line',
  'bytes that are no request',
  'somebody whom the route is not for',
  'a callback with its secret',
  'a callback without its secret',
];
/** After a failure was found, it is made smaller for so long. */
const SHRINKING_MS = 4_000;

/** Sends requests to every route in turn until their number is reached, judges each answer and makes what fails small. */
export async function campaign(ground: Ground, plan: Plan): Promise<Findings> {
  const findings: Findings = {
    violations: [],
    fired: Object.fromEntries([...TWIST_KINDS, ...OTHER_CASES].map((kind) => [kind, 0])),
    requests: 0,
    answered: new Set(),
    milliseconds: [],
    slowest: { milliseconds: 0, request: '' },
  };
  const attack = new Attack(ground, plan, findings);
  const random = new Random(plan.seed);
  const recipes = new Map(plan.attacked.map((route) => [route, recipesOf(route)]));
  for (let step = 0; findings.requests < plan.requests; ) {
    for (const route of shuffled(plan.attacked, random)) {
      step += 1;
      await attack.step(route, recipes.get(route) as fc.Arbitrary<Recipe>, {
        seed: random.whole(0, 2 ** 31 - 1),
        step,
      });
      if (step % RAW_EVERY === 0) await attack.raw(random);
      if (step % PHONES_EVERY === 0) await ground.crowd.readPhones(ground.pools);
      if (step % HOUSEKEEPING_EVERY === 0) await attack.keepHouse();
      if (step % FORGETTING_EVERY === 0) await ground.crowd.forgetAttempts();
      if (step % LENDING_EVERY === 0) attack.isRenewed = false;
      if (!attack.isRenewed && step % HOUSEKEEPING_EVERY === 0) await attack.renewLending();
      if (findings.violations.length >= plan.violationsMax) return findings;
    }
  }
  await tryMore(ground, plan, findings, { attack, recipes, random });
  return findings;
}

/** What did not come about in its turns: a route that did what it is for, or a kind of request. Forms are taken by few routes. */
async function tryMore(
  ground: Ground,
  { attacked, wanted }: Plan,
  { answered, fired }: Findings,
  by: {
    readonly attack: Attack;
    readonly recipes: ReadonlyMap<Route, fc.Arbitrary<Recipe>>;
    readonly random: Random;
  },
): Promise<void> {
  // A control ends with its finding: nothing has to come about in it.
  if (wanted === undefined) return;
  const late = attacked.filter(({ name }) => wanted.includes(name));
  const tries = [
    ...late.map((route) => ({
      routes: [...attacked.filter(({ name }) => name === MADE_BY[route.name]), route],
      isDone: () => answered.has(route.name),
    })),
    ...TWIST_KINDS.map((kind) => ({
      routes: attacked.filter(({ bodyType }) => kind !== 'an odd form' || bodyType === 'multipart'),
      isDone: () => (fired[kind] ?? 0) > 0,
    })),
  ];
  for (const { routes, isDone } of tries) {
    const isReadied = !by.attack.isRenewed || routes.some(({ name }) => ground.pools.hasReady(name));
    if (!isDone() && isReadied) await by.attack.renewLending();
    for (let step = 0; step < TRIES_MORE && routes.length > 0 && !isDone(); step += 1) {
      const [route, seed] = [routes[step % routes.length] as Route, by.random.whole(0, 2 ** 31 - 1)];
      if (step % CODES_EVERY === 0) {
        await by.attack.prepare('the codes of everybody', () => ground.crowd.askForCodes(ground.pools));
        await by.attack.prepare(SIGNERS_CODES, () => ground.lending.askForCodes());
        await by.attack.prepare(PROPOSED, () => ground.crowd.proposeToColleague(ground.pools));
        await by.attack.prepare(COMPLAINTS, () => ground.crowd.bringComplaintsToOperators(ground.pools));
      }
      await by.attack.step(route, by.recipes.get(route) as fc.Arbitrary<Recipe>, { seed, step });
    }
  }
}

function shuffled<T>(from: readonly T[], random: Random): T[] {
  const left = [...from];
  for (let index = left.length - 1; index > 0; index -= 1) {
    const other = random.whole(0, index);
    [left[index], left[other]] = [left[other] as T, left[index] as T];
  }
  return left;
}

class Attack {
  /** Whether loans and guarantees were made when they were due, and need not be tried again. */
  isRenewed = true;
  readonly #ground: Ground;
  readonly #plan: Plan;
  readonly #findings: Findings;
  readonly #sender: Sender;
  readonly #canaries: Canaries;
  readonly #known = new Set<string>();

  constructor(ground: Ground, plan: Plan, findings: Findings) {
    this.#ground = ground;
    this.#plan = plan;
    this.#findings = findings;
    this.#sender = { crowd: ground.crowd, limitMs: plan.limitMs };
    this.#canaries = new Canaries(ground.crowd);
  }

  /** One request; where its answer is wrong, the smallest one of its kind whose answer is wrong as well. */
  async step(
    route: Route,
    recipes: fc.Arbitrary<Recipe>,
    { seed, step }: { seed: number; step: number },
  ): Promise<void> {
    const { crowd } = this.#ground;
    await crowd.signInAgain();
    crowd.product.database.world.advance(1_500);
    let smallest: { wire: Wire; fault: string } | null = null;
    let shrinkUntil = Number.POSITIVE_INFINITY;
    const holds = fc.asyncProperty(recipes, async (recipe) => {
      if (performance.now() > shrinkUntil) return;
      const wire = wireOf(route, recipe, this.#ground.pools.lookUp(route, recipe.as));
      const fault = await this.#judge(route, recipe, wire, step);
      if (fault === null) return;
      if (this.#known.has(this.#keyOf(route, fault))) return;
      if (smallest === null) shrinkUntil = performance.now() + SHRINKING_MS;
      smallest = { wire, fault };
      throw new Error(fault);
    });
    const { failed, errorInstance } = await fc.check(holds, { seed, numRuns: 1 });
    if (smallest) this.#report(route, smallest, seed);
    // What is no fault that was judged is no answer that could be: it fell over while it was sent or judged.
    else if (failed) this.#tellOnce(`${route.name} could not be asked or judged: ${errorInstance}`, seed);
  }

  #tellOnce(fault: string, seed: number): void {
    if (this.#known.has(fault)) return;
    this.#known.add(fault);
    this.#tell(`${fault} (seed ${this.#plan.seed}/${seed})`);
  }

  /** The same fault of the same route is told once. */
  #keyOf(route: Route, fault: string): string {
    return `${route.name} ${fault.slice(0, 40)}`;
  }

  #report(route: Route, { wire, fault }: { wire: Wire; fault: string }, seed: number): void {
    this.#known.add(this.#keyOf(route, fault));
    const line = symbolic(this.#ground.crowd, wire);
    const again = `again: node prove/fuzz/again.program.ts '${line.replaceAll("'", '\\u0027')}'`;
    this.#tell(`${route.name} ${fault} (seed ${this.#plan.seed}/${seed}; ${again})`);
  }

  #tell(violation: string): void {
    this.#findings.violations.push(violation);
    this.#plan.tell(violation);
  }

  async #judge(route: Route, recipe: Recipe, wire: Wire, step: number): Promise<string | null> {
    const findings = this.#findings;
    const way = route.replyType === 'sse' ? 'stream' : step % OVER_LINE_EVERY === 0 ? 'line' : 'inside';
    findings.requests += 1;
    this.#count(route, recipe, wire);
    if (way !== 'inside') count(findings.fired, 'over a line');
    const reply = await send(this.#sender, wire, way);
    const sqlFaults = this.#ground.tap.heard();
    if (sqlFaults.length > 0) return `makes PostgreSQL complain: ${sqlFaults[0]}`;
    if (reply === HUNG) return `did not answer within ${this.#plan.limitMs} ms`;
    if (reply === CUT) return 'cut the line without an answer';
    if (reply === UNSENT) return null;
    const { milliseconds } = reply;
    findings.milliseconds.push(milliseconds);
    if (milliseconds > findings.slowest.milliseconds) {
      findings.slowest = { milliseconds, request: symbolic(this.#ground.crowd, wire).slice(0, SHOWN_LETTERS) };
    }
    return this.#judgeReply(route, wire, reply);
  }

  #count(route: Route, { as, twist }: Recipe, { url }: Wire): void {
    const { fired } = this.#findings;
    count(fired, twist.kind);
    if (!fittingPeople(route).includes(as)) count(fired, 'somebody whom the route is not for');
    if (route.caller !== 'provider') return;
    count(fired, url.includes(CALLBACK_SECRET) ? 'a callback with its secret' : 'a callback without its secret');
  }

  async #judgeReply(route: Route, wire: Wire, reply: Reply): Promise<string | null> {
    const { crowd, pools } = this.#ground;
    const isExact = isExactly(wire, route, this.#plan.contract);
    const body = jsonOf(reply);
    if (reply.status < 300) {
      pools.harvest(route, body, wire.as);
      if (isExact) this.#findings.answered.add(route.name);
    } else if ((body as { code?: unknown } | undefined)?.code === 'session_ended') crowd.noteSignedOut(wire.as);
    return faultOf({ route, wire, isExact }, reply) ?? (await this.#canaries.leakedTo(wire, reply.text));
  }

  /** Bytes that are no request, or more than one; then the server must still be there for others. */
  async raw(random: Random): Promise<void> {
    const bytes = rawRequests(random, this.#ground.crowd.tokenOf('member') ?? '');
    this.#findings.requests += 1;
    count(this.#findings.fired, 'bytes that are no request');
    const heard = await sendRaw(this.#sender, bytes);
    const fault = (await isThere(this.#sender)) ? rawFault(heard) : 'left no server to others';
    if (fault === null || this.#known.has(fault)) return;
    this.#known.add(fault);
    const sent = JSON.stringify(bytes.toString('latin1').slice(0, 300));
    this.#tell(`A raw line ${fault} (seed ${this.#plan.seed}; sent ${sent})`);
  }

  async keepHouse(): Promise<void> {
    const { crowd, lending, pools } = this.#ground;
    await this.prepare('the suspended account', () => crowd.suspendAgain());
    await this.prepare('suspended saccos', () => crowd.reopenSaccos());
    await this.prepare('the markets', () => crowd.reopenMarkets(pools));
    await this.prepare(COMPLAINTS, () => crowd.bringComplaintsToOperators(pools));
    await this.prepare('applications of saccos', () => crowd.rejectApplications(pools));
    await this.prepare('a reset code', () => crowd.forgetPassword());
    await this.prepare(SIGNERS_CODES, () => lending.askForCodes());
    await this.prepare(PROPOSED, () => crowd.proposeToColleague(pools));
    await crowd.product.runJobs();
    const [sqlFault] = this.#ground.tap.heard();
    if (sqlFault)
      this.#findings.violations.push(`a job makes PostgreSQL complain: ${sqlFault} (seed ${this.#plan.seed})`);
  }

  /** Makes loans and guarantees anew, and logs all that was posted. A run in which that never succeeds fails at its end. */
  async renewLending(): Promise<void> {
    const { fired } = this.#findings;
    fired[RENEWED] ??= 0;
    const { crowd, lending, pools } = this.#ground;
    this.isRenewed = await this.prepare(RENEWED, () => lending.renew());
    await this.prepare('logs', () => raiseLogs(crowd, pools));
    if (this.isRenewed) count(fired, RENEWED);
  }

  /**
   * What is prepared again and again may fail by what the campaign has done to its people. That is told once and ends nothing: the next
   * turn tries again.
   */
  async prepare(what: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      // What PostgreSQL complained of meanwhile is of no request.
      const [sqlFault] = this.#ground.tap.heard();
      const where = /prove\/fuzz\/(?!campaign)[\w-]+\.ts:\d+/.exec(
        error instanceof Error ? (error.stack ?? '') : '',
      )?.[0];
      const line = `Not prepared: ${what}: ${error instanceof Error ? error.message : error} (${sqlFault ?? where ?? ''})`;
      if (!this.#known.has(line)) this.#plan.tell(line);
      this.#known.add(line);
      return false;
    }
  }
}

/** Whether the answer surely came from the route itself: its address leads to it and to no other route. */
function isExactly(wire: Wire, route: Route, contract: readonly Route[]): boolean {
  const leadsTo = ({ method, path }: Route) => method === wire.method && matches(`${API_BASE}${path}`, wire.url);
  // Where two routes take an address, the one with fewer parameters does.
  const isBefore = (other: Route) => other.path.split('{').length < route.path.split('{').length;
  return leadsTo(route) && contract.every((other) => !leadsTo(other) || !isBefore(other));
}

function matches(pattern: string, url: string): boolean {
  const wanted = pattern.split('/').filter((part) => part !== '');
  const [path = ''] = url.split('?', 1);
  if (path.includes('//')) return false;
  const given = path.split('/').filter((part) => part !== '');
  const fits = (part: string, at: number) =>
    part.startsWith('{') ? !/^(\.|%2e)*$/i.test(given[at] ?? '') : part === given[at];
  return given.length === wanted.length && wanted.every(fits);
}

/** What is wrong with what came back for bytes that may be no request at all. */
function rawFault(heard: string | typeof HUNG): string | null {
  if (heard === HUNG) return 'got neither an answer nor an end';
  const answers = heard.split(/(?=HTTP\/1\.1 \d{3} )/);
  for (const answer of answers) {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
    if (status >= 500) return `was answered ${answer.slice(0, 200)}`;
    if (/\bat \S+ \(|node_modules/.test(answer)) return 'was answered with a stack';
    // Node itself says nothing but its status to what has no Host, or expects something.
    const says = answer.split('\r\n\r\n').slice(1).join('').trim();
    if (status < 400 || says === '' || says === '0') continue;
    const isOurs = /x-content-type-options: nosniff/i.test(answer) && says.includes('"success":false');
    if (!isOurs) return `was answered in words that are not ours: ${answer.slice(0, 200)}`;
  }
  return null;
}

const jsonOf = ({ headers, text }: Reply): unknown => {
  if (!String(headers['content-type']).includes('json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A request as one line, with names for what only this run has. */
function symbolic(crowd: Crowd, wire: Wire): string {
  return crowd.names().reduce((line, [name, value]) => line.replaceAll(value, name), JSON.stringify(wire));
}

/** The same line as a request of another run. */
export function concrete(crowd: Crowd, line: string): Wire {
  return JSON.parse(crowd.names().reduce((text, [name, value]) => text.replaceAll(name, value), line)) as Wire;
}

export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
