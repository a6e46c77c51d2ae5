import postgres from 'postgres';
import { openDatabase } from '../server/db/database.ts';
import { migrate } from '../server/db/migrate.ts';
import type { Database } from '../server/db/tx.ts';
import { runLoanDays } from '../server/domains/loans/run-loan-days.ts';
import { dayAfter } from '../server/domains/loans/schedule.rules.ts';
import { realWorld } from '../server/world.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { fillLoans, RUN_UP_TO } from './loan-book.ts';
import { processorTimeOf } from './loan-database.ts';
import { median } from './statistics.ts';

const many = Number(process.env.LOANS ?? 1_000_000);
const few = 10_000;
const secondsMost = 60;
const growthMost = 1.2;
/** Databases with a few loans each, all of which run the same day as the one with many: a single one's time is too short. */
const DATABASES_OF_FEW = 5;

interface Side {
  readonly loans: number;
  readonly url: string;
  readonly database: Database;
  /** The days that have been run. */
  day: string;
}

export const bench: Bench = {
  id: 'B13',
  title: `The day of ${count(many)} loans: interest, arrears, penalty, classes, provision, reminders and notices`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const ends: (() => Promise<void>)[] = [];
    try {
      const large = await side(context, server, 'loans_many', many, ends);
      const small: Side[] = [];
      for (let number = 1; number <= DATABASES_OF_FEW; number += 1)
        small.push(await side(context, server, `loans_few_${number}`, few, ends));
      const sides = [large, ...small];
      // The first day of a fresh table is not like the others: every row moves once.
      for (const each of [...sides, ...sides]) await runDay(each, 2);
      const whole: number[] = [];
      const costs: number[] = [];
      const growth: number[] = [];
      const copies: number[] = [];
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const spent = await processorTimeOf(server, async () => {
          whole.push(await runDay(large, 2));
        });
        costs.push((spent.node + spent.postgres) / large.loans);
        copies.push(await copySeconds(large));
        for (const each of small) await runDay(each, 2);
        const each = (await runDay(large, 1)) / large.loans;
        let secondsOfFew = 0;
        for (const each of small) secondsOfFew += await runDay(each, 1);
        const eachOfFew = secondsOfFew / DATABASES_OF_FEW / few;
        growth.push(each / eachOfFew);
        context.say(
          `a day in ${whole.at(-1)?.toFixed(1)} s, ${costs.at(-1)?.toFixed(1)} µs of processor a loan; one sacco after the other ${micros(each)} a loan, ${micros(eachOfFew)} of ${count(few)}; COPY ${copies.at(-1)?.toFixed(1)} s`,
        );
      }
      return [
        {
          title: `seconds that the day of ${count(many)} loans takes`,
          ratios: whole,
          threshold: { is: 'most', value: (secondsMost * many) / 1_000_000 },
          details: [
            `two saccos at once; median ${median(whole).toFixed(1)} s, ${micros(median(whole) / many)} a loan`,
            `processor time: ${median(costs).toFixed(1)} µs a loan, PostgreSQL's included`,
          ],
        },
        {
          title: `time of a loan, of ${count(many)} ÷ of ${count(few)}, one sacco after the other`,
          ratios: growth,
          threshold: { is: 'most', value: growthMost },
          details: [],
        },
        {
          title: 'the day ÷ COPY of as many rows of loans into an empty table without indexes',
          ratios: whole.map((seconds, index) => seconds / (copies[index] ?? Number.NaN)),
          threshold: { is: 'most', value: 12 },
          details: [`COPY takes ${median(copies).toFixed(1)} s`],
        },
      ];
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};

async function side(
  context: BenchContext,
  server: BenchServer,
  name: string,
  loans: number,
  ends: (() => Promise<void>)[],
): Promise<Side> {
  const started = performance.now();
  const url = server.embedded.urlOf(name);
  const owner = postgres(server.url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`create database ${name}`);
  await owner.end();
  await migrate(url);
  await fillLoans(url, loans);
  const made: Side = {
    loans,
    url,
    day: RUN_UP_TO,
    database: openDatabase({
      url,
      world: { ...realWorld, now: () => new Date(`${made.day}T06:00:00Z`) },
      poolSize: 4,
    }),
  };
  ends.push(() => made.database.close());
  context.say(`filled ${count(loans)} loans in ${Math.round((performance.now() - started) / 1_000)} s`);
  return made;
}

/**
 * Runs the next day and returns the seconds that it took. A checkpoint goes before it, as in service: the day comes once in 24 hours, so
 * PostgreSQL writes each page whole into its log when the day first changes it.
 */
async function runDay(of: Side, saccosAtOnce: number): Promise<number> {
  const sql = postgres(of.url, { max: 1, onnotice: () => {} });
  await sql.unsafe('checkpoint');
  await sql.end();
  of.day = dayAfter(of.day, 1);
  const started = performance.now();
  await runLoanDays(of.database, { saccosAtOnce });
  return (performance.now() - started) / 1_000;
}

/** Seconds that COPY takes to write all rows of loans into a table of the same columns. */
async function copySeconds({ url }: Side): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [found] = await sql<{ data_directory: string }[]>`show data_directory`;
    // Where PostgreSQL's own user can write; it goes with the server.
    const file = `${found?.data_directory}/loans.copy`;
    await sql.unsafe(`create temp table l as select * from loans`);
    await sql.unsafe(`copy l to '${file}' (format binary)`);
    await sql.unsafe('create table copied (like loans)');
    const started = performance.now();
    await sql.unsafe(`copy copied from '${file}' (format binary)`);
    return (performance.now() - started) / 1_000;
  } finally {
    await sql.unsafe('drop table if exists copied');
    await sql.end();
  }
}

const micros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;

function count(value: number): string {
  return value.toLocaleString('en-US');
}
