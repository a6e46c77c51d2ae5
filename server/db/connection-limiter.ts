import { type Deadline, tooLate } from './deadline.ts';

interface Waiting {
  readonly deadline: Deadline | undefined;
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/** How the connection pool is used now. */
export interface PoolFigures {
  readonly atOnceMax: number;
  readonly running: number;
  readonly waiting: number;
  /** Milliseconds that the first in the queue has waited. */
  readonly longestWaitMs: number;
  /** Transactions refused since the start, because the queue was full or their deadline passed in it. */
  readonly refused: number;
}

/**
 * Bounds the transactions that wait for a connection of the pool; postgres.js does not. A transaction is refused when
 * the queue is full, or when its deadline passes in the queue. A refused transaction has done nothing.
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

  /** @throws Refusal `unavailable` when the queue is full. Jobs and batches always wait: there are few of them. */
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

  /** Starts the next waiting transaction whose deadline has not passed. */
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
