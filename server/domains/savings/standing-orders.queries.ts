import { shillingsFromCents } from '@ushirika/contract/money';
import type { StandingOrder } from '@ushirika/contract/savings';
import type { Database, Tx } from '../../db/tx.ts';
import { nextDayOf } from './savings.rules.ts';

interface OrderRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly amount_cents: number;
  readonly day: number;
  readonly first_month: string;
  readonly created_at: Date;
  readonly run_month: string | null;
  readonly run_state: 'waiting' | 'paid' | 'skipped';
  readonly tries: number;
  readonly tried_on: string;
  readonly settled_at: Date | null;
}

/** A member's standing order in a sacco with its latest month, or null. */
export async function standingOrderOf(
  reader: Pick<Tx, 'sql' | 'now'> | Pick<Database, 'sql' | 'now'>,
  member: { readonly userId: string; readonly saccoId: string },
): Promise<StandingOrder | null> {
  const sql = reader.sql as Database['sql'];
  const now = typeof reader.now === 'function' ? reader.now() : reader.now;
  const [row] = await sql<OrderRow[]>`
    select o.id, o.sacco_id, o.amount_cents, o.day, o.first_month, o.created_at,
      r.month as run_month, r.state as run_state, r.tries, r.tried_on, r.settled_at
    from standing_orders o
    left join lateral (
      select * from standing_order_runs where order_id = o.id order by month desc limit 1
    ) r on true
    where o.sacco_id = ${member.saccoId} and o.user_id = ${member.userId} and o.state = 'active'`;
  if (!row) return null;
  const run = row.run_month === null ? null : { month: row.run_month, state: row.run_state };
  return {
    id: row.id,
    sacco: row.sacco_id,
    amount: shillingsFromCents(row.amount_cents),
    day: row.day,
    created_at: row.created_at.toISOString(),
    next_on: nextDayOf({ day: row.day, firstMonth: row.first_month }, run, now),
    last_run: run && {
      ...run,
      tries: row.tries,
      at: row.settled_at?.toISOString() ?? `${row.tried_on}T00:00:00.000Z`,
    },
  };
}
