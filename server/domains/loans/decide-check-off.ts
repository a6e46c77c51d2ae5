import { CHECK_OFF_OFFICES } from '@ushirika/contract/check-offs';
import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockSaccosCheckOff } from './check-off-rows.ts';
import { refuseOffice } from './loan-officials.ts';
import { tellPayer } from './tell-of-check-offs.ts';

type Official = { readonly userId: string; readonly saccoId: string };

export interface Decision {
  readonly id: string;
  readonly decision: 'approve' | 'refuse';
  /** Of a refusal; PostgreSQL takes none without. */
  readonly reason?: string | undefined;
}

/**
 * Another official says that the list is right, or that it is not. The payer is asked only now.
 * @throws Refusal `not_found`, `not_allowed`, `check_off_conflict` where it is decided
 */
export async function checkCheckOff(tx: Tx, official: Official, input: Decision): Promise<void> {
  const row = await lockSaccosCheckOff(tx, official, input.id);
  await refuseOffice(tx, official, CHECK_OFF_OFFICES);
  if (row.listed_by === official.userId && isGuarded('loans.check_off_by_two')) {
    throw new Refusal('not_allowed', { message: sentence('Another official must check the list: it is yours.') });
  }
  if (row.state !== 'listed') throw new Refusal('check_off_conflict');
  const isRight = input.decision === 'approve';
  await tx.sql`
    update check_offs set state = ${isRight ? 'checked' : 'refused'}, checked_by = ${official.userId}, checked_at = ${tx.now},
      reason = ${isRight ? null : (input.reason ?? null)}
    where id = ${row.id}`;
  if (isRight) await tellPayer(tx, row, 'waits');
}

/**
 * Any official of the sacco takes a list back before it is paid. A payer who was asked is told.
 * @throws Refusal `not_found`, `not_allowed`, `check_off_conflict`
 */
export async function withdrawCheckOff(tx: Tx, official: Official, input: { readonly id: string }): Promise<void> {
  const row = await lockSaccosCheckOff(tx, official, input.id);
  await refuseOffice(tx, official, OFFICES);
  if (row.state !== 'listed' && row.state !== 'checked') throw new Refusal('check_off_conflict');
  await tx.sql`
    update check_offs set state = 'withdrawn', ended_at = ${tx.now}, ended_by = ${official.userId} where id = ${row.id}`;
  if (row.state === 'checked') await tellPayer(tx, row, 'withdrawn');
}
