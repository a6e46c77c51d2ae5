import { Refusal } from '@ushirika/contract/refusal';
import type { Database } from './db/tx.ts';
import type { World } from './world.ts';

/** Two machines whose clocks are kept are closer than this. */
export const CLOCKS_APART_MS_MAX = 2_000;
const LOOK_MS = 500;

export interface WatchedClock {
  readonly world: World;
  /** The same world, whose clock refuses to tell the time while it is in doubt. */
  readonly watched: World;
  readonly isRight: boolean;
  /** Compares with the clock of this database from now on; resolves after the first look. */
  watch(database: Pick<Database, 'sql'>): Promise<void>;
  stop(): void;
}

/** By how much a clock and PostgreSQL's differ at least: its answer was given at some moment while it was waited for. */
export async function clocksApartMs(sql: Database['sql'], now: () => Date): Promise<number> {
  const before = now().getTime();
  const [row] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  const after = now().getTime();
  const at = row?.at.getTime() ?? 0;
  return Math.max(before - at, at - after, 0);
}

/**
 * A clock that cannot move money when it is wrong. It is right while it agrees with PostgreSQL's and has not jumped since
 * they were last compared (against the counter of milliseconds, which nobody sets). While it is in doubt, whoever asks it
 * for the time is refused with "not now": no session is read, no transaction begins, no job acts, so that nothing is
 * revived, lengthened, forgotten or carried out early. Where both clocks are one machine's, a jump of both is not seen.
 */
export function watchClock(world: World): WatchedClock {
  return new Watched(world);
}

/** The same without a second opinion: for tests that move the clock themselves. */
export function trustClock(world: World): WatchedClock {
  return { world, watched: world, isRight: true, watch: async () => {}, stop: () => {} };
}

class Watched implements WatchedClock {
  readonly world: World;
  readonly watched: World;
  #timer: NodeJS.Timeout | null = null;
  /** What both clocks said when they were last found in agreement; null while they are not. */
  #agreed: { readonly wallMs: number; readonly counterMs: number } | null = null;
  /** Before the first comparison there is nothing to doubt it by. */
  #isWatching = false;
  #isLooking = false;

  constructor(real: World) {
    this.world = real;
    this.watched = {
      now: () => {
        if (this.isRight) return real.now();
        throw Object.assign(new Refusal('unavailable', { retryAfterSeconds: 5 }), {
          cause: "The clocks of this machine and of PostgreSQL disagree, or this one's has jumped.",
        });
      },
      randomBytes: (length) => real.randomBytes(length),
    };
  }

  get isRight(): boolean {
    if (!this.#isWatching) return true;
    if (!this.#agreed) return false;
    const wall = this.world.now().getTime() - this.#agreed.wallMs;
    const counter = performance.now() - this.#agreed.counterMs;
    return Math.abs(wall - counter) <= CLOCKS_APART_MS_MAX;
  }

  async watch({ sql }: Pick<Database, 'sql'>): Promise<void> {
    await this.#look(sql);
    this.#isWatching = true;
    this.#timer = setInterval(() => void this.#look(sql).catch(() => {}), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** A database that does not answer says nothing about the time: what was agreed stays. */
  async #look(sql: Database['sql']): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const isAgreed = (await clocksApartMs(sql, () => this.world.now())) <= CLOCKS_APART_MS_MAX;
      this.#agreed = isAgreed ? { wallMs: this.world.now().getTime(), counterMs: performance.now() } : null;
    } finally {
      this.#isLooking = false;
    }
  }
}
