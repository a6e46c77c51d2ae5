import type { poolFields } from '@ushirika/contract/pools';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { z } from 'zod';
import type { Tx } from '../../db/tx.ts';
import { keptSkeleton, refuseReservedName } from '../identity/reserved-names.ts';
import { defaultPoolSettings } from './pools.rules.ts';

/** Pools that one person may have forming at a time: names are not to be hoarded. */
const FORMING_MAX = 10;
/** Pools that wait for their review, of somebody who has joined no sacco: nobody answers for them. */
const WAITING_OUTSIDE_MAX = 1;

export type PoolFields = z.output<typeof poolFields>;

/**
 * Creates a pool that is FORMING and holds nothing; its creator is its steward, not its member: a member is who has
 * put money in. With a sacco the creator must belong to it, without one the pool is open to members of any sacco.
 * @throws Refusal `not_a_member`, `sacco_inactive`, `pool_name_taken`, `pools_forming_limit_reached`
 */
export async function createPool(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string | null; readonly fields: PoolFields },
): Promise<string> {
  const { saccoId, fields } = input;
  refuseReservedName(fields.name);
  if (saccoId !== null) await requireMember(tx, actor.userId, saccoId);
  await requireFewForming(tx, actor.userId);
  const id = tx.newId();
  const created = await tx.sql`
    insert into pools (id, sacco_id, name, name_skeleton, state, state_at, created_by, created_at)
    values (${id}, ${saccoId}, ${fields.name}, ${keptSkeleton(fields.name)}, 'FORMING', ${tx.now}, ${actor.userId}, ${tx.now})
    on conflict do nothing`;
  if (created.count === 0) {
    throw new Refusal('pool_name_taken', { errors: { name: [sentenceOf('pool_name_taken')] } });
  }
  if (saccoId === null) await requireFewOutside(tx, actor.userId);
  await writeParameters(tx, id, actor.userId, fields);
  await tx.sql`insert into pool_stewards (id, pool_id, user_id, since) values (${tx.newId()}, ${id}, ${actor.userId}, ${tx.now})`;
  await tx.sql`
    insert into pool_events (id, pool_id, kind, to_state, caused_by, at)
    values (${tx.newId()}, ${id}, 'created', 'FORMING', ${actor.userId}, ${tx.now})`;
  return id;
}

async function requireMember(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [sacco] = await tx.sql<{ state: string }[]>`
    select s.state from memberships m join saccos s on s.id = m.sacco_id
    where m.sacco_id = ${saccoId} and m.user_id = ${userId} and m.state in ('provisional', 'active')`;
  if (!sacco) throw new Refusal('not_a_member');
  if (sacco.state !== 'active') throw new Refusal('sacco_inactive');
}

/** Counts under the lock of the person's own row. */
async function requireFewForming(tx: Tx, userId: string): Promise<void> {
  await tx.sql`select from users where id = ${userId} for no key update`;
  const [row] = await tx.sql<{ forming: number }[]>`
    select count(*)::int as forming from pools where created_by = ${userId} and state = 'FORMING'`;
  if ((row?.forming ?? 0) >= FORMING_MAX) throw new Refusal('pools_forming_limit_reached');
}

/** Under the same lock, with the new one counted. */
async function requireFewOutside(tx: Tx, userId: string): Promise<void> {
  const [row] = await tx.sql<{ waiting: number; is_member: boolean }[]>`
    select count(*)::int as waiting,
      exists (select from memberships where user_id = ${userId} and state <> 'exited') as is_member
    from pools where created_by = ${userId} and sacco_id is null and review = 'waiting' and not is_public`;
  if (!row || row.is_member || row.waiting <= WAITING_OUTSIDE_MAX) return;
  throw new Refusal('pools_forming_limit_reached', {
    message: sentence('Your other pool waits for its review. Join a sacco to create more meanwhile.'),
  });
}

async function writeParameters(tx: Tx, poolId: string, userId: string, fields: PoolFields): Promise<void> {
  const settings = defaultPoolSettings;
  await tx.sql`
    insert into pool_parameters ${tx.sql({
      pool_id: poolId,
      valid_from: tx.now,
      min_contribution_cents: fields.min_contribution,
      min_contribution_perc: fields.min_contribution_perc,
      min_member_period_days: fields.min_member_period,
      base_risk: fields.base_risk_percentage,
      risk_weight_factor: fields.risk_weight_factor,
      min_trust_score: fields.min_trust_score,
      exposure_multiple: settings.exposureMultiple,
      kink: settings.kink,
      max_borrower_share: settings.maxBorrowerShare,
      max_cover: settings.maxCover,
      max_active_per_borrower: settings.maxActivePerBorrower,
      fee_members: settings.feeSplit.members,
      fee_reserve: settings.feeSplit.reserve,
      fee_sacco: settings.feeSplit.sacco,
      reserve_draw: settings.reserveDraw,
      notice_days: settings.noticeDays,
      auto_limit_cents: settings.autoLimit,
      auto_limit_share: settings.autoLimitShare,
      rate_cap: settings.rateCap,
      changed_by: userId,
    })}`;
}
