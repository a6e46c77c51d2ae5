import type { PublicVote, VotingProposal } from '@ushirika/contract/voting';
import { turnoutOf } from '@ushirika/contract/voting-rules';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { officeWords } from '../saccos/office-words.ts';
import { Card, Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { MajorityBar } from './result-bars.tsx';
import { choiceWords, classWords, leftWords, stateTones, stateWords, timeWords, titleOfVote } from './voting-words.ts';

/** Votes, each as a card that opens it. `own` says what whoever looks has to do with it. */
export function VoteList<Vote extends PublicVote>({
  votes,
  toOne,
  own,
  withSacco = false,
}: {
  votes: readonly Vote[];
  toOne: (id: string) => string;
  own?: (vote: Vote) => ReactNode;
  withSacco?: boolean;
}) {
  return (
    <ul className="grid gap-3 lg:grid-cols-2">
      {votes.map((vote) => (
        <li key={vote.id} className="grid">
          <Card className="group relative flex flex-col gap-3 p-5">
            <div className="flex flex-wrap items-center gap-2">
              <Tag tone={stateTones[vote.state]}>{stateWords(vote.state, vote.kind)}</Tag>
              {vote.round > 1 && <Tag tone="plain">{say('Second round')}</Tag>}
              {vote.ballot === 'secret' && <Tag tone="plain">{say('Secret ballot')}</Tag>}
              {vote.state === 'open' && vote.closes_at && (
                <span className="num text-small font-semibold">{leftWords(vote.closes_at)}</span>
              )}
            </div>
            <div>
              <h2 className="text-lead break-words">
                <Link to={toOne(vote.id)} className="after:absolute after:inset-0 group-hover:underline">
                  {titleOfVote(vote)}
                </Link>
              </h2>
              <p className="num mt-1 text-small text-ink-2">
                {`${say('Vote {number}', { number: vote.number })} · `}
                {withSacco && `${vote.sacco.name} · `}
                {vote.pool && `${vote.pool.name} · `}
                {vote.office && `${officeWords(vote.office)} · `}
                {classWords(vote.class, vote.rules)}
              </p>
              <p className="num text-small text-ink-2">
                <When vote={vote} />
              </p>
            </div>
            {vote.result && vote.kind !== 'election' && turnoutOf(vote.result) > 0 && (
              <MajorityBar tally={vote.result} rules={vote.rules} />
            )}
            {own?.(vote)}
          </Card>
        </li>
      ))}
    </ul>
  );
}

function When({ vote }: { vote: PublicVote }) {
  const words = timeWords(vote);
  if (words) return words;
  return vote.result && vote.closes_at ? <LongDate iso={vote.closes_at} /> : kindWords(vote);
}

function kindWords({ kind }: PublicVote): string {
  if (kind === 'election') return say('An election');
  return kind === 'change' ? say('A change of a rule') : say('A resolution');
}

/** What one has done in a vote, or has still to do. */
export function OwnPart({ vote }: { vote: VotingProposal }) {
  const { my, may, signatures, state, elected_name: elected } = vote;
  if (state === 'draft') {
    return (
      <Own isOpen={may.includes('sign')}>
        {say('{given} of {needed} signatures', { given: signatures.given, needed: signatures.needed })}
        {my.has_signed && ` · ${say('you have signed')}`}
      </Own>
    );
  }
  if (elected) return <Own isOpen={false}>{say('Elected: {name}', { name: elected })}</Own>;
  if (my.choice) return <Own isOpen={false}>{say('Your vote: {choice}', { choice: choiceWords(my.choice) })}</Own>;
  if (my.has_token) return <Own isOpen={false}>{say('Your ballot paper was given out')}</Own>;
  if (may.includes('vote')) return <Own isOpen>{say('You have not voted yet')}</Own>;
  if (my.on_roll === false) return <Own isOpen={false}>{say('You are not on the roll of this vote')}</Own>;
  return null;
}

function Own({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  return (
    <p
      className={`num mt-auto flex items-center gap-2 border-t border-dashed border-line pt-3 text-small ${isOpen ? 'font-semibold text-ochre-ink' : 'text-ink-2'}`}
    >
      <Icon name={isOpen ? 'ballot' : 'check'} className="size-4.5" />
      {children}
    </p>
  );
}
