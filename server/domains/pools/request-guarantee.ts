import type { Cents } from '@ushirika/contract/money';
import { type DeclineReason, PENDING_LOAN_DAYS, QUOTE_HOURS } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Fragment, ISql } from 'postgres';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { hasIdentitySeen } from '../identity/identity-checks.ts';
import type { RelativesOf } from '../identity/related-pairs.types.ts';
import { areTwoPeople, samePersonAmong } from '../identity/second-account.ts';
import { NOT_IN } from './deposit-to-pool.ts';
import { type Asked, type BorrowerNow, type Judgement, judgeGuarantee } from './guarantee.rules.ts';
import { stewardsLeft, stewardsOfPool, voicesForRequest } from './pool-access.ts';
import {
  after,
  DAY_MS,
  HOUR_MS,
  lockPool,
  type MemberRow,
  memberNowOf,
  memberOf,
  type PoolLocked,
  poolNowOf,
  readPoolRows,
} from './pool-rows.ts';
import { hashOfTerms, WORDING, type Wording } from './signed-terms.ts';
import { tellOfPools } from './tell-of-pools.ts';
import { type Trust, type TrustInputs, trustOf } from './trust.rules.ts';
import { type HistoriesOf, keepSnapshots, trustInputsOf } from './trust-score.ts';

/** Days for which a guarantee stays locked beyond its fourteen while an application that names it is under way. */
export const ATTACHED_DAYS_MORE = 46;
/** The least for which a borrower waits after a guarantee that no loan used, however soon it was given back. */
const UNUSED_WAIT_DAYS = 1;
/** Longer than this none is locked without a loan, with some days in which a job may be late. */
const UNUSED_DAYS_MOST = PENDING_LOAN_DAYS + ATTACHED_DAYS_MORE + 30;

/** A loan's application as pools need it; null where there is none of that person that waits. */
export type ApplicationOf = (
  tx: Pick<Tx, 'sql' | 'now'>,
  asked: { readonly loanId: string; readonly userId: string },
) => Promise<{ readonly saccoId: string; readonly principal: Cents; readonly months: number } | null>;

/** Whether anybody without money in a pool could decide about a loan that it backs; of loans. */
export type MayDecide = (
  tx: Pick<Tx, 'sql' | 'now'>,
  asked: {
    readonly saccoId: string;
    readonly poolId: string;
    readonly userId: string;
    /** The loan's, or at least that much. */
    readonly principal: Cents;
    /** For a request that was made: when. Whoever has come into the pool since loses nothing with its loan. */
    readonly askedAt?: Date;
  },
) => Promise<boolean>;

/** Whether enough officials of a sacco could still decide about loans that its pool backs, once somebody joins it; of loans. */
export type MayJoin = (
  tx: Pick<Tx, 'sql' | 'now'>,
  asked: { readonly saccoId: string; readonly poolId: string; readonly userId: string },
) => Promise<boolean>;

/** The functions of later domains, which `server/domains.ts` hands in. */
export interface PoolNeeds {
  readonly historiesOf: HistoriesOf;
  readonly applicationOf: ApplicationOf;
  readonly relativesOf: RelativesOf;
  readonly mayBeDecided: MayDecide;
  readonly mayJoin: MayJoin;
}

export const noNeeds: PoolNeeds = {
  historiesOf: async () => new Map(),
  applicationOf: async () => null,
  relativesOf: async () => [],
  mayBeDecided: async () => true,
  mayJoin: async () => true,
};

export interface GuaranteeAsked {
  readonly userId: string;
  readonly poolId: string;
  readonly amount: Cents;
  readonly months: number;
  readonly loanId: string | null;
  /** The request that is judged once more; the others of the borrower count besides. */
  readonly requestId?: string;
  /** When it was made. */
  readonly askedAt?: Date;
}

export interface Judged {
  readonly pool: PoolLocked;
  readonly member: MemberRow;
  readonly inputs: TrustInputs;
  readonly trust: Trust;
  readonly judgement: Judgement;
  /** The sacco of the loan that was named. */
  readonly saccoId: string | null;
  /** From when on the borrower may ask again, where a reason has a day. */
  readonly askAgainAt: Date | null;
}

/**
 * Judges a guarantee by what holds now: for a dry run and a request without the pool's lock, for an acceptance with it.
 * @throws Refusal `not_found`, `not_a_pool_member`, `pool_request_conflict` for a loan of another sacco than the pool's
 */
export async function judge(
  tx: Pick<Tx, 'sql' | 'now'>,
  pool: PoolLocked,
  asked: GuaranteeAsked & Pick<Asked, 'signed'>,
  needs: PoolNeeds,
): Promise<Judged> {
  const member = await memberOf(tx, pool.id, asked.userId);
  if (!member || member.position_cents === 0) throw new Refusal('not_a_pool_member', { message: NOT_IN });
  const [inputs, seen, facts, loan] = await Promise.all([
    trustInputsOf(tx, [asked.userId], needs.historiesOf),
    hasIdentitySeen(tx, [asked.userId], pool.sacco_id),
    factsOf(tx, pool, asked, needs),
    loanFor(tx, pool, asked, needs),
  ]);
  const own = inputs.get(asked.userId);
  if (!own) throw new Refusal('not_found');
  const saccoId = loan?.saccoId ?? null;
  const trust = trustOf(own);
  const borrower: BorrowerNow = {
    ...facts,
    trustScore: trust.score,
    isIdentitySeen: seen.has(asked.userId),
    isPhoneConfirmed: own.isPhoneConfirmed,
    daysPastDue: own.repayment.daysPastDue,
    isUndecidable: await isUndecidable(tx, pool, { ...asked, saccoId, principal: loan?.principal ?? null }, needs),
  };
  const wanted = {
    amount: asked.amount,
    months: asked.months,
    principal: loan?.principal ?? null,
    ...(asked.signed ? { signed: asked.signed } : {}),
  };
  const judgement = judgeGuarantee(poolNowOf(pool), memberNowOf(member), borrower, wanted, tx.now);
  return { pool, member, inputs: own, trust, judgement, saccoId, askAgainAt: facts.undrawnUntil ?? facts.unusedUntil };
}

/**
 * True where nobody could decide about the loan. A sacco can decide if enough of its officials have no money in the pool. The lender is
 * the loan's sacco, else the pool's. In an open pool, without a loan, it is any sacco of the borrower: they are asked in turn, until one can.
 */
async function isUndecidable(
  tx: Pick<Tx, 'sql' | 'now'>,
  pool: PoolLocked,
  asked: Pick<GuaranteeAsked, 'userId' | 'amount' | 'askedAt'> & {
    readonly saccoId: string | null;
    readonly principal: Cents | null;
  },
  needs: PoolNeeds,
): Promise<boolean> {
  const lender = asked.saccoId ?? pool.sacco_id;
  const lenders = lender === null ? await saccosOf(tx, asked.userId) : [lender];
  // The pool covers a part of a loan only: a larger loan may take more officials.
  const principal = asked.principal ?? Math.ceil((asked.amount * 10_000) / pool.max_cover);
  const { userId, askedAt } = asked;
  const about = { poolId: pool.id, userId, principal, ...(askedAt ? { askedAt } : {}) };
  for (const saccoId of lenders) {
    if (await needs.mayBeDecided(tx, { ...about, saccoId })) return false;
  }
  return lenders.length > 0;
}

async function saccosOf(tx: Pick<Tx, 'sql'>, userId: string): Promise<string[]> {
  const rows = await tx.sql<{ sacco_id: string }[]>`
    select m.sacco_id from memberships m join saccos s on s.id = m.sacco_id
    where m.user_id = ${userId} and m.state = 'active' and s.state = 'active' order by m.sacco_id`;
  return rows.map(({ sacco_id }) => sacco_id);
}

/** A loan that is named has to be the asker's own application, over as many months, at a sacco whose loans the pool guarantees. */
async function loanFor(
  tx: Pick<Tx, 'sql' | 'now'>,
  pool: Pick<PoolLocked, 'sacco_id'>,
  asked: GuaranteeAsked,
  needs: PoolNeeds,
): Promise<{ readonly saccoId: string; readonly principal: Cents } | null> {
  if (asked.loanId === null) return null;
  const loan = await needs.applicationOf(tx, { loanId: asked.loanId, userId: asked.userId });
  if (!loan || loan.months !== asked.months) throw new Refusal('not_found');
  refuseForeign(pool, loan.saccoId);
  return loan;
}

/** A sacco's pool guarantees loans of that sacco; an open one those of any. @throws Refusal `pool_request_conflict` */
export function refuseForeign(pool: Pick<PoolLocked, 'sacco_id'>, saccoId: string): void {
  if (pool.sacco_id === null || pool.sacco_id === saccoId) return;
  throw new Refusal('pool_request_conflict', {
    message: sentence('This pool guarantees loans of its own sacco only.'),
  });
}

type Facts = Omit<BorrowerNow, 'trustScore' | 'isIdentitySeen' | 'isPhoneConfirmed' | 'daysPastDue' | 'isUndecidable'>;

async function factsOf(
  tx: Pick<Tx, 'sql' | 'now'>,
  pool: PoolLocked,
  { userId, requestId }: Pick<GuaranteeAsked, 'userId' | 'requestId'>,
  needs: PoolNeeds,
): Promise<Facts> {
  const [[person], related, stewards] = await Promise.all([
    tx.sql<{ is_held: boolean; was_called: boolean; is_official: boolean }[]>`
      select coalesce(u.payout_held_until > ${tx.now}, false) as is_held,
        exists (select from pool_contracts c where c.user_id = u.id and c.settled_at > ${after(tx.now, -365 * DAY_MS)}) as was_called,
        exists (select from offices o where o.user_id = u.id and o.sacco_id = ${pool.sacco_id} and o.ended_at is null
                  and o.until > ${tx.now}) as is_official
      from users u where u.id = ${userId}`,
    isGuarded('pools.related_count_together') ? needs.relativesOf(tx, userId) : [],
    stewardsOfPool(tx, pool.id),
  ]);
  const together = await borrowersOf(tx, {
    poolId: pool.id,
    askerId: userId,
    relatives: related.map(({ id }) => id),
    without: requestId ?? null,
  });
  const own = together.find(({ user_id }) => user_id === userId);
  const isOneAtATime = isGuarded('pools.one_undrawn');
  // Whoever takes up somebody's referral code decides that alone: they wait for each other in one direction only.
  const brought = new Set(related.filter(({ isOnlyBrought }) => isOnlyBrought).map(({ id }) => id));
  const isBinding = (each: Borrowing) => each.undrawn_until !== null || each.unused_until !== null;
  return {
    isHeld: person?.is_held ?? false,
    wasCalledLately: person?.was_called ?? false,
    hasConflict: await isConflicted(tx, stewards, [userId, ...related.map(({ id }) => id)]),
    isInsider: stewards.length === 0 || stewards.includes(userId) || (person?.is_official ?? false),
    outstanding: together.reduce((sum, { outstanding }) => sum + outstanding, 0),
    contracts: own?.contracts ?? 0,
    undrawnUntil: isOneAtATime ? (own?.undrawn_until ?? null) : null,
    unusedUntil: isOneAtATime ? (own?.unused_until ?? null) : null,
    isBoundByRelative:
      isOneAtATime && together.some((each) => each !== own && !brought.has(each.user_id) && isBinding(each)),
  };
}

/** Nobody decides about their own request, nor about one of an account that is related to theirs. */
async function isConflicted(
  tx: Pick<Tx, 'sql'>,
  stewards: readonly string[],
  interested: readonly string[],
): Promise<boolean> {
  const needed = voicesForRequest(stewards.length);
  if (stewardsLeft(stewards, interested) < needed) return true;
  const left = stewards.filter((steward) => !interested.includes(steward));
  // Two accounts of one person agree once.
  return needed > 1 && !areTwoPeople(left, await samePersonAmong(tx, left));
}

interface Borrowing {
  readonly user_id: string;
  readonly outstanding: Cents;
  readonly contracts: number;
  /** Until when a guarantee that no loan has used yet holds the pool at the latest. */
  readonly undrawn_until: Date | null;
  /** Until when one that came to nothing keeps its borrower waiting: as long as the pool's money was locked for it. */
  readonly unused_until: Date | null;
}

/** In SQL: from when on the borrower of a guarantee that no loan used may ask the same pool again. */
export const waitAfterUnused = (sql: ISql, approvedAt: Fragment, endedAt: Fragment): Fragment =>
  sql`${endedAt} + greatest(${endedAt} - ${approvedAt}, make_interval(days => ${UNUSED_WAIT_DAYS}))`;

/**
 * Those of an asker and their relatives who have something of a pool or have asked it for something, but for one request.
 * A quote that nobody signed counts for the asker only: a relative could ask for one again and again.
 */
async function borrowersOf(
  tx: Pick<Tx, 'sql' | 'now'>,
  {
    poolId,
    askerId,
    relatives,
    without,
  }: {
    readonly poolId: string;
    readonly askerId: string;
    readonly relatives: readonly string[];
    readonly without: string | null;
  },
): Promise<Borrowing[]> {
  const theirs = tx.sql`pool_id = ${poolId} and user_id = any (${texts([askerId, ...relatives])}::uuid[])`;
  const askAgain = waitAfterUnused(tx.sql, tx.sql`approved_at`, tx.sql`ended_at`);
  return tx.sql<Borrowing[]>`
    select user_id, sum(outstanding)::bigint as outstanding, sum(contracts)::int as contracts,
      max(undrawn_until) as undrawn_until, max(unused_until) as unused_until
    from (
      select user_id, outstanding_cents as outstanding, 1 as contracts,
        case when loan_id is null then use_by else use_by + make_interval(days => ${ATTACHED_DAYS_MORE}) end as undrawn_until,
        null::timestamptz as unused_until
      from pool_contracts where ${theirs} and outstanding_cents > 0
      union all
      select user_id, 0, 0, null, ${askAgain}
      from pool_contracts
      where ${theirs} and state = 'RELEASED' and activated_at is null
        and ended_at > ${after(tx.now, -UNUSED_DAYS_MOST * DAY_MS)} and ${askAgain} > ${tx.now}
      union all
      select user_id, 0, 0, expires_at, null from pool_requests
      where ${theirs} and id is distinct from ${without}::uuid
        and (state = 'QUOTED' and expires_at > ${tx.now} and user_id = ${askerId} or state = 'IN_REVIEW')
    ) each group by user_id`;
}

/** The dry run: nothing is kept. */
export async function quoteOf(tx: Pick<Tx, 'sql' | 'now'>, asked: GuaranteeAsked, needs: PoolNeeds): Promise<Judged> {
  const [pool] = await readPoolRows(tx, [asked.poolId]);
  if (!pool) throw new Refusal('not_found');
  return judge(tx, pool, asked, needs);
}

const REQUESTS_A_DAY = 10;

/**
 * Asks for a guarantee: what was judged is kept with its score and price, as a quote for 72 hours, or declined with its reasons.
 * @throws Refusal `not_found`, `not_a_pool_member`, `pool_request_limit_reached`, `pool_request_conflict`
 */
export async function requestGuarantee(
  tx: Tx,
  asked: GuaranteeAsked & { readonly purpose: string },
  needs: PoolNeeds,
): Promise<string> {
  const pool = await lockPool(tx, asked.poolId);
  const { member, inputs, trust, judgement, saccoId, askAgainAt } = await judge(tx, pool, asked, needs);
  const [today] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from pool_requests
    where user_id = ${asked.userId} and pool_id = ${pool.id} and requested_at > ${after(tx.now, -DAY_MS)}`;
  if ((today?.count ?? 0) >= REQUESTS_A_DAY) throw new Refusal('pool_request_limit_reached');
  if (asked.loanId !== null) await refuseCovered(tx, asked.loanId);
  const [snapshot] = await keepSnapshots(tx, [{ userId: asked.userId, inputs, trust }]);
  const id = tx.newId();
  const state = judgement.reasons.length === 0 ? 'QUOTED' : 'DECLINED';
  await tx.sql`
    insert into pool_requests ${tx.sql({
      id,
      pool_id: pool.id,
      member_id: member.id,
      user_id: asked.userId,
      loan_id: asked.loanId,
      sacco_id: saccoId,
      amount_cents: asked.amount,
      months: asked.months,
      purpose: asked.purpose,
      state,
      state_at: tx.now,
      requested_at: tx.now,
      expires_at: state === 'QUOTED' ? after(tx.now, QUOTE_HOURS * HOUR_MS) : null,
      snapshot_id: snapshot as string,
      risk_weight: judgement.riskWeight,
      utilisation_after: judgement.utilisationAfter,
      crowding: judgement.crowding,
      rate: judgement.rate,
      fee_cents: judgement.fee,
      own_lock_cents: judgement.ownLock,
      is_automatic: judgement.isAutomatic,
      reasons: [...judgement.reasons],
      ask_again_at: askAgainAt,
      wording: WORDING,
      quote_hash: quoteHashOf({ id, asked, pool, judgement, trust, borrower: await nameAndNumber(tx, asked.userId) }),
    })}`;
  return id;
}

/** A loan has one guarantee of a pool at a time. */
async function refuseCovered(tx: Tx, loanId: string): Promise<void> {
  const taken = await tx.sql`
    select from pool_requests where loan_id = ${loanId} and state in ('QUOTED', 'IN_REVIEW', 'APPROVED')`;
  if (taken.length > 0) throw new Refusal('pool_request_conflict');
}

interface Quoted {
  readonly id: string;
  readonly asked: GuaranteeAsked & { readonly purpose: string };
  readonly pool: PoolLocked;
  readonly judgement: Judgement;
  readonly trust: Trust;
  readonly borrower: { readonly name: string; readonly number: string };
}

/** The name and account number of the person who asks for a quote. */
async function nameAndNumber(tx: Tx, userId: string): Promise<Quoted['borrower']> {
  const [row] = await tx.sql<{ name: string; number: string }[]>`
    select first_name || ' ' || last_name as name, account_number as number from users where id = ${userId}`;
  return row ?? { name: '', number: '' };
}

/** The exact terms that an acceptance signs. */
function quoteHashOf({ id, asked, pool, judgement, trust, borrower }: Quoted): string {
  return hashOfTerms({
    request: id,
    wording: WORDING,
    pool: pool.id,
    borrower: asked.userId,
    borrower_name: borrower.name,
    borrower_number: borrower.number,
    amount_cents: asked.amount,
    months: asked.months,
    purpose: asked.purpose,
    trust_score: trust.score,
    risk_weight: judgement.riskWeight,
    rate: judgement.rate,
    fee_cents: judgement.fee,
    own_lock_cents: judgement.ownLock,
    reserve_draw: pool.reserve_draw,
  });
}

export interface RequestRow {
  readonly id: string;
  readonly pool_id: string;
  readonly member_id: string;
  readonly user_id: string;
  readonly loan_id: string | null;
  readonly sacco_id: string | null;
  readonly amount_cents: Cents;
  readonly months: number;
  readonly purpose: string;
  readonly state: 'QUOTED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED' | 'IN_REVIEW' | 'APPROVED';
  readonly state_at: Date;
  readonly requested_at: Date;
  readonly expires_at: Date | null;
  readonly snapshot_id: string;
  readonly risk_weight: number;
  readonly utilisation_after: number;
  readonly crowding: number;
  readonly rate: number;
  readonly fee_cents: Cents;
  readonly own_lock_cents: Cents;
  readonly is_automatic: boolean;
  readonly reasons: DeclineReason[];
  readonly ask_again_at: Date | null;
  /** In which words its memorandum is written. */
  readonly wording: Wording;
  readonly quote_hash: string;
  readonly signed_name: string | null;
  readonly signed_at: Date | null;
  readonly memorandum_hash: string | null;
}

/** A request, once its pool is locked: what changes it holds that lock. */
export async function lockRequest(tx: Tx, requestId: string): Promise<{ request: RequestRow; pool: PoolLocked }> {
  const [found] = await tx.sql<{ pool_id: string }[]>`select pool_id from pool_requests where id = ${requestId}`;
  if (!found) throw new Refusal('not_found');
  const pool = await lockPool(tx, found.pool_id);
  const [request] = await tx.sql<RequestRow[]>`select * from pool_requests where id = ${requestId} for update`;
  if (!request) throw new Refusal('not_found');
  return { request, pool };
}

/**
 * Takes a request back that is not approved.
 * @throws Refusal `not_found`, `pool_request_conflict`
 */
export async function cancelPoolRequest(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly requestId: string },
): Promise<void> {
  const { request } = await lockRequest(tx, input.requestId);
  if (request.user_id !== actor.userId) throw new Refusal('not_found');
  if (request.state !== 'QUOTED' && request.state !== 'IN_REVIEW') throw new Refusal('pool_request_conflict');
  await endRequests(tx, [request.id], 'CANCELLED');
}

/** Ends requests that their borrower takes back, or that nobody signed or decided in time. */
export async function endRequests(tx: Tx, ids: readonly string[], state: 'CANCELLED' | 'EXPIRED'): Promise<void> {
  await tx.sql`
    update pool_requests set state = ${state}, state_at = ${tx.now}, expires_at = null
    where id = any (${texts(ids)}::uuid[])`;
}

/**
 * Ends all requests of a pool that wait for a signature or for the stewards, and tells their borrowers. The pool's lock is held, as by
 * whoever asks, signs or decides.
 */
export async function endWaitingRequests(
  tx: Tx,
  causedBy: string,
  pool: Pick<PoolLocked, 'id'>,
  why: { readonly reason: DeclineReason; readonly template: string; readonly text: Sentence },
): Promise<void> {
  const ended = await tx.sql<{ user_id: string }[]>`
    update pool_requests set state = 'DECLINED', state_at = ${tx.now}, expires_at = null, reasons = ${texts([why.reason])}::text[]
    where pool_id = ${pool.id} and state in ('QUOTED', 'IN_REVIEW') and expires_at > ${tx.now}
    returning user_id`;
  const people = [...new Set(ended.map(({ user_id }) => user_id))];
  await tellOfPools(
    tx,
    causedBy,
    people.map((userId) => ({ userId, template: why.template, text: why.text })),
  );
}
