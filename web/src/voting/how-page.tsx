import { Title } from '../layouts/title.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { PageHead } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { HowVotingWorks } from './how-voting-works.tsx';
import { votingPaths } from './voting-paths.ts';

/** /client/voting-proposals/how: what visitors read about votes, for members. */
export function HowPage() {
  return (
    <div className="max-w-[1080px]">
      <Title>{say('How a vote goes')}</Title>
      <BackLink to={votingPaths.votes()}>{say('Voting Proposals')}</BackLink>
      <PageHead
        title={say('How a vote goes')}
        lead={say('The members of a sacco may set other times and numbers. Each vote says which ones it has.')}
      />
      <HowVotingWorks className="mt-5" />
    </div>
  );
}
