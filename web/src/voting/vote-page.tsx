import type { VotingProposalDetail } from '@ushirika/contract/voting';
import { quorumOf, RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { OldAndNew } from '../saccos/change-card.tsx';
import { meaningOf, titleOf } from '../saccos/change-words.ts';
import { momentWords } from '../saccos/moment-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSacco } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { BallotDialog } from './ballot-dialog.tsx';
import type { Announced, Own } from './recount.ts';
import { RecountCard } from './recount-card.tsx';
import { ResultBars } from './result-bars.tsx';
import { VoteActs } from './vote-acts.tsx';
import { VoteSteps } from './vote-steps.tsx';
import { useVote } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import {
  choiceWords,
  classWords,
  eventWords,
  leftWords,
  outcomeWords,
  ruleSentences,
  stateTones,
  stateWords,
} from './voting-words.ts';

/** /client/voting-proposals/:id */
export function ClientVotePage() {
  const { id = '' } = useParams();
  const { data: vote, error, isPending, refetch } = useVote(useSacco()?.id, id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="max-w-[1080px]">
      <Link
        to={votingPaths.votes()}
        className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink"
      >
        <Icon name="back" className="size-4.5" />
        {say('Voting Proposals')}
      </Link>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !vote && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {vote && <OneVote vote={vote} />}
    </div>
  );
}

function OneVote({ vote }: { vote: VotingProposalDetail }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Title>{vote.title}</Title>
      <div className="lg:col-span-2">
        <h1 className="text-head break-words">{vote.title}</h1>
        <p className="num mt-2 flex flex-wrap items-center gap-2">
          <Tag tone={stateTones[vote.state]}>{stateWords(vote.state)}</Tag>
          {vote.round > 1 && <Tag tone="plain">{say('Second round')}</Tag>}
          <span className="text-small text-ink-2">{classWords(vote.class)}</span>
        </p>
      </div>
      <Card className="p-5 lg:col-span-2">
        <VoteSteps vote={vote} />
      </Card>
      <div className="grid gap-4">
        <Text vote={vote} />
        {vote.change && <Change change={vote.change} />}
      </div>
      <div className="grid gap-4 empty:hidden lg:row-span-2">
        <OwnVote vote={vote} />
        <Result vote={vote} />
        {vote.rounds.length > 0 && <RecountCard id={vote.id} announced={announcedOf(vote)} own={ownOf(vote)} />}
      </div>
      <div className="grid gap-4">
        <Rules vote={vote} />
        <Events vote={vote} />
      </div>
    </div>
  );
}

function Text({ vote: { text, drafted_by, drafted_at } }: { vote: VotingProposalDetail }) {
  const { name, office } = drafted_by;
  return (
    <Card className="p-5">
      <h2 className="mb-1.5 text-lead">{say('What it is about')}</h2>
      <p className="max-w-[70ch] break-words whitespace-pre-line">{text}</p>
      <p className="num mt-3 text-small text-ink-2">
        {say('Drafted by {name}, {time}.', {
          name: office ? `${name} (${officeWords(office)})` : name,
          time: momentWords(drafted_at),
        })}
      </p>
    </Card>
  );
}

function Change({ change }: { change: NonNullable<VotingProposalDetail['change']> }) {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What it changes')}</h2>
      <p className="mt-1 text-small text-ink-2">{titleOf(change.kind)}</p>
      <OldAndNew change={change} />
      <div className="mt-3 rounded-box bg-sunken px-4 py-3 text-small">
        <p className="font-semibold">{say('What it means for members')}</p>
        <ul className="num mt-1.5 grid list-disc gap-1.5 pl-4.5">
          {meaningOf(change).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** What one may do now, and what one has done. */
function OwnVote({ vote }: { vote: VotingProposalDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { my, may, state, closes_at } = vote;
  const words = ownWords(vote);
  if (!words && may.length === 0) return null;
  return (
    <Card className={`p-5 ${may.includes('vote') && !my.choice ? 'border-ochre' : ''}`}>
      {words && <h2 className="num text-lead">{words}</h2>}
      {state === 'open' && closes_at && (
        <p className="num mt-1 text-small text-ink-2">
          {leftWords(closes_at)} · {say('until {time}', { time: momentWords(closes_at) })}
        </p>
      )}
      {my.choice && my.handle && (
        <div className="mt-2">
          <Facts
            facts={[
              [say('Your vote'), choiceWords(my.choice)],
              [say('Voted at'), <LongDate key="at" iso={my.voted_at} time />],
              [
                say('Your roll number'),
                <span key="handle" className="break-all">
                  {my.handle}
                </span>,
              ],
            ]}
          />
        </div>
      )}
      <div className="mt-4 grid gap-2.5 empty:hidden">
        {may.includes('vote') && (
          <Button look={my.choice ? 'line' : 'main'} onClick={() => setOpen(true)}>
            {my.choice ? say('Change my vote') : say('Vote')}
          </Button>
        )}
        <VoteActs vote={vote} />
      </div>
      {isOpen && <BallotDialog vote={vote} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ownWords({ my, may, state, signatures, drafted_by }: VotingProposalDetail): string | null {
  if (state === 'draft' && drafted_by.office && may.includes('sign')) return say('It waits for your signature.');
  if (state === 'draft') return signatureWords(signatures, my.has_signed, drafted_by.office !== null);
  if (my.choice) return say('You have voted');
  if (may.includes('vote')) return say('You have not voted yet');
  if (my.on_roll === false && state !== 'cancelled') return say('You are not on the roll of this vote');
  if (state === 'published') return say('You are on the roll');
  return may.length > 0 ? say('For the supervisory committee') : null;
}

function signatureWords(
  { given, needed }: VotingProposalDetail['signatures'],
  hasSigned: boolean,
  isOfBoard: boolean,
): string {
  const values = { n: needed - given };
  const words = isOfBoard
    ? say('It waits for another official of the board.')
    : say('It waits for {n, plural, one {1 more signature} other {# more signatures}} of members.', values);
  return hasSigned ? `${say('You have signed.')} ${words}` : words;
}

function Result({ vote }: { vote: VotingProposalDetail }) {
  const { rounds, roll_size } = vote;
  return [...rounds].reverse().map(({ round, tally, outcome }) => (
    <Card key={round} className="p-5">
      <h2 className="mb-3 text-lead">
        {round === 1 && rounds.length === 1 && vote.round === 1
          ? outcomeWords(outcome)
          : say('Round {round}: {outcome}', { round, outcome: outcomeWords(outcome) })}
      </h2>
      <ResultBars tally={tally} voteClass={vote.class} quorum={quorumShown(vote, round)} members={roll_size} />
    </Card>
  ));
}

/** What the shown round needed: the vote carries that of its last one. */
function quorumShown(vote: VotingProposalDetail, round: number): number | null {
  if (round === vote.round || vote.roll_size === null) return vote.quorum;
  return quorumOf(RULES_OF_CLASS[vote.class], vote.roll_size, round);
}

const announcedOf = ({ roll_size, class: voteClass, majority, rounds }: VotingProposalDetail): Announced => ({
  roll_size: roll_size ?? 0,
  rules: { ...RULES_OF_CLASS[voteClass], majority },
  rounds,
});

/** Oneself in the last round, once that is counted. */
function ownOf({ my, round, result }: VotingProposalDetail): Own | null {
  return my.handle && result ? { handle: my.handle, round, choice: my.choice } : null;
}

function Rules({ vote }: { vote: VotingProposalDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('The rules of this vote')}</h2>
      <ul className="num grid max-w-[70ch] list-disc gap-1.5 pl-4.5">
        {ruleSentences(vote).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  );
}

function Events({ vote: { events } }: { vote: VotingProposalDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('What has happened')}</h2>
      <ol>
        {events.map(({ kind, at, name, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only added, and never move
          <li key={index} className="group flex gap-3.5">
            <span className="flex flex-col items-center pt-1.5">
              <span className="size-2.5 shrink-0 rounded-full bg-forest" />
              <span className="mt-1 w-px grow bg-line group-last:hidden" />
            </span>
            <div className="min-w-0 grow pb-4 group-last:pb-0">
              <p className="font-semibold break-words">{eventWords(kind, name)}</p>
              <p className="num text-small text-ink-2">
                <LongDate iso={at} time />
              </p>
              {text && (
                <p className="mt-1.5 rounded-box bg-sunken px-4 py-2.5 break-words whitespace-pre-line">{text}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
