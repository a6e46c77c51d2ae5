import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** Requests for the generator: each connection draws its next one from the list. */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
  /** Refusals (4xx) are answers too; whoever reads the result counts the statuses. */
  readonly mayBeRefused?: boolean;
  /** With a body, each request carries a fresh idempotency key. */
  readonly requests: readonly {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly token: string;
    /** Where the request means one by its header. */
    readonly saccoId?: string;
    readonly body?: string;
  }[];
}

export interface LoadResult {
  /** Until the last answer had come. */
  readonly seconds: number;
  readonly answers: number;
  /** How many answers of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds from sending a request until its whole answer. */
  readonly p50: number;
  readonly p99: number;
  /** The first answer that was not a success; empty when all were. */
  readonly sample: string;
}

/** Makes load from a process of its own, one plan after another. */
export class LoadGenerator {
  readonly #process: ChildProcess = fork(join(import.meta.dirname, 'http-load.program.ts'));

  /** Throws when any answer was not a success. */
  async run(plan: LoadPlan): Promise<LoadResult> {
    const result = await new Promise<LoadResult & { error?: string }>((resolve, reject) => {
      const onExit = () => reject(new Error('The load generator ended.'));
      this.#process.once('exit', onExit);
      this.#process.once('message', (message) => {
        this.#process.off('exit', onExit);
        resolve(message as LoadResult);
      });
      this.#process.send(plan);
    });
    if (result.error) throw new Error(result.error);
    const isRefused = Object.keys(result.statuses).every((status) => /^[24]/.test(status));
    if (result.sample !== '' && !(plan.mayBeRefused && isRefused))
      throw new Error(`Not every answer was a success: ${result.sample}`);
    return result;
  }

  stop(): void {
    this.#process.disconnect();
  }
}
