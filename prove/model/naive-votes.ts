import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dayOf, type NaiveBooks, type Person, type Sacco } from './naive-books.ts';
import { valuesNow } from './naive-changes.ts';
import { declare, mayAskFor, mayDeclare, type Rates, sharedNow } from './naive-dividends.ts';

/* Votes as the clerk of a meeting would keep them: who is on the roll, what was cast, what it comes to and what follows from it. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BOARD = ['chair', 'vice_chair', 'secretary', 'treasurer'];
/** Offices that one person holds. */
const SINGLE = [...BOARD, 'manager'];
/** Days of notice and of voting, days until it is carried out, and of how many members how many must vote. */
const RULES = {
  ordinary: { notice: 7, days: 3, waits: 2, part: 3, of: 10, most: 50 },
  special: { notice: 15, days: 5, waits: 7, part: 1, of: 3, most: Number.POSITIVE_INFINITY },
  election: { notice: 15, days: 3, waits: 2, part: 3, of: 10, most: 50 },
};
const SECOND_ROUND_DAYS = 14;

export interface Candidate {
  readonly person: Person;
  id: string;
}

export interface Vote {
  id: string;
  readonly sacco: Sacco;
  readonly title: string;
  readonly by: Person;
  readonly isOfBoard: boolean;
  readonly kind: 'resolution' | 'referrals' | 'dividend' | 'election';
  readonly class: keyof typeof RULES;
  readonly isSecret: boolean;
  readonly office: string | null;
  before: Readonly<Record<string, unknown>> | null;
  readonly after: { readonly reward: number; readonly monthlyMax: number } | null;
  /** Of a vote on a dividend. */
  readonly rates: Rates | null;
  readonly draftedAt: number;
  /** Since when it has all its signatures and waits for another vote on the same. */
  completeAt: number | null;
  readonly signaturesNeeded: number;
  readonly signers: Person[];
  /** Who may vote; null until it is published. */
  roll: readonly Person[] | null;
  nominationsEnd: number;
  opensAt: number;
  closesAt: number;
  round: 1 | 2;
  isExtended: boolean;
  /** Of this round: what each has voted, and how often. A vote for somebody is the id of the candidate. */
  ballots: Map<Person, string>;
  times: Map<Person, number>;
  /** Of secret ballots: who was given a paper, and the numbers that were cast. */
  papers: Set<Person>;
  cast: { readonly person: Person; readonly serial: string; readonly choice: string }[];
  readonly candidates: Candidate[];
  tally: { for: number; against: number; abstain: number } | null;
  outcome: 'passed' | 'rejected' | 'no_quorum' | 'no_candidates' | null;
  elected: Candidate | null;
  eta: number;
  executedAt?: number;
  fate: 'cancelled' | 'executed' | 'failed' | 'given up' | null;
}

export function stateOf(vote: Vote, now: number): string {
  if (vote.fate === 'cancelled') return 'cancelled';
  if (vote.roll === null) return vote.completeAt !== null || now < vote.draftedAt + 14 * DAY_MS ? 'draft' : 'lapsed';
  if (vote.outcome === null) return now < vote.opensAt ? 'published' : now < vote.closesAt ? 'open' : 'closed';
  if (vote.outcome !== 'passed') return vote.outcome;
  if (vote.kind === 'resolution') return 'recorded';
  if (vote.fate === 'executed') return 'executed';
  if (vote.fate === 'given up') return 'given_up';
  if (vote.fate === null && now < vote.eta + 30 * DAY_MS) return 'queued';
  return now < vote.eta + 30 * DAY_MS ? 'execution_failed' : 'expired';
}

/** Eight in the morning in Nairobi, so many days later. */
export function morning(from: number, days: number): number {
  return Date.parse(`${dayOf(from)}T00:00:00+03:00`) + days * DAY_MS + 8 * HOUR_MS;
}

const sincedOf = (books: NaiveBooks, sacco: Sacco, now: number) =>
  books.members.filter(
    (member) =>
      member.sacco === sacco &&
      member.state === 'active' &&
      !member.person.isOperator &&
      member.joinedAt <= now - 30 * DAY_MS,
  );

/** Who would be on a roll: thirty days a member, in full rights, the phone confirmed and the card seen. */
export function rollOf(books: NaiveBooks, sacco: Sacco, now: number): Person[] {
  const people = sincedOf(books, sacco, now).map(({ person }) => person);
  return people.filter(({ isConfirmed, cardSeenUntil }) => isConfirmed && cardSeenUntil > now - 30 * DAY_MS);
}

/** Three, and half of those who have been members for thirty days or of the largest roll so far, whichever is fewer. */
function isEnough(books: NaiveBooks, sacco: Sacco, now: number): boolean {
  const rolls = books.votes.filter((vote) => vote.sacco === sacco).map(({ roll }) => roll?.length ?? 0);
  const largest = Math.max(sacco.couldVote ?? 0, ...rolls) || Number.POSITIVE_INFINITY;
  const half = Math.ceil(Math.min(sincedOf(books, sacco, now).length, largest) / 2);
  return rollOf(books, sacco, now).length >= Math.max(3, half);
}

/** Whether officials change no terms any more. */
export function isByVote(books: NaiveBooks, sacco: Sacco, now: number): boolean {
  const hasBeen = books.votes.some((vote) => vote.sacco === sacco && vote.roll !== null);
  return hasBeen || sacco.couldVote !== undefined || isEnough(books, sacco, now);
}

/** What the hour finds: in which saccos members could vote, where nobody has published a vote yet. */
export function noteSaccosThatVote(books: NaiveBooks, now: number): void {
  for (const sacco of books.saccos.filter(({ state }) => state === 'active' || state === 'suspended')) {
    if (sacco.couldVote !== undefined || books.votes.some((vote) => vote.sacco === sacco && vote.roll !== null))
      continue;
    if (isEnough(books, sacco, now)) sacco.couldVote = rollOf(books, sacco, now).length;
  }
}

export const isOfBoard = (books: NaiveBooks, person: Person, sacco: Sacco, now: number): boolean =>
  books.officesOf(person, sacco, now).some((office) => BOARD.includes(office));

const isUnderway = (vote: Vote, now: number) =>
  vote.roll !== null &&
  ['published', 'open', 'closed', 'queued', 'execution_failed'].includes(stateOf(vote, now)) &&
  vote.fate !== 'given up';

/** Members elect somebody for this office already. */
export function isElected({ votes }: NaiveBooks, { sacco, office }: Vote, now: number): boolean {
  if (office === null || office.endsWith('committee')) return false;
  return votes.some((other) => other.sacco === sacco && other.office === office && isUnderway(other, now));
}

/** What it is to change, as it is now; null for what changes nothing. */
export function current({ sacco, after, rates }: Pick<Vote, 'sacco' | 'after' | 'rates'>, now: number): Vote['before'] {
  if (rates) return sharedNow(sacco);
  return after && valuesNow(sacco, 'referrals', now);
}

/** Whether its signature counts: one of the board, or of who would be on the roll. */
export const maySign = (books: NaiveBooks, vote: Vote, signer: Person, now: number): boolean =>
  vote.isOfBoard ? isOfBoard(books, signer, vote.sacco, now) : rollOf(books, vote.sacco, now).includes(signer);

const isSame = (vote: Vote, other: Vote): boolean =>
  other !== vote &&
  other.sacco === vote.sacco &&
  (vote.office === null
    ? vote.before !== null && other.kind === vote.kind
    : other.office === vote.office && !vote.office.endsWith('committee'));

/** Whether a signature counts now: its signer may sign, and has signed no other waiting draft on the same matter. */
export const counts = (books: NaiveBooks, vote: Vote, signer: Person, now: number): boolean =>
  maySign(books, vote, signer, now) && !waitsAlready(books, vote, signer, now);

/** Whether another vote on the same is under way, or another draft on it had its signatures before. */
function mustWait(books: NaiveBooks, vote: Vote, now: number): boolean {
  const since = vote.completeAt ?? Number.POSITIVE_INFINITY;
  const isBefore = (other: Vote) => stateOf(other, now) === 'draft' && (other.completeAt ?? since) < since;
  return books.votes.some((other) => isSame(vote, other) && (isUnderway(other, now) || isBefore(other)));
}

/** Whether somebody has signed another draft on the same that waits. */
export const waitsAlready = (books: NaiveBooks, vote: Vote, signer: Person, now: number): boolean =>
  books.votes.some(
    (other) =>
      isSame(vote, other) &&
      other.signers.includes(signer) &&
      other.completeAt !== null &&
      stateOf(other, now) === 'draft',
  );

/** The last signature publishes, unless another vote on the same comes first: why it cannot be, or null. */
export function publish(books: NaiveBooks, vote: Vote, now: number): string | null {
  const { sacco } = vote;
  if (!isDeepStrictEqual(current(vote, now), vote.before)) return 'vote_conflict';
  if (mustWait(books, vote, now)) {
    vote.completeAt ??= now;
    books.note('vote waits');
    return null;
  }
  if (vote.rates && !mayAskFor(books, sacco, vote.rates, now)) return 'change_conflict';
  if (!isEnough(books, sacco, now)) return 'vote_conflict';
  const { notice, days } = RULES[vote.class];
  vote.roll = rollOf(books, sacco, now);
  vote.opensAt = morning(now, notice + 1);
  vote.closesAt = vote.opensAt + days * DAY_MS;
  vote.nominationsEnd = morning(now, 8);
  return null;
}

/** Publishes a draft that has waited for another vote, with the values of that moment, or ends it. */
function publishWaiting(books: NaiveBooks, vote: Vote, now: number): void {
  if (vote.completeAt === null || stateOf(vote, now) !== 'draft' || mustWait(books, vote, now)) return;
  if (vote.signers.filter((signer) => counts(books, vote, signer, now)).length < vote.signaturesNeeded) {
    vote.completeAt = null;
    return;
  }
  const since = vote.completeAt;
  const isElected = books.votes.some(
    (other) =>
      vote.office !== null &&
      other.sacco === vote.sacco &&
      other.office === vote.office &&
      (other.executedAt ?? 0) >= since,
  );
  vote.before = current(vote, now);
  const isOver = isElected || (vote.after !== null && isDeepStrictEqual(vote.before, vote.after));
  if (isOver || publish(books, vote, now) !== null) vote.fate = 'cancelled';
}

export function quorumOf({ class: of, roll, round }: Vote): number {
  const rule = RULES[of];
  const first = Math.min(rule.most, Math.ceil(((roll?.length ?? 0) * rule.part) / rule.of));
  return round === 2 ? Math.min(3, first) : first;
}

/** A vote is in. Reached in the last day, at `at`, the quorum moves the end on, once. */
export function castVote(vote: Vote, person: Person, choice: string, at: number): void {
  const isNew = !vote.ballots.has(person);
  vote.ballots.set(person, choice);
  vote.times.set(person, (vote.times.get(person) ?? 0) + 1);
  if (!isNew || vote.isExtended || vote.ballots.size !== quorumOf(vote)) return;
  const end = Math.ceil((at + DAY_MS) / HOUR_MS) * HOUR_MS;
  if (at + DAY_MS <= vote.closesAt) return;
  vote.isExtended = true;
  vote.closesAt = end;
}

/** What time does to votes: rounds that are over are counted, and what has waited its time is carried out. */
export function tendVotes(books: NaiveBooks, now: number): void {
  for (const vote of books.votes) {
    const state = stateOf(vote, now);
    const isOver = vote.kind === 'election' && state === 'published' && vote.round === 1 && vote.nominationsEnd <= now;
    if (isOver && vote.candidates.length === 0) {
      vote.tally = { for: 0, against: 0, abstain: 0 };
      end(books, vote, 'no_candidates', now);
    }
    if (state === 'closed') count(books, vote, now);
  }
  const due = books.votes.filter(
    (vote) =>
      vote.fate !== 'given up' && vote.eta <= now && ['queued', 'execution_failed'].includes(stateOf(vote, now)),
  );
  for (const vote of due.sort((one, other) => one.eta - other.eta)) carryOut(books, vote, now);
  for (const vote of books.votes) publishWaiting(books, vote, now);
}

function count(books: NaiveBooks, vote: Vote, now: number): void {
  const choices = [...vote.ballots.values()];
  const of = (choice: string) => choices.filter((each) => each === choice).length;
  const [against, abstain] = [of('against'), of('abstain')];
  vote.tally = { for: choices.length - against - abstain, against, abstain };
  const outcome = outcomeOf(vote, vote.tally, choices.length);
  if (outcome === 'no_quorum' && vote.round === 1 && vote.class !== 'special') {
    books.note('second round');
    vote.opensAt = morning(vote.closesAt, SECOND_ROUND_DAYS);
    vote.closesAt = vote.opensAt + RULES[vote.class].days * DAY_MS;
    Object.assign(vote, {
      round: 2,
      isExtended: false,
      tally: null,
      ballots: new Map(),
      times: new Map(),
      papers: new Set(),
      cast: [],
    });
    return;
  }
  if (outcome === 'passed') vote.elected = winnerOf(vote);
  end(books, vote, outcome, now);
}

function outcomeOf(vote: Vote, tally: NonNullable<Vote['tally']>, turnout: number): Vote['outcome'] & string {
  if (turnout < quorumOf(vote)) return 'no_quorum';
  if (vote.kind === 'election') {
    return tally.for > (vote.candidates.length > 1 ? 0 : tally.abstain) ? 'passed' : 'rejected';
  }
  if (vote.class === 'special') return tally.for > 0 && tally.for >= 2 * tally.against ? 'passed' : 'rejected';
  return tally.for > tally.against ? 'passed' : 'rejected';
}

function end(books: NaiveBooks, vote: Vote, outcome: Vote['outcome'] & string, now: number): void {
  books.note(`vote ${outcome}`);
  vote.outcome = outcome;
  vote.eta =
    outcome === 'passed' && vote.kind !== 'resolution'
      ? now + RULES[vote.class].waits * DAY_MS
      : Number.POSITIVE_INFINITY;
}

/** The most votes; among as many the lot, which the ballots themselves draw. */
function winnerOf({ id, candidates, ballots, cast }: Vote): Candidate | null {
  const votesOf = (candidate: Candidate) => [...ballots.values()].filter((choice) => choice === candidate.id).length;
  const most = Math.max(0, ...candidates.map(votesOf));
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const root = sha(
    cast
      .map(({ serial, choice }) => `${serial} ${choice}\n`)
      .sort()
      .join(''),
  );
  const lot = (candidate: Candidate) => sha(`${id}\n${root}\n${candidate.id}`);
  const first = candidates.filter((candidate) => most > 0 && votesOf(candidate) === most);
  return first.sort((one, other) => (lot(one) < lot(other) ? -1 : 1))[0] ?? null;
}

function carryOut(books: NaiveBooks, vote: Vote, now: number): void {
  const { sacco, after, rates, elected, office } = vote;
  if (!isDeepStrictEqual(current(vote, now), vote.before)) vote.fate = 'given up';
  else if (rates !== null) {
    vote.fate = mayDeclare(books, sacco, rates) ? 'executed' : 'failed';
    if (vote.fate === 'executed') declare(books, sacco, rates);
  } else if (after !== null) {
    vote.fate = 'executed';
    sacco.terms.push({ at: Math.max(now, (sacco.terms.at(-1)?.at ?? 0) + 1), ...after });
  } else if (elected !== null && office !== null) {
    const isFit =
      books.memberOf(elected.person, sacco)?.state === 'active' && !isBarred(books, vote, elected.person, now);
    vote.fate = isFit ? 'executed' : 'failed';
    if (isFit) takeOffice(vote, elected.person, office, now);
  }
  if (vote.fate === 'executed') vote.executedAt = now;
  books.note(`vote ${vote.fate}`);
}

/** Nobody is of the supervisory committee and holds another office too. */
export const isBarred = (books: NaiveBooks, { sacco, office }: Vote, person: Person, now: number): boolean =>
  books
    .officesOf(person, sacco, now)
    .some((held) => (held === 'supervisory_committee') !== (office === 'supervisory_committee'));

function takeOffice({ sacco }: Vote, person: Person, office: string, now: number): void {
  const isGone = (held: Sacco['offices'][number]) =>
    held.office === office && (SINGLE.includes(office) || held.person === person);
  for (const held of sacco.offices) if (isGone(held)) held.isEnded = true;
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + 3);
  sacco.offices.push({ office, person, until: until.getTime(), isEnded: false });
}
