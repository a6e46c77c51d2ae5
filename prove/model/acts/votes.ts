import { isDeepStrictEqual } from 'node:util';
import type { Person, Sacco } from '../naive-books.ts';
import { mayAskFor } from '../naive-dividends.ts';
import { isProven } from '../naive-proof.ts';
import {
  castVote,
  counts,
  current,
  isBarred,
  isElected,
  isOfBoard,
  publish,
  rollOf,
  stateOf,
  type Vote,
  waitsAlready,
} from '../naive-votes.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { termsOf } from './dividends.ts';

/* Votes of members: drafting, signing, standing, voting (naive-votes.ts). assembly.ts brings the people together. */

const HOUR_MS = 3_600_000;
const TEXT = 'We have spoken about it at our meetings, and now we decide.';
const shillings = (cents: number) => cents / 100;
const tokenOf = ({ sessions }: Person) => sessions.at(-1)?.token;

export type Drafting = Pick<Vote, 'sacco' | 'by' | 'kind' | 'class' | 'isSecret' | 'office' | 'after' | 'rates'>;

function newVote({ books, now }: Simulation, asked: Drafting): Vote {
  const ofBoard = isOfBoard(books, asked.by, asked.sacco, now);
  return {
    ...asked,
    id: '',
    title: `Vote ${books.votes.length + 1} of the model`,
    isOfBoard: ofBoard,
    before: current(asked, now),
    draftedAt: now,
    completeAt: null,
    signaturesNeeded: ofBoard ? 2 : Math.max(3, Math.ceil(books.membersOf(asked.sacco) / 20)),
    signers: [asked.by],
    ...{ roll: null, nominationsEnd: 0, opensAt: 0, closesAt: 0, round: 1, isExtended: false },
    ...{ ballots: new Map(), times: new Map(), papers: new Set(), cast: [], candidates: [] },
    ...{ tally: null, outcome: null, elected: null, eta: Number.POSITIVE_INFINITY, fate: null },
  };
}

const touchesOf = (person: Person, sacco: Sacco): Planned['touches'] => [
  [`person ${person.number}`],
  [`state ${sacco.number}`],
];

const isMember = ({ books }: Simulation, person: Person, sacco: Sacco) =>
  (books.memberOf(person, sacco)?.state ?? 'exited') !== 'exited';

/** Why somebody neither drafts nor signs for members. */
function notAmongThem(simulation: Simulation, person: Person, sacco: Sacco): string | null {
  const { books, now } = simulation;
  if (books.memberOf(person, sacco)?.state !== 'active') return 'full_rights_required';
  return rollOf(books, sacco, now).includes(person) ? null : 'vote_conflict';
}

export function draft(simulation: Simulation, asked: Drafting): { vote: Vote; planned: Planned } {
  const { books, now } = simulation;
  const vote = newVote(simulation, asked);
  const { by, sacco, kind, after, office, isSecret, rates } = vote;
  const change =
    (after && {
      kind: 'referral_terms',
      values: { reward: shillings(after.reward), monthly_rewards_max: after.monthlyMax },
    }) ??
    (rates && { kind: 'dividend', values: termsOf(rates) });
  const planned: Planned = {
    say: `person ${by.number} drafts ${vote.title}`,
    asking: {
      ...{ route: 'draftVotingProposal', token: tokenOf(by), sacco: sacco.id },
      body: {
        ...{ title: vote.title, text: TEXT, ballot: isSecret ? 'secret' : 'open' },
        ...(vote.class === 'special' ? { class: 'special' } : {}),
        ...(office === null ? {} : { office }),
        ...(change === null ? {} : { change }),
      },
    },
    touches: touchesOf(by, sacco),
    expect() {
      if (!isMember(simulation, by, sacco)) return 'not_a_member';
      if (books.memberOf(by, sacco)?.state !== 'active') return 'full_rights_required';
      if (!isProven(by, now)) return 'proof_required';
      const refusal = vote.isOfBoard ? null : notAmongThem(simulation, by, sacco);
      if (refusal) return refusal;
      if (kind === 'election' && isElected(books, vote, now)) return 'change_conflict';
      if (rates && !mayAskFor(books, sacco, rates, now)) return 'change_conflict';
      if (after && isDeepStrictEqual(vote.before, after)) return 'change_conflict';
      books.votes.push(vote);
      return 'ok';
    },
    learn(reply) {
      vote.id = reply.proposal.id;
      const { signatures, state } = reply.proposal;
      const isRight = signatures.given === 1 && signatures.needed === vote.signaturesNeeded && state === 'draft';
      return isRight ? undefined : `a ${state} with ${signatures.given} of ${signatures.needed} signatures`;
    },
  };
  return { vote, planned };
}

export function sign(simulation: Simulation, vote: Vote, person: Person): Planned {
  const { books, now } = simulation;
  const { sacco, signers } = vote;
  return {
    say: `person ${person.number} signs ${vote.title}`,
    asking: { route: 'signVotingProposal', token: tokenOf(person), sacco: sacco.id, params: { id: vote.id } },
    touches: [...touchesOf(person, sacco), ['phones']],
    expect() {
      if (!isMember(simulation, person, sacco)) return 'not_a_member';
      if (!isProven(person, now)) return 'proof_required';
      const hasSigned = signers.includes(person);
      if (stateOf(vote, now) !== 'draft') return hasSigned ? 'ok' : 'vote_conflict';
      const fits = (signer: Person) => counts(books, vote, signer, now);
      const refusal = vote.isOfBoard
        ? isOfBoard(books, person, sacco, now)
          ? null
          : 'vote_conflict'
        : notAmongThem(simulation, person, sacco);
      if (!hasSigned && refusal) return refusal;
      if (!hasSigned && waitsAlready(books, vote, person, now)) return 'vote_conflict';
      const all = hasSigned ? signers : [...signers, person];
      if (all.filter(fits).length >= vote.signaturesNeeded) {
        const late = publish(books, vote, now);
        if (late) return late;
      }
      if (!hasSigned) signers.push(person);
      return 'ok';
    },
    learn({ proposal }) {
      const [opens, closes] = [proposal.opens_at, proposal.closes_at].map((at) => (at === null ? 0 : Date.parse(at)));
      const is = `${proposal.state} with a roll of ${proposal.roll_size}, from ${opens} to ${closes}`;
      const said = `${stateOf(vote, now)} with a roll of ${vote.roll?.length ?? null}, from ${vote.opensAt} to ${vote.closesAt}`;
      return is === said ? undefined : `${is} (${said})`;
    },
  };
}

export function takeBack(simulation: Simulation, vote: Vote, person: Person): Planned {
  const { sacco } = vote;
  return {
    say: `person ${person.number} takes ${vote.title} back`,
    asking: {
      ...{ route: 'cancelVotingProposal', token: tokenOf(person), sacco: sacco.id, params: { id: vote.id } },
      body: { reason: 'We speak about it once more first.' },
    },
    touches: touchesOf(person, sacco),
    expect() {
      if (!isMember(simulation, person, sacco)) return 'not_a_member';
      if (!isProven(person, simulation.now)) return 'proof_required';
      if (person !== vote.by) return 'vote_conflict';
      const state = stateOf(vote, simulation.now);
      if (state !== 'draft' && state !== 'published') return state === 'cancelled' ? 'ok' : 'vote_conflict';
      vote.fate = 'cancelled';
      return 'ok';
    },
  };
}

export function stand(simulation: Simulation, vote: Vote, person: Person): Planned {
  const { books, now } = simulation;
  const { sacco, candidates } = vote;
  return {
    say: `person ${person.number} stands in ${vote.title}`,
    asking: {
      ...{ route: 'standForElection', token: tokenOf(person), sacco: sacco.id, params: { id: vote.id } },
      body: { words: `I am person ${person.number}, and have kept the books of our church.` },
    },
    touches: touchesOf(person, sacco),
    expect() {
      if (!isMember(simulation, person, sacco)) return 'not_a_member';
      if (!isProven(person, now)) return 'proof_required';
      if (vote.kind !== 'election' || stateOf(vote, now) !== 'published' || now >= vote.nominationsEnd)
        return 'vote_conflict';
      if (!vote.roll?.includes(person)) return 'not_on_roll';
      if (!person.isConfirmed) return 'phone_unconfirmed';
      if (isBarred(books, vote, person, now)) return 'office_conflict';
      if (candidates.every((other) => other.person !== person)) candidates.push({ person, id: '' });
      return 'ok';
    },
    learn({ proposal }) {
      // biome-ignore lint/suspicious/noExplicitAny: replies of every route
      const own = proposal.election.candidates.find((each: any) => each.is_me);
      for (const candidate of candidates) if (candidate.person === person) candidate.id = own?.id ?? '';
      const { length } = proposal.election.candidates;
      return length === candidates.length ? undefined : `${length} candidates`;
    },
  };
}

/** Why nothing can be cast in a way that is for such ballots in these states, or null. */
function notCast(
  simulation: Simulation,
  vote: Vote,
  person: Person,
  { isSecret, states }: { readonly isSecret: boolean; readonly states: readonly string[] },
): string | null {
  if (!isMember(simulation, person, vote.sacco)) return 'not_a_member';
  if (!isProven(person, simulation.now)) return 'proof_required';
  if (vote.isSecret !== isSecret || !states.includes(stateOf(vote, simulation.now))) return 'vote_conflict';
  return vote.roll?.includes(person) ? null : 'not_on_roll';
}

export function vote(simulation: Simulation, about: Vote, person: Person, choice: string): Planned {
  const { sacco, times } = about;
  return {
    say: `person ${person.number} votes ${choice} on ${about.title}`,
    asking: {
      ...{ route: 'castBallot', token: tokenOf(person), sacco: sacco.id, params: { id: about.id } },
      body: { choice },
    },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members'], [about.title, 'ballots']],
    expect() {
      const refusal = notCast(simulation, about, person, { isSecret: false, states: ['open'] });
      if (refusal) return refusal;
      if (about.ballots.get(person) === choice) return 'ok';
      if ((times.get(person) ?? 0) > 20) return 'vote_conflict';
      castVote(about, person, choice, simulation.now);
      return 'ok';
    },
    learn({ receipt }) {
      const said = `${about.ballots.get(person)} ${about.times.get(person)} ${about.round}`;
      const is = `${receipt.choice} ${receipt.revision} ${receipt.round}`;
      return is === said ? undefined : `${is} (${said})`;
    },
  };
}

/** Has the number of a ballot paper signed. */
export function askForPaper(
  simulation: Simulation,
  about: Vote,
  person: Person,
  { blinded, take }: { readonly blinded: string; readonly take: (signature: string) => void },
): Planned {
  const { sacco, papers } = about;
  return {
    say: `person ${person.number} asks for a ballot paper of ${about.title}`,
    asking: {
      ...{ route: 'issueBallotToken', token: tokenOf(person), sacco: sacco.id, params: { id: about.id } },
      body: { round: about.round, blinded },
    },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members']],
    expect() {
      const refusal = notCast(simulation, about, person, { isSecret: true, states: ['published', 'open'] });
      if (refusal) return refusal;
      if (papers.has(person)) return 'vote_conflict';
      papers.add(person);
      return 'ok';
    },
    learn(reply) {
      take(reply.blind_signature);
      return undefined;
    },
  };
}

/** Casts a ballot, as nobody. The naive books know whose it is. */
export function castSecretly(
  { now }: Simulation,
  about: Vote,
  person: Person,
  ballot: { readonly serial: string; readonly choice: string },
): Planned {
  const { serial, choice } = ballot;
  const { kind, candidates } = about;
  return {
    say: `somebody casts ${choice} in ${about.title}`,
    asking: { route: 'castSecretBallot', params: { id: about.id }, body: ballot },
    touches: [[about.title]],
    expect() {
      const cast = about.cast.find((other) => other.serial === serial);
      if (cast) return cast.choice === choice ? 'ok' : 'vote_conflict';
      if (stateOf(about, now) !== 'open') return 'vote_conflict';
      const isKnown = choice === 'abstain' || candidates.some(({ id }) => id === choice);
      if (kind === 'election' && !isKnown) return 'vote_conflict';
      about.cast.push({ person, serial, choice });
      castVote(about, person, choice, Math.ceil(now / HOUR_MS) * HOUR_MS);
      return 'ok';
    },
    learn: ({ receipt }) => (receipt.choice === choice ? undefined : `a receipt for ${receipt.choice}`),
  };
}

/** Somebody who is here, in a vote that is under way. */
function planVote(simulation: Simulation): Planned | null {
  const { books, random, now } = simulation;
  const open = books.votes.filter((each) => each.id !== '' && stateOf(each, now) === 'open');
  const person = simulation.someone();
  if (open.length === 0 || !person || person.isOperator) return null;
  return vote(simulation, random.pick(open), person, random.pick(['for', 'against', 'abstain']));
}

const never = () => null;

export const voteActs: readonly Act[] = [
  { name: 'draft a vote', routes: ['draftVotingProposal'], weight: 0, plan: never },
  { name: 'sign a vote', routes: ['signVotingProposal'], weight: 0, plan: never },
  { name: 'take a vote back', routes: ['cancelVotingProposal'], weight: 0, plan: never },
  { name: 'stand for an election', routes: ['standForElection'], weight: 0, plan: never },
  { name: 'vote', routes: ['castBallot'], weight: 6, plan: planVote },
  { name: 'ask for a ballot paper', routes: ['issueBallotToken'], weight: 0, plan: never },
  { name: 'cast a secret ballot', routes: ['castSecretBallot'], weight: 0, plan: never },
];
