import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { type LoanNotice, loansToTell, sendNotices } from './loan-notices.ts';

type Outcome = 'in_force' | 'refused' | 'withdrawn' | 'lapsed' | 'defaulted';

/** Tells borrowers and guarantors what became of the new schedules that were offered to them. */
export async function tellOfAnswers(tx: Tx, loanIds: readonly string[], outcome: Outcome): Promise<void> {
  const { loans, guarantorsOf } = await loansToTell(tx, loanIds);
  await sendNotices(
    tx,
    loans.flatMap((loan): LoanNotice[] => {
      const names = { number: loan.number, sacco: loan.sacco_name };
      const text = outcomeText(outcome, names);
      const common = { loan, kind: 'restructure', amount: loan.principal_cents, text } as const;
      return [
        { ...common, to: loan.borrower_id },
        ...guarantorsOf(loan.id).map(({ id, guarantor_id }) => ({ ...common, to: guarantor_id, guaranteeId: id })),
      ];
    }),
  );
}

function outcomeText(outcome: Outcome, names: { readonly number: string; readonly sacco: string }) {
  switch (outcome) {
    case 'in_force':
      return sentence('The new schedule of loan {number} at {sacco} holds from today.', names);
    case 'defaulted':
      return sentence(
        'The new schedule that was offered for loan {number} at {sacco} has ended: the loan is in default.',
        names,
      );
    default:
      return sentence(
        'The new schedule of loan {number} at {sacco} came to nothing: not everybody agreed. The old one holds.',
        names,
      );
  }
}
