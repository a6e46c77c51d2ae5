import type { SaccoCheckOff } from '@ushirika/contract/check-offs';
import { formatShillings } from '@ushirika/contract/format';
import type { LoanFigures } from '@ushirika/contract/loans';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { formatCount } from '../ui/figures.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { useCheckOffsToCheck } from './check-offs-desk.queries.ts';
import { deskPaths } from './desk-paths.ts';
import { useLoanFigures } from './loans-desk.queries.ts';

type List = 'to_review' | 'to_disburse' | 'to_check' | 'substitutions' | 'recovery';

const LISTS: readonly List[] = ['to_review', 'to_disburse', 'to_check', 'substitutions', 'recovery'];

/** For officials: the loans that wait for an act that they may do. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: figures, isError } = useLoanFigures(isOfficial ? sacco : undefined);
  const toCheck = useCheckOffsToCheck(isOfficial ? sacco : undefined);
  if (!isOfficial) return [];
  if ((!figures && !isError) || toCheck.isPending) return undefined;
  const mine = toCheck.data?.results.filter(({ may }) => may.includes('approve')) ?? [];
  return [
    ...(figures ? LISTS.filter((list) => figures.waiting_for_me[list] > 0).map((list) => thing(list, figures)) : []),
    ...(figures?.votes_to_cast.map(voteThing) ?? []),
    ...mine.map(checkOffThing),
  ];
};

function voteThing({
  loan,
  number,
  step,
  owed,
  by,
  at,
  declined_by,
}: LoanFigures['votes_to_cast'][number]): WaitingThing {
  const values = { number, amount: formatShillings(owed) };
  const proposed = { name: by.name, day: longDate(at) };
  const titles: Record<typeof step, () => string> = {
    default: () => say('The default of loan {number} over {amount} waits for your vote', values),
    write_off: () => say('The write-off of loan {number} over {amount} waits for your vote', values),
    restructure: () => say('The new schedule of loan {number} waits for a second official', { number }),
  };
  const words = () => {
    if (step === 'restructure') return say('{name} proposed it on {day}', proposed);
    return declined_by.length > 0
      ? say('{name} voted for it on {day}. Declined by {who}.', { ...proposed, who: declined_by.join(', ') })
      : say('{name} voted on {day}', proposed);
  };
  return { key: `${step}-${loan}`, icon: 'hands', title: titles[step](), words: words(), to: deskPaths.loan(loan) };
}

function checkOffThing({ id, employer, amount, listed_by }: SaccoCheckOff): WaitingThing {
  return {
    key: id,
    icon: 'people',
    title: say('A check-off of {amount} waits for a second official', { amount: formatShillings(amount) }),
    words: say('{employer}, listed by {name}', { employer, name: listed_by.name }),
    to: deskPaths.checkOff(id),
  };
}

function thing(list: List, { waiting_for_me: waiting, waiting: all }: LoanFigures): WaitingThing {
  const values = { n: formatCount(waiting[list]) };
  const titles: Record<List, string> = {
    to_review: say('{n} loan {n, plural, one {application waits} other {applications wait}} for your decision', values),
    to_disburse: say('{n} {n, plural, one {loan waits} other {loans wait}} to be paid out', values),
    to_check: say('{n} {n, plural, one {payout waits} other {payouts wait}} for a second official', values),
    substitutions: say('{n} new {n, plural, one {guarantor waits} other {guarantors wait}} for the committee', values),
    recovery: say('You may take the next step of {n} late {n, plural, one {loan} other {loans}} now', values),
  };
  const words: Record<List, string> = {
    to_review: say('The borrower was promised an answer within 14 days.'),
    to_disburse: say('The borrower has accepted the terms.'),
    to_check: say('Nothing moves before it is checked.'),
    substitutions: say('The present guarantor stays bound until then.'),
    recovery: say('Steps that wait for votes, and those of other officials, are not counted here.'),
  };
  const others = list === 'recovery' ? 0 : all[list] - waiting[list];
  const notMine =
    others > 0
      ? say(
          '{n} more {n, plural, one {is} other {are}} not for you: your own, one that you guarantee, or not of your office or vote.',
          {
            n: formatCount(others),
          },
        )
      : null;
  const to = deskPaths.loans(list === 'recovery' ? 'arrears' : list);
  return {
    key: `loans-${list}`,
    icon: 'hands',
    title: titles[list],
    words: notMine ? `${words[list]} ${notMine}` : words[list],
    to,
  };
}
