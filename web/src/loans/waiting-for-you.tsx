import type { MyCheckOff } from '@ushirika/contract/check-offs';
import { formatShillings } from '@ushirika/contract/format';
import type { Restructure } from '@ushirika/contract/loan-recovery';
import type { GuaranteeRequest, Loan, LoanDetail } from '@ushirika/contract/loans';
import { now } from '../clock.ts';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { checkOffPaths } from './check-off-paths.ts';
import { useCheckOffsToPay } from './check-offs.queries.ts';
import { takenWords } from './guarantor-ahead.tsx';
import { loanPaths } from './loan-paths.ts';
import { daysInWords, monthsInWords, noonOf } from './loan-words.ts';
import {
  useGivenGuarantees,
  useLoans,
  useOfferedSchedules,
  useOpenLoans,
  useWaitingGuarantees,
} from './loans.queries.ts';

const DAY_MS = 24 * 3_600_000;
const SOON_MS = 5 * DAY_MS;
/** Of the seven days that a guarantor has, these are left when the borrower is told. */
const UNANSWERED_MS = 3 * DAY_MS;

/** Guarantees that are asked of one or may cost one savings, and what waits for the borrower: a covered or returned application, key facts, an instalment. */
export const useWaiting: UseWaiting = ({ sacco, isMember }) => {
  const mine = isMember ? sacco : undefined;
  const requests = useWaitingGuarantees(mine);
  const loans = useOpenLoans(mine);
  const given = useGivenGuarantees(mine);
  const toPay = useCheckOffsToPay();
  // Whether an application is covered stands in the loan itself only.
  const applications = useLoans(sacco, idsOfPending(loans.data));
  const asked = askedAbout(loans.data, given.data);
  const offers = useOfferedSchedules(sacco, [...asked.keys()]);
  // The dashboard has more to tell than this: where it cannot be read, the rest is shown.
  if (toPay.isPending) return undefined;
  const checkOffs = (toPay.data?.results ?? []).map(checkOffThing);
  if (!isMember) return checkOffs;
  if (requests.isPending || loans.isPending || given.isPending || !applications || !offers) return undefined;
  return [
    ...checkOffs,
    ...(requests.data ?? []).map((request) => (request.state === 'asked' ? requestThing(request) : riskThing(request))),
    ...offers.flatMap(({ loan, offer }) => offerThings(offer, asked.get(loan) ?? '')),
    ...applications.flatMap(coveredThings),
    ...applications.flatMap(unansweredThings),
    ...(loans.data ?? []).flatMap(loanThings),
  ];
};

/** Loans of one's own and those that one guarantees for which a new schedule is offered, each with the page where it is answered. */
const askedAbout = (
  loans: readonly Loan[] = [],
  given: readonly GuaranteeRequest[] = [],
): ReadonlyMap<string, string> =>
  new Map([
    ...loans.flatMap(({ id, has_offer }) => (has_offer ? [[id, loanPaths.loan(id)] as const] : [])),
    ...given.flatMap(({ id, loan, has_offer }) => (has_offer ? [[loan, loanPaths.guarantee(id)] as const] : [])),
  ]);

function offerThings({ id, state, months, principal, answer_by: by, may }: Restructure, to: string): WaitingThing[] {
  if (state !== 'proposed' || !may.includes('refuse')) return [];
  return [
    {
      key: id,
      icon: 'clock',
      title: say('A new schedule is offered: {amount} in {months}', {
        amount: formatShillings(principal),
        months: monthsInWords(months),
      }),
      words: (
        <>
          {say('Answer by')} <LongDate iso={by} />
        </>
      ),
      to,
      act: say('Read'),
      dueAt: by,
    },
  ];
}

const idsOfPending = (loans: readonly Loan[] | undefined) =>
  (loans ?? []).flatMap(({ id, state }) => (state === 'guarantors_pending' ? [id] : []));

function requestThing(request: GuaranteeRequest): WaitingThing {
  return {
    key: request.id,
    icon: 'hands',
    title: say('{name} asks you to guarantee {amount}', {
      name: trustedName(request.borrower, request.former_name),
      amount: formatShillings(request.pledge),
    }),
    words: (
      <>
        {say('You can lose at most')} <Money shillings={request.worst_case} />
        {request.answer_by && (
          <>
            {' '}
            · {say('Answer by')} <LongDate iso={request.answer_by} />
          </>
        )}
      </>
    ),
    to: loanPaths.guarantee(request.id),
    dueAt: request.answer_by ?? undefined,
  };
}

/** Savings of a guarantor that may be taken for a loan that is late. */
function riskThing(request: GuaranteeRequest): WaitingThing {
  const { id, borrower: name, worst_case, recovery } = request;
  return {
    key: id,
    icon: 'alert',
    title: say('{name}’s loan is late: you can lose {amount}', { name, amount: formatShillings(worst_case) }),
    words: recovery && takenWords(recovery),
    to: loanPaths.guarantee(id),
    act: say('Read'),
    dueAt: recovery?.taken_from ?? undefined,
  };
}

function checkOffThing({ id, employer, amount, sacco, expires_at }: MyCheckOff): WaitingThing {
  return {
    key: id,
    icon: 'people',
    title: say('{sacco} asks you to pay a check-off of {amount}', {
      sacco: sacco.name,
      amount: formatShillings(amount),
    }),
    words: (
      <>
        {employer} · {say('Pay by')} <LongDate iso={expires_at} />
      </>
    ),
    to: checkOffPaths.clientOne(id),
    dueAt: expires_at ?? undefined,
  };
}

function loanThings(loan: Loan): WaitingThing[] {
  const amount = formatShillings(loan.amount);
  const base = { key: loan.id, icon: 'coins', to: loanPaths.loan(loan.id) } as const;
  if (loan.may.includes('accept')) {
    const words = say('Read the key facts, then accept them. Nothing is paid out before.');
    return [{ ...base, title: say('Your loan of {amount} is approved', { amount }), words, act: say('Read') }];
  }
  if (loan.state === 'returned') {
    const words = say('The committee asks for a change');
    return [{ ...base, title: say('Your application for {amount} was returned', { amount }), words }];
  }
  return dueThings(loan, base);
}

function coveredThings({ id, amount: shillings, may }: LoanDetail): WaitingThing[] {
  if (!may.includes('submit')) return [];
  const amount = formatShillings(shillings);
  const title = say('Your application for {amount} is covered', { amount });
  const words = say('Send it to the credit committee.');
  return [{ key: id, icon: 'coins', to: loanPaths.loan(id), title, words, act: say('Send') }];
}

/** Guarantors who have not answered, and whose request lapses soon: the borrower can still call them. */
function unansweredThings({ id, guarantees }: LoanDetail): WaitingThing[] {
  return guarantees.flatMap(({ id: request, kind, name, amount, answer_by: by }): WaitingThing[] => {
    if (kind !== 'member' || by === null || Date.parse(by) - now() > UNANSWERED_MS) return [];
    return [
      {
        key: request,
        icon: 'hands',
        title: say('{name} has not answered your request for {amount}', { name, amount: formatShillings(amount) }),
        words: (
          <>
            {say('Lapses on')} <LongDate iso={by} time />
          </>
        ),
        to: loanPaths.loan(id),
        dueAt: by,
      },
    ];
  });
}

function dueThings(loan: Loan, base: Pick<WaitingThing, 'key' | 'icon' | 'to'>): WaitingThing[] {
  const act = say('Repay');
  if (loan.overdue > 0) {
    const title = say('{amount} of your loan is due now', { amount: formatShillings(loan.overdue) });
    const words =
      loan.days_past_due > 0
        ? say('You are late by {days}', { days: daysInWords(loan.days_past_due) })
        : say('An instalment is due today');
    return [{ ...base, title, words, act, dueAt: new Date(now()).toISOString() }];
  }
  const due = loan.next_due;
  if (!due || Date.parse(noonOf(due.date)) - now() > SOON_MS) return [];
  const title = say('An instalment of {amount} is due', { amount: formatShillings(due.amount) });
  const words = <LongDate iso={noonOf(due.date)} />;
  return [{ ...base, title, words, act, dueAt: new Date(noonOf(due.date)).toISOString() }];
}
