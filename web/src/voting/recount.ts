import {
  CHOICES,
  type Choice,
  type Outcome,
  outcomeOf,
  type Tally,
  turnoutOf,
  type VoteRules,
} from '@ushirika/contract/voting-rules';

/** What is announced of a round; its outcome is null where only the votes are known. */
export interface AnnouncedRound {
  readonly round: number;
  readonly tally: Tally;
  readonly outcome: Outcome | null;
  /** Of the roll, those without whom the quorum is reckoned. */
  readonly left_out: number;
}

export interface Announced {
  /** Members on the roll. */
  readonly roll_size: number;
  readonly rules: VoteRules;
  readonly rounds: readonly AnnouncedRound[];
}

/** Oneself: the number on the roll, and what one has chosen in a round as the receipt says. */
export interface Own {
  readonly handle: string;
  readonly round: number;
  readonly choice: Choice | null;
}

/**
 * - `roll`: the roll has as many numbers as announced, each once; those of a second round too.
 * - `readable`: each line of the ballots is one. `on_roll`: its number is on the roll of its round. `once`: none stands in a round twice.
 * - `tally`: each announced round has as many votes for each choice as announced. `outcome`: the rules make of them what was announced.
 * - `own`: one's own ballot is in it as the receipt says, or one has not voted and there is none.
 */
export type CheckName = 'roll' | 'readable' | 'on_roll' | 'once' | 'tally' | 'outcome' | 'own';

export interface Recount {
  readonly members: number;
  readonly ballots: number;
  readonly rounds: readonly { readonly round: number; readonly tally: Tally; readonly outcome: Outcome }[];
  readonly checks: readonly { readonly name: CheckName; readonly isRight: boolean }[];
  /** One's own ballot of the last round, as it stands among the others. */
  readonly own: Choice | null;
}

interface Ballot {
  readonly round: number;
  readonly handle: string;
  readonly choice: Choice;
}

/**
 * Counts a vote anew from what everybody may download: the roll, a number a line, and the ballots, an object a line.
 * Nothing that the server announced is taken for granted.
 */
export function recount(roll: string, ballots: string, announced: Announced, own: Own | null): Recount {
  const places = linesOf(roll);
  const onRoll = new Set(places.map((line) => (line.includes(' ') ? line : `${line} 1`)));
  const handles = places.filter((line) => !line.includes(' '));
  const lines = linesOf(ballots);
  const read = lines.flatMap((line) => ballotOf(line) ?? []);
  const { rules } = announced;
  const rounds = roundsOf(read, announced).map(({ round, tally }) => ({
    round,
    tally,
    outcome: outcomeOf(rules, handles.length - leftOutOf(announced, round), round, tally),
  }));
  const found = own && read.find(({ round, handle }) => round === own.round && handle === own.handle);
  const right: Record<CheckName, boolean> = {
    roll: isRollWhole(announced.roll_size, handles.length, places.length) && onRoll.size === places.length,
    readable: read.length === lines.length,
    on_roll: read.every(({ handle, round }) => onRoll.has(`${handle} ${round}`)),
    once: new Set(read.map(({ round, handle }) => `${round} ${handle}`)).size === read.length,
    tally: announced.rounds.every(({ round, tally }) => isSame(tally, tallyOf(read, round))),
    outcome: announced.rounds.every(
      ({ round, outcome }) => outcome === null || rounds.find((one) => one.round === round)?.outcome === outcome,
    ),
    own: own === null || (found?.choice ?? null) === own.choice,
  };
  const names = (Object.keys(right) as CheckName[]).filter((name) => name !== 'own' || own !== null);
  return {
    members: handles.length,
    ballots: lines.length,
    rounds,
    checks: names.map((name) => ({ name, isRight: right[name] })),
    own: found?.choice ?? null,
  };
}

/** One round, or two: the second has the same members under other numbers. */
const isRollWhole = (announced: number, first: number, all: number): boolean =>
  first === announced && (all === first || all === 2 * first);

const leftOutOf = ({ rounds }: Announced, round: number): number =>
  rounds.find((one) => one.round === round)?.left_out ?? 0;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function ballotOf(line: string): Ballot | null {
  try {
    const { round, handle, choice } = JSON.parse(line) as Record<string, unknown>;
    const isBallot = Number.isInteger(round) && typeof handle === 'string' && CHOICES.includes(choice as Choice);
    return isBallot ? { round: round as number, handle, choice: choice as Choice } : null;
  } catch {
    return null;
  }
}

/** Each round that has ballots or was announced, in order. */
function roundsOf(read: readonly Ballot[], { rounds }: Announced): { round: number; tally: Tally }[] {
  const numbers = new Set([...read, ...rounds].map(({ round }) => round));
  return [...numbers].sort((one, other) => one - other).map((round) => ({ round, tally: tallyOf(read, round) }));
}

function tallyOf(read: readonly Ballot[], round: number): Tally {
  const tally = { for: 0, against: 0, abstain: 0 };
  for (const ballot of read) if (ballot.round === round) tally[ballot.choice] += 1;
  return tally;
}

const isSame = (one: Tally, other: Tally): boolean =>
  turnoutOf(one) === turnoutOf(other) && CHOICES.every((choice) => one[choice] === other[choice]);
