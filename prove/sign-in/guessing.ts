import { crockfordCode } from '../../server/domains/identity/codes.rules.ts';
import {
  type Counted,
  countAttempt,
  RESET_CODE_EVERYWHERE_RULE,
  RESET_CODE_OF_NETWORK_RULE,
  type ThrottleRule,
  type ThrottleState,
} from '../../server/domains/identity/throttle.rules.ts';
import { Random } from '../random.ts';
import type { Scene } from './findings.ts';

const GUESSES = { c: 1_000_000, n: 10_000_000, r: 100_000_000 } as const;
/** What P12 allows for one account and day. */
const BOUND = 5e-7;
const CODES = 32 ** 8;
const CODE_MS = 10 * 60_000;
const CODES_A_DAY = 10;
/** Short codes, of which enough are hit to see that chance behaves as the arithmetic says. */
const SHORT_CODES = 32 ** 3;

/**
 * P12 by simulation on the rules themselves: an attacker with more networks than the rules can tell apart guesses as fast
 * as he is let, and has a code sent whenever it helps him most. What the rules let through is what he may win.
 */
export function proveGuessingCodes({ run, findings }: Scene): void {
  const random = new Random(run.seed);
  proveCodesAreEven(random, { run, findings });
  const guesses = GUESSES[run.tier];
  const everywhere = run.broken === 'codes-counted-by-address-only' ? null : RESET_CODE_EVERYWHERE_RULE;
  const { judged, best, hits } = attack(random, guesses, everywhere);
  const chance = (best * CODES_A_DAY) / CODES;
  findings.count('simulated guesses', guesses);
  findings.count('simulated guesses that were judged', judged);
  findings.expect(
    chance <= BOUND,
    () => `P12: ${best} guesses were judged while one code lived: ${chance.toExponential(2)} a day, more than ${BOUND}`,
  );
  const expected = judged / SHORT_CODES;
  findings.expect(
    Math.abs(hits - expected) < 6 * Math.sqrt(expected) + 6,
    () =>
      `P12: of ${judged} guesses at codes of three symbols ${hits} were right, and not about ${expected.toFixed(0)}`,
  );
  findings.figures.P12 = `${guesses.toLocaleString('en')} simulated guesses from 60,000 networks, at most ${best.toLocaleString('en')} judged while a code lived: ${chance.toExponential(1)} for an account and day`;
}

/** After so long the locks of one attack are over, and the next begins. */
const CYCLE_MS = 60 * 60_000;

/** One attack: a guess that opens a window, then two bursts. */
interface Bursts {
  /** Since the attack began, in ms. */
  readonly beginAtMs: readonly [number, number];
  readonly guesses: readonly [number, number];
  readonly everyMs: number;
}

/** What fits at the end of a window, and a flood as the next one opens: two windows meet within one code's life. */
const WORST: Bursts = { beginAtMs: [CODE_MS - 5_000, CODE_MS], guesses: [24_998, 60_000], everyMs: 0.1 };

/** Bursts of any length, pace and moment; the worst that we know of may not be the worst that there is. */
function anyBursts(random: Random): Bursts {
  const everyMs = random.whole(1, 80) / 10;
  const guesses: [number, number] = [random.whole(1, 50_000), random.whole(1, 90_000)];
  const first = random.whole(0, CODE_MS);
  const second = Math.ceil(first + guesses[0] * everyMs) + random.whole(0, CODE_MS);
  return { beginAtMs: [first, second], guesses, everyMs };
}

/** The attacker's guesses, one after the other: the worst attack and any other by turns. */
class Attacker {
  readonly #random: Random;
  #bursts: Bursts = WORST;
  #cycle = 0;
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** When the next guess is made. */
  next(): number {
    const { beginAtMs, guesses, everyMs } = this.#bursts;
    const start = this.#cycle * CYCLE_MS;
    const made = this.#made;
    this.#made += 1;
    if (made === 0) return start;
    if (made <= guesses[0]) return start + beginAtMs[0] + made * everyMs;
    if (made <= guesses[0] + guesses[1]) return start + beginAtMs[1] + (made - guesses[0]) * everyMs;
    this.#cycle += 1;
    this.#made = 0;
    this.#bursts = this.#cycle % 2 === 0 ? WORST : anyBursts(this.#random);
    return this.next();
  }
}

/** Returns how many guesses were judged, the most within any code's life, and how often a short code was hit. */
function attack(random: Random, guesses: number, everywhere: ThrottleRule | null) {
  const networks = new Array<ThrottleState | null>(60_000).fill(null);
  const inTenSeconds: number[] = [];
  let all: ThrottleState | null = null;
  let [judged, hits, best, within] = [0, 0, 0, 0];
  const attacker = new Attacker(random);
  for (let guess = 0; guess < guesses; guess += 1) {
    const now = new Date(attacker.next());
    const network = guess % networks.length;
    const own = countAttempt(networks[network] ?? null, now, RESET_CODE_OF_NETWORK_RULE);
    if (own.admitted) networks[network] = own.state;
    const total: Counted | null = own.admitted && everywhere ? countAttempt(all, now, everywhere) : null;
    if (total?.admitted) all = total.state;
    const slot = Math.floor(now.getTime() / 10_000);
    while (inTenSeconds.length <= slot) {
      inTenSeconds.push(0);
      within -= inTenSeconds[inTenSeconds.length - 1 - CODE_MS / 10_000] ?? 0;
    }
    if (!own.admitted || total?.admitted === false) continue;
    judged += 1;
    within += 1;
    inTenSeconds[slot] = (inTenSeconds[slot] ?? 0) + 1;
    best = Math.max(best, within);
    if (random.whole(0, SHORT_CODES - 1) === 7) hits += 1;
  }
  return { judged, best, hits };
}

/** Every symbol is as likely as the next at every position: chi-squared with 31 degrees of freedom. */
function proveCodesAreEven(random: Random, { findings }: Scene): void {
  const draws = 64_000;
  const counts = Array.from({ length: 8 }, () => new Map<string, number>());
  for (let draw = 0; draw < draws; draw += 1) {
    const code = crockfordCode(8, (length) => Buffer.from(Array.from({ length }, () => random.whole(0, 255))));
    for (const [position, symbol] of [...code].entries())
      counts[position]?.set(symbol, (counts[position]?.get(symbol) ?? 0) + 1);
  }
  for (const [position, seen] of counts.entries()) {
    const expected = draws / 32;
    const chi = [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // Beyond 90 once in ten million seeds.
    findings.expect(
      seen.size === 32 && chi < 90,
      () => `P12: symbol ${position + 1} of codes is uneven: chi² ${chi.toFixed(0)}`,
    );
  }
  findings.count('codes drawn', draws);
}
