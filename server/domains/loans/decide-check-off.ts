import { CHECK_OFF_OFFICES } from '@ushirika/contract/check-offs';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { refuseSecondAccount } from '../identity/second-account.ts';
import { lockListsOf, refuseManyAsked } from './check-off-limits.ts';
import { lockSaccosCheckOff } from './check-off-rows.ts';
import { refuseOffice } from './loan-officials.ts';
import { tellPayer } from './tell-of-check-offs.ts';

export interface Decision {
  readonly id: string;
  readonly decision: 'approve' | 'refuse';
  /** Of a refusal; PostgreSQL takes none without. */
  readonly reason?: string | undefined;
}

/** What is told to another account of who made the list. */
export const SECOND_ACCOUNT_CHECKS_LIST = sentence(
  'Your account and that of the official who made the list look like one person’s. Another official must check it.',
);

/**
 * Another official says that the list is right, or that it is not. The payer is asked only now.
 * @throws Refusal `not_found`, `not_allowed`; where the list is right `sacco_inactive`, `check_off_limit_reached`;
 * `check_off_conflict` where it is decided
 */
export async function decideCheckOff(
  tx: Tx,
  official: { readonly userId: string; readonly saccoId: string },
  input: Decision,
): Promise<void> {
  const isRight = input.decision === 'approve';
  if (isRight) await lockListsOf(tx, official.saccoId);
  const row = await lockSaccosCheckOff(tx, official, input.id);
  await refuseOffice(tx, official, CHECK_OFF_OFFICES);
  if (row.listed_by === official.userId && isGuarded('loans.check_off_by_two')) {
    throw new Refusal('not_allowed', { message: sentence('Another official must check the list: it is yours.') });
  }
  if (row.payer_id === official.userId) {
    throw new Refusal('not_allowed', { message: sentence('Another official must check the list: you are to pay it.') });
  }
  if (isRight) await refuseSecondAccount(tx, official.userId, [row.listed_by], SECOND_ACCOUNT_CHECKS_LIST);
  if (isRight && row.sacco_state !== 'active') throw new Refusal('sacco_inactive');
  if (row.state !== 'listed') throw new Refusal('check_off_conflict');
  if (isRight) await refuseManyAsked(tx, row.sacco_id, row.payer_id);
  await tx.sql`
    update check_offs set state = ${isRight ? 'checked' : 'refused'}, checked_by = ${official.userId}, checked_at = ${tx.now},
      reason = ${isRight ? null : (input.reason ?? null)}
    where id = ${row.id}`;
  if (isRight) await tellPayer(tx, official.userId, row, 'waits');
}
