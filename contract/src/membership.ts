import { z } from 'zod';
import { CARDS_COUNTED } from './constants.ts';
import { formerName } from './former-name.ts';
import { identityCheck, identityChecksQuery, mpesaName, seenCard, withdrawnBecause } from './identity.ts';
import { amount, shillings } from './money.ts';
import { plainText } from './plain-text.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, OFFICES, type Office, pageQuery, route } from './route.ts';
import { MEMBERSHIP_STATES } from './saccos.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/** Days between the notice of an exit and the refund of the deposits. */
export const EXIT_DAYS = 60;
/** Notices to leave that one membership may have within so many days, those taken back included. */
export const NOTICES_MAX = 2;
export const NOTICES_DAYS = 90;
/** Days of membership before one may rate. */
export const RATING_DAYS = 90;

export const joinSacco = route({
  name: 'joinSacco',
  method: 'POST',
  path: '/sacco/members/join',
  summary: 'Joins a sacco at the terms that were shown; the registration fee comes from the wallet.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    sacco: z.uuid(),
    reg_fee: amount,
    min_shares: wholeNumber(0, 1_000_000),
    share_value: amount,
    /** The registration fee only. */
    total: amount,
  }),
  reply: acted({
    membership: z.object({ id: z.uuid(), sacco: z.uuid(), state: z.enum(MEMBERSHIP_STATES), joined_at: instant }),
    /** Null where the fee is nothing. */
    receipt: receipt.nullable(),
  }),
  refusals: [
    'sacco_inactive',
    'already_a_member',
    'terms_changed',
    'insufficient_funds',
    'proof_required',
    'payout_held',
  ],
});

/** How the other side of a trade reads of a member: `Member K7Q2`. The handle is theirs in one sacco, for good. */
export const memberByHandle = (handle: string): string => `Member ${handle}`;

export const member = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  former_name: formerName.nullable(),
  /** Of whoever asks. */
  is_me: z.literal(true).optional(),
  /** The month in which they joined, as `2026-03`: it tells two people of one name apart. */
  joined_month: z.string(),
  /** From here on for officials only. */
  /** By which other members know this one in their trades. */
  handle: z.string().optional(),
  id_number: z.string().optional(),
  phone_number: z.string().optional(),
  email: z.string().optional(),
  state: z.enum(MEMBERSHIP_STATES).optional(),
  joined_at: instant.optional(),
  shares: z.number().int().optional(),
  savings: shillings.optional(),
  offices: z.array(z.enum(OFFICES)),
  /** For officials: who has seen this member's ID card, and what M-Pesa says of the name. */
  identity: z
    .object({
      /** When an official of this sacco last recorded it; null where none has. */
      seen_at: instant.nullable(),
      /** An official of another sacco, or Ushirika, has seen it. */
      seen_elsewhere: z.boolean(),
      mpesa_name: mpesaName,
      /** Whether the official who asks may record it. */
      may_record: z.boolean(),
    })
    .optional(),
});
export type Member = z.infer<typeof member>;

export const listMembers = route({
  name: 'listMembers',
  method: 'GET',
  path: '/sacco/members',
  summary:
    'The members of the chosen sacco: names and the month of joining for members, particulars for officials (each reading is recorded).',
  caller: 'member',
  orOfficial: true,
  repetition: 'read',
  /**
   * A part of the name narrows the list; for officials also a part of an ID number or a phone. With `card` officials get
   * those alone whose ID card neither an official of this sacco nor Ushirika has seen.
   */
  query: z.object({ name: z.string().trim().max(60).optional(), card: z.literal('unseen').optional(), ...pageQuery }),
  reply: listOf(member),
  refusals: ['not_allowed'],
});

/** Who sees the ID cards of members. The supervisory committee reads the list of it instead. */
export const CARD_OFFICES = [
  'chair',
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'manager',
] as const satisfies readonly Office[];

export const recordIdentityCheck = route({
  name: 'recordIdentityCheck',
  method: 'POST',
  path: '/sacco/members/{id}/identity-checks',
  summary:
    'An official records that they saw a member’s ID card, with the number on it; never their own. The member is told who. The password was entered in this session in the last 15 minutes.',
  caller: 'official',
  offices: CARD_OFFICES,
  repetition: 'natural',
  /** The id in the list of members. */
  params: z.object({ id: z.uuid() }),
  body: seenCard,
  status: 201,
  reply: acted({ check: identityCheck }),
  refusals: [
    'proof_required',
    'sacco_inactive',
    'own_card',
    'card_not_of_account',
    'identity_check_conflict',
    'identity_checks_limit_reached',
  ],
});

export const listIdentityChecks = route({
  name: 'listIdentityChecks',
  method: 'GET',
  path: '/sacco/identity-checks',
  summary: 'Which official recorded that they saw whose ID card, newest first: for every official of the sacco.',
  caller: 'official',
  repetition: 'read',
  query: identityChecksQuery,
  reply: listOf(identityCheck),
});

export const countUnseenCards = route({
  name: 'countUnseenCards',
  method: 'GET',
  path: '/sacco/identity-checks/waiting',
  summary:
    'For officials: of how many members neither an official of this sacco nor Ushirika has seen the ID card, up to 100. 0 for whom it is not theirs to record, and where the sacco is not active.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({ count: z.number().int().min(0).max(CARDS_COUNTED) }),
});

export const withdrawIdentityCheck = route({
  name: 'withdrawIdentityCheck',
  method: 'POST',
  path: '/sacco/identity-checks/{id}/withdrawal',
  summary:
    'Any official but the member concerned takes a record of their sacco back, with the reason, which is kept. Whoever supervises is told. Five a day.',
  caller: 'official',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: withdrawnBecause,
  reply: acted({ check: identityCheck }),
  refusals: ['proof_required', 'own_card', 'identity_check_conflict', 'identity_checks_limit_reached'],
});

/** What still blocks a refund, and where it is settled: a loan of one's own, what one guarantees, or a pool. */
const exitBlock = z.object({
  text: said,
  at: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['loan', 'pool']), id: z.uuid() }),
    z.object({ kind: z.literal('guarantees') }),
  ]),
});
export type ExitBlock = z.infer<typeof exitBlock>;

export const exitStatus = z.object({
  id: z.uuid(),
  sacco: z.uuid(),
  /** `shares_to_sell`: the deposits are refunded; the shares are the member's until another member buys them. */
  state: z.enum(['requested', 'shares_to_sell', 'completed', 'cancelled']),
  /** Members have voted that one leaves: it is not taken back. */
  by_vote: z.boolean(),
  requested_at: instant,
  /** When the 60 days are over. */
  due_at: instant,
  days_left: z.number().int(),
  overdue: z.boolean(),
  /** Empty when nothing blocks the refund. */
  blocked_by: z.array(exitBlock),
  deposits: shillings,
  shares: z.number().int(),
  /** What becomes of the shares, in a sentence. */
  shares_note: said,
  refunded_at: instant.nullable(),
  refund: shillings.nullable(),
});
export type ExitStatus = z.infer<typeof exitStatus>;

export const readExit = route({
  name: 'readExit',
  method: 'GET',
  path: '/sacco/members/exit',
  summary: 'Where one’s latest exit from a sacco stands; null when none was ever requested.',
  caller: 'signed_in',
  repetition: 'read',
  /** The sacco; the header `saccoId` where it is left out. */
  query: z.object({ sacco: z.uuid().optional() }),
  reply: z.object({
    exit: exitStatus.nullable(),
    /** What a notice of this moment would end at once and wait for; null to who has given notice or is no member. */
    notice: z
      .object({
        offices: z.array(z.enum(OFFICES)),
        /** Those of the offices that nobody else holds. */
        left_empty: z.array(z.enum(OFFICES)),
        /** What becomes of a standing order, and of pools of which nobody else is a steward. */
        effects: z.array(said),
        blocked_by: z.array(exitBlock),
      })
      .nullable(),
  }),
  refusals: ['sacco_required'],
});

/** The number of notices that are shown at once; the first due stand first. */
export const EXITS_SHOWN = 200;

const noticeToLeave = z.object({
  id: z.uuid(),
  name: z.string(),
  requested_at: instant,
  due_at: instant,
  days_left: z.number().int(),
  overdue: z.boolean(),
  /** True for an expulsion: members voted that this member leaves. */
  by_vote: z.boolean(),
  /** Whether there are savings to be paid back. */
  has_savings: z.boolean(),
});
export type NoticeToLeave = z.infer<typeof noticeToLeave>;

export const listExits = route({
  name: 'listExits',
  method: 'GET',
  path: '/sacco/exits',
  summary: 'For officials: the members who have given notice to leave and are not paid back yet, the first due first.',
  caller: 'official',
  repetition: 'read',
  reply: z.object({ results: z.array(noticeToLeave).max(EXITS_SHOWN) }),
});

export const requestExit = route({
  name: 'requestExit',
  method: 'POST',
  path: '/sacco/members/exit',
  summary:
    'Gives notice: after 60 days the deposits are refunded to the wallet. Shares stay to be sold. The password was entered in this session in the last 15 minutes.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ sacco: z.uuid(), reason: plainText(500).optional() }),
  status: 201,
  reply: acted({ exit: exitStatus }),
  refusals: ['proof_required', 'not_a_member', 'exit_conflict', 'too_many_notices'],
});

export const cancelExit = route({
  name: 'cancelExit',
  method: 'DELETE',
  path: '/sacco/members/exit',
  summary:
    'Takes the notice back while nothing has been refunded; provisional again with less than the minimum shares.',
  caller: 'signed_in',
  repetition: 'natural',
  query: z.object({ sacco: z.uuid().optional() }),
  reply: acted({ exit: exitStatus }),
  refusals: ['sacco_required', 'exit_conflict'],
});

export const rateSacco = route({
  name: 'rateSacco',
  method: 'POST',
  path: '/sacco/{id}/rating',
  summary:
    'A member in full rights, of 90 days, rates the sacco, once; rating again changes it. Officials do not rate their own.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    stars: wholeNumber(1, 5),
    comment: plainText(1000).default(''),
  }),
  reply: acted({ rating: z.object({ score: z.number(), count: z.number().int() }) }),
  refusals: ['not_a_member', 'not_allowed', 'full_rights_required', 'rating_too_early'],
});

export const membershipContract = [
  joinSacco,
  listMembers,
  recordIdentityCheck,
  listIdentityChecks,
  withdrawIdentityCheck,
  readExit,
  listExits,
  countUnseenCards,
  requestExit,
  cancelExit,
  rateSacco,
] as const;
