import { Refusal } from '@ushirika/contract/refusal';

export interface LimiterOptions {
  /** What is done at once: each takes a core, or much memory. */
  readonly atOnceMax: number;
  /** Who may wait for a turn; the next one is refused, so that a flood cannot pile up. */
  readonly waitingMax: number;
  readonly retryAfterSeconds: number;
}

export interface LimiterFigures {
  readonly waiting: number;
  /** How many were told to come back, since the process began. */
  readonly refused: number;
}

/** Heavy work, a few at a time, in the order in which it came. */
export class ConcurrencyLimiter {
  readonly #options: LimiterOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #refused = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  figures(): LimiterFigures {
    return { waiting: this.#waiting.length, refused: this.#refused };
  }

  /** @throws Refusal `unavailable` with Retry-After when too many are waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { atOnceMax, waitingMax, retryAfterSeconds } = this.#options;
    if (this.#running < atOnceMax) this.#running += 1;
    else {
      if (this.#waiting.length >= waitingMax) {
        this.#refused += 1;
        throw new Refusal('unavailable', { retryAfterSeconds });
      }
      // Whoever leaves hands its place over, so the number of those at work stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
