import type { Own } from '@ushirika/contract/recount';
import { kindOfVote } from '@ushirika/contract/vote-kinds';
import type { SecretReceipt, VotingProposalDetail } from '@ushirika/contract/voting';
import { turnoutOf } from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Title } from '../layouts/title.tsx';
import { BusyNote, useBusyWith } from '../pools/busy-with.tsx';
import { clientPoolPaths } from '../pools/pool-paths.ts';
import { ProofLink } from '../receipts/proof-link.tsx';
import { OldAndNew } from '../saccos/change-card.tsx';
import { meaningOf, titleOf, titleOfChange } from '../saccos/change-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSacco } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts, Tag } from '../ui/card.tsx';
import { FileField } from '../ui/fields.tsx';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { AnswerCard } from './answer-card.tsx';
import { BallotDialog } from './ballot-dialog.tsx';
import { CandidatesCard } from './candidates-card.tsx';
import { ClosedMeanwhile } from './closed-meanwhile.tsx';
import { loanExample } from './loan-example.ts';
import { MeansForMe } from './means-for-me.tsx';
import { leftOutWords, offRollWords } from './off-roll-words.ts';
import { OfficeCard } from './office-card.tsx';
import { PoolMeans, votersWords } from './pool-of-vote.tsx';
import { readReceiptFile } from './receipt-file.ts';
import { RecountCard } from './recount-card.tsx';
import { ElectionBars, QuorumBar, ResultBars } from './result-bars.tsx';
import { SecretVote, useKeptPaper } from './secret-vote.tsx';
import { VoteActs } from './vote-acts.tsx';
import { VoteFrame } from './vote-frame.tsx';
import { VoteSteps } from './vote-steps.tsx';
import { useVote } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import {
  candidateNamed,
  choiceWords,
  choiceWordsIn,
  classWords,
  eventWords,
  leftWords,
  outcomeWords,
  quorumShown,
  rollNumberSentence,
  ruleSentences,
  stateTones,
  stateWords,
  titleOfVote,
} from './voting-words.ts';
import { WaitsNote } from './what-waits.tsx';

/** /client/voting-proposals/:id */
export function ClientVotePage() {
  const { id = '' } = useParams();
  const read = useVote(useSacco()?.id, id);
  return (
    <VoteFrame read={read} back={votingPaths.votes()} className="max-w-[1080px]">
      {(vote) => <OneVote vote={vote} />}
    </VoteFrame>
  );
}

function OneVote({ vote }: { vote: VotingProposalDetail }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Title>{titleOfVote(vote)}</Title>
      <div className="lg:col-span-2">
        <p className="num text-small text-ink-2">{numberAndAuthor(vote)}</p>
        <h1 className="text-head break-words">{titleOfVote(vote)}</h1>
        <p className="num mt-2 flex flex-wrap items-center gap-2">
          <Tag tone={stateTones[vote.state]}>{stateWords(vote.state, vote.kind)}</Tag>
          {vote.round > 1 && <Tag tone="plain">{say('Second round')}</Tag>}
          {vote.ballot === 'secret' && <Tag tone="plain">{say('Secret ballot')}</Tag>}
          <span className="text-small text-ink-2">{classWords(vote.class, vote.rules)}</span>
          {vote.pool && (
            <Link className="link text-small" to={clientPoolPaths.pool(vote.pool.id)}>
              {vote.pool.name}
            </Link>
          )}
        </p>
        {vote.title_hidden && (
          <p className="mt-2 text-ink-2">
            {say(
              'Strangers do not read this title: an operator has hidden it. The reason stands under What has happened.',
            )}
          </p>
        )}
        {vote.pool && <p className="mt-2 text-ink-2">{votersWords(vote.pool)}</p>}
      </div>
      <Card className="p-5 lg:col-span-2">
        <VoteSteps vote={vote} />
      </Card>
      <div className="grid gap-4">
        <Text vote={vote} />
        {vote.change && <Change change={namedChange(vote.change, vote.about)} state={vote.state} pool={vote.pool} />}
        <AnswerCard vote={vote} />
        <MeansForMe vote={vote} />
        <PoolMeans vote={vote} />
        <ClosedMeanwhile vote={vote} />
        <OfficeCard vote={vote} />
        <CandidatesCard vote={vote} />
      </div>
      <div className="grid gap-4 empty:hidden lg:row-span-2">
        <OwnVote vote={vote} />
        <Result vote={vote} />
        {vote.rounds.length > 0 && (vote.ballot === 'secret' || vote.result) && <OwnRecount vote={vote} />}
      </div>
      <div className="grid gap-4">
        <Rules vote={vote} />
        <Events vote={vote} />
      </div>
    </div>
  );
}

/** Members read whose words the title is. */
function numberAndAuthor({ number, drafted_by }: VotingProposalDetail): string {
  if (!drafted_by.name) return say('Vote {number}', { number });
  return say('Vote {number}, in the words of {name}:', { number, name: authorOf(drafted_by) });
}

function authorOf({ name, former_name, office }: VotingProposalDetail['drafted_by']): string {
  const shown = trustedName(name, former_name);
  return office ? `${shown} (${officeWords(office)})` : shown;
}

/** The change, with the name before of the person whom it is about. */
const namedChange = <Asked extends NonNullable<VotingProposalDetail['change']>>(
  change: Asked,
  about: VotingProposalDetail['about'],
): Asked =>
  about ? { ...change, before: { ...change.before, name: trustedName(about.name, about.former_name) } } : change;

function Text({ vote: { text, drafted_by, drafted_at } }: { vote: VotingProposalDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-1.5 text-lead">{say('What it is about')}</h2>
      <p className="max-w-[70ch] break-words whitespace-pre-line">
        {text || say('What it says is for those in the pool, and for the supervisory committee.')}
      </p>
      <p className="num mt-3 text-small text-ink-2">
        {drafted_by.name
          ? say('Drafted by {name}, {time}.', { name: authorOf(drafted_by), time: longDateTime(drafted_at) })
          : longDateTime(drafted_at)}
      </p>
    </Card>
  );
}

function Change({
  change,
  state,
  pool,
}: { change: NonNullable<VotingProposalDetail['change']> } & Pick<VotingProposalDetail, 'state' | 'pool'>) {
  const title = titleOfChange(change, titleOf(change.kind, kindOfVote));
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('What it changes')}</h2>
      <p className="mt-1 text-small text-ink-2">{pool ? `${title}: ${pool.name}` : title}</p>
      <OldAndNew change={change} kinds={kindOfVote} />
      <div className="mt-3 rounded-box bg-sunken px-4 py-3 text-small">
        <p className="font-semibold">{say('What it means for members')}</p>
        <ul className="num mt-1.5 grid list-disc gap-1.5 pl-4.5">
          {meaningOf(change, kindOfVote).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      {change.kind === 'loan_product' && change.after.is_offered !== 'no' && (
        <ul className="num mt-3 grid gap-1.5 text-small">
          {loanExample(change.before, change.after).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {change.kind === 'bylaws' && (
        <details className="mt-3">
          <summary className="cursor-pointer font-semibold">{say('Read the whole by-laws that are voted on')}</summary>
          <p className="mt-2 max-w-[75ch] break-words whitespace-pre-line">{change.after.text}</p>
          <Link className="link mt-2 inline-block" to={votingPaths.bylaws()}>
            {say('The by-laws that hold now')}
          </Link>
        </details>
      )}
      {change.kind === 'expulsion' && state === 'executed' && (
        <Link className="link mt-3 inline-block" to={votingPaths.newVote('admission', String(change.after.member))}>
          {say('Draft a vote to admit them again')}
        </Link>
      )}
    </Card>
  );
}

function OwnRecount({ vote }: { vote: VotingProposalDetail }) {
  const { paper } = useKeptPaper(vote);
  const [opened, setOpened] = useState<SecretReceipt | null>(null);
  const receipt = paper?.receipt ?? opened;
  const own = vote.ballot === 'secret' ? secretOwn(receipt) : ownOf(vote);
  return (
    <>
      <RecountCard
        key={receipt?.serial}
        id={vote.id}
        announced={{ ...vote, roll_size: vote.roll_size ?? 0 }}
        own={own}
        nameOf={(choice) => choiceWordsIn(vote, choice)}
      />
      {vote.ballot === 'secret' && paper !== undefined && !paper?.receipt && (
        <OpenReceipt vote={vote} opened={opened} onOpened={setOpened} />
      )}
      {vote.election && vote.election.candidates.length > 0 && <Codes candidates={vote.election.candidates} />}
    </>
  );
}

/** For whoever voted on another device: their receipt's file finds their ballot here. */
function OpenReceipt({
  vote,
  opened,
  onOpened,
}: {
  vote: VotingProposalDetail;
  opened: SecretReceipt | null;
  onOpened: (receipt: SecretReceipt | null) => void;
}) {
  const [isWrong, setWrong] = useState(false);
  const open = async (file: File | undefined) => {
    const receipt = file ? readReceiptFile(await file.text(), vote.id) : null;
    setWrong(file !== undefined && receipt === null);
    onOpened(receipt);
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Did you vote on another device?')}</h2>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {say(
          'Open the receipt that you downloaded there, and recount: then your ballot is found. The file stays on this device.',
        )}
      </p>
      <form onChange={({ target }) => void open((target as EventTarget as HTMLInputElement).files?.[0])}>
        <FileField label={say('My receipt')} name="receipt" accept="application/json,.json" />
      </form>
      <p role="status" className="mt-2 text-small break-words empty:hidden">
        {isWrong && say('This file is no receipt of this vote.')}
        {opened &&
          say('It says: {choice}. Now press “Recount this vote”.', { choice: choiceWordsIn(vote, opened.choice) })}
      </p>
    </Card>
  );
}

/** In the file of ballots candidates are codes. */
function Codes({ candidates }: Pick<NonNullable<VotingProposalDetail['election']>, 'candidates'>) {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Codes in the file of ballots')}</h2>
      <Facts
        facts={candidates.map(
          ({ id, name, number }) =>
            [
              candidateNamed({ name, number }),
              <span key={id} className="break-all">
                {id}
              </span>,
            ] as const,
        )}
      />
    </Card>
  );
}

/** The ballot of which this device keeps the receipt. */
const secretOwn = (receipt: SecretReceipt | null | undefined): Own | null =>
  receipt ? { mark: receipt.serial, round: receipt.round, choice: receipt.choice } : null;

/** What one may do now, and what one has done. */
function OwnVote({ vote }: { vote: VotingProposalDetail }) {
  const [isOpen, setOpen] = useState(false);
  const { my, may, state, closes_at } = vote;
  const { paper } = useKeptPaper(vote);
  const words = paper?.receipt ? say('You have voted') : ownWords(vote);
  if (!words && may.length === 0) return null;
  return (
    <Card className={`p-5 ${may.includes('vote') && !my.choice && !my.has_token ? 'border-ochre' : ''}`}>
      {words && <h2 className="num text-lead">{words}</h2>}
      {my.off_roll && state !== 'cancelled' && (
        <p className="mt-1 text-small text-ink-2">{offRollWords(my.off_roll, vote.pool !== null)}</p>
      )}
      {my.on_roll === false && !my.off_roll && vote.pool && state !== 'cancelled' && (
        <p className="mt-1 text-small text-ink-2">
          {say('You had no money in the pool when it was published, or all of it was under notice.')}
        </p>
      )}
      {state === 'open' && closes_at && (
        <p className="num mt-1 text-small text-ink-2">
          {leftWords(closes_at)} · {say('until {time}', { time: longDateTime(closes_at) })}
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
          <p className="mt-2 text-small text-ink-2">{rollNumberSentence(vote.counted_at !== null)}</p>
          <div className="mt-3">
            <ProofLink of={['ballot', vote.id]} />
          </div>
        </div>
      )}
      {vote.ballot === 'secret' && <SecretVote vote={vote} />}
      {my.has_demanded_secret && state === 'published' && vote.ballot === 'open' && (
        <p className="mt-1 text-small text-ink-2">{say('You have asked for a secret ballot.')}</p>
      )}
      {vote.waits_for && (
        <div className="mt-3">
          <WaitsNote vote={vote.waits_for} />
        </div>
      )}
      {state === 'draft' && vote.lapses_at === null && !vote.waits_for && (
        <p className="mt-1 text-small text-ink-2">
          {say(
            'It has its signatures. It is published by itself once another vote is counted: as many as may be are under way.',
          )}
        </p>
      )}
      {may.includes('sign') && <BusyOnVote vote={vote} />}
      <div className="mt-4 grid gap-2.5 empty:hidden">
        {may.includes('vote') && vote.ballot === 'open' && (
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

/** Before one signs a draft of a pool: another one of it that one has signed. */
function BusyOnVote({ vote: { sacco, pool, change } }: { vote: VotingProposalDetail }) {
  const busyWith = useBusyWith(sacco.id, change?.kind === 'pool_steward_end' ? null : (pool?.id ?? null));
  return (
    busyWith && (
      <div className="mt-3">
        <BusyNote vote={busyWith} />
      </div>
    )
  );
}

function ownWords(vote: VotingProposalDetail): string | null {
  const { my, may, state, drafted_by } = vote;
  if (state === 'draft' && drafted_by.office && may.includes('sign')) return say('It waits for your signature.');
  if (state === 'draft') return signatureWords(vote);
  if (my.choice) return say('You have voted');
  if (my.has_token) return say('You have asked for your ballot paper');
  if (may.includes('vote')) return say('You have not voted yet');
  if (my.on_roll === false && state !== 'cancelled') return say('You are not on the roll of this vote');
  if (state === 'published') return say('You are on the roll');
  return may.length > 0 ? say('For the supervisory committee') : null;
}

function signatureWords(vote: VotingProposalDetail): string {
  const { signatures, drafted_by, my } = vote;
  const values = { n: signatures.needed - signatures.given };
  const ofMembers = vote.pool
    ? say('It waits for {n, plural, one {1 more signature} other {# more signatures}} of members of the pool.', values)
    : say('It waits for {n, plural, one {1 more signature} other {# more signatures}} of members.', values);
  const words = drafted_by.office ? say('It waits for another official of the board.') : ofMembers;
  return my.has_signed ? `${say('You have signed.')} ${words}` : words;
}

function Result({ vote }: { vote: VotingProposalDetail }) {
  const { rounds, roll_size } = vote;
  return [...rounds].reverse().map(({ round, tally, outcome, votes, left_out }) => (
    <Card key={round} className="p-5">
      <h2 className="mb-3 text-lead">
        {round === 1 && rounds.length === 1 && vote.round === 1
          ? outcomeWords(outcome, vote.kind)
          : say('Round {round}: {outcome}', { round, outcome: outcomeWords(outcome, vote.kind) })}
      </h2>
      {vote.election ? (
        <ElectionResult vote={vote} round={round} tally={tally} votes={votes} />
      ) : (
        <ResultBars tally={tally} rules={vote.rules} quorum={quorumShown(vote, round)} members={roll_size} />
      )}
      {left_out > 0 && <p className="mt-3 text-small text-ink-2">{leftOutWords(left_out)}</p>}
      {round === rounds.at(-1)?.round && (
        <div className="mt-4">
          <ProofLink of={['vote', vote.id]} />
        </div>
      )}
    </Card>
  ));
}

function ElectionResult({
  vote,
  round,
  tally,
  votes,
}: { vote: VotingProposalDetail } & Pick<VotingProposalDetail['rounds'][number], 'round' | 'tally' | 'votes'>) {
  const rows = votes.map((one) => ({
    id: one.candidate,
    name: choiceWordsIn(vote, one.candidate),
    votes: one.votes,
    isElected: one.candidate === vote.election?.elected,
  }));
  return (
    <div className="grid gap-4">
      <QuorumBar cast={turnoutOf(tally)} quorum={quorumShown(vote, round)} members={vote.roll_size ?? 0} />
      <ElectionBars rows={rows} abstentions={tally.abstain} />
    </div>
  );
}

/** Oneself in the last round, once that is counted. */
function ownOf({ my, round, result }: VotingProposalDetail): Own | null {
  return my.handle && result ? { mark: my.handle, round, choice: my.choice } : null;
}

function Rules({ vote }: { vote: VotingProposalDetail }) {
  return (
    <Fold title={say('The rules of this vote')} openWhenWide>
      <ul className="num grid max-w-[70ch] list-disc gap-1.5 pl-4.5">
        {ruleSentences(vote).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Fold>
  );
}

function Events({ vote: { events } }: { vote: VotingProposalDetail }) {
  // Of a pool's vote those outside are told of none.
  if (events.length === 0) return null;
  return (
    <Fold title={say('What has happened')} sum={formatCount(events.length)} openWhenWide>
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
    </Fold>
  );
}
