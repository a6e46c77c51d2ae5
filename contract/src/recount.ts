import { type CandidateVotes, elected } from './elections.ts';
import {
  type BallotKind,
  bytesOf,
  type CastBallot,
  isSigned,
  publicKeyOf,
  SERIAL_BYTES,
  toText,
} from './secret-ballots.ts';
import {
  CHOICES,
  type Choice,
  leftOutMost,
  type Outcome,
  outcomeOf,
  type ProposalState,
  type Tally,
  turnoutOf,
  type VoteRules,
} from './voting-rules.ts';

/*
 * Counts a vote anew from what everybody may download. The browser does it, and `npm run verify-tally` (docs/decisions/192).
 */

/** A round of voting as it is announced. */
export interface AnnouncedRound {
  readonly round: number;
  readonly tally: Tally;
  readonly outcome: Outcome;
  /** Of the roll, those without whom the quorum is reckoned. */
  readonly left_out: number;
  /** Of an election: for each candidate. */
  readonly votes?: readonly CandidateVotes[];
}

export interface Announced {
  /** Members on the roll. */
  readonly roll_size: number;
  readonly ballot: BallotKind;
  /** Of secret ballots: the public key of each round, in base64url. */
  readonly keys: readonly { readonly round: number; readonly key: string }[];
  readonly rules: VoteRules;
  readonly rounds: readonly AnnouncedRound[];
  readonly state: ProposalState;
  /** The votes of the last round; null while a second one is awaited. */
  readonly result: Tally | null;
  /** Of an election. */
  readonly election?: {
    readonly candidates: readonly { readonly id: string }[];
    readonly elected: string | null;
  } | null;
  readonly id?: string;
}

/** Oneself: the number under which one’s ballot stands, and what one has chosen in a round as the receipt says. */
export interface Own {
  /** The handle of an open ballot, or the serial of a secret one. */
  readonly mark: string;
  readonly round: number;
  readonly choice: string | null;
}

/** What everybody may download, a line for each. */
export interface VoteFiles {
  /** The numbers of the roll. */
  readonly roll: string;
  readonly ballots: string;
  /** Of secret ballots: who was given a signature, in each counted round. Empty for open ones. */
  readonly issued: string;
}

/**
 * - `roll`: the roll has as many numbers as announced, each once; those of a second round too.
 * - `readable`: each line of the ballots is one.
 * - `on_roll`: of open ballots: the number of each is on the roll of its round. `once`: no number or serial stands in a round twice.
 * - `signed`: of secret ballots: each carries a signature by the key of its round.
 * - `issued`: of secret ballots: signatures went to numbers of the roll of their round, one to each, and no round has more ballots than signatures.
 * - `rounds`: there is one round, or a second one after a first without enough votes, and each ballot is of one of them.
 * - `tally`: each announced round has as many votes for each choice as announced. `outcome`: the rules make of them what was announced.
 * - `state`: the state of the vote and its result are what its last round leaves.
 * - `elected`: of an election: whoever has the most votes was announced, by lot where several have as many.
 * - `left_out`: where the quorum was reckoned without some of the roll: they are a tenth of it at most, and no more than those who neither
 *   cast a ballot nor were given a signature. That an operator had suspended them cannot be checked: no public file says so.
 * - `own`: one's own ballot is in it as the receipt says, or one has not voted and there is none.
 */
export type CheckName =
  | 'roll'
  | 'readable'
  | 'on_roll'
  | 'once'
  | 'signed'
  | 'issued'
  | 'rounds'
  | 'tally'
  | 'outcome'
  | 'state'
  | 'elected'
  | 'left_out'
  | 'own';

export interface Recount {
  readonly members: number;
  readonly ballots: number;
  readonly rounds: readonly CountedRound[];
  readonly checks: readonly { readonly name: CheckName; readonly isRight: boolean }[];
  /** One's own ballot of the last round, as it stands among the others. */
  readonly own: string | null;
  readonly isElection: boolean;
}

interface Ballot {
  readonly round: number;
  /** Handle or serial. */
  readonly mark: string;
  readonly choice: string;
  /** Of a secret ballot. */
  readonly cast: CastBallot | null;
}

/** Whether a counted vote has public ballots: open ones once the vote is over, secret ones once a round of it is counted. */
export const hasPublicBallots = (vote: {
  readonly ballot: BallotKind;
  readonly rounds: readonly object[];
  readonly result: Tally | null;
}): boolean => (vote.ballot === 'secret' ? vote.rounds.length > 0 : vote.result !== null);

/**
 * Counts a vote anew. Of what the server announced one thing is taken for granted: that whom it leaves out of the quorum (`left_out`) an
 * operator had suspended.
 * @param onProgress is told how many signatures of how many were checked
 */
export async function recount(
  files: VoteFiles,
  announced: Announced,
  own: Own | null,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<Recount> {
  const places = linesOf(files.roll);
  const onRoll = new Set(places.map((line) => (line.includes(' ') ? line : `${line} 1`)));
  const handles = places.filter((line) => !line.includes(' '));
  const lines = linesOf(files.ballots);
  const isSecret = announced.ballot === 'secret';
  const choices = choicesOf(announced);
  const read = lines.flatMap((line) => ballotOf(line, isSecret, choices) ?? []);
  const rounds = roundsOf(read, announced).map(({ round, tally }) => ({
    round,
    tally,
    outcome: outcomeOf(
      announced.rules,
      handles.length - leftOutOf(announced, round),
      round,
      tally,
      announced.election?.candidates.length ?? null,
    ),
  }));
  const found = own && read.find(({ round, mark }) => round === own.round && mark === own.mark);
  const right: Partial<Record<CheckName, boolean>> = {
    roll: isRollWhole(announced.roll_size, handles.length, places.length) && onRoll.size === places.length,
    readable: read.length === lines.length,
    ...(isSecret ? {} : { on_roll: read.every(({ mark, round }) => onRoll.has(`${mark} ${round}`)) }),
    once: new Set(read.map(({ round, mark }) => `${round} ${mark}`)).size === read.length,
    ...(isSecret
      ? { signed: await areSigned(read, announced, onProgress), issued: isIssued(read, files.issued, onRoll) }
      : {}),
    rounds: areRounds(announced, rounds),
    tally: announced.rounds.every((one) => isSame(one.tally, tallyOf(read, one.round)) && areVotes(one, read)),
    outcome: announced.rounds.every(
      ({ round, outcome }) => rounds.find((one) => one.round === round)?.outcome === outcome,
    ),
    state: isLeftBy(rounds.at(-1), announced),
    ...(announced.rounds.some(({ left_out }) => left_out !== 0)
      ? {
          left_out: announced.rounds.every((one) =>
            mayBeLeftOut(one, handles.length, votersOf(read, files.issued, one)),
          ),
        }
      : {}),
    ...(announced.election ? { elected: await isElected(announced, read, rounds.at(-1)) } : {}),
    ...(own === null ? {} : { own: (found?.choice ?? null) === own.choice }),
  };
  return {
    members: handles.length,
    ballots: lines.length,
    rounds,
    checks: (Object.entries(right) as [CheckName, boolean][]).map(([name, isRight]) => ({ name, isRight })),
    own: found?.choice ?? null,
    isElection: Boolean(announced.election),
  };
}

/** One round, or two: the second has the same members under other numbers. */
const isRollWhole = (announced: number, first: number, all: number): boolean =>
  first === announced && (all === first || all === 2 * first);

interface CountedRound {
  readonly round: number;
  readonly tally: Tally;
  readonly outcome: Outcome;
}

/** Whether the announced rounds are the first, or the first and the second, and all that have ballots. */
function areRounds({ rounds, rules }: Announced, counted: readonly CountedRound[]): boolean {
  const isEach = counted.length === rounds.length && rounds.every(({ round }, at) => round === at + 1);
  return isEach && (rounds.length === 1 || (rounds.length === 2 && isSecondAfter(counted[0], rules)));
}

const isSecondAfter = (first: CountedRound | undefined, { has_second_round }: VoteRules): boolean =>
  has_second_round && first?.outcome === 'no_quorum';

/** States of a vote that has no result. Between two rounds the ballots of a secret first one are public. */
const WITHOUT_RESULT: readonly ProposalState[] = ['published', 'open', 'closed', 'cancelled'];
const AFTER_PASSING: readonly ProposalState[] = [
  'queued',
  'recorded',
  'held',
  'voided',
  'executed',
  'execution_failed',
  'given_up',
  'expired',
];

/** Whether the last round that was counted leaves a vote with this state and result. */
function isLeftBy(last: CountedRound | undefined, { state, result, rules }: Announced): boolean {
  if (!last) return false;
  if (WITHOUT_RESULT.includes(state)) return result === null && last.round === 1 && isSecondAfter(last, rules);
  if (!result || !isSame(result, last.tally)) return false;
  return last.outcome === 'passed' ? AFTER_PASSING.includes(state) : state === last.outcome;
}

const mayBeLeftOut = ({ left_out }: AnnouncedRound, roll: number, voters: number): boolean =>
  left_out >= 0 && left_out <= leftOutMost(roll) && left_out <= roll - voters;

/** Of a round, those who cast an open ballot or were given a signature. */
function votersOf(read: readonly Ballot[], issued: string, { round }: AnnouncedRound): number {
  const open = read.filter((ballot) => ballot.round === round && ballot.cast === null).map(({ mark }) => mark);
  const given = linesOf(issued).flatMap((line) => issueOf(line) ?? []);
  return new Set([...open, ...given.filter((one) => one.round === round).map(({ handle }) => handle)]).size;
}

const leftOutOf = ({ rounds }: Announced, round: number): number =>
  rounds.find((one) => one.round === round)?.left_out ?? 0;

const choicesOf = ({ election }: Announced): readonly string[] =>
  election ? [...election.candidates.map(({ id }) => id), 'abstain'] : CHOICES;

/** Of an election: whether each candidate has as many votes as announced. */
function areVotes({ round, votes }: AnnouncedRound, read: readonly Ballot[]): boolean {
  return (votes ?? []).every(
    (one) => read.filter((ballot) => ballot.round === round && ballot.choice === one.candidate).length === one.votes,
  );
}

async function isElected(
  { election, id = '' }: Announced,
  read: readonly Ballot[],
  last: { readonly round: number; readonly outcome: Outcome } | undefined,
): Promise<boolean> {
  if (!election || last?.outcome !== 'passed') return (election?.elected ?? null) === null;
  const ballots = read
    .filter(({ round }) => round === last.round)
    .map(({ mark, choice }) => ({ serial: mark, choice }));
  const votes = election.candidates.map((candidate) => ({
    candidate: candidate.id,
    votes: ballots.filter(({ choice }) => choice === candidate.id).length,
  }));
  return (await elected(id, votes, ballots)) === election.elected;
}

/** Signatures that are checked at once. */
const AT_ONCE = 200;

async function areSigned(
  read: readonly Ballot[],
  { keys }: Announced,
  onProgress: (done: number, of: number) => void,
): Promise<boolean> {
  const byRound = new Map(
    await Promise.all(keys.map(async ({ round, key }) => [round, await publicKeyOf(key).catch(() => null)] as const)),
  );
  const check = async ({ round, cast }: Ballot) => {
    const key = byRound.get(round);
    return cast !== null && key ? isSigned(key, cast) : false;
  };
  for (let start = 0; start < read.length; start += AT_ONCE) {
    const answers = await Promise.all(read.slice(start, start + AT_ONCE).map(check));
    if (!answers.every((isRight) => isRight)) return false;
    onProgress(Math.min(read.length, start + AT_ONCE), read.length);
  }
  return true;
}

/** Whether signatures went to numbers of the roll, one to each in a round, and are at least as many as the ballots of the round. */
function isIssued(read: readonly Ballot[], issued: string, onRoll: ReadonlySet<string>): boolean {
  const lines = linesOf(issued);
  const given = lines.flatMap((line) => issueOf(line) ?? []);
  const isEach = given.length === lines.length && given.every(({ handle, round }) => onRoll.has(`${handle} ${round}`));
  const isOnce = new Set(given.map(({ round, handle }) => `${round} ${handle}`)).size === given.length;
  const inRound = (of: readonly { readonly round: number }[], round: number) =>
    of.filter((one) => one.round === round).length;
  const rounds = new Set(read.map(({ round }) => round));
  return isEach && isOnce && [...rounds].every((round) => inRound(read, round) <= inRound(given, round));
}

/** The number that was given a signature, and its round, from a line of the file of signatures; null for another line. */
export function issueOf(line: string): { round: number; handle: string } | null {
  const { round, handle } = objectOf(line);
  return Number.isInteger(round) && typeof handle === 'string' ? { round: round as number, handle } : null;
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function objectOf(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

function ballotOf(line: string, isSecret: boolean, choices: readonly string[]): Ballot | null {
  const { round, handle, choice, serial, prefix, signature, salt } = objectOf(line);
  const mark = isSecret ? serial : handle;
  if (!Number.isInteger(round) || typeof mark !== 'string' || !choices.includes(choice as string)) return null;
  if (isSecret && !isSerial(mark)) return null;
  const cast = isSecret ? ({ serial, prefix, signature, choice, salt } as CastBallot) : null;
  return { round: round as number, mark, choice: choice as string, cast };
}

/** Written in the one way in which it can be: else one ballot could stand there twice. */
function isSerial(text: string): boolean {
  return new RegExp(`^[\\w-]{${Math.ceil((SERIAL_BYTES * 4) / 3)}}$`).test(text) && toText(bytesOf(text)) === text;
}

/** Each round that has ballots or was announced, in order. */
function roundsOf(read: readonly Ballot[], { rounds }: Announced): Omit<CountedRound, 'outcome'>[] {
  const numbers = new Set([...read, ...rounds].map(({ round }) => round));
  return [...numbers].sort((one, other) => one - other).map((round) => ({ round, tally: tallyOf(read, round) }));
}

function tallyOf(read: readonly Ballot[], round: number): Tally {
  const tally = { for: 0, against: 0, abstain: 0 };
  for (const ballot of read) if (ballot.round === round) tally[sideOf(ballot.choice)] += 1;
  return tally;
}

/** A vote for a candidate is a vote for somebody. */
const sideOf = (choice: string): Choice => (choice === 'against' || choice === 'abstain' ? choice : 'for');

const isSame = (one: Tally, other: Tally): boolean =>
  turnoutOf(one) === turnoutOf(other) && CHOICES.every((choice) => one[choice] === other[choice]);
