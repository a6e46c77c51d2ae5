import { setTimeout as sleep } from 'node:timers/promises';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { appendEntries, type NewEntry, takeLease } from './append-entries.ts';
import { KnownAccounts, readJournals } from './journal-payloads.ts';
import { takeEvents } from './take-events.ts';

/** Journals or events in one transaction. */
const BATCH = 1_000;
/** Between two looks for them. */
const LOOK_MS = 400;
/** A transaction that is still writing is waited for in such steps, and for so long at most before the next look. */
const STILL_WRITING_MS = 15;
const STILL_WRITING_MS_MAX = 2_000;
/** A pause after each batch, in times of how long it took: who posts has the processors for the rest. About 3,000 entries a second then. */
const PAUSES = 8;

export interface SequencerOptions {
  readonly database: Database;
  /** The part of the logs' names before the sacco: `sacco.example/log`. */
  readonly originBase: string;
  readonly onError?: (error: unknown) => void;
}

/**
 * Follows the journals and the events that are about none, and appends each to its log, once. Every process runs one; a locked row is the
 * lease, and a process that finds it locked looks again later.
 */
export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #accounts = new KnownAccounts();
  readonly #ending = new AbortController();
  /** The journals after the batch that is being written, read meanwhile. Entries are null where the read failed. */
  #ahead: { readonly wanted: Wanted; readonly entries: Promise<NewEntry[] | null> } | null = null;
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
        await this.catchUp({ pauses: PAUSES });
      } catch (error) {
        if (!signal.aborted) this.#options.onError?.(error);
      }
      await this.#pause(LOOK_MS);
    }
  }

  /**
   * Appends all journals and events that are committed now.
   * @param pauses how many times as long as a full batch took to wait after it
   * @returns how many entries about them were appended
   */
  async catchUp({ pauses = 0 } = {}): Promise<number> {
    const { database } = this.#options;
    const waiting = (await newest(database)).filter(({ last, upto }) => last > upto);
    if (waiting.length === 0) return 0;
    const isSettled = await settled(database, this.#ending.signal);
    let appended = 0;
    for (const { source, last } of isSettled ? waiting : []) {
      for (let batch = BATCH; batch === BATCH && !this.#ending.signal.aborted; appended += batch) {
        const start = performance.now();
        batch = await this.#append(source, last);
        if (batch === BATCH) await this.#pause(pauses * (performance.now() - start));
      }
    }
    return appended;
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => {});
  }

  /** One batch, in one transaction. None where another process holds the lease. */
  async #append(source: Source, upto: number): Promise<number> {
    const { database, originBase } = this.#options;
    return database.transaction(async (tx) => {
      if (!(await takeLease(tx, { waits: false }))) return 0;
      const [cursor] = await tx.sql<{ upto: number }[]>`select upto from log_cursors where source = ${source}`;
      if (!cursor || cursor.upto >= upto) return 0;
      const wanted = { after: cursor.upto, upto, most: BATCH };
      const entries = source === 'journals' ? await this.#journals(tx, wanted) : await takeEvents(tx, wanted);
      await appendEntries(tx, originBase, entries);
      const newestOne = entries.at(-1);
      const reached = entries.length < BATCH ? upto : (newestOne?.journalId ?? newestOne?.eventId ?? upto);
      await tx.sql`update log_cursors set upto = ${reached} where source = ${source}`;
      return entries.length;
    });
  }

  /** Journals never change: what was read ahead holds until another process logs it, and then other ones are wanted. */
  async #journals(tx: Tx, wanted: Wanted): Promise<NewEntry[]> {
    const isAhead = this.#ahead?.wanted.after === wanted.after && this.#ahead.wanted.upto === wanted.upto;
    const entries = (isAhead ? await this.#ahead?.entries : null) ?? (await journalEntries(tx, this.#accounts, wanted));
    const next = { ...wanted, after: entries.at(-1)?.journalId ?? wanted.upto };
    const { database } = this.#options;
    this.#ahead =
      entries.length === wanted.most
        ? { wanted: next, entries: journalEntries(database, this.#accounts, next).catch(() => null) }
        : null;
    return entries;
  }
}

/** What the sequencer follows. */
type Source = 'journals' | 'events';

/** The rows of a source with ids above `after`, up to `upto`, at most so many. */
interface Wanted {
  readonly after: number;
  readonly upto: number;
  readonly most: number;
}

async function journalEntries(reader: Tx | Database, accounts: KnownAccounts, wanted: Wanted): Promise<NewEntry[]> {
  return (await readJournals(reader, accounts, wanted)).map((journal) => ({ ...journal, kind: 'books' }));
}

/** The highest id that a row of each source was given, and how far the log is. */
async function newest({ sql }: Database): Promise<{ source: Source; last: number; upto: number }[]> {
  return sql<{ source: Source; last: number; upto: number }[]>`
    select c.source, case when s.is_called then s.last_value else 0 end as last, c.upto
    from log_cursors c
    join (select 'journals' as source, last_value, is_called from journals_id_seq
      union all select 'events', last_value, is_called from log_events_id_seq) s on s.source = c.source
    order by c.source desc`;
}

/**
 * Waits until every transaction has ended that may have been given an id before this call: each was seen to write before it was given
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
