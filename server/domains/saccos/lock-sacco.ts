import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState, SaccoType } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/** A sacco's state and terms, read while its lock is held. */
export interface LockedSacco {
  readonly id: string;
  readonly name: string;
  readonly type: SaccoType;
  readonly state: SaccoState;
  readonly reg_fee_cents: number;
  readonly min_shares: number;
  readonly share_value_cents: number;
  readonly created_by: string;
  readonly confirmed_by: string | null;
  readonly members: number;
  readonly share_holders: number;
  /** Those who hold the minimum shares; and since when there have been ten of them (decision 155). */
  readonly qualified_holders: number;
  readonly holding_limit_since: Date | null;
}

/**
 * Takes the lock of saccos until the transaction ends, in the order of their ids and before any row of the ledger, and
 * reads them. Whoever changes a sacco's state, terms, register or membership does this first.
 */
export async function lockSaccos(tx: Tx, saccoIds: readonly string[]): Promise<Map<string, LockedSacco>> {
  const ids = texts([...new Set(saccoIds)]);
  const locked = tx.sql`
    select from sacco_figures where sacco_id = any (${ids}::uuid[]) order by sacco_id for no key update`;
  // A statement of its own, sent after the first and not waited for: it sees what the one who held the lock has changed.
  const read = tx.sql<LockedSacco[]>`
    select s.id, s.name, s.type, s.state, s.reg_fee_cents, s.min_shares, s.share_value_cents, s.created_by, s.confirmed_by,
           f.members, f.share_holders, f.qualified_holders, f.holding_limit_since
    from saccos s join sacco_figures f on f.sacco_id = s.id where s.id = any (${ids}::uuid[])`;
  const [, rows] = await Promise.all([locked, read]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same for one; a sacco that does not exist is `not_found`. */
export async function lockSacco(tx: Tx, saccoId: string): Promise<LockedSacco> {
  const sacco = (await lockSaccos(tx, [saccoId])).get(saccoId);
  if (!sacco) throw noSuchSacco();
  return sacco;
}

/** The same for people at large: to them a rejected sacco does not exist (read-sacco.ts). */
export async function lockShownSacco(tx: Tx, saccoId: string): Promise<LockedSacco> {
  const sacco = await lockSacco(tx, saccoId);
  if (sacco.state === 'rejected') throw noSuchSacco();
  return sacco;
}

export const noSuchSacco = () => new Refusal('not_found', { message: sentence('There is no such sacco.') });
