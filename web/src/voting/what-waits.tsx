import type { VoteInTheWay } from '@ushirika/contract/voting';
import { useState } from 'react';
import { Link } from 'react-router';
import { CallFailure } from '../api/failure.ts';
import type { Explanation } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { wayToWhatWaits } from './explain-vote.ts';
import { votingPaths } from './voting-paths.ts';
import { waitsWords } from './voting-words.ts';

/**
 * Explains why something cannot be asked now. What is refused as things are stays beside the form, as `link`; where something else has to be
 * decided first, it leads there.
 */
export function useWhatWaits(explain: (error: unknown) => Explanation, pageOfChange: string | null = null) {
  const [to, setTo] = useState<string | null>(null);
  const [words, setWords] = useState<readonly string[]>([]);
  return {
    explain: (error: unknown): Explanation => {
      const explained = explain(error);
      const isRefused = error instanceof CallFailure && error.status === 409;
      setTo(wayToWhatWaits(error, pageOfChange));
      setWords(isRefused ? explained.toasts : []);
      return isRefused ? { ...explained, toasts: [] } : explained;
    },
    link: (to || words.length > 0) && (
      <div role="alert">
        {words.map((sentence) => (
          <p key={sentence} className="font-medium text-clay">
            {sentence}
          </p>
        ))}
        {to && <WayThere to={to} />}
      </div>
    ),
  };
}

/** On the same terms members decide already: said before one drafts or signs. */
export function WaitsNote({ vote }: { vote: VoteInTheWay }) {
  return (
    <div className="num rounded-box bg-ochre-tint px-4 py-3 text-small">
      <p>{waitsWords(vote)}</p>
      <WayThere to={votingPaths.vote(vote.id)} />
    </div>
  );
}

const WayThere = ({ to }: { to: string }) => (
  <Link to={to} className="link inline-flex min-h-11 items-center font-semibold">
    {say('Show what has to be decided first')}
  </Link>
);
