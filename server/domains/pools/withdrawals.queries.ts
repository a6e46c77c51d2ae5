import { API_BASE } from '@ushirika/contract/constants';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import * as contract from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import { nairobiDay } from '@ushirika/contract/time';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { monthAfter } from './earn-fees.ts';
import { readPoolRows } from './pool-rows.ts';
import { capacityOf, guaranteeLeft, weightedExposure } from './pools.rules.ts';

interface Row {
  readonly id: string;
  readonly pool_id: string;
  readonly pool_name: string;
  readonly amount_cents: Cents;
  readonly is_all: boolean;
  readonly state: 'queued' | 'given' | 'paid' | 'cancelled';
  readonly given_at: Date;
  readonly due_at: Date;
  readonly ended_at: Date | null;
  readonly ahead: number;
  /** What has to be free for it: itself and what is queued before it and is no larger. */
  readonly queued_up_to: Cents;
}

/** One's own notices, newest first. Read by the platform: how many stand before one's own are notices of others. */
export async function myWithdrawals(
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  userId: string,
  query: QueryOf<typeof contract.listPoolWithdrawals>,
): Promise<ReplyOf<typeof contract.listPoolWithdrawals>> {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const matching = sql`
    from pool_withdrawals w where w.user_id = ${userId} ${query.pool ? sql`and w.pool_id = ${query.pool}` : sql``}`;
  const [ids, count] = await Promise.all([
    sql<{ id: string }[]>`
      select w.id ${matching}
        ${cursor ? sql`and w.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
      order by w.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${contract.listPoolWithdrawals.path}`, query);
  const page = toPage(ids, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  const shown = await readWithdrawals(
    database,
    page.results.map(({ id }) => id),
  );
  return { ...page, count, results: page.results.flatMap(({ id }) => shown.get(id) ?? []) };
}

export async function withdrawalOf(database: Database, userId: string, id: string): Promise<contract.PoolWithdrawal> {
  const [own] = await database.sql`select from pool_withdrawals where id = ${id} and user_id = ${userId}`;
  const found = own ? (await readWithdrawals(database, [id])).get(id) : undefined;
  if (!found) throw new Refusal('not_found');
  return found;
}

async function readWithdrawals(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, contract.PoolWithdrawal>> {
  if (ids.length === 0) return new Map();
  const rows = await database.sql<Row[]>`
    select w.*, p.name as pool_name, before.ahead::int as ahead, before.queued::bigint + w.amount_cents as queued_up_to
    from pool_withdrawals w
    join pools p on p.id = w.pool_id
    cross join lateral (
      select count(*) as ahead, coalesce(sum(o.amount_cents) filter (where o.state = 'queued'), 0) as queued
      from pool_withdrawals o where o.pool_id = w.pool_id and o.state in ('queued', 'given') and o.id < w.id
        and (o.state = 'given' or o.amount_cents <= w.amount_cents)
    ) before
    where w.id = any (${texts(ids)}::uuid[])`;
  const estimates = new Map<string, (queued: Cents) => Date | null>();
  for (const poolId of new Set(rows.filter(({ state }) => state === 'queued').map(({ pool_id }) => pool_id))) {
    estimates.set(poolId, await freeingOf(database, poolId));
  }
  return new Map(rows.map((row) => [row.id, replyOf(row, estimates.get(row.pool_id), database.now())]));
}

function replyOf(row: Row, freedAt: ((queued: Cents) => Date | null) | undefined, now: Date): contract.PoolWithdrawal {
  const isWaiting = row.state === 'queued' || row.state === 'given';
  const freed = row.state === 'queued' ? (freedAt?.(row.queued_up_to) ?? null) : row.due_at;
  const latest = freed === null ? null : new Date(Math.max(freed.getTime(), row.due_at.getTime(), now.getTime()));
  return {
    id: row.id,
    pool: { id: row.pool_id, name: row.pool_name },
    amount: shillingsFromCents(row.amount_cents),
    state: isWaiting ? 'waiting' : (row.state as 'paid' | 'cancelled'),
    is_all: row.is_all,
    given_at: row.given_at.toISOString(),
    due_at: row.due_at.toISOString(),
    ahead: isWaiting ? row.ahead : 0,
    estimated_on: isWaiting && latest !== null ? nairobiDay(latest) : null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** When guarantees will have fallen so far that a queued sum is free, if every loan is repaid by its schedule; null for never. */
async function freeingOf(database: Database, poolId: string): Promise<(queued: Cents) => Date | null> {
  const now = database.now();
  const [pool] = await readPoolRows({ sql: database.sql as never, now }, [poolId]);
  if (!pool) return () => null;
  const contracts = await database.sql<
    { amount_cents: Cents; outstanding_cents: Cents; months: number; risk_weight: number; activated_at: Date | null }[]
  >`
    select amount_cents, outstanding_cents, months, risk_weight, activated_at from pool_contracts
    where pool_id = ${poolId} and outstanding_cents > 0`;
  const weightedAt = (at: Date) =>
    contracts.reduce((sum, { amount_cents, outstanding_cents, months, risk_weight, activated_at }) => {
      const begun = activated_at ?? now;
      let passed = 0;
      while (passed < months && monthAfter(begun, passed + 1) <= at) passed += 1;
      const left = Math.min(outstanding_cents, guaranteeLeft(amount_cents, months - passed, months));
      return sum + weightedExposure(left, risk_weight);
    }, 0);
  return (queued) => {
    const capacity = capacityOf(Math.max(0, pool.positions_cents - pool.notice_cents - queued), {
      exposureMultiple: pool.exposure_multiple,
    });
    for (let month = 0; month <= contract.POOL_MONTHS_MAX + 1; month += 1) {
      const at = monthAfter(now, month);
      if (weightedAt(at) <= capacity) return at;
    }
    return null;
  };
}
