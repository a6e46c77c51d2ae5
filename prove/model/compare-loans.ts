import { by } from './in-order.ts';
import { type Guarantee, type Instalment, interestOwed, isOwed, type Loan } from './naive-loans.ts';
import type { Simulation } from './simulation.ts';

const instalmentWords = ({ dueOn, principal, interest, paidPrincipal, paidInterest }: Instalment) =>
  `${dueOn} ${principal}/${paidPrincipal} ${interest}/${paidInterest}`;

const guaranteeWords = ({ id, person, amount, state, pledged }: Guarantee) =>
  `${id} ${person.id} ${amount} ${state} ${pledged}`;

/** What the books have of a loan. Once it is paid off, its schedule is history. */
function faceOf(loan: Loan): string {
  const { state, amount, months, principal, penalty, provision, accruedOn, instalments, guarantees } = loan;
  const interest = isOwed(loan) ? interestOwed(loan, accruedOn) : 0;
  return [
    `${state} ${amount} in ${months}, owed ${principal} ${interest} ${penalty}, ${loan.class || 'no class'} ${provision}`,
    ...(isOwed(loan) ? instalments.map(instalmentWords) : []),
    ...[...guarantees].sort(by(({ id }) => id)).map(guaranteeWords),
  ].join('; ');
}

/** Every loan, its schedule and what is pledged for it. */
export async function compareLoans({ books, house }: Simulation): Promise<string | undefined> {
  const rows = await house.database.owner<{ id: string; face: string }[]>`
    select l.id, concat_ws('; ',
      concat(l.state, ' ', l.amount_cents, ' in ', l.months, ', owed ', l.principal_cents, ' ', l.interest_cents, ' ',
             l.penalty_cents, ', ', coalesce(l.class, 'no class'), ' ', l.provision_cents),
      (select string_agg(concat(i.due_on, ' ', i.principal_cents, '/', i.paid_principal_cents, ' ',
                                i.interest_cents - i.moved_interest_cents, '/', i.paid_interest_cents - i.moved_interest_cents), '; ' order by i.number)
       from loan_instalments i where i.loan_id = l.id and l.state in ('active', 'in_arrears')),
      (select string_agg(concat(g.id, ' ', g.guarantor_id, ' ', g.amount_cents, ' ', g.state, ' ', g.pledged_cents), '; '
                         order by g.id) from loan_guarantees g where g.loan_id = l.id)) as face
    from loans l`;
  if (rows.length !== books.loans.length) return `${rows.length} loans, and ${books.loans.length} in the naive books`;
  const found = new Map(rows.map(({ id, face }) => [id, face]));
  const wrong = books.loans.find((loan) => found.get(loan.id) !== faceOf(loan));
  return wrong && `loan ${wrong.number} is ${found.get(wrong.id)}; in the naive books ${faceOf(wrong)}`;
}
