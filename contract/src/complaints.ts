import { z } from 'zod';
import { check } from './checks.ts';
import { LOGO_BYTES_MAX } from './constants.ts';
import { plainText } from './plain-text.ts';
import { acted, listOf, OFFICES, pageQuery, route } from './route.ts';
import { proposed } from './sacco-changes.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * A member complains about a sacco, its officials answer, and what they leave unanswered goes to the operators by itself
 * (docs/decisions/170).
 */

export const COMPLAINT_KINDS = ['money', 'payout', 'loan', 'shares', 'conduct', 'records', 'other'] as const;
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number];

/**
 * - `open`: no official has said anything yet. Due: an answer, by `answer_due_at`.
 * - `in_hand`: an official has said that they work on it. Due: a final answer, by `resolve_due_at`.
 * - `answered`: the final answer is there. The member closes it or appeals until `react_by`; then it closes by itself.
 * - `with_operator`: it was appealed, or a due date passed, or no official may answer it.
 * - `closed`: by the member, or by itself after a final answer.
 * - `resolved`: an operator has decided, with reasons. That is final.
 */
export const COMPLAINT_STATES = ['open', 'in_hand', 'answered', 'with_operator', 'closed', 'resolved'] as const;
export type ComplaintState = (typeof COMPLAINT_STATES)[number];

export const ESCALATION_CAUSES = ['unanswered', 'unresolved', 'appealed', 'nobody_else'] as const;
export type EscalationCause = (typeof ESCALATION_CAUSES)[number];

export const COMPLAINT_OUTCOMES = ['upheld', 'not_upheld'] as const;
export type ComplaintOutcome = (typeof COMPLAINT_OUTCOMES)[number];

/** What happened to a complaint, in order. `lapsed`: the member did not react to a final answer. */
export const COMPLAINT_STEPS = [
  'made',
  'progress',
  'answered',
  'appealed',
  'escalated',
  'closed',
  'lapsed',
  'resolved',
] as const;
export type ComplaintStepKind = (typeof COMPLAINT_STEPS)[number];

export const COMPLAINT_LENGTH_MIN = 20;
export const COMPLAINT_LENGTH_MAX = 2_000;
/** Complaints that are not over yet, of one person about one sacco; and of one person in a Nairobi day. */
export const OPEN_COMPLAINTS_MAX = 3;
export const COMPLAINTS_PER_DAY = 5;
/** Of one person about one sacco in 30 days, also those that are over: they burden officials and stand in public figures. */
export const COMPLAINTS_PER_MONTH = 10;
/** How often officials may say that they work on a complaint, besides the final answer. */
export const PROGRESS_WORDS_MAX = 5;
/** The most that a sacco may set, and what holds where it has set nothing. */
export const ANSWER_DAYS_MAX = 14;
export const RESOLVE_DAYS_MAX = 30;
/** Days that the member has after a final answer. */
export const REACTION_DAYS = 14;
/** Years after leaving in which one may still complain. */
export const FORMER_MEMBER_YEARS = 2;
/** From so many complaints in twelve months on the figures are shown: of fewer somebody could be recognised. */
export const FIGURES_FROM = 5;

const words = plainText(COMPLAINT_LENGTH_MAX).min(COMPLAINT_LENGTH_MIN, check('Write at least 20 characters.'));

export const complaint = z.object({
  id: z.uuid(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  kind: z.enum(COMPLAINT_KINDS),
  state: z.enum(COMPLAINT_STATES),
  made_at: instant,
  /** The clock that runs now: what is due, by when; null once it is over and while an operator has it. */
  clock: z
    .object({
      due: z.enum(['answer', 'resolution', 'reaction']),
      due_at: instant,
      /** Days of the Nairobi calendar: 0 on the last day, negative once it is over. */
      days_left: z.number().int(),
    })
    .nullable(),
  escalated_because: z.enum(ESCALATION_CAUSES).nullable(),
  outcome: z.enum(COMPLAINT_OUTCOMES).nullable(),
  ended_at: instant.nullable(),
  /** Who complains, for officials and operators; null in one's own list. */
  complainer: z.object({ name: z.string() }).nullable(),
  /** The official whom it names; that official never sees it. */
  about: z.object({ name: z.string() }).nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(['answer', 'close', 'appeal', 'resolve'])),
});
export type Complaint = z.infer<typeof complaint>;

export const complaintStep = z.object({
  kind: z.enum(COMPLAINT_STEPS),
  at: instant,
  side: z.enum(['member', 'sacco', 'operator', 'clock']),
  /** The name of the member or the official; operators speak as Ushirika. */
  name: z.string().nullable(),
  text: z.string().nullable(),
});
export type ComplaintStep = z.infer<typeof complaintStep>;

export const complaintDetail = complaint.extend({
  text: z.string(),
  has_picture: z.boolean(),
  /** How officials and operators find the account; null for the member. */
  complainer: z.object({ name: z.string(), id_number: z.string().nullable() }).nullable(),
  steps: z.array(complaintStep),
});
export type ComplaintDetail = z.infer<typeof complaintDetail>;

const params = z.object({ id: z.uuid() });
const done = acted({ complaint: complaintDetail });

export const readComplaintTerms = route({
  name: 'readComplaintTerms',
  method: 'GET',
  path: '/sacco/{id}/complaint-terms',
  summary:
    'Before one complains about a sacco: its time limits, the officials whom a complaint can name, and whether one may.',
  caller: 'signed_in',
  repetition: 'read',
  params,
  reply: z.object({
    answer_days: z.number().int(),
    resolve_days: z.number().int(),
    /** Those who hold an office, but for oneself. */
    officials: z.array(z.object({ id: z.uuid(), name: z.string(), office: z.enum(OFFICES) })),
    /** A member, or one who left less than two years ago. */
    may_complain: z.boolean(),
  }),
});

export const makeComplaint = route({
  name: 'makeComplaint',
  method: 'POST',
  path: '/complaints',
  summary:
    'A member complains about a sacco. The same words once more, while the complaint is open, are the same complaint.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'natural',
  body: z.object({
    sacco: z.uuid(),
    kind: z.enum(COMPLAINT_KINDS),
    text: words,
    /** Of the kind `conduct`: the office of whom it names. */
    about: z.uuid().optional(),
  }),
  bodyType: 'multipart',
  file: { field: 'picture', bytesMax: LOGO_BYTES_MAX },
  status: 201,
  reply: done,
  refusals: ['not_a_member', 'complaints_limit_reached', 'picture_not_accepted'],
});

export const listMyComplaints = route({
  name: 'listMyComplaints',
  method: 'GET',
  path: '/complaints',
  summary: 'One’s own complaints, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional(), ...pageQuery }),
  reply: listOf(complaint),
});

export const readMyComplaint = route({
  name: 'readMyComplaint',
  method: 'GET',
  path: '/complaints/{id}',
  summary: 'One of one’s own complaints and what has happened to it.',
  caller: 'signed_in',
  repetition: 'read',
  params,
  reply: complaintDetail,
});

export const closeComplaint = route({
  name: 'closeComplaint',
  method: 'POST',
  path: '/complaints/{id}/closure',
  summary: 'Whoever complained closes it, at any time before an operator has decided.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['complaint_conflict'],
});

export const appealComplaint = route({
  name: 'appealComplaint',
  method: 'POST',
  path: '/complaints/{id}/appeal',
  summary: 'Whoever complained takes a final answer to the operators: once, within 14 days of it.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'natural',
  params,
  body: z.object({ text: words }),
  reply: done,
  refusals: ['complaint_conflict'],
});

const pictureOf = { repetition: 'read', params, reply: z.unknown(), replyType: 'file' } as const;

export const readMyComplaintPicture = route({
  name: 'readMyComplaintPicture',
  method: 'GET',
  path: '/complaints/{id}/picture',
  summary: 'The picture of one’s own complaint.',
  caller: 'signed_in',
  ...pictureOf,
});

export const listSaccoComplaints = route({
  name: 'listSaccoComplaints',
  method: 'GET',
  path: '/sacco/complaints',
  summary:
    'Complaints about a sacco for its officials: those that wait for them, the oldest first, or all, the newest first.',
  caller: 'official',
  repetition: 'read',
  query: z.object({ status: z.enum(['waiting', 'overdue', 'all']).default('waiting'), ...pageQuery }),
  reply: listOf(complaint),
});

export const readSaccoComplaint = route({
  name: 'readSaccoComplaint',
  method: 'GET',
  path: '/sacco/complaints/{id}',
  summary: 'One complaint for the officials of the sacco. Neither whoever it names nor whoever made it reads it here.',
  caller: 'official',
  repetition: 'read',
  params,
  reply: complaintDetail,
});

export const readSaccoComplaintPicture = route({
  name: 'readSaccoComplaintPicture',
  method: 'GET',
  path: '/sacco/complaints/{id}/picture',
  summary: 'The picture of a complaint, for the officials who may read the complaint.',
  caller: 'official',
  ...pictureOf,
});

export const answerComplaint = route({
  name: 'answerComplaint',
  method: 'POST',
  path: '/sacco/complaints/{id}/answer',
  summary: 'An official answers: finally, or that the sacco works on it, which leaves the second limit running.',
  caller: 'official',
  repetition: 'natural',
  params,
  body: z.object({ text: words, is_final: z.boolean() }),
  reply: done,
  refusals: ['complaint_conflict'],
});

export const changeComplaintTerms = route({
  name: 'changeComplaintTerms',
  method: 'PUT',
  path: '/sacco/complaint-terms',
  summary:
    'Propose other time limits for complaints that come later, where fewer than three members can vote yet; a second official confirms them.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z
    .object({ answer_days: wholeNumber(1, ANSWER_DAYS_MAX), resolve_days: wholeNumber(1, RESOLVE_DAYS_MAX) })
    .refine(({ answer_days, resolve_days }) => resolve_days >= answer_days, {
      path: ['resolve_days'],
      error: check('The final answer cannot be due before the first one.'),
    }),
  ...proposed,
});

export const readComplaintFigures = route({
  name: 'readComplaintFigures',
  method: 'GET',
  path: '/sacco/{id}/complaint-figures',
  summary: 'How a sacco deals with complaints: the last twelve months, from five complaints on.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.object({
    answer_days: z.number().int(),
    resolve_days: z.number().int(),
    /** The first day that is counted, in Nairobi. */
    since: z.iso.date(),
    /** Null for fewer than five complaints. */
    figures: z
      .object({
        received: z.number().int(),
        answered_in_time: z.number().int(),
        escalated: z.number().int(),
        /** Days from the complaint to the first answer, and to its end; null while there is none. */
        median_answer_days: z.number().nullable(),
        median_resolve_days: z.number().nullable(),
      })
      .nullable(),
  }),
});
export type ComplaintFigures = z.infer<typeof readComplaintFigures.reply>;

export const listOperatorComplaints = route({
  name: 'listOperatorComplaints',
  method: 'GET',
  path: '/operator/complaints',
  summary:
    'Complaints that came to the operators: those that wait, the oldest first, or those that are over, the newest first.',
  caller: 'operator',
  repetition: 'read',
  query: z.object({ status: z.enum(['waiting', 'over']).default('waiting'), ...pageQuery }),
  reply: listOf(complaint),
});

export const readOperatorComplaint = route({
  name: 'readOperatorComplaint',
  method: 'GET',
  path: '/operator/complaints/{id}',
  summary: 'One complaint that came to the operators.',
  caller: 'operator',
  repetition: 'read',
  params,
  reply: complaintDetail,
});

export const readOperatorComplaintPicture = route({
  name: 'readOperatorComplaintPicture',
  method: 'GET',
  path: '/operator/complaints/{id}/picture',
  summary: 'The picture of a complaint that came to the operators.',
  caller: 'operator',
  ...pictureOf,
});

export const resolveComplaint = route({
  name: 'resolveComplaint',
  method: 'POST',
  path: '/operator/complaints/{id}/resolution',
  summary:
    'An operator who has nothing to do with the sacco decides, with reasons that both sides read. Once, and finally.',
  caller: 'operator',
  repetition: 'natural',
  params,
  body: z.object({ outcome: z.enum(COMPLAINT_OUTCOMES), reason: words }),
  reply: done,
  refusals: ['proof_required', 'complaint_conflict'],
});

export const complaintsContract = [
  readComplaintTerms,
  makeComplaint,
  listMyComplaints,
  readMyComplaint,
  closeComplaint,
  appealComplaint,
  readMyComplaintPicture,
  listSaccoComplaints,
  readSaccoComplaint,
  readSaccoComplaintPicture,
  answerComplaint,
  changeComplaintTerms,
  readComplaintFigures,
  listOperatorComplaints,
  readOperatorComplaint,
  readOperatorComplaintPicture,
  resolveComplaint,
] as const;
