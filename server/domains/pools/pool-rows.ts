import type { Cents } from '@ushirika/contract/money';
import {
  DISPUTE_DAYS,
  type POOL_CONTRACT_EVENTS,
  type PoolContractState,
  type PoolState,
} from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { type AccountKey, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { integers, integersOrNulls, texts } from '../../ledger/sql-arrays.ts';
import type { MemberNow, PoolNow } from './guarantee.rules.ts';
import type { PoolParameters } from './signed-terms.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

export interface PoolLocked extends PoolParameters {
  readonly id: string;
  readonly name: string;
  readonly sacco_id: string | null;
  readonly state: PoolState;
  readonly state_at: Date;
  readonly created_by: string;
  readonly review: string;
  readonly is_public: boolean;
  readonly members_count: number;
  readonly positions_cents: Cents;
  readonly notice_cents: Cents;
  readonly queued_cents: Cents;
  readonly locked_cents: Cents;
  readonly reserve_cents: Cents;
  readonly unearned_cents: Cents;
  readonly guaranteed_cents: Cents;
  readonly weighted_cents: Cents;
  readonly guarantees_count: number;
}

/**
 * Takes the lock of pools, in the order of their ids, and reads them with the parameters that hold now. Whoever changes a
 * position, a notice, a lock or a guarantee does this first: two acceptances for the last capacity come one after the other.
 */
export async function lockPools(tx: Tx, poolIds: readonly string[]): Promise<Map<string, PoolLocked>> {
  if (poolIds.length === 0) return new Map();
  const ids = texts([...new Set(poolIds)]);
  if (isGuarded('pools.lock')) {
    await tx.sql`select from pools where id = any (${ids}::uuid[]) order by id for no key update`;
  }
  return new Map((await readPoolRows(tx, [...new Set(poolIds)])).map((row) => [row.id, row]));
}

export async function lockPool(tx: Tx, poolId: string): Promise<PoolLocked> {
  const pool = (await lockPools(tx, [poolId])).get(poolId);
  if (!pool) throw new Refusal('not_found');
  return pool;
}

/** As `lockPools`, without the lock: for dry runs. */
export async function readPoolRows(tx: Pick<Tx, 'sql' | 'now'>, poolIds: readonly string[]): Promise<PoolLocked[]> {
  return tx.sql<PoolLocked[]>`
    select p.*, terms.*, p.id as id
    from pools p
    cross join lateral (
      select * from pool_parameters t where t.pool_id = p.id and t.valid_from <= ${tx.now} order by t.valid_from desc limit 1
    ) terms
    where p.id = any (${texts(poolIds)}::uuid[])`;
}

export function poolNowOf(row: PoolLocked): PoolNow {
  return {
    state: row.state,
    positions: row.positions_cents,
    notice: row.notice_cents,
    queued: row.queued_cents,
    locked: row.locked_cents,
    weighted: row.weighted_cents,
    terms: {
      minContribution: row.min_contribution_cents,
      minContributionPerc: row.min_contribution_perc,
      minMemberPeriodDays: row.min_member_period_days,
      baseRisk: row.base_risk,
      riskWeightFactor: row.risk_weight_factor,
      minTrustScore: row.min_trust_score,
    },
    settings: {
      exposureMultiple: row.exposure_multiple,
      kink: row.kink,
      maxBorrowerShare: row.max_borrower_share,
      maxCover: row.max_cover,
      maxActivePerBorrower: row.max_active_per_borrower,
      feeSplit: { members: row.fee_members, reserve: row.fee_reserve, sacco: row.fee_sacco },
      reserveDraw: row.reserve_draw,
      noticeDays: row.notice_days,
      autoLimit: row.auto_limit_cents,
      autoLimitShare: row.auto_limit_share,
      rateCap: row.rate_cap,
    },
  };
}

export interface MemberRow {
  readonly id: string;
  readonly pool_id: string;
  readonly user_id: string;
  readonly sequence: number;
  readonly joined_at: Date;
  readonly position_cents: Cents;
  readonly locked_cents: Cents;
  readonly notice_cents: Cents;
}

export async function memberOf(tx: Pick<Tx, 'sql'>, poolId: string, userId: string): Promise<MemberRow | undefined> {
  const [row] = await tx.sql<MemberRow[]>`
    select id, pool_id, user_id, sequence, joined_at, position_cents, locked_cents, notice_cents
    from pool_members where pool_id = ${poolId} and user_id = ${userId}`;
  return row;
}

export const memberNowOf = (row: MemberRow): MemberNow => ({
  joinedAt: row.joined_at,
  position: row.position_cents,
  locked: row.locked_cents,
  notice: row.notice_cents,
});

/** Members by their ids, in the order of their sequence. */
export async function membersByIds(tx: Pick<Tx, 'sql'>, ids: readonly string[]): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  return tx.sql<MemberRow[]>`
    select id, pool_id, user_id, sequence, joined_at, position_cents, locked_cents, notice_cents
    from pool_members where id = any (${texts([...new Set(ids)])}::uuid[]) order by sequence`;
}

/** Changes of members' figures; `notice` counts queued notices too. */
export interface MemberChange {
  readonly memberId: string;
  readonly position?: Cents;
  readonly locked?: Cents;
  readonly notice?: Cents;
}

/** Adds to members' figures, whose pools are locked. One statement; a member may be named several times. */
export async function changeMembers(tx: Tx, changes: readonly MemberChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.sql`
    update pool_members m set position_cents = m.position_cents + c.position, locked_cents = m.locked_cents + c.locked,
      notice_cents = m.notice_cents + c.notice
    from (
      select id, sum(position)::bigint as position, sum(locked)::bigint as locked, sum(notice)::bigint as notice
      from unnest(${texts(changes.map(({ memberId }) => memberId))}::uuid[],
        ${integers(changes.map(({ position }) => position ?? 0))}::bigint[],
        ${integers(changes.map(({ locked }) => locked ?? 0))}::bigint[],
        ${integers(changes.map(({ notice }) => notice ?? 0))}::bigint[]) as each (id, position, locked, notice)
      group by id
    ) as c
    where m.id = c.id`;
}

/** Changes of a pool's running sums. `members` is how many more have a position. */
export interface PoolChange {
  readonly poolId: string;
  readonly members?: number;
  readonly positions?: Cents;
  readonly notice?: Cents;
  readonly queued?: Cents;
  readonly locked?: Cents;
  readonly reserve?: Cents;
  readonly unearned?: Cents;
  readonly guaranteed?: Cents;
  readonly weighted?: Cents;
  readonly guarantees?: number;
}

const of = (changes: readonly PoolChange[], name: Exclude<keyof PoolChange, 'poolId'>) =>
  integers(changes.map((change) => change[name] ?? 0));

export async function changePools(tx: Tx, changes: readonly PoolChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.sql`
    update pools p set members_count = p.members_count + c.members, positions_cents = p.positions_cents + c.positions,
      notice_cents = p.notice_cents + c.notice, queued_cents = p.queued_cents + c.queued,
      locked_cents = p.locked_cents + c.locked, reserve_cents = p.reserve_cents + c.reserve,
      unearned_cents = p.unearned_cents + c.unearned, guaranteed_cents = p.guaranteed_cents + c.guaranteed,
      weighted_cents = p.weighted_cents + c.weighted, guarantees_count = p.guarantees_count + c.guarantees
    from (
      select id, sum(members)::int as members, sum(positions)::bigint as positions, sum(notice)::bigint as notice,
        sum(queued)::bigint as queued, sum(locked)::bigint as locked, sum(reserve)::bigint as reserve,
        sum(unearned)::bigint as unearned, sum(guaranteed)::bigint as guaranteed, sum(weighted)::bigint as weighted,
        sum(guarantees)::int as guarantees
      from unnest(${texts(changes.map(({ poolId }) => poolId))}::uuid[], ${of(changes, 'members')}::bigint[],
        ${of(changes, 'positions')}::bigint[], ${of(changes, 'notice')}::bigint[], ${of(changes, 'queued')}::bigint[],
        ${of(changes, 'locked')}::bigint[], ${of(changes, 'reserve')}::bigint[], ${of(changes, 'unearned')}::bigint[],
        ${of(changes, 'guaranteed')}::bigint[], ${of(changes, 'weighted')}::bigint[], ${of(changes, 'guarantees')}::bigint[])
        as each (id, members, positions, notice, queued, locked, reserve, unearned, guaranteed, weighted, guarantees)
      group by id
    ) as c
    where p.id = c.id`;
}

/** A pool, whose lock is held, goes on to another state. */
export async function moveState(
  tx: Tx,
  pool: Pick<PoolLocked, 'id' | 'state'>,
  to: PoolState,
  by: { readonly userId: string | null; readonly reason?: string },
): Promise<void> {
  await tx.sql`update pools set state = ${to}, state_at = ${tx.now} where id = ${pool.id}`;
  await tx.sql`
    insert into pool_events (id, pool_id, kind, from_state, to_state, caused_by, reason, at)
    values (${tx.newId()}, ${pool.id}, 'state_changed', ${pool.state}, ${to}, ${by.userId}, ${by.reason ?? null}, ${tx.now})`;
}

export interface ContractRow {
  readonly id: string;
  readonly request_id: string;
  readonly pool_id: string;
  readonly member_id: string;
  readonly user_id: string;
  readonly loan_id: string | null;
  readonly sacco_id: string | null;
  readonly amount_cents: Cents;
  readonly outstanding_cents: Cents;
  readonly weighted_cents: Cents;
  readonly months: number;
  readonly risk_weight: number;
  readonly rate: number;
  readonly fee_cents: Cents;
  readonly fee_members: number;
  readonly fee_reserve: number;
  readonly fee_sacco: number;
  readonly reserve_draw: number;
  readonly fee_earned_cents: Cents;
  readonly fee_refunded_cents: Cents;
  readonly fee_to_reserve_cents: Cents;
  readonly months_earned: number;
  readonly earns_at: Date | null;
  readonly state: PoolContractState;
  readonly state_at: Date;
  readonly approved_at: Date;
  readonly use_by: Date | null;
  readonly activated_at: Date | null;
  readonly principal_at_start_cents: Cents | null;
  readonly demanded_at: Date | null;
  readonly reminded_day: number;
  readonly demand_not_before: Date | null;
  readonly settled_at: Date | null;
  readonly paid_cents: Cents;
  readonly own_paid_cents: Cents;
  readonly reserve_paid_cents: Cents;
  readonly claim_cents: Cents;
  readonly recovered_cents: Cents;
  readonly reserve_recovered_cents: Cents;
  readonly ended_at: Date | null;
}

export const LIVE_STATES = ['ACTIVE', 'RELEASING', 'DEMAND', 'DISPUTED', 'CALLED'] as const;

export interface LockRow {
  readonly contract_id: string;
  readonly member_id: string;
  readonly user_id: string;
  readonly sequence: number;
  readonly initial_cents: Cents;
  readonly current_cents: Cents;
  readonly lost_cents: Cents;
  readonly recovered_cents: Cents;
}

/** The locks of contracts, each in the order in which their members joined. */
export async function locksByContract(
  tx: Pick<Tx, 'sql'>,
  contractIds: readonly string[],
): Promise<Map<string, LockRow[]>> {
  if (contractIds.length === 0) return new Map();
  const rows = await tx.sql<LockRow[]>`
    select l.*, m.user_id, m.sequence from pool_locks l join pool_members m on m.id = l.member_id
    where l.contract_id = any (${texts(contractIds)}::uuid[]) order by l.contract_id, m.sequence`;
  return Map.groupBy(rows, ({ contract_id }) => contract_id);
}

export interface NewEvent {
  readonly contractId: string;
  readonly event: (typeof POOL_CONTRACT_EVENTS)[number];
  readonly amount?: Cents | null;
  readonly by?: string | null;
  readonly reason?: string | null;
}

export async function addContractEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.sql`
    insert into pool_contract_events (id, contract_id, event, amount_cents, caused_by, reason, at)
    select id, contract_id, event, amount, by, reason, ${tx.now}
    from unnest(${texts(events.map(() => tx.newId()))}::uuid[], ${texts(events.map(({ contractId }) => contractId))}::uuid[],
      ${texts(events.map(({ event }) => event))}::text[], ${integersOrNulls(events.map(({ amount }) => amount ?? null))}::bigint[],
      ${texts(events.map(({ by }) => by ?? null))}::uuid[], ${texts(events.map(({ reason }) => reason ?? null))}::text[])
      as each (id, contract_id, event, amount, by, reason)`;
}

export const walletOf = (owner: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner });
export const positionOf = (memberId: string): AccountKey => ({
  book: PLATFORM_BOOK,
  kind: 'pool_position',
  owner: memberId,
});
export const reserveOf = (poolId: string): AccountKey => ({ book: PLATFORM_BOOK, kind: 'pool_reserve', owner: poolId });
export const unearnedOf = (poolId: string): AccountKey => ({
  book: PLATFORM_BOOK,
  kind: 'pool_fees_unearned',
  owner: poolId,
});

/** From when a demand may be paid: the pool has had its days to dispute it. */
export const callableFrom = (row: Pick<ContractRow, 'demanded_at'>): Date | null =>
  row.demanded_at === null ? null : after(row.demanded_at, DISPUTE_DAYS * DAY_MS);
