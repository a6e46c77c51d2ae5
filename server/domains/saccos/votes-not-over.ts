import { retriedFrom } from '@ushirika/contract/voting-rules';
import type { Fragment } from 'postgres';
import type { Database, Tx } from '../../db/tx.ts';

/**
 * In SQL, of votes `p` (table `proposals`): published and not over. Members vote on it, or it has passed and may still be carried out.
 * It stands here, below voting, for what waits for a vote: a sale of shares, the closing of a year.
 */
export const isNotOver = (sql: Tx['sql'] | Database['sql'], now: Date): Fragment => (sql as Tx['sql'])`
  (p.published_at is not null and p.cancelled_at is null and p.voided_at is null and p.executed_at is null and p.given_up_at is null
    and (p.counted_at is null or p.outcome = 'passed' and p.eta > ${retriedFrom(now)}))`;
