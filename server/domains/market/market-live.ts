import { setInterval, setTimeout } from 'node:timers';
import { announceSoon } from '../../db/announcements.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Changes, changesReader, frameBetween, headFrame, reloadFrame } from './market-changes.ts';

const CHANNEL = 'market_live';
/** From one frame of a market to the next: ten a second. */
const FRAME_MS = 100;
/** A notice may be lost with the process that owed it: as long as somebody watches, the markets are looked at anyway. */
const LOOK_MS = 2_000;
/** Times that somebody who comes back is overtaken while their missed changes are read, until they read the book again. */
const OVERTAKEN_MAX = 5;

/** Tells each market's changes to whoever watches it, from every process that shares the database. */
export interface MarketHub {
  /**
   * Hands the viewer whole server-sent events: where the stream stands, or what was missed since a sequence, and then
   * every change, each following on the one before. The returned function ends it.
   * @param since the last sequence that the viewer has seen; null for one who reads the book by itself
   */
  watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void>;
  close(): Promise<void>;
}

/** @param lookEveryMs between two looks for what the line did not announce */
export function createMarketHub({
  database,
  lookEveryMs = LOOK_MS,
}: {
  readonly database: Database;
  readonly lookEveryMs?: number;
}): MarketHub {
  return new ListeningHub(database, lookEveryMs);
}

/** A change of a market as it is announced. */
interface Notice {
  readonly sacco: string;
  readonly sequence: number;
}

/** A market that somebody watches. */
interface Watched {
  readonly saccoId: string;
  readonly viewers: Set<(frame: Buffer) => void>;
  /** Those who watch or are about to: it is kept until there are none. */
  holders: number;
  /** What all its viewers have been told; -1 until it is known. */
  seen: number;
  /** What is to be read, as far as is known. */
  wanted: number;
  /** The latest that the line announced, and what the last look of every two seconds found. */
  announced: number;
  found: number;
  /** When its changes were last read; a read that is to come, or is under way. */
  readAt: number;
  timer: NodeJS.Timeout | null;
  isReading: boolean;
  /** Resolves once `seen` is known. */
  ready: Promise<void>;
  /** Those who wait for `seen` to move on. */
  readonly waiting: (() => void)[];
}

/** A viewer's first frame, up to what all have been told: nothing may come between it and the next one of all. */
function join(watched: Watched, viewer: (frame: Buffer) => void, first: Buffer): void {
  viewer(first);
  watched.viewers.add(viewer);
}

class ListeningHub implements MarketHub {
  readonly #database: Database;
  readonly #lookEveryMs: number;
  readonly #changesOf: ReturnType<typeof changesReader>;
  readonly #watched = new Map<string, Watched>();
  /** The line on which changes are announced; one thing at a time is done to it. */
  #line: { unlisten(): Promise<void> } | null = null;
  #lineWork: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(database: Database, lookEveryMs: number) {
    this.#database = database;
    this.#lookEveryMs = lookEveryMs;
    this.#changesOf = changesReader(database);
  }

  /** The platform reads for all viewers at once what each of them may see: they are all members. */
  watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void> {
    return asSystem(() => this.#watch(saccoId, since, viewer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watched of [...this.#watched.values()]) this.#forget(watched);
    await this.#hush();
  }

  async #watch(saccoId: string, since: number | null, viewer: (frame: Buffer) => void): Promise<() => void> {
    if (this.#isClosed) throw new Error('The hub is closed.');
    const watched = this.#hold(saccoId);
    try {
      await watched.ready;
      if (since === null) join(watched, viewer, headFrame(watched.seen));
      else await this.#catchUp(watched, since, viewer);
    } catch (error) {
      this.#letGo(watched);
      throw error;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.viewers.delete(viewer);
      this.#letGo(watched);
    };
  }

  #hold(saccoId: string): Watched {
    const known = this.#watched.get(saccoId);
    if (known) {
      known.holders += 1;
      return known;
    }
    const unknown = { seen: -1, wanted: -1, announced: -1, found: -1, readAt: Number.NEGATIVE_INFINITY };
    const idle = { timer: null, isReading: false, ready: Promise.resolve(), waiting: [] };
    const watched: Watched = { saccoId, viewers: new Set(), holders: 1, ...unknown, ...idle };
    this.#watched.set(saccoId, watched);
    watched.ready = this.#begin(watched);
    return watched;
  }

  #letGo(watched: Watched): void {
    watched.holders -= 1;
    if (watched.holders > 0) return;
    this.#forget(watched);
    if (this.#watched.size === 0) void this.#hush();
  }

  #forget(watched: Watched): void {
    if (this.#watched.get(watched.saccoId) === watched) this.#watched.delete(watched.saccoId);
    if (watched.timer) clearTimeout(watched.timer);
    watched.timer = null;
    for (const go of watched.waiting.splice(0)) go();
  }

  /** Listens first and looks where the market stands after that: no change falls in between. */
  async #begin(watched: Watched): Promise<void> {
    await this.#listen();
    const now = await this.#changesOf({ saccoId: watched.saccoId, since: Number.MAX_SAFE_INTEGER });
    if (!now) throw new Error(`There is no market of ${watched.saccoId}.`);
    watched.seen = now.sequence;
    watched.found = now.sequence;
    watched.announced = Math.max(watched.announced, now.sequence);
    this.#want(watched, watched.announced);
  }

  /** Lets a viewer in with what they missed, up to what all others have been told; or the word to read the book again. */
  async #catchUp(watched: Watched, since: number, viewer: (frame: Buffer) => void): Promise<void> {
    for (let time = 0; time < OVERTAKEN_MAX && !this.#isClosed; time += 1) {
      if (since === watched.seen) return join(watched, viewer, headFrame(since));
      const now = await this.#changesOf({ saccoId: watched.saccoId, since });
      if (!now || since > now.sequence) break;
      if (since <= watched.seen) {
        // While it was read the others were told more than was found: again.
        if (now.sequence < watched.seen) continue;
        return join(watched, viewer, frameBetween(since, watched.seen, now) ?? reloadFrame(watched.seen));
      }
      // Another process told them more than this one has read yet.
      this.#want(watched, now.sequence);
      await new Promise<void>((go) => watched.waiting.push(go));
    }
    join(watched, viewer, reloadFrame(watched.seen));
  }

  /** The first change after a rest is told at once, what follows with the next frame. */
  #want(watched: Watched, sequence: number): void {
    watched.wanted = Math.max(watched.wanted, sequence);
    const isToldAll = watched.seen < 0 || watched.wanted <= watched.seen;
    if (isToldAll || watched.isReading || watched.timer || this.#watched.get(watched.saccoId) !== watched) return;
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
    // Read in vain: what the next notice or the next look says is wanted again.
    if (!now) watched.wanted = watched.seen;
    else if (this.#watched.get(watched.saccoId) === watched) this.#tell(watched, now);
    this.#want(watched, watched.seen);
  }

  #tell(watched: Watched, now: Changes): void {
    const { seen } = watched;
    // A notice of more than there is was none of this database's.
    if (now.sequence >= watched.wanted || now.sequence === seen) watched.wanted = now.sequence;
    if (now.sequence <= seen) return;
    this.#moveOn(watched, now.sequence, frameBetween(seen, now.sequence, now) ?? reloadFrame(now.sequence));
  }

  #moveOn(watched: Watched, sequence: number, frame: Buffer): void {
    watched.seen = sequence;
    for (const viewer of watched.viewers) viewer(frame);
    for (const go of watched.waiting.splice(0)) go();
  }

  /** Finds what was not announced; a line that has owed a change since the look before is replaced. */
  async #look(): Promise<void> {
    const asked = [...this.#watched.values()].filter(({ seen }) => seen >= 0);
    const before = new Map(asked.map((watched) => [watched, watched.seen]));
    const ids = texts(asked.map(({ saccoId }) => saccoId));
    const rows = await this.#database.sql<{ sacco_id: string; sequence: number }[]>`
      select sacco_id, sequence from markets where sacco_id = any (${ids}::uuid[])`;
    const sequences = new Map(rows.map(({ sacco_id, sequence }) => [sacco_id, sequence]));
    let isDeaf = this.#line === null;
    for (const [watched, seen] of before) {
      const sequence = sequences.get(watched.saccoId) ?? seen;
      isDeaf ||= watched.announced < watched.found;
      watched.announced = Math.max(watched.announced, watched.found);
      watched.found = sequence;
      if (sequence >= seen) this.#want(watched, sequence);
      // A backup of yesterday was put back under us.
      else this.#startOver(watched, sequence);
    }
    if (isDeaf && this.#watched.size > 0) {
      await this.#hangUp();
      await this.#listen();
    }
  }

  #startOver(watched: Watched, sequence: number): void {
    watched.wanted = sequence;
    watched.announced = sequence;
    this.#moveOn(watched, sequence, reloadFrame(sequence));
  }

  #listen(): Promise<void> {
    this.#looking ??= setInterval(() => {
      // Asked again in two seconds.
      asSystem(() => this.#look()).catch(() => {});
    }, this.#lookEveryMs).unref();
    return this.#onLine(async () => {
      this.#line ??= await this.#database.sql.listen(CHANNEL, (payload) => this.#hear(payload));
    });
  }

  /** Nobody watches any more. */
  #hush(): Promise<void> {
    if (this.#looking) clearInterval(this.#looking);
    this.#looking = null;
    return this.#hangUp();
  }

  #hangUp(): Promise<void> {
    return this.#onLine(async () => {
      const line = this.#line;
      this.#line = null;
      await line?.unlisten().catch(() => {});
    });
  }

  #onLine(work: () => Promise<void>): Promise<void> {
    const done = this.#lineWork.then(() => asSystem(work));
    this.#lineWork = done.catch(() => {});
    return done;
  }

  #hear(payload: string): void {
    for (const { sacco, sequence } of JSON.parse(payload) as Notice[]) {
      const watched = this.#watched.get(sacco);
      if (!watched) continue;
      watched.announced = Math.max(watched.announced, sequence);
      asSystem(() => this.#want(watched, sequence));
    }
  }
}

/**
 * Tells every process which markets changed: called once the change is committed. It throws nothing: whoever watches finds
 * by looking what was not announced. Of one process the later call has the later sequence.
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
