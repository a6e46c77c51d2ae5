import type { Sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import type { Sms } from '../notifications/sms-words.ts';

export interface PoolNotice {
  readonly userId: string;
  readonly template: string;
  readonly text: Sentence;
  /** For what costs money when it is missed. */
  readonly sms?: Sms;
}

/**
 * Tells people of their pools: in the app, and by SMS what costs money if it is missed. A constant number of statements.
 * @param causedBy the account whose act it was; null for the clock
 */
export async function tellOfPools(tx: Tx, causedBy: string | null, notices: readonly PoolNotice[]): Promise<void> {
  await notifyAll(
    tx,
    notices.map((notice): Notice => ({ ...notice, topic: 'pools', causedBy })),
  );
}
