import type { PublicVote, VoteEvent, VotingProposalDetail } from '@ushirika/contract/voting';
import {
  type Choice,
  HELD_DAYS_MAX,
  type Outcome,
  type ProposalState,
  RULES_OF_CLASS,
  SECOND_QUORUM,
  SECOND_ROUND_DAYS,
  turnoutOf,
  type VoteClass,
} from '@ushirika/contract/voting-rules';
import { now } from '../clock.ts';
import { momentWords } from '../saccos/moment-words.ts';
import type { TagTone } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

export function classWords(voteClass: VoteClass): string {
  return voteClass === 'ordinary' ? say('More for than against') : say('Two thirds');
}

export function choiceWords(choice: Choice): string {
  const words: Record<Choice, string> = { for: say('In favour'), against: say('Against'), abstain: say('Abstain') };
  return words[choice];
}

export function stateWords(state: ProposalState): string {
  const words: Record<ProposalState, string> = {
    draft: say('Waits for signatures'),
    lapsed: say('Too few signatures'),
    published: say('Voting comes'),
    cancelled: say('Vote taken back'),
    open: say('Open for voting'),
    closed: say('Being counted'),
    rejected: say('Voted down'),
    no_quorum: say('Too few votes'),
    queued: say('Passed'),
    recorded: say('Passed'),
    held: say('Passed, held'),
    voided: say('Voided'),
    executed: say('Passed, carried out'),
    execution_failed: say('Passed, not carried out yet'),
    expired: say('Passed, never carried out'),
  };
  return words[state];
}

export const stateTones: Readonly<Record<ProposalState, TagTone>> = {
  draft: 'plain',
  lapsed: 'plain',
  published: 'indigo',
  cancelled: 'plain',
  open: 'ochre',
  closed: 'indigo',
  rejected: 'clay',
  no_quorum: 'plain',
  queued: 'forest',
  recorded: 'forest',
  held: 'ochre',
  voided: 'clay',
  executed: 'forest',
  execution_failed: 'ochre',
  expired: 'clay',
};

export function outcomeWords(outcome: Outcome): string {
  const words: Record<Outcome, string> = {
    passed: say('Passed'),
    rejected: say('Voted down'),
    no_quorum: say('Too few votes'),
  };
  return words[outcome];
}

/** What a counted vote has come to, by its state; null where its round is not counted. */
export function outcomeOfState(state: ProposalState): Outcome | null {
  if (state === 'rejected' || state === 'no_quorum') return state;
  const passed: readonly ProposalState[] = [
    'queued',
    'recorded',
    'held',
    'voided',
    'executed',
    'execution_failed',
    'expired',
  ];
  return passed.includes(state) ? 'passed' : null;
}

export function eventWords(kind: VoteEvent, name: string | null): string {
  const named = { name: name ?? '' };
  const words: Record<VoteEvent, string> = {
    drafted: say('{name} drafted it', named),
    signed: name ? say('{name} signed it', named) : say('A member signed it'),
    published: say('It was published, with its roll and its rules'),
    extended: say('The quorum was reached late: voting goes on for 24 hours more'),
    second_round: say('Too few voted: there is a second round'),
    counted: say('The votes were counted'),
    held: say('{name} holds the result', named),
    released: say('{name} found the result lawful', named),
    voided: say('{name} voided the result', named),
    executed: say('It was carried out'),
    failed: say('It could not be carried out'),
    cancelled: say('{name} took it back', named),
  };
  return words[kind];
}

const HOUR_MS = 3_600_000;

/** How long it is until a moment, in the largest unit that fits. */
export function leftWords(iso: string): string {
  const left = Date.parse(iso) - now();
  if (left >= 48 * HOUR_MS) {
    return say('{n, plural, one {1 day left} other {# days left}}', { n: Math.floor(left / (24 * HOUR_MS)) });
  }
  if (left >= HOUR_MS) {
    return say('{n, plural, one {1 hour left} other {# hours left}}', { n: Math.floor(left / HOUR_MS) });
  }
  return say('{n, plural, one {1 minute left} other {# minutes left}}', { n: Math.max(1, Math.ceil(left / 60_000)) });
}

/** The next thing in time, or the last that was; null where nothing has a time. */
export function timeWords({ state, opens_at, closes_at, eta, kind }: PublicVote): string | null {
  if (state === 'published' && opens_at && closes_at) {
    return say('You vote from {from} to {until}', { from: momentWords(opens_at), until: momentWords(closes_at) });
  }
  if (state === 'open' && closes_at) return say('Until {time}', { time: momentWords(closes_at) });
  if (state === 'queued' && eta && kind === 'change') {
    return say('It is carried out on {time}', { time: momentWords(eta) });
  }
  return null;
}

type Ruled = Pick<
  VotingProposalDetail,
  'class' | 'kind' | 'quorum' | 'roll_size' | 'round' | 'timelock_hours' | 'has_second_round'
>;

/** The rules of a vote, a sentence each. */
export function ruleSentences(vote: Ruled): string[] {
  const { kind, timelock_hours, has_second_round } = vote;
  return [
    say('One member has one vote, whatever the number of shares.'),
    quorumSentence(vote),
    majoritySentence(vote.class),
    kind === 'change'
      ? say(
          'If it passes, it is carried out by itself {n, plural, one {1 day} other {# days}} after the count. Until then the supervisory committee may hold it once, {held, plural, one {1 day} other {# days}} at most, to examine whether it is lawful.',
          { n: timelock_hours / 24, held: HELD_DAYS_MAX },
        )
      : say('It is a resolution: if it passes, it is recorded. Nothing changes by itself.'),
    ...(has_second_round && vote.round === 1
      ? [
          say(
            'If too few vote, you vote once more {n, plural, one {1 day} other {# days}} later. Then {votes} are enough.',
            {
              n: SECOND_ROUND_DAYS,
              votes: votesWords(SECOND_QUORUM),
            },
          ),
        ]
      : []),
    say('Ballots are public under random numbers. They carry no names.'),
  ];
}

function quorumSentence({ class: voteClass, quorum, roll_size }: Ruled): string {
  if (quorum !== null && roll_size !== null) {
    return say('It counts if {votes} or more are cast, of {members} on the roll. Abstentions count for this.', {
      votes: votesWords(quorum),
      members: membersWords(roll_size),
    });
  }
  const { part, of, most } = RULES_OF_CLASS[voteClass].quorum;
  return most === null
    ? say('It counts if {part} in {of} of the members vote. Abstentions count for this.', { part, of })
    : say('It counts if {part} in {of} of the members vote, or {most} of them. Abstentions count for this.', {
        part,
        of,
        most,
      });
}

const majoritySentence = (voteClass: VoteClass): string =>
  voteClass === 'ordinary'
    ? say('It passes if more are in favour than against.')
    : say('It passes if two thirds of the votes in favour and against are in favour.');

export const votesWords = (n: number): string =>
  say('{shown} {n, plural, one {vote} other {votes}}', { n, shown: formatCount(n) });
export const membersWords = (n: number): string =>
  say('{shown} {n, plural, one {member} other {members}}', { n, shown: formatCount(n) });

/** Whether so many votes have come that the round counts. */
export const hasQuorum = ({ quorum, result }: Pick<PublicVote, 'quorum' | 'result'>): boolean =>
  result !== null && quorum !== null && turnoutOf(result) >= quorum;
