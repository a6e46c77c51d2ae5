import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../server/db/tx.ts';
import { type BatchQueue, type BatchQueueOptions, createBatchQueue } from '../server/ledger/batch-queue.ts';
import { quantile } from './statistics.ts';

/** Commands under way at once; one batch takes half of them at most. */
export const outstanding = 2_000;

export interface BatchLoad {
  /** Commands carried out per second: acknowledged after their commit. */
  readonly perSecond: number;
  readonly done: number;
  readonly refused: number;
  /** From the first statement of a batch until its commit was acknowledged, milliseconds. */
  readonly batchP50: number;
  readonly batchP99: number;
  /** Commands per batch, on average. */
  readonly batchSize: number;
}

/** Keeps a batch queue full for some seconds. `act` submits one command and says whether it was carried out or refused. */
export async function keepQueueFull<Command, Result>(
  database: Database,
  seconds: number,
  { run, ...options }: Pick<BatchQueueOptions<Command, Result>, 'run' | 'keyOf'>,
  act: (queue: BatchQueue<Command, Result>) => Promise<'done' | 'refused'>,
): Promise<BatchLoad> {
  const times: number[] = [];
  let batches = 0;
  const counts = { done: 0, refused: 0 };
  const queue = createBatchQueue<Command, Result>({
    ...options,
    name: 'bench',
    database: {
      transaction: async (attempt) => {
        const started = performance.now();
        const result = await database.transaction(attempt);
        times.push(performance.now() - started);
        return result;
      },
    },
    batchMax: outstanding / 2,
    run: (tx, commands) => {
      batches += 1;
      return run(tx, commands);
    },
  });
  const ends = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < ends) counts[await act(queue)] += 1;
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: outstanding }, client));
  await queue.close();
  const elapsed = (performance.now() - started) / 1_000;
  await nextTurn();
  return {
    ...counts,
    perSecond: counts.done / elapsed,
    batchP50: quantile(times, 0.5),
    batchP99: quantile(times, 0.99),
    batchSize: (counts.done + counts.refused) / batches,
  };
}
