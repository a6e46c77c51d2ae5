import type { Cents } from '@ushirika/contract/money';
import type { GuaranteeRow, LoanRow, Reader } from './loan-rows.ts';
import { coverOf } from './loans.rules.ts';

/** What a pool guarantees of a loan, and its fee. */
export interface PoolCover {
  readonly cents: Cents;
  readonly fee: Cents;
  readonly name: string;
}

export interface Cover extends ReturnType<typeof coverOf> {
  /** Own savings that are held, or would be. */
  readonly own: Cents;
  readonly pledged: Cents;
  readonly pool: Cents;
}

/**
 * How far a loan is covered. @param free own savings that are not pledged yet; those held for this loan are counted from its
 * guarantees
 */
export async function coverFor(
  _reader: Reader,
  loan: Pick<LoanRow, 'id' | 'amount_cents' | 'min_guarantors'>,
  guarantees: readonly Pick<GuaranteeRow, 'kind' | 'state' | 'pledged_cents'>[],
  free: Cents,
): Promise<Cover> {
  const held = guarantees.filter(({ state }) => state === 'accepted' || state === 'live');
  const pledges = held.filter(({ kind }) => kind === 'member').map(({ pledged_cents }) => pledged_cents);
  const ownHeld = held.reduce((total, each) => total + (each.kind === 'self' ? each.pledged_cents : 0), 0);
  const pool = 0;
  const cover = coverOf({
    amount: loan.amount_cents,
    own: free + ownHeld,
    pledges,
    pool,
    minGuarantors: loan.min_guarantors,
  });
  return { ...cover, own: cover.ownUsed, pledged: pledges.reduce((total, each) => total + each, 0), pool };
}
