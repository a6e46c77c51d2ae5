import { setTimeout as sleep } from 'node:timers/promises';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { appendEntries } from './append-entries.ts';
import { KnownAccounts, readJournals } from './journal-payloads.ts';

/** Journals in one transaction. */
const BATCH = 1_000;
/** Between two looks for journals. */
const LOOK_MS = 400;
/** A transaction that is still writing is waited for in such steps, and for so long at most before the next look. */
const STILL_WRITING_MS = 15;
const STILL_WRITING_MS_MAX = 2_000;

export interface SequencerOptions {
  readonly database: Database;
  /** The part of the logs' names before the sacco: `sacco.example/log`. */
  readonly originBase: string;
  readonly onError?: (error: unknown) => void;
}

/**
 * Follows the journals and appends each to its log, once. Every process runs one; the row of `log_cursors` is the lease, and whoever finds it
 * locked looks again later.
 */
export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #accounts = new KnownAccounts();
  readonly #ending = new AbortController();
  #running: Promise<void> | null = null;

  constructor(options: SequencerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= asSystem(() => this.#follow());
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.catchUp();
      } catch (error) {
        if (!signal.aborted) this.#options.onError?.(error);
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Appends all journals that are committed now. @returns how many entries about journals were appended */
  async catchUp(): Promise<number> {
    const { database } = this.#options;
    const { last, upto } = await newest(database);
    if (last <= upto) return 0;
    const isSettled = await settled(database, this.#ending.signal);
    let appended = 0;
    while (isSettled && !this.#ending.signal.aborted) {
      const batch = await this.#append(last);
      appended += batch;
      if (batch < BATCH) break;
    }
    return appended;
  }

  /** One batch, in one transaction. None where another process holds the lease. */
  async #append(upto: number): Promise<number> {
    const { database, originBase } = this.#options;
    return database.transaction(async (tx) => {
      const [lease] = await tx.sql<{ upto: number }[]>`
        select upto from log_cursors where source = 'journals' for update skip locked`;
      if (!lease || lease.upto >= upto) return 0;
      const journals = await readJournals(tx, this.#accounts, { after: lease.upto, upto, most: BATCH });
      await appendEntries(
        tx,
        originBase,
        journals.map((journal) => ({ ...journal, kind: 'books' as const })),
      );
      const reached = journals.length < BATCH ? upto : (journals.at(-1)?.journalId ?? upto);
      await tx.sql`update log_cursors set upto = ${reached} where source = 'journals'`;
      return journals.length;
    });
  }
}

/** The highest id that a journal was given, and how far the log is. */
async function newest({ sql }: Database): Promise<{ last: number; upto: number }> {
  const [row] = await sql<{ last: number; upto: number }[]>`
    select case when s.is_called then s.last_value else 0 end as last, c.upto
    from journals_id_seq s, log_cursors c where c.source = 'journals'`;
  if (!row) throw new Error('The log has no cursor for journals.');
  return row;
}

/**
 * Waits until every transaction has ended that may have been given a journal's id before this call: each was seen to write before it was given
 * one (0340_logs.sql), so its number is below the one that this call draws. @returns false where one is still writing
 */
async function settled({ sql }: Database, signal: AbortSignal): Promise<boolean> {
  const [drawn] = await sql<{ xid: string }[]>`select pg_current_xact_id()::text as xid`;
  for (let waited = 0; waited <= STILL_WRITING_MS_MAX && !signal.aborted; waited += STILL_WRITING_MS) {
    const [oldest] = await sql<{ is_over: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${drawn?.xid ?? ''}::text::xid8 as is_over`;
    if (oldest?.is_over) return true;
    await sleep(STILL_WRITING_MS, undefined, { signal }).catch(() => {});
  }
  return false;
}
