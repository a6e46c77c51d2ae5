import { Refusal } from '@ushirika/contract/refusal';
import { longDate, sentence, stateSaid } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { SUSPENSION_MS } from '../identity/suspension.rules.ts';
import { tellPeople } from './change-officials.ts';
import { changeState } from './change-state.ts';
import { type LockedSacco, lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

/** So long after a suspension ended, one operator alone does not suspend the sacco again. */
const AGAIN_MS = 90 * 86_400_000;
/** So many saccos at a time does one operator alone keep suspended. */
export const SUSPENDED_ALONE_MAX = 3;
/** The first half of the advisory locks under which the suspensions of one operator are counted. */
const countingSuspensions = 7262;

/**
 * An operator suspends an active sacco for 14 days: joining, buying, selling, saving and new loans stop; members repay, withdraw and vote
 * as before. It lapses unless another operator upholds it (docs/decisions/200).
 * @returns whether it is suspended; false within 90 days after a suspension ended, and for the fourth sacco that is suspended by this
 *   operator alone: two operators must agree (`suspendByTwo`), and nothing was done
 * @throws Refusal `not_found`, `not_allowed` for one's own, `sacco_state_conflict`
 */
export async function suspendSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<boolean> {
  const sacco = await examineSuspension(tx, actor, input.saccoId);
  if ((await wasSuspendedLately(tx, sacco.id)) || (await hasSuspendedMany(tx, actor))) return false;
  const lapsesAt = lapseOf(tx);
  await tx.sql`
    insert into sacco_suspensions (id, sacco_id, suspended_by, suspended_at, reason, lapses_at)
    values (${tx.newId()}, ${sacco.id}, ${actor.userId}, ${tx.now}, ${input.reason}, ${lapsesAt})`;
  await changeState(tx, actor, { sacco, to: 'suspended', reason: input.reason, lapsesAt });
  await tellOperators(tx, actor, { sacco, lapsesAt });
  return true;
}

/** Those who may uphold it: none who founded the sacco, belongs to it or holds an office there. */
async function tellOperators(
  tx: Tx,
  { userId }: { readonly userId: string },
  { sacco, lapsesAt }: { readonly sacco: LockedSacco; readonly lapsesAt: Date },
): Promise<void> {
  const others = await tx.sql<{ user_id: string }[]>`
    select o.user_id from operators o
    where o.revoked_at is null and o.user_id <> ${userId} and o.user_id <> ${sacco.created_by}
      and not exists (select from memberships m where m.sacco_id = ${sacco.id} and m.user_id = o.user_id and m.state <> 'exited')
      and not exists (select from offices h where h.sacco_id = ${sacco.id} and h.user_id = o.user_id and h.ended_at is null)
    order by o.user_id`;
  const text = sentence(
    '{name}: another operator has suspended it. Look at it. Uphold the suspension, or it ends on {day}.',
    { name: sacco.name, day: longDate(lapsesAt) },
  );
  await tellPeople(
    tx,
    userId,
    others.map((operator) => operator.user_id),
    { template: 'sacco_suspension_to_uphold', text },
  );
}

/**
 * Two operators suspend a sacco: one proposed it (`proposedBy`, `reason`), another confirmed it (operator/proposals.ts). It is
 * upheld as it begins, and stands until two operators reinstate the sacco.
 * @throws Refusal `not_found`, `sacco_state_conflict`
 */
export async function suspendByTwo(
  tx: Tx,
  input: {
    readonly saccoId: string;
    readonly proposedBy: string;
    readonly reason: string;
    readonly confirmedBy: string;
    readonly confirmation: string;
  },
): Promise<void> {
  const { proposedBy, confirmedBy, reason, confirmation } = input;
  const actor = { userId: confirmedBy };
  const sacco = await examineSuspension(tx, actor, input.saccoId);
  await tx.sql`
    insert into sacco_suspensions
      (id, sacco_id, suspended_by, suspended_at, reason, lapses_at, upheld_by, upheld_at, upheld_reason)
    values (${tx.newId()}, ${sacco.id}, ${proposedBy}, ${tx.now}, ${reason}, ${lapseOf(tx)}, ${confirmedBy}, ${tx.now},
            ${confirmation})`;
  await changeState(tx, actor, { sacco, to: 'suspended', reason, lapsesAt: null });
}

/**
 * Locks a sacco that an operator would suspend.
 * @throws Refusal `not_found`, `not_allowed` for one's own, `sacco_state_conflict` unless it is active
 */
export async function examineSuspension(
  tx: Tx,
  actor: { readonly userId: string },
  saccoId: string,
): Promise<LockedSacco> {
  const sacco = await lockSacco(tx, saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state === 'active') return sacco;
  throw new Refusal('sacco_state_conflict', {
    message: sentence('The sacco is {state}: only one that is active can become suspended.', {
      state: stateSaid(sacco.state),
    }),
  });
}

/** Counted under the sacco's lock: two who suspend it at once take turns. */
async function wasSuspendedLately(tx: Tx, saccoId: string): Promise<boolean> {
  const since = new Date(tx.now.getTime() - AGAIN_MS);
  const [lately] = await tx.sql`
    select from sacco_suspensions where sacco_id = ${saccoId} and ended_at > ${since} limit 1`;
  return lately !== undefined && isGuarded('suspended_again');
}

/** Those that another operator upheld do not count, nor those that have ended or never lapse. */
async function hasSuspendedMany(tx: Tx, { userId }: { readonly userId: string }): Promise<boolean> {
  await tx.sql`select pg_advisory_xact_lock(${countingSuspensions}, hashtext(${userId}))`;
  const [row] = await tx.sql<{ alone: number }[]>`
    select count(*)::int as alone from sacco_suspensions
    where suspended_by = ${userId} and ended_at is null and upheld_by is null and lapses_at > ${tx.now}`;
  return (row?.alone ?? 0) >= SUSPENDED_ALONE_MAX;
}

const lapseOf = (tx: Tx) => new Date(tx.now.getTime() + SUSPENSION_MS);
