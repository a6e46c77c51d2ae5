/** C: in every `npm test`. N: each night, within the hour. R: before a release. */
export type Tier = 'c' | 'n' | 'r';

/** One run of a harness. Everything random in it comes from `seed`, so that a failure can be had again. */
export interface Run {
  readonly tier: Tier;
  readonly seed: number;
  /** Which part of a divided tier it is, from 1; where nothing is said, all that the tier has. */
  readonly part?: number;
  /** The owner's connection to the database `postgres` of a throw-away server that has the migrated template. */
  readonly serverUrl: string;
  /** A stopped cluster with all migrations, for `copyPrepared`. */
  readonly prepared: string;
  /** The negative control to switch on: what the harness guards is then broken, and it must say so. */
  readonly broken?: string;
  /** A line for the person who waits. */
  tell(line: string): void;
}

/** What a run's own process is told: the run, and the file into which its outcome goes. */
export interface Order extends Pick<Run, 'tier' | 'seed' | 'part' | 'broken'> {
  readonly name: string;
  readonly file: string;
}

export interface Outcome {
  /** What was promised and did not hold, one sentence each, with what is needed to see it again. Empty is good. */
  readonly violations: readonly string[];
  /** How often each fault or kind of case really happened. One that never did fails the run: it proved nothing. */
  readonly fired: Readonly<Record<string, number>>;
  /** The figures for docs/promises.json by promise, e.g. `{P9: '1,204 denied requests, 0 rows changed'}`. */
  readonly figures: Readonly<Record<string, string>>;
}

/** A way of breaking what a harness guards. */
export interface Control {
  readonly name: string;
  /** What is broken, as a sentence. */
  readonly breaks: string;
  /** The first violation must match: red for another reason is no proof. */
  readonly expected: RegExp;
  /** The part that it breaks, where the parts of a tier are each a thing of its own. */
  readonly part?: number;
}

/** Each folder of `prove/` exports one as `harness` from `<folder>.harness.ts`; its test runs tier C and the controls. */
export interface Harness {
  /** The folder's name, as `npm run prove -- --only` takes it. */
  readonly name: string;
  readonly title: string;
  /** The promises of docs/promises.md that it keeps watch over. */
  readonly promises: readonly string[];
  /** The tiers in which it runs; `c` through its own test. */
  readonly tiers: readonly Tier[];
  /**
   * Into how many runs, each with a seed and a database of its own, a tier is divided; one where nothing is said. They
   * may be as many of the same, or each a thing of its own.
   */
  readonly parts?: Readonly<Partial<Record<Tier, number>>>;
  /** How long anything takes in it makes no difference: it may run beside the others, at a lower priority. */
  readonly isPatient?: boolean;
  readonly controls: readonly Control[];
  run(run: Run): Promise<Outcome>;
}

/** The seed of tier C, so that a commit is judged by what it changed; `PROVE_SEED` sets another. */
export function commitSeed(): number {
  return Number(process.env.PROVE_SEED ?? 20_261_121);
}

/**
 * All that speaks against a run: what was violated, and in one sentence what never happened. A run that was cut short by a
 * violation is not asked what else would have happened.
 */
export function faultsOf({ violations, fired }: Outcome): string[] {
  if (violations.length > 0) return [...violations];
  const silent = Object.keys(fired).filter((name) => fired[name] === 0);
  if (silent.length === 0) return [];
  return [`This run proves nothing of what never happened in it: ${silent.join(', ')}`];
}
