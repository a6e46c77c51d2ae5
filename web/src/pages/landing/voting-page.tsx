import { PublicVotes } from '../../voting/public-votes.tsx';
import { say } from '../../words/say.ts';
import { Explained } from './explain-pages.tsx';
import { VotePicture } from './pictures.tsx';

/** /voting-proposals: how members vote, and the votes of all saccos. */
export function VotingExplained() {
  return (
    <Explained
      title={say('Voting Proposals')}
      lines={[
        say('A proposal says in plain words what it would change in your sacco.'),
        say('Each member has one vote, whatever the number of shares, and may cast it from any phone.'),
        say('Quorum and threshold are known before; title and final result are public.'),
      ]}
      picture={<VotePicture />}
      figures={<PublicVotes />}
    />
  );
}
