import { type Announced, issueOf, linesOf, type VoteFiles } from '../../contract/src/recount.ts';
import { bytesOf } from '../../contract/src/secret-ballots.ts';
import { toHex, utf8 } from './bytes.ts';
import { canonical, type Plain } from './canonical.ts';
import { nodeCrypto } from './node-crypto.ts';
import { exitCodeOf, type Found, line, type Verdict } from './report.ts';

/** The question of a vote, beside its counts, as its public file has it. */
export interface VoteAsked {
  /** Empty where strangers are not told it. */
  readonly title: string;
  readonly kind: string;
  readonly class: string;
  readonly office: string | null;
}

type Vote = Announced & VoteAsked;
type Named = Readonly<Record<string, unknown>>;
type Compared = readonly [verdict: Verdict, words: string, reason?: string];

/** The members of the logged record that one step compares. */
const STEPS: readonly (readonly [words: string, members: readonly string[]])[] = [
  ['Kind, ballot and office are as they were logged.', ['kind', 'class', 'ballot', 'office']],
  ['The rules are as they were logged.', ['rules']],
  ['The roll is as it was logged.', ['roll_size', 'roll_sha256']],
  ['The key of the ballots is as it was logged.', ['key_sha256']],
  ['The numbers that were given a signature are as they were logged.', ['issued_sha256']],
  ['The candidates are as they were logged.', ['candidates_sha256']],
];

/**
 * Compares the files of a vote with the entry of its result. The title may stay unchecked: strangers are not told each one.
 * @param head the entry's head, as a receipt shows it
 */
export function compareWithLog(vote: Vote, files: VoteFiles, head: unknown): Found {
  const logged = named(head);
  const isOfVote = logged.event === 'vote_counted' && typeof vote.id === 'string' && logged.proposal === vote.id;
  const needed: Compared[] = isOfVote
    ? [countsOf(vote, logged), ...candidatesOf(vote, logged), ...askedOf(vote, files, logged)]
    : [['failed', 'The receipt is of the result of this vote.']];
  const title = isOfVote ? titleOf(vote, logged) : [];
  const code = exitCodeOf(needed.map(verdictOf), title.map(verdictOf));
  return { lines: [...needed, ...title].map((step) => line(...step)), code };
}

function countsOf({ rounds }: Vote, logged: Named): Compared {
  const round = rounds.find((one) => one.round === logged.round);
  const { for: inFavour, against, abstained: abstain, left_out, outcome } = logged;
  const counted = { tally: { for: inFavour, against, abstain }, left_out, outcome };
  const shown = round && { tally: round.tally, left_out: round.left_out, outcome: round.outcome };
  const isRight = isSame(counted, shown);
  return [
    isRight ? 'passed' : 'failed',
    `The counts of round ${Number(logged.round)} and its result are as they were logged.`,
  ];
}

/** The votes of each candidate; none but of an election. */
function candidatesOf({ kind, rounds }: Vote, logged: Named): Compared[] {
  if (kind !== 'election') return [];
  const words = 'Each candidate has as many votes as were logged.';
  if (logged.votes === undefined) return [['open', words, 'This entry is older than its record in the log.']];
  const votes = rounds.find((one) => one.round === logged.round)?.votes ?? [];
  const shown = votes.map(({ candidate, votes: count }) => ({ candidate, votes: count })).sort(byCandidate);
  return [[isSame(logged.votes, shown) ? 'passed' : 'failed', words]];
}

const byCandidate = (one: { candidate: string }, other: { candidate: string }): number =>
  one.candidate < other.candidate ? -1 : 1;

function askedOf(vote: Vote, files: VoteFiles, { asked, round }: Named): Compared[] {
  if (asked === undefined)
    return [['open', 'What was asked, and by which rules.', 'This entry is older than its record in the log.']];
  const [logged, shown] = [named(asked), recordOf(vote, files, Number(round))];
  return STEPS.flatMap(([words, members]): Compared[] => {
    if (members.every((member) => (logged[member] ?? null) === null && shown[member] === null)) return [];
    const isRight = members.every((member) => isSame(logged[member] ?? null, shown[member]));
    return [[isRight ? 'passed' : 'failed', words]];
  });
}

/** The step of the title; none where there is no record, or no title. */
function titleOf({ title }: Vote, { asked }: Named): Compared[] {
  const logged = named(asked).title_sha256 ?? null;
  if (asked === undefined || (logged === null && title === '')) return [];
  const words = 'The title is as it was logged.';
  if (logged === null || title === '') return [['open', words, 'It is for members alone.']];
  return [[logged === digest(title) ? 'passed' : 'failed', words]];
}

/** The record that the server logs of a round, from the public files. */
function recordOf(vote: Vote, { roll, issued }: VoteFiles, round: number): Named {
  const { kind, class: of, ballot, office, rules, roll_size, election, keys } = vote;
  const key = keys.find((one) => one.round === round)?.key;
  const numbers = linesOf(roll).map((each) => each.split(' '));
  const given = linesOf(issued).flatMap((each) => issueOf(each) ?? []);
  return {
    ...{ kind, class: of, ballot, office, rules, roll_size },
    roll_sha256: digestOf(numbers.flatMap(([number = '', its = '1']) => (Number(its) === round ? [number] : []))),
    key_sha256: key === undefined ? null : digestOfKey(key),
    issued_sha256: digestOf(given.flatMap((one) => (one.round === round ? [one.handle] : []))),
    candidates_sha256: digestOf((election?.candidates ?? []).map(({ id }) => id)),
  };
}

const verdictOf = ([verdict]: Compared): Verdict => verdict;
const named = (value: unknown): Named => (typeof value === 'object' && value !== null ? (value as Named) : {});
const digest = (text: string): string => toHex(nodeCrypto.sha256(utf8(text)));

/** The digest of lines, sorted; null where there are none. */
function digestOf(lines: readonly string[]): string | null {
  const sorted = [...lines].sort().map((each) => `${each}\n`);
  return sorted.length === 0 ? null : digest(sorted.join(''));
}

/** @returns null where the key is no base64url */
function digestOfKey(key: string): string | null {
  try {
    return toHex(nodeCrypto.sha256(bytesOf(key)));
  } catch {
    return null;
  }
}

/** Whether two values have one canonical text. A value without one is the same as nothing. */
function isSame(one: unknown, other: unknown): boolean {
  try {
    return canonical(one as Plain) === canonical(other as Plain);
  } catch {
    return false;
  }
}
