import type { PublicVote, VotingProposalDetail } from '@ushirika/contract/voting';
import { Icon } from '../ui/icon.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { outcomeOfState, outcomeWords } from './voting-words.ts';

interface Step {
  readonly words: string;
  readonly when: string | null;
  /** `ended`: it came to this, and nothing follows. */
  readonly is: 'done' | 'now' | 'ahead' | 'ended';
}

type Shown = Pick<
  PublicVote,
  'state' | 'kind' | 'round' | 'published_at' | 'opens_at' | 'closes_at' | 'counted_at' | 'eta' | 'executed_at'
> &
  Partial<Pick<VotingProposalDetail, 'rounds' | 'signatures' | 'events' | 'held_until' | 'lapses_at'>>;

/** Where a vote is: published, voting, result, carried out, each with its time. */
export function VoteSteps({ vote }: { vote: Shown }) {
  return (
    <ol aria-label={say('How far it is')} className="grid sm:auto-cols-fr sm:grid-flow-col">
      {stepsOf(vote).map(({ words, when, is }) => (
        <li key={words} className="group flex gap-3 sm:block" aria-current={is === 'now' ? 'step' : undefined}>
          <span className="flex flex-col items-center sm:flex-row">
            <Dot is={is} />
            <span
              className={`grow group-last:hidden max-sm:w-0.5 sm:h-0.5 ${is === 'done' ? 'bg-forest' : 'bg-line-strong'}`}
            />
          </span>
          <span className="block pb-4 group-last:pb-0 sm:pt-2 sm:pr-4 sm:pb-0">
            <span className={`block font-semibold ${is === 'ahead' ? 'text-ink-2' : ''}`}>{words}</span>
            {when && <span className="num block text-small text-ink-2">{when}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Dot({ is }: { is: Step['is'] }) {
  const looks: Record<Step['is'], string> = {
    done: 'bg-forest text-on-forest',
    now: 'bg-ochre-tint text-ochre-ink shadow-[inset_0_0_0_2px_var(--ochre)]',
    ahead: 'bg-sunken text-ink-2',
    ended: 'bg-clay-tint text-clay',
  };
  const icons = { done: 'check', now: 'clock', ended: 'close' } as const;
  return (
    <span className={`grid size-7 shrink-0 place-items-center rounded-full ${looks[is]}`}>
      {is === 'ahead' ? (
        <span className="size-2 rounded-full bg-ink-3" />
      ) : (
        <Icon name={icons[is]} className="size-4" />
      )}
    </span>
  );
}

function stepsOf(vote: Shown): Step[] {
  const { state } = vote;
  const ends = { lapsed: say('Too few signatures'), cancelled: say('Vote taken back') };
  if (state === 'draft') return [signing(vote), ...ahead(vote, 0)];
  if (state === 'lapsed') return [{ words: ends.lapsed, when: null, is: 'ended' }];
  if (state === 'cancelled') {
    const before = vote.published_at ? [published(vote.published_at)] : [];
    return [...before, { words: ends.cancelled, when: momentOf(vote, 'cancelled'), is: 'ended' }];
  }
  return [published(vote.published_at), ...firstRound(vote), voting(vote), ...afterVoting(vote)];
}

function signing({ signatures, lapses_at }: Shown): Step {
  const { given, needed } = signatures ?? { given: 0, needed: 0 };
  const until = lapses_at ? ` · ${say('until {time}', { time: longDateTime(lapses_at) })}` : '';
  return { words: say('Signatures'), when: say('{given} of {needed}', { given, needed }) + until, is: 'now' };
}

const published = (at: string | null): Step => ({
  words: say('Published'),
  when: at && longDateTime(at),
  is: 'done',
});

/** The steps that a draft has before it: all of them, without a time. */
const ahead = ({ kind }: Shown, from: number): Step[] =>
  [say('Published'), say('Voting'), say('Result'), ...(kind !== 'resolution' ? [say('To be carried out')] : [])]
    .slice(from)
    .map((words) => ({ words, when: null, is: 'ahead' }));

/** Of a vote in its second round: what the first one came to. */
function firstRound({ round, rounds = [], kind }: Shown): Step[] {
  const first = rounds.find((one) => one.round === 1);
  if (round === 1 || !first) return [];
  const words = say('Round {round}: {outcome}', { round: 1, outcome: outcomeWords(first.outcome, kind) });
  return [{ words, when: longDateTime(first.closes_at), is: 'ended' }];
}

function voting({ round, state, opens_at, closes_at }: Shown): Step {
  const [from, until] = [opens_at, closes_at].map((at) => (at ? longDateTime(at) : ''));
  const is = state === 'published' ? 'ahead' : state === 'open' ? 'now' : 'done';
  return {
    words: round > 1 ? say('Second round') : say('Voting'),
    when: say('{from} to {until}', { from: from ?? '', until: until ?? '' }),
    is,
  };
}

function afterVoting(vote: Shown): Step[] {
  const { state, counted_at } = vote;
  const outcome = outcomeOfState(state);
  if (outcome === null) {
    const [result, ...rest] = ahead(vote, 2);
    return [{ words: result?.words ?? '', when: null, is: state === 'closed' ? 'now' : 'ahead' }, ...rest];
  }
  const result: Step = {
    words: outcomeWords(outcome, vote.kind),
    when: counted_at && longDateTime(counted_at),
    is: outcome === 'passed' ? 'done' : 'ended',
  };
  return outcome === 'passed' && vote.kind !== 'resolution' ? [result, carryingOut(vote)] : [result];
}

function carryingOut(vote: Shown): Step {
  const { state, eta, executed_at, held_until } = vote;
  if (state === 'executed') {
    return { words: say('Carried out'), when: executed_at && longDateTime(executed_at), is: 'done' };
  }
  if (state === 'voided') return { words: say('Voided'), when: momentOf(vote, 'voided'), is: 'ended' };
  if (state === 'expired') return { words: say('Never carried out'), when: momentOf(vote, 'expired'), is: 'ended' };
  if (state === 'given_up')
    return { words: say('Never carried out'), when: say('What it was to change had changed.'), is: 'ended' };
  if (state === 'held') {
    const when = held_until ? say('until {time} at most', { time: longDateTime(held_until) }) : null;
    return { words: say('Result held'), when, is: 'now' };
  }
  if (state === 'execution_failed')
    return { words: say('Tried again'), when: say('It could not be carried out.'), is: 'now' };
  return { words: say('To be carried out'), when: eta && longDateTime(eta), is: 'ahead' };
}

/** When something happened last. */
function momentOf({ events }: Shown, kind: VotingProposalDetail['events'][number]['kind']): string | null {
  const at = events?.findLast((event) => event.kind === kind)?.at;
  return at ? longDateTime(at) : null;
}
