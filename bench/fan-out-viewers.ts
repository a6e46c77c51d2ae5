import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export type ViewersCommand =
  /** With a token each they watch a market by server-sent events; without, they are clients of the naive server. */
  | {
      readonly do: 'open';
      readonly viewers: number;
      readonly port: number;
      readonly path: string;
      readonly tokens: readonly string[];
    }
  | { readonly do: 'reset' }
  /** So many lose their line for so long and come back with `Last-Event-ID`. */
  | { readonly do: 'cut'; readonly viewers: number; readonly forMs: number }
  /** Once everybody has heard of a sequence: what there was, and how late, from when each change was published. */
  | {
      readonly do: 'count';
      readonly until?: number;
      readonly published?: { readonly first: number; readonly at: readonly number[] };
    }
  | { readonly do: 'close' };

export interface ViewersResult {
  /** Changes that came to viewers: one in a frame of ten counts as one. */
  readonly deliveries: number;
  /** Events that did not follow on what their viewer had heard. */
  readonly gaps: number;
  /** Viewers who did not hear of the last change, and lines that the server ended. */
  readonly missing: number;
  readonly hungUp: number;
  /** Times that a viewer was told to read the book again. */
  readonly reloads: number;
  /** Milliseconds from publishing until a viewer had it. */
  readonly p50: number;
  readonly p99: number;
}

/** Many viewers in a process of their own, one command after another. */
export class Viewers {
  readonly #process: ChildProcess = fork(join(import.meta.dirname, 'fan-out-viewers.program.ts'));

  async execute(command: ViewersCommand): Promise<ViewersResult> {
    const result = await new Promise<ViewersResult & { error?: string }>((resolve, reject) => {
      const onExit = () => reject(new Error('The process of the viewers ended.'));
      this.#process.once('exit', onExit);
      this.#process.once('message', (message) => {
        this.#process.off('exit', onExit);
        resolve(message as ViewersResult);
      });
      this.#process.send(command);
    });
    if (result.error) throw new Error(result.error);
    return result;
  }

  stop(): void {
    this.#process.disconnect();
  }
}
