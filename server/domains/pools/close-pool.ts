import type { Cents } from '@ushirika/contract/money';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import {
  changeMembers,
  changePools,
  lockPool,
  type MemberRow,
  moveState,
  positionOf,
  reserveOf,
  walletOf,
} from './pool-rows.ts';
import { allocate } from './pools.rules.ts';
import { tellOfPools } from './tell-of-pools.ts';

/**
 * A closing pool without guarantees pays everybody out, whether they gave notice or not, shares its reserve by their positions, and is
 * closed. A claim on a borrower goes on: what comes back reaches the wallets of those who lost.
 */
export async function closeIfEmpty(tx: Tx, poolId: string): Promise<void> {
  const pool = await lockPool(tx, poolId);
  if (pool.state !== 'CLOSING' || pool.guarantees_count > 0) return;
  const members = await tx.sql<MemberRow[]>`
    select id, pool_id, user_id, sequence, joined_at, position_cents, locked_cents, notice_cents
    from pool_members where pool_id = ${poolId} and position_cents > 0 order by sequence`;
  const positions = members.map(({ position_cents }) => position_cents);
  const shares: readonly Cents[] = members.length === 0 ? [] : allocate(pool.reserve_cents, positions);
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

/** Pools that close, for the job. */
export async function closingPools(reader: Pick<Database, 'sql'>): Promise<string[]> {
  const rows = await reader.sql<{ id: string }[]>`
    select id from pools where state = 'CLOSING' and guarantees_count = 0 order by id limit 200`;
  return rows.map(({ id }) => id);
}
