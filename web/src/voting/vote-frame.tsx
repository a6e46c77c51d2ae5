import type { ReactNode } from 'react';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { FailureState } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';

interface Read<Vote> {
  readonly data: Vote | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

/** What stands around one vote, for members and for everybody: the way back to the list, and what is shown while it loads or fails. */
export function VoteFrame<Vote>(props: {
  read: Read<Vote>;
  /** The address of the list. */
  back: string;
  className: string;
  children: (vote: Vote) => ReactNode;
}) {
  const { read, back, className, children } = props;
  const { data: vote, error, isPending, refetch } = read;
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className={className}>
      <BackLink to={back}>{say('Voting Proposals')}</BackLink>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !vote && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {vote && children(vote)}
    </div>
  );
}
