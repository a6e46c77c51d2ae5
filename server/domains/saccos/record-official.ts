import { Refusal } from '@ushirika/contract/refusals';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { lockSacco } from './lock-sacco.ts';
import { OFFICE_NAMES, openOffice } from './offices.ts';

/**
 * The founder names an official while the sacco waits for its activation. Once it is active, offices change hands by the
 * members' vote, or by an operator on the strength of the minutes; not by its founder alone.
 */
export async function recordOfficial(
  tx: Tx,
  actor: { readonly userId: string; readonly isOperator: boolean },
  input: { readonly saccoId: string; readonly idNumber: string; readonly office: Office },
): Promise<{ readonly name: string }> {
  const sacco = await lockSacco(tx, input.saccoId);
  if (sacco.created_by !== actor.userId && !actor.isOperator) {
    if (sacco.state === 'rejected') throw new Refusal('not_found', { message: 'There is no such sacco.' });
    throw new Refusal('not_allowed', { message: 'Only the founder names the first officials.' });
  }
  if (sacco.state === 'rejected' || (sacco.state !== 'pending' && !actor.isOperator)) {
    throw new Refusal('sacco_state_conflict', {
      message: 'Officials are named here only while the sacco waits for its activation.',
    });
  }
  const [person] = await tx.sql<{ id: string; first_name: string; last_name: string; phone: string }[]>`
    select id, first_name, last_name, phone from person_to_record(${sacco.id}, ${input.idNumber})`;
  if (!person) {
    const sentence = 'Nobody is registered with that ID number.';
    throw new Refusal('not_found', { message: sentence, errors: { id_number: [sentence] } });
  }
  await openOffice(tx, actor, { saccoId: sacco.id, userId: person.id, office: input.office });
  await notify(tx, {
    userId: person.id,
    phone: person.phone,
    topic: 'saccos',
    template: 'office_recorded',
    text: `You are now recorded as ${OFFICE_NAMES[input.office]} of ${sacco.name}.`,
  });
  return { name: `${person.first_name} ${person.last_name}` };
}
