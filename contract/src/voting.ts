import { z } from 'zod';
import { check } from './checks.ts';
import { changeComplaintTerms } from './complaints.ts';
import { LOGO_BYTES_MAX } from './constants.ts';
import { dayAsked } from './day-asked.ts';
import { dividendTerms } from './dividends.ts';
import { formerName } from './former-name.ts';
import { changeLendingAuthority, changeLoanProduct } from './loans.ts';
import { setMarketTerms } from './market.ts';
import { fullReason, textOf, toldToMembers } from './plain-text.ts';
import { lowerUuid, poolLimitsAsked, poolTermsAsked } from './pools.ts';
import { reasonForMembers } from './proposals.ts';
import { changeReferralTerms } from './referrals.ts';
import { acted, listOf, OFFICES, pageQuery, route } from './route.ts';
import { saccoTermsAsked } from './saccos.ts';
import { said } from './said.ts';
import { BALLOT_KINDS, PREFIX_BYTES, SALT_BYTES, SERIAL_BYTES, SIGNATURE_BYTES } from './secret-ballots.ts';
import { instant } from './time.ts';
import { CHANGE_KINDS } from './vote-kinds.ts';
import {
  CHOICES,
  DECISION_CLASSES,
  type Governance,
  MAJORITY_PARTS,
  OFF_ROLL_REASONS,
  OUTCOMES,
  PROPOSAL_STATES,
  QUORUM_PARTS,
  VOTE_CLASSES,
} from './voting-rules.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * Members vote on proposals, and what passes is carried out by itself (pools-voting-anchoring.md B; docs/decisions/190). One member has
 * one vote, whatever the shares. The rules of counting are in voting-rules.ts.
 */

/** Drafts of one person that wait for signatures. */
export const OPEN_DRAFTS_MAX = 3;
/** Votes that one person may take back in 24 hours. */
export const CANCELLATIONS_PER_DAY = 3;
/** Votes of a sacco that are under way: so many of its board, and as many of members. */
export const VOTES_UNDERWAY_MAX = 20;
/** Votes of the members of one pool that are under way, beside offers to be a steward. They keep no vote of the sacco waiting. */
export const POOL_VOTES_UNDERWAY_MAX = 5;

export const PROPOSAL_KINDS = ['resolution', 'change', 'election'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** The whole of them. */
export const BYLAWS_MOST = 40_000;
const bylawsText = textOf(200, BYLAWS_MOST, check('Write the whole by-laws: 200 characters or more.'));

/** The limits are those of pools-voting-anchoring.md B2 and B6: nothing is quicker, or decided by fewer, than by them. */
const governance = z.object({
  ordinary_notice_days: wholeNumber(7, 30),
  ordinary_voting_days: wholeNumber(3, 14),
  ordinary_quorum: z.enum(QUORUM_PARTS),
  ordinary_quorum_most: wholeNumber(50, 1_000_000),
  special_notice_days: wholeNumber(15, 45),
  special_voting_days: wholeNumber(5, 14),
  special_quorum: z.enum(QUORUM_PARTS),
  special_majority: z.enum(MAJORITY_PARTS),
});
export const readGovernance = (values: unknown): Governance => governance.parse(values);

/** What a proposal may change, as the request of two officials that it stands in for has it. */
const changeAsked = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('market_terms'), values: setMarketTerms.body }),
  z.object({ kind: z.literal('referral_terms'), values: changeReferralTerms.body }),
  z.object({ kind: z.literal('complaint_terms'), values: changeComplaintTerms.body }),
  z.object({ kind: z.literal('loan_product'), values: changeLoanProduct.body }),
  z.object({ kind: z.literal('lending_authority'), values: changeLendingAuthority.body }),
  z.object({ kind: z.literal('sacco_terms'), values: saccoTermsAsked }),
  z.object({ kind: z.literal('dividend'), values: dividendTerms }),
  /** An office that somebody holds, by its id among the sacco’s officials. */
  z.object({ kind: z.literal('official_removal'), values: z.object({ official: z.uuid() }) }),
  /** A member, by the id in the list of members; and somebody who was expelled, by the id that they had in it. */
  z.object({ kind: z.literal('expulsion'), values: z.object({ member: z.uuid() }) }),
  z.object({ kind: z.literal('admission'), values: z.object({ member: z.uuid() }) }),
  z.object({ kind: z.literal('vote_rules'), values: governance }),
  z.object({ kind: z.literal('bylaws'), values: z.object({ text: bylawsText }) }),
  /** Of a guarantor pool. Its members vote (docs/decisions/198). */
  z.object({ kind: z.literal('pool_terms'), values: poolTermsAsked }),
  z.object({ kind: z.literal('pool_limits'), values: poolLimitsAsked }),
  /** Whoever drafts it offers to be a steward. */
  z.object({ kind: z.literal('pool_steward'), values: z.object({ pool: lowerUuid }) }),
  /** A steward, by the id of the place in the details of the pool. */
  z.object({ kind: z.literal('pool_steward_end'), values: z.object({ pool: lowerUuid, steward: lowerUuid }) }),
  /** A claim that the pool paid two years ago or more, by its contract. */
  z.object({ kind: z.literal('pool_write_off'), values: z.object({ pool: lowerUuid, contract: lowerUuid }) }),
]);
export type ChangeAsked = z.output<typeof changeAsked>;

const values = z.record(z.string(), z.union([z.string(), z.number()]));
const fraction = z.object({ part: z.number().int(), of: z.number().int() });
/** As voting-rules.ts has them. */
const voteRules = z.object({
  notice_days: z.number().int(),
  voting_days: z.number().int(),
  quorum: fraction.extend({ most: z.number().int().nullable() }),
  majority: fraction.nullable(),
  timelock_hours: z.number().int(),
  has_second_round: z.boolean(),
  second_needs_no_more: z.boolean().optional(),
});
const tally = z.object({ for: z.number().int(), against: z.number().int(), abstain: z.number().int() });

export const VOTE_EVENTS = [
  'drafted',
  'signed',
  'published',
  'made_secret',
  'nominated',
  'stood_down',
  'answered',
  'extended',
  'second_round',
  'counted',
  'held',
  'released',
  'voided',
  'executed',
  'failed',
  'take_back_asked',
  'expired',
  'cancelled',
  'title_hidden',
  'title_shown',
] as const;
export type VoteEvent = (typeof VOTE_EVENTS)[number];

/** What everybody may know of a vote. */
export const publicVote = z.object({
  id: z.uuid(),
  /** Counted in its sacco: notices name a vote by it. */
  number: z.number().int(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  /** The guarantor pool whose members vote; else null. */
  pool: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /**
   * For strangers empty where the vote is about a person, or an operator has hidden it, which operators read still: what is written of somebody is for members. Of a pool it is
   * empty for whoever is not in it, as are all texts and names.
   */
  title: z.string(),
  /** Whether an operator has hidden it from strangers. */
  title_hidden: z.boolean(),
  /** Whether it is about one person. */
  is_about_person: z.boolean(),
  kind: z.enum(PROPOSAL_KINDS),
  class: z.enum(VOTE_CLASSES),
  ballot: z.enum(BALLOT_KINDS),
  /** Of an election: what members elect somebody for. */
  office: z.enum(OFFICES).nullable(),
  state: z.enum(PROPOSAL_STATES),
  round: z.number().int(),
  /** Null for a draft. */
  published_at: instant.nullable(),
  opens_at: instant.nullable(),
  closes_at: instant.nullable(),
  /** When its last round was counted; null before. */
  counted_at: instant.nullable(),
  /** When it is, or was to be, carried out; null while it has not passed. */
  eta: instant.nullable(),
  /** When it was carried out. */
  executed_at: instant.nullable(),
  /** Members on the roll; null for a draft. */
  roll_size: z.number().int().nullable(),
  /** Votes that the round needs; null for a draft. */
  quorum: z.number().int().nullable(),
  /** As they were fixed by the publication; for a draft those that it would have now. */
  rules: voteRules,
  /** Of the roll, those whom one operator had suspended, and without whom the last round that was counted reckons its quorum. */
  left_out: z.number().int(),
  /** Of the last round; null until it is counted. */
  result: tally.nullable(),
});
export type PublicVote = z.infer<typeof publicVote>;

/** Of base64url, without padding. */
const bytes = (length: number) => {
  const letters = Math.ceil((length * 4) / 3);
  return z
    .string()
    .min(letters)
    .max(letters)
    .regex(/^[\w-]*$/);
};

/** What whoever recounts a vote needs besides its files. */
const recountable = {
  /** As they were fixed by the publication; of a draft those that it would have. */
  rules: voteRules,
  /** Of secret ballots: the public key of each round, as SubjectPublicKeyInfo in base64url. */
  keys: z.array(z.object({ round: z.number().int(), key: z.string() })),
  /** Rounds that were counted. */
  rounds: z.array(
    z.object({
      round: z.number().int(),
      closes_at: instant,
      tally,
      outcome: z.enum(OUTCOMES),
      /** Of the roll, those whom one operator had suspended, and without whom the quorum is reckoned. */
      left_out: z.number().int(),
      /** Of an election: for each candidate. Empty for other votes. */
      votes: z.array(z.object({ candidate: z.uuid(), votes: z.number().int() })),
    }),
  ),
};

export const publicVoteDetail = publicVote.extend({
  ...recountable,
  /** Candidates by number alone; null for other votes. */
  election: z.object({ candidates: z.array(z.object({ id: z.uuid() })), elected: z.uuid().nullable() }).nullable(),
});
export type PublicVoteDetail = z.infer<typeof publicVoteDetail>;

const mine = z.object({
  /** Whether one is on the roll; null for a draft. */
  on_roll: z.boolean().nullable(),
  /** Why one is not on it; null for whoever is, and for whoever was no active member then. */
  off_roll: z.enum(OFF_ROLL_REASONS).nullable(),
  /** The random number under which one stands on the public roll. */
  handle: z.string().nullable(),
  choice: z.enum(CHOICES).nullable(),
  voted_at: instant.nullable(),
  has_signed: z.boolean(),
  /** Of secret ballots: whether one was given the signature of this round. What one did with it nobody knows. */
  has_token: z.boolean(),
  has_demanded_secret: z.boolean(),
  /** Of a pool’s vote: whether one drafts and signs no other of that pool now: until it is counted for whoever drafted it, until voting begins for who signed it. */
  keeps_from_others: z.boolean(),
});

export const MAY = [
  'sign',
  'cancel',
  'vote',
  'demand_secret',
  'stand',
  'stand_down',
  'answer',
  'hold',
  'release',
  'void',
] as const;

/** A vote on the same terms, or about the same, that is not over: until then no other one on it is published. */
const inTheWay = z.object({
  id: z.uuid(),
  number: z.number().int(),
  title: z.string(),
  /** Whether members have decided, and it is not carried out yet. */
  is_decided: z.boolean(),
  /** When voting ends; of what is decided, when it is carried out at the earliest. */
  until: instant,
});
export type VoteInTheWay = z.infer<typeof inTheWay>;

export const votingProposal = publicVote.extend({
  my: mine,
  /** Whether an official of the board drafted it, so that another one signs it; else members do. */
  is_of_board: z.boolean(),
  signatures: z.object({ given: z.number().int(), needed: z.number().int() }),
  /** Of an election, once it is counted: who was elected; else null. */
  elected_name: z.string().nullable(),
  /** Of a draft: what it has to wait for; else null. */
  waits_for: inTheWay.nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(MAY)),
});
export type VotingProposal = z.infer<typeof votingProposal>;

export const votingProposalDetail = votingProposal.extend({
  text: z.string(),
  /** What it changes, as it was when it was drafted and as it would be; null for a resolution, and of a pool for whoever is not in it. */
  change: z.object({ kind: z.enum(CHANGE_KINDS), before: values, after: values }).nullable(),
  /** The person whom it is about, with what they answer; null where it is about nobody, and for whoever is not in the pool that votes. */
  about: z
    .object({
      /** The subject's name on the day of the draft. The drafter's name is of that day, too. */
      name: z.string(),
      former_name: formerName.nullable(),
      is_me: z.boolean(),
      answer: z.object({ words: z.string(), at: instant }).nullable(),
    })
    .nullable(),
  drafted_by: z.object({ name: z.string(), former_name: formerName.nullable(), office: z.enum(OFFICES).nullable() }),
  drafted_at: instant,
  lapses_at: instant.nullable(),
  majority: z.object({ part: z.number().int(), of: z.number().int() }).nullable(),
  timelock_hours: z.number().int(),
  has_second_round: z.boolean(),
  held_until: instant.nullable(),
  /** Members of the roll who asked for a secret ballot, and how many make it one; null for a draft. */
  secret_demands: z.object({ given: z.number().int(), needed: z.number().int() }).nullable(),
  ...recountable,
  election: z
    .object({
      /** Members stand until then. */
      nominations_until: instant.nullable(),
      candidates: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          /** The number of the account: two who have one name are known apart by it. */
          number: z.string(),
          former_name: formerName.nullable(),
          words: z.string(),
          has_picture: z.boolean(),
          is_me: z.boolean(),
        }),
      ),
      elected: z.uuid().nullable(),
    })
    .nullable(),
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
    'Votes of the sacco, newest first: open now, coming (drafts too), past by their end, or those that one has drafted or signed, or voted in.',
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
    'Draft a vote. Of an official of the board it is published once another one signs; of a member who could vote on it once one such member in twenty has signed, three at least. A vote of a pool is drafted and signed by its members.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  body: z.object({
    /** Double quotation marks become single ones. */
    title: toldToMembers(textOf(5, 120, check('Write five characters or more.'))),
    text: textOf(20, 4_000, check('Write at least 20 characters.')),
    /** A change has the class of its kind. One about a person is secret, whatever is asked. */
    class: z.enum(DECISION_CLASSES).default('ordinary'),
    /** An election for this office: its class and its ballot are those of elections. */
    office: z.enum(OFFICES).optional(),
    ballot: z.enum(BALLOT_KINDS).default('open'),
    change: changeAsked.optional(),
  }),
  status: 201,
  reply: done,
  refusals: [
    'proof_required',
    'sacco_inactive',
    'full_rights_required',
    'vote_conflict',
    'votes_limit_reached',
    'change_conflict',
  ],
});

export const readWayOfChanges = route({
  name: 'readWayOfChanges',
  method: 'GET',
  path: '/voting/way-of-changes',
  summary:
    'Whether the sacco’s terms are changed by a vote of its members, or by two officials as long as fewer than three members can vote.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({ by: z.enum(['vote', 'officials']) }),
});

const governanceShown = z.object({
  ordinary_notice_days: z.number().int(),
  ordinary_voting_days: z.number().int(),
  ordinary_quorum: z.enum(QUORUM_PARTS),
  ordinary_quorum_most: z.number().int(),
  special_notice_days: z.number().int(),
  special_voting_days: z.number().int(),
  special_quorum: z.enum(QUORUM_PARTS),
  special_majority: z.enum(MAJORITY_PARTS),
});

export const readVoteRules = route({
  name: 'readVoteRules',
  method: 'GET',
  path: '/voting/rules',
  summary:
    'The rules of the sacco’s votes that hold now, and every version that members have voted for, newest first; and its votes on terms that are not over.',
  caller: 'member',
  repetition: 'read',
  reply: z.object({
    now: governanceShown,
    versions: z.array(governanceShown.extend({ valid_from: instant, proposal: z.uuid() })),
    /** By what they change; `subject` is the loan product or the pool. On the same terms no other vote is published until then. */
    underway: z.array(inTheWay.extend({ kind: z.enum(CHANGE_KINDS), subject: z.uuid().nullable() })),
  }),
});

const bylaws = z.object({
  number: z.number().int(),
  proposal: z.uuid(),
  voted_at: instant,
  /** As two officials recorded it, or one so far; null before that. */
  registration: z
    .object({ no: z.string(), on: z.iso.date(), recorded_by: z.string(), is_by_me: z.boolean() })
    .nullable(),
  /** From when on they hold; null while a second official has not recorded the same. */
  in_force_at: instant.nullable(),
  /** Whether whoever asks may record the registration. */
  may_record: z.boolean(),
});
export type Bylaws = z.infer<typeof bylaws>;

export const readBylaws = route({
  name: 'readBylaws',
  method: 'GET',
  path: '/voting/by-laws',
  summary:
    'The by-laws of the sacco that held at the end of a day in Nairobi, today where none is named, or one version; and all versions, newest first.',
  caller: 'member',
  repetition: 'read',
  query: z.object({ on: dayAsked.optional(), version: wholeNumber(1, 100_000).optional() }),
  /** `bylaws` is null where none were in force. */
  reply: z.object({ bylaws: bylaws.extend({ text: z.string() }).nullable(), versions: z.array(bylaws) }),
});

export const recordBylaws = route({
  name: 'recordBylaws',
  method: 'POST',
  path: '/voting/proposals/{id}/registration',
  summary:
    'Of by-laws that members voted for: an official records the certificate by which the Commissioner registered them. Once another one has recorded the same, they are in force.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  params,
  body: z.object({ no: textOf(3, 60, check('Write three characters or more.')), on: dayAsked }),
  reply: acted({ bylaws }),
  refusals: ['proof_required', 'vote_conflict'],
});

export const signVotingProposal = route({
  name: 'signVotingProposal',
  method: 'POST',
  path: '/voting/proposals/{id}/signature',
  summary:
    'Sign a draft. The last signature that it needs publishes it, with its roll and its rules. Signatures of those who might not sign any more do not count.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['proof_required', 'sacco_inactive', 'full_rights_required', 'vote_conflict', 'change_conflict'],
});

export const cancelVotingProposal = route({
  name: 'cancelVotingProposal',
  method: 'POST',
  path: '/voting/proposals/{id}/cancellation',
  summary:
    'Whoever drafted it takes a draft back, with a reason. A published vote is taken back, until voting on its first round begins, by two who have signed it: the first call asks for it, the second agrees.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: reason,
  reply: done,
  refusals: ['proof_required', 'vote_conflict'],
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
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ choice: z.enum(CHOICES) }),
  reply: acted({ receipt: ballotReceipt }),
  refusals: ['proof_required', 'vote_conflict', 'not_on_roll'],
});

export const demandSecretBallot = route({
  name: 'demandSecretBallot',
  method: 'POST',
  path: '/voting/proposals/{id}/secret-demand',
  summary:
    'Somebody on the roll asks for a secret ballot, before voting begins. Once one in ten of the roll has asked, it is one.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['proof_required', 'vote_conflict', 'not_on_roll'],
});

export const standForElection = route({
  name: 'standForElection',
  method: 'POST',
  path: '/voting/proposals/{id}/nomination',
  summary:
    'Somebody on the roll stands for an election, in the first seven days, with a confirmed phone. Once more: in other words.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ words: textOf(20, 600, check('Write at least 20 characters.')) }),
  reply: done,
  refusals: [
    'proof_required',
    'vote_conflict',
    'not_on_roll',
    'phone_unconfirmed',
    'office_conflict',
    'votes_limit_reached',
  ],
});

export const setCandidatePicture = route({
  name: 'setCandidatePicture',
  method: 'POST',
  path: '/voting/proposals/{id}/nomination/picture',
  summary:
    'Whoever stands for an election shows their picture beside their name, as long as members may stand. Once more: another one.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({}),
  bodyType: 'multipart',
  file: { field: 'picture', bytesMax: LOGO_BYTES_MAX },
  reply: done,
  refusals: ['proof_required', 'vote_conflict', 'picture_not_accepted'],
});

export const readCandidatePicture = route({
  name: 'readCandidatePicture',
  method: 'GET',
  path: '/voting/candidates/{id}/picture',
  summary: 'The picture of somebody who stands for an election, for members of the sacco.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: z.unknown(),
  replyType: 'file',
});

export const standDown = route({
  name: 'standDown',
  method: 'DELETE',
  path: '/voting/proposals/{id}/nomination',
  summary: 'Whoever stands for an election stands down, before voting begins.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['proof_required', 'vote_conflict'],
});

export const answerVote = route({
  name: 'answerVote',
  method: 'POST',
  path: '/voting/proposals/{id}/answer',
  summary: 'The person whom a vote is about answers it, until voting begins. Once more: in other words.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ words: textOf(20, 2_000, check('Write at least 20 characters.')) }),
  reply: done,
  refusals: ['proof_required', 'vote_conflict'],
});

export const issueBallotToken = route({
  name: 'issueBallotToken',
  method: 'POST',
  path: '/voting/proposals/{id}/token',
  summary:
    'Of a secret vote: have the blinded number of one’s ballot signed, once in a round, which is the one with whose key it was blinded. The same number once more gets the same answer. RFC 9474, RSABSSA-SHA384-PSS-Randomized.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ round: z.number().int().min(1).max(2), blinded: bytes(SIGNATURE_BYTES) }),
  reply: acted({ round: z.number().int(), blind_signature: z.string() }),
  refusals: ['proof_required', 'vote_conflict', 'not_on_roll'],
});

export const secretReceipt = z.object({
  proposal: z.uuid(),
  round: z.number().int(),
  serial: z.string(),
  /** Of an election the number of a candidate, or `abstain`. */
  choice: z.string(),
  salt: z.string(),
  /** SHA-256 of "sacco-ballot-v1\0", the serial, the length of the choice, the choice and the salt. */
  commit: z.string(),
});
export type SecretReceipt = z.infer<typeof secretReceipt>;

export const castSecretBallot = route({
  name: 'castSecretBallot',
  method: 'POST',
  path: '/voting/ballots/{id}',
  summary:
    'Cast a secret ballot. No session is read: it is admitted by its signature, once. The same ballot once more gets the same receipt.',
  caller: 'anyone',
  isSessionless: true,
  repetition: 'natural',
  params,
  body: z.object({
    serial: bytes(SERIAL_BYTES),
    prefix: bytes(PREFIX_BYTES),
    signature: bytes(SIGNATURE_BYTES),
    choice: z.union([z.enum(CHOICES), z.uuid()]),
    salt: bytes(SALT_BYTES),
  }),
  reply: acted({ receipt: secretReceipt }),
  refusals: ['vote_conflict', 'ballot_invalid'],
});

export const holdVoteResult = route({
  name: 'holdVoteResult',
  method: 'POST',
  path: '/voting/proposals/{id}/hold',
  summary:
    'One of the supervisory committee holds a result that passed, to examine whether it is lawful: each once, until 14 days after the first hold.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'natural',
  params,
  body: reason,
  reply: done,
  refusals: ['proof_required', 'vote_conflict'],
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
  refusals: ['proof_required', 'vote_conflict'],
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
  refusals: ['proof_required', 'vote_conflict', 'second_official_required'],
});

export const listPublicVotes = route({
  name: 'listPublicVotes',
  method: 'GET',
  path: '/voting/public',
  summary:
    'Published votes of all saccos, or of one, newest first: titles, times and final results. Left out are votes that were taken back, and those about a pool that strangers do not see.',
  caller: 'anyone',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional(), ...pageQuery }),
  reply: listOf(publicVote),
});

export const readPublicVote = route({
  name: 'readPublicVote',
  method: 'GET',
  path: '/voting/public/{id}',
  summary: 'One published vote: title, times, rules, keys and results, as whoever recounts it needs them.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: publicVoteDetail,
});

export const showVoteTitle = route({
  name: 'showVoteTitle',
  method: 'POST',
  path: '/operator/votes/{id}/title',
  summary:
    'Hide the title of a published vote from strangers, or show it again. Members read it as before, and the reason beside it.',
  caller: 'operator',
  repetition: 'natural',
  params,
  body: z.object({ is_shown: z.boolean(), reason: reasonForMembers }),
  reply: acted({}),
  refusals: ['proof_required', 'vote_conflict'],
});

export const readVoteRoll = route({
  name: 'readVoteRoll',
  method: 'GET',
  path: '/voting/public/{id}/roll',
  summary:
    'The roll of a published vote: one random handle a line, sorted. A second round has handles of its own, with a 2 after them. It names nobody.',
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
    'Once a vote has ended, the ballots of each round, one JSON object a line: round, handle, choice; of a secret vote, once a round is counted, round, serial, prefix, signature, choice, salt. From them anybody can recount.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.unknown(),
  replyType: 'file',
});

export const readVoteIssued = route({
  name: 'readVoteIssued',
  method: 'GET',
  path: '/voting/public/{id}/issued',
  summary:
    'Of a secret vote: who was given a signature in each counted round, one JSON object a line: round, handle. It names nobody.',
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
  readWayOfChanges,
  readVoteRules,
  readBylaws,
  recordBylaws,
  signVotingProposal,
  cancelVotingProposal,
  castBallot,
  demandSecretBallot,
  standForElection,
  setCandidatePicture,
  readCandidatePicture,
  standDown,
  answerVote,
  issueBallotToken,
  castSecretBallot,
  holdVoteResult,
  releaseVoteResult,
  voidVoteResult,
  listPublicVotes,
  readPublicVote,
  showVoteTitle,
  readVoteRoll,
  readVoteBallots,
  readVoteIssued,
] as const;
