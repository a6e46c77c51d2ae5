import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../../server/app.ts';
import { type AppParts, main } from '../../server/start.ts';

// The real server with one part of it broken, for the negative controls: `BROKEN` says which.
const broken: Record<string, (parts: AppParts) => void> = {
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
};

await main(process.env, (parts) => {
  broken[process.env.BROKEN ?? '']?.(parts);
  return buildApp(parts);
});
