import type { Cents } from '@ushirika/contract/money';
import type { PoolContractState, PoolRequestState, PoolState } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { addContractEvents, callableFrom, type PoolLocked } from './pool-rows.ts';
import { lockRequest, refuseForeign } from './request-guarantee.ts';

/*
 * What loans ask pools about a loan, and how a loan gets its guarantee. The loan's row is locked by whoever calls, and the pool's
 * after it: pools are locked before ledger accounts (decision 5 of the brief: sacco, pool, loan, guarantees, accounts).
 */

/** A pool's guarantee for one loan. */
export interface PoolCover {
  readonly requestId: string;
  readonly contractId: string | null;
  readonly poolId: string;
  readonly poolName: string;
  readonly poolState: PoolState;
  /** `QUOTED` and `IN_REVIEW` cover nothing yet. */
  readonly requestState: PoolRequestState;
  readonly state: PoolContractState | null;
  readonly amount: Cents;
  /** What is guaranteed, and locked, now. */
  readonly outstanding: Cents;
  readonly months: number;
  /** Hundredths of a percent a year. */
  readonly rate: number;
  /** Taken from the borrower's wallet when the loan is paid out. */
  readonly fee: Cents;
  readonly quoteHash: string;
  readonly askedAt: Date;
  readonly answerBy: Date | null;
  readonly signedAt: Date | null;
  /** What the pool has paid and has not got back. */
  readonly claim: Cents;
  /** What was paid when it was called, the borrower's own position first; and what the borrower has paid back since. */
  readonly paid: Cents;
  readonly recovered: Cents;
  /** From when a demand may be called; null before the demand. */
  readonly callableFrom: Date | null;
}

interface CoverRow {
  loan_id: string;
  request_id: string;
  contract_id: string | null;
  pool_id: string;
  pool_name: string;
  pool_state: PoolState;
  request_state: PoolRequestState;
  state: PoolContractState | null;
  amount_cents: Cents;
  outstanding_cents: Cents | null;
  months: number;
  rate: number;
  fee_cents: Cents;
  quote_hash: string;
  requested_at: Date;
  expires_at: Date | null;
  signed_at: Date | null;
  owed_cents: Cents | null;
  paid_cents: Cents | null;
  recovered_cents: Cents | null;
  demanded_at: Date | null;
}

/** The pools' guarantees for some loans, by the loan's id: at most one each. Asked of the platform. */
export async function poolCoversOf(
  tx: Pick<Tx, 'sql'>,
  loanIds: readonly string[],
): Promise<ReadonlyMap<string, PoolCover>> {
  if (loanIds.length === 0) return new Map();
  const rows = await tx.sql<CoverRow[]>`
    select r.loan_id, r.id as request_id, c.id as contract_id, r.pool_id, p.name as pool_name, p.state as pool_state, r.state as request_state, c.state,
      r.amount_cents, c.outstanding_cents, r.months, r.rate, r.fee_cents, r.quote_hash, r.requested_at, r.expires_at,
      r.signed_at, c.claim_cents - c.recovered_cents as owed_cents, c.paid_cents, c.recovered_cents, c.demanded_at
    from pool_requests r
    join pools p on p.id = r.pool_id
    left join pool_contracts c on c.request_id = r.id
    where r.loan_id = any (${texts([...new Set(loanIds)])}::uuid[]) and r.state in ('QUOTED', 'IN_REVIEW', 'APPROVED')`;
  return new Map(rows.map((row) => [row.loan_id, coverOf(row)]));
}

function coverOf(row: CoverRow): PoolCover {
  return {
    requestId: row.request_id,
    contractId: row.contract_id,
    poolId: row.pool_id,
    poolName: row.pool_name,
    poolState: row.pool_state,
    requestState: row.request_state,
    state: row.state,
    amount: row.amount_cents,
    outstanding: row.outstanding_cents ?? 0,
    months: row.months,
    rate: row.rate,
    fee: row.fee_cents,
    quoteHash: row.quote_hash,
    askedAt: row.requested_at,
    answerBy: row.expires_at,
    signedAt: row.signed_at,
    claim: row.owed_cents ?? 0,
    paid: row.paid_cents ?? 0,
    recovered: row.recovered_cents ?? 0,
    callableFrom: callableFrom(row),
  };
}

/** The same for one loan; null without one. */
export async function poolCoverOf(tx: Pick<Tx, 'sql'>, loanId: string): Promise<PoolCover | null> {
  return (await poolCoversOf(tx, [loanId])).get(loanId) ?? null;
}

export interface Attached {
  readonly requestId: string;
  readonly userId: string;
  readonly loanId: string;
  readonly saccoId: string;
  readonly principal: Cents;
  readonly months: number;
}

/**
 * An application names the guarantee that was quoted, or approved, for it. It covers the loan once it is signed and approved. Months
 * are the loan's, and it is at most the part of the principal that the pool covers.
 * @throws Refusal `not_found`, `pool_request_conflict`
 */
export async function attachGuarantee(tx: Tx, attached: Attached): Promise<PoolCover> {
  const { request, pool } = await lockRequest(tx, attached.requestId);
  if (request.user_id !== attached.userId) throw new Refusal('not_found');
  const isOver = request.state === 'DECLINED' || request.state === 'CANCELLED' || request.state === 'EXPIRED';
  const isLate = request.state !== 'APPROVED' && (request.expires_at === null || request.expires_at <= tx.now);
  const isAnothers = request.loan_id !== null && request.loan_id !== attached.loanId;
  if (isOver || isLate || isAnothers) throw new Refusal('pool_request_conflict');
  refuseForeign(pool, attached.saccoId);
  refuseNotOpen(pool);
  refuseTerms(request, await maxCoverOf(tx, pool, request.id), attached);
  const [taken] = await tx.sql<{ state: PoolContractState }[]>`
    update pool_contracts set loan_id = ${attached.loanId}, sacco_id = ${attached.saccoId}
    where request_id = ${request.id} and state = 'PENDING_LOAN' returning state`;
  if (request.state === 'APPROVED' && !taken) throw new Refusal('pool_request_conflict');
  await tx.sql`
    update pool_requests set loan_id = ${attached.loanId}, sacco_id = ${attached.saccoId} where id = ${request.id}`;
  const cover = await poolCoverOf(tx, attached.loanId);
  if (!cover) throw new Error('The guarantee that was just attached is not there.');
  if (cover.contractId !== null) {
    await addContractEvents(tx, [{ contractId: cover.contractId, event: 'attached', by: attached.userId }]);
  }
  return cover;
}

/** Only an open pool takes on a loan (pools-voting-anchoring.md A2, A5). @throws Refusal `pool_request_conflict` */
function refuseNotOpen(pool: Pick<PoolLocked, 'name' | 'state'>): void {
  if (pool.state === 'OPEN') return;
  throw new Refusal('pool_request_conflict', {
    message: sentence('The pool {name} is not open: it takes on no new loan now.', { name: pool.name }),
  });
}

/** The largest part of a loan: of a guarantee that is approved as it was then, else as it is now (docs/decisions/198). */
async function maxCoverOf(tx: Tx, pool: PoolLocked, requestId: string): Promise<number> {
  const [then] = await tx.sql<{ max_cover: number }[]>`
    select t.max_cover from pool_contracts c join pool_parameters t on t.pool_id = c.pool_id and t.valid_from <= c.approved_at
    where c.request_id = ${requestId} order by t.valid_from desc limit 1`;
  return then?.max_cover ?? pool.max_cover;
}

/** Months and amount of a guarantee fit the loan's. */
function refuseTerms(
  request: { readonly months: number; readonly amount_cents: Cents },
  maxCover: number,
  { principal, months }: Pick<Attached, 'principal' | 'months'>,
): void {
  if (request.months !== months) {
    throw new Refusal('pool_request_conflict', {
      message: sentence('The guarantee is over other months than the loan.'),
    });
  }
  if (BigInt(request.amount_cents) * 10_000n > BigInt(principal) * BigInt(maxCover)) {
    throw new Refusal('pool_request_conflict', {
      message: sentence('A pool covers only a part of a loan, and this is more.'),
    });
  }
}
