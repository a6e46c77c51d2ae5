import { VOTE_VIEWS, type VoteView } from '@ushirika/contract/voting';
import { useSearchParams } from 'react-router';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { say } from '../words/say.ts';
import { OwnPart, VoteList } from './vote-list.tsx';
import { useVotes } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';

/** /client/voting-proposals: the votes of the chosen sacco. */
export function ClientVotesPage() {
  const [query] = useSearchParams();
  const view = VOTE_VIEWS.find((each) => each === query.get('view')) ?? 'open';
  const list = useVotes(useSacco()?.id, view);
  return (
    <>
      <Title>{say('Voting Proposals')}</Title>
      <PageHead
        title={say('Voting Proposals')}
        lead={say('One member, one vote. A change that passes is carried out by itself.')}
      >
        <LinkButton look="quiet" to={votingPaths.how()}>
          {say('How a vote goes')}
        </LinkButton>
        <LinkButton look="line" to={votingPaths.bylaws()}>
          {say('By-laws')}
        </LinkButton>
        <LinkButton look="line" to={votingPaths.newVote()}>
          {say('Draft a vote')}
        </LinkButton>
      </PageHead>
      <div className="mt-5 grid gap-5">
        <ChoiceBar label={say('Which votes')} choices={choices(view)} />
        <DeskList pages={list} empty={emptyWords(view)}>
          {(votes) => <VoteList votes={votes} toOne={votingPaths.vote} own={(vote) => <OwnPart vote={vote} />} />}
        </DeskList>
      </div>
    </>
  );
}

function choices(view: VoteView) {
  const words: Record<VoteView, string> = {
    open: say('Open now'),
    coming: say('Coming'),
    past: say('Past'),
    mine: say('Mine'),
  };
  return VOTE_VIEWS.map((each) => ({ to: votingPaths.votes(each), words: words[each], isChosen: each === view }));
}

function emptyWords(view: VoteView): { title: string; next: string } {
  const words: Record<VoteView, { title: string; next: string }> = {
    open: { title: say('No vote is open'), next: say('You are told when one opens. Look under Coming for the next.') },
    coming: {
      title: say('No vote is coming'),
      next: say('Any member may draft one. Drafts that wait for signatures appear here.'),
    },
    past: { title: say('No vote is over yet'), next: say('Results stay here, and anybody can recount them.') },
    mine: { title: say('You have drafted, signed and voted in none'), next: say('Draft a vote begins one.') },
  };
  return words[view];
}
