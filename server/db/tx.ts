import type postgres from 'postgres';
import type { PoolFigures } from './connection-limiter.ts';

/** An open transaction: the first parameter of every verb. */
export interface Tx {
  /** SQL text inside this transaction. Prepared; values are parameters only. */
  readonly sql: postgres.TransactionSql;
  /** The instant at which the transaction began, by the injected clock. */
  readonly now: Date;
  /** A new UUIDv7. */
  newId(): string;
  /** The database of this transaction: a key for caches of committed, immutable data such as ids. */
  readonly database: Database;
  /** Runs after the commit was acknowledged, never after a rollback. For wake-ups only: it may be lost. */
  afterCommit(effect: () => void): void;
  /**
   * Does a part of the transaction that may fail without the rest. If `act` throws, all that it has written is taken back, what
   * it wanted done after the commit is forgotten, and the error is thrown on. One at a time.
   */
  alone<T>(act: () => Promise<T>): Promise<T>;
}

/** The database as the domains see it. */
export interface Database {
  /**
   * Begins a transaction, as no other function does. Throws `Refusal('unknown_outcome')` when nobody knows whether it
   * committed.
   */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads by SQL text outside a transaction: one statement, one snapshot. */
  readonly sql: postgres.Sql;
  now(): Date;
  newId(): string;
  randomBytes(length: number): Buffer;
  /** How many transactions run, and how many wait for a connection. */
  pool(): PoolFigures;
  close(): Promise<void>;
}
