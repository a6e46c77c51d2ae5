import { z } from 'zod';
import { check } from './checks.ts';
import { identityCheck, identityChecksQuery, mpesaName, seenCard, withdrawnBecause } from './identity.ts';
import { positiveAmount, shillings } from './money.ts';
import { byQueue } from './operator-acts.ts';
import { POOL_REVIEWS, POOL_STATES } from './pools.ts';
import { proposal, reason, reasonForMembers } from './proposals.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { checklistPoint, namingByOperator, officialsTooFew, SACCO_STATES, SACCO_TYPES } from './saccos.ts';
import { said } from './said.ts';
import { instant } from './time.ts';

/** A suspension of a sacco that has not ended. */
export const saccoSuspension = z.object({
  suspended_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  suspended_at: instant,
  reason: z.string(),
  /** When it lapses, unless a second operator upholds it; null where it stands. */
  lapses_at: instant.nullable(),
  upheld_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }).nullable(),
  upheld_reason: z.string().nullable(),
  /** Whether the operator who asks may uphold it: not who suspended it, nor who belongs to the sacco, nor once it has lapsed or its operator is none any more. */
  may_uphold: z.boolean(),
});
export type SaccoSuspension = z.output<typeof saccoSuspension>;

export const operatorSacco = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  logo: z.string().nullable(),
  reg_no: z.string(),
  type: z.enum(SACCO_TYPES),
  /** Shillings. */
  reg_fee: z.number(),
  min_shares: z.number().int(),
  /** Shillings. */
  share_value: z.number(),
  state: z.enum(SACCO_STATES),
  /** Why it is in this state, when somebody said so. */
  state_reason: z.string().nullable(),
  state_at: instant,
  created_at: instant,
  created_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  members: z.number().int(),
  checklist: z.array(checklistPoint),
  /** Whether every open point and a second operator are needed (`STRICT_ACTIVATION`). */
  strict: z.boolean(),
  /** Strict only: the operator who has confirmed already; another must follow. */
  confirmed_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }).nullable(),
  /** The suspension that has not ended; null where there is none. */
  suspension: saccoSuspension.nullable(),
  /** Of one that was activated; null where it has a chair and another official. */
  officials_too_few: officialsTooFew.nullable(),
  /** Whom operators name and who have not taken the office up yet, the newest first. */
  namings: z.array(namingByOperator),
});
export type OperatorSacco = z.output<typeof operatorSacco>;

export const listOperatorSaccos = route({
  name: 'listOperatorSaccos',
  method: 'GET',
  path: '/operator/saccos',
  summary: 'Saccos by state, newest first, each with its activation checklist.',
  caller: 'operator',
  repetition: 'read',
  query: z.object({
    status: z.enum(SACCO_STATES).optional(),
    search: z.string().trim().max(80).optional(),
    /** `too_few`: only those that have no chair, or fewer than two officials. Only operators can name others there. */
    officials: z.enum(['too_few']).optional(),
    ...pageQuery,
  }),
  reply: listOf(operatorSacco),
});

const saccoAct = {
  method: 'POST',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({ reason }),
  reply: acted({ sacco: z.object({ id: z.uuid(), state: z.enum(SACCO_STATES) }) }),
} as const;

export const activateSaccoRoute = route({
  ...saccoAct,
  name: 'activateSacco',
  path: '/operator/saccos/{id}/activation',
  summary: 'Activate a registered sacco.',
  refusals: ['proof_required', 'sacco_state_conflict', 'second_operator_required'],
});

export const rejectSaccoRoute = route({
  ...saccoAct,
  name: 'rejectSacco',
  path: '/operator/saccos/{id}/rejection',
  summary: 'Reject a registered sacco, once by each operator, with the reason that its officials will read.',
  refusals: ['proof_required', 'sacco_state_conflict', 'second_operator_required'],
});

export const suspendSaccoRoute = route({
  ...saccoAct,
  body: z.object({ reason: reasonForMembers }),
  name: 'suspendSacco',
  path: '/operator/saccos/{id}/suspension',
  summary:
    'Suspend an active sacco for 14 days: joining, buying, selling, saving and new loans stop; members repay, withdraw and vote as before. Another operator upholds it. Within 90 days after a suspension ended, and for a fourth sacco, it is proposed and another operator confirms it: the state stays active.',
  refusals: ['proof_required', 'sacco_state_conflict', 'second_operator_required'],
});

export const upholdSaccoSuspensionRoute = route({
  ...saccoAct,
  name: 'upholdSaccoSuspension',
  path: '/operator/saccos/{id}/suspension-upholding',
  summary: 'Uphold, as a second operator, the suspension of a sacco: it then stands until two operators reinstate it.',
  refusals: ['proof_required', 'sacco_state_conflict', 'second_operator_required'],
});

export const reinstateSaccoRoute = route({
  ...saccoAct,
  name: 'reinstateSacco',
  path: '/operator/saccos/{id}/reinstatement',
  summary: 'Propose to make a suspended sacco active again; a second operator confirms it.',
  refusals: ['proof_required', 'sacco_state_conflict', 'second_operator_required'],
});

/** Money that came in, or did not come back, and that nobody could be credited with by rule. */
export const moneyException = z.object({
  id: z.uuid(),
  kind: z.string(),
  /** What happened, in words. */
  text: said,
  receipt: z.string().nullable(),
  /** Masked: `254712***678`. */
  phone: z.string().nullable(),
  /** Shillings. */
  amount: z.number().nullable(),
  about: z.object({ type: z.string(), id: z.string() }).nullable(),
  /** In shillings: what M-Pesa holds for us and what it should hold by the books, where the two differ. */
  figures: z.object({ mpesa: z.number(), books: z.number() }).nullable(),
  /** The account number that was typed at the paybill. */
  account: z.string().nullable(),
  /** Where its money stands: in suspense, in the reserve of a withdrawal, or nowhere in our books. */
  held_in: z.enum(['nowhere', 'suspense', 'reserve']),
  opened_at: instant,
  /** Which actions can be taken on it. */
  actions: z.array(z.enum(['credit', 'return_note', 'dismiss'])),
  /** Whose phone number it is, if a member's. */
  owner: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }).nullable(),
  /** Who claimed it by its receipt, where somebody did. */
  claimant: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }).nullable(),
  /** What an operator has proposed to do with its money, where that is still open. */
  proposal: proposal.nullable(),
  /** When the payer last objected: from then on it goes to whose phone paid, or back. */
  objected_at: instant.nullable(),
  resolution: z
    .object({
      action: z.string(),
      reason: said.nullable(),
      resolved_at: instant,
      resolved_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }).nullable(),
    })
    .nullable(),
});
export type MoneyException = z.output<typeof moneyException>;

export const listMoneyExceptions = route({
  name: 'listMoneyExceptions',
  method: 'GET',
  path: '/operator/deposits',
  summary: 'Deposits that wait for a person: open (`suspense`, the oldest first), or resolved (the newest first).',
  caller: 'operator',
  repetition: 'read',
  query: z.object({ status: z.enum(['suspense', 'resolved']).default('suspense'), ...pageQuery }),
  reply: listOf(moneyException),
});

export const resolveMoneyException = route({
  name: 'resolveMoneyException',
  method: 'POST',
  path: '/operator/deposits/{id}/resolution',
  summary:
    'Dismiss one that holds no money; or propose to credit it to a member, or to note that it was returned, which a second operator confirms.',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    action: z.enum(['credit', 'return_note', 'dismiss']),
    /** With `credit` of money in suspense: the member, by user id or by ID number. A reserve goes back to its owner. */
    user: z.string().trim().min(1).max(40).optional(),
    reason,
  }),
  /** `proposal`: what a second operator is to confirm; null where nothing is left to do. */
  reply: acted({ id: z.uuid(), proposal: z.uuid().nullable() }),
  refusals: ['proof_required', 'exception_already_resolved', 'second_operator_required', 'payer_objected'],
});

/** A referral whose reward waits for a person, because the two people may be one. */
export const heldReferral = z.object({
  id: z.uuid(),
  created_at: instant,
  held_at: instant,
  /** Why it is held, in words. */
  causes: z.array(said),
  referrer: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  referred: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  status: z.string(),
  sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
});
export type HeldReferral = z.output<typeof heldReferral>;

export const listHeldReferrals = route({
  name: 'listHeldReferrals',
  method: 'GET',
  path: '/operator/referrals',
  summary: 'Referrals that are held for review, the oldest first.',
  caller: 'operator',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(heldReferral),
});

export const reviewHeldReferral = route({
  name: 'reviewHeldReferral',
  method: 'POST',
  path: '/operator/referrals/{id}/review',
  summary: 'Release a held referral, so that its reward can be paid, or deny it. Once.',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({ decision: z.enum(['release', 'deny']), reason }),
  reply: acted({ id: z.uuid() }),
  refusals: ['proof_required', 'exception_already_resolved'],
});

const named = z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() });

export const SUSPENSION_ACTIONS = ['suspend', 'uphold', 'lift'] as const;
export type SuspensionAction = (typeof SUSPENSION_ACTIONS)[number];

/** An account that an operator has suspended. */
export const suspension = z.object({
  person: named,
  suspended_at: instant,
  suspended_by: named,
  reason: z.string(),
  /** When it lapses, unless a second operator upholds it; null once one has. */
  lapses_at: instant.nullable(),
  upheld_by: named.nullable(),
  upheld_reason: z.string().nullable(),
  /** The operator who asked to lift it, where lifting takes two; else null. */
  lift_asked_by: named.nullable(),
  /** What the wallet has available: two operators can pay it to its owner. */
  wallet: shillings,
  /** What the operator who asks can do about it. */
  actions: z.array(z.enum(SUSPENSION_ACTIONS)),
});
export type Suspension = z.output<typeof suspension>;

const suspensionAtDesk = suspension.extend({
  /** The payout that waits for a second operator, or is being paid; null where there is none. */
  payout: proposal.nullable(),
});
export type SuspensionAtDesk = z.output<typeof suspensionAtDesk>;

export const payOutSuspended = route({
  name: 'payOutSuspended',
  method: 'POST',
  path: '/operator/people/{id}/payout',
  summary:
    'Propose to pay a suspended person money of their own wallet, to their own confirmed phone. Another operator confirms it.',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    /** Whole shillings, 10 to 250,000. */
    amount: positiveAmount,
    reason,
  }),
  reply: acted({ proposal: z.uuid() }),
  refusals: [
    'proof_required',
    'phone_unconfirmed',
    'insufficient_funds',
    'amount_not_whole_shillings',
    'amount_out_of_range',
    'phone_not_kenyan',
    'second_operator_required',
  ],
});

/** A person as the desk shows them: enough to know that they are the one who calls. */
export const foundPerson = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  id_number: z.string(),
  /** Masked: `254712***678`. */
  phone: z.string(),
  phone_confirmed: z.boolean(),
  registered_at: instant,
  is_operator: z.boolean(),
  suspension: suspensionAtDesk.nullable(),
  /** How often the account was suspended before. */
  earlier_suspensions: z.number().int(),
  actions: z.array(z.enum(SUSPENSION_ACTIONS)),
  identity: z.object({
    /** When an official or an operator last recorded that they saw the ID card. */
    seen_at: instant.nullable(),
    mpesa_name: mpesaName,
    /** Whether the operator who asks may record that they saw it. */
    may_record: z.boolean(),
  }),
});
export type FoundPerson = z.output<typeof foundPerson>;

export const findPeople = route({
  name: 'findPeople',
  method: 'POST',
  path: '/operator/people/search',
  summary: 'Who has this ID number or this phone, exactly. Each search is kept in the log; 60 an hour.',
  caller: 'operator',
  repetition: 'read',
  body: z.object({
    sought: z
      .string()
      .trim()
      .min(5, check('Enter a whole ID number or phone.'))
      .max(30, check('Enter an ID number or a phone.')),
  }),
  reply: z.object({ results: z.array(foundPerson) }),
});

export const listSuspensions = route({
  name: 'listSuspensions',
  method: 'GET',
  path: '/operator/suspensions',
  summary: 'Accounts that are suspended, newest first: who did it, why, and when it lapses.',
  caller: 'operator',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(suspensionAtDesk),
});

export const decideSuspension = route({
  name: 'decideSuspension',
  method: 'POST',
  path: '/operator/people/{id}/suspension',
  summary:
    'Suspend an account for 14 days, uphold it as a second operator until it is lifted, or lift it: alone what one suspended alone, else as the second of two.',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({ action: z.enum(SUSPENSION_ACTIONS), reason }),
  reply: acted({ suspension: suspension.nullable() }),
  refusals: [
    'proof_required',
    'suspension_not_allowed',
    'suspension_conflict',
    'second_operator_required',
    'suspension_limit_reached',
  ],
});

export const recordOperatorIdentityCheck = route({
  name: 'recordOperatorIdentityCheck',
  method: 'POST',
  path: '/operator/people/{id}/identity-checks',
  summary: 'An operator records that they saw a person’s ID card, with the number on it; never their own.',
  caller: 'operator',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: seenCard,
  status: 201,
  reply: acted({ check: identityCheck }),
  refusals: [
    'proof_required',
    'own_card',
    'card_not_of_account',
    'identity_check_conflict',
    'identity_checks_limit_reached',
  ],
});

export const listOperatorIdentityChecks = route({
  name: 'listOperatorIdentityChecks',
  method: 'GET',
  path: '/operator/identity-checks',
  summary:
    'Who recorded that they saw whose ID card, on the whole platform, newest first. Each look is kept in the log.',
  caller: 'operator',
  repetition: 'read',
  query: identityChecksQuery.extend({
    /** Those of one person, or those that one official or operator recorded. */
    person: z.uuid().optional(),
    seen_by: z.uuid().optional(),
  }),
  reply: listOf(identityCheck),
});

export const withdrawOperatorIdentityCheck = route({
  name: 'withdrawOperatorIdentityCheck',
  method: 'POST',
  path: '/operator/identity-checks/{id}/withdrawal',
  summary: 'An operator takes any record back but one of their own card, with the reason, which is kept. Five a day.',
  caller: 'operator',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: withdrawnBecause,
  reply: acted({ check: identityCheck }),
  refusals: ['proof_required', 'own_card', 'identity_check_conflict', 'identity_checks_limit_reached'],
});

/** A guarantor pool as operators look at it before strangers do. */
export const operatorPool = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null for an open pool. */
  sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  state: z.enum(POOL_STATES),
  members_count: z.number().int(),
  /** Shillings. */
  min_contribution: z.number(),
  created_at: instant,
  created_by: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  /** Other pools that the same person made and operators refused. */
  refused_before: z.number().int(),
  is_public: z.boolean(),
  review: z.enum(POOL_REVIEWS),
  review_reason: z.string().nullable(),
  reviewed_at: instant.nullable(),
});
export type OperatorPool = z.output<typeof operatorPool>;

export const listOperatorPools = route({
  name: 'listOperatorPools',
  method: 'GET',
  path: '/operator/pools',
  summary:
    'Guarantor pools by review: those that wait, the oldest first, or those that were reviewed, the newest first.',
  caller: 'operator',
  repetition: 'read',
  query: z.object({ review: z.enum(POOL_REVIEWS).default('waiting'), ...pageQuery }),
  reply: listOf(operatorPool),
});

export const reviewPoolRoute = route({
  name: 'reviewPool',
  method: 'POST',
  path: '/operator/pools/{id}/review',
  summary: 'Approve a pool, so that everybody sees it, or refuse it with a reason that its creator reads. Once.',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({ decision: z.enum(['approve', 'refuse']), reason }),
  reply: acted({ id: z.uuid() }),
  refusals: ['proof_required', 'pool_already_reviewed'],
});

export const platformHealth = route({
  name: 'platformHealth',
  method: 'GET',
  path: '/operator/health',
  summary: 'How the platform is doing: jobs, callbacks, exceptions, the last audit.',
  caller: 'operator',
  repetition: 'read',
  reply: z.object({
    at: instant,
    /** One row for each kind of job that waits or fails. */
    jobs: z.array(
      z.object({
        task: z.string(),
        waiting: z.number().int(),
        failing: z.number().int(),
        /** Of the oldest that is due. */
        oldest_due_at: instant.nullable(),
        last_error: z.string().nullable(),
      }),
    ),
    /** When M-Pesa last called back, for each kind of call-back. */
    callbacks: z.array(z.object({ kind: z.string(), last_at: instant.nullable(), last_24_hours: z.number().int() })),
    deposits_pending: z.object({ count: z.number().int(), oldest_at: instant.nullable() }),
    exceptions_open: z.object({ count: z.number().int(), amount: z.number(), oldest_at: instant.nullable() }),
    /** How many of each wait for an operator. */
    waiting: z.object(byQueue(() => z.number().int())),
    messages_unsent: z.number().int(),
    /** SMS that the provider refused for good, or of which it did not say whether they went, in the last 24 hours. */
    messages_refused: z.number().int(),
    /** The last time that M-Pesa said what it holds for us; null when it never did. `agreed_at`: when the two were last equal. */
    float: z
      .object({
        compared_at: instant,
        /** `under_way`: payments that are not settled may explain the difference; M-Pesa is asked again. */
        state: z.enum(['agrees', 'under_way', 'differs']),
        /** Shillings. */
        mpesa: z.number(),
        books: z.number(),
        agreed_at: instant.nullable(),
      })
      .nullable(),
    /** The logs of the books. */
    logs: z.object({
      count: z.number().int(),
      /** Nothing of these is signed any more. `by`: what knows another history than the database. */
      halted: z.array(
        z.object({
          origin: z.string(),
          /** Null: the platform's own log. */
          sacco: z.string().nullable(),
          by: z.enum(['database', 'file', 'chain']),
          since: instant,
        }),
      ),
      last_signed_at: instant.nullable(),
      /** The time of the oldest movement that is in no signed head yet. */
      unsigned_since: instant.nullable(),
    }),
    /** The chain that heads of the logs are anchored on; null where nothing is anchored. */
    chain: z
      .object({
        /** When it last answered. */
        looked_at: instant.nullable(),
        /** It has missed three runs of the publisher. */
        is_silent: z.boolean(),
        last_anchor_at: instant.nullable(),
        /** `short`: the key has less than twenty anchors cost. */
        funds: z.enum(['enough', 'short']).nullable(),
      })
      .nullable(),
    /** The last `npm run audit`; null when none ran on this database. */
    audit: z.object({ ran_at: instant, passed: z.boolean(), breaches: z.number().int() }).nullable(),
  }),
});

export const operatorAction = z.object({
  id: z.uuid(),
  at: instant,
  operator: z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() }),
  action: z.string(),
  /** `name`: of a sacco or a pool; null of everything else, of people too. */
  about: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  /** Null where none is asked for: somebody looked at a list, for example. */
  reason: said.nullable(),
});
export type OperatorAction = z.output<typeof operatorAction>;

export const listOperatorActions = route({
  name: 'listOperatorActions',
  method: 'GET',
  path: '/operator/actions',
  summary: 'What operators did and looked at, and why, newest first.',
  caller: 'operator',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(operatorAction),
});

export const operatorContract = [
  listOperatorSaccos,
  activateSaccoRoute,
  rejectSaccoRoute,
  suspendSaccoRoute,
  upholdSaccoSuspensionRoute,
  reinstateSaccoRoute,
  listMoneyExceptions,
  resolveMoneyException,
  listHeldReferrals,
  reviewHeldReferral,
  findPeople,
  listSuspensions,
  decideSuspension,
  recordOperatorIdentityCheck,
  listOperatorIdentityChecks,
  withdrawOperatorIdentityCheck,
  payOutSuspended,
  listOperatorPools,
  reviewPoolRoute,
  platformHealth,
  listOperatorActions,
] as const;
