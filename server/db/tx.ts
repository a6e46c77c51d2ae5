import type { Kysely } from 'kysely';
import type postgres from 'postgres';
import type { PoolFigures } from './connection-limiter.ts';
import type { DB } from './types.ts';

/** A transaction that is under way: what every verb takes first. */
export interface Tx {
  /** Typed, ordinary queries, inside this transaction. */
  readonly kysely: Kysely<DB>;
  /** Set-based SQL, inside this transaction. Prepared; parameters only. */
  readonly sql: postgres.TransactionSql;
  /** The instant at which the transaction began, by the injected clock. */
  readonly now: Date;
  /** A fresh UUIDv7. */
  newId(): string;
  /** Which database this is: the key under which a process may remember what was committed for ever, such as ids. */
  readonly database: Database;
  /** Runs after the commit has been acknowledged; never after a rollback. For wake-ups, not for work that must happen. */
  afterCommit(effect: () => void): void;
}

/** The database as the domains see it. */
export interface Database {
  /** The one place where a transaction begins. A COMMIT of unknown outcome throws `Refusal('unknown_outcome')`. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Typed reads outside a transaction: one statement, one snapshot. */
  readonly kysely: Kysely<DB>;
  /** Reads by SQL text outside a transaction. */
  readonly sql: postgres.Sql;
  now(): Date;
  newId(): string;
  randomBytes(length: number): Buffer;
  /** How many transactions are under way and wait for a connection. */
  pool(): PoolFigures;
  close(): Promise<void>;
}
