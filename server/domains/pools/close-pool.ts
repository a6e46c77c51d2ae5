import type { Cents } from '@ushirika/contract/money';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import {
  changeMembers,
  changePools,
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

/**
 * A closing pool without guarantees pays everybody out, whether they gave notice or not, and is closed. It shares its reserve by the fees
 * that each has earned, as the reserve comes of fees too: money that was put in late has earned none. A claim on a borrower goes on: what
 * comes back reaches the wallets of those who lost.
 * @param causedBy the steward who closes it; null for the clock
 */
export async function closeIfEmpty(tx: Tx, causedBy: string | null, poolId: string): Promise<void> {
  const pool = await lockPool(tx, poolId);
  if (pool.state !== 'CLOSING' || pool.guarantees_count > 0) return;
  const members = await tx.sql<MemberRow[]>`
    select id, pool_id, user_id, sequence, joined_at, position_cents, locked_cents, notice_cents
    from pool_members where pool_id = ${poolId} and position_cents > 0 order by sequence`;
  const shares: readonly Cents[] =
    members.length === 0 ? [] : allocate(pool.reserve_cents, await weightsOf(tx, members));
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
  const paid = members.map(({ user_id: userId, position_cents }, index) => ({
    userId,
    cents: position_cents + (shares[index] ?? 0),
  }));
  await tellOfEnd(tx, causedBy, pool, paid);
}

async function tellOfEnd(
  tx: Tx,
  causedBy: string | null,
  { name }: PoolLocked,
  paid: readonly { readonly userId: string; readonly cents: Cents }[],
): Promise<void> {
  await tellOfPools(
    tx,
    causedBy,
    paid.map(({ userId, cents }) => ({
      userId,
      template: 'pool_closed',
      text: sentence('The pool {name} is closed. {amount} is in your wallet.', {
        name,
        amount: formatShillings(shillingsFromCents(cents)),
      }),
    })),
  );
}

/** The fees that each has earned since they joined. Where nobody has earned any: the time since each joined. */
async function weightsOf(tx: Tx, members: readonly MemberRow[]): Promise<readonly number[]> {
  const rows = await tx.sql<{ member_id: string; earned: Cents }[]>`
    select m.id as member_id, sum(t.amount)::bigint as earned
    from pool_members m
    join accounts a on a.book_id = ${PLATFORM_BOOK} and a.kind = 'pool_position' and a.owner_id = m.id
    join transfers t on t.credit_account_id = a.id join journals j on j.id = t.journal_id
    where m.id = any (${texts(members.map(({ id }) => id))}::uuid[]) and j.kind = 'pool_fee_earned' and j.posted_at >= m.joined_at
    group by m.id`;
  const earned = new Map(rows.map(({ member_id, earned: cents }) => [member_id, cents]));
  if (earned.size > 0) return members.map(({ id }) => earned.get(id) ?? 0);
  return members.map(({ joined_at }) => tx.now.getTime() - joined_at.getTime() + 1);
}

/** Pools that close, for the job. */
export async function closingPools(reader: Pick<Database, 'sql'>): Promise<string[]> {
  const rows = await reader.sql<{ id: string }[]>`
    select id from pools where state = 'CLOSING' and guarantees_count = 0 order by id limit 200`;
  return rows.map(({ id }) => id);
}
