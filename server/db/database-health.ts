import { setInterval } from 'node:timers';
import postgres from 'postgres';
import { readMigrations } from './migrate.ts';

/** How often the database is asked `select 1`. */
const TICK_MS = 250;
/** After so many ticks without an answer, about a second, the database counts as silent. */
const TICKS_OF_SILENCE = 4;
/** After so many ticks without an answer a new connection is opened: a broken network may not close the old one. */
const TICKS_PER_CONNECTION = 20;
/** Every so many ticks the list of applied migrations is read instead. */
const TICKS_PER_LOOK = 40;

/** Whether the database answers. It is asked over a connection of its own, so that a full pool does not matter. */
export interface DatabaseHealth {
  /** False after about a second without an answer. */
  readonly isAnswering: boolean;
  /** Migrations of this version that the database lacks, for instance after an older backup was restored. */
  readonly missingMigrations: readonly string[];
  /** Milliseconds that the last answer took. */
  readonly tripMs: number;
  /** Called once each time the database becomes silent. */
  onSilence(listener: () => void): void;
  close(): Promise<void>;
}

/** Starts the health checks of the database at `url`, which is the owner's; nothing is written. */
export function watchDatabaseHealth(url: string): DatabaseHealth {
  return new PollingHealth(url);
}

class PollingHealth implements DatabaseHealth {
  missingMigrations: readonly string[] = [];
  tripMs = 0;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners: (() => void)[] = [];
  readonly #names = readMigrations().map(({ name }) => name);
  #sql: postgres.Sql;
  /** Counted in ticks, not milliseconds: while our own event loop is blocked, the database is not blamed. */
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
    if (this.#ticksSilent % TICKS_PER_CONNECTION === 0) this.#reconnect();
    if (!this.#isAsking) void this.#ask();
  }

  #reconnect(): void {
    const replaced = this.#sql;
    this.#sql = connect(this.#url);
    this.#isAsking = false;
    replaced.end({ timeout: 0 }).catch(() => {});
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
      // Why there was no answer does not matter. The next tick asks again.
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
    connection: {
      application_name: 'ushirika health check',
      default_transaction_read_only: true,
      statement_timeout: 5_000,
    },
  } as postgres.Options<Record<string, never>>) as unknown as postgres.Sql;
}
