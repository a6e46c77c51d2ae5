import type { Tx } from '../../db/tx.ts';
import { type EnqueueOptions, enqueueAll } from '../../jobs.ts';

/**
 * Messages of one job, with the gateway at once: a batch of trades tells hundreds, and a job costs more than a message. If the
 * process dies, so many may be lost; when it is told to end, it waits for one answer of the gateway and not for several.
 */
const MESSAGES_PER_JOB_MAX = 10;

/** Adds the jobs that send messages of the outbox, in the transaction that wrote them; what can wait then, can when tried again. */
export async function enqueueSms(tx: Tx, ids: readonly string[], options: EnqueueOptions = {}): Promise<void> {
  const { canWait = false } = options;
  const jobs: { ids: readonly string[]; canWait: boolean }[] = [];
  for (let from = 0; from < ids.length; from += MESSAGES_PER_JOB_MAX) {
    jobs.push({ ids: ids.slice(from, from + MESSAGES_PER_JOB_MAX), canWait });
  }
  await enqueueAll(tx, 'send_sms', jobs, options);
}
