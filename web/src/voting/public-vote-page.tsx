import type { PublicVote, PublicVoteDetail } from '@ushirika/contract/voting';
import { Suspense } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { enterSacco } from '../saccos/enter-sacco.ts';
import { useSaccos } from '../saccos/saccos.queries.ts';
import { rememberPage, useSacco, useSession } from '../session/session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { leftOutWords } from './off-roll-words.ts';
import { OfficeCard } from './office-card.tsx';
import { votersWords } from './pool-of-vote.tsx';
import { RecountCard } from './recount-card.tsx';
import { ElectionBars, ResultBars } from './result-bars.tsx';
import { VoteFrame } from './vote-frame.tsx';
import { VoteSteps } from './vote-steps.tsx';
import { usePublicVote } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import {
  choiceWords,
  classWords,
  leftWords,
  outcomeWords,
  quorumShown,
  rollSentence,
  stateTones,
  stateWords,
  titleOfVote,
} from './voting-words.ts';

const OperatorTitle = later(() => import('./operator-title.tsx'), 'OperatorTitle');

/** /voting-proposals/:id: for everybody; whoever works in that sacco goes on to the member's page. */
export function PublicVotePage() {
  const { id = '' } = useParams();
  const session = useSession();
  const sacco = useSacco();
  const read = usePublicVote(id);
  if (read.data && session && sacco?.id === read.data.sacco.id) return <Navigate to={votingPaths.vote(id)} replace />;
  return (
    <VoteFrame read={read} back={paths.votingProposals()} className="wrap max-w-[1080px] pt-2 pb-8">
      {(vote) => <OneVote vote={vote} />}
    </VoteFrame>
  );
}

function OneVote({ vote }: { vote: PublicVoteDetail }) {
  const isSignedIn = useSession() !== null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Title>{titleOfVote(vote)}</Title>
      <div className="lg:col-span-2">
        <p className="num text-small text-ink-2">
          {vote.title
            ? say('Vote {number}, in the words of whoever drafted it:', { number: vote.number })
            : say('Vote {number}', { number: vote.number })}
        </p>
        <h1 className="text-head break-words">{titleOfVote(vote)}</h1>
        <p className="num mt-2 flex flex-wrap items-center gap-2">
          <Tag tone={stateTones[vote.state]}>{stateWords(vote.state, vote.kind)}</Tag>
          {vote.state === 'open' && vote.closes_at && (
            <span className="text-small font-semibold">{leftWords(vote.closes_at)}</span>
          )}
          {vote.ballot === 'secret' && <Tag tone="plain">{say('Secret ballot')}</Tag>}
          <span className="text-small text-ink-2">{classWords(vote.class, vote.rules)}</span>
          <Link className="link text-small" to={paths.sacco(vote.sacco.id)}>
            {vote.sacco.name}
          </Link>
          {vote.pool && (
            <Link className="link text-small" to={paths.guarantorPool(vote.pool.id)}>
              {vote.pool.name}
            </Link>
          )}
        </p>
        {vote.title_hidden && (
          <p className="mt-2 text-ink-2">
            {say('An operator has hidden the title from strangers. Members read it, with the reason.')}
          </p>
        )}
        {vote.pool && <p className="mt-2 text-ink-2">{votersWords(vote.pool)}</p>}
      </div>
      <Card className="p-5 lg:col-span-2">
        <VoteSteps vote={vote} />
        <p className="num mt-4 text-small text-ink-2">{rollSentence(vote)}</p>
      </Card>
      <OfficeCard vote={vote} />
      {vote.result && (
        <div className="grid gap-4">
          {[...vote.rounds].reverse().map((round) => (
            <RoundCard key={round.round} vote={vote} round={round} />
          ))}
        </div>
      )}
      {vote.result && <RecountCard id={vote.id} announced={{ ...vote, roll_size: vote.roll_size ?? 0 }} own={null} />}
      <ForMembers vote={vote} />
      {isSignedIn && (
        <Suspense>
          <OperatorTitle vote={vote} />
        </Suspense>
      )}
    </div>
  );
}

type Round = PublicVoteDetail['rounds'][number];

function RoundCard({ vote, round }: { vote: PublicVoteDetail; round: Round }) {
  const { rounds, kind, election, rules, roll_size } = vote;
  const words = outcomeWords(round.outcome, kind);
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">
        {rounds.length === 1 ? words : say('Round {round}: {outcome}', { round: round.round, outcome: words })}
      </h2>
      {election ? (
        <ElectionBars rows={candidateRows(election, round)} abstentions={round.tally.abstain} />
      ) : (
        <ResultBars tally={round.tally} rules={rules} quorum={quorumShown(vote, round.round)} members={roll_size} />
      )}
      {round.left_out > 0 && <p className="mt-3 text-small text-ink-2">{leftOutWords(round.left_out)}</p>}
    </Card>
  );
}

/** Candidates are named to members alone. */
function candidateRows(election: PublicVoteDetail['election'], { votes: counted }: Round) {
  return counted.map(({ candidate, votes }) => ({
    id: candidate,
    name: choiceWords(candidate),
    votes,
    isElected: candidate === election?.elected,
  }));
}

/** Text and ballot are for the sacco's members: the way there. */
function ForMembers({ vote }: { vote: PublicVote }) {
  const { id, sacco, pool } = vote;
  const session = useSession();
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 lg:col-span-2">
      <p className="max-w-[60ch] text-ink-2">
        {pool
          ? say('Members of the pool {pool} read the whole text here, and vote.', { pool: pool.name })
          : say('Members of {sacco} read the whole text here, and vote.', { sacco: sacco.name })}
      </p>
      {session ? (
        <EnterAsMember id={id} sacco={sacco.id} />
      ) : (
        <LinkButton look="line" to={paths.login()} onClick={() => rememberPage(paths.votingProposal(id))}>
          {say('Sign In')}
        </LinkButton>
      )}
    </Card>
  );
}

/** Whoever is signed in, but works in another sacco or in none. */
function EnterAsMember({ id, sacco }: { id: string; sacco: string }) {
  const own = useSaccos('', useSession()?.user.id).rows?.find((row) => row.id === sacco);
  const navigate = useNavigate();
  const enter = () => {
    if (enterSacco(own)) void navigate(votingPaths.vote(id));
  };
  if (own) return <Button onClick={enter}>{say('Open it as a member')}</Button>;
  return (
    <LinkButton look="line" to={paths.sacco(sacco)}>
      {say('See the sacco')}
    </LinkButton>
  );
}
