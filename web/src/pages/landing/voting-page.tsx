import { Navigate, useParams } from 'react-router';
import { useSacco, useSession } from '../../session/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { HowVotingWorks } from '../../voting/how-voting-works.tsx';
import { PublicVotePage } from '../../voting/public-vote-page.tsx';
import { PublicVotes } from '../../voting/public-votes.tsx';
import { votingPaths } from '../../voting/voting-paths.ts';
import { say } from '../../words/say.ts';
import { Explained } from './explain-pages.tsx';
import { VotePicture } from './pictures.tsx';

/** /voting-proposals: for whoever works in a sacco its own votes, else how members vote. /voting-proposals/:id: one vote. */
export function PublicVotingPage() {
  const { id } = useParams();
  const session = useSession();
  const sacco = useSacco();
  if (id !== undefined) return <PublicVotePage />;
  return session && sacco ? <Navigate to={votingPaths.votes()} replace /> : <VotingExplained />;
}

function VotingExplained() {
  return (
    <Explained
      title={say('Voting Proposals')}
      lines={[
        say('A proposal says in plain words what it would change in your sacco.'),
        say('Each member has one vote, whatever the number of shares, and may cast it from any phone.'),
        say('Quorum and threshold are known before; title and final result are public.'),
      ]}
      more={
        <a href="#votes" className="link inline-flex min-h-11 items-center gap-2 font-semibold">
          {say('See real votes')}
          <Icon name="down" className="size-4" />
        </a>
      }
      picture={<VotePicture />}
      figures={
        <>
          <HowVotingWorks />
          <PublicVotes />
        </>
      }
    />
  );
}
