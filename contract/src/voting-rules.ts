import { nairobiDay } from './calendar-days.ts';

/*
 * The rules of votes (pools-voting-anchoring.md B2 and B5; docs/decisions/190), as pure functions: the server decides by them, and
 * whoever recounts a vote uses them too. No schema stands here.
 */

/**
 * `ordinary`: more for than against. `special`: two thirds of the votes that are for or against; `three_quarters` of them: for what ends a
 * sacco, or makes another one of it. `election`: the most votes.
 */
export const VOTE_CLASSES = ['ordinary', 'special', 'three_quarters', 'election'] as const;
/** What is not an election has one of these. */
export const DECISION_CLASSES = ['ordinary', 'special', 'three_quarters'] as const;
export type VoteClass = (typeof VOTE_CLASSES)[number];

export const CHOICES = ['for', 'against', 'abstain'] as const;
export type Choice = (typeof CHOICES)[number];

/**
 * - `draft`: waits for signatures. `lapsed`: too few signed it in time.
 * - `published`: its text, its rules and its roll are fixed; voting begins at `opens_at`. `cancelled`: taken back before voting on the first
 *   round.
 * - `open`: members vote until `closes_at`. `closed`: that is over, and the ballots are being counted.
 * - `rejected`, `no_quorum`: nothing changes. `no_candidates`: nobody stood for an election.
 * - `queued`: it passed, and is carried out at `eta`. `recorded`: it passed, and there is nothing to carry out.
 * - `held`: the supervisory committee examines whether it is lawful. `voided`: it found that it is not.
 * - `executed`: carried out. `execution_failed`: it was refused, and nothing was changed. It is tried again. `given_up`: what it was to change
 *   had changed; it is never tried again. `expired`: it was not carried out within 30 days.
 */
export const PROPOSAL_STATES = [
  'draft',
  'lapsed',
  'published',
  'cancelled',
  'open',
  'closed',
  'rejected',
  'no_quorum',
  'no_candidates',
  'queued',
  'recorded',
  'held',
  'voided',
  'executed',
  'execution_failed',
  'given_up',
  'expired',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** The rules of a vote. They are fixed when it is published. */
export interface VoteRules {
  /** Whole days of the Nairobi calendar between the day of publication and the day on which voting begins. */
  readonly notice_days: number;
  readonly voting_days: number;
  /** Votes that must be cast, abstentions included: `part` of `of` of the roll, rounded up; at most `most`, where it is not null. */
  readonly quorum: { readonly part: number; readonly of: number; readonly most: number | null };
  /** It passes with `of × for ≥ part × (for + against)` and one vote for it; null: with more for than against. */
  readonly majority: { readonly part: number; readonly of: number } | null;
  /** Hours between the count and what it changes. */
  readonly timelock_hours: number;
  /** Whether a round without a quorum has a second one. */
  readonly has_second_round: boolean;
  /** Whether a second round needs no more votes than a first one. Votes that were published before this rule lack it: theirs needs three. */
  readonly second_needs_no_more?: boolean | undefined;
}

export const RULES_OF_CLASS: Readonly<Record<VoteClass, VoteRules>> = {
  ordinary: {
    notice_days: 7,
    voting_days: 3,
    quorum: { part: 3, of: 10, most: 50 },
    majority: null,
    timelock_hours: 48,
    has_second_round: true,
    second_needs_no_more: true,
  },
  special: {
    notice_days: 15,
    voting_days: 5,
    quorum: { part: 1, of: 3, most: null },
    majority: { part: 2, of: 3 },
    timelock_hours: 168,
    has_second_round: false,
  },
  three_quarters: {
    notice_days: 15,
    voting_days: 7,
    quorum: { part: 1, of: 2, most: null },
    majority: { part: 3, of: 4 },
    timelock_hours: 336,
    has_second_round: false,
  },
  election: {
    notice_days: 15,
    voting_days: 3,
    quorum: { part: 3, of: 10, most: 50 },
    majority: null,
    timelock_hours: 48,
    has_second_round: true,
    second_needs_no_more: true,
  },
};

/** Parts of the roll that may be asked to vote: never less than one in ten (pools-voting-anchoring.md B6). */
export const QUORUM_PARTS = ['1/10', '1/5', '3/10', '1/3', '1/2'] as const;
/** Majorities of special votes: never less than two thirds. */
export const MAJORITY_PARTS = ['2/3', '3/4'] as const;
type Part = (typeof QUORUM_PARTS)[number] | (typeof MAJORITY_PARTS)[number];

/** What the members of a sacco decide themselves about their votes, within limits. */
export interface Governance {
  readonly ordinary_notice_days: number;
  readonly ordinary_voting_days: number;
  readonly ordinary_quorum: (typeof QUORUM_PARTS)[number];
  /** So many votes are enough, whatever part of the roll they are. */
  readonly ordinary_quorum_most: number;
  readonly special_notice_days: number;
  readonly special_voting_days: number;
  readonly special_quorum: (typeof QUORUM_PARTS)[number];
  readonly special_majority: (typeof MAJORITY_PARTS)[number];
}

/** Where members have decided nothing about it. */
export const FIRST_GOVERNANCE: Governance = {
  ordinary_notice_days: 7,
  ordinary_voting_days: 3,
  ordinary_quorum: '3/10',
  ordinary_quorum_most: 50,
  special_notice_days: 15,
  special_voting_days: 5,
  special_quorum: '1/3',
  special_majority: '2/3',
};

/** The rules of a class under what members have decided. Elections have the quorum of ordinary votes; the rest of them, and three quarters, stay. */
export function rulesUnder(governance: Governance, voteClass: VoteClass): VoteRules {
  const rules = RULES_OF_CLASS[voteClass];
  const quorum = { ...partOf(governance.ordinary_quorum), most: governance.ordinary_quorum_most };
  if (voteClass === 'election') return { ...rules, quorum };
  if (voteClass === 'three_quarters') return { ...rules, notice_days: governance.special_notice_days };
  if (voteClass === 'ordinary') {
    const { ordinary_notice_days: notice_days, ordinary_voting_days: voting_days } = governance;
    return { ...rules, notice_days, voting_days, quorum };
  }
  return {
    ...rules,
    notice_days: governance.special_notice_days,
    voting_days: governance.special_voting_days,
    quorum: { ...partOf(governance.special_quorum), most: null },
    majority: partOf(governance.special_majority),
  };
}

function partOf(part: Part): { readonly part: number; readonly of: number } {
  const [above = 1, below = 1] = part.split('/').map(Number);
  return { part: above, of: below };
}

/** Whole days after the publication of an election in which members stand for it. */
export const NOMINATION_DAYS = 7;
export const CANDIDATES_MAX = 50;

/** Voting begins and ends at this hour in Nairobi, so that nobody opens a vote in the night. */
export const VOTES_FROM_HOUR = 8;
/** Votes that are enough in a second round, and days between the rounds. */
export const SECOND_QUORUM = 3;
export const SECOND_ROUND_DAYS = 14;
/** A quorum that is reached in the last hours before the end moves the end to so many hours after it, rounded up to a full hour; once a round. */
export const LATE_HOURS = 24;
/** Days for which the supervisory committee may hold a result, once; and for which a failed one is tried again, so many hours apart. */
export const HELD_DAYS_MAX = 14;
export const RETRY_DAYS = 30;
export const RETRY_HOURS = 1;
/** Days in which a draft must find its signatures. */
export const DRAFT_DAYS = 14;
/**
 * Days of membership before the publication that put somebody on the roll. `roll_standing` uses the same days for ID cards: a check that
 * ended earlier does not count.
 */
export const ROLL_MEMBER_DAYS = 30;
/** A smaller roll than this, or than half of the members of 30 days and of the largest roll so far, decides nothing. */
export const ROLL_LEAST = 3;

/**
 * Why an active member is not on a roll: an operator of Ushirika; joined less than 30 days before; no official has seen their ID card; no
 * confirmed phone; two operators suspended the account; another account of theirs is on it. Of a vote of a pool `new` counts from joining the
 * pool too, and `no_rights` has money in it without the full rights of a member of its sacco.
 */
export const OFF_ROLL_REASONS = [
  'operator',
  'new',
  'card',
  'phone',
  'suspended',
  'second_account',
  'no_rights',
] as const;
export type OffRollReason = (typeof OFF_ROLL_REASONS)[number];

/**
 * Members whom a roll needs, of so many who joined 30 days ago or more. Half of the largest roll so far is enough: accounts that nobody has
 * seen join by themselves, and would else stop every vote.
 */
export const leastRoll = (members: number, largestRoll: number | null): number =>
  Math.max(ROLL_LEAST, Math.ceil(Math.min(members, largestRoll ?? members) / 2));

/** Times that a vote may be changed in a round. */
export const BALLOT_CHANGES_MAX = 20;

/** Of members on the roll whom one operator alone has suspended, at most so many leave the base of the quorum: a tenth of the roll. */
export const leftOutMost = (roll: number): number => Math.floor(roll / 10);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Members who must sign a draft of members: one in twenty, and three at least. */
export const signaturesOfMembers = (members: number): number => Math.max(3, Math.ceil(members / 20));

/** Votes that a round needs to count. */
export function quorumOf(rules: VoteRules, roll: number, round: number): number {
  const { part, of, most } = rules.quorum;
  const share = Math.ceil((part * roll) / of);
  const first = most === null ? share : Math.min(share, most);
  if (round === 1) return first;
  return rules.second_needs_no_more ? Math.min(first, SECOND_QUORUM) : SECOND_QUORUM;
}

export interface Tally {
  readonly for: number;
  readonly against: number;
  readonly abstain: number;
}

export const turnoutOf = (tally: Tally): number => tally.for + tally.against + tally.abstain;

export const OUTCOMES = ['passed', 'rejected', 'no_quorum', 'no_candidates'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a round has come to. Of an election `candidates` stand; `for` are the votes for any of them. */
export function outcomeOf(
  rules: VoteRules,
  roll: number,
  round: number,
  tally: Tally,
  candidates: number | null = null,
): Outcome {
  if (candidates === 0) return 'no_candidates';
  if (turnoutOf(tally) < quorumOf(rules, roll, round)) return 'no_quorum';
  const isPassed = candidates === null ? isMajority(rules, tally) : isElected(tally, candidates);
  return isPassed ? 'passed' : 'rejected';
}

/** Somebody must have a vote. Whoever stands alone needs more votes than there are abstentions. */
const isElected = (tally: Tally, candidates: number): boolean =>
  candidates > 1 ? tally.for > 0 : tally.for > tally.abstain;

function isMajority({ majority }: VoteRules, tally: Tally): boolean {
  if (majority === null) return tally.for > tally.against;
  return tally.for > 0 && majority.of * tally.for >= majority.part * (tally.for + tally.against);
}

export interface Window {
  readonly opensAt: Date;
  readonly closesAt: Date;
}

/** When members vote on what is published now: from the morning after `notice_days` whole days. */
export function windowOf(publishedAt: Date, rules: VoteRules): Window {
  return windowFrom(mornings(publishedAt, rules.notice_days + 1), rules);
}

/** Until when members stand for an election that is published now. */
export const nominationsEndOf = (publishedAt: Date): Date => mornings(publishedAt, NOMINATION_DAYS + 1);

/** When they vote once more, after a round without a quorum. */
export function secondWindowOf(closedAt: Date, rules: VoteRules): Window {
  return windowFrom(mornings(closedAt, SECOND_ROUND_DAYS), rules);
}

const windowFrom = (opensAt: Date, { voting_days }: VoteRules): Window => ({
  opensAt,
  closesAt: new Date(opensAt.getTime() + voting_days * DAY_MS),
});

/** The hour at which voting begins, so many days of the calendar later. */
function mornings(from: Date, days: number): Date {
  const midnight = new Date(`${nairobiDay(from)}T00:00:00+03:00`);
  return new Date(midnight.getTime() + days * DAY_MS + VOTES_FROM_HOUR * HOUR_MS);
}

/**
 * The end of a round after the vote at `at` that reached the quorum: later, where it came in the last hours. A full hour: the minute would
 * tell whose vote it was.
 */
export function endAfterQuorum(closesAt: Date, at: Date): Date {
  const late = new Date(at.getTime() + LATE_HOURS * HOUR_MS);
  return late > closesAt ? new Date(Math.ceil(late.getTime() / HOUR_MS) * HOUR_MS) : closesAt;
}

/** The full hour in which something happened. */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);

/** What is known of a proposal: its state follows from it and the time. */
export interface ProposalFacts {
  readonly drafted_at: Date;
  /** Since when a draft with all its signatures waits for another vote on the same: it does not lapse. */
  readonly complete_at: Date | null;
  readonly published_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly opens_at: Date | null;
  readonly closes_at: Date | null;
  /** Of the last round. */
  readonly counted_at: Date | null;
  readonly outcome: Outcome | null;
  readonly is_executable: boolean;
  readonly eta: Date | null;
  readonly held_until: Date | null;
  readonly released_at: Date | null;
  readonly voided_at: Date | null;
  readonly executed_at: Date | null;
  readonly failed_at: Date | null;
  /** What it was to change had changed: it is not tried again. */
  readonly given_up_at: Date | null;
}

/** The state of a proposal at a moment. */
export function stateOf(facts: ProposalFacts, now: Date): ProposalState {
  if (facts.cancelled_at !== null) return 'cancelled';
  if (facts.published_at === null) return facts.complete_at === null && now >= draftEnd(facts) ? 'lapsed' : 'draft';
  if (facts.counted_at === null) return stateOfRound(facts, now);
  if (facts.outcome !== 'passed') return facts.outcome ?? 'rejected';
  return facts.is_executable ? stateOfResult(facts, now) : 'recorded';
}

/** When a draft lapses that does not wait for another vote. */
export const draftEnd = ({ drafted_at }: Pick<ProposalFacts, 'drafted_at'>): Date =>
  new Date(drafted_at.getTime() + DRAFT_DAYS * DAY_MS);

function stateOfRound({ opens_at, closes_at }: ProposalFacts, now: Date): ProposalState {
  if (opens_at === null || now < opens_at) return 'published';
  return closes_at === null || now < closes_at ? 'open' : 'closed';
}

/** Votes that passed are tried again if their time came after this. */
export const retriedFrom = (now: Date): Date => new Date(now.getTime() - RETRY_DAYS * DAY_MS);

function stateOfResult(facts: ProposalFacts, now: Date): ProposalState {
  if (facts.executed_at !== null) return 'executed';
  if (facts.voided_at !== null) return 'voided';
  if (facts.given_up_at !== null) return 'given_up';
  if (facts.held_until !== null && facts.released_at === null && now < facts.held_until) return 'held';
  if (facts.eta !== null && facts.eta <= retriedFrom(now)) return 'expired';
  return facts.failed_at === null ? 'queued' : 'execution_failed';
}
