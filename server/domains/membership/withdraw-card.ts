import type { Tx } from '../../db/tx.ts';
import { withdrawIdentityCheck } from '../identity/withdraw-identity-check.ts';
import { tellOfWithdrawnCard } from './tell-of-withdrawn-card.ts';

/**
 * An official takes a record of their sacco back that an ID card was seen. The member and those who supervise the officials are told. Runs as
 * the platform.
 * @throws Refusal those of `withdrawIdentityCheck`
 */
export async function withdrawCard(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly checkId: string; readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const { userId } = await withdrawIdentityCheck(tx, actor, input);
  const { saccoId } = input;
  await tellOfWithdrawnCard(tx, { userId, saccoId, withdrawnBy: actor.userId, isByOperator: false });
}
