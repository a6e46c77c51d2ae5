import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import { type LoanNotice, loansToTell, sendNotices } from './loan-notices.ts';

type Outcome = 'in_force' | 'refused' | 'withdrawn' | 'lapsed' | 'defaulted';

/** Tells borrowers and guarantors what became of the new schedules that were offered to them. */
export async function tellOfAnswers(
  tx: Tx,
  causedBy: string | null,
  loanIds: readonly string[],
  outcome: Outcome,
): Promise<void> {
  const { loans, guarantorsOf } = await loansToTell(tx, loanIds);
  await sendNotices(
    tx,
    causedBy,
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
  if (outcome === 'in_force' || outcome === 'refused' || outcome === 'lapsed')
    await tellProposers(tx, causedBy, loanIds, outcome);
}

/** The two officials who offered a new schedule learn how it ended, while they hold an office of the sacco. */
async function tellProposers(
  tx: Tx,
  causedBy: string | null,
  loanIds: readonly string[],
  outcome: 'in_force' | 'refused' | 'lapsed',
): Promise<void> {
  const offers = await tx.sql<{ user_id: string; number: string; sacco: string; name: string | null }[]>`
    select w.user_id, l.number, s.name as sacco, p.first_name || ' ' || p.last_name as name
    from (select distinct on (loan_id) * from loan_restructures
          where loan_id = any (${texts(loanIds)}::uuid[]) and state = ${outcome} order by loan_id, state_at desc, id desc) r
    join loans l on l.id = r.loan_id join saccos s on s.id = l.sacco_id
    cross join lateral unnest(array[r.proposed_by, r.confirmed_by]) as w (user_id)
    left join loan_restructure_answers a on a.restructure_id = r.id and not a.agrees
    left join people p on p.id = a.user_id
    where w.user_id is not null and exists (
      select from offices o where o.sacco_id = l.sacco_id and o.user_id = w.user_id and ${isHeld(tx.sql, tx.now)})`;
  await notifyAll(
    tx,
    offers.map(({ user_id, name, ...values }) => ({
      userId: user_id,
      topic: 'saccos' as const,
      template: `schedule_${outcome}`,
      text: officialsText(outcome, { ...values, name: name ?? '' }),
      causedBy,
    })),
  );
}

function officialsText(
  outcome: 'in_force' | 'refused' | 'lapsed',
  values: Readonly<Record<'number' | 'sacco' | 'name', string>>,
) {
  switch (outcome) {
    case 'in_force':
      return sentence('{sacco}: all have agreed to the new schedule of loan {number}. It holds from today.', values);
    case 'refused':
      return sentence('{sacco}: {name} did not agree to the new schedule of loan {number}. The old one holds.', values);
    case 'lapsed':
      return sentence(
        '{sacco}: not everybody answered the new schedule of loan {number} in time. The old one holds.',
        values,
      );
  }
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
