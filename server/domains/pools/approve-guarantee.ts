import type { Cents } from '@ushirika/contract/money';
import { PENDING_LOAN_DAYS } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { joined } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { reasonSaid } from './decline-reasons.ts';
import { locksOf } from './guarantee.rules.ts';
import { addContractEvents, after, changeMembers, changePools, DAY_MS, type PoolLocked } from './pool-rows.ts';
import { weightedExposure } from './pools.rules.ts';
import { type Judged, judge, type PoolNeeds, type RequestRow } from './request-guarantee.ts';

/** Judges a request once more, at the price that was quoted; to sign or approve it, under the pool's lock. */
export async function judgeSigned(
  tx: Pick<Tx, 'sql' | 'now'>,
  pool: PoolLocked,
  request: RequestRow,
  needs: PoolNeeds,
): Promise<Judged> {
  const asked = {
    userId: request.user_id,
    poolId: pool.id,
    amount: request.amount_cents,
    months: request.months,
    loanId: request.loan_id,
    requestId: request.id,
    askedAt: request.requested_at,
    signed: { riskWeight: request.risk_weight, isAutomatic: request.is_automatic },
  };
  return judge(tx, pool, asked, needs);
}

/** @throws Refusal `guarantee_declined` */
export function refuseDeclined({ judgement: { reasons }, askAgainAt }: Judged): void {
  if (reasons.length === 0) return;
  throw new Refusal('guarantee_declined', {
    message: joined(reasons.map((reason) => reasonSaid(reason, askAgainAt))),
    extra: { reasons: [...reasons] },
  });
}

/**
 * Approves a signed request: the locks are taken, of the borrower's own position first and of what others have free in
 * proportion, and the contract waits 14 days for its loan. The money of whoever came in after the request stays free where the rest is
 * enough: else an official who joins then could decide nothing about the loan. The pool is locked, and all gates hold.
 */
export async function approveGuarantee(
  tx: Tx,
  { pool, request, approvedBy }: { pool: PoolLocked; request: RequestRow; approvedBy: string | null },
): Promise<string> {
  const all = await tx.sql<{ id: string; free: Cents; is_late: boolean }[]>`
    select id, position_cents - locked_cents - notice_cents as free, joined_at > ${request.requested_at} as is_late
    from pool_members
    where pool_id = ${pool.id} and id <> ${request.member_id} and position_cents > locked_cents + notice_cents
    order by sequence`;
  const inTime = all.filter(({ is_late }) => !is_late);
  const isEnough = inTime.reduce((sum, { free }) => sum + free, 0) >= request.amount_cents - request.own_lock_cents;
  const others = isEnough ? inTime : all;
  const locks = locksOf(
    request.amount_cents,
    request.own_lock_cents,
    others.map(({ id, free }) => ({ memberId: id, free })),
  );
  if (request.own_lock_cents > 0) locks.unshift({ memberId: request.member_id, cents: request.own_lock_cents });
  const contractId = await insertContract(tx, pool, request, approvedBy);
  await tx.sql`
    insert into pool_locks (contract_id, member_id, initial_cents, current_cents)
    select ${contractId}, id, cents, cents
    from unnest(${texts(locks.map(({ memberId }) => memberId))}::uuid[], ${integers(locks.map(({ cents }) => cents))}::bigint[])
      as each (id, cents)`;
  await changeMembers(
    tx,
    locks.map(({ memberId, cents }) => ({ memberId, locked: cents })),
  );
  await changePools(tx, [
    {
      poolId: pool.id,
      locked: request.amount_cents,
      guaranteed: request.amount_cents,
      weighted: weightedExposure(request.amount_cents, request.risk_weight),
      guarantees: 1,
    },
  ]);
  await tx.sql`
    update pool_requests set state = 'APPROVED', state_at = ${tx.now}, expires_at = null where id = ${request.id}`;
  await addContractEvents(tx, [{ contractId, event: 'approved', amount: request.amount_cents, by: approvedBy }]);
  return contractId;
}

async function insertContract(
  tx: Tx,
  pool: PoolLocked,
  request: RequestRow,
  approvedBy: string | null,
): Promise<string> {
  const id = tx.newId();
  await tx.sql`
    insert into pool_contracts ${tx.sql({
      id,
      request_id: request.id,
      pool_id: pool.id,
      member_id: request.member_id,
      user_id: request.user_id,
      loan_id: request.loan_id,
      sacco_id: request.sacco_id ?? pool.sacco_id,
      amount_cents: request.amount_cents,
      outstanding_cents: request.amount_cents,
      weighted_cents: weightedExposure(request.amount_cents, request.risk_weight),
      months: request.months,
      risk_weight: request.risk_weight,
      rate: request.rate,
      fee_cents: request.fee_cents,
      fee_members: pool.fee_members,
      fee_reserve: pool.fee_reserve,
      fee_sacco: pool.fee_sacco,
      reserve_draw: pool.reserve_draw,
      state: 'PENDING_LOAN',
      state_at: tx.now,
      approved_at: tx.now,
      approved_by: approvedBy,
      use_by: after(tx.now, PENDING_LOAN_DAYS * DAY_MS),
    })}`;
  return id;
}
