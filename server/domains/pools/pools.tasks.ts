import type { Database } from '../../db/tx.ts';
import type { Schedule, Task } from '../../jobs.ts';
import { earnFees } from './earn-fees.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { notePoolsThatVote } from './pools-that-vote.ts';
import { noNeeds, type PoolNeeds } from './request-guarantee.ts';
import { tendPools } from './tend-pools.ts';
import { scoreNightly } from './trust-score.ts';

/** The jobs of this domain. Each may run twice, or after it was cut off: the rows say what is done. */
export function poolsTasks({
  database,
  needs = noNeeds,
}: {
  readonly database: Database;
  readonly needs?: PoolNeeds;
}): Readonly<Record<string, Task>> {
  return {
    tend_pools: () => tendPools(database),
    earn_pool_fees: () => earnFees(database),
    pay_pool_withdrawals: () => payWithdrawals(database, needs.historiesOf),
    note_pools_that_vote: () => notePoolsThatVote(database),
    score_pool_members: () => scoreNightly(database, needs.historiesOf),
  };
}

/**
 * Every hour: what a day brings is done soon after it begins, and after an outage as soon as it is over. Of scores the first run of a
 * Nairobi day reckons all; the later ones go on where it was cut off, or find the day done.
 */
export const poolsSchedules: readonly Schedule[] = [
  { task: 'tend_pools', everySeconds: 600 },
  { task: 'earn_pool_fees', everySeconds: 3600 },
  { task: 'pay_pool_withdrawals', everySeconds: 3600 },
  { task: 'note_pools_that_vote', everySeconds: 3600 },
  { task: 'score_pool_members', everySeconds: 3600 },
];
