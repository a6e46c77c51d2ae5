import { tidyName } from '@ushirika/contract/names';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { keptSkeleton, refuseReservedName } from '../identity/reserved-names.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { nameTaken, refuseTooManyWaiting, type SaccoParticulars } from './register-sacco.ts';

/** The founder of a rejected sacco mends its particulars; it waits for its activation again. */
export async function resubmitSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: SaccoParticulars & { readonly saccoId: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  if (sacco.created_by !== actor.userId)
    throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  if (sacco.state !== 'rejected') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('Only a rejected application can be submitted again.'),
    });
  }
  await refuseTooManyWaiting(tx, actor.userId);
  const name = tidyName(input.name);
  refuseReservedName(name);
  const skeleton = keptSkeleton(name);
  const [taken] = await tx.sql`
    select from saccos
    where state <> 'rejected' and id <> ${sacco.id}
      and (name_folded = lower(${name}) or name_skeleton = ${skeleton}
        or reg_no_folded = regexp_replace(upper(${input.regNo}), '[^A-Z0-9]', '', 'g'))`;
  if (taken) throw await nameTaken(tx, name, sacco.id);
  await tx.sql`
    update saccos
    set name = ${name}, name_skeleton = ${skeleton}, description = ${input.description}, reg_no = ${input.regNo}, type = ${input.type},
        reg_fee_cents = ${input.regFeeCents}, min_shares = ${input.minShares},
        share_value_cents = ${input.shareValueCents}, sasra_number = null
    where id = ${sacco.id}`;
  // What was seen for the old application, SASRA's number too, says nothing about the new one.
  await tx.sql`delete from sacco_checks where sacco_id = ${sacco.id}`;
  await changeState(tx, actor, { sacco: { ...sacco, name }, to: 'pending', reason: null }).catch((error: unknown) => {
    // Somebody took the name between the look and the change: two rejected ones may bear it, two that wait may not.
    throw (error as { code?: unknown }).code === '23505' ? new Refusal('sacco_name_taken') : error;
  });
}
