import { z } from 'zod';
import { check } from './checks.ts';
import { dayAsked } from './day-asked.ts';
import { amount, positiveAmount, shillings } from './money.ts';
import { fullReason, plainWords } from './plain-text.ts';
import { acted, OFFICES, route } from './route.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX } from './typed.ts';
import { wholeNumber } from './whole-number.ts';

const hash = z
  .string()
  .min(64)
  .max(64)
  .regex(/^[0-9a-f]+$/);

/** One instalment as a schedule has it. */
export const instalment = z.object({
  number: z.number().int(),
  due_on: z.iso.date(),
  principal: shillings,
  interest: shillings,
  total: shillings,
  /** Principal owed once it is paid. */
  balance_after: shillings,
});

/*
 * What a sacco may do about a loan that is not paid, in an order that the server enforces: default, final notice, the
 * borrower's own savings, the pool, the guarantors, the write-off (docs/decisions/182). And a new schedule for the rest.
 */

export const RECOVERY_STEPS = ['default', 'final_notice', 'own_deposits', 'pool', 'guarantors', 'write_off'] as const;
export type RecoveryStep = (typeof RECOVERY_STEPS)[number];

/**
 * What people were told of a loan, and what is kept as proof. `reminder`: before an instalment. `missed`, `first`, `second`: to the
 * borrower, 1, 7 and 60 days after a due date that passed. `formal`: on day 30, to the borrower and to each guarantor.
 * `default_due`: to the committee, on day 90. `final`: 14 days before anything is taken. `taken`: something was taken of theirs.
 */
export const LOAN_NOTICES = [
  'reminder',
  'missed',
  'first',
  'formal',
  'second',
  'default_due',
  'defaulted',
  'final',
  'taken',
  'restructure',
  'written_off',
] as const;
export type LoanNoticeKind = (typeof LOAN_NOTICES)[number];

/** Days in which everybody who is asked agrees to a new schedule; after them the old one stays. */
export const RESTRUCTURE_ANSWER_DAYS = 14;
/** A loan is offered a new schedule at most so often within these days: each offer tells its borrower and its guarantors. */
export const RESTRUCTURE_OFFERS_MAX = 3;
export const RESTRUCTURE_OFFERS_DAYS = 30;
/** Offers of others that an official ends for one loan within these days: fewer than may be made, so that one alone does not stop them all. */
export const RESTRUCTURE_ENDINGS_MAX = 2;
/** Days for which a vote for a default that nobody has followed puts a new schedule off. */
export const DEFAULT_VOTE_WAITS_DAYS = 14;
/** New schedules that a loan has in its life at most. */
export const RESTRUCTURES_MAX = 2;
/** Two officials for a default, and one of the board with one of the supervisory committee for a write-off. */
export const BOARD_OFFICES = ['chair', 'vice_chair', 'secretary', 'treasurer'] as const;
export const DEFAULT_OFFICES = ['credit_committee'] as const;
/** Who decides about a default too, where fewer than two people of the credit committee have no interest in the loan. */
export const DEFAULT_DEPUTIES = [...BOARD_OFFICES, 'supervisory_committee'] as const;
export const FINAL_NOTICE_OFFICES = ['credit_committee', ...BOARD_OFFICES, 'manager'] as const;
export const RECOVERY_OFFICES = ['treasurer', 'chair', 'vice_chair', 'manager'] as const;
export const RESTRUCTURE_OFFICES = ['credit_committee', ...RECOVERY_OFFICES] as const;

const person = z.object({ id: z.uuid(), name: z.string() });
const params = z.object({ id: z.uuid() });
const reason = plainWords(500, check('Write the reason.'));

export const recoveryStep = z.object({
  kind: z.enum(RECOVERY_STEPS),
  state: z.enum(['done', 'now', 'later', 'not_needed']),
  text: said,
  /** When it was done, or from when on it may be. */
  from: instant.nullable(),
  /** What it brought. */
  amount: shillings.nullable(),
});

export const loanNotice = z.object({
  kind: z.enum(LOAN_NOTICES),
  /** Whom it was for. */
  to: person,
  is_guarantor: z.boolean(),
  at: instant,
  amount: shillings,
  days_past_due: z.number().int(),
  /** When it was opened in the app; null where it was not. */
  read_at: instant.nullable(),
  /** What became of its SMS; null where none was sent, since no phone is confirmed or too many were sent that day. */
  sms: z
    .object({
      state: z.enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'expired']),
      at: instant.nullable(),
      gateway_id: z.string().nullable(),
    })
    .nullable(),
});
export type LoanNotice = z.infer<typeof loanNotice>;

/** What a new schedule asks of the borrower, beside the schedule that holds: as things are now. */
export const newScheduleCost = z.object({
  schedule: z.array(instalment),
  /** The month of the loan that is under way keeps its interest, which is due at its end; null where nothing of it is due. */
  running: z.object({ due_on: z.iso.date(), interest: shillings }).nullable(),
  /** Overdue interest and the penalty: the borrower pays them before the new schedule can hold. */
  pay_first: shillings,
  /** Interest from now on, that of the month under way with it: by the schedule that holds, and by the new one. */
  interest_old: shillings,
  interest_new: shillings,
  /** Principal, interest and penalty that are still to be paid: by the schedule that holds if what is overdue is paid today, and by the new one. */
  to_pay_old: shillings,
  to_pay_new: shillings,
  /** Percent a month and a year (nominal) on the balance owed. */
  true_monthly_rate: z.number(),
  annual_percentage_rate: z.number(),
});
export type NewScheduleCost = z.infer<typeof newScheduleCost>;

/** A new schedule that somebody agreed to, as it was then, and the hash over its exact terms. */
export const agreedSchedule = z.object({
  at: instant,
  /** Whether all agreed, so that it held; null while it waits for others. */
  is_in_force: z.boolean().nullable(),
  principal: shillings,
  months: z.number().int(),
  instalment: shillings,
  total_interest: shillings,
  first_due_on: z.iso.date(),
  last_due_on: z.iso.date(),
  hash,
});
export type AgreedSchedule = z.infer<typeof agreedSchedule>;

export const restructure = z.object({
  id: z.uuid(),
  /** `unconfirmed` waits for a second official; nobody else sees it before. */
  state: z.enum(['unconfirmed', 'proposed', 'in_force', 'refused', 'withdrawn', 'lapsed']),
  months: z.number().int(),
  /** What the new schedule is for: the principal that is owed. */
  principal: shillings,
  instalment: shillings,
  /** What it costs beside the schedule that holds; null once it is over, and where its dates have moved. */
  cost: newScheduleCost.nullable(),
  /** Over the exact terms that whoever asks would agree to; a guarantor's code signs it. Null for officials, and before it is confirmed. */
  terms_hash: hash.nullable(),
  /** The guarantee that whoever asks has given, whose code signs; null for any other. */
  guarantee: z.uuid().nullable(),
  /** Those that were confirmed; before, as they would be today. */
  first_due_on: z.iso.date(),
  last_due_on: z.iso.date(),
  /** A month of the loan has ended since it was confirmed: nobody can agree to it any more, and another offer is needed. */
  dates_moved: z.boolean(),
  /** The official who proposed it and the one who confirmed it, for officials alone. */
  proposed_by: person.nullable(),
  confirmed_by: person.nullable(),
  proposed_at: instant,
  /**
   * Confirmed: until when it may be answered, 14 days or the end of the month of the loan that is under way, the earlier of the two. Before:
   * until when a second official confirms it.
   */
  answer_by: instant,
  reason: z.string(),
  /** Whether the borrower has agreed, and how many guarantors of how many. */
  borrower_agreed: z.boolean(),
  guarantors: z.number().int(),
  guarantors_agreed: z.number().int(),
  may: z.array(z.enum(['agree', 'refuse', 'confirm', 'withdraw'])),
});
export type Restructure = z.infer<typeof restructure>;

/** What a step that is still to come would take as things are now, and from whom. */
export const recoveryTake = z.object({
  step: z.enum(['own_deposits', 'pool', 'guarantors']),
  from: z.array(
    z.object({
      /**
       * Of the borrower: savings that are held for the loan, free ones, and the position in the pool. Of others: the pool's reserve, what
       * its members have locked for the loan, and the pledge of a guarantor.
       */
      source: z.enum(['pledged_savings', 'savings', 'pool_own', 'pool_reserve', 'pool_members', 'guarantor']),
      /** The pool's or the guarantor's; null for the borrower. */
      name: z.string().nullable(),
      amount: shillings,
    }),
  ),
  amount: shillings,
  /** What is owed of the principal after it. */
  principal_left: shillings,
});
export type RecoveryTake = z.infer<typeof recoveryTake>;

/** What a write-off gives up in the books as things are now. */
export const writeOffAmounts = z.object({
  principal: shillings,
  interest: shillings,
  penalty: shillings,
  /** All three: what is given up. */
  amount: shillings,
  /** What is set aside for the loan already. */
  set_aside: shillings,
  /**
   * What is not set aside, an expense of the day of the write-off. Where more is set aside than is owed it is below zero: that much is
   * free again.
   */
  expense: shillings,
  /** What guarantors and the pool paid and were not paid back: the borrower owes it to them all the same. */
  owed_to_guarantors: shillings,
  owed_to_pool: shillings,
});
export type WriteOffAmounts = z.infer<typeof writeOffAmounts>;

export const loanRecovery = z.object({
  loan: z.uuid(),
  steps: z.array(recoveryStep),
  takes: z.array(recoveryTake),
  /** Null where no write-off is to come. */
  write_off: writeOffAmounts.nullable(),
  /** Who has declined the write-off during these arrears, and why; the oldest first. It ends nothing: others may still agree. */
  write_off_declines: z.array(z.object({ by: person, office: z.enum(OFFICES), reason: z.string(), at: instant })),
  /** What whoever reads this may do about the write-off now. */
  write_off_may: z.array(z.enum(['agree', 'decline'])),
  /** Of which side one more person would complete a write-off that is due: either one where whoever voted holds an office of both. */
  write_off_waits_for: z.array(z.enum(['board', 'supervisory_committee'])),
  /** Who has voted for a default or a write-off, before and after it was decided, with office and reason. */
  voices: z.array(
    z.object({
      step: z.enum(['default', 'write_off']),
      by: person,
      office: z.enum(OFFICES),
      reason: z.string(),
      at: instant,
    }),
  ),
  notices: z.array(loanNotice),
  claims: z.array(z.object({ guarantor: person, paid: shillings, refunded: shillings, owed: shillings })),
  restructure: restructure.nullable(),
  /** Months that a new schedule has at most: the longest term of the product now, and no longer than a pool guarantees the loan. */
  restructure_months: z.number().int(),
  /** Why no official votes about this loan now, and the no to a write-off alone is left: the sacco is not active. */
  votes_barred: said.nullable(),
  /** Why this loan gets no new schedule now, whoever proposes it; null where it may. */
  restructure_barred: said.nullable(),
});
export type LoanRecovery = z.infer<typeof loanRecovery>;

const done = acted({ recovery: loanRecovery });
const restructured = acted({ restructure });

export const readLoanRecovery = route({
  name: 'readLoanRecovery',
  method: 'GET',
  path: '/sacco/loans/{id}/recovery',
  summary:
    'What was done about a loan that is not paid, what comes next, and the proof of each notice. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params,
  reply: loanRecovery,
});

export const loanDay = z.object({
  day: z.iso.date(),
  state: z.enum(['running', 'done']),
  started_at: instant,
  finished_at: instant.nullable(),
  /** Loans whose day it was. */
  loans: z.number().int(),
  accrued: shillings,
  penalties: shillings,
  /** By how much what is set aside for losses grew, or fell. */
  provision: shillings,
  reminders: z.number().int(),
  /** Notices of arrears, each to a person; and by their kind, where the run kept it. */
  noticed: z.number().int(),
  notices: z.array(z.object({ kind: z.enum(LOAN_NOTICES), count: z.number().int() })),
  /** Requests and offers that nobody answered in time. */
  lapsed: z.number().int(),
  /** What that day brought to the sacco's guarantor pools: months of fees that were earned, and notices that were paid. */
  pools: z.object({
    earnings: z.number().int(),
    earned: shillings,
    withdrawals: z.number().int(),
    withdrawn: shillings,
  }),
});
export type LoanDay = z.infer<typeof loanDay>;

export const readLoanDay = route({
  name: 'readLoanDay',
  method: 'GET',
  path: '/sacco/loan-days/{day}',
  summary: 'What the run of one day did: interest, penalties, reminders, notices, provisions, and the guarantor pools.',
  caller: 'official',
  repetition: 'read',
  params: z.object({ day: dayAsked }),
  reply: loanDay,
});

export const decideDefault = route({
  name: 'decideDefault',
  method: 'POST',
  path: '/sacco/loans/{id}/default',
  summary:
    'One official’s vote for a default, from day 90 on and 30 days after the guarantors were told. The second one decides. Board and supervisory committee stand in where fewer than two people of the credit committee have no interest in the loan.',
  caller: 'official',
  offices: [...DEFAULT_OFFICES, ...DEFAULT_DEPUTIES],
  repetition: 'natural',
  params,
  body: z.object({ reason }),
  reply: done,
  refusals: ['not_allowed', 'proof_required', 'sacco_inactive', 'recovery_too_early', 'loan_conflict'],
});

export const sendFinalNotice = route({
  name: 'sendFinalNotice',
  method: 'POST',
  path: '/sacco/loans/{id}/final-notice',
  summary: 'Tell the borrower and every guarantor that in 14 days savings will be taken, and how much of whom.',
  caller: 'official',
  offices: FINAL_NOTICE_OFFICES,
  repetition: 'natural',
  params,
  reply: done,
  refusals: ['not_allowed', 'proof_required', 'recovery_too_early', 'loan_conflict'],
});

export const recoverLoan = route({
  name: 'recoverLoan',
  method: 'POST',
  path: '/sacco/loans/{id}/recovery',
  summary:
    'Take the next step: the borrower’s own savings, then the pool, then the guarantors in proportion to what they pledged. It carries the amount that was shown, and never more is taken. Savings that came in since stay where they are. Where the amount cannot be kept so, nothing is taken, and the refusal has the amount of now.',
  caller: 'official',
  offices: RECOVERY_OFFICES,
  repetition: 'natural',
  params,
  body: z.object({
    step: z.enum(['own_deposits', 'pool', 'guarantors']),
    /** What `takes` said of this step: no more is taken. */
    amount,
  }),
  reply: done,
  refusals: ['not_allowed', 'proof_required', 'loan_terms_changed', 'recovery_too_early', 'loan_conflict'],
});

export const writeOffLoan = route({
  name: 'writeOffLoan',
  method: 'POST',
  path: '/sacco/loans/{id}/write-off',
  summary:
    'Give a loan up in the books: one of the board and one of the supervisory committee. The borrower still owes it, and the guarantors’ claims stay. Each vote carries the amount that was shown: where more is owed by now it is not recorded, and the refusal has the amount of now.',
  caller: 'official',
  offices: [...BOARD_OFFICES, 'supervisory_committee'],
  repetition: 'natural',
  params,
  body: z.object({
    reason,
    /** What `write_off.amount` said: nobody votes for more. */
    amount,
  }),
  reply: done,
  refusals: [
    'not_allowed',
    'proof_required',
    'sacco_inactive',
    'loan_terms_changed',
    'recovery_too_early',
    'loan_conflict',
  ],
});

export const declineWriteOff = route({
  name: 'declineWriteOff',
  method: 'POST',
  path: '/sacco/loans/{id}/write-off-decline',
  summary:
    'Decline a write-off that the other side proposes, and say why: board and supervisory committee must both agree. Whoever proposed it is told. It is one person’s no, once during these arrears: another of the same side may agree, and so may the same person later.',
  caller: 'official',
  offices: [...BOARD_OFFICES, 'supervisory_committee'],
  repetition: 'natural',
  params,
  body: z.object({ reason: fullReason }),
  reply: done,
  refusals: ['not_allowed', 'proof_required', 'loan_conflict'],
});

export const proposeRestructure = route({
  name: 'proposeRestructure',
  method: 'POST',
  path: '/sacco/loans/{id}/restructure',
  summary:
    'Propose a new schedule for the principal that is owed. A second official confirms it, then the borrower and every guarantor are asked. It holds once all have agreed; until then the old one does. It has no more months than the product has now, and ends while a pool still guarantees the loan. A loan has two in its life at most. Nobody proposes or confirms it while a vote for the default waits for a second one, for 14 days.',
  caller: 'official',
  offices: RESTRUCTURE_OFFICES,
  repetition: 'natural',
  params,
  body: z.object({ months: wholeNumber(1, 120), reason }),
  reply: restructured,
  refusals: ['not_allowed', 'proof_required', 'sacco_inactive', 'loan_terms_not_met', 'loan_conflict'],
});

export const quoteRestructure = route({
  name: 'quoteRestructure',
  method: 'GET',
  path: '/sacco/loans/{id}/restructure',
  summary:
    'What a new schedule of so many months would cost beside the one that holds, before it is proposed. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params,
  query: z.object({ months: wholeNumber(1, 120) }),
  reply: z.object({ cost: newScheduleCost }),
  refusals: ['loan_terms_not_met', 'loan_conflict'],
});

export const confirmRestructure = route({
  name: 'confirmRestructure',
  method: 'POST',
  path: '/sacco/loans/{id}/restructure/confirm',
  summary:
    'Confirm a new schedule that another official has proposed. The borrower and the guarantors are asked. Its months are those that were shown. Once a default is decided, one of the two is of those who decide about it.',
  caller: 'official',
  offices: RESTRUCTURE_OFFICES,
  repetition: 'natural',
  params,
  body: z.object({ months: wholeNumber(1, 120) }),
  reply: restructured,
  refusals: ['not_allowed', 'proof_required', 'sacco_inactive', 'loan_terms_not_met', 'loan_conflict'],
});

export const withdrawRestructure = route({
  name: 'withdrawRestructure',
  method: 'DELETE',
  path: '/sacco/loans/{id}/restructure',
  summary:
    'Take an offer of a new schedule back that not everybody has agreed to. A second official who does not confirm it ends it so too. Once it is confirmed, only whoever proposed or confirmed it takes it back. An official ends at most two offers of others for a loan in 30 days.',
  caller: 'official',
  offices: RESTRUCTURE_OFFICES,
  repetition: 'natural',
  params,
  reply: restructured,
  refusals: ['not_allowed', 'loan_conflict'],
});

export const readRestructure = route({
  name: 'readRestructure',
  method: 'GET',
  path: '/loans/{id}/restructure',
  summary: 'The new schedule that is offered, for the borrower and for whoever guarantees the loan.',
  caller: 'member',
  repetition: 'read',
  params,
  reply: z.object({ restructure: restructure.nullable() }),
});

export const answerRestructure = route({
  name: 'answerRestructure',
  method: 'POST',
  path: '/loans/{id}/restructure',
  summary:
    'The borrower or a guarantor agrees to the new schedule, or not. A guarantor’s yes carries the hash of its terms and the code of the SMS, as the signature did. One who does not agree keeps the old one for all. Where a month of the loan has ended since it was offered its dates have moved: nobody can agree to it any more.',
  caller: 'member',
  repetition: 'natural',
  params,
  body: z.object({
    agree: z.boolean(),
    /** Of a guarantor who agrees: what `terms_hash` said, and the code that came by SMS (`askGuaranteeCode`). */
    terms_hash: hash.optional(),
    code: z.string().max(CODE_TYPED_MAX).optional(),
  }),
  reply: restructured,
  refusals: ['proof_required', 'payout_held', 'otp_not_accepted', 'loan_terms_changed', 'loan_conflict'],
});

export const payGuarantors = route({
  name: 'payGuarantors',
  method: 'POST',
  path: '/loans/{id}/guarantors-refund',
  summary: 'Pay guarantors back from the wallet what was taken of their savings, also once the loan is closed.',
  caller: 'member',
  whileSuspended: true,
  repetition: 'key',
  params,
  body: z.object({ amount: positiveAmount }),
  reply: acted({ refunded: shillings, still_owed: shillings }),
  refusals: ['insufficient_funds', 'loan_overpaid', 'loan_conflict', 'proof_required', 'payout_held'],
});

export const loanRecoveryContract = [
  readLoanRecovery,
  readLoanDay,
  decideDefault,
  sendFinalNotice,
  recoverLoan,
  writeOffLoan,
  declineWriteOff,
  proposeRestructure,
  quoteRestructure,
  confirmRestructure,
  withdrawRestructure,
  readRestructure,
  answerRestructure,
  payGuarantors,
] as const;
