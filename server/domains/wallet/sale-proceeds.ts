import { SMALL_SUM_A_DAY } from '@ushirika/contract/constants';
import type { Cents } from '@ushirika/contract/money';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { type HeldProceeds, HOLD_MS, heldOf, QUARTER_MS } from './sale-proceeds.rules.ts';

/**
 * Stores what members received for shares that they sold to other members, or of a check-off: it may not be withdrawn for a day
 * (decision 152). Call it in the transaction that posts the money, with the wallets locked. One statement.
 */
export async function noteProceeds(
  tx: Tx,
  received: readonly { readonly userId: string; readonly cents: Cents }[],
): Promise<void> {
  const sums = new Map<string, Cents>();
  for (const { userId, cents } of received) sums.set(userId, (sums.get(userId) ?? 0) + cents);
  const paid = [...sums].filter(([, cents]) => cents > 0).sort(([one], [other]) => (one < other ? -1 : 1));
  if (paid.length === 0) return;
  const startsAt = new Date(tx.now.getTime() - (tx.now.getTime() % QUARTER_MS));
  await tx.sql`
    insert into sale_proceeds as p (user_id, starts_at, cents)
    select user_id, ${startsAt}::timestamptz, cents
    from unnest(${texts(paid.map(([userId]) => userId))}::uuid[],
                ${integers(paid.map(([, cents]) => cents))}::bigint[]) as paid (user_id, cents)
    on conflict (user_id, starts_at) do update set cents = p.cents + excluded.cents`;
}

/**
 * The part of a wallet that may not be withdrawn yet because it came from sales or check-offs; null where there is none. It reads at
 * most 97 rows. For a withdrawal, call it with the wallet locked.
 */
export async function proceedsHeldOf(
  sql: Tx['sql'] | Database['sql'],
  userId: string,
  now: Date,
): Promise<HeldProceeds | null> {
  if (!isGuarded('proceeds_held')) return null;
  const since = new Date(now.getTime() - HOLD_MS - QUARTER_MS);
  const rows = await (sql as Tx['sql'])<{ starts_at: Date; cents: number }[]>`
    select starts_at, cents from sale_proceeds where user_id = ${userId} and starts_at > ${since} order by starts_at`;
  const received = rows.map(({ starts_at, cents }) => ({ startsAt: starts_at, cents }));
  return heldOf(received, now, 100 * SMALL_SUM_A_DAY);
}
