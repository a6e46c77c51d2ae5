import type {
  ProposalKind,
  PublicVote,
  VoteEvent,
  VoteInTheWay,
  VotingProposalDetail,
} from '@ushirika/contract/voting';
import {
  HELD_DAYS_MAX,
  type Outcome,
  type ProposalState,
  quorumOf,
  ROLL_MEMBER_DAYS,
  SECOND_QUORUM,
  SECOND_ROUND_DAYS,
  type VoteClass,
  type VoteRules,
} from '@ushirika/contract/voting-rules';
import { now } from '../clock.ts';
import { officeWords } from '../saccos/office-words.ts';
import type { TagTone } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** Members may ask three quarters for special votes too. */
export function classWords(voteClass: VoteClass, rules?: VoteRules): string {
  if (voteClass === 'election') return say('The most votes');
  if (voteClass === 'three_quarters' || (voteClass === 'special' && rules?.majority?.of === 4))
    return say('Three quarters');
  return voteClass === 'ordinary' ? say('More for than against') : say('Two thirds');
}

/**
 * What its drafter wrote; strangers read no title of a vote about a person, nor one that an operator has hidden, nor that
 * of a pool that they do not see.
 */
export function titleOfVote({
  title,
  title_hidden,
  pool,
  is_about_person,
}: Pick<PublicVote, 'title' | 'title_hidden' | 'pool' | 'is_about_person'>): string {
  if (title) return title;
  if (title_hidden) return say('An operator has hidden the title of this vote');
  if (is_about_person) return say('A vote about a person');
  return pool ? say('A vote of the pool {pool}', { pool: pool.name }) : say('A vote of a pool');
}

/** `vote 12`, or `vote 12 (Chair)` of an election: beside our own words stands none of its drafter's. */
export const voteNamed = ({ number, office }: Pick<PublicVote, 'number' | 'office'>): string =>
  office === null
    ? say('vote {number}', { number })
    : say('vote {number} ({office})', { number, office: officeWords(office) });

/** `Amina Yusuf · 8482 1031`: namesakes are known apart by the number of their account. */
export const candidateNamed = ({ name, number }: { readonly name: string; readonly number: string }): string =>
  `${name} · ${number.replace(/(\d{4})(?=\d)/g, '$1 ')}`;

/** A choice; of an election the name of a candidate, or their number for whoever may not read names. */
export function choiceWordsIn({ election }: Pick<VotingProposalDetail, 'election'>, choice: string): string {
  const candidate = election?.candidates.find(({ id }) => id === choice);
  return candidate?.name ? candidateNamed(candidate) : choiceWords(choice);
}

export function choiceWords(choice: string): string {
  const words: Record<string, string> = { for: say('In favour'), against: say('Against'), abstain: say('Abstain') };
  return words[choice] ?? say('Candidate {number}', { number: choice.slice(-6) });
}

/** The ways to vote in an election: each candidate, and nobody. */
export const candidateWays = (candidates: NonNullable<VotingProposalDetail['election']>['candidates']) => [
  ...candidates.map(({ id, name, number, words }) => ({
    value: id,
    words: candidateNamed({ name, number }),
    more: words,
  })),
  { value: 'abstain', words: choiceWords('abstain'), more: say('You are counted as present, and elect nobody.') },
];

/** The ways to vote, each with what it means, for a form. */
export const ballotWays = () => [
  { value: 'for', words: choiceWords('for'), more: say('It shall be so.') },
  { value: 'against', words: choiceWords('against'), more: say('Everything shall stay as it is.') },
  { value: 'abstain', words: choiceWords('abstain'), more: say('You are counted as present, for neither side.') },
];

/** Of an election: who was elected passes nothing. */
function electionStateWords(state: ProposalState): string | undefined {
  const words: Partial<Record<ProposalState, string>> = {
    rejected: say('Nobody elected'),
    queued: say('Elected'),
    held: say('Elected, held'),
    executed: say('Elected, in office'),
    execution_failed: say('Elected, not in office yet'),
    expired: say('Elected, never in office'),
  };
  return words[state];
}

export function stateWords(state: ProposalState, kind?: ProposalKind): string {
  const ofElection = kind === 'election' ? electionStateWords(state) : undefined;
  if (ofElection) return ofElection;
  const words: Record<ProposalState, string> = {
    draft: say('Waits for signatures'),
    lapsed: say('Too few signatures'),
    published: say('Voting comes'),
    cancelled: say('Vote taken back'),
    open: say('Open for voting'),
    closed: say('Being counted'),
    rejected: say('Voted down'),
    no_quorum: say('Too few votes'),
    no_candidates: say('Nobody stood'),
    queued: say('Passed'),
    recorded: say('Passed'),
    held: say('Passed, held'),
    voided: say('Voided'),
    executed: say('Passed, carried out'),
    execution_failed: say('Passed, not carried out'),
    given_up: say('Passed, never carried out'),
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
  no_candidates: 'plain',
  queued: 'forest',
  recorded: 'forest',
  held: 'ochre',
  voided: 'clay',
  executed: 'forest',
  execution_failed: 'ochre',
  given_up: 'clay',
  expired: 'clay',
};

export function outcomeWords(outcome: Outcome, kind?: ProposalKind): string {
  if (kind === 'election' && outcome === 'passed') return say('Elected');
  if (kind === 'election' && outcome === 'rejected') return say('Nobody elected');
  const words: Record<Outcome, string> = {
    passed: say('Passed'),
    rejected: say('Voted down'),
    no_quorum: say('Too few votes'),
    no_candidates: say('Nobody stood'),
  };
  return words[outcome];
}

/** What a counted vote has come to, by its state; null where its round is not counted. */
export function outcomeOfState(state: ProposalState): Outcome | null {
  if (state === 'rejected' || state === 'no_quorum' || state === 'no_candidates') return state;
  const passed: readonly ProposalState[] = [
    'queued',
    'recorded',
    'held',
    'voided',
    'executed',
    'execution_failed',
    'given_up',
    'expired',
  ];
  return passed.includes(state) ? 'passed' : null;
}

export function eventWords(kind: VoteEvent, name: string | null): string {
  const named = { name: name ?? '' };
  const words: Record<VoteEvent, string> = {
    drafted: name ? say('{name} drafted it', named) : say('It was drafted'),
    signed: name ? say('{name} signed it', named) : say('A member signed it'),
    published: say('It was published, with its roll and its rules'),
    made_secret: say('One in ten of the roll asked for it: the ballot is secret'),
    nominated: say('{name} stands for the office', named),
    stood_down: say('{name} stood down', named),
    answered: name ? say('{name} answered', named) : say('Whoever it is about answered'),
    extended: say('The quorum was reached late: voting goes on until 24 hours after it'),
    second_round: say('Too few voted: there is a second round'),
    counted: say('The votes were counted'),
    held: say('{name} holds the result', named),
    released: say('{name} found the result lawful', named),
    voided: say('{name} voided the result', named),
    executed: say('It was carried out'),
    failed: say('It could not be carried out'),
    take_back_asked: name
      ? say('{name} asks to take it back', named)
      : say('A member who has signed it asks to take it back'),
    expired: say('It was not carried out within 30 days: it never is'),
    title_hidden: say('Ushirika’s team hid the title from strangers'),
    title_shown: say('Ushirika’s team showed the title to everybody again'),
    cancelled: name ? say('{name} took it back', named) : say('Those who have signed it took it back'),
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
    return say('You vote from {from} to {until}', { from: longDateTime(opens_at), until: longDateTime(closes_at) });
  }
  if (state === 'open' && closes_at) return say('Until {time}', { time: longDateTime(closes_at) });
  if (state === 'queued' && eta && kind !== 'resolution') {
    return say('It is carried out on {time}', { time: longDateTime(eta) });
  }
  return null;
}

/** Which vote on the same terms has to be over first. */
export function waitsWords({ number, is_decided, until }: VoteInTheWay): string {
  const values = { number, time: longDateTime(until) };
  return is_decided
    ? say(
        'Members have decided on the same already, in vote {number}. That is carried out on {time} at the earliest. Another vote on it is published after that.',
        values,
      )
    : say(
        'Members vote on the same already, in vote {number}, until {time}. Another vote on it is published once that is over.',
        values,
      );
}

type Ruled = Pick<
  VotingProposalDetail,
  | 'rules'
  | 'pool'
  | 'kind'
  | 'ballot'
  | 'state'
  | 'secret_demands'
  | 'quorum'
  | 'roll_size'
  | 'round'
  | 'timelock_hours'
  | 'has_second_round'
>;

/** What a vote would need that is drafted now, a sentence each. */
export function ruleSentencesOfDraft(rules: VoteRules, kind: ProposalKind): string[] {
  const { notice_days: notice, voting_days: voting, timelock_hours } = rules;
  const ruled = { rules, kind, quorum: null, roll_size: null };
  return [
    say(
      'Members read it for {notice, plural, one {1 day} other {# days}}, then vote for {voting, plural, one {1 day} other {# days}}.',
      { notice, voting },
    ),
    quorumSentence(ruled),
    majoritySentence(ruled),
    ...(kind === 'resolution'
      ? []
      : [
          say('It is carried out {n, plural, one {1 day} other {# days}} after the count.', { n: timelock_hours / 24 }),
        ]),
  ];
}

/** The rules of a vote, a sentence each. */
export function ruleSentences(vote: Ruled): string[] {
  const { kind, timelock_hours, has_second_round } = vote;
  return [
    vote.pool
      ? say('One member has one vote, whatever the money in the pool.')
      : say('One member has one vote, whatever the number of shares.'),
    rollSentence(vote),
    quorumSentence(vote),
    majoritySentence(vote),
    kind === 'election'
      ? say(
          'Whoever is elected takes the office up {n, plural, one {1 day} other {# days}} after the count. Until then the supervisory committee may hold the result, {held, plural, one {1 day} other {# days}} at most, to examine whether it is lawful.',
          { n: timelock_hours / 24, held: HELD_DAYS_MAX },
        )
      : kind !== 'resolution'
        ? say(
            'If it passes, it is carried out by itself {n, plural, one {1 day} other {# days}} after the count. Until then the supervisory committee may hold it, {held, plural, one {1 day} other {# days}} at most, to examine whether it is lawful.',
            { n: timelock_hours / 24, held: HELD_DAYS_MAX },
          )
        : say('It is a resolution: if it passes, it is recorded. Nothing changes by itself.'),
    ...(has_second_round && vote.round === 1
      ? [
          say(
            'If too few vote, you vote once more {n, plural, one {1 day} other {# days}} later. Then it counts with {votes} or more.',
            {
              n: SECOND_ROUND_DAYS,
              votes: votesWords(vote.roll_size === null ? SECOND_QUORUM : quorumOf(vote.rules, vote.roll_size, 2)),
            },
          ),
        ]
      : []),
    ...ballotSentences(vote),
  ];
}

/** Who may vote: as would_vote of the database has it. On what is of a pool its members vote. */
export const rollSentence = (vote?: Pick<PublicVote, 'pool'>): string =>
  vote?.pool ? rollOfPoolSentence() : rollOfSaccoSentence();

const rollOfPoolSentence = (): string =>
  say(
    'On the roll is who had money in the pool at the publication that was not under notice, joined it {n, plural, one {1 day} other {# days}} or more before, and has the full rights of a member of the sacco. An official had seen their ID card, and their phone was confirmed.',
    { n: ROLL_MEMBER_DAYS },
  );

const rollOfSaccoSentence = (): string =>
  say(
    'On the roll is every member with full rights who joined {n, plural, one {1 day} other {# days}} or more before the publication. An official had seen their ID card, and their phone was confirmed.',
    { n: ROLL_MEMBER_DAYS },
  );

/** What the number is for under which one stands on the roll of an open vote, and how it is found. */
export const rollNumberSentence = (isCounted: boolean): string =>
  isCounted
    ? say(
        'Open “The ballots” under Recount, and look for this number: your vote stands beside it, without your name. So you see that it was counted as you cast it.',
      )
    : say(
        'Keep it. After the count the file of ballots is public: look there for this number, and your vote stands beside it, without your name. So you see that it was counted as you cast it.',
      );

/** How secret a secret vote is: the same words for visitors and members. */
export const secretLimits = (): string =>
  say(
    'After the count nothing that is stored ties your ballot to you. Until then, whoever runs the database could find it out.',
  );

function ballotSentences({ ballot, state, round, secret_demands }: Ruled): string[] {
  if (ballot === 'secret') {
    return [
      say('The ballot is secret. Ballots are public after the count.'),
      secretLimits(),
      say('Who has asked for a ballot paper is public under random numbers. A vote cannot be changed once it is in.'),
    ];
  }
  const open = say('Ballots are public under random numbers. They carry no names.');
  if (state !== 'published' || round > 1 || !secret_demands) return [open];
  return [
    open,
    say(
      'One in ten of the roll makes the ballot secret, until voting begins. {given} of {n, plural, one {1 member} other {# members}} have asked for it.',
      { given: secret_demands.given, n: secret_demands.needed },
    ),
  ];
}

/** What the shown round needed: the vote carries that of its last one. */
export function quorumShown(
  vote: Pick<VotingProposalDetail, 'round' | 'roll_size' | 'quorum' | 'rules' | 'rounds'>,
  round: number,
): number | null {
  if (round === vote.round || vote.roll_size === null) return vote.quorum;
  const leftOut = vote.rounds.find((one) => one.round === round)?.left_out ?? 0;
  return quorumOf(vote.rules, vote.roll_size - leftOut, round);
}

function quorumSentence({ rules, quorum, roll_size }: Pick<Ruled, 'rules' | 'quorum' | 'roll_size'>): string {
  if (quorum !== null && roll_size !== null) {
    return say('It counts if {votes} or more are cast, of {members} on the roll. Abstentions count for this.', {
      votes: votesWords(quorum),
      members: membersWords(roll_size),
    });
  }
  const { part, of, most } = rules.quorum;
  return most === null
    ? say('It counts if {part} in {of} of the members vote. Abstentions count for this.', { part, of })
    : say('It counts if {part} in {of} of the members vote, or {most} of them. Abstentions count for this.', {
        part,
        of,
        most,
      });
}

const majoritySentence = ({ kind, rules: { majority } }: Pick<Ruled, 'kind' | 'rules'>): string =>
  kind === 'election'
    ? say(
        'Elected is whoever has the most votes. Where several have the same number, a lot decides between them. One candidate alone needs more votes than there are abstentions.',
      )
    : majority === null
      ? say('It passes if more are in favour than against.')
      : say('It passes if {part} in {of} of the votes in favour and against are in favour.', majority);

export const votesWords = (n: number): string =>
  say('{shown} {n, plural, one {vote} other {votes}}', { n, shown: formatCount(n) });
export const membersWords = (n: number): string =>
  say('{shown} {n, plural, one {member} other {members}}', { n, shown: formatCount(n) });
