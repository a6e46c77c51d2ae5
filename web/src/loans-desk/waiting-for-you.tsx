import type { LoanFigures } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { useProfile } from '../identity/profile.queries.ts';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { deskPaths } from './desk-paths.ts';
import { useLoanFigures } from './loans-desk.queries.ts';

type List = 'to_review' | 'to_disburse' | 'to_check' | 'substitutions';

/** Whose turn each list is: as the contract has it for the acts. Above Ksh. 1,000,000 the server tells treasurer and chair. */
const TURNS: Readonly<Record<List, readonly Office[]>> = {
  to_review: ['credit_committee'],
  to_disburse: ['treasurer'],
  to_check: ['chair', 'secretary', 'vice_chair', 'manager', 'treasurer'],
  substitutions: ['credit_committee'],
};

/** For officials: the loans that wait for an act of their office. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { data: figures, isError } = useLoanFigures(isOfficial ? sacco : undefined);
  const { data: profile } = useProfile();
  if (!isOfficial || (isError && !figures)) return [];
  if (!figures || !profile) return undefined;
  const offices = profile.roles.flatMap((role) => (role.sacco === sacco && role.office ? [role.office] : []));
  return (Object.keys(TURNS) as List[])
    .filter((list) => figures.waiting[list] > 0 && TURNS[list].some((office) => offices.includes(office)))
    .map((list) => thing(list, figures.waiting));
};

function thing(list: List, waiting: LoanFigures['waiting']): WaitingThing {
  const values = { n: formatCount(waiting[list]) };
  const titles: Record<List, string> = {
    to_review: say('{n} loan {n, plural, one {application waits} other {applications wait}} for the committee', values),
    to_disburse: say('{n} {n, plural, one {loan waits} other {loans wait}} to be paid out', values),
    to_check: say('{n} {n, plural, one {payout waits} other {payouts wait}} for a second official', values),
    substitutions: say('{n} new {n, plural, one {guarantor waits} other {guarantors wait}} for the committee', values),
  };
  const words: Record<List, string> = {
    to_review: say('The committee answers within 14 days.'),
    to_disburse: say('The borrower has accepted the terms.'),
    to_check: say('Nothing moves before it is checked.'),
    substitutions: say('The present guarantor stays bound until then.'),
  };
  return { key: `loans-${list}`, icon: 'hands', title: titles[list], words: words[list], to: deskPaths.loans(list) };
}
