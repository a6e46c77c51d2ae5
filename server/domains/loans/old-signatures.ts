import { APPLICATION_DAYS } from '@ushirika/contract/loans';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import type { LoanRow } from './loan-rows.ts';
import { voidGuarantees } from './pledges.ts';
import { isRevocable } from './sign-guarantee.ts';
import { tellOfLoans } from './tell-of-loans.ts';

/** The moment of signature at which, or before which, a signature that can still be taken back has ended. */
export const signedBefore = (now: Date): Date => new Date(now.getTime() - APPLICATION_DAYS * 86_400_000);

/** Ends what guarantors of these loans signed too long ago; they and their borrowers are told. The loans are locked. */
export async function endSignaturesOf(tx: Tx, causedBy: string | null, loans: readonly LoanRow[]): Promise<void> {
  if (!isGuarded('loans.taken_back')) return;
  const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
  const ended = await voidGuarantees(tx, loans, (guarantee) => {
    const loan = loanOf.get(guarantee.loan_id) as LoanRow;
    const isOld = guarantee.signed_at !== null && guarantee.signed_at <= signedBefore(tx.now);
    return guarantee.kind === 'member' && isOld && isRevocable({ loan, guarantee });
  });
  await tellOfLoans(
    tx,
    causedBy,
    ended.flatMap((guarantee) => {
      const loan = loanOf.get(guarantee.loan_id) as LoanRow;
      return [
        { loan, event: 'pledge_free' as const, guarantee },
        { loan, event: 'signature_ended' as const, guarantee },
      ];
    }),
  );
}
