import { z } from 'zod';
import { check } from './checks.ts';
import { LOGO_BYTES_MAX } from './constants.ts';
import { dayAsked } from './day-asked.ts';
import { documentNumber } from './identity.ts';
import { amount, positiveAmount, shillings } from './money.ts';
import { fullReason, groupName, plainLine, plainText } from './plain-text.ts';
import { acted, listOf, OFFICES, type Office, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { sentence } from './sentence.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX } from './typed.ts';
import { wholeNumber } from './whole-number.ts';

export const SACCO_TYPES = ['sacco', 'chama', 'investment_club'] as const;
export type SaccoType = (typeof SACCO_TYPES)[number];

/** The states of a sacco; on the wire `status` is `active`, or `inactive` for all the others. */
export const SACCO_STATES = ['pending', 'active', 'suspended', 'rejected'] as const;
export type SaccoState = (typeof SACCO_STATES)[number];

/**
 * The states of a membership. `provisional`: the fee is paid, the minimum shares are not. `leaving`: an exit was
 * requested. Somebody who has left (`exited`) is not a member.
 */
export const MEMBERSHIP_STATES = ['provisional', 'active', 'leaving', 'exited'] as const;
export type MembershipState = (typeof MEMBERSHIP_STATES)[number];

/** Ratings below this many are shown as "new". */
export const RATINGS_SHOWN_MIN = 10;

const rating = z.object({
  /** 1.00 to 5.00: the members' mean, drawn toward 3.0 with the weight of ten ratings. */
  score: z.number(),
  count: z.number().int(),
});

export const sacco = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Path of the logo on this origin, or null for a monogram. */
  logo: z.string().nullable(),
  reg_no: z.string(),
  reg_fee: shillings,
  min_shares: z.number().int(),
  share_value: shillings,
  status: z.enum(['active', 'inactive']),
  /** The true count of members; the 178 of the spec is added where it is displayed. */
  members: z.number().int(),
  /** Only the caller's own id, if a member. */
  members_list: z.array(z.uuid()),
  created_by: z.uuid(),
  type: z.enum(SACCO_TYPES),
  rating,
  is_member: z.boolean(),
  /** The caller's own membership, or null. */
  membership: z.enum(MEMBERSHIP_STATES).nullable(),
});
export type Sacco = z.infer<typeof sacco>;

/** One point of the activation checklist. */
export const checklistPoint = z.object({
  point: z.string(),
  /** What it asks for, in words. */
  label: said,
  met: z.boolean(),
  /** What is missing, or what was found. */
  detail: said.nullable(),
});
export type ChecklistPoint = z.infer<typeof checklistPoint>;

/**
 * What a sacco that was activated lacks of officials, and since when. Without a chair nobody invites others, and one official alone confirms
 * nothing: only operators name others then.
 */
const officialsLack = z.enum(['officials', 'second_official', 'chair']);
export type OfficialsLack = z.infer<typeof officialsLack>;
export const officialsTooFew = z.object({ lack: officialsLack, since: instant });
export type OfficialsTooFew = z.infer<typeof officialsTooFew>;

export const saccoDetail = sacco.extend({
  created_at: instant,
  /** Each with the id of this term of office. */
  officials: z.array(
    z.object({ id: z.uuid(), name: z.string(), office: z.enum(OFFICES), since: instant, until: instant }),
  ),
  officials_lack: officialsLack.nullable(),
  parameters: z.object({
    reg_fee: shillings,
    min_shares: z.number().int(),
    share_value: shillings,
    /** The most that one member may hold, in percent of the issued shares, once `holding_limit_from` have held the minimum. */
    holding_limit_percentage: z.number(),
    holding_limit_from: z.number().int(),
    exit_days: z.number().int(),
  }),
  figures: z.object({
    members: z.number().int(),
    share_holders: z.number().int(),
    /** Since when the limit of one fifth holds; null while there have never been ten with the minimum shares. */
    holding_limit_since: instant.nullable(),
    shares_issued: z.number().int(),
    share_capital: shillings,
    /** Money that the platform holds for this sacco. */
    money_held: shillings,
    /** Refunds of deposits to leaving members that are past their 60 days. */
    overdue_refunds: z.number().int(),
    as_of: instant,
  }),
  /** Of one that operators have suspended; null for others. */
  suspension: z
    .object({
      since: instant,
      /** When it ends unless a second operator upholds it; null where it stands until two operators end it. */
      until: instant.nullable(),
      /** The operator's words, for its members, officials and founder, and operators. */
      reason: z.string().nullable(),
    })
    .nullable(),
  /** Why the sacco sells no shares for some days, where a higher share value was voted and does not hold yet. */
  sales_wait: said.nullable(),
  /** Other terms that members have voted and that do not hold yet; null where there are none. */
  terms_next: said.nullable(),
  /**
   * From when on the caller's time as a member lets them rate it; null for its officials and for who is no member. Only members
   * in full rights rate.
   */
  rates_from: instant.nullable(),
  /** SASRA's number once recorded; until then the page says "not verified with SASRA". */
  sasra_number: z.string().nullable(),
  /** Where the application stands: for its founder, the sacco's officials and operators; null for everybody else. */
  application: z
    .object({
      state: z.enum(SACCO_STATES),
      reason: z.string().nullable(),
      checklist: z.array(checklistPoint),
    })
    .nullable(),
  /** Points of the checklist that an operator left open when the sacco was activated: for its officials and members, and operators. */
  open_at_activation: z.array(said),
});
export type SaccoDetail = z.infer<typeof saccoDetail>;

const termsFields = {
  name: groupName({ least: 3, most: 120, label: sentence('A name') }),
  description: plainText(2000).refine((text) => text.length > 0, check('Say what the sacco is for.')),
  reg_no: plainLine(40).refine(
    (text) => /[A-Za-z0-9].*[A-Za-z0-9]/.test(text),
    check('Enter the registration number.'),
  ),
  reg_fee: amount.refine((cents) => cents <= 100_000_00, check('The registration fee is at most Ksh. 100,000.')),
  min_shares: wholeNumber(1, 1_000_000),
  share_value: positiveAmount.refine(
    (cents) => cents <= 1_000_000_00,
    check('A share is worth at most Ksh. 1,000,000.'),
  ),
  type: z.enum(SACCO_TYPES).default('sacco'),
};

export const listSaccos = route({
  name: 'listSaccos',
  method: 'GET',
  path: '/sacco/list',
  summary: 'Saccos, with a search by name. `member` lists one’s own.',
  caller: 'anyone',
  repetition: 'read',
  query: z.object({
    name: plainText(120).optional(),
    member: z.uuid().optional(),
    status: z.enum(['active', 'inactive']).optional(),
    sort: z.enum(['name', 'newest', 'members']).default('name'),
    ...pageQuery,
  }),
  reply: listOf(sacco),
  refusals: ['not_allowed'],
});

export const readSacco = route({
  name: 'readSacco',
  method: 'GET',
  path: '/sacco/{id}',
  summary: 'One sacco, with its officials, terms and published figures.',
  caller: 'anyone',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: saccoDetail,
});

/** New terms, all three as they would be. Only members change them, by a vote (docs/decisions/191). */
export const saccoTermsAsked = z.object({
  reg_fee: termsFields.reg_fee,
  min_shares: termsFields.min_shares,
  share_value: termsFields.share_value,
});

const datedTerms = z.object({
  valid_from: instant,
  /** When the next ones began; null for those that hold. */
  valid_until: instant.nullable(),
  reg_fee: shillings,
  min_shares: z.number().int(),
  share_value: shillings,
  /** So many shares are enough for members' full rights until `kept_until`; both null where the minimum did not rise. */
  kept_shares: z.number().int().nullable(),
  kept_until: instant.nullable(),
  /** The vote that they came by; null for the first ones. */
  vote: z.uuid().nullable(),
});
export type DatedTerms = z.infer<typeof datedTerms>;

export const readSaccoTerms = route({
  name: 'readSaccoTerms',
  method: 'GET',
  path: '/sacco/{id}/terms',
  summary:
    'The terms of a sacco that held at the end of a day in Nairobi, today where none is named, and all that ever held, newest first.',
  caller: 'anyone',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  query: z.object({ on: dayAsked.optional() }),
  /** `terms` is null for a day before the sacco was registered. */
  reply: z.object({ terms: datedTerms.nullable(), versions: z.array(datedTerms) }),
});

export const createSacco = route({
  name: 'createSacco',
  method: 'POST',
  path: '/sacco/create',
  summary: 'Registers a sacco; it is inactive until an operator activates it. The founder becomes its chair.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ ...termsFields, created_by: z.uuid() }),
  bodyType: 'multipart',
  file: { field: 'logo', bytesMax: LOGO_BYTES_MAX },
  status: 201,
  reply: acted({ sacco }),
  refusals: ['not_allowed', 'sacco_name_taken', 'sacco_state_conflict', 'logo_not_accepted'],
});

export const resubmitSacco = route({
  name: 'resubmitSacco',
  method: 'POST',
  path: '/sacco/{id}/resubmission',
  summary: 'The founder of a rejected sacco mends its particulars and submits it again.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z.object(termsFields),
  reply: acted({ sacco }),
  refusals: ['sacco_state_conflict', 'sacco_name_taken'],
});

export const recordOfficial = route({
  name: 'recordOfficial',
  method: 'POST',
  path: '/sacco/{id}/officials',
  summary:
    'The founder names an official by ID number while the sacco waits for its activation. Otherwise an operator names one, and a second operator confirms it. The person with the number is asked by SMS; the reply does not tell whether there is one. A founder’s own number is recorded at once.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    id_number: documentNumber,
    office: z.enum(OFFICES),
  }),
  status: 201,
  /** `asked`: the office is taken up once the person accepts. `proposed`, by an operator: a second one must confirm it first. */
  reply: acted({ official: z.object({ office: z.enum(OFFICES), state: z.enum(['recorded', 'asked', 'proposed']) }) }),
  refusals: ['not_allowed', 'sacco_state_conflict', 'office_conflict', 'proof_required', 'proposal_closed'],
});

export const withdrawOfficial = route({
  name: 'withdrawOfficial',
  method: 'POST',
  path: '/sacco/{id}/officials/withdrawal',
  summary:
    'Whoever has named an official, as the founder or as an operator, takes it back until the office is taken up.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z.object({ id_number: documentNumber, office: z.enum(OFFICES) }),
  reply: acted({}),
  refusals: [],
});

/** The offices that a chair can fill in an active sacco, and who may confirm it: any official but the chair and who is invited. */
export const INVITED_OFFICES = [
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
] as const satisfies readonly Office[];

/**
 * - `waiting`: for a second official. Nobody has been looked up or asked.
 * - `asked`: confirmed; whoever has the ID number is sent a code.
 */
export const OFFICE_NAMING_STATES = ['waiting', 'asked', 'accepted', 'refused', 'withdrawn', 'lapsed'] as const;

/** The first no where it takes two: who said it, when and why; null while nobody has. */
const firstNo = z
  .object({ by: z.object({ id: z.uuid(), name: z.string() }), at: instant, reason: z.string() })
  .nullable();
export type FirstNo = z.infer<typeof firstNo>;

/** Somebody whom an operator names for an office, while they may take it up. */
export const namingByOperator = z.object({
  id: z.uuid(),
  office: z.enum(OFFICES),
  id_number: z.string(),
  created_at: instant,
  expires_at: instant,
  first_no: firstNo,
  /** Whether the operator who asks has named them, and may take them back. */
  is_mine: z.boolean(),
});
export type NamingByOperator = z.infer<typeof namingByOperator>;

/** An office for which the chair of an active sacco invites somebody, or an operator names them (docs/decisions/181). */
export const officeNaming = z.object({
  id: z.uuid(),
  office: z.enum(OFFICES),
  id_number: z.string(),
  /** The name of the member of this sacco who has that ID number; null where no member has it. */
  member: z.string().nullable(),
  state: z.enum(OFFICE_NAMING_STATES),
  /** Null where an operator named them. */
  invited_by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  created_at: instant,
  confirmed_by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** When it lapses, unless it is confirmed, and then accepted, by then; null once it is over. */
  expires_at: instant.nullable(),
  first_no: firstNo,
  /** Who refused it, when and why; null unless it is refused. */
  refused: firstNo,
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(['confirm', 'refuse', 'withdraw'])),
  /** Why whoever asks may refuse it and not confirm it: another account that looks like theirs has invited (docs/decisions/189). */
  second_account: said.nullable(),
});
export type OfficeNaming = z.infer<typeof officeNaming>;

export const inviteToOffice = route({
  name: 'inviteToOffice',
  method: 'POST',
  path: '/sacco/office-invitations',
  summary:
    'The chair of an active sacco invites somebody to an office by ID number; a second official confirms before anybody is asked.',
  caller: 'official',
  offices: ['chair'],
  repetition: 'natural',
  body: z.object({ id_number: documentNumber, office: z.enum(INVITED_OFFICES) }),
  status: 202,
  reply: acted({ invitation: officeNaming }),
  refusals: ['sacco_inactive', 'office_conflict', 'second_official_required'],
});

export const listOfficeNamings = route({
  name: 'listOfficeNamings',
  method: 'GET',
  path: '/sacco/office-invitations',
  summary:
    'Whom the chair of a sacco has invited to its offices, and whom operators have named, newest first: for its officials.',
  caller: 'official',
  repetition: 'read',
  reply: listOf(officeNaming),
});

const namingDecision = {
  method: 'POST',
  caller: 'official',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: acted({ invitation: officeNaming }),
} as const;

export const confirmOfficeNaming = route({
  ...namingDecision,
  name: 'confirmOfficeNaming',
  path: '/sacco/office-invitations/{id}/confirmation',
  summary: 'A second official says yes: whoever has the ID number is sent a code by SMS and accepts with it.',
  refusals: ['sacco_inactive', 'second_official_required', 'change_conflict', 'office_conflict'],
});

export const refuseOfficeNaming = route({
  ...namingDecision,
  name: 'refuseOfficeNaming',
  path: '/sacco/office-invitations/{id}/refusal',
  summary:
    'Another official says no and why, until the office is taken up. Of an official who alone refused somebody for that office in the 90 days before, another one must say no too.',
  body: z.object({ reason: fullReason }),
  refusals: ['change_conflict'],
});

export const withdrawOfficeNaming = route({
  ...namingDecision,
  name: 'withdrawOfficeNaming',
  path: '/sacco/office-invitations/{id}/withdrawal',
  summary: 'Whoever invited takes it back, until the office is taken up.',
  refusals: ['change_conflict'],
});

/** An office that somebody is asked to take up. */
export const officeInvitation = z.object({
  id: z.uuid(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  office: z.enum(OFFICES),
  created_at: instant,
  expires_at: instant,
});
export type OfficeInvitation = z.infer<typeof officeInvitation>;

export const listOfficeInvitations = route({
  name: 'listOfficeInvitations',
  method: 'GET',
  path: '/client/office-invitations',
  summary: 'The offices that the person is asked to take up.',
  caller: 'signed_in',
  repetition: 'read',
  reply: listOf(officeInvitation),
});

export const acceptOffice = route({
  name: 'acceptOffice',
  method: 'POST',
  path: '/client/office-invitations/{id}/acceptance',
  summary:
    'Take an office up with the code of the SMS that asked for it, and a confirmed phone; where an operator named somebody, a day later, so that the other officials can refuse.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z.object({ code: z.string().min(1, check('Enter the code from the SMS.')).max(CODE_TYPED_MAX) }),
  reply: acted({ office: z.enum(OFFICES) }),
  refusals: [
    'phone_unconfirmed',
    'otp_not_accepted',
    'full_rights_required',
    'sacco_state_conflict',
    'office_conflict',
  ],
});

export const readSaccoLogo = route({
  name: 'readSaccoLogo',
  method: 'GET',
  path: '/sacco/{id}/logo',
  summary: 'The logo as WebP.',
  caller: 'anyone',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  query: z.object({ v: z.string().max(64).optional() }),
  reply: z.unknown(),
  replyType: 'file',
});

/** The points of the activation checklist that a person looks at; the others the platform sees by itself. */
export const POINTS_BY_HAND = [
  'certificate',
  'by_laws',
  'kra_pin',
  'authorisation',
  'bank_proof',
  'register_check',
  'founder_members',
  'test_deposit',
] as const;

export const recordSaccoCheck = route({
  name: 'recordSaccoCheck',
  method: 'PUT',
  path: '/operator/saccos/{id}/checklist/{point}',
  summary: 'An operator notes what was seen for a point of the activation checklist.',
  caller: 'operator',
  repetition: 'natural',
  params: z.object({ id: z.uuid(), point: z.enum(POINTS_BY_HAND) }),
  body: z.object({
    note: plainText(500).refine((text) => text.length > 0, check('Say what was seen.')),
    /** With `authorisation`: SASRA's number, which is published. */
    sasra_number: plainLine(40)
      .refine((text) => text.length > 0, check('Enter the number.'))
      .optional(),
  }),
  reply: acted({ checklist: z.array(checklistPoint) }),
  refusals: ['sacco_state_conflict'],
});

export const saccosContract = [
  listSaccos,
  createSacco,
  readSacco,
  readSaccoTerms,
  resubmitSacco,
  recordOfficial,
  withdrawOfficial,
  inviteToOffice,
  listOfficeNamings,
  confirmOfficeNaming,
  refuseOfficeNaming,
  withdrawOfficeNaming,
  listOfficeInvitations,
  acceptOffice,
  readSaccoLogo,
  recordSaccoCheck,
] as const;
