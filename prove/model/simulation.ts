import { createHash, createHmac, type Hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../random.ts';
import { ClockJobs } from './clock-jobs.ts';
import { type Answered, type Asking, type House, openHouse, type Server } from './house.ts';
import { MpesaJudge, type ShownException } from './mpesa-judge.ts';
import { NaiveBooks, newPerson, type Person, type Sacco, type Session } from './naive-books.ts';
import { noteDay } from './naive-dividends.ts';
import { NaiveMpesa } from './naive-mpesa.ts';
import { SimulatedWorld } from './simulated-world.ts';
import { newTie } from './untied.ts';

/** An act that is about to be done, and what the naive books say of it. */
export interface Planned {
  /** What is done, in words that are the same in every run of a seed. */
  readonly say: string;
  readonly asking: Asking;
  /**
   * What it looks at and changes. Two acts that touch the same thing are not fired at once, except by one queue, which
   * carries them out in the order in which they came.
   */
  readonly touches: readonly (readonly [thing: string, queue?: string])[];
  /** Does it in the naive books: `ok`, or the code of the refusal. Called once, in the order of the acts. */
  readonly expect: () => string;
  /** Looks at the reply and takes over what only the product could draw. Answers what is wrong with it, if anything. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of every route
  readonly learn?: (reply: any) => string | undefined | Promise<string | undefined>;
  /** Looks, whatever was answered, at what the product may do or leave. Answers what is wrong with it, if anything. */
  readonly after?: () => Promise<string | undefined>;
  /** Whether it may carry an Idempotency-Key, and be repeated under it. */
  readonly isKeyed?: boolean;
}

export interface Act {
  readonly name: string;
  /** The writing routes that it covers. */
  readonly routes: readonly string[];
  readonly weight: number;
  /** Touches so many that others would always be in its way: how often it is the first of a wave. */
  readonly firstOften?: number;
  /** Another act that hangs on it, so that it is looked for until that one was done. */
  readonly leadsTo?: string;
  /** Null where there is nothing of the kind to do just now. */
  readonly plan: (simulation: Simulation) => Planned | null;
}

/** Whether nobody has done it so far, or what hangs on it. */
export const isNew = ({ name, leadsTo = name }: Act, fired: Readonly<Record<string, number>>): boolean =>
  fired[`${leadsTo} done`] === undefined;

/** The product did something else than the naive books say. */
export class Disagreement extends Error {}

export interface Settings {
  readonly serverUrl: string;
  readonly seed: number;
  readonly broken?: string | undefined;
}

const FIRST_DAY = new Date('2026-01-05T06:00:00.000Z');
const RETRIES_MAX = 30;
/** A session in which nothing was asked for so long has ended. */
const SESSION_IDLE_MS = 3_600_000;

/** The product and the naive books side by side, and what acts need of both. */
export class Simulation {
  readonly seed: number;
  readonly broken: string | undefined;
  readonly random: Random;
  readonly books = new NaiveBooks();
  readonly world: SimulatedWorld;
  readonly mpesa: NaiveMpesa;
  readonly house: House;
  readonly jobs: ClockJobs;
  readonly judge: MpesaJudge;
  /** Who is signed in at this hour. */
  active: Person[] = [];
  acts = 0;
  readonly fired: Record<string, number> = {};
  readonly refusals: Record<string, number> = {};
  /** What was tried to tie secret ballots to voters (untied.ts). */
  readonly tie = newTie();
  /** Exceptions as the operator's list shows them. */
  exceptions: ShownException[] = [];
  /** The saccos that lend here, from some moment on. */
  readonly lenders: Sacco[] = [];
  isLending = false;
  /** The one that shares out its surplus: it lends nothing, so that nothing is taken for loans. */
  sharer: Sacco | null = null;
  /** While faults are armed, an answer may be lost: whoever asked asks again under the same key. */
  isFaulty = false;
  readonly #trace: Hash = createHash('sha256');

  private constructor(settings: Settings, world: SimulatedWorld, mpesa: NaiveMpesa, house: House) {
    this.seed = settings.seed;
    this.broken = settings.broken;
    this.random = new Random(settings.seed);
    this.world = world;
    this.mpesa = mpesa;
    this.house = house;
    this.jobs = new ClockJobs(house, world, mpesa);
    this.judge = new MpesaJudge(this);
  }

  static async open(settings: Settings): Promise<Simulation> {
    const world = new SimulatedWorld(settings.seed, FIRST_DAY);
    const mpesa = new NaiveMpesa(world);
    return new Simulation(settings, world, mpesa, await openHouse(settings.serverUrl, world, mpesa));
  }

  get now(): number {
    return this.world.time;
  }

  /** How long it has gone on. */
  get days(): number {
    return (this.world.time - FIRST_DAY.getTime()) / 86_400_000;
  }

  /** Seen in the trace, so that two runs of a seed can be told to be the same run. */
  note(line: string): void {
    this.#trace.update(`${line}\n`);
  }

  traceSoFar(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  count(what: string, times = 1): void {
    this.fired[what] = (this.fired[what] ?? 0) + times;
  }

  someone(): Person | null {
    return this.active.length === 0 ? null : this.random.pick(this.active);
  }

  operator(): Person | null {
    const here = this.active.filter(({ isOperator }) => isOperator);
    return here.length === 0 ? null : this.random.pick(here);
  }

  /** A token whose session has ended, if there was one. */
  stale: string | null = null;

  /** Ends those of a person's sessions that are not kept. */
  endSessions(person: Person, isKept: (session: Session) => boolean): void {
    const ended = person.sessions.find((session) => !isKept(session));
    if (ended) this.stale = ended.token;
    person.sessions = person.sessions.filter(isKept);
    if (person.sessions.length === 0) this.active = this.active.filter((other) => other !== person);
  }

  /** Whoever did nothing for an hour has to sign in again. */
  endIdleSessions(): void {
    const isLive = ({ seenAt }: Session) => seenAt > this.now - SESSION_IDLE_MS;
    for (const person of this.active.filter(({ sessions }) => !sessions.every(isLive))) {
      this.count('session idle for too long');
      this.endSessions(person, isLive);
    }
  }

  #seen(token: string | undefined): void {
    for (const { sessions } of this.active) {
      for (const session of sessions) if (session.token === token) session.seenAt = this.now;
    }
  }

  /** The app's code of this moment, and what using it means. */
  otpOf(person: Person): { code: string; use: () => void } {
    const { factor } = person;
    if (!factor) throw new Error(`Person ${person.number} has no authenticator app.`);
    const step = Math.floor(this.now / 30_000);
    const use = () => {
      factor.lastStep = step;
    };
    return { code: totp(factor.secret, step), use };
  }

  readonly #turns = new Map<string, number>();

  /** One after the other, so that none is left out however short a run is. */
  inTurn<T>(what: string, all: readonly T[]): T {
    const turn = this.#turns.get(what) ?? 0;
    this.#turns.set(what, turn + 1);
    return all[turn % all.length] as T;
  }

  saccoIn(...states: Sacco['state'][]): Sacco | null {
    const found = this.books.saccos.filter(({ id, state }) => id !== '' && states.includes(state));
    return found.length === 0 ? null : this.random.pick(found);
  }

  newPerson(): Person {
    const person = newPerson(this.books.people.length + 1);
    this.books.people.push(person);
    return person;
  }

  /** Fires acts at once that do not get in each other's way, and holds each to what the books say. */
  async wave(planned: readonly Planned[], names: readonly string[]): Promise<void> {
    noteDay(this.books, this.now);
    const first = this.acts;
    this.acts += planned.length;
    const fired = planned.map((act, index) => {
      const key = act.asking.key ?? (this.#wantsKey(act) ? `key-${this.seed}-${first + index}` : undefined);
      const asking = key === undefined ? act.asking : { ...act.asking, key };
      return { act, asking, expected: act.expect(), number: first + index };
    });
    const answers = await this.#askAll(
      fired.map(({ act, asking, number }) => ({ asking, name: `act ${number}`, server: serverOf(act) })),
    );
    for (const [index, { act, asking, expected, number }] of fired.entries()) {
      const answer = answers[index] as Answered;
      const got = answer.ok ? 'ok' : answer.code;
      this.note(`${number} ${act.say} ${got}`);
      if (got !== expected) this.disagree(number, act.say, expected, got);
      this.count(`${names[index]} ${got === 'ok' ? 'done' : 'refused'}`);
      if (!answer.ok) this.refusals[got] = (this.refusals[got] ?? 0) + 1;
      if (answer.ok) await this.#takeOver(act, asking, answer.reply, number);
      const wrong = await act.after?.();
      if (wrong) this.disagree(number, act.say, 'otherwise', wrong);
    }
  }

  /** Which run this is and how far it has come: what one needs to have it again. */
  whereabouts(): string {
    return `seed ${this.seed}, after act ${this.acts}, at ${new Date(this.now).toISOString()}`;
  }

  disagree(number: number, say: string, expected: string, got: string): never {
    const at = new Date(this.now).toISOString();
    throw new Disagreement(
      `seed ${this.seed}, act ${number} at ${at}: ${say}: the naive books say ${expected}, the product ${got}`,
    );
  }

  #wantsKey(act: Planned): boolean {
    return act.isKeyed === true && (this.isFaulty || this.random.chance(0.4));
  }

  async #takeOver(act: Planned, asking: Asking, reply: unknown, number: number): Promise<void> {
    const wrong = await act.learn?.(reply);
    if (wrong) this.disagree(number, act.say, 'otherwise', wrong);
    if (asking.key === undefined || act.asking.key !== undefined) return;
    const person = this.active.find(({ sessions }) => sessions.some(({ token }) => token === asking.token));
    if (!person) return;
    this.books.replies.push({ person, key: asking.key, act: act.say, at: this.now, spec: asking, reply });
  }

  /** Asks until there is a definite answer: after a fault the same key finds out what happened. What only reads has none. */
  async ask(asking: Asking, name: string): Promise<Answered> {
    const [answer] = await this.#askAll([{ asking, name, server: 'first' }]);
    return answer as Answered;
  }

  /** All at once; and those who had no answer once more, again at once. */
  async #askAll(all: readonly { asking: Asking; name: string; server: Server }[]): Promise<readonly Answered[]> {
    const answers: Answered[] = [];
    let open = [...all.keys()];
    for (let attempt = 0; open.length > 0 && attempt <= RETRIES_MAX; attempt += 1) {
      const asked = open.map((index) => all[index] as (typeof all)[number]);
      const answered = await Promise.all(asked.map((one) => this.#askOnce(one, attempt)));
      for (const [position, index] of open.entries()) answers[index] = answered[position] as Answered;
      open = this.isFaulty ? open.filter((index) => isDoubtful(answers[index] as Answered)) : [];
      const keyed = open.filter((index) => all[index]?.asking.key !== undefined);
      if (keyed.length > 0) this.count('answer lost and found again by its key', keyed.length);
    }
    return answers;
  }

  #askOnce({ asking, name, server }: { asking: Asking; name: string; server: Server }, attempt: number) {
    this.#seen(asking.token);
    const isOther = attempt > 0 && this.broken === 'new-key-after-doubt';
    const sent = isOther ? { ...asking, key: `${asking.key}!` } : asking;
    return this.world.doing(`${name} ${attempt}`, () => this.house.ask(sent, server));
  }
}

const DOUBTFUL = new Set(['unknown_outcome', 'unavailable', 'connection_lost']);

function isDoubtful(answer: Answered): boolean {
  return !answer.ok && DOUBTFUL.has(answer.code);
}

/** Of those that touch one sacco's things all go to one server: its queues keep their order. */
function serverOf({ touches }: Planned): Server {
  const sacco = touches.map(([thing]) => /^state (\d+)$/.exec(thing)?.[1]).find((number) => number !== undefined);
  return Number(sacco ?? 0) % 2 === 0 ? 'first' : 'second';
}

/** Whether a reply is, to the letter, the one that was given before. */
export function isSameReply(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** RFC 6238, written once more: an authenticator app is no part of the product. */
export function totp(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const from = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
