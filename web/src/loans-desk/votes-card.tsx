import type { LoanFigures } from '@ushirika/contract/loans';
import { Link } from 'react-router';
import { officeWords } from '../saccos/office-words.ts';
import { Card } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { deskPaths } from './desk-paths.ts';

type Vote = LoanFigures['votes_to_cast'][number];

/** Defaults, write-offs and new schedules that another official has proposed, and that wait for whoever looks; or why nobody votes now. */
export function VotesCard({ votes, barred }: { votes: readonly Vote[]; barred: string | null }) {
  if (barred) {
    return (
      <Card className="min-w-0 border-ochre p-5">
        <p className="font-semibold">{barred}</p>
      </Card>
    );
  }
  if (votes.length === 0) return null;
  return (
    <Card className="min-w-0 border-ochre p-5">
      <h2 className="text-lead">{say('Waits for your vote')}</h2>
      <ul className="mt-2">
        {votes.map((vote) => (
          <li key={vote.loan} className="rule">
            <Link to={deskPaths.loan(vote.loan)} className="group flex items-center gap-3 py-3">
              <span className="num min-w-0 grow">
                <span className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
                  <span>{voteWords(vote)}</span>
                  <Money shillings={vote.owed} />
                </span>
                <span className="block text-small break-words text-ink-2">
                  {say('Proposed by {name}, {office}', { name: vote.by.name, office: officeWords(vote.office) })} ·{' '}
                  <LongDate iso={vote.at} />
                  {vote.declined_by.length > 0 && (
                    <> · {say('Declined by {who}', { who: vote.declined_by.join(', ') })}</>
                  )}
                </span>
              </span>
              <Icon name="arrow" className="size-4.5 text-ink-2" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What the vote is about. */
export function voteWords({ step, number }: Pick<Vote, 'step' | 'number'>): string {
  if (step === 'restructure') return say('New schedule for loan {number}', { number });
  return step === 'write_off'
    ? say('Write off loan {number}', { number })
    : say('Default of loan {number}', { number });
}
