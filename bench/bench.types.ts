import type { Embedded } from '../server/db/embedded.ts';
import type { Database } from '../server/db/tx.ts';

/** One ratio that the product is held to. */
export interface Measurement {
  /** What was divided by what. */
  readonly title: string;
  /** One for each pair, in the order in which they were run. */
  readonly ratios: readonly number[];
  readonly threshold: Threshold;
  /** The figures behind the ratio, one line each. */
  readonly details: readonly string[];
  /** Set when an invariant was broken: the measurement then counts for nothing. */
  readonly breach?: string;
}

export interface Threshold {
  /** `least`: the median must reach the value; `most`: it must not pass it. */
  readonly is: 'least' | 'most';
  readonly value: number;
}

/** A file `*.bench.ts` in this folder exports one as `bench`. */
export interface Bench {
  /** How `npm run bench -- B1` names it. */
  readonly id: string;
  readonly title: string;
  run(context: BenchContext): Promise<readonly Measurement[]>;
}

/** A PostgreSQL of the bench's own, with fsync on, in a temporary folder. */
export interface BenchServer {
  readonly embedded: Embedded;
  /** The application's connection to a fresh, migrated database. */
  readonly database: Database;
  /** The owner's URL of that database. */
  readonly url: string;
  /**
   * Transactions per second of pgbench's TPC-B on this server: scale 20, prepared statements, 16 clients unless told. The first
   * call makes its tables. Throws with the package to install where pgbench is missing.
   */
  pgbenchTpcb(seconds: number, clients?: number): Promise<number>;
}

export interface BenchContext {
  /** Pairs to run, at least 5 for a figure worth keeping; `--pairs=3` for a look. */
  readonly pairs: number;
  /** How long each half of a pair runs. */
  readonly seconds: number;
  /** Starts a server for this bench; it is stopped and its folder removed when the bench ends. */
  startServer(options?: { readonly poolSize?: number }): Promise<BenchServer>;
  /** A line for the person who waits. */
  say(line: string): void;
}
