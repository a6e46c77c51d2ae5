import type { CheckOffState } from '@ushirika/contract/check-offs';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { AccountKey } from '../../ledger/ledger.types.ts';

export interface CheckOffRow {
  readonly id: string;
  readonly sacco_id: string;
  readonly payer_id: string;
  readonly employer: string;
  readonly amount_cents: Cents;
  readonly lines: number;
  readonly state: CheckOffState;
  readonly listed_by: string;
  readonly checked_by: string | null;
  readonly sacco_name: string;
  readonly sacco_state: SaccoState;
}

export const noSuchList = () => new Refusal('not_found', { message: sentence('There is no such check-off.') });

/** The row under its lock. @throws Refusal `not_found` */
export async function lockCheckOff(tx: Tx, id: string): Promise<CheckOffRow> {
  const [row] = await tx.sql<CheckOffRow[]>`
    select c.id, c.sacco_id, c.payer_id, c.employer, c.amount_cents, c.lines, c.state, c.listed_by, c.checked_by,
      s.name as sacco_name, s.state as sacco_state
    from check_offs c join saccos s on s.id = c.sacco_id where c.id = ${id} for update of c`;
  if (!row) throw noSuchList();
  return row;
}

/** The same of the official's own sacco. @throws Refusal `not_found` */
export async function lockSaccosCheckOff(
  tx: Tx,
  { saccoId }: { readonly saccoId: string },
  id: string,
): Promise<CheckOffRow> {
  const row = await lockCheckOff(tx, id);
  if (row.sacco_id !== saccoId) throw noSuchList();
  return row;
}

/**
 * The same of whoever pays it, while it waits for them. Before a second official has checked it there is none for them.
 * @throws Refusal `not_found`, `check_off_conflict`
 */
export async function lockPayersCheckOff(
  tx: Tx,
  { userId }: { readonly userId: string },
  id: string,
): Promise<CheckOffRow> {
  const row = await lockCheckOff(tx, id);
  if (row.payer_id !== userId || row.checked_by === null || row.state === 'refused') throw noSuchList();
  if (row.state !== 'checked') throw new Refusal('check_off_conflict');
  return row;
}

/** Where the sum of a list is until it is shared out. PostgreSQL keeps it from falling below zero. */
export const checkOffAccount = (saccoId: string, id: string): AccountKey => ({
  book: saccoId,
  kind: 'check_off',
  owner: id,
});
