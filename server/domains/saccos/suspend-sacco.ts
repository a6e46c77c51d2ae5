import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { SUSPENSION_MS } from '../identity/suspension.rules.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

/** So long after a suspension ended, no operator suspends the sacco again. */
const AGAIN_MS = 90 * 86_400_000;

/**
 * An operator suspends an active sacco for 14 days: joining, buying and saving stop; what members are owed goes on. It
 * lapses unless another operator upholds it (docs/decisions/200).
 * @throws Refusal `not_found`, `not_allowed` for one's own, `sacco_state_conflict` also within 90 days after a suspension
 */
export async function suspendSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state !== 'active') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: only one that is active can become suspended.', {
        state: stateSaid(sacco.state),
      }),
    });
  }
  await refuseSoonAgain(tx, sacco.id);
  const lapsesAt = new Date(tx.now.getTime() + SUSPENSION_MS);
  await tx.sql`
    insert into sacco_suspensions (id, sacco_id, suspended_by, suspended_at, reason, lapses_at)
    values (${tx.newId()}, ${sacco.id}, ${actor.userId}, ${tx.now}, ${input.reason}, ${lapsesAt})`;
  await changeState(tx, actor, { sacco, to: 'suspended', reason: input.reason });
}

/** Counted under the sacco's lock: two who suspend it at once take turns. */
async function refuseSoonAgain(tx: Tx, saccoId: string): Promise<void> {
  const since = new Date(tx.now.getTime() - AGAIN_MS);
  const [lately] = await tx.sql`
    select from sacco_suspensions where sacco_id = ${saccoId} and ended_at > ${since} limit 1`;
  if (!lately || !isGuarded('suspended_again')) return;
  throw new Refusal('sacco_state_conflict', {
    message: sentence('It was suspended before. It cannot be suspended again within 90 days after that ended.'),
  });
}
