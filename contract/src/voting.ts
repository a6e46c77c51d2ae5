import { z } from 'zod';
import { CHANGE_KINDS } from './change-kinds.ts';
import { check } from './checks.ts';
import { changeComplaintTerms } from './complaints.ts';
import { dividendTerms } from './dividends.ts';
import { changeLendingAuthority, changeLoanProduct } from './loans.ts';
import { setMarketTerms } from './market.ts';
import { changeReferralTerms } from './referrals.ts';
import { acted, listOf, OFFICES, pageQuery, route } from './route.ts';
import { fullReason, plainText } from './saccos.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { CHOICES, PROPOSAL_STATES, VOTE_CLASSES } from './voting-rules.ts';

/*
 * Members vote on proposals, and what passes is carried out by itself (pools-voting-anchoring.md B; docs/decisions/190). One member has
 * one vote, whatever the shares. The rules of counting are in voting-rules.ts.
 */

/** Drafts of one person that wait for signatures; and votes of a sacco under way, those of its board and those of members each. */
export const OPEN_DRAFTS_MAX = 3;
export const VOTES_UNDERWAY_MAX = 20;

export const PROPOSAL_KINDS = ['resolution', 'change'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** What a proposal may change, as the request of two officials that it stands in for has it. */
const changeAsked = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('market_terms'), values: setMarketTerms.body }),
  z.object({ kind: z.literal('referral_terms'), values: changeReferralTerms.body }),
  z.object({ kind: z.literal('complaint_terms'), values: changeComplaintTerms.body }),
  z.object({ kind: z.literal('loan_product'), values: changeLoanProduct.body }),
  z.object({ kind: z.literal('lending_authority'), values: changeLendingAuthority.body }),
  z.object({ kind: z.literal('dividend'), values: dividendTerms }),
]);
export type ChangeAsked = z.output<typeof changeAsked>;

const values = z.record(z.string(), z.union([z.string(), z.number()]));
const tally = z.object({ for: z.number().int(), against: z.number().int(), abstain: z.number().int() });

export const VOTE_EVENTS = [
  'drafted',
  'signed',
  'published',
  'extended',
  'second_round',
  'counted',
  'held',
  'released',
  'voided',
  'executed',
  'failed',
  'cancelled',
] as const;
export type VoteEvent = (typeof VOTE_EVENTS)[number];

/** What everybody may know of a vote. */
export const publicVote = z.object({
  id: z.uuid(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  title: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  class: z.enum(VOTE_CLASSES),
  state: z.enum(PROPOSAL_STATES),
  round: z.number().int(),
  /** Null for a draft. */
  published_at: instant.nullable(),
  opens_at: instant.nullable(),
  closes_at: instant.nullable(),
  /** When it is, or was to be, carried out; null while it has not passed. */
  eta: instant.nullable(),
  /** Members on the roll; null for a draft. */
  roll_size: z.number().int().nullable(),
  /** Votes that the round needs; null for a draft. */
  quorum: z.number().int().nullable(),
  /** Of the last round; null until it is counted. */
  result: tally.nullable(),
});
export type PublicVote = z.infer<typeof publicVote>;

const mine = z.object({
  /** Whether one is on the roll; null for a draft. */
  on_roll: z.boolean().nullable(),
  /** The random number under which one stands on the public roll. */
  handle: z.string().nullable(),
  choice: z.enum(CHOICES).nullable(),
  voted_at: instant.nullable(),
  has_signed: z.boolean(),
});

export const MAY = ['sign', 'cancel', 'vote', 'hold', 'release', 'void'] as const;

export const votingProposal = publicVote.extend({
  my: mine,
  signatures: z.object({ given: z.number().int(), needed: z.number().int() }),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(MAY)),
});
export type VotingProposal = z.infer<typeof votingProposal>;

export const votingProposalDetail = votingProposal.extend({
  text: z.string(),
  /** What it changes, as it was when it was drafted and as it would be; null for a resolution. */
  change: z.object({ kind: z.enum(CHANGE_KINDS), before: values, after: values }).nullable(),
  drafted_by: z.object({ name: z.string(), office: z.enum(OFFICES).nullable() }),
  drafted_at: instant,
  lapses_at: instant.nullable(),
  majority: z.object({ part: z.number().int(), of: z.number().int() }).nullable(),
  timelock_hours: z.number().int(),
  has_second_round: z.boolean(),
  held_until: instant.nullable(),
  /** Rounds that were counted. */
  rounds: z.array(
    z.object({
      round: z.number().int(),
      closes_at: instant,
      tally,
      outcome: z.enum(['passed', 'rejected', 'no_quorum']),
    }),
  ),
  events: z.array(
    z.object({
      kind: z.enum(VOTE_EVENTS),
      at: instant,
      /** Of officials, and of whoever drafted it; null for members who signed, and for what happened by itself. */
      name: z.string().nullable(),
      text: said.nullable(),
    }),
  ),
});
export type VotingProposalDetail = z.infer<typeof votingProposalDetail>;

const params = z.object({ id: z.uuid() });
const done = acted({ proposal: votingProposalDetail });
const reason = z.object({ reason: fullReason });

export const VOTE_VIEWS = ['open', 'coming', 'past', 'mine'] as const;
export type VoteView = (typeof VOTE_VIEWS)[number];

export const listVotingProposals = route({
  name: 'listVotingProposals',
  method: 'GET',
  path: '/voting/proposals',
  summary:
    'Votes of the sacco, newest first: open now, coming (drafts too), past, or those that one has drafted or signed.',
  caller: 'member',
  repetition: 'read',
  query: z.object({ view: z.enum(VOTE_VIEWS).default('open'), ...pageQuery }),
  reply: listOf(votingProposal),
});

export const readVotingProposal = route({
  name: 'readVotingProposal',
  method: 'GET',
  path: '/voting/proposals/{id}',
  summary: 'One vote of the sacco, with its text, what it changes, one’s own vote, and what has happened.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: votingProposalDetail,
});

export const draftVotingProposal = route({
  name: 'draftVotingProposal',
  method: 'POST',
  path: '/voting/proposals',
  summary:
    'Draft a vote. Of an official of the board it is published once another one signs; of a member once one member in twenty has signed, three at least.',
  caller: 'member',
  repetition: 'natural',
  body: z.object({
    title: plainText(120)
      .min(5, check('Write five characters or more.'))
      .refine((text) => !/[\t\n\r]/.test(text), check('Write it on one line.')),
    text: plainText(4_000).min(20, check('Write at least 20 characters.')),
    /** A change has the class of its kind. */
    class: z.enum(VOTE_CLASSES).default('ordinary'),
    change: changeAsked.optional(),
  }),
  status: 201,
  reply: done,
  refusals: ['sacco_inactive', 'full_rights_required', 'vote_conflict', 'votes_limit_reached', 'change_conflict'],
});

export const signVotingProposal = route({
  name: 'signVotingProposal',
  method: 'POST',
  path: '/voting/proposals/{id}/signature',
  summary: 'Sign a draft. The last signature that it needs publishes it, with its roll and its rules.',
  caller: 'member',
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['sacco_inactive', 'full_rights_required', 'vote_conflict', 'votes_limit_reached', 'change_conflict'],
});

export const cancelVotingProposal = route({
  name: 'cancelVotingProposal',
  method: 'POST',
  path: '/voting/proposals/{id}/cancellation',
  summary: 'Whoever drafted it takes it back before voting begins, with a reason.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: reason,
  reply: done,
  refusals: ['vote_conflict'],
});

export const ballotReceipt = z.object({
  proposal: z.uuid(),
  round: z.number().int(),
  handle: z.string(),
  choice: z.enum(CHOICES),
  /** How often one has voted in this round; the highest counts. */
  revision: z.number().int(),
  at: instant,
});
export type BallotReceipt = z.infer<typeof ballotReceipt>;

export const castBallot = route({
  name: 'castBallot',
  method: 'POST',
  path: '/voting/proposals/{id}/vote',
  summary: 'Vote, or vote otherwise while the vote is open: the last one counts. The same once more is the same.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({ choice: z.enum(CHOICES) }),
  reply: acted({ receipt: ballotReceipt }),
  refusals: ['vote_conflict', 'not_on_roll'],
});

export const holdVoteResult = route({
  name: 'holdVoteResult',
  method: 'POST',
  path: '/voting/proposals/{id}/hold',
  summary:
    'The supervisory committee holds a result that passed, to examine whether it is lawful: once, 14 days at most.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'natural',
  params,
  body: reason,
  reply: done,
  refusals: ['vote_conflict'],
});

export const releaseVoteResult = route({
  name: 'releaseVoteResult',
  method: 'POST',
  path: '/voting/proposals/{id}/release',
  summary: 'The supervisory committee has found a held result lawful: it is carried out.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['vote_conflict'],
});

export const voidVoteResult = route({
  name: 'voidVoteResult',
  method: 'POST',
  path: '/voting/proposals/{id}/void',
  summary:
    'Another member of the supervisory committee than the one who holds a result finds it unlawful: it is never carried out.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'natural',
  params,
  body: reason,
  reply: done,
  refusals: ['vote_conflict', 'second_official_required'],
});

export const listPublicVotes = route({
  name: 'listPublicVotes',
  method: 'GET',
  path: '/voting/public',
  summary: 'Published votes of all saccos, or of one, newest first: titles, times and final results.',
  caller: 'anyone',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional(), ...pageQuery }),
  reply: listOf(publicVote),
});

export const readPublicVote = route({
  name: 'readPublicVote',
  method: 'GET',
  path: '/voting/public/{id}',
  summary: 'One published vote: title, times and final result.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: publicVote,
});

export const readVoteRoll = route({
  name: 'readVoteRoll',
  method: 'GET',
  path: '/voting/public/{id}/roll',
  summary: 'The roll of a published vote: one random handle a line, sorted. It names nobody.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.unknown(),
  replyType: 'file',
});

export const readVoteBallots = route({
  name: 'readVoteBallots',
  method: 'GET',
  path: '/voting/public/{id}/ballots',
  summary:
    'The ballots of each counted round, one JSON object a line: round, handle, choice. From them anybody can recount.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.unknown(),
  replyType: 'file',
});

export const votingContract = [
  listVotingProposals,
  readVotingProposal,
  draftVotingProposal,
  signVotingProposal,
  cancelVotingProposal,
  castBallot,
  holdVoteResult,
  releaseVoteResult,
  voidVoteResult,
  listPublicVotes,
  readPublicVote,
  readVoteRoll,
  readVoteBallots,
] as const;
