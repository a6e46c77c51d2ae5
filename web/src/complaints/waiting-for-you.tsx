import type { Complaint } from '@ushirika/contract/complaints';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { complaintPaths } from './complaint-paths.ts';
import { clockWords } from './complaint-words.ts';
import { type Side, useComplaintsToAnswer, useMyComplaints } from './complaints.queries.ts';

/** One's own complaints that have their final answer; for officials, those that wait for theirs, too. */
export const useWaiting: UseWaiting = ({ sacco, isOfficial }) => {
  const { rows: own } = useMyComplaints(sacco);
  const { data: toAnswer } = useComplaintsToAnswer(isOfficial ? sacco : undefined);
  if (!own || (isOfficial && !toAnswer)) return undefined;
  const answered = own.filter(({ clock }) => clock?.due === 'reaction');
  return [
    ...(toAnswer ? answers(toAnswer.results, toAnswer.count) : []),
    ...answered.map((one) =>
      thing(one, 'member', say('Your complaint is answered'), complaintPaths.clientComplaint(one.id)),
    ),
  ];
};

/** One line for all of them, with the clock of the one that is due first. */
function answers(waiting: readonly Complaint[], count: number): WaitingThing[] {
  const [first] = waiting.toSorted((one, other) => dueAt(one).localeCompare(dueAt(other)));
  if (!first) return [];
  const title = say('{n} {n, plural, one {complaint waits} other {complaints wait}} for an answer', {
    n: formatCount(count),
  });
  const to =
    count === 1 ? complaintPaths.clientComplaintToAnswer(first.id) : complaintPaths.clientComplaints('waiting');
  return [thing(first, 'sacco', title, to)];
}

const dueAt = ({ clock }: Complaint) => clock?.due_at ?? '';

function thing(complaint: Complaint, side: Side, title: string, to: string): WaitingThing {
  return {
    key: complaint.id,
    icon: 'info',
    title,
    words: clockWords(complaint, side),
    to,
    dueAt: complaint.clock?.due_at,
  };
}
