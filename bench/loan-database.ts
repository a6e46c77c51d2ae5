import postgres from 'postgres';
import { openDatabase } from '../server/db/database.ts';
import { migrate } from '../server/db/migrate.ts';
import type { Database } from '../server/db/tx.ts';
import { realWorld } from '../server/world.ts';
import type { BenchServer } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { fillLoans, type LoanBook, RUN_UP_TO } from './loan-book.ts';

/** A database of its own with loans, on a day that the bench moves on. */
export interface LoanDatabase {
  readonly url: string;
  readonly database: Database;
  /** The day by the database's clock. */
  day: string;
}

/** @param more statements of the owner, behind the filling */
export async function openLoans(
  server: BenchServer,
  name: string,
  { loans, book, more = [] }: { readonly loans: number; readonly book?: LoanBook; readonly more?: readonly string[] },
): Promise<LoanDatabase> {
  const url = server.embedded.urlOf(name);
  const maker = postgres(server.url, { max: 1, onnotice: () => {} });
  await maker.unsafe(`create database ${name}`);
  await maker.end();
  await migrate(url);
  await fillLoans(url, loans, book);
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  for (const statement of more) await owner.unsafe(statement);
  await owner.end();
  const made: LoanDatabase = {
    url,
    day: RUN_UP_TO,
    database: openDatabase({
      url,
      world: { ...realWorld, now: () => new Date(`${made.day}T06:00:00Z`) },
      poolSize: 4,
      statementTimeoutMs: 120_000,
    }),
  };
  return made;
}

/** Microseconds of processor that something takes, here and in PostgreSQL. */
export async function processorTimeOf(
  { embedded }: BenchServer,
  act: () => Promise<void>,
): Promise<{ readonly node: number; readonly postgres: number }> {
  const before = { node: process.cpuUsage(), postgres: readProcessorTime(embedded.pid) ?? Number.NaN };
  await act();
  const { user, system } = process.cpuUsage(before.node);
  return { node: user + system, postgres: (readProcessorTime(embedded.pid) ?? Number.NaN) - before.postgres };
}
