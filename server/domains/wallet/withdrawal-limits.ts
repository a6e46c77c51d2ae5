import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { WITHDRAWALS_A_DAY, WITHDRAWN_SHILLINGS_A_DAY } from '@ushirika/contract/withdrawal-charges';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { startOfDay } from './history.ts';
import { inWords } from './wallet.rules.ts';

/** Includes those that M-Pesa did not pay: each costs a call to M-Pesa. */
const TRIES_A_DAY = 20;

export interface LeftToday {
  /** How many more withdrawals, and how much in all. */
  readonly count: number;
  readonly cents: Cents;
  /** The end of the day in Nairobi. */
  readonly renewedAt: Date;
}

/** What a person may still withdraw today. A returned withdrawal counts only as a try. */
export async function leftToday(reader: Tx | Database, userId: string, now: Date): Promise<LeftToday> {
  const today = nairobiDay(now);
  const [row] = await (reader.sql as Tx['sql'])<{ tries: number; count: number; cents: number }[]>`
    select count(*)::int as tries, count(*) filter (where state <> 'returned')::int as count,
      coalesce(sum(amount_cents) filter (where state <> 'returned'), 0)::bigint as cents
    from withdrawals where user_id = ${userId} and created_at >= ${startOfDay(today)}`;
  const { tries = 0, count = 0, cents = 0 } = row ?? {};
  return {
    count: Math.max(0, Math.min(WITHDRAWALS_A_DAY - count, TRIES_A_DAY - tries)),
    cents: Math.max(0, WITHDRAWN_SHILLINGS_A_DAY * 100 - Number(cents)),
    renewedAt: startOfDay(today, 1),
  };
}

/**
 * Refuses a withdrawal above the day's limit. The person's row is locked, so that withdrawals at the same time are
 * counted.
 * @throws Refusal `withdrawal_limit_reached` with what is left, and when there is more
 */
export async function refusePastDailyLimit(tx: Tx, userId: string, amountCents: Cents): Promise<void> {
  const left = await leftToday(tx, userId, tx.now);
  if ((left.count > 0 && amountCents <= left.cents) || !isGuarded('withdrawals_a_day')) return;
  const message =
    left.count === 0
      ? sentence('You have made {n} withdrawals today. You can make the next one tomorrow.', { n: WITHDRAWALS_A_DAY })
      : sentence('You can withdraw {amount} more today, and the rest tomorrow.', { amount: inWords(left.cents) });
  throw new Refusal('withdrawal_limit_reached', {
    message,
    retryAfterSeconds: Math.ceil((left.renewedAt.getTime() - tx.now.getTime()) / 1000),
    extra: {
      left: { count: left.count, amount: shillingsFromCents(left.cents), renewed_at: left.renewedAt.toISOString() },
    },
  });
}
