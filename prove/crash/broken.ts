import { setTimeout as sleep } from 'node:timers/promises';
import type { AppParts } from '../../server/start.ts';

/** Parts of the server broken for the negative controls, each by its name. */
const broken: Record<string, (parts: Pick<AppParts, 'database'>) => void> = {
  /** Whoever asked is answered when the work is done, and not when it is committed. */
  'acknowledged-before-commit': ({ database }) => {
    const { transaction } = database;
    Object.assign(database, {
      transaction: <T>(run: Parameters<typeof transaction<T>>[0]) =>
        new Promise<T>((resolve, reject) => {
          const committing = transaction<T>(async (tx) => {
            const value = await run(tx);
            resolve(value);
            // Long enough for something to come in between: a quick disk would hide what this breaks.
            await sleep(150);
            return value;
          });
          committing.catch(reject);
        }),
    });
  },
  /** A full disk is taken for a fault of ours, as an error that nobody has thought of. */
  'full-disk-is-a-fault': ({ database }) => {
    const { transaction } = database;
    Object.assign(database, {
      transaction: <T>(run: Parameters<typeof transaction<T>>[0]) =>
        transaction<T>(run).catch((error: Error & { code?: unknown }) => {
          throw error.code === '53100' ? new Error(error.message) : error;
        }),
    });
  },
};

/** Breaks what the setting `BROKEN` names; nothing where there is none. */
export function breakAsTold(parts: Pick<AppParts, 'database'>): void {
  broken[process.env.BROKEN ?? '']?.(parts);
}
