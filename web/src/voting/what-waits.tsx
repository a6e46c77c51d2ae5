import { useState } from 'react';
import { Link } from 'react-router';
import type { Explanation } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { wayToWhatWaits } from './explain-vote.ts';

/** Explains why something cannot be asked now; where something else has to be decided first, `link` leads there. */
export function useWhatWaits(explain: (error: unknown) => Explanation, pageOfChange: string | null = null) {
  const [to, setTo] = useState<string | null>(null);
  return {
    explain: (error: unknown) => {
      setTo(wayToWhatWaits(error, pageOfChange));
      return explain(error);
    },
    link: to && (
      <p role="status">
        <Link to={to} className="link inline-flex min-h-11 items-center font-semibold">
          {say('Show what has to be decided first')}
        </Link>
      </p>
    ),
  };
}
