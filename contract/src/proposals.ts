import { z } from 'zod';
import { check } from './checks.ts';
import { isPlain, NOT_PLAIN, toldToMembers } from './plain-text.ts';
import { acted, listOf, OFFICES, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { instant } from './time.ts';

/** Why an operator acts or looks: kept with who, what and when (domain.md 4.8). */
export const reason = z
  .string({ error: check('Say why.') })
  .trim()
  .min(5, check('Say why, in at least 5 characters.'))
  .max(500, check('Keep the reason within 500 characters.'))
  .refine(isPlain, NOT_PLAIN);

/** A reason that all members of a sacco read on its pages. */
export const reasonForMembers = toldToMembers(reason);

/** What takes two operators. */
export const PROPOSAL_KINDS = [
  'money_exception_credit',
  'money_exception_return',
  'official_naming',
  'sacco_reinstatement',
  'sacco_suspension',
  'suspended_payout',
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export const PROPOSAL_STATES = ['proposed', 'waiting', 'done', 'withdrawn', 'refused', 'objected', 'lapsed'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

const person = z.object({ id: z.uuid(), first_name: z.string(), last_name: z.string() });

export const proposal = z.object({
  id: z.uuid(),
  kind: z.enum(PROPOSAL_KINDS),
  about: z.object({ type: z.enum(['money_exception', 'sacco', 'person']), id: z.uuid() }),
  /** The sacco's name, the payment's receipt, or the person's name. */
  about_name: z.string().nullable(),
  /** Shillings; null where no money moves. */
  amount: z.number().nullable(),
  beneficiary: person.nullable(),
  /** The official that operators name, as the first of them typed the number. */
  naming: z.object({ office: z.enum(OFFICES), id_number: z.string() }).nullable(),
  reason: z.string(),
  /** `waiting`: confirmed, and carried out at `due_at` unless the payer objects. */
  state: z.enum(PROPOSAL_STATES),
  proposed_by: person,
  proposed_at: instant,
  lapses_at: instant,
  confirmed_by: person.nullable(),
  confirmed_at: instant.nullable(),
  confirmation: said.nullable(),
  due_at: instant.nullable(),
  /** When the payer was told by SMS; null where nobody was. */
  payer_told_at: instant.nullable(),
  objected_at: instant.nullable(),
  closed_at: instant.nullable(),
  closed_by: person.nullable(),
  closing: said.nullable(),
  /** What whoever asks may do now. */
  actions: z.array(z.enum(['confirm', 'refuse', 'withdraw'])),
});
export type Proposal = z.output<typeof proposal>;

export const listProposals = route({
  name: 'listProposals',
  method: 'GET',
  path: '/operator/proposals',
  summary: 'What one operator proposed: open (the oldest first), or closed (the newest first).',
  caller: 'operator',
  repetition: 'read',
  query: z.object({ status: z.enum(['open', 'closed']).default('open'), ...pageQuery }),
  reply: listOf(proposal),
});

const proposalAct = {
  method: 'POST',
  caller: 'operator',
  repetition: 'key',
  params: z.object({ id: z.uuid() }),
  body: z.object({ reason }),
  reply: acted({ proposal: z.object({ id: z.uuid(), state: z.enum(PROPOSAL_STATES) }) }),
} as const;

export const confirmProposal = route({
  ...proposalAct,
  name: 'confirmProposal',
  path: '/operator/proposals/{id}/confirmation',
  summary:
    'Confirm what another operator proposed. It is carried out at once, or after 48 hours in which the payer may object.',
  refusals: [
    'proof_required',
    'sacco_state_conflict',
    'office_conflict',
    'exception_already_resolved',
    'second_operator_required',
    'proposal_closed',
    'payer_objected',
    'phone_unconfirmed',
    'insufficient_funds',
    'phone_not_kenyan',
  ],
});

export const refuseProposal = route({
  ...proposalAct,
  name: 'refuseProposal',
  path: '/operator/proposals/{id}/refusal',
  summary: 'Withdraw what one proposed, or refuse what somebody proposed who is no operator any more. Nothing moves.',
  refusals: ['proposal_closed'],
});

/** Money that came from one's confirmed phone and is about to be given to somebody else. */
export const disputedPayment = z.object({
  id: z.uuid(),
  /** Shillings. */
  amount: z.number(),
  receipt: z.string(),
  told_at: instant,
  /** When it is given away unless the payer objects. */
  due_at: instant,
});
export type DisputedPayment = z.output<typeof disputedPayment>;

export const listDisputedPayments = route({
  name: 'listDisputedPayments',
  method: 'GET',
  path: '/client/objections',
  summary:
    'Payments from the confirmed phone of whoever asks that are to be credited to somebody else, the first due first.',
  caller: 'signed_in',
  repetition: 'read',
  reply: listOf(disputedPayment),
});

export const objectSignedIn = route({
  name: 'objectSignedIn',
  method: 'POST',
  path: '/client/objections/{id}',
  summary: 'Object: the payment stays where it is, and our team looks at it.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: acted({}),
  refusals: ['proposal_closed'],
});

export const objectByCode = route({
  name: 'objectByCode',
  method: 'POST',
  path: '/payments/objections',
  summary: 'The same, by the code of the SMS, for who has no account.',
  caller: 'anyone',
  repetition: 'natural',
  body: z.object({
    code: z.string().trim().min(1, check('Enter the code of the SMS.')).max(40, check('Enter the code of the SMS.')),
  }),
  reply: acted({ amount: z.number(), receipt: z.string() }),
  refusals: ['otp_not_accepted', 'proposal_closed'],
});

export const proposalsContract = [
  listProposals,
  confirmProposal,
  refuseProposal,
  listDisputedPayments,
  objectSignedIn,
  objectByCode,
] as const;
