import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '@ushirika/contract/refusal';

/**
 * The time limit of a request. After it, no transaction of the request begins, and none that is open commits. Until a
 * COMMIT is sent, the answer `unavailable` means that nothing was done. After that, only the idempotency key can tell.
 */
export class Deadline {
  /** False for a batch, which many requests share. A batch always waits for a connection. */
  readonly isOfOneRequest: boolean;
  #isOver = false;
  #hasSentCommit = false;
  #shared: Deadline | null = null;

  constructor({ isOfOneRequest = true } = {}) {
    this.isOfOneRequest = isOfOneRequest;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ties this request to its batch: when this deadline is over, so is that of the batch. */
  joins(shared: Deadline): void {
    this.#shared = shared;
  }

  /** @throws Refusal `unavailable` once the time is over. */
  check(): void {
    if (this.#isOver) throw tooLate();
  }

  /** Call just before COMMIT is sent. @throws Refusal `unavailable` once the time is over. */
  commits(): void {
    this.check();
    this.#hasSentCommit = true;
  }

  /** Ends the time. Returns `unavailable` or `unknown_outcome`, whichever is true. */
  expire(): Refusal {
    this.#isOver = true;
    const acting = this.#shared ?? this;
    if (acting.#hasSentCommit) return new Refusal('unknown_outcome', { retryAfterSeconds: 2 });
    acting.#isOver = true;
    return tooLate();
  }
}

export function tooLate(): Refusal {
  return new Refusal('unavailable', { retryAfterSeconds: 2 });
}

const current = new AsyncLocalStorage<Deadline>();

/** Runs something under this deadline, with all asynchronous work that it starts. */
export function withDeadline<T>(deadline: Deadline, run: () => T): T {
  return current.run(deadline, run);
}

/** The deadline of the current request; none in jobs and tools. */
export function currentDeadline(): Deadline | undefined {
  return current.getStore();
}
