import type { Complaint } from '@ushirika/contract/complaints';
import { useProfile } from '../identity/profile.queries.ts';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-for-you.ts';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { complaintPaths } from './complaint-paths.ts';
import { clockWords } from './complaint-words.ts';
import { type Side, useComplaintsToAnswer, useMyComplaints } from './complaints.queries.ts';
import { holdsOffice } from './holds-office.ts';

/** One's own complaints that have their final answer; for officials, those that wait for theirs, too. */
export const useWaiting: UseWaiting = (sacco) => {
  const { data: profile } = useProfile();
  const isOfficial = holdsOffice(profile, sacco);
  const { rows: own = [] } = useMyComplaints(sacco);
  const { data: toAnswer } = useComplaintsToAnswer(isOfficial ? sacco : undefined);
  const first = toAnswer?.results.toSorted((one, other) => dueAt(one).localeCompare(dueAt(other)))[0];
  return [
    ...(first && toAnswer ? [answers(first, toAnswer.count)] : []),
    ...own
      .filter((one) => one.sacco.id === sacco && one.clock?.due === 'reaction')
      .map((one) => thing(one, 'member', say('Your complaint is answered'), complaintPaths.clientComplaint(one.id))),
  ];
};

/** One line for all of them, with the clock of the one that is due first. */
function answers(first: Complaint, count: number): WaitingThing {
  const title = say('{n} {n, plural, one {complaint waits} other {complaints wait}} for an answer', {
    n: formatCount(count),
  });
  const to =
    count === 1 ? complaintPaths.clientComplaintToAnswer(first.id) : complaintPaths.clientComplaints('waiting');
  return thing(first, 'sacco', title, to);
}

const dueAt = ({ clock }: Complaint) => clock?.due_at ?? '';

function thing(complaint: Complaint, side: Side, title: string, to: string): WaitingThing {
  return { key: complaint.id, icon: 'info', title, words: clockWords(complaint, side), to };
}
