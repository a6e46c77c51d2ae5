import { DeskList } from '../layouts/list-states.tsx';
import { paths } from '../paths.ts';
import { say } from '../words/say.ts';
import { VoteList } from './vote-list.tsx';
import { usePublicVotes } from './voting.queries.ts';

/** The published votes of all saccos, the newest first: on the public page of votes. */
export function PublicVotes() {
  const list = usePublicVotes();
  return (
    <section aria-labelledby="votes" className="wrap">
      <h2 id="votes" className="text-head">
        {say('Votes of all saccos')}
      </h2>
      <p className="mt-1.5 mb-5 max-w-[62ch] text-ink-2">
        {say(
          'Times and final results are public, and titles too: but for those of votes about a person, and those that an operator has hidden. Anybody can recount a vote that is over.',
        )}
      </p>
      <DeskList
        pages={list}
        empty={{ title: say('No vote yet'), next: say('Votes appear here once they are published.') }}
      >
        {(votes) => <VoteList votes={votes} toOne={paths.votingProposal} withSacco />}
      </DeskList>
    </section>
  );
}
