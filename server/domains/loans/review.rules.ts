import { COMMITTEE_ALONE_CENTS, COMMITTEE_APPROVALS } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import type { LoanRow } from './loan-rows.ts';

/* Whose voices decide about an application (docs/decisions/184). Pure. The database holds the same (0154). */

/** What a round is decided by. Without a submission it is what holds where a sacco has changed nothing. */
export type Judged = Pick<LoanRow, 'amount_cents' | 'judged_cents' | 'committee_alone_cents' | 'manager_alone_cents'>;

/** The voices of a round. */
export interface Voices {
  readonly committeeApprovals: number;
  readonly committeeRejections: number;
  readonly secondTierApprovals: number;
  readonly secondTierRejections: number;
  readonly managerApprovals: number;
  readonly managerRejections: number;
}

export const REVIEW_OFFICES = ['manager', 'credit_committee', 'treasurer', 'chair'] as const satisfies Office[];

const judgedOf = ({ judged_cents, amount_cents }: Judged) => judged_cents ?? amount_cents;

/** Whether treasurer or chair must agree too. */
export const needsSecondTier = (loan: Judged): boolean =>
  judgedOf(loan) > (loan.committee_alone_cents ?? COMMITTEE_ALONE_CENTS.most);

/** Whether the manager may decide it alone. After a no of the committee the committee decides. */
export const isForManager = (loan: Judged, { committeeRejections }: Pick<Voices, 'committeeRejections'>): boolean =>
  judgedOf(loan) <= (loan.manager_alone_cents ?? 0) && committeeRejections === 0;

/** The offices whose voice counts now. Whoever holds several speaks in the first of them. */
export function reviewOffices(loan: Judged, voices: Pick<Voices, 'committeeRejections'>): readonly Office[] {
  if (isForManager(loan, voices)) return ['manager', 'credit_committee'];
  return needsSecondTier(loan) ? ['credit_committee', 'treasurer', 'chair'] : ['credit_committee'];
}

/** Two people reject an application, in whatever office; one person's no leaves it to the others (docs/decisions/233). */
const REJECTIONS = 2;

/** Whether the voices decide: the manager's within their amount, two of the committee, above its amount a second tier too. */
export function outcomeOf(loan: Judged, voices: Voices): 'approved' | 'rejected' | null {
  const rejections = voices.committeeRejections + voices.secondTierRejections + voices.managerRejections;
  if (rejections >= REJECTIONS) return 'rejected';
  if (voices.managerApprovals > 0 && isForManager(loan, voices)) return 'approved';
  const isSecondTierMet = !needsSecondTier(loan) || voices.secondTierApprovals > 0;
  return voices.committeeApprovals >= COMMITTEE_APPROVALS && isSecondTierMet ? 'approved' : null;
}
