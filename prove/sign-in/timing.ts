import { fileURLToPath } from 'node:url';
import { createPerson } from '../../server/domains/identity/create-person.ts';
import { createPasswords } from '../../server/domains/identity/passwords.ts';
import { Random } from '../random.ts';
import { PASSWORD } from '../support/product.ts';
import type { Scene } from './findings.ts';
import { processes, type TwoServers } from './two-servers.ts';

/** In tier C the negative control alone. */
const SAMPLES = { c: 40, n: 1_000, r: 4_000 } as const;
const WARM_UP = { c: 10, n: 50, r: 50 } as const;
const SPARING = fileURLToPath(new URL('./sparing.program.ts', import.meta.url));
/** What a slow hash takes at least: answers that come sooner have not judged a password. */
const HASH_MS_MIN = 15;
/** So many guesses at one ID number, then the next: the throttle must not come to speak. */
const TRIES_PER_PERSON = 8;
const GAP_MS_MAX = 5;
/** A gap that Mann and Whitney's U puts down to chance, once in 700 times, is the machine's noise. */
const STANDARD_ERRORS = 3;
/** A shift that is seen in two pairs of three and is more than a millisecond tells too, however small its median. */
const SEEN_IN = 0.67;

interface Arms {
  readonly name: string;
  readonly path: string;
  /** What both are answered. */
  readonly status: number;
  readonly isHashed: boolean;
  readonly body: (idNumber: string, phone: string) => Record<string, string>;
}

const asked: readonly Arms[] = [
  {
    name: 'sign-in',
    path: '/auth/login/',
    status: 401,
    isHashed: true,
    body: (idNumber) => ({ id_number: idNumber, password: 'Wrong#2026', user_type: 'client' }),
  },
  {
    name: 'sign-out everywhere',
    path: '/auth/logoutall/',
    status: 401,
    isHashed: true,
    body: (idNumber) => ({ id_number: idNumber, password: 'Wrong#2026' }),
  },
  {
    name: 'forgotten password',
    path: '/auth/forgot-password/',
    status: 200,
    isHashed: false,
    body: (idNumber, phone) => ({ id_number: idNumber, phone_number: phone }),
  },
];

/** P11 by time, on a real process: the known and the unknown in turn, in an order drawn by chance. Never in tier C. */
export async function proveTimeTellsNothing({ run, findings }: Scene): Promise<void> {
  const isSparing = run.broken === 'hash-by-time';
  if (run.tier === 'c' && !isSparing) return;
  const samples = SAMPLES[run.tier];
  const servers = await processes(run.serverUrl, 1, isSparing ? SPARING : undefined);
  const random = new Random(run.seed);
  const told: string[] = [];
  try {
    const people = Math.ceil((samples + WARM_UP[run.tier]) / TRIES_PER_PERSON);
    for (const [index, arms] of asked.entries()) {
      run.tell(`P11: ${samples} times ${arms.name} of the known and of the unknown`);
      await makePeople(servers, index, people);
      const took = await measure(servers.origins, arms, { index, samples, warmUp: WARM_UP[run.tier], random });
      findings.count(`timed: ${arms.name}`, samples * 2);
      told.push(judged(arms, took, { run, findings }));
      if (isSparing) return;
    }
    findings.figures.P11 = `${findings.figures.P11}; ${samples} each by time, gap of medians, of the known's (known slower in): ${told.join(', ')}`;
  } finally {
    await servers.close();
  }
}

interface Took {
  readonly known: readonly number[];
  readonly unknown: readonly number[];
}

/** Whether the times tell the known from the unknown; what they were, in words. */
function judged({ name, isHashed }: Arms, took: Took, { run, findings }: Scene): string {
  const [known, unknown] = [median(took.known), median(took.unknown)];
  const gap = Math.abs(known - unknown);
  const seen = shareOfGreater(took.known, took.unknown);
  // Of U over its pairs, where nothing differs.
  const samples = took.known.length;
  const standardError = Math.sqrt((2 * samples + 1) / (12 * samples * samples));
  const isNoise = Math.abs(seen - 0.5) < STANDARD_ERRORS * standardError;
  const percent = (seen * 100).toFixed(0);
  findings.expect(
    !(gap >= GAP_MS_MAX && !isNoise) && !(gap > 1 && Math.max(seen, 1 - seen) > SEEN_IN),
    () =>
      `P11: ${name}: medians ${known.toFixed(2)} ms for the known and ${unknown.toFixed(2)} ms for the unknown; the known took longer in ${percent} % of pairs (seed ${run.seed})`,
  );
  findings.expect(
    !isHashed || known >= HASH_MS_MIN,
    () => `P11: ${name} takes ${known.toFixed(2)} ms: no password was judged`,
  );
  return `${name} ${gap.toFixed(2)} of ${known.toFixed(1)} ms (${percent} %)`;
}

const idOf = (isKnown: boolean, index: number, number: number) => `${isKnown ? 'KN' : 'UN'}${index}${1_000 + number}`;
const phoneOf = (index: number, number: number) => `25471${String(2_000_000 + index * 10_000 + number)}`;

async function makePeople({ database }: Pick<TwoServers, 'database'>, index: number, people: number): Promise<void> {
  const passwords = createPasswords({ world: database.world, atOnceMax: 1, waitingMax: 10 });
  const passwordHash = await passwords.hash(PASSWORD);
  for (let number = 0; number < people; number += 1) {
    const idNumber = idOf(true, index, number);
    const phone = phoneOf(index, number);
    const email = `${idNumber}@timed.example`.toLowerCase();
    await database.transaction((tx) =>
      createPerson(tx, { idNumber, firstName: 'Timed', lastName: 'Person', phone, email, passwordHash }),
    );
  }
}

async function measure(
  origins: readonly string[],
  { path, body, status }: Arms,
  { index, samples, warmUp, random }: { index: number; samples: number; warmUp: number; random: Random },
) {
  const took = { known: [] as number[], unknown: [] as number[] };
  for (let sample = 0; sample < samples + warmUp; sample += 1) {
    const number = Math.floor(sample / TRIES_PER_PERSON);
    for (const isKnown of random.chance(0.5) ? [true, false] : [false, true]) {
      const sent = JSON.stringify(body(idOf(isKnown, index, number), phoneOf(index, number)));
      const start = performance.now();
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${origins[0]}/api/v1${path}`, { method: 'POST', headers, body: sent });
      await response.arrayBuffer();
      const ms = performance.now() - start;
      if (response.status !== status) {
        throw new Error(`${path} was answered ${response.status} and not ${status}: the times tell nothing.`);
      }
      if (sample >= warmUp) took[isKnown ? 'known' : 'unknown'].push(ms);
    }
  }
  return took;
}

function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Mann and Whitney's U as a share: in how many of all pairs the first is greater; one half where nothing differs. */
function shareOfGreater(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((ms) => ({ ms, isFirst: true })), ...second.map((ms) => ({ ms, isFirst: false }))];
  all.sort((a, b) => a.ms - b.ms);
  let [below, pairs] = [0, 0];
  for (const { isFirst } of all) {
    if (isFirst) pairs += below;
    else below += 1;
  }
  return pairs / (first.length * second.length);
}
