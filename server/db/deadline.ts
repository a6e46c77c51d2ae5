import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '@ushirika/contract/refusals';

/**
 * The time that a request has. When it is over, no transaction of the request begins any more, and none that is open
 * commits: until a COMMIT has been sent, the answer `unavailable` is surely true. After that, only the same key can tell.
 */
export class Deadline {
  /** False for what many requests share: a batch queue's batch has its own bound, and is not one more in a queue. */
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

  /** From here on this request's act is part of a transaction that it shares with others. */
  joins(shared: Deadline): void {
    this.#shared = shared;
  }

  /** @throws Refusal `unavailable` once the time is over. */
  check(): void {
    if (this.#isOver) throw tooLate();
  }

  /** Just before a COMMIT goes out. @throws Refusal `unavailable` when it must not. */
  commits(): void {
    this.check();
    this.#hasSentCommit = true;
  }

  /** The time is over. Says what can be said for certain. */
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

/** Everything that `run` begins, however deep, has this deadline. */
export function withDeadline<T>(deadline: Deadline, run: () => T): T {
  return current.run(deadline, run);
}

/** The deadline of the request that this is done for; none for jobs and tools, which take the time that they take. */
export function currentDeadline(): Deadline | undefined {
  return current.getStore();
}
