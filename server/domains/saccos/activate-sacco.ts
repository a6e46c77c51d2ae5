import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence, several, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { activationChecklist } from './activation-checklist.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

export interface Activation {
  readonly state: SaccoState;
  /** True when a second operator must still confirm. */
  readonly isWaitingForSecond: boolean;
  /** The points of the checklist that were open, by their names. */
  readonly open: readonly string[];
}

/**
 * An operator activates a registered sacco. With `strict`, every point of the checklist must be met, and two different
 * operators must say so: the first word is kept, the second activates. A first word of somebody who is no operator any
 * more does not count: the next one takes its place. Nobody activates a sacco of their own.
 */
export async function activateSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string; readonly strict: boolean },
): Promise<Activation> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state !== 'pending') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: only a pending one is activated.', { state: stateSaid(sacco.state) }),
    });
  }
  const open = (await activationChecklist(tx, sacco.id)).filter(({ met }) => !met);
  if (input.strict) {
    if (open.length > 0) {
      throw new Refusal('sacco_state_conflict', {
        message: sentence('Still open: {points}.', {
          points: several(
            open.map(({ label }) => label),
            '; ',
          ),
        }),
      });
    }
    if (sacco.confirmed_by === actor.userId) throw new Refusal('second_operator_required');
    if (!(await isOperator(tx, sacco.confirmed_by))) {
      await tx.sql`
        update saccos set confirmed_by = ${actor.userId}, confirmed_at = ${tx.now} where id = ${sacco.id}`;
      return { state: 'pending', isWaitingForSecond: true, open: [] };
    }
  }
  const openPoints = open.map(({ point }) => point);
  await changeState(tx, actor, { sacco, to: 'active', reason: input.reason, openPoints });
  return { state: 'active', isWaitingForSecond: false, open: openPoints };
}

async function isOperator(tx: Tx, userId: string | null): Promise<boolean> {
  const [operator] = await tx.sql`select from operators where user_id = ${userId}::uuid and revoked_at is null`;
  return operator !== undefined;
}
