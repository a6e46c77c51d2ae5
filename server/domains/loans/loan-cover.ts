import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { type PoolCover, poolCoverOf } from '../pools/guarantee-cover.ts';
import type { GuaranteeRow, LoanRow, Reader } from './loan-rows.ts';
import { coverOf } from './loans.rules.ts';

/**
 * A pool that is suspended or closing takes on no loan: one that it has approved waits until it is open again.
 * @throws Refusal `loan_not_covered`
 */
export async function refuseClosedPool(tx: Tx, loan: Pick<LoanRow, 'id'>): Promise<void> {
  const cover = await poolCoverOf(tx, loan.id);
  if (cover?.state !== 'PENDING_LOAN' || cover.poolState === 'OPEN') return;
  throw new Refusal('loan_not_covered', {
    message: sentence('The pool {name} is not open: it takes on no new loan now.', { name: cover.poolName }),
  });
}

/** Of what is paid out something is left once a pool has taken its fee. @throws Refusal `loan_terms_not_met` */
export function refuseFeeOfAll(paidOut: Cents, poolFee: Cents): void {
  if (poolFee < paidOut) return;
  throw new Refusal('loan_terms_not_met', {
    message: sentence(
      'The pool takes a fee as large as what this loan pays out, or larger. Nothing of the loan would reach you.',
    ),
  });
}

/** What was signed stands for a loan before it is paid out, and what is still held after it. */
const stands = ({
  state,
  amount_cents,
  pledged_cents,
}: Pick<GuaranteeRow, 'state' | 'amount_cents' | 'pledged_cents'>): Cents =>
  state === 'accepted' ? amount_cents : pledged_cents;

export interface Cover extends ReturnType<typeof coverOf> {
  /** Own savings that are held, or would be. */
  readonly own: Cents;
  readonly pledged: Cents;
  readonly pool: Cents;
  /** What the pool takes for it when the loan is paid out. */
  readonly poolFee: Cents;
}

/**
 * How far a loan is covered. @param free own savings that are not pledged yet; those held for this loan are counted from its
 * guarantees
 */
export async function coverFor(
  reader: Reader,
  loan: Pick<LoanRow, 'amount_cents' | 'min_guarantors'> & { readonly id: string | null },
  guarantees: readonly Pick<GuaranteeRow, 'kind' | 'state' | 'amount_cents' | 'pledged_cents' | 'replaces_id'>[],
  free: Cents,
): Promise<Cover> {
  const guaranteed = loan.id === null ? null : await poolCoverOf({ sql: reader.sql as Tx['sql'] }, loan.id);
  return coverWith(loan, guarantees, { guaranteed, free });
}

/** The same with the pool's guarantee for the loan, where that has been read. */
export function coverWith(
  loan: Pick<LoanRow, 'amount_cents' | 'min_guarantors'>,
  guarantees: readonly Pick<GuaranteeRow, 'kind' | 'state' | 'amount_cents' | 'pledged_cents' | 'replaces_id'>[],
  { guaranteed, free }: { readonly guaranteed: PoolCover | null | undefined; readonly free: Cents },
): Cover {
  // Who is to stand in for another counts once the committee has confirmed it; until then the other one does.
  const held = guarantees.filter(
    ({ state, replaces_id }) => state === 'live' || (state === 'accepted' && replaces_id === null),
  );
  const pledges = held.filter(({ kind }) => kind === 'member').map(stands);
  const ownHeld = held.reduce((total, each) => total + (each.kind === 'self' ? stands(each) : 0), 0);
  // A quote that is not signed, or that its stewards still look at, covers nothing.
  const pool = guaranteed?.requestState === 'APPROVED' ? guaranteed.outstanding : 0;
  const cover = coverOf({
    amount: loan.amount_cents,
    own: free + ownHeld,
    pledges,
    pool,
    minGuarantors: loan.min_guarantors,
  });
  return {
    ...cover,
    own: cover.ownUsed,
    pledged: pledges.reduce((total, each) => total + each, 0),
    pool,
    poolFee: guaranteed?.fee ?? 0,
  };
}
