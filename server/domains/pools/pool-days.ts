import type { Cents } from '@ushirika/contract/money';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';

/** What moved in a pool, to be counted with the day. */
export interface DayMove {
  readonly poolId: string;
  readonly earned?: Cents;
  readonly withdrawn?: Cents;
}

/** Counts what moved with today's row of each pool, in the transaction that moves it. The pools are locked. */
export async function countInDay(tx: Tx, moves: readonly DayMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.sql`
    insert into pool_days (pool_id, day, earnings, earned_cents, withdrawals, withdrawn_cents)
    select pool_id, ${nairobiDay(tx.now)}::date, count(*) filter (where earned > 0), sum(earned),
      count(*) filter (where withdrawn > 0), sum(withdrawn)
    from unnest(${texts(moves.map(({ poolId }) => poolId))}::uuid[], ${integers(moves.map(({ earned }) => earned ?? 0))}::bigint[],
      ${integers(moves.map(({ withdrawn }) => withdrawn ?? 0))}::bigint[]) as m (pool_id, earned, withdrawn)
    group by pool_id order by pool_id
    on conflict (pool_id, day) do update set earnings = pool_days.earnings + excluded.earnings,
      earned_cents = pool_days.earned_cents + excluded.earned_cents,
      withdrawals = pool_days.withdrawals + excluded.withdrawals,
      withdrawn_cents = pool_days.withdrawn_cents + excluded.withdrawn_cents`;
}

export interface MovesOfDay {
  readonly earnings: number;
  readonly earned_cents: Cents;
  readonly withdrawals: number;
  readonly withdrawn_cents: Cents;
}

/** What moved in the pools of a sacco on a Nairobi day. Asked of the platform. */
export async function movesOfDay(tx: Pick<Tx, 'sql'>, saccoId: string, day: string): Promise<MovesOfDay> {
  const [row] = await tx.sql<MovesOfDay[]>`
    select coalesce(sum(d.earnings), 0)::int as earnings, coalesce(sum(d.earned_cents), 0)::bigint as earned_cents,
      coalesce(sum(d.withdrawals), 0)::int as withdrawals, coalesce(sum(d.withdrawn_cents), 0)::bigint as withdrawn_cents
    from pool_days d join pools p on p.id = d.pool_id
    where p.sacco_id = ${saccoId} and d.day = ${day}`;
  return row as MovesOfDay;
}
