import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockSaccosCheckOff } from './check-off-rows.ts';
import { refuseOffice } from './loan-officials.ts';
import { tellPayer } from './tell-of-check-offs.ts';

/**
 * One of the two officials who made and checked a list takes it back before it is paid, and says why. A payer who was asked is told.
 * @throws Refusal `not_found`, `not_allowed`, `check_off_conflict`
 */
export async function withdrawCheckOff(
  tx: Tx,
  official: { readonly userId: string; readonly saccoId: string },
  input: { readonly id: string; readonly reason: string },
): Promise<void> {
  const row = await lockSaccosCheckOff(tx, official, input.id);
  await refuseOffice(tx, official, OFFICES);
  if (row.listed_by !== official.userId && row.checked_by !== official.userId && isGuarded('loans.check_off_of_makers'))
    throw new Refusal('check_off_conflict', { message: NOT_YOURS });
  if (row.state !== 'listed' && row.state !== 'checked') throw new Refusal('check_off_conflict');
  await tx.sql`
    update check_offs set state = 'withdrawn', ended_at = ${tx.now}, ended_by = ${official.userId}, reason = ${input.reason}
    where id = ${row.id}`;
  if (row.state === 'checked') await tellPayer(tx, official.userId, row, 'withdrawn');
}

const NOT_YOURS = sentence('Only the officials who made and checked this list take it back.');
