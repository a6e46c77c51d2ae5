import { setInterval } from 'node:timers';
import postgres from 'postgres';
import { readMigrations } from './migrate.ts';

/** How often the database is asked whether it is there. */
const TICK_MS = 250;
/** So many ticks without an answer are a silence: a little more than a second. */
const TICKS_OF_SILENCE = 4;
/** After so many the line itself is suspected, and another is tried: a cable pulled out tells nobody. */
const TICKS_PER_LINE = 20;
/** Every so many ticks the migrations are looked at as well. */
const TICKS_PER_LOOK = 40;

/** Whether the database answers, asked all the time over a connection of its own, so that a full pool does not hide it. */
export interface Pulse {
  /** False after a good second without an answer. */
  readonly isAnswering: boolean;
  /** Migrations of this version that the database does not have: a backup of yesterday was put back under us. */
  readonly missingMigrations: readonly string[];
  /** Milliseconds that the last answer took. */
  readonly tripMs: number;
  /** Called once for each silence, as it is noticed. */
  onSilence(listener: () => void): void;
  close(): Promise<void>;
}

/** Begins to feel the pulse of the database at `url` (the owner's connection; nothing is written). */
export function feelPulse(url: string): Pulse {
  return new AskingPulse(url);
}

class AskingPulse implements Pulse {
  missingMigrations: readonly string[] = [];
  tripMs = 0;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners: (() => void)[] = [];
  readonly #names = readMigrations().map(({ name }) => name);
  #sql: postgres.Sql;
  /** Ticks rather than milliseconds: while our own event loop stands still, nobody's silence is counted. */
  #ticksSilent = 0;
  #ticks = 0;
  #isAsking = false;

  constructor(url: string) {
    this.#url = url;
    this.#sql = connect(url);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    void this.#ask();
  }

  get isAnswering(): boolean {
    return this.#ticksSilent < TICKS_OF_SILENCE;
  }

  onSilence(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sql.end({ timeout: 1 });
  }

  #tick(): void {
    this.#ticks += 1;
    this.#ticksSilent += 1;
    if (this.#ticksSilent === TICKS_OF_SILENCE) for (const listener of this.#listeners) listener();
    if (this.#ticksSilent % TICKS_PER_LINE === 0) this.#takeAnotherLine();
    if (!this.#isAsking) void this.#ask();
  }

  #takeAnotherLine(): void {
    const suspected = this.#sql;
    this.#sql = connect(this.#url);
    this.#isAsking = false;
    suspected.end({ timeout: 0 }).catch(() => {});
  }

  async #ask(): Promise<void> {
    const sql = this.#sql;
    this.#isAsking = true;
    const began = performance.now();
    try {
      if (this.#ticks % TICKS_PER_LOOK === 0) await this.#look(sql);
      else await sql`select 1`.simple();
      if (sql !== this.#sql) return;
      this.tripMs = performance.now() - began;
      this.#ticksSilent = 0;
    } catch {
      // Refused or cut: to be without an answer is all that counts, and the next tick asks again.
    } finally {
      if (sql === this.#sql) this.#isAsking = false;
    }
  }

  async #look(sql: postgres.Sql): Promise<void> {
    const applied = await sql<{ name: string }[]>`select name from migration.applied`;
    const names = new Set(applied.map(({ name }) => name));
    this.missingMigrations = this.#names.filter((name) => !names.has(name));
  }
}

function connect(url: string): postgres.Sql {
  return postgres(url, {
    max: 1,
    onnotice: () => {},
    connect_timeout: 3,
    backoff: () => 0.1,
    connection: { application_name: 'ushirika pulse', default_transaction_read_only: true, statement_timeout: 5_000 },
  } as postgres.Options<Record<string, never>>) as unknown as postgres.Sql;
}
