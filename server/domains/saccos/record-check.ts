import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';
import type { PointByHand } from './saccos.rules.ts';

/** An operator notes that a point of the activation checklist was looked at, and what was seen. */
export async function recordCheck(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly saccoId: string;
    readonly point: PointByHand;
    readonly note: string;
    /** With `authorisation`: SASRA's number, from then on published. */
    readonly sasraNumber: string | null;
  },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state === 'rejected') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The application was rejected; it must be submitted again first.'),
    });
  }
  await tx.sql`
    insert into sacco_checks (sacco_id, point, note, checked_by, checked_at)
    values (${sacco.id}, ${input.point}, ${input.note}, ${actor.userId}, ${tx.now})
    on conflict (sacco_id, point) do update
    set note = excluded.note, checked_by = excluded.checked_by, checked_at = excluded.checked_at`;
  if (input.point === 'authorisation' && input.sasraNumber !== null) {
    await tx.sql`update saccos set sasra_number = ${input.sasraNumber} where id = ${sacco.id}`;
  }
}
