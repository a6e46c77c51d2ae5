import { setInterval, setTimeout } from 'node:timers';
import { announceSoon } from '../../db/announcements.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Changes, changesReader, frameBetween, headFrame, reloadFrame } from './market-changes.ts';

const CHANNEL = 'market_live';
/** The time between two frames of a market: ten frames a second. */
const FRAME_MS = 100;
/**
 * Notices are lost when the process that should send them dies. So watched markets are also polled at this interval.
 */
const POLL_MS = 2_000;
/**
 * How often a viewer's catch-up is retried because others got newer changes meanwhile; after that the viewer reads the
 * book again.
 */
const CATCH_UP_TRIES_MAX = 5;

/** Sends each market's changes to its viewers, from every process that shares the database. */
export interface MarketHub {
  /**
   * Sends the viewer whole server-sent events: first the current sequence, or the changes since `since`; then every
   * change, without a gap. Returns a function that ends it.
   * @param since the last sequence that the viewer has; null for a viewer who reads the book separately
   */
  watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void>;
  close(): Promise<void>;
}

/** @param pollMs between two polls for changes of which no notice came */
export function createMarketHub({
  database,
  pollMs = POLL_MS,
}: {
  readonly database: Database;
  readonly pollMs?: number;
}): MarketHub {
  return new ListeningHub(database, pollMs);
}

/** The notice of a market's change. */
interface Notice {
  readonly sacco: string;
  readonly sequence: number;
}

/** A market with viewers. */
interface Watched {
  readonly saccoId: string;
  readonly viewers: Set<(frame: Buffer) => void>;
  /** Viewers, and callers that are about to become viewers. The entry is dropped when there are none. */
  users: number;
  /** The sequence up to which all its viewers have changes; -1 until it is known. */
  seen: number;
  /** The latest known sequence; changes up to it are to be sent. */
  wanted: number;
  /** The latest sequence from a notice, and the one that the last poll found. */
  announced: number;
  found: number;
  /** When changes were last read; the timer of the next read; whether a read is under way. */
  readAt: number;
  timer: NodeJS.Timeout | null;
  isReading: boolean;
  /** Resolves once `seen` is known. */
  ready: Promise<void>;
  /** Callers that wait until `seen` grows. */
  readonly waiting: (() => void)[];
}

/** Adds a viewer with its first frame, in one step: the next frame for all viewers must follow on from it. */
function addViewer(watched: Watched, viewer: (frame: Buffer) => void, first: Buffer): void {
  viewer(first);
  watched.viewers.add(viewer);
}

class ListeningHub implements MarketHub {
  readonly #database: Database;
  readonly #pollMs: number;
  readonly #changesOf: ReturnType<typeof changesReader>;
  readonly #watched = new Map<string, Watched>();
  /** The listening connection. Changes to it run one after another. */
  #connection: { unlisten(): Promise<void> } | null = null;
  #connectionWork: Promise<void> = Promise.resolve();
  #pollTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(database: Database, pollMs: number) {
    this.#database = database;
    this.#pollMs = pollMs;
    this.#changesOf = changesReader(database);
  }

  /** Runs as the platform, which reads once for all viewers; all of them are members. */
  watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void> {
    return asSystem(() => this.#watch(saccoId, since, viewer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watched of [...this.#watched.values()]) this.#drop(watched);
    await this.#stopListening();
  }

  async #watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void> {
    if (this.#isClosed) throw new Error('The hub is closed.');
    const watched = this.#acquire(saccoId);
    try {
      await watched.ready;
      if (since === null) addViewer(watched, viewer, headFrame(watched.seen));
      else await this.#catchUp(watched, since, viewer);
    } catch (error) {
      this.#release(watched);
      throw error;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.viewers.delete(viewer);
      this.#release(watched);
    };
  }

  #acquire(saccoId: string): Watched {
    const known = this.#watched.get(saccoId);
    if (known) {
      known.users += 1;
      return known;
    }
    const unknown = { seen: -1, wanted: -1, announced: -1, found: -1, readAt: Number.NEGATIVE_INFINITY };
    const idle = { timer: null, isReading: false, ready: Promise.resolve(), waiting: [] };
    const watched: Watched = { saccoId, viewers: new Set(), users: 1, ...unknown, ...idle };
    this.#watched.set(saccoId, watched);
    watched.ready = this.#start(watched);
    return watched;
  }

  #release(watched: Watched): void {
    watched.users -= 1;
    if (watched.users > 0) return;
    this.#drop(watched);
    if (this.#watched.size === 0) void this.#stopListening();
  }

  #drop(watched: Watched): void {
    if (this.#watched.get(watched.saccoId) === watched) this.#watched.delete(watched.saccoId);
    if (watched.timer) clearTimeout(watched.timer);
    watched.timer = null;
    for (const resolve of watched.waiting.splice(0)) resolve();
  }

  /** Starts listening, and reads the current sequence after that, so that no change is missed in between. */
  async #start(watched: Watched): Promise<void> {
    await this.#listen();
    const now = await this.#changesOf({ saccoId: watched.saccoId, since: Number.MAX_SAFE_INTEGER });
    if (!now) throw new Error(`There is no market of ${watched.saccoId}.`);
    watched.seen = now.sequence;
    watched.found = now.sequence;
    watched.announced = Math.max(watched.announced, now.sequence);
    this.#readUpTo(watched, watched.announced);
  }

  /**
   * Adds a viewer with the changes since `since`, up to what the others have, or with the event to read the book again.
   */
  async #catchUp(watched: Watched, since: number, viewer: (frame: Buffer) => void): Promise<void> {
    for (let time = 0; time < CATCH_UP_TRIES_MAX && !this.#isClosed; time += 1) {
      if (since === watched.seen) return addViewer(watched, viewer, headFrame(since));
      const now = await this.#changesOf({ saccoId: watched.saccoId, since });
      if (!now || since > now.sequence) break;
      if (since <= watched.seen) {
        // The other viewers got newer changes while this was read: try again.
        if (now.sequence < watched.seen) continue;
        return addViewer(watched, viewer, frameBetween(since, watched.seen, now) ?? reloadFrame(watched.seen));
      }
      // The viewer has newer changes from another process than this process has read.
      this.#readUpTo(watched, now.sequence);
      await new Promise<void>((resolve) => watched.waiting.push(resolve));
    }
    addViewer(watched, viewer, reloadFrame(watched.seen));
  }

  /** Reads changes up to `sequence`: at once after a pause, else with the next frame. */
  #readUpTo(watched: Watched, sequence: number): void {
    watched.wanted = Math.max(watched.wanted, sequence);
    const isUpToDate = watched.seen < 0 || watched.wanted <= watched.seen;
    if (isUpToDate || watched.isReading || watched.timer || this.#watched.get(watched.saccoId) !== watched) return;
    const wait = watched.readAt + FRAME_MS - performance.now();
    if (wait <= 0) {
      void this.#read(watched);
      return;
    }
    watched.timer = setTimeout(() => {
      watched.timer = null;
      void asSystem(() => this.#read(watched));
    }, wait);
  }

  async #read(watched: Watched): Promise<void> {
    watched.isReading = true;
    watched.readAt = performance.now();
    const now = await this.#changesOf({ saccoId: watched.saccoId, since: watched.seen }).catch(() => null);
    watched.isReading = false;
    // The read failed: the next notice or poll tries again.
    if (!now) watched.wanted = watched.seen;
    else if (this.#watched.get(watched.saccoId) === watched) this.#sendChanges(watched, now);
    this.#readUpTo(watched, watched.seen);
  }

  #sendChanges(watched: Watched, now: Changes): void {
    const { seen } = watched;
    // A notice may name a greater sequence than the database has, for example after a restore.
    if (now.sequence >= watched.wanted || now.sequence === seen) watched.wanted = now.sequence;
    if (now.sequence <= seen) return;
    this.#advance(watched, now.sequence, frameBetween(seen, now.sequence, now) ?? reloadFrame(now.sequence));
  }

  #advance(watched: Watched, sequence: number, frame: Buffer): void {
    watched.seen = sequence;
    for (const viewer of watched.viewers) viewer(frame);
    for (const resolve of watched.waiting.splice(0)) resolve();
  }

  /**
   * Finds changes that were not announced. When a change found by the last poll has still not been announced, the
   * listening connection is replaced.
   */
  async #poll(): Promise<void> {
    const asked = [...this.#watched.values()].filter(({ seen }) => seen >= 0);
    const before = new Map(asked.map((watched) => [watched, watched.seen]));
    const ids = texts(asked.map(({ saccoId }) => saccoId));
    const rows = await this.#database.sql<{ sacco_id: string; sequence: number }[]>`
      select sacco_id, sequence from markets where sacco_id = any (${ids}::uuid[])`;
    const sequences = new Map(rows.map(({ sacco_id, sequence }) => [sacco_id, sequence]));
    let isConnectionBroken = this.#connection === null;
    for (const [watched, seen] of before) {
      const sequence = sequences.get(watched.saccoId) ?? seen;
      isConnectionBroken ||= watched.announced < watched.found;
      watched.announced = Math.max(watched.announced, watched.found);
      watched.found = sequence;
      if (sequence >= seen) this.#readUpTo(watched, sequence);
      // A backup was restored: the sequence is lower than before.
      else this.#reload(watched, sequence);
    }
    if (isConnectionBroken && this.#watched.size > 0) {
      await this.#unlisten();
      await this.#listen();
    }
  }

  #reload(watched: Watched, sequence: number): void {
    watched.wanted = sequence;
    watched.announced = sequence;
    this.#advance(watched, sequence, reloadFrame(sequence));
  }

  #listen(): Promise<void> {
    this.#pollTimer ??= setInterval(() => {
      // A failed poll is repeated at the next interval.
      asSystem(() => this.#poll()).catch(() => {});
    }, this.#pollMs).unref();
    return this.#oneAfterAnother(async () => {
      this.#connection ??= await this.#database.sql.listen(CHANNEL, (payload) => this.#onNotice(payload));
    });
  }

  /** Stops polling and listening, because nobody watches. */
  #stopListening(): Promise<void> {
    if (this.#pollTimer) clearInterval(this.#pollTimer);
    this.#pollTimer = null;
    return this.#unlisten();
  }

  #unlisten(): Promise<void> {
    return this.#oneAfterAnother(async () => {
      const connection = this.#connection;
      this.#connection = null;
      await connection?.unlisten().catch(() => {});
    });
  }

  #oneAfterAnother(work: () => Promise<void>): Promise<void> {
    const done = this.#connectionWork.then(() => asSystem(work));
    this.#connectionWork = done.catch(() => {});
    return done;
  }

  #onNotice(payload: string): void {
    for (const { sacco, sequence } of JSON.parse(payload) as Notice[]) {
      const watched = this.#watched.get(sacco);
      if (!watched) continue;
      watched.announced = Math.max(watched.announced, sequence);
      asSystem(() => this.#readUpTo(watched, sequence));
    }
  }
}

/**
 * Announces to every process which markets changed. Call it after the commit. It never throws, because viewers also
 * find changes by polling. Later calls of a process have later sequences.
 */
export function announceMarkets(
  database: Database,
  changes: readonly { readonly saccoId: string; readonly sequence: number }[],
): void {
  announceSoon(
    database,
    CHANNEL,
    new Map(changes.map(({ saccoId: sacco, sequence }): [string, Notice] => [sacco, { sacco, sequence }])),
  );
}
