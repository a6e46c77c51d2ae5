import type { Complaint } from '@ushirika/contract/complaints';
import { Link } from 'react-router';
import { Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import {
  causeWords,
  clockWords,
  isPressing,
  kindWords,
  outcomeWords,
  stateTones,
  stateWords,
} from './complaint-words.ts';
import type { Side } from './complaints.queries.ts';

/** Complaints, each on a line that opens it. */
export function ComplaintList({
  rows,
  side,
  toOne,
}: {
  rows: readonly Complaint[];
  side: Side;
  toOne: (id: string) => string;
}) {
  return (
    <ul className="card px-4 sm:px-5">
      {rows.map((complaint) => (
        <li key={complaint.id} className="rule">
          <Link to={toOne(complaint.id)} className="group flex items-center gap-3 py-4">
            <span className="min-w-0 grow">
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="font-semibold group-hover:underline">{kindWords(complaint.kind)}</span>
                <Tag tone={stateTones[complaint.state]}>{stateWords(complaint.state)}</Tag>
              </span>
              <span className="mt-1 block text-small break-words text-ink-2">
                {namesOf(complaint, side).map((name) => `${name} · `)}
                <LongDate iso={complaint.made_at} />
              </span>
              <Now complaint={complaint} side={side} />
            </span>
            <Icon name="arrow" className="size-4.5 text-ink-2" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Whom and what it is between, as far as that does not go without saying. */
function namesOf({ complainer, sacco }: Complaint, side: Side): string[] {
  return [...(complainer ? [complainer.name] : []), ...(side === 'sacco' ? [] : [sacco.name])];
}

/** What is due now, or what came of it. */
function Now({ complaint, side }: { complaint: Complaint; side: Side }) {
  const clock = clockWords(complaint, side);
  const words =
    clock ??
    (complaint.outcome
      ? outcomeWords(complaint.outcome)
      : complaint.state === 'with_operator' && complaint.escalated_because
        ? causeWords(complaint.escalated_because, side)
        : null);
  if (!words) return null;
  const tone = isPressing(complaint) ? 'text-clay' : 'text-ink';
  return <span className={`num mt-1 block text-small font-semibold ${tone}`}>{words}</span>;
}
