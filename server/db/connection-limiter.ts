import { type Deadline, tooLate } from './deadline.ts';

interface Waiting {
  readonly deadline: Deadline | undefined;
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/** How the pool is used at this moment. */
export interface PoolFigures {
  readonly atOnceMax: number;
  readonly running: number;
  readonly waiting: number;
  /** Milliseconds that the first in the queue has waited. */
  readonly longestWaitMs: number;
  /** Transactions refused since the start because too many waited, or because their time was over before their turn. */
  readonly refused: number;
}

/**
 * The door to the pool's connections: postgres.js would let transactions wait for one without bound. Who finds too many
 * waiting is refused at once, and who waited past its deadline is refused in its turn; neither has done anything.
 */
export class ConnectionLimiter {
  readonly #atOnceMax: number;
  readonly #waitingMax: number;
  #running = 0;
  #refused = 0;
  #queue: Waiting[] = [];

  constructor(limits: { readonly atOnceMax: number; readonly waitingMax: number }) {
    this.#atOnceMax = limits.atOnceMax;
    this.#waitingMax = limits.waitingMax;
  }

  /** @throws Refusal `unavailable` when the queue is full. Jobs and batch queues are few by themselves and always wait. */
  acquire(deadline: Deadline | undefined): Promise<void> | undefined {
    deadline?.check();
    if (this.#running < this.#atOnceMax) {
      this.#running += 1;
      return undefined;
    }
    if (deadline?.isOfOneRequest && this.#queue.length >= this.#waitingMax) {
      this.#dropLate();
      if (this.#queue.length >= this.#waitingMax) {
        this.#refused += 1;
        throw tooLate();
      }
    }
    return new Promise((start, refuse) => {
      this.#queue.push({ deadline, since: performance.now(), start, refuse });
    });
  }

  /** Hands the place to the next whose time is not over. */
  release(): void {
    for (;;) {
      const next = this.#queue.shift();
      if (!next) {
        this.#running -= 1;
        return;
      }
      if (!next.deadline?.isOver) {
        next.start();
        return;
      }
      this.#refuse(next);
    }
  }

  figures(): PoolFigures {
    const [first] = this.#queue;
    return {
      atOnceMax: this.#atOnceMax,
      running: this.#running,
      waiting: this.#queue.length,
      longestWaitMs: first ? performance.now() - first.since : 0,
      refused: this.#refused,
    };
  }

  #dropLate(): void {
    const late = this.#queue.filter(({ deadline }) => deadline?.isOver);
    this.#queue = this.#queue.filter(({ deadline }) => !deadline?.isOver);
    for (const waiting of late) this.#refuse(waiting);
  }

  #refuse({ refuse }: Waiting): void {
    this.#refused += 1;
    refuse(tooLate());
  }
}
