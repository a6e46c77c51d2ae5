import type { Cents } from '@ushirika/contract/money';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import {
  after,
  changeMembers,
  changePools,
  DAY_MS,
  lockPool,
  type MemberRow,
  moveState,
  type PoolLocked,
  positionOf,
  reserveOf,
  walletOf,
} from './pool-rows.ts';
import { allocate } from './pools.rules.ts';
import { tellOfPools } from './tell-of-pools.ts';

/** Whoever puts money in shortly before a pool begins to close has no more of its reserve for it. */
const RESERVE_DAYS = 30;

/**
 * A closing pool without guarantees pays everybody out, whether they gave notice or not, and is closed. It shares its reserve by the least
 * that each has had in it since 30 days before it began to close. A claim on a borrower goes on: what comes back reaches the wallets of those who lost.
 */
export async function closeIfEmpty(tx: Tx, poolId: string): Promise<void> {
  const pool = await lockPool(tx, poolId);
  if (pool.state !== 'CLOSING' || pool.guarantees_count > 0) return;
  const members = await tx.sql<MemberRow[]>`
    select id, pool_id, user_id, sequence, joined_at, position_cents, locked_cents, notice_cents
    from pool_members where pool_id = ${poolId} and position_cents > 0 order by sequence`;
  const shares: readonly Cents[] =
    members.length === 0 ? [] : allocate(pool.reserve_cents, await weightsOf(tx, pool, members));
  const results = await post(
    tx,
    members.map((member, index): JournalInput => {
      const share = shares[index] ?? 0;
      const wallet = walletOf(member.user_id);
      return {
        kind: 'pool_withdrawn',
        idempotencyKey: `pool_withdrawn:closed:${member.id}`,
        causedBy: null,
        about: { type: 'pool', id: poolId },
        transfers: [
          { debit: positionOf(member.id), credit: wallet, amount: member.position_cents },
          ...(share > 0 ? [{ debit: reserveOf(poolId), credit: wallet, amount: share }] : []),
        ],
      };
    }),
  );
  if (results.some(({ status }) => status !== 'posted')) throw new Error(`The pool ${poolId} could not be paid out.`);
  await tx.sql`
    update pool_withdrawals set state = 'cancelled', ended_at = ${tx.now}, is_taken = true
    where pool_id = ${poolId} and state in ('queued', 'given')`;
  await changeMembers(
    tx,
    members.map(({ id, position_cents, notice_cents }) => ({
      memberId: id,
      position: -position_cents,
      notice: -notice_cents,
    })),
  );
  await changePools(tx, [
    {
      poolId,
      positions: -pool.positions_cents,
      notice: -pool.notice_cents,
      queued: -pool.queued_cents,
      members: -pool.members_count,
      reserve: members.length === 0 ? 0 : -pool.reserve_cents,
    },
  ]);
  await moveState(tx, pool, 'CLOSED', { userId: null });
  await tellOfPools(
    tx,
    members.map(({ user_id, position_cents }, index) => ({
      userId: user_id,
      template: 'pool_closed',
      text: sentence('The pool {name} is closed. {amount} is in your wallet.', {
        name: pool.name,
        amount: formatShillings(shillingsFromCents(position_cents + (shares[index] ?? 0))),
      }),
    })),
  );
}

/** The least that each has had in the pool since 30 days before it began to close; where nobody was in it so long, what each has now. */
async function weightsOf(
  tx: Tx,
  { state_at }: Pick<PoolLocked, 'state_at'>,
  members: readonly MemberRow[],
): Promise<readonly Cents[]> {
  const since = after(state_at, -RESERVE_DAYS * DAY_MS);
  const rows = await tx.sql<{ member_id: string; least: Cents }[]>`
    select a.owner_id as member_id, min(least(case when t.credit_account_id = a.id then t.credit_balance_after - t.amount
      else t.debit_balance_after end, case when t.credit_account_id = a.id then t.credit_balance_after
      else t.debit_balance_after + t.amount end))::bigint as least
    from accounts a join transfers t on t.debit_account_id = a.id or t.credit_account_id = a.id join journals j on j.id = t.journal_id
    where a.book_id = ${PLATFORM_BOOK} and a.kind = 'pool_position' and a.owner_id = any (${texts(members.map(({ id }) => id))}::uuid[])
      and j.posted_at > ${since}
    group by a.owner_id`;
  const moved = new Map(rows.map(({ member_id, least }) => [member_id, least]));
  const positions = members.map(({ position_cents }) => position_cents);
  const least = members.map(({ id, position_cents }) => Math.min(position_cents, moved.get(id) ?? position_cents));
  return least.some((cents) => cents > 0) ? least : positions;
}

/** Pools that close, for the job. */
export async function closingPools(reader: Pick<Database, 'sql'>): Promise<string[]> {
  const rows = await reader.sql<{ id: string }[]>`
    select id from pools where state = 'CLOSING' and guarantees_count = 0 order by id limit 200`;
  return rows.map(({ id }) => id);
}
