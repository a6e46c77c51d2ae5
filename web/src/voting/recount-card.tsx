import { type Announced, type CheckName, type Own, type Recount, recount } from '@ushirika/contract/recount';
import { turnoutOf } from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { formatCount, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { addressOfFile, readVoteFile } from './voting.queries.ts';
import { choiceWords, membersWords, outcomeWords, votesWords } from './voting-words.ts';

const ROLL = '/voting/public/{id}/roll';
const BALLOTS = '/voting/public/{id}/ballots';
const ISSUED = '/voting/public/{id}/issued';

type Progressing =
  | { readonly step: 'none' }
  | { readonly step: 'roll' | 'ballots' }
  | { readonly step: 'signatures'; readonly done: number; readonly of: number }
  | { readonly step: 'failed'; readonly words: string }
  | { readonly step: 'done'; readonly found: Recount };

/** Anybody counts a vote again, in the own browser, from what is public. */
export function RecountCard({
  id,
  announced,
  own,
  nameOf = choiceWords,
}: {
  id: string;
  announced: Announced;
  own: Own | null;
  nameOf?: (choice: string) => string;
}) {
  const [state, setState] = useState<Progressing>({ step: 'none' });
  const isBusy = state.step === 'roll' || state.step === 'ballots' || state.step === 'signatures';
  const isSecret = announced.ballot === 'secret';
  const count = async () => {
    try {
      setState({ step: 'roll' });
      const roll = await readVoteFile(ROLL, id);
      setState({ step: 'ballots' });
      const ballots = await readVoteFile(BALLOTS, id);
      const issued = isSecret ? await readVoteFile(ISSUED, id) : '';
      const found = await recount({ roll, ballots, issued }, announced, own, (done, of) =>
        setState({ step: 'signatures', done, of }),
      );
      setState({ step: 'done', found });
    } catch (error) {
      setState({ step: 'failed', words: wordsFor(error) });
    }
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Recount')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('Your own device counts the ballots again, by the rules of this vote. It does not rely on our count.')}
      </p>
      <div aria-live="polite">
        {isBusy && <OnTheWay state={state} />}
        {state.step === 'failed' && <p className="mt-3 font-semibold text-clay">{state.words}</p>}
        {state.step === 'done' && <Found found={state.found} own={own} nameOf={nameOf} />}
      </div>
      <Button look="line" className="mt-4 w-full" busy={isBusy} onClick={() => void count()}>
        {isBusy ? say('processing...') : say('Recount this vote')}
      </Button>
      <p className="mt-3 flex flex-wrap gap-x-5 text-small">
        <FileLink href={addressOfFile(ROLL, id)}>{say('The roll')}</FileLink>
        <FileLink href={addressOfFile(BALLOTS, id)}>{say('The ballots')}</FileLink>
        {isSecret && <FileLink href={addressOfFile(ISSUED, id)}>{say('Who got a ballot paper')}</FileLink>}
      </p>
    </Card>
  );
}

function FileLink({ href, children }: { href: string; children: string }) {
  return (
    <a className="link inline-flex min-h-11 items-center gap-1.5" href={href} target="_blank" rel="noreferrer">
      <Icon name="download" className="size-4" />
      {children}
    </a>
  );
}

function OnTheWay({ state }: { state: Progressing }) {
  const isChecking = state.step === 'signatures';
  const words = isChecking
    ? say('{done} of {of} signatures are checked...', { done: state.done, of: state.of })
    : state.step === 'roll'
      ? say('The roll is on its way...')
      : say('The ballots are on their way...');
  const [value, max] = isChecking ? [state.done, state.of] : [state.step === 'roll' ? 1 : 2, 3];
  return (
    <div className="mt-3">
      <p className="num mb-1.5 text-small">{words}</p>
      <Progress value={value} max={max} label={words} />
    </div>
  );
}

interface Counted {
  readonly found: Recount;
  readonly own: Own | null;
  readonly nameOf: (choice: string) => string;
}

function Found({ found, own, nameOf }: Counted) {
  const isRight = found.checks.every((check) => check.isRight);
  return (
    <div className="mt-3">
      <p className={`font-semibold ${isRight ? 'text-up' : 'text-clay'}`}>
        {isRight
          ? say('The count is right in every point.')
          : say('The count is not right. Tell the supervisory committee.')}
      </p>
      <ul className="num mt-2 text-small">
        {found.checks.map((check) => (
          <li key={check.name} className="rule flex gap-2.5 py-2">
            <Icon
              name={check.isRight ? 'check' : 'close'}
              className={`mt-0.5 size-4 shrink-0 ${check.isRight ? 'text-up' : 'text-clay'}`}
            />
            <span>
              {!check.isRight && <b>{say('Not so:')} </b>}
              {checkWords(check.name, { found, own, nameOf })}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small text-ink-2">
        {say('The question and the rules are as this page says: the log of the books does not hold them.')}
      </p>
    </div>
  );
}

/** What a check has found, in words. */
export function checkWords(name: CheckName, { found, own, nameOf }: Counted): string {
  const last = found.rounds.at(-1);
  switch (name) {
    case 'roll':
      return say('The roll has {members}, each once, as announced.', { members: membersWords(found.members) });
    case 'readable':
      return readableWords(found);
    case 'on_roll':
      return say('Each of them is of somebody on the roll.');
    case 'once':
      return say('Nobody stands in a round twice.');
    case 'signed':
      return say('Each of them carries the signature of this vote.');
    case 'issued':
      return say('Ballot papers went to members of the roll, one to each. No round has more ballots than papers.');
    case 'rounds':
      return say('Each ballot is of a round that was held. A second one is held where the first has too few votes.');
    case 'tally':
      if (found.isElection) return say('Each candidate has as many votes as announced.');
      return talliesOf(found).join(' ');
    case 'outcome':
      return say('By the rules that is: {outcome}, as announced.', {
        outcome: last ? outcomeWords(last.outcome, found.isElection ? 'election' : undefined) : '–',
      });
    case 'state':
      return say('What this page says of the vote is what its last round gives.');
    case 'elected':
      return say(
        'Whoever has the most votes is elected, as announced. Where several have the same number, a lot decides between them.',
      );
    case 'left_out':
      return say(
        'The quorum leaves out a tenth of the roll at most, and nobody with a ballot. Whether an operator had suspended them cannot be seen from here.',
      );
    case 'own':
      return ownWords({ found, own, nameOf });
  }
}

/** Of two rounds: which ballots are of which. */
function readableWords({ ballots, rounds }: Recount): string {
  const votes = votesWords(ballots);
  const [first, second] = [1, 2].map((round) => rounds.find((one) => one.round === round));
  if (!first || !second) return say('{votes} can be read.', { votes });
  return say('{votes} can be read: {first} of the first round, {second} of the second.', {
    votes,
    first: formatCount(turnoutOf(first.tally)),
    second: formatCount(turnoutOf(second.tally)),
  });
}

/** Of each round, where there are two. */
function talliesOf({ rounds }: Recount): string[] {
  if (rounds.length < 2) {
    const tally = rounds[0]?.tally ?? { for: 0, against: 0, abstain: 0 };
    return [say('In favour {for}, against {against}, abstained {abstain}: as announced.', { ...tally })];
  }
  return rounds.map(({ round, tally }) =>
    say('Round {round}: in favour {for}, against {against}, abstained {abstain}, as announced.', { round, ...tally }),
  );
}

function ownWords({ found, own, nameOf }: Counted): string {
  if (found.own) return say('Your ballot is in it: {choice}', { choice: nameOf(found.own) });
  return own?.choice ? say('Your ballot is in it as you cast it.') : say('You did not vote, and no ballot is yours.');
}
