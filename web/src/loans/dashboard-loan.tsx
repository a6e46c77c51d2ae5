import { centsOf, formatShillings } from '@ushirika/contract/format';
import { LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CardLink } from '../ui/card-link.tsx';
import { Money, Progress } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { isOwed, repaidOf } from './loan.rules.ts';
import { NextDue } from './loan-list.tsx';
import { loanPaths } from './loan-paths.ts';
import { useGivenGuarantees, useLoansOwedToGuarantors, useOpenLoans } from './loans.queries.ts';

/** On the dashboard: what is owed in this sacco, and what is due next. Nothing where nothing is owed. */
export function DashboardLoan({ sacco }: { sacco: string }) {
  const { data: loans } = useOpenLoans(sacco);
  const owed = loans?.filter((loan) => isOwed(loan)) ?? [];
  // What is late stands first, then what is due first.
  const [first] = owed.toSorted((one, other) => dueOf(one).localeCompare(dueOf(other)));
  if (!first) return null;
  const cents = owed.reduce((sum, { owed }) => sum + centsOf(owed), 0);
  const borrowed = owed.reduce((sum, { amount }) => sum + centsOf(amount), 0);
  // Of the principal: what is owed has interest and penalty in it.
  const repaid = owed.reduce((sum, loan) => sum + centsOf(repaidOf(loan)), 0);
  const claims = owed.reduce((sum, { owed_to_guarantors }) => sum + centsOf(owed_to_guarantors), 0);
  const to = owed.length === 1 ? loanPaths.loan(first.id) : loanPaths.loans();
  return (
    <Card className="px-5 pt-4.5 pb-2">
      <h2 className="text-lead">
        {owed.length === 1 ? say('Your loan') : say('Your {n, plural, one {loan} other {# loans}}', { n: owed.length })}
      </h2>
      <p className="num mt-1 mb-2 flex flex-wrap items-baseline gap-x-2">
        <Money shillings={cents / 100} className="text-title font-bold tracking-tight" />
        <span className="text-small text-ink-2">{say('still owed')}</span>
      </p>
      <Progress value={repaid} max={borrowed} label={say('Repaid of the loan')} />
      <NextDue loan={first} />
      {claims > 0 && (
        <p className="num mt-3">
          {say('You also owe {amount} to guarantors who paid for you.', { amount: formatShillings(claims / 100) })}
        </p>
      )}
      <CardLink to={to} className="mt-3">
        {say('Loans')}
      </CardLink>
    </Card>
  );
}

/** On the dashboard of a guarantor: what was taken of their savings for others, and what of it those still owe them. */
export function DashboardOwedToGuarantor({ sacco }: { sacco: string }) {
  const { data: given = [] } = useGivenGuarantees(sacco);
  return given
    .filter(({ claim }) => claim > 0)
    .map(({ id, borrower, claim }) => (
      <Card key={id} className="px-5 pt-4.5 pb-2">
        <h2 className="text-lead">{say('{name} owes you', { name: borrower })}</h2>
        <p className="num mt-1 text-title font-bold tracking-tight">
          <Money shillings={claim} />
        </p>
        <p className="text-small text-ink-2">
          {say('You paid it as a guarantor. What the borrower pays goes to the guarantors first.')}
        </p>
        <CardLink to={loanPaths.guarantee(id)} className="mt-3">
          {say('Your guarantee')}
        </CardLink>
      </Card>
    ));
}

/** On the dashboard: what guarantors paid for loans that are closed, and the way to pay it back. */
export function DashboardGuarantorsOwed({ sacco }: { sacco: string }) {
  const { data: loans = [] } = useLoansOwedToGuarantors(sacco);
  return loans.map(({ id, number, owed_to_guarantors }) => (
    <Card key={id} className="border-clay p-5">
      <h2 className="text-lead">{say('You owe your guarantors')}</h2>
      <p className="num mt-1 text-title font-bold tracking-tight">
        <Money shillings={owed_to_guarantors} />
      </p>
      <p className="num mb-3 text-small text-ink-2">
        {say('Loan {number} is closed. They paid this for you, and it is theirs.', { number })}
      </p>
      <LinkButton to={loanPaths.payGuarantors(id)} look="soft">
        {say('Pay your guarantors back')}
      </LinkButton>
    </Card>
  ));
}

const dueOf = (loan: { overdue: number; next_due: { date: string } | null }) =>
  loan.overdue > 0 ? '' : (loan.next_due?.date ?? '9');
