import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '@ushirika/contract/refusal';
import { Deadline, tooLate, withDeadline } from '../db/deadline.ts';
import { asSystem } from '../db/person.ts';
import type { Database, Tx } from '../db/tx.ts';

export interface BatchQueueOptions<Command, Result> {
  /** The queue's name, for messages and metrics. */
  readonly name: string;
  readonly database: Pick<Database, 'transaction'>;
  /**
   * Carries out a batch in one transaction and returns a result or a refusal for each command, in order. A refused
   * command must have written nothing. If it throws, the batch is rolled back and each command is tried alone.
   */
  readonly run: (tx: Tx, commands: readonly Command[]) => Promise<readonly (Result | Refusal)[]>;
  /** The most commands in one transaction. */
  readonly batchMax?: number;
  /**
   * The most transactions under way. Batches of one queue may share accounts: `post` in the later one waits for the
   * first.
   */
  readonly inFlightMax?: number;
  /** The most commands that wait; one more is refused as `unavailable`. */
  readonly queueMax?: number;
  /**
   * A command that has waited longer than this is refused as `unavailable` before it starts: its caller has left by
   * then.
   */
  readonly waitMsMax?: number;
  /**
   * What a command locks exclusively, such as its market. Batches under way never share a key, so they run side by side
   * instead of waiting for each other's locks. Null: the command may be in any batch.
   */
  readonly keyOf?: (command: Command) => string | null;
}

/** The counters of a batch queue. */
export interface BatchQueueFigures {
  readonly name: string;
  readonly waiting: number;
  /** How long the first command has waited, in milliseconds. */
  readonly longestWaitMs: number;
  /** For all commands since the start: how many began, and the sum of their waits. */
  readonly begun: number;
  readonly waitedMs: number;
  /** Commands refused before they began: the queue was full, or they waited too long. */
  readonly refused: number;
}

export interface BatchQueue<Command, Result> {
  /**
   * Resolves with the command's own result once its batch is committed, or rejects with its own refusal or error. A
   * command whose deadline passes before its batch commits has done nothing.
   */
  submit(command: Command, deadline?: Deadline): Promise<Result>;
  /** Commands that wait for a batch. */
  readonly waiting: number;
  figures(): BatchQueueFigures;
  /** Refuses new commands, and resolves when all commands in the queue are done. */
  close(): Promise<void>;
}

/**
 * Commands that arrive while one batch commits form the next batch. Without load a command starts at once and alone;
 * under load hundreds of commands share one commit. A batch never waits to become full.
 */
export function createBatchQueue<Command, Result>(
  options: BatchQueueOptions<Command, Result>,
): BatchQueue<Command, Result> {
  return new PostgresBatchQueue(options);
}

interface Waiting<Command, Result> {
  readonly command: Command;
  readonly deadline: Deadline | undefined;
  readonly since: number;
  /** Runs a function in the async context of the caller of `submit`. */
  readonly within: ReturnType<typeof AsyncLocalStorage.snapshot>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

class PostgresBatchQueue<Command, Result> implements BatchQueue<Command, Result> {
  readonly #options: Required<Omit<BatchQueueOptions<Command, Result>, 'keyOf'>> &
    Pick<BatchQueueOptions<Command, Result>, 'keyOf'>;
  /** Keys of the batches under way. */
  readonly #taken = new Set<string>();
  #queue: Waiting<Command, Result>[] = [];
  #inFlight = 0;
  #begun = 0;
  #waitedMs = 0;
  #refused = 0;
  #isScheduled = false;
  #closed: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;

  constructor(options: BatchQueueOptions<Command, Result>) {
    // Batches with different keys share no locks: while one waits for the disk, others use the processors.
    const inFlightMax = options.keyOf ? 3 : 2;
    this.#options = { batchMax: 500, inFlightMax, queueMax: 10_000, waitMsMax: 10_000, ...options };
  }

  get waiting(): number {
    return this.#queue.length;
  }

  figures(): BatchQueueFigures {
    const [first] = this.#queue;
    return {
      name: this.#options.name,
      waiting: this.#queue.length,
      longestWaitMs: first ? performance.now() - first.since : 0,
      begun: this.#begun,
      waitedMs: this.#waitedMs,
      refused: this.#refused,
    };
  }

  submit(command: Command, deadline?: Deadline): Promise<Result> {
    const { name, queueMax } = this.#options;
    if (this.#closed || this.#queue.length >= queueMax) {
      this.#refused += 1;
      const why = this.#closed ? `The batch queue ${name} is closing.` : `The batch queue ${name} is full.`;
      return Promise.reject(Object.assign(new Refusal('unavailable', { retryAfterSeconds: 1 }), { cause: why }));
    }
    return new Promise((resolve, reject) => {
      const within = AsyncLocalStorage.snapshot();
      this.#queue.push({ command, deadline, since: performance.now(), within, resolve, reject });
      this.#schedule();
    });
  }

  close(): Promise<void> {
    if (!this.#closed) this.#closed = Promise.withResolvers<void>();
    this.#finishClosing();
    return this.#closed.promise;
  }

  /** Starts a batch after this turn of the event loop, so that all commands of the turn are in it. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#options.inFlightMax) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startBatches();
    });
  }

  #startBatches(): void {
    while (this.#queue.length > 0 && this.#inFlight < this.#options.inFlightMax) {
      const { picked, keys } = this.#pick();
      if (picked.length === 0) return;
      const batch = this.#inTime(picked);
      const [first] = batch;
      if (!first) continue;
      this.#inFlight += 1;
      for (const key of keys) this.#taken.add(key);
      // In the async context of its first command, not in that of the batch that ended before it.
      const executed = first.within(() => this.#execute(batch));
      void executed.finally(() => {
        this.#inFlight -= 1;
        for (const key of keys) this.#taken.delete(key);
        this.#startBatches();
        this.#finishClosing();
      });
    }
  }

  /**
   * The next batch: the first commands, in order, whose keys no batch under way has. It takes only its share of the
   * free keys, so that the batches that may still start get the others.
   */
  #pick(): { readonly picked: Waiting<Command, Result>[]; readonly keys: ReadonlySet<string> } {
    const { keyOf, batchMax, inFlightMax } = this.#options;
    if (!keyOf) return { picked: this.#queue.splice(0, batchMax), keys: new Set() };
    const free = new Set<string>();
    const keysOfQueue = this.#queue.map(({ command }) => keyOf(command));
    for (const key of keysOfQueue) if (key !== null && !this.#taken.has(key)) free.add(key);
    const share = Math.ceil(free.size / (inFlightMax - this.#inFlight));
    const keys = new Set([...free].slice(0, share));
    const picked: Waiting<Command, Result>[] = [];
    const left: Waiting<Command, Result>[] = [];
    for (const [index, waiting] of this.#queue.entries()) {
      const key = keysOfQueue[index] ?? null;
      const isNext = picked.length < batchMax && (key === null || keys.has(key));
      (isNext ? picked : left).push(waiting);
    }
    this.#queue = left;
    return { picked, keys };
  }

  /** The commands whose time is not over. The others are refused, and have done nothing. */
  #inTime(batch: readonly Waiting<Command, Result>[]): readonly Waiting<Command, Result>[] {
    const now = performance.now();
    const inTime = batch.filter(({ deadline, since, reject }) => {
      const isLate = deadline?.isOver || now - since > this.#options.waitMsMax;
      if (isLate) reject(tooLate());
      else this.#waitedMs += now - since;
      return !isLate;
    });
    this.#begun += inTime.length;
    this.#refused += batch.length - inTime.length;
    return inTime;
  }

  async #execute(batch: readonly Waiting<Command, Result>[]): Promise<void> {
    try {
      settle(batch, await this.#transact(batch));
    } catch (error) {
      // An unknown outcome is not retried here: only the caller's idempotency key can tell what happened.
      if (batch.length === 1 || isUnknownOutcome(error)) for (const { reject } of batch) reject(error);
      else await this.#executeEach(batch);
    }
  }

  /** Runs each command alone, so that only the one that broke the batch fails. */
  async #executeEach(batch: readonly Waiting<Command, Result>[]): Promise<void> {
    for (const waiting of batch) {
      try {
        waiting.deadline?.check();
        settle([waiting], await this.#transact([waiting]));
      } catch (error) {
        waiting.reject(error);
      }
    }
  }

  #transact(batch: readonly Waiting<Command, Result>[]): Promise<readonly (Result | Refusal)[]> {
    const commands = batch.map(({ command }) => command);
    // When one command's deadline passes before COMMIT is sent, the whole batch is rolled back, and each command is
    // tried alone.
    const shared = new Deadline({ isOfOneRequest: false });
    for (const { deadline } of batch) deadline?.joins(shared);
    const act = () => this.#options.database.transaction((tx) => this.#runOn(tx, commands));
    // A batch acts for many persons and reads rows that none of them may see, so it runs as the platform.
    return asSystem(() => withDeadline(shared, act));
  }

  async #runOn(tx: Tx, commands: readonly Command[]): Promise<readonly (Result | Refusal)[]> {
    const results = await this.#options.run(tx, commands);
    if (results.length === commands.length) return results;
    throw new Error(
      `The batch queue ${this.#options.name} got ${results.length} results for ${commands.length} commands.`,
    );
  }

  #finishClosing(): void {
    if (this.#closed && this.#queue.length === 0 && this.#inFlight === 0) this.#closed.resolve();
  }
}

function settle<Command, Result>(
  batch: readonly Waiting<Command, Result>[],
  results: readonly (Result | Refusal)[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result instanceof Refusal) reject(result);
    else resolve(result as Result);
  }
}

function isUnknownOutcome(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unknown_outcome';
}
