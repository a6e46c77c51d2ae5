import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { closeIfEmpty } from './close-pool.ts';
import { countInDay } from './pool-days.ts';
import {
  changeMembers,
  changePools,
  LIVE_STATES,
  lockPool,
  type PoolLocked,
  positionOf,
  walletOf,
} from './pool-rows.ts';
import { poolsSms } from './pools.sms.ts';
import { tellOfPools } from './tell-of-pools.ts';
import type { HistoriesOf } from './trust-score.ts';
import { fitsWithout } from './withdraw-from-pool.ts';

const CHUNK = 200;

interface Waiting {
  readonly id: string;
  readonly member_id: string;
  readonly user_id: string;
  readonly amount_cents: Cents;
  readonly state: 'queued' | 'given';
  readonly due_at: Date;
}

/**
 * Serves the notices of every pool that has some (A8): those in the queue count as given once the guarantees allow it, in order, and none
 * waits for a larger one before it; those that are given and due are paid. Each pool is a transaction of its own, and a run that was cut off or made
 * twice pays nothing twice: the rows say what is paid, under the pool's lock.
 */
export async function payWithdrawals(database: Database, historiesOf: HistoriesOf): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const pools = await database.sql<{ id: string }[]>`
      select distinct pool_id as id from pool_withdrawals
      where state in ('queued', 'given') and pool_id > ${after} order by id limit ${CHUNK}`;
    for (const { id } of pools) {
      while ((await database.transaction((tx) => servePool(tx, id, historiesOf))) === CHUNK);
    }
    const last = pools.at(-1);
    if (!last || pools.length < CHUNK) return;
    after = last.id;
  }
}

/** Returns how many were paid: as many as a chunk means that there may be more. */
async function servePool(tx: Tx, poolId: string, historiesOf: HistoriesOf): Promise<number> {
  const pool = await lockPool(tx, poolId);
  const withheld = await withheldIn(tx, poolId, historiesOf);
  const noticed = await promote(tx, pool, withheld);
  const paid = await tx.sql<Waiting[]>`
    select id, member_id, user_id, amount_cents, state, due_at from pool_withdrawals
    where pool_id = ${poolId} and state = 'given' and due_at <= ${tx.now} and user_id <> all (${texts(withheld)}::uuid[])
    order by id limit ${CHUNK}`;
  if (paid.length > 0) await pay(tx, pool, paid);
  await closeIfEmpty(tx, null, poolId);
  return paid.length === CHUNK || noticed === CHUNK ? CHUNK : 0;
}

/**
 * Notices in the queue that count as given now, in order. One that does not fit is passed over: one large notice once kept all others waiting
 * for ever. So is one that is withheld: given, it would take the room of those that can be paid.
 */
async function promote(tx: Tx, pool: PoolLocked, withheld: readonly string[]): Promise<number> {
  if (pool.queued_cents === 0) return 0;
  const queued = await tx.sql<Waiting[]>`
    select id, member_id, user_id, amount_cents, state, due_at from pool_withdrawals
    where pool_id = ${pool.id} and state = 'queued' and user_id <> all (${texts(withheld)}::uuid[]) order by id`;
  let sum = 0;
  const all = queued.filter(({ amount_cents }) => {
    const isFitting = fitsWithout(pool, sum + amount_cents);
    if (isFitting) sum += amount_cents;
    return isFitting;
  });
  const fitting = all.slice(0, CHUNK);
  if (fitting.length === 0) return 0;
  const total = fitting.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  await tx.sql`
    update pool_withdrawals set state = 'given' where id = any (${texts(fitting.map(({ id }) => id))}::uuid[])`;
  await changePools(tx, [{ poolId: pool.id, queued: -total, notice: total }]);
  return fitting.length;
}

/**
 * Borrowers with a notice whose guaranteed loan is late, or called: their money pays first, so it stays until that is over. Who saw a
 * call coming could else be gone with it.
 */
async function withheldIn(tx: Tx, poolId: string, historiesOf: HistoriesOf): Promise<string[]> {
  if (!isGuarded('pools.late_borrowers_stay')) return [];
  const borrowers = await tx.sql<{ user_id: string; is_demanded: boolean }[]>`
    select user_id, bool_or(state in ('DEMAND', 'DISPUTED', 'CALLED')) as is_demanded from pool_contracts c
    where pool_id = ${poolId} and state = any (${texts([...LIVE_STATES])}::text[])
      and exists (select from pool_withdrawals w
                  where w.pool_id = c.pool_id and w.member_id = c.member_id and w.state in ('queued', 'given'))
    group by user_id`;
  const histories = await historiesOf(
    tx,
    borrowers.map(({ user_id }) => user_id),
  );
  return borrowers
    .filter(({ user_id, is_demanded }) => is_demanded || (histories.get(user_id)?.daysPastDue ?? 0) > 0)
    .map(({ user_id }) => user_id);
}

async function pay(tx: Tx, pool: PoolLocked, paid: readonly Waiting[]): Promise<void> {
  const journals = paid.map(
    ({ id, member_id, user_id, amount_cents: amount }): JournalInput => ({
      kind: 'pool_withdrawn',
      idempotencyKey: `pool_withdrawn:${id}`,
      causedBy: user_id,
      about: { type: 'pool', id: pool.id },
      transfers: [{ debit: positionOf(member_id), credit: walletOf(user_id), amount }],
    }),
  );
  const results = await post(tx, journals);
  const refused = results.find(({ status }) => status === 'refused');
  if (refused) throw new Error(`A withdrawal from the pool ${pool.id} was refused.`);
  await tx.sql`
    update pool_withdrawals set state = 'paid', ended_at = ${tx.now}
    where id = any (${texts(paid.map(({ id }) => id))}::uuid[])`;
  await changeMembers(
    tx,
    paid.map(({ member_id, amount_cents }) => ({
      memberId: member_id,
      position: -amount_cents,
      notice: -amount_cents,
    })),
  );
  await countInDay(
    tx,
    paid.map(({ amount_cents }) => ({ poolId: pool.id, withdrawn: amount_cents })),
  );
  const [gone] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from pool_members
    where id = any (${texts([...new Set(paid.map(({ member_id }) => member_id))])}::uuid[]) and position_cents = 0`;
  const total = paid.reduce((all, { amount_cents }) => all + amount_cents, 0);
  await changePools(tx, [{ poolId: pool.id, positions: -total, notice: -total, members: -(gone?.count ?? 0) }]);
  await tellOfPools(
    tx,
    null,
    paid.map(({ user_id, amount_cents }) => ({
      userId: user_id,
      template: 'pool_withdrawn',
      text: sentence('{amount} from the pool {name} is in your wallet.', {
        amount: formatShillings(shillingsFromCents(amount_cents)),
        name: pool.name,
      }),
      sms: poolsSms.withdrawn(amountValue(amount_cents)),
    })),
  );
}

/** What was taken for a call can be paid out no more: notices of these members shrink, the newest first. */
export async function shrinkNotices(
  tx: Tx,
  poolId: string,
  shrink: readonly { readonly memberId: string; readonly cents: Cents }[],
): Promise<void> {
  for (const { memberId, cents } of shrink) {
    const rows = await tx.sql<Waiting[]>`
      select id, member_id, user_id, amount_cents, state, due_at from pool_withdrawals
      where pool_id = ${poolId} and member_id = ${memberId} and state in ('queued', 'given') order by id desc`;
    let left = cents;
    const taken = rows.map((row) => {
      const part = Math.min(left, row.amount_cents);
      left -= part;
      return { ...row, part };
    });
    const ofState = (state: string) => taken.reduce((sum, row) => sum + (row.state === state ? row.part : 0), 0);
    await tx.sql`
      update pool_withdrawals w set
        amount_cents = case when t.part < w.amount_cents then w.amount_cents - t.part else w.amount_cents end,
        state = case when t.part < w.amount_cents then w.state else 'cancelled' end,
        ended_at = case when t.part < w.amount_cents then null else ${tx.now}::timestamptz end, is_taken = true
      from unnest(${texts(taken.map(({ id }) => id))}::uuid[], ${integers(taken.map(({ part }) => part))}::bigint[]) as t (id, part)
      where w.id = t.id and t.part > 0`;
    await changeMembers(tx, [{ memberId, notice: -cents }]);
    await changePools(tx, [{ poolId, notice: -ofState('given'), queued: -ofState('queued') }]);
  }
}
